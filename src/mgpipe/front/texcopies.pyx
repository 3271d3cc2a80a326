# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images of textures from elsewhere (specification 8.6, 8.9, 8.14.4, 18.3.2). See texcopies.pxd."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport pipe_Box, pipe_Rect
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_SNORM, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo,
                           pipe_format_of, pipe_formats)
from mgpipe.front.buffers cimport buffer_hold
from mgpipe.front.context cimport (LEVELS, OWNER_GPU, Buffer, Context, GLenum, GLint, GLintptr, GLsizei, GLsizeiptr, GLuint,
                                   Level, Renderbuffer, Texture, name_get, pending_add, set_error, touch_group)
from mgpipe.front.formats cimport BLOCK
from mgpipe.front.completeness cimport ReadSource, read_source
from mgpipe.front.levels cimport level_define, level_gpu_wrote
from mgpipe.front.teximages cimport (Image, image_bound, image_define, image_defined, image_part, is_depth_or_stencil,
                                     usable_format)
from mgpipe.front.context cimport INDEX_NONE
from mgpipe.front.renderbuffers cimport renderbuffer_named
from mgpipe.front.textures cimport (base_complete, bound_texture, mipmap_complete, mipmap_levels, texture_level,
                                    texture_target_index)
from mgpipe.tracker.textures cimport CopyEnd, track_copy_image
from mgpipe.tracker.validate cimport track_copy_framebuffer_to_texture, track_generate_mipmap

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
    level_gpu_wrote(ctx, image.texture, image.face, image.level, layer, 1)


cdef void copy_image(Context* ctx, Image* image, GLint xoffset, GLint yoffset, GLint zoffset, GLint x,
                     GLint y) noexcept nogil:
    cdef uint32_t rows, i
    if image.target != GL_TEXTURE_1D_ARRAY:
        copy_rows(ctx, image, <uint32_t>zoffset, xoffset, yoffset, x, y)
        return
    rows = image.height                         # a row for each layer
    image.height = 1
    for i in range(rows):
        copy_rows(ctx, image, <uint32_t>yoffset + i, xoffset, 0, x, y + <GLint>i)


cdef void copy_tex_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLenum internal_format,
                         GLint x, GLint y, GLsizei width, GLsizei height, GLint border) noexcept nogil:
    cdef Image image
    cdef bint fits = False
    if not image_bound(ctx, &image, target, dimensions, level, False):
        return
    if usable_format(ctx, internal_format) == FORMAT_NONE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if not (image_defined(ctx, &image, internal_format, width, height, 1, border, &fits) and check_copy(ctx, &image)):
        return
    image_define(ctx, &image, internal_format)
    copy_image(ctx, &image, 0, 0, 0, x, y)


cdef void CopyTexImage1D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLint border) noexcept nogil:
    copy_tex_image(ctx, target, 1, level, internalformat, x, y, width, 1, border)


cdef void CopyTexImage2D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLsizei height, GLint border) noexcept nogil:
    copy_tex_image(ctx, target, 2, level, internalformat, x, y, width, height, border)


cdef void image_copy_framebuffer(Context* ctx, Image* image, GLint xoffset, GLint yoffset, GLint zoffset, GLint x,
                                 GLint y, GLsizei width, GLsizei height) noexcept nogil:
    if image_part(ctx, image, xoffset, yoffset, zoffset, width, height, 1) and check_copy(ctx, image):
        copy_image(ctx, image, xoffset, yoffset, zoffset, x, y)


cdef void copy_tex_sub_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLint xoffset,
                             GLint yoffset, GLint zoffset, GLint x, GLint y, GLsizei width,
                             GLsizei height) noexcept nogil:
    cdef Image image
    if image_bound(ctx, &image, target, dimensions, level, False):
        image_copy_framebuffer(ctx, &image, xoffset, yoffset, zoffset, x, y, width, height)


cdef void CopyTexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint x, GLint y,
                            GLsizei width) noexcept nogil:
    copy_tex_sub_image(ctx, target, 1, level, xoffset, 0, 0, x, y, width, 1)


cdef void CopyTexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                            GLsizei width, GLsizei height) noexcept nogil:
    copy_tex_sub_image(ctx, target, 2, level, xoffset, yoffset, 0, x, y, width, height)


cdef void CopyTexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                            GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil:
    copy_tex_sub_image(ctx, target, 3, level, xoffset, yoffset, zoffset, x, y, width, height)


# --------------------------------------------------------------------------------- copies between textures, renderbuffers

cdef struct CopyShape:              # the level that one end of a copy names; faces and layers are its depth
    uint32_t format, internal_format, samples
    uint32_t width, height, depth


cdef GLenum renderbuffer_end(Context* ctx, GLuint name, GLint level, CopyEnd* end, CopyShape* shape) noexcept nogil:
    cdef Renderbuffer* it = renderbuffer_named(ctx, name)
    if it == NULL or level != 0:
        return GL_INVALID_VALUE
    end.renderbuffer = it
    shape.format = it.format
    shape.internal_format = it.internal_format
    shape.samples = it.samples
    shape.width = it.width
    shape.height = it.height
    shape.depth = 1
    return 0                        # without storage no box fits


cdef GLenum copy_end(Context* ctx, GLuint name, GLenum target, GLint level, CopyEnd* end, CopyShape* shape) noexcept nogil:
    """0, or the error of what one end of a copy names."""
    cdef Texture* texture
    cdef const Level* store
    cdef bint filtered
    memset(end, 0, sizeof(end[0]))
    memset(shape, 0, sizeof(shape[0]))
    if target == GL_RENDERBUFFER:
        return renderbuffer_end(ctx, name, level, end, shape)
    if target == GL_TEXTURE_BUFFER or texture_target_index(target) == INDEX_NONE:
        return GL_INVALID_ENUM
    texture = <Texture*>name_get(&ctx.group.textures, name)
    if texture == NULL:
        return GL_INVALID_VALUE
    if texture.target != target:
        return GL_INVALID_ENUM
    if level < 0 or level >= LEVELS:
        return GL_INVALID_VALUE
    filtered = texture.sampler.min_filter != GL_NEAREST and texture.sampler.min_filter != GL_LINEAR
    if not (mipmap_complete(texture) if filtered else base_complete(texture)):
        return GL_INVALID_OPERATION
    store = texture_level(texture, 0, <uint32_t>level)
    if store.format == FORMAT_NONE:
        return GL_INVALID_VALUE
    end.texture = texture
    end.level = <uint32_t>level
    shape.format = store.format
    shape.internal_format = store.internal_format
    shape.samples = texture.samples
    shape.width = store.width
    shape.height = store.height
    shape.depth = 6 if texture.faces == 6 else store.depth
    return 0


cdef bint copy_compatible(const CopyShape* source, const CopyShape* target) noexcept nogil:
    """Table 18.4: the same format, one view class, or as many bits in a block as in a texel."""
    cdef const pipe_FormatInfo* a = &pipe_formats[source.format]
    cdef const pipe_FormatInfo* b = &pipe_formats[target.format]
    if source.internal_format == target.internal_format:
        return True
    if a.block_bytes and not b.block_bytes:
        return b.view_class != 0 and a.block_bytes == b.texel_bytes
    if b.block_bytes and not a.block_bytes:
        return a.view_class != 0 and b.block_bytes == a.texel_bytes
    return a.view_class != 0 and a.view_class == b.view_class


cdef bint copy_box_fits(const CopyShape* shape, int32_t x, int32_t y, int32_t z, uint32_t width, uint32_t height,
                        uint32_t depth) noexcept nogil:
    """Inside the level, whose last blocks may reach over its edges; whole blocks of a compressed one."""
    cdef uint32_t block = BLOCK if pipe_formats[shape.format].block_bytes else 1
    cdef uint64_t right = <uint64_t>x + width, top = <uint64_t>y + height
    if x < 0 or y < 0 or z < 0 or <uint64_t>z + depth > shape.depth or x % <int32_t>block or y % <int32_t>block:
        return False
    if right > shape.width:
        return False
    if top > shape.height:
        return False
    return (width % block == 0 or right == shape.width) and (height % block == 0 or top == shape.height)


cdef uint32_t size_there(uint32_t size, bint from_blocks, bint to_blocks) noexcept nogil:
    """A block is copied as one texel, and a texel as a block."""
    if from_blocks == to_blocks:
        return size
    return (size + BLOCK - 1) / BLOCK if from_blocks else size * BLOCK


cdef void copied_to(Context* ctx, const CopyEnd* target, int32_t z, uint32_t depth) noexcept nogil:
    cdef uint32_t face
    if target.texture == NULL:
        target.renderbuffer.owner = OWNER_GPU
        touch_group(ctx)
    elif target.texture.faces == 6:
        for face in range(<uint32_t>z, <uint32_t>z + depth):
            level_gpu_wrote(ctx, target.texture, face, target.level, 0, 1)
    else:
        level_gpu_wrote(ctx, target.texture, 0, target.level, <uint32_t>z, depth)


cdef void CopyImageSubData(Context* ctx, GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY, GLint srcZ,
                           GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY, GLint dstZ,
                           GLsizei srcWidth, GLsizei srcHeight, GLsizei srcDepth) noexcept nogil:
    cdef CopyEnd source
    cdef CopyEnd target
    cdef CopyShape from_
    cdef CopyShape to
    cdef pipe_Box box
    cdef bint from_blocks, to_blocks
    cdef GLenum error = copy_end(ctx, srcName, srcTarget, srcLevel, &source, &from_)
    if error == 0:
        error = copy_end(ctx, dstName, dstTarget, dstLevel, &target, &to)
    if error == 0 and (srcWidth < 0 or srcHeight < 0 or srcDepth < 0):
        error = GL_INVALID_VALUE
    if error:
        set_error(ctx, error)
        return
    from_blocks = pipe_formats[from_.format].block_bytes != 0
    to_blocks = pipe_formats[to.format].block_bytes != 0
    box.x, box.y, box.z = srcX, srcY, srcZ
    box.width, box.height, box.depth = <uint32_t>srcWidth, <uint32_t>srcHeight, <uint32_t>srcDepth
    if not copy_box_fits(&from_, srcX, srcY, srcZ, box.width, box.height, box.depth) \
            or not copy_box_fits(&to, dstX, dstY, dstZ, size_there(box.width, from_blocks, to_blocks),
                                 size_there(box.height, from_blocks, to_blocks), box.depth):
        error = GL_INVALID_VALUE
    elif not copy_compatible(&from_, &to) or from_.samples != to.samples:
        error = GL_INVALID_OPERATION
    if error:
        set_error(ctx, error)
    elif srcWidth and srcHeight and srcDepth:
        track_copy_image(ctx, &source, &target, &box, dstX, dstY, dstZ)
        copied_to(ctx, &target, dstZ, box.depth)


# ---------------------------------------------------------------------------------------------------- buffers, mipmaps

cdef bint buffer_texture_format(uint32_t format) noexcept nogil:
    """Table 8.16: colours of 8, 16 and 32 bits in whole elements; of three components the 32-bit ones only."""
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint32_t size = info.bits[0]
    if format == FORMAT_NONE or info.srgb or info.shared_bits or info.block_bytes or size == 0 or info.texel_bytes * 8 != \
            size * ((info.bits[0] != 0) + (info.bits[1] != 0) + (info.bits[2] != 0) + (info.bits[3] != 0)):
        return False
    if size != 8 and size != 16 and size != 32:
        return False
    if info.bits[2] and not info.bits[3] and size != 32:
        return False
    return info.kind != FORMAT_KIND_SNORM


cdef void texture_buffer(Context* ctx, Texture* texture, GLenum internal_format, GLuint buffer, bint whole,
                         GLintptr offset, GLsizeiptr size) noexcept nogil:
    cdef Buffer* object = NULL
    cdef uint32_t format = pipe_format_of(internal_format)
    if not buffer_texture_format(format) or pipe_formats[format].internal != internal_format:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if buffer != 0:
        object = <Buffer*>name_get(&ctx.group.buffers, buffer)
        if object == NULL:
            set_error(ctx, GL_INVALID_OPERATION)
            return
        if not whole and (offset < 0 or size <= 0 or <uint64_t>offset + <uint64_t>size > object.size
                          or offset % ctx.session.caps.texture_buffer_offset_alignment):
            set_error(ctx, GL_INVALID_VALUE)
            return
    buffer_hold(ctx, &texture.buffer, object)
    texture.buffer_offset = 0 if whole or object == NULL else <uint64_t>offset
    # all ones: to its end, whatever its size becomes
    texture.buffer_size = <uint64_t>-1 if whole or object == NULL else <uint64_t>size
    texture.levels[0].format = format
    texture.levels[0].internal_format = internal_format
    texture.params_dirty = 1
    pending_add(ctx.group, texture, True)
    touch_group(ctx)


cdef void TexBuffer(Context* ctx, GLenum target, GLenum internalformat, GLuint buffer) noexcept nogil:
    cdef Texture* texture
    if target != GL_TEXTURE_BUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture != NULL:
        texture_buffer(ctx, texture, internalformat, buffer, True, 0, 0)


cdef void TexBufferRange(Context* ctx, GLenum target, GLenum internalformat, GLuint buffer, GLintptr offset,
                         GLsizeiptr size) noexcept nogil:
    cdef Texture* texture
    if target != GL_TEXTURE_BUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture != NULL:
        texture_buffer(ctx, texture, internalformat, buffer, False, offset, size)


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


cdef void texture_mipmaps(Context* ctx, Texture* texture) noexcept nogil:
    cdef Level base
    cdef uint32_t count, level, face, kind, width, height, depth
    count = mipmap_levels(texture)
    if texture.view_levels and texture.base_level >= texture.view_levels:
        count = 0
    if count == 0 or (texture.faces == 6 and not cube_equal(texture)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    base = texture_level(texture, 0, texture.base_level)[0]
    kind = pipe_formats[base.format].kind
    if kind == FORMAT_KIND_INT or kind == FORMAT_KIND_UINT or pipe_formats[base.format].bits[5] \
            or (pipe_formats[base.format].block_bytes and not pipe_formats[base.format].encodes):
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
        if texture.target == GL_TEXTURE_3D:
            depth = depth >> 1 if depth > 1 else 1
        for face in range(texture.faces):
            level_define(ctx, texture, face, level, width, height, depth, base.internal_format, base.format)
            texture_level(texture, face, level).region_count = 0        # about to be overwritten
    track_generate_mipmap(ctx, texture)
    for level in range(texture.base_level + 1, texture.base_level + count):
        for face in range(texture.faces):
            level_gpu_wrote(ctx, texture, face, level, 0, texture_level(texture, face, level).depth)


cdef void GenerateMipmap(Context* ctx, GLenum target) noexcept nogil:
    cdef Texture* texture
    if not (target == GL_TEXTURE_1D or target == GL_TEXTURE_2D or target == GL_TEXTURE_3D
            or target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_CUBE_MAP
            or target == GL_TEXTURE_CUBE_MAP_ARRAY):
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture != NULL:
        texture_mipmaps(ctx, texture)
