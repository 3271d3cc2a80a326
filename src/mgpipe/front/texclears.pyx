# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""glClearTexImage (specification 8.21). See texclears.pxd.

The server fills, and then has the newest bytes. Faces of a cube map are slices to these commands, layers of a
one-dimensional array rows.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from glenum cimport *
from pipe cimport pipe_Box
from pipe_formats cimport FORMAT_NONE, pipe_FormatInfo, pipe_formats
from mgpipe.front.context cimport (LEVELS, Context, GLenum, GLint, GLsizei, GLuint, Level, Texture, name_get, set_error)
from mgpipe.front.levels cimport level_gpu_wrote
from mgpipe.front.pixels cimport pixels_check, pixels_match, pixels_texel
from mgpipe.front.textures cimport texture_level
from mgpipe.tracker.textures cimport track_clear_texture


cdef bint matches(uint32_t pixel_format, uint32_t internal) noexcept nogil:
    """As uploads do, but depth and stencil only as what they are."""
    cdef const pipe_FormatInfo* info = &pipe_formats[internal]
    if info.bits[4] or info.bits[5]:
        return pixel_format == info.pixel_format
    return pixels_match(pixel_format, internal, False) == 0


cdef Texture* clearable(Context* ctx, GLuint name, GLint level, GLenum format, GLenum type, uint32_t* pixel_format,
                        uint32_t* pixel_type) noexcept nogil:
    """The texture, whose level takes that value; NULL after setting the error."""
    cdef Texture* texture = <Texture*>name_get(&ctx.group.textures, name)
    cdef uint32_t internal
    cdef GLenum error = 0
    if texture == NULL or texture.target == GL_TEXTURE_BUFFER:
        error = GL_INVALID_OPERATION
    elif level < 0 or level >= LEVELS:
        error = GL_INVALID_VALUE
    else:
        internal = texture_level(texture, 0, <uint32_t>level).format
        error = pixels_check(format, type, pixel_format, pixel_type)
        if internal == FORMAT_NONE or pipe_formats[internal].block_bytes:
            error = GL_INVALID_OPERATION
        elif error == 0 and not matches(pixel_format[0], internal):
            error = GL_INVALID_OPERATION
    if error:
        set_error(ctx, error)
        return NULL
    return texture


cdef void clear_box(Context* ctx, Texture* texture, uint32_t level, const pipe_Box* box, uint32_t pixel_format,
                    uint32_t pixel_type, const void* data) noexcept nogil:
    """A box that lies in the level, faces of cube maps as slices."""
    cdef uint8_t texel[16]
    cdef pipe_Box part = box[0]
    cdef uint32_t internal = texture_level(texture, 0, level).format
    cdef uint32_t face
    if box.width == 0 or box.height == 0 or box.depth == 0:
        return
    pixels_texel(texel, internal, pixel_format, pixel_type, data)
    if texture.faces != 6:
        track_clear_texture(ctx, texture, 0, level, box, texel, 0 if data == NULL else pipe_formats[internal].texel_bytes)
        level_gpu_wrote(ctx, texture, 0, level, <uint32_t>box.z, box.depth)
        return
    part.z = 0
    part.depth = 1
    for face in range(<uint32_t>box.z, <uint32_t>box.z + box.depth):
        track_clear_texture(ctx, texture, face, level, &part, texel,
                            0 if data == NULL else pipe_formats[internal].texel_bytes)
        level_gpu_wrote(ctx, texture, face, level, 0, 1)


cdef bint faces_defined(Texture* texture, uint32_t level, uint32_t first, uint32_t count) noexcept nogil:
    """All faces that are cleared have the format and size of the first one."""
    cdef const Level* base = texture_level(texture, 0, level)
    cdef const Level* other
    cdef uint32_t face
    if texture.faces != 6:
        return True
    for face in range(first, first + count):
        other = texture_level(texture, face, level)
        if other.format != base.format or other.width != base.width or other.height != base.height:
            return False
    return True


cdef void ClearTexImage(Context* ctx, GLuint texture, GLint level, GLenum format, GLenum type,
                        const void* data) noexcept nogil:
    cdef uint32_t pixel_format = 0, pixel_type = 0
    cdef Texture* object = clearable(ctx, texture, level, format, type, &pixel_format, &pixel_type)
    cdef const Level* store
    cdef pipe_Box box
    if object == NULL:
        return
    store = texture_level(object, 0, <uint32_t>level)
    box.x = box.y = box.z = 0
    box.width = store.width
    box.height = store.height
    box.depth = 6 if object.faces == 6 else store.depth
    if not faces_defined(object, <uint32_t>level, 0, 6):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    clear_box(ctx, object, <uint32_t>level, &box, pixel_format, pixel_type, data)


cdef bint inside(int32_t at, int32_t size, uint32_t whole) noexcept nogil:
    return at >= 0 and <uint64_t>at + <uint32_t>size <= whole


cdef void ClearTexSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                           GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                           const void* data) noexcept nogil:
    cdef uint32_t pixel_format = 0, pixel_type = 0
    cdef Texture* object = clearable(ctx, texture, level, format, type, &pixel_format, &pixel_type)
    cdef const Level* store
    cdef bint rows_are_layers
    cdef pipe_Box box
    if object == NULL:
        return
    if width < 0 or height < 0 or depth < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    store = texture_level(object, 0, <uint32_t>level)
    rows_are_layers = object.target == GL_TEXTURE_1D_ARRAY
    if not inside(xoffset, width, store.width) or not inside(yoffset, height, store.depth if rows_are_layers else store.height) \
            or not inside(zoffset, depth, 6 if object.faces == 6 else 1 if rows_are_layers else store.depth):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not faces_defined(object, <uint32_t>level, <uint32_t>zoffset, <uint32_t>depth):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    box.x = xoffset
    box.y = 0 if rows_are_layers else yoffset
    box.z = yoffset if rows_are_layers else zoffset
    box.width = <uint32_t>width
    box.height = <uint32_t>(depth if rows_are_layers else height)
    box.depth = <uint32_t>(height if rows_are_layers else depth)
    clear_box(ctx, object, <uint32_t>level, &box, pixel_format, pixel_type, data)
