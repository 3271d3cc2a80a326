# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images of textures (specification 8.5 to 8.9, 8.14, 8.19). See teximages.pxd.

Checks stand before changes: a command that sets an error has changed nothing. A one-dimensional array is kept as
`width × 1 × layers`; the program says `width × layers`.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport pipe_Rect
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo, pipe_format_of,
                           pipe_formats)
from mgpipe.front.buffers cimport buffer_hold
from mgpipe.front.context cimport (LEVELS, Buffer, Context, GLboolean, GLenum, GLint, GLsizei, GLuint, Level, Texture,
                                   name_get, pending_add, set_error, touch_group)
from mgpipe.front.framebuffers cimport ReadSource, read_source
from mgpipe.front.levels cimport level_define, level_gpu_wrote, level_upload
from mgpipe.front.pixels cimport UserImage, pixels_check, pixels_match, user_image
from mgpipe.front.textures cimport bound_texture, mipmap_levels, texture_level
from mgpipe.front.transfer cimport GIVEN, GIVEN_ERROR, Given, unpack_source
from mgpipe.tracker.validate cimport track_copy_framebuffer_to_texture, track_generate_mipmap

cdef struct Image:              # one command's image, checked
    Texture* texture
    uint32_t face, level, format
    uint32_t width, height, depth           # as the program says them
    uint32_t pixel_format, pixel_type

# ------------------------------------------------------------------------------------------------------------ targets

cdef inline bint is_face(GLenum target) noexcept nogil:
    return GL_TEXTURE_CUBE_MAP_POSITIVE_X <= target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z


cdef uint32_t dimensions_of(GLenum target) noexcept nogil:
    """Dimensions of the commands that give images to a target; 0: no such target."""
    if target == GL_TEXTURE_1D: return 1
    if target == GL_TEXTURE_2D or target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_RECTANGLE: return 2
    if is_face(target): return 2
    if target == GL_TEXTURE_3D or target == GL_TEXTURE_2D_ARRAY: return 3
    return 0


cdef bint find_target(Context* ctx, Image* image, GLenum target, uint32_t dimensions, GLint level) noexcept nogil:
    memset(image, 0, sizeof(image[0]))
    if dimensions_of(target) != dimensions:
        set_error(ctx, GL_INVALID_ENUM)
        return False
    if level < 0 or level >= LEVELS or (level and target == GL_TEXTURE_RECTANGLE):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    image.texture = bound_texture(ctx, GL_TEXTURE_CUBE_MAP if is_face(target) else target)
    image.level = <uint32_t>level
    if is_face(target):
        image.face = target - GL_TEXTURE_CUBE_MAP_POSITIVE_X
    return image.texture != NULL


cdef bint size_allowed(Context* ctx, GLenum target, uint32_t level, GLsizei width, GLsizei height,
                       GLsizei depth) noexcept nogil:
    cdef int32_t size = ctx.session.caps.max_texture_size >> level
    cdef int32_t layers = ctx.session.caps.max_array_texture_layers
    if width < 0 or height < 0 or depth < 0:
        return False
    if target == GL_TEXTURE_1D: return width <= size
    if target == GL_TEXTURE_1D_ARRAY: return width <= size and height <= layers
    if target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        return width <= size and height <= size and depth <= layers
    if target == GL_TEXTURE_3D:
        size = ctx.session.caps.max_3d_texture_size >> level
        return width <= size and height <= size and depth <= size
    if target == GL_TEXTURE_RECTANGLE:
        size = ctx.session.caps.max_rectangle_texture_size
    elif is_face(target) or target == GL_TEXTURE_CUBE_MAP:
        size = ctx.session.caps.max_cube_map_texture_size >> level
        if width != height:
            return False
    return width <= size and height <= size


cdef void define(Context* ctx, Image* image, GLenum internal_format) noexcept nogil:
    if image.texture.target == GL_TEXTURE_1D_ARRAY:
        level_define(ctx, image.texture, image.face, image.level, image.width, 1, image.height, internal_format,
                     image.format)
    else:
        level_define(ctx, image.texture, image.face, image.level, image.width, image.height, image.depth,
                     internal_format,
                     image.format)


cdef inline bint is_depth_or_stencil(uint32_t format) noexcept nogil:
    return pipe_formats[format].bits[4] != 0 or pipe_formats[format].bits[5] != 0


# --------------------------------------------------------------------------------------------------------- definition

cdef bint check_definition(Context* ctx, Image* image, GLenum target, GLenum internal_format, GLsizei width,
                           GLsizei height,
                           GLsizei depth, GLint border) noexcept nogil:
    image.format = pipe_format_of(internal_format)
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    if image.format == FORMAT_NONE or border != 0 or not size_allowed(ctx, target, image.level, width, height, depth):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if image.texture.immutable_levels or (target == GL_TEXTURE_3D and is_depth_or_stencil(image.format)):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef bint check_pixels(Context* ctx, Image* image, GLenum format, GLenum type) noexcept nogil:
    cdef GLenum error = pixels_check(format, type, &image.pixel_format, &image.pixel_type)
    if error:
        set_error(ctx, error)
    return error == 0


cdef bint check_match(Context* ctx, Image* image) noexcept nogil:
    cdef GLenum error = pixels_match(image.pixel_format, image.format, False)
    if error:
        set_error(ctx, error)
    return error == 0


cdef void tex_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLenum internal_format,
                    GLsizei width,
                    GLsizei height, GLsizei depth, GLint border, GLenum format, GLenum type,
                    const void* pixels) noexcept nogil:
    cdef Image image
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    cdef Given given
    if not (find_target(ctx, &image, target, dimensions, level) and check_pixels(ctx, &image, format, type)
            and check_definition(ctx, &image, target, internal_format, width, height, depth, border)
            and check_match(ctx, &image)):
        return
    user_image(&source, &ctx.unpack, image.pixel_format, image.pixel_type, dimensions, image.width, image.height,
               image.depth)
    given = unpack_source(ctx, &source, pixels, &bytes)
    if given == GIVEN_ERROR:
        return
    define(ctx, &image, internal_format)
    if given == GIVEN:
        level_upload(ctx, image.texture, image.face, image.level, 0, 0, 0, &source, bytes)


cdef void TexImage1D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLint border,
                     GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 1, level, <GLenum>internalformat, width, 1, 1, border, format, type, pixels)


cdef void TexImage2D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 2, level, <GLenum>internalformat, width, height, 1, border, format, type, pixels)


cdef void TexImage3D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    tex_image(ctx, target, 3, level, <GLenum>internalformat, width, height, depth, border, format, type, pixels)


cdef void tex_storage(Context* ctx, GLenum target, uint32_t dimensions, GLsizei levels, GLenum internal_format,
                      GLsizei width,
                      GLsizei height, GLsizei depth) noexcept nogil:
    cdef Image image
    cdef uint32_t largest, most = 1
    cdef bint cube = target == GL_TEXTURE_CUBE_MAP
    if not find_target(ctx, &image, GL_TEXTURE_CUBE_MAP_POSITIVE_X if cube else target, dimensions, 0):
        return
    if pipe_formats[pipe_format_of(internal_format)].internal != internal_format:
        set_error(ctx, GL_INVALID_ENUM)         # sized formats only
        return
    if levels < 1 or width < 1 or height < 1 or depth < 1:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if image.texture.name == 0:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not check_definition(ctx, &image, target, internal_format, width, height, depth, 0):
        return
    largest = image.width
    if target != GL_TEXTURE_1D_ARRAY and image.height > largest:
        largest = image.height
    if target == GL_TEXTURE_3D and image.depth > largest:
        largest = image.depth
    while largest >> most:
        most += 1
    if <uint32_t>levels > (1 if target == GL_TEXTURE_RECTANGLE else most):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    for image.level in range(<uint32_t>levels):
        for image.face in range(image.texture.faces):
            define(ctx, &image, internal_format)
        image.width = image.width >> 1 if image.width > 1 else 1
        if target != GL_TEXTURE_1D_ARRAY:
            image.height = image.height >> 1 if image.height > 1 else 1
        if target == GL_TEXTURE_3D:
            image.depth = image.depth >> 1 if image.depth > 1 else 1
    for image.level in range(<uint32_t>levels, LEVELS):
        for image.face in range(image.texture.faces):
            level_define(ctx, image.texture, image.face, image.level, 0, 0, 0, 0, FORMAT_NONE)
    image.texture.immutable_levels = <uint32_t>levels
    texture_level(image.texture, 0, 0).respecify = 1        # mutable until now: the server must hear of it


cdef void TexStorage1D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat,
                       GLsizei width) noexcept nogil:
    tex_storage(ctx, target, 1, levels, internalformat, width, 1, 1)


cdef void TexStorage2D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height) noexcept nogil:
    tex_storage(ctx, target, 2, levels, internalformat, width, height, 1)


cdef void TexStorage3D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height, GLsizei depth) noexcept nogil:
    tex_storage(ctx, target, 3, levels, internalformat, width, height, depth)


cdef void tex_multisample(Context* ctx, GLenum target, bint array, GLsizei samples, GLenum internal_format,
                          GLsizei width,
                          GLsizei height, GLsizei depth, GLboolean fixed) noexcept nogil:
    cdef Texture* texture
    cdef uint32_t format = pipe_format_of(internal_format)
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef int32_t most
    if target != (GL_TEXTURE_2D_MULTISAMPLE_ARRAY if array else GL_TEXTURE_2D_MULTISAMPLE):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if samples < 1 or not size_allowed(ctx, target, 0, width, height, depth):
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not (info.color_renderable or info.depth_renderable or info.stencil_renderable):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT:
        most = ctx.session.caps.max_integer_samples
    elif is_depth_or_stencil(format):
        most = ctx.session.caps.max_depth_texture_samples
    else:
        most = ctx.session.caps.max_color_texture_samples
    texture = bound_texture(ctx, target)
    if texture == NULL:
        return
    if samples > most or texture.immutable_levels:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if texture.samples != <uint32_t>samples or texture.fixed_samples != fixed:
        texture_level(texture, 0, 0).format = FORMAT_NONE       # another shape, though the sizes may be equal
    texture.samples = <uint32_t>samples
    texture.fixed_samples = 1 if fixed else 0
    level_define(ctx, texture, 0, 0, <uint32_t>width, <uint32_t>height, <uint32_t>depth, internal_format, format)


cdef void TexImage2DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, False, samples, internalformat, width, height, 1, fixedsamplelocations)


cdef void TexImage3DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) noexcept nogil:
    tex_multisample(ctx, target, True, samples, internalformat, width, height, depth, fixedsamplelocations)


# ------------------------------------------------------------------------------------------------------- sub-images

cdef bint check_box(Context* ctx, Image* image, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                    GLsizei depth) noexcept nogil:
    """The level exists and the box lies in it."""
    cdef Level* level = texture_level(image.texture, image.face, image.level)
    cdef uint64_t rows = level.height, slices = level.depth
    if level.format == FORMAT_NONE:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if image.texture.target == GL_TEXTURE_1D_ARRAY:
        rows = level.depth
        slices = 1
    if x < 0 or y < 0 or z < 0 or width < 0 or height < 0 or depth < 0 or <uint64_t>x + width > level.width \
            or <uint64_t>y + height > rows or <uint64_t>z + depth > slices:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    image.format = level.format
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    return True


cdef void tex_sub_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLint x, GLint y, GLint z,
                        GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                        const void* pixels) noexcept nogil:
    cdef Image image
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    if not (find_target(ctx, &image, target, dimensions, level) and check_pixels(ctx, &image, format, type)
            and check_box(ctx, &image, x, y, z, width, height, depth) and check_match(ctx, &image)):
        return
    user_image(&source, &ctx.unpack, image.pixel_format, image.pixel_type, dimensions, image.width, image.height,
               image.depth)
    if unpack_source(ctx, &source, pixels, &bytes) == GIVEN:
        level_upload(ctx, image.texture, image.face, image.level, x, y, z, &source, bytes)


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


# ---------------------------------------------------------------------------------------- copies from the framebuffer

cdef bint check_copy(Context* ctx, Image* image) noexcept nogil:
    """The read framebuffer has what the texture takes (specification 8.6)."""
    cdef ReadSource source
    cdef GLenum error = read_source(ctx, &source)
    cdef const pipe_FormatInfo* info = &pipe_formats[image.format]
    cdef const pipe_FormatInfo* color
    if error:
        set_error(ctx, error)
        return False
    if source.samples:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if info.bits[4] or info.bits[5]:
        if (info.bits[4] and not source.depth) or (info.bits[5] and not source.stencil):
            set_error(ctx, GL_INVALID_OPERATION)
            return False
        return True
    color = &pipe_formats[source.color]
    if source.color == FORMAT_NONE or (info.kind == FORMAT_KIND_INT) != (color.kind == FORMAT_KIND_INT) \
            or (info.kind == FORMAT_KIND_UINT) != (color.kind == FORMAT_KIND_UINT):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void copy_rows(Context* ctx, Image* image, uint32_t layer, GLint at_x, GLint at_y, GLint x,
                    GLint y) noexcept nogil:
    cdef pipe_Rect area
    if image.width == 0 or image.height == 0:
        return
    area.x0 = x
    area.y0 = y
    area.x1 = x + <int32_t>image.width
    area.y1 = y + <int32_t>image.height
    track_copy_framebuffer_to_texture(ctx, image.texture, image.face, image.level, layer, at_x, at_y, &area)
    level_gpu_wrote(ctx, image.texture, image.face, image.level)


cdef void copy_tex_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLenum internal_format,
                         GLint x, GLint y,
                         GLsizei width, GLsizei height, GLint border) noexcept nogil:
    cdef Image image
    if not find_target(ctx, &image, target, dimensions, level):
        return
    if target == GL_TEXTURE_1D_ARRAY:           # its rows would be layers: refused until a copy per layer is needed
        set_error(ctx, GL_INVALID_ENUM)
        return
    if pipe_format_of(internal_format) == FORMAT_NONE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if not check_definition(ctx, &image, target, internal_format, width, height, 1, border) or not check_copy(ctx,
                                                                                                              &image):
        return
    define(ctx, &image, internal_format)
    copy_rows(ctx, &image, 0, 0, 0, x, y)


cdef void CopyTexImage1D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLint border) noexcept nogil:
    copy_tex_image(ctx, target, 1, level, internalformat, x, y, width, 1, border)


cdef void CopyTexImage2D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLsizei height, GLint border) noexcept nogil:
    copy_tex_image(ctx, target, 2, level, internalformat, x, y, width, height, border)


cdef void copy_tex_sub_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLint xoffset,
                             GLint yoffset,
                             GLint zoffset, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil:
    cdef Image image
    cdef uint32_t rows, i
    if not (find_target(ctx, &image, target, dimensions, level)
            and check_box(ctx, &image, xoffset, yoffset, zoffset, width, height, 1) and check_copy(ctx, &image)):
        return
    if target == GL_TEXTURE_1D_ARRAY:           # a row for each layer
        rows = image.height
        image.height = 1
        for i in range(rows):
            copy_rows(ctx, &image, <uint32_t>yoffset + i, xoffset, 0, x, y + <GLint>i)
        return
    copy_rows(ctx, &image, <uint32_t>zoffset, xoffset, yoffset, x, y)


cdef void CopyTexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint x, GLint y,
                            GLsizei width) noexcept nogil:
    copy_tex_sub_image(ctx, target, 1, level, xoffset, 0, 0, x, y, width, 1)


cdef void CopyTexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                            GLsizei width, GLsizei height) noexcept nogil:
    copy_tex_sub_image(ctx, target, 2, level, xoffset, yoffset, 0, x, y, width, height)


cdef void CopyTexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                            GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil:
    copy_tex_sub_image(ctx, target, 3, level, xoffset, yoffset, zoffset, x, y, width, height)


# ---------------------------------------------------------------------------------------------------- buffers, mipmaps

cdef bint buffer_texture_format(uint32_t format) noexcept nogil:
    """Table 8.16: colours of 8, 16 and 32 bits in whole elements; of three components the 32-bit ones only."""
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint32_t size = info.bits[0]
    if format == FORMAT_NONE or info.srgb or info.shared_bits or size == 0 or info.texel_bytes * 8 != \
            size * ((info.bits[0] != 0) + (info.bits[1] != 0) + (info.bits[2] != 0) + (info.bits[3] != 0)):
        return False
    if size != 8 and size != 16 and size != 32:
        return False
    if info.bits[2] and not info.bits[3] and size != 32:
        return False
    return info.kind != 2                       # no signed normalised ones


cdef void TexBuffer(Context* ctx, GLenum target, GLenum internalformat, GLuint buffer) noexcept nogil:
    cdef Texture* texture
    cdef Buffer* object = NULL
    cdef uint32_t format = pipe_format_of(internalformat)
    if target != GL_TEXTURE_BUFFER or not buffer_texture_format(format) \
            or pipe_formats[format].internal != internalformat:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if buffer != 0:
        object = <Buffer*>name_get(&ctx.group.buffers, buffer)
        if object == NULL:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    texture = bound_texture(ctx, target)
    if texture == NULL:
        return
    buffer_hold(ctx, &texture.buffer, object)
    texture.buffer_offset = 0
    texture.buffer_size = <uint64_t>-1          # to its end, whatever its size becomes
    texture.levels[0].format = format
    texture.levels[0].internal_format = internalformat
    texture.params_dirty = 1
    pending_add(ctx.group, texture, True)
    touch_group(ctx)


cdef bint cube_equal(Texture* texture) noexcept nogil:
    """Whether the base level of a cube map has six equal, square faces."""
    cdef Level* base = texture_level(texture, 0, texture.base_level)
    cdef Level* other
    cdef uint32_t face
    for face in range(texture.faces):
        other = texture_level(texture, face, texture.base_level)
        if other.format != base.format or other.width != base.width or other.height != base.width:
            return False
    return True


cdef void GenerateMipmap(Context* ctx, GLenum target) noexcept nogil:
    cdef Texture* texture
    cdef Level base
    cdef uint32_t count, level, face, kind, width, height, depth
    if not (target == GL_TEXTURE_1D or target == GL_TEXTURE_2D or target == GL_TEXTURE_3D
            or target == GL_TEXTURE_1D_ARRAY
            or target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_CUBE_MAP):
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture == NULL:
        return
    count = mipmap_levels(texture)
    if texture.immutable_levels and count > texture.immutable_levels - texture.base_level:
        count = texture.immutable_levels - texture.base_level if texture.base_level < texture.immutable_levels else 0
    if count == 0 or (texture.faces == 6 and not cube_equal(texture)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    base = texture_level(texture, 0, texture.base_level)[0]
    kind = pipe_formats[base.format].kind
    if kind == FORMAT_KIND_INT or kind == FORMAT_KIND_UINT or is_depth_or_stencil(base.format):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if base.width == 0 or base.height == 0 or base.depth == 0:
        return
    width = base.width
    height = base.height
    depth = base.depth
    for level in range(texture.base_level + 1, texture.base_level + count):
        width = width >> 1 if width > 1 else 1
        height = height >> 1 if height > 1 else 1
        if target == GL_TEXTURE_3D:
            depth = depth >> 1 if depth > 1 else 1
        for face in range(texture.faces):
            level_define(ctx, texture, face, level, width, height, depth, base.internal_format, base.format)
            texture_level(texture, face, level).region_count = 0        # about to be overwritten
    track_generate_mipmap(ctx, texture)
    for level in range(texture.base_level + 1, texture.base_level + count):
        for face in range(texture.faces):
            level_gpu_wrote(ctx, texture, face, level)
