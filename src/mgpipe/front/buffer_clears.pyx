# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""glClearBufferData (specification 6.2.1) and glInvalidateBufferData (6.5). A fill is done by the server, whose bytes then
are the newest; the value is converted here to the internal format's texel.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from glenum cimport *
from pipe_formats cimport pipe_format_of, pipe_formats
from mgpipe.front.buffers cimport bound_buffer, buffer_outside, buffer_take_back, buffer_target
from mgpipe.front.context cimport (OWNER_NONE, Buffer, Context, GLenum, GLintptr, GLsizeiptr, GLuint, buffer_mapped,
                                   buffer_range_mapped, name_get,
                                   set_error)
from mgpipe.front.pixels cimport pixels_check, pixels_match, pixels_texel
from mgpipe.front.texcopies cimport buffer_texture_format
from mgpipe.tracker.ranges cimport ranges_meet, ranges_remove
from mgpipe.tracker.validate cimport track_clear_buffer_data, track_push_map


cdef bint fill_value(Context* ctx, GLenum internalformat, GLenum format, GLenum type, const void* data, uint8_t* texel,
                     uint32_t* size) noexcept nogil:
    """One texel of the internal format. False: the error is set."""
    cdef uint32_t internal = pipe_format_of(internalformat), pixel_format = 0, pixel_type = 0
    if not buffer_texture_format(internal) or pipe_formats[internal].internal != internalformat:
        set_error(ctx, GL_INVALID_ENUM)
        return False
    size[0] = pipe_formats[internal].texel_bytes
    if pixels_check(format, type, &pixel_format, &pixel_type) != 0:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if pixels_match(pixel_format, internal, False) != 0:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    pixels_texel(texel, internal, pixel_format, pixel_type, data)
    return True


cdef void fill(Context* ctx, Buffer* buffer, GLenum internalformat, GLintptr offset, GLsizeiptr size, GLenum format,
               GLenum type, const void* data) noexcept nogil:
    cdef uint8_t texel[16]
    cdef uint32_t texel_bytes = 0
    if not fill_value(ctx, internalformat, format, type, data, texel, &texel_bytes):
        return
    if buffer_outside(buffer, offset, size) or offset % texel_bytes or size % texel_bytes:
        set_error(ctx, GL_INVALID_VALUE)
    elif buffer_range_mapped(buffer, offset, size):
        set_error(ctx, GL_INVALID_OPERATION)
    elif size:
        if buffer.persistent != NULL:           # what the program wrote there came before
            track_push_map(ctx, buffer, 0, buffer.size)
        ranges_remove(&buffer.pending, offset, offset + size)      # overwritten before anybody saw it
        track_clear_buffer_data(ctx, buffer, offset, size, texel, 0 if data == NULL else texel_bytes)


cdef Buffer* target_buffer(Context* ctx, GLenum target) noexcept nogil:
    """No buffer is a wrong value here, as ARB_clear_buffer_object says."""
    cdef Buffer* buffer
    cdef GLenum before = ctx.error
    buffer = bound_buffer(ctx, target)
    if buffer == NULL and before == 0 and buffer_target(ctx, target):
        ctx.error = GL_INVALID_VALUE
    return buffer


cdef void ClearBufferData(Context* ctx, GLenum target, GLenum internalformat, GLenum format, GLenum type,
                          const void* data) noexcept nogil:
    cdef Buffer* buffer = target_buffer(ctx, target)
    if buffer == NULL:
        return
    # a whole buffer is filled as far as whole texels go
    cdef uint32_t texel_bytes = pipe_formats[pipe_format_of(internalformat)].texel_bytes
    fill(ctx, buffer, internalformat, 0, buffer.size - buffer.size % texel_bytes if texel_bytes else 0, format, type, data)


cdef void ClearBufferSubData(Context* ctx, GLenum target, GLenum internalformat, GLintptr offset, GLsizeiptr size,
                             GLenum format, GLenum type, const void* data) noexcept nogil:
    cdef Buffer* buffer = target_buffer(ctx, target)
    if buffer != NULL:
        fill(ctx, buffer, internalformat, offset, size, format, type, data)


# ---------------------------------------------------------------------------------------------------- invalidation

cdef void forget(Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil:
    """Undefined from here on: nothing of it is sent, nothing fetched."""
    ranges_remove(&buffer.pending, low, high)
    buffer_take_back(buffer, low, high)


cdef Buffer* named(Context* ctx, GLuint name) noexcept nogil:
    cdef Buffer* buffer = <Buffer*>name_get(&ctx.group.buffers, name)
    if buffer == NULL:
        set_error(ctx, GL_INVALID_VALUE)
    return buffer


cdef void InvalidateBufferData(Context* ctx, GLuint buffer) noexcept nogil:
    cdef Buffer* object = named(ctx, buffer)
    if object == NULL:
        return
    if buffer_mapped(object):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if object.persistent == NULL and not object.pinned:     # else its mapping and its shadow are to stay equal
        forget(object, 0, object.size)
        if not object.gpu.count:
            object.owner = OWNER_NONE


cdef void InvalidateBufferSubData(Context* ctx, GLuint buffer, GLintptr offset, GLsizeiptr length) noexcept nogil:
    cdef Buffer* object = named(ctx, buffer)
    if object == NULL:
        return
    if buffer_outside(object, offset, length):
        set_error(ctx, GL_INVALID_VALUE)
    elif buffer_range_mapped(object, offset, length):
        set_error(ctx, GL_INVALID_OPERATION)
    elif object.persistent == NULL and not object.pinned:
        forget(object, offset, offset + length)
