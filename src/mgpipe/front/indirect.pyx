# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Draws with a base instance (OpenGL 4.2), and draws whose commands lie in a buffer (4.0, 4.3, 4.6; specification 10.4)."""

from libc.stdint cimport int64_t, uint32_t, uint64_t, uintptr_t

from glenum cimport *
from mgpipe.front.context cimport Buffer, Context, GLenum, GLint, GLintptr, GLsizei, GLuint, buffer_mapped, set_error
from mgpipe.front.draws cimport draw_allowed, draw_indexed_allowed
from mgpipe.tracker.dispatch cimport track_draw_indirect
from mgpipe.tracker.validate cimport track_draw

cdef enum:
    ARRAYS_COMMAND = 16         # bytes: count, instances, first, base instance
    ELEMENTS_COMMAND = 20       # count, instances, first index, base vertex, base instance


# --------------------------------------------------------------------------------------------------- base instance

cdef void DrawArraysInstancedBaseInstance(Context* ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount,
                                          GLuint baseinstance) noexcept nogil:
    if count < 0 or instancecount < 0 or first < 0:
        set_error(ctx, GL_INVALID_VALUE)
    elif draw_allowed(ctx, mode) and count and instancecount:
        track_draw(ctx, mode, 0, first, count, instancecount, baseinstance, 0)


cdef void DrawElementsInstancedBaseInstance(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                            GLsizei instancecount, GLuint baseinstance) noexcept nogil:
    DrawElementsInstancedBaseVertexBaseInstance(ctx, mode, count, type, indices, instancecount, 0, baseinstance)


cdef void DrawElementsInstancedBaseVertexBaseInstance(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                                      GLsizei instancecount, GLint basevertex, GLuint baseinstance) noexcept nogil:
    cdef uint32_t size
    if count < 0 or instancecount < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    size = draw_indexed_allowed(ctx, mode, type)
    if size and count and instancecount:
        track_draw(ctx, mode, size, <uint32_t>(<uintptr_t>indices / size), count, instancecount, baseinstance, basevertex)


# -------------------------------------------------------------------------------------------------------- indirect

cdef inline bint readable(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    """Whether the GPU may read these bytes: they exist and are not mapped."""
    if (buffer == NULL or buffer_mapped(buffer) or offset > buffer.size
            or buffer.size - offset < size):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void draw_commands(Context* ctx, GLenum mode, bint indexed, GLenum type, const void* indirect, GLsizei count,
                        GLsizei stride, bint counted, GLintptr count_offset) noexcept nogil:
    cdef uint32_t index_size = 0
    cdef uint32_t size = ELEMENTS_COMMAND if indexed else ARRAYS_COMMAND
    cdef uint64_t offset = <uintptr_t>indirect
    cdef uint64_t step = <uint64_t>stride if stride else size
    if stride < 0 or stride & 3 or count < 0 or (counted and (count_offset < 0 or count_offset & 3)) or offset & 3:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if indexed:
        index_size = draw_indexed_allowed(ctx, mode, type)
        if index_size == 0:
            return
    elif not draw_allowed(ctx, mode):
        return
    if ctx.draw_indirect_buffer == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if count == 0:
        return
    if not readable(ctx, ctx.draw_indirect_buffer, offset, (<uint64_t>count - 1) * step + size):
        return
    if counted and not readable(ctx, ctx.parameter_buffer, count_offset, 4):
        return
    track_draw_indirect(ctx, mode, index_size, ctx.draw_indirect_buffer, offset, count, stride,
                        ctx.parameter_buffer if counted else NULL, count_offset)


cdef void DrawArraysIndirect(Context* ctx, GLenum mode, const void* indirect) noexcept nogil:
    draw_commands(ctx, mode, False, 0, indirect, 1, 0, False, 0)


cdef void DrawElementsIndirect(Context* ctx, GLenum mode, GLenum type, const void* indirect) noexcept nogil:
    draw_commands(ctx, mode, True, type, indirect, 1, 0, False, 0)


cdef void MultiDrawArraysIndirect(Context* ctx, GLenum mode, const void* indirect, GLsizei drawcount, GLsizei stride) noexcept nogil:
    draw_commands(ctx, mode, False, 0, indirect, drawcount, stride, False, 0)


cdef void MultiDrawElementsIndirect(Context* ctx, GLenum mode, GLenum type, const void* indirect, GLsizei drawcount, GLsizei stride) noexcept nogil:
    draw_commands(ctx, mode, True, type, indirect, drawcount, stride, False, 0)


cdef void MultiDrawArraysIndirectCount(Context* ctx, GLenum mode, const void* indirect, GLintptr drawcount, GLsizei maxdrawcount, GLsizei stride) noexcept nogil:
    draw_commands(ctx, mode, False, 0, indirect, maxdrawcount, stride, True, drawcount)


cdef void MultiDrawElementsIndirectCount(Context* ctx, GLenum mode, GLenum type, const void* indirect, GLintptr drawcount, GLsizei maxdrawcount, GLsizei stride) noexcept nogil:
    draw_commands(ctx, mode, True, type, indirect, maxdrawcount, stride, True, drawcount)
