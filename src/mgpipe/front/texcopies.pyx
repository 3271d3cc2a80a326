# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images of textures from elsewhere (specification 8.6, 8.9, 8.14.4). See texcopies.pxd."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from glenum cimport *
from pipe cimport pipe_Rect
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_SNORM, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo,
                           pipe_format_of, pipe_formats)
from mgpipe.front.buffers cimport buffer_hold
from mgpipe.front.context cimport (LEVELS, Buffer, Context, GLenum, GLint, GLintptr, GLsizei, GLsizeiptr, GLuint, Level,
                                   Texture, name_get, pending_add, set_error, touch_group)
from mgpipe.front.framebuffers cimport ReadSource, read_source
from mgpipe.front.levels cimport level_define, level_gpu_wrote
from mgpipe.front.teximages cimport (Image, image_bound, image_define, image_defined, image_part, is_depth_or_stencil,
                                     usable_format)
from mgpipe.front.textures cimport bound_texture, mipmap_levels, texture_level
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
    if texture.immutable_levels and count > texture.immutable_levels - texture.base_level:
        count = texture.immutable_levels - texture.base_level if texture.base_level < texture.immutable_levels else 0
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
