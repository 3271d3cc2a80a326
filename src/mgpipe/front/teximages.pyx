# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images of textures: definition and sub-images (specification 8.5 to 8.8, 8.19, 8.22). See teximages.pxd.

Checks stand before changes: a command that sets an error has changed nothing. A one-dimensional array is kept as
`width × 1 × layers`; the program says `width × layers`. Layers of a cube map array are faces. A command on a proxy target
checks the same, and then only remembers the sizes.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc
from libc.string cimport memset

from glenum cimport *
from pipe cimport PIPE_FORMAT_SAMPLE, pipe_Box
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo, pipe_format_of,
                           pipe_formats)
from mgpipe.front.context cimport (LEVELS, TEXTURE_TARGETS, Context, GLboolean, GLenum, GLint, GLsizei, Level, Texture,
                                   set_error)
from mgpipe.front.formats cimport samples_granted, BLOCK
from mgpipe.front.levels cimport level_compress, level_define, level_gpu_wrote, level_upload
from mgpipe.front.pixels cimport UserImage, pixels_check, pixels_match, user_image
from mgpipe.front.textures cimport bound_texture, texture_level, texture_target_index
from mgpipe.front.transfer cimport (GIVEN, GIVEN_ERROR, GIVEN_NOTHING, GIVEN_ON_SERVER, Given, unpack_source,
                                    unpack_texels)
from mgpipe.tracker.textures cimport track_texture_from_buffer
from mgpipe.tracker.validate cimport PackedRows

# ------------------------------------------------------------------------------------------------------------ targets

cdef bint is_face(GLenum target) noexcept nogil:
    return GL_TEXTURE_CUBE_MAP_POSITIVE_X <= target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z


cdef GLenum proxied(GLenum target) noexcept nogil:
    """The target that a proxy stands for; 0: no proxy target."""
    if target == GL_PROXY_TEXTURE_1D: return GL_TEXTURE_1D
    if target == GL_PROXY_TEXTURE_2D: return GL_TEXTURE_2D
    if target == GL_PROXY_TEXTURE_3D: return GL_TEXTURE_3D
    if target == GL_PROXY_TEXTURE_1D_ARRAY: return GL_TEXTURE_1D_ARRAY
    if target == GL_PROXY_TEXTURE_2D_ARRAY: return GL_TEXTURE_2D_ARRAY
    if target == GL_PROXY_TEXTURE_RECTANGLE: return GL_TEXTURE_RECTANGLE
    if target == GL_PROXY_TEXTURE_CUBE_MAP: return GL_TEXTURE_CUBE_MAP
    if target == GL_PROXY_TEXTURE_CUBE_MAP_ARRAY: return GL_TEXTURE_CUBE_MAP_ARRAY
    if target == GL_PROXY_TEXTURE_2D_MULTISAMPLE: return GL_TEXTURE_2D_MULTISAMPLE
    if target == GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY: return GL_TEXTURE_2D_MULTISAMPLE_ARRAY
    return 0


cdef Level* proxy_level(Context* ctx, GLenum target, uint32_t level) noexcept nogil:
    if ctx.proxies == NULL:
        ctx.proxies = <Level*>calloc(TEXTURE_TARGETS * LEVELS, sizeof(Level))
        if ctx.proxies == NULL:
            set_error(ctx, GL_OUT_OF_MEMORY)
            return NULL
    return &ctx.proxies[texture_target_index(target) * LEVELS + level]


cdef uint32_t dimensions_of(GLenum target) noexcept nogil:
    """Dimensions of the commands that give images to a target; 0: no such target."""
    if target == GL_TEXTURE_1D: return 1
    if target == GL_TEXTURE_2D or target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_RECTANGLE: return 2
    if is_face(target): return 2
    if target == GL_TEXTURE_3D or target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_CUBE_MAP_ARRAY: return 3
    return 0


cdef bint image_bound(Context* ctx, Image* image, GLenum target, uint32_t dimensions, GLint level,
                      bint defines) noexcept nogil:
    cdef GLenum real = proxied(target)
    memset(image, 0, sizeof(image[0]))
    image.proxy = real != 0
    image.target = real if real else target
    if image.target == GL_TEXTURE_CUBE_MAP and image.proxy:
        image.target = GL_TEXTURE_CUBE_MAP_POSITIVE_X
    if dimensions_of(image.target) != dimensions or (image.proxy and not defines):
        set_error(ctx, GL_INVALID_ENUM)
        return False
    if level < 0 or level >= LEVELS or (level and image.target == GL_TEXTURE_RECTANGLE):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    image.level = <uint32_t>level
    if is_face(image.target):
        image.face = image.target - GL_TEXTURE_CUBE_MAP_POSITIVE_X
        image.target = GL_TEXTURE_CUBE_MAP
    if image.proxy:
        return True
    image.texture = bound_texture(ctx, image.target)
    return image.texture != NULL


cdef bint size_allowed(Context* ctx, GLenum target, uint32_t level, uint32_t width, uint32_t height,
                       uint32_t depth) noexcept nogil:
    cdef uint32_t size = <uint32_t>ctx.session.caps.max_texture_size >> level
    cdef uint32_t layers = <uint32_t>ctx.session.caps.max_array_texture_layers
    if target == GL_TEXTURE_1D: return width <= size
    if target == GL_TEXTURE_1D_ARRAY: return width <= size and height <= layers
    if target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        return width <= size and height <= size and depth <= layers
    if target == GL_TEXTURE_3D:
        size = <uint32_t>ctx.session.caps.max_3d_texture_size >> level
        return width <= size and height <= size and depth <= size
    if target == GL_TEXTURE_RECTANGLE:
        size = <uint32_t>ctx.session.caps.max_rectangle_texture_size
    elif target == GL_TEXTURE_CUBE_MAP or target == GL_TEXTURE_CUBE_MAP_ARRAY:
        size = <uint32_t>ctx.session.caps.max_cube_map_texture_size >> level
        if target == GL_TEXTURE_CUBE_MAP_ARRAY and depth > layers:
            return False
    return width <= size and height <= size


cdef bint sensible(GLenum target, GLsizei width, GLsizei height, GLsizei depth) noexcept nogil:
    """What no implementation takes, however large its limits."""
    if width < 0 or height < 0 or depth < 0:
        return False
    if (target == GL_TEXTURE_CUBE_MAP or target == GL_TEXTURE_CUBE_MAP_ARRAY) and width != height:
        return False
    return target != GL_TEXTURE_CUBE_MAP_ARRAY or depth % 6 == 0


cdef void image_define(Context* ctx, Image* image, GLenum internal_format) noexcept nogil:
    cdef Level* level
    if image.proxy:
        level = proxy_level(ctx, image.target, image.level)
        if level != NULL:
            level.width = image.width
            level.height = 1 if image.target == GL_TEXTURE_1D_ARRAY else image.height
            level.depth = image.height if image.target == GL_TEXTURE_1D_ARRAY else image.depth
            level.internal_format = internal_format
            level.format = image.format
    elif image.target == GL_TEXTURE_1D_ARRAY:
        level_define(ctx, image.texture, image.face, image.level, image.width, 1, image.height, internal_format,
                     image.format)
    else:
        level_define(ctx, image.texture, image.face, image.level, image.width, image.height, image.depth,
                     internal_format, image.format)


cdef void image_box(Image* image, GLint x, GLint y, GLint z, pipe_Box* box) noexcept nogil:
    """The program's box in the level's own terms."""
    box.x = x
    box.y = y
    box.z = z
    box.width = image.width
    box.height = image.height
    box.depth = image.depth
    if image.target == GL_TEXTURE_1D_ARRAY:
        box.y = 0
        box.z = y
        box.height = 1
        box.depth = image.height


cdef bint is_depth_or_stencil(uint32_t format) noexcept nogil:
    return pipe_formats[format].bits[4] != 0 or pipe_formats[format].bits[5] != 0


# ------------------------------------------------------------------------------------------------------------ formats

cdef uint32_t usable_format(Context* ctx, GLenum internal_format) noexcept nogil:
    """Its number; FORMAT_NONE: unknown, or a compressed format that the driver lacks."""
    cdef uint32_t format = pipe_format_of(internal_format)
    if pipe_formats[format].block_bytes and not ctx.session.caps.formats[format] & PIPE_FORMAT_SAMPLE:
        return FORMAT_NONE
    return format


cdef GLenum target_error(uint32_t format, GLenum target) noexcept nogil:
    """0, or the error of images of that format and target (specification 8.5, 8.7; tables of the compressed formats)."""
    if pipe_formats[format].block_bytes:
        if target == GL_TEXTURE_1D or target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_RECTANGLE:
            return GL_INVALID_ENUM
        if target == GL_TEXTURE_3D and not GL_COMPRESSED_RGBA_BPTC_UNORM <= pipe_formats[format].internal \
                <= GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT:
            return GL_INVALID_OPERATION
    return GL_INVALID_OPERATION if target == GL_TEXTURE_3D and is_depth_or_stencil(format) else 0


# --------------------------------------------------------------------------------------------------------- definition

cdef bint image_defined(Context* ctx, Image* image, GLenum internal_format, GLsizei width, GLsizei height,
                        GLsizei depth, GLint border, bint* fits) noexcept nogil:
    """False after setting the error. A proxy that is too large is no error, it does not fit."""
    cdef GLenum error
    image.format = usable_format(ctx, internal_format)
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    if border != 0 and pipe_formats[image.format].block_bytes:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if image.format == FORMAT_NONE or border != 0 or not sensible(image.target, width, height, depth):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    error = target_error(image.format, image.target)
    fits[0] = size_allowed(ctx, image.target, image.level, image.width, image.height, image.depth)
    if error == 0 and not image.proxy and not fits[0]:
        error = GL_INVALID_VALUE
    if error == 0 and not image.proxy and image.texture.immutable_levels:
        error = GL_INVALID_OPERATION
    if error:
        set_error(ctx, error)
        return False
    return True


cdef void forget_proxy(Context* ctx, Image* image) noexcept nogil:
    cdef Level* level = proxy_level(ctx, image.target, image.level)
    if level != NULL:
        memset(level, 0, sizeof(level[0]))


cdef bint check_pixels(Context* ctx, Image* image, GLenum format, GLenum type) noexcept nogil:
    cdef GLenum error = pixels_check(format, type, &image.pixel_format, &image.pixel_type)
    if error:
        set_error(ctx, error)
    return error == 0


cdef bint check_match(Context* ctx, Image* image) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[image.format]
    cdef GLenum error = pixels_match(image.pixel_format, image.format, False)
    if info.block_bytes and not info.encodes:
        error = GL_INVALID_OPERATION            # given in blocks only
    if error:
        set_error(ctx, error)
    return error == 0


cdef void put_from_server(Context* ctx, Image* image, const pipe_Box* box, const UserImage* source, uint64_t offset) noexcept nogil:
    """Texels that a verb left in the buffer bound for unpacking: the server takes them there."""
    cdef PackedRows rows
    memset(&rows, 0, sizeof(rows))
    rows.offset = offset
    rows.row_stride = source.row_stride
    rows.slice_stride = source.row_stride if image.target == GL_TEXTURE_1D_ARRAY else source.slice_stride
    rows.format = source.format
    rows.type = source.type
    rows.swap_bytes = source.swap_bytes
    track_texture_from_buffer(ctx, image.texture, image.face, image.level, box, ctx.pixel_unpack_buffer, &rows)
    level_gpu_wrote(ctx, image.texture, image.face, image.level, <uint32_t>box.z, box.depth)


cdef Given given_pixels(Context* ctx, Image* image, const UserImage* source, const void* pixels,
                        const uint8_t** bytes) noexcept nogil:
    """Texels that the driver is to compress come from here."""
    if pipe_formats[image.format].block_bytes:
        return unpack_source(ctx, source, pixels, bytes)
    return unpack_texels(ctx, source, pixels, bytes)


cdef void put_pixels(Context* ctx, Image* image, GLint x, GLint y, GLint z, const UserImage* source,
                     const void* bytes, Given given) noexcept nogil:
    cdef pipe_Box box
    image_box(image, x, y, z, &box)
    if given == GIVEN_ON_SERVER:
        put_from_server(ctx, image, &box, source, <uintptr_t>bytes)
    elif pipe_formats[image.format].block_bytes:
        level_compress(ctx, image.texture, image.face, image.level, &box, source, bytes)
    else:
        level_upload(ctx, image.texture, image.face, image.level, &box, source, bytes)


cdef void tex_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLenum internal_format,
                    GLsizei width, GLsizei height, GLsizei depth, GLint border, GLenum format, GLenum type,
                    const void* pixels) noexcept nogil:
    cdef Image image
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    cdef Given given
    cdef bint fits = False
    if not (image_bound(ctx, &image, target, dimensions, level, True) and check_pixels(ctx, &image, format, type)
            and image_defined(ctx, &image, internal_format, width, height, depth, border, &fits)
            and check_match(ctx, &image)):
        return
    if image.proxy:
        if fits:
            image_define(ctx, &image, internal_format)
        else:
            forget_proxy(ctx, &image)
        return
    user_image(&source, &ctx.unpack, image.pixel_format, image.pixel_type, dimensions, image.width, image.height,
               image.depth)
    given = given_pixels(ctx, &image, &source, pixels, &bytes)
    if given == GIVEN_ERROR:
        return
    image_define(ctx, &image, internal_format)
    if given != GIVEN_NOTHING:
        put_pixels(ctx, &image, 0, 0, 0, &source, bytes, given)


cdef void TexImage1D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLint border,
                     GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 1, level, <GLenum>internalformat, width, 1, 1, border, format, type, pixels)


cdef void TexImage2D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 2, level, <GLenum>internalformat, width, height, 1, border, format, type, pixels)


cdef void TexImage3D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 3, level, <GLenum>internalformat, width, height, depth, border, format, type, pixels)


# ----------------------------------------------------------------------------------------------------- immutable storage

cdef uint32_t layers_of(Texture* texture) noexcept nogil:
    """For GL_TEXTURE_VIEW_NUM_LAYERS: faces count, slices do not."""
    if texture.target == GL_TEXTURE_CUBE_MAP:
        return 6
    return 1 if texture.target == GL_TEXTURE_3D else texture_level(texture, 0, 0).depth


cdef void storage_levels(Context* ctx, Image* image, uint32_t levels, GLenum internal_format) noexcept nogil:
    cdef uint32_t faces = image.texture.faces if image.texture != NULL else 1
    for image.level in range(levels):
        for image.face in range(faces):
            image_define(ctx, image, internal_format)
        image.width = image.width >> 1 if image.width > 1 else 1
        if image.target != GL_TEXTURE_1D_ARRAY:
            image.height = image.height >> 1 if image.height > 1 else 1
        if image.target == GL_TEXTURE_3D:
            image.depth = image.depth >> 1 if image.depth > 1 else 1
    if image.proxy:
        for image.level in range(levels, LEVELS):
            forget_proxy(ctx, image)
        return
    for image.level in range(levels, LEVELS):
        for image.face in range(faces):
            level_define(ctx, image.texture, image.face, image.level, 0, 0, 0, 0, FORMAT_NONE)
    image.texture.immutable_levels = image.texture.view_levels = levels
    image.texture.view_layers = layers_of(image.texture)
    texture_level(image.texture, 0, 0).respecify = 1        # mutable until now: the server must hear of it


cdef void image_storage(Context* ctx, Image* image, GLsizei levels, GLenum internal_format, GLsizei width,
                        GLsizei height, GLsizei depth) noexcept nogil:
    cdef uint32_t largest, most = 1
    cdef bint fits = False
    cdef GLenum error
    if pipe_formats[pipe_format_of(internal_format)].internal != internal_format \
            or usable_format(ctx, internal_format) == FORMAT_NONE:
        set_error(ctx, GL_INVALID_ENUM)         # sized formats only
        return
    if levels < 1 or width < 1 or height < 1 or depth < 1:
        set_error(ctx, GL_INVALID_VALUE)
        return
    error = target_error(pipe_format_of(internal_format), image.target)
    if error or (not image.proxy and image.texture.name == 0):
        set_error(ctx, error if error else GL_INVALID_OPERATION)
        return
    if not image_defined(ctx, image, internal_format, width, height, depth, 0, &fits):
        return
    largest = image.width
    if image.target != GL_TEXTURE_1D_ARRAY and image.height > largest:
        largest = image.height
    if image.target == GL_TEXTURE_3D and image.depth > largest:
        largest = image.depth
    while largest >> most:
        most += 1
    if <uint32_t>levels > (1 if image.target == GL_TEXTURE_RECTANGLE else most):
        set_error(ctx, GL_INVALID_OPERATION)
    elif fits:
        storage_levels(ctx, image, <uint32_t>levels, internal_format)
    else:
        for image.level in range(LEVELS):
            forget_proxy(ctx, image)


cdef void tex_storage(Context* ctx, GLenum target, uint32_t dimensions, GLsizei levels, GLenum internal_format,
                      GLsizei width, GLsizei height, GLsizei depth) noexcept nogil:
    cdef Image image
    cdef bint cube = target == GL_TEXTURE_CUBE_MAP
    if is_face(target):
        set_error(ctx, GL_INVALID_ENUM)
    elif image_bound(ctx, &image, GL_TEXTURE_CUBE_MAP_POSITIVE_X if cube else target, dimensions, 0, True):
        image_storage(ctx, &image, levels, internal_format, width, height, depth)


cdef void TexStorage1D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat,
                       GLsizei width) noexcept nogil:
    tex_storage(ctx, target, 1, levels, internalformat, width, 1, 1)


cdef void TexStorage2D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height) noexcept nogil:
    tex_storage(ctx, target, 2, levels, internalformat, width, height, 1)


cdef void TexStorage3D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height, GLsizei depth) noexcept nogil:
    tex_storage(ctx, target, 3, levels, internalformat, width, height, depth)


# --------------------------------------------------------------------------------------------------------- multisample

cdef int32_t most_samples(Context* ctx, uint32_t format) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    if info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT:
        return ctx.session.caps.max_integer_samples
    if is_depth_or_stencil(format):
        return ctx.session.caps.max_depth_texture_samples
    return ctx.session.caps.max_color_texture_samples


cdef void image_multisample(Context* ctx, Image* image, GLsizei samples, GLenum internal_format, GLsizei width,
                            GLsizei height, GLsizei depth, GLboolean fixed, bint immutable) noexcept nogil:
    cdef uint32_t format = pipe_format_of(internal_format)
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef Texture* texture = image.texture
    cdef bint fits
    cdef Level* level
    if samples < 1 or width < immutable or height < immutable or depth < immutable:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not (info.color_renderable or info.depth_renderable or info.stencil_renderable) or (
            immutable and info.internal != internal_format):
        set_error(ctx, GL_INVALID_ENUM)
        return
    fits = size_allowed(ctx, image.target, 0, <uint32_t>width, <uint32_t>height, <uint32_t>depth)
    if not image.proxy and not fits:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if samples > most_samples(ctx, format):
        if image.proxy:
            fits = False
        else:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    if not image.proxy and (texture.immutable_levels or (immutable and texture.name == 0)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    image.format = format
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    if image.proxy:
        forget_proxy(ctx, image)
        level = proxy_level(ctx, image.target, 0)
        if fits and level != NULL:
            image_define(ctx, image, internal_format)
            level.region_count = <uint32_t>samples          # a proxy has no regions: its samples are kept there
            level.region_capacity = 1 if fixed else 0
        return
    samples = <GLsizei>samples_granted(ctx.session.caps.sample_counts[format], <uint32_t>samples)
    if texture.samples != <uint32_t>samples or texture.fixed_samples != (1 if fixed else 0):
        texture_level(texture, 0, 0).format = FORMAT_NONE       # another shape, though the sizes may be equal
    texture.samples = <uint32_t>samples
    texture.fixed_samples = 1 if fixed else 0
    image_define(ctx, image, internal_format)
    if immutable:
        texture.immutable_levels = texture.view_levels = 1
        texture.view_layers = layers_of(texture)
        texture_level(texture, 0, 0).respecify = 1


cdef void tex_multisample(Context* ctx, GLenum target, bint array, GLsizei samples, GLenum internal_format,
                          GLsizei width, GLsizei height, GLsizei depth, GLboolean fixed, bint immutable) noexcept nogil:
    cdef Image image
    cdef GLenum real = proxied(target)
    memset(&image, 0, sizeof(image))
    image.proxy = real != 0
    image.target = real if real else target
    if image.target != (GL_TEXTURE_2D_MULTISAMPLE_ARRAY if array else GL_TEXTURE_2D_MULTISAMPLE):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if not image.proxy:
        image.texture = bound_texture(ctx, target)
        if image.texture == NULL:
            return
    image_multisample(ctx, &image, samples, internal_format, width, height, depth, fixed, immutable)


cdef void TexImage2DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, False, samples, internalformat, width, height, 1, fixedsamplelocations, False)


cdef void TexImage3DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, True, samples, internalformat, width, height, depth, fixedsamplelocations, False)


cdef void TexStorage2DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                  GLsizei height, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, False, samples, internalformat, width, height, 1, fixedsamplelocations, True)


cdef void TexStorage3DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                  GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, True, samples, internalformat, width, height, depth, fixedsamplelocations, True)


# ------------------------------------------------------------------------------------------------------- sub-images

cdef bint check_blocks(const Level* level, GLint x, GLint y, uint32_t width, uint32_t height) noexcept nogil:
    """Whether a box of a compressed level begins and ends at blocks, or at the level's edge."""
    return (x % BLOCK == 0 and y % BLOCK == 0 and (width % BLOCK == 0 or <uint32_t>x + width == level.width)
            and (height % BLOCK == 0 or <uint32_t>y + height == level.height))


cdef bint image_part(Context* ctx, Image* image, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                     GLsizei depth) noexcept nogil:
    """The level exists and the box lies in it."""
    cdef Level* level = texture_level(image.texture, image.face, image.level)
    cdef uint64_t rows = level.height, slices = level.depth
    if level.format == FORMAT_NONE:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if image.target == GL_TEXTURE_1D_ARRAY:
        rows = level.depth
        slices = 1
    if x < 0 or y < 0 or z < 0 or width < 0 or height < 0 or depth < 0 or <uint64_t>x + width > level.width \
            or <uint64_t>y + height > rows or <uint64_t>z + depth > slices:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if pipe_formats[level.format].block_bytes and not check_blocks(level, x, y, <uint32_t>width, <uint32_t>height):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    image.format = level.format
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    return True


cdef void image_sub_image(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z, GLsizei width,
                          GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    cdef Given given
    if not (check_pixels(ctx, image, format, type) and image_part(ctx, image, x, y, z, width, height, depth)
            and check_match(ctx, image)):
        return
    user_image(&source, &ctx.unpack, image.pixel_format, image.pixel_type, dimensions, image.width, image.height,
               image.depth)
    given = given_pixels(ctx, image, &source, pixels, &bytes)
    if given == GIVEN or given == GIVEN_ON_SERVER:
        put_pixels(ctx, image, x, y, z, &source, bytes, given)


cdef void tex_sub_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLint x, GLint y, GLint z,
                        GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                        const void* pixels) noexcept nogil:
    cdef Image image
    if image_bound(ctx, &image, target, dimensions, level, False):
        image_sub_image(ctx, &image, dimensions, x, y, z, width, height, depth, format, type, pixels)


cdef void TexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLsizei width, GLenum format,
                        GLenum type, const void* pixels) noexcept nogil:
    tex_sub_image(ctx, target, 1, level, xoffset, 0, 0, width, 1, 1, format, type, pixels)


cdef void TexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                        GLsizei height, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_sub_image(ctx, target, 2, level, xoffset, yoffset, 0, width, height, 1, format, type, pixels)


cdef void TexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                        GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                        const void* pixels) noexcept nogil:
    tex_sub_image(ctx, target, 3, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels)
