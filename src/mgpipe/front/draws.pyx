# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Draws, flush and finish: check what the specification lets the client check, then hand over to the tracker.

What a draw checks in its state cannot have changed while the context is clean and the group's generation is the one of the
last validation: every setter that could make it wrong raises one of the two, and a draw that was refused has not
validated. So a repeated draw only looks at its own arguments.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset

from glenum cimport *
from mgpipe.front.context cimport (ATOMIC_BINDINGS, DIRTY_CLEAR_VALUES, DIRTY_FOR_COMPUTE, DIRTY_FOR_DRAWS, DIRTY_FRAMEBUFFER, DIRTY_PROGRAM,
                                   DIRTY_STORAGE, DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS, DIRTY_VERTEX, FEEDBACK_BINDINGS, STORAGE_BINDINGS,
                                   TEXTURE_UNITS, UNIFORM_BINDINGS, Buffer, Context, GLenum, GLint, GLsizei, GLuint, Program,
                                   StorageBlock, VertexArray, binding_of, buffer_mapped, set_error)
from mgpipe.front.completeness cimport framebuffer_status
from mgpipe.front.mappings cimport mappings_fetch
from mgpipe.front.pipelines cimport pipeline_resolve
from mgpipe.tracker.validate cimport track_draw, track_finish, track_flush, track_multi_draw_arrays, track_multi_draw_elements

cdef enum:
    COMPUTE_STAGE = 1 << 5      # in Program.stage_mask
    AT_ONCE = 2048              # draws of indices that are put together on the stack at a time


# ---------------------------------------------------------------------------------------------------------- checks

cdef inline bint is_primitive(Context* ctx, GLenum mode) noexcept nogil:
    return (mode <= GL_TRIANGLE_FAN or GL_LINES_ADJACENCY <= mode <= GL_TRIANGLE_STRIP_ADJACENCY
            or (mode == GL_PATCHES and ctx.version >= 40))


cdef inline uint32_t basic_primitive(GLenum mode) noexcept nogil:
    """Plus one, as ctx.capture has it; 0: transform feedback captures nothing of the kind."""
    if mode == GL_POINTS: return GL_POINTS + 1
    if mode <= GL_LINE_STRIP: return GL_LINES + 1
    return GL_TRIANGLES + 1 if mode <= GL_TRIANGLE_FAN else 0


cdef bint can_capture(Context* ctx, GLenum mode) noexcept nogil:
    """Whether what reaches transform feedback is of the kind that it was begun with (specification 13.2.2)."""
    cdef uint32_t made = ctx.program.output_primitive
    return ctx.capture == (made if made else basic_primitive(mode))


cdef bint samplers_agree(Program* program) noexcept nogil:
    """No two samplers of different kinds look at one texture unit."""
    cdef uint8_t[TEXTURE_UNITS] kinds
    cdef uint32_t i, kind
    cdef int32_t unit
    memset(kinds, 0, sizeof(kinds))
    for i in range(program.slot_count):
        unit = program.slots[i].unit
        kind = program.slots[i].target_index + 1
        if 0 <= unit < TEXTURE_UNITS:
            if kinds[unit] and kinds[unit] != kind:
                return False
            kinds[unit] = <uint8_t>kind
    return True


cdef bint storage_mapped(Context* ctx) noexcept nogil:
    """Whether the program reads or writes a storage or counter buffer that is mapped (specification 6.3.2)."""
    cdef StorageBlock* block
    cdef Buffer* buffer
    cdef uint32_t i
    for i in range(ctx.program.storage_count):
        block = &ctx.program.storage[i]
        buffer = NULL
        if block.is_atomic and block.binding < ATOMIC_BINDINGS:
            buffer = ctx.atomic_buffers[block.binding].buffer
        elif not block.is_atomic and block.binding < STORAGE_BINDINGS:
            buffer = ctx.storage_buffers[block.binding].buffer
        if buffer != NULL and buffer_mapped(buffer):
            return True
    return False


cdef GLenum wrong_state(Context* ctx) noexcept nogil:
    """The error that the current state makes of any draw; 0: none. What is not dirty was right at the last draw: a refused one
    leaves it dirty, and other verbs check what they take off `dirty` (a framebuffer) or put DIRTY_FOR_DRAWS there."""
    cdef VertexArray* array = ctx.vertex_array
    cdef Program* program = ctx.program
    cdef Buffer* buffer
    cdef uint32_t i = 0, enabled = array.enabled
    cdef uint32_t dirty = ctx.dirty if ctx.group.generation == ctx.tracked.generation else <uint32_t>-1
    if dirty & (DIRTY_PROGRAM | DIRTY_FOR_DRAWS):
        dirty |= DIRTY_UNIFORM_BUFFERS | DIRTY_STORAGE | DIRTY_TEXTURES
    if dirty & DIRTY_VERTEX:
        if array == &ctx.default_vertex_array:
            return GL_INVALID_OPERATION
        while enabled:
            if enabled & 1:
                buffer = binding_of(array, i).buffer
                if buffer == NULL or buffer_mapped(buffer):       # in client memory, or mapped
                    return GL_INVALID_OPERATION
            enabled >>= 1
            i += 1
    if dirty & DIRTY_UNIFORM_BUFFERS:
        for i in range(program.block_count):
            if program.blocks[i].binding < UNIFORM_BINDINGS:
                buffer = ctx.uniform_buffers[program.blocks[i].binding].buffer
                if buffer != NULL and buffer_mapped(buffer):
                    return GL_INVALID_OPERATION
    if dirty & DIRTY_STORAGE and storage_mapped(ctx):
        return GL_INVALID_OPERATION
    if ctx.capture:
        for i in range(FEEDBACK_BINDINGS):
            buffer = ctx.feedback.buffers[i].buffer
            if program.feedback_buffers >> i & 1 and buffer != NULL and buffer_mapped(buffer):
                return GL_INVALID_OPERATION
    if dirty & DIRTY_TEXTURES and not samplers_agree(program):
        return GL_INVALID_OPERATION
    if dirty & DIRTY_FRAMEBUFFER and framebuffer_status(ctx, ctx.draw_framebuffer) != GL_FRAMEBUFFER_COMPLETE:
        return GL_INVALID_FRAMEBUFFER_OPERATION
    return 0


cdef inline bint may_draw(Context* ctx, GLenum mode) noexcept nogil:
    """False: nothing is drawn; the error, if it is one, is set."""
    cdef GLenum error
    if not is_primitive(ctx, mode):
        set_error(ctx, GL_INVALID_ENUM)
        return False
    if ctx.current_program == NULL and not pipeline_resolve(ctx):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if ctx.program == NULL or not ctx.program.stage_mask & ~<uint32_t>COMPUTE_STAGE:    # undefined, and no error
        return False
    if not ctx.program.draw_modes >> mode & 1:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if ctx.capture and not can_capture(ctx, mode):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if ctx.dirty & ~<uint32_t>(DIRTY_CLEAR_VALUES | DIRTY_FOR_COMPUTE) or ctx.group.generation != ctx.tracked.generation:
        error = wrong_state(ctx)
        if error:
            set_error(ctx, error)
            return False
    return True


cdef bint draw_allowed(Context* ctx, GLenum mode) noexcept nogil:
    return may_draw(ctx, mode)


cdef inline uint32_t index_bytes(GLenum type) noexcept nogil:
    if type == GL_UNSIGNED_SHORT: return 2
    if type == GL_UNSIGNED_INT: return 4
    return 1 if type == GL_UNSIGNED_BYTE else 0


cdef inline uint32_t may_draw_indexed(Context* ctx, GLenum mode, GLenum type) noexcept nogil:
    """Bytes of an index; 0: nothing is drawn."""
    cdef uint32_t size = index_bytes(type)
    cdef Buffer* elements = ctx.vertex_array.elements
    if size == 0:
        set_error(ctx, GL_INVALID_ENUM)
        return 0
    if not may_draw(ctx, mode):
        return 0
    if elements == NULL or buffer_mapped(elements):           # core profile: no indices in client memory
        set_error(ctx, GL_INVALID_OPERATION)
        return 0
    return size


cdef uint32_t draw_indexed_allowed(Context* ctx, GLenum mode, GLenum type) noexcept nogil:
    return may_draw_indexed(ctx, mode, type)


# ----------------------------------------------------------------------------------------------------------- draws

cdef inline void draw_arrays(Context* ctx, GLenum mode, GLint first, GLsizei count, GLsizei instances) noexcept nogil:
    if count < 0 or instances < 0 or first < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if may_draw(ctx, mode) and count and instances:
        track_draw(ctx, mode, 0, first, count, instances, 0, 0)


cdef inline void draw_elements(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instances,
                               GLint base_vertex) noexcept nogil:
    cdef uint32_t size
    if count < 0 or instances < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    size = may_draw_indexed(ctx, mode, type)
    if size and count and instances:
        track_draw(ctx, mode, size, <uint32_t>(<uintptr_t>indices / size), count, instances, 0, base_vertex)


cdef void DrawArrays(Context* ctx, GLenum mode, GLint first, GLsizei count) noexcept nogil:
    draw_arrays(ctx, mode, first, count, 1)


cdef void DrawArraysInstanced(Context* ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount) noexcept nogil:
    draw_arrays(ctx, mode, first, count, instancecount)


cdef void DrawElements(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices) noexcept nogil:
    draw_elements(ctx, mode, count, type, indices, 1, 0)


cdef void DrawElementsInstanced(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                GLsizei instancecount) noexcept nogil:
    draw_elements(ctx, mode, count, type, indices, instancecount, 0)


cdef void DrawElementsBaseVertex(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                 GLint basevertex) noexcept nogil:
    draw_elements(ctx, mode, count, type, indices, 1, basevertex)


cdef void DrawElementsInstancedBaseVertex(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                          GLsizei instancecount, GLint basevertex) noexcept nogil:
    draw_elements(ctx, mode, count, type, indices, instancecount, basevertex)


cdef void DrawRangeElements(Context* ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                            const void* indices) noexcept nogil:
    DrawRangeElementsBaseVertex(ctx, mode, start, end, count, type, indices, 0)


cdef void DrawRangeElementsBaseVertex(Context* ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                      const void* indices, GLint basevertex) noexcept nogil:
    if end < start:
        set_error(ctx, GL_INVALID_VALUE)
        return
    draw_elements(ctx, mode, count, type, indices, 1, basevertex)


cdef inline bint none_negative(const int32_t* these, const int32_t* those, GLsizei count) noexcept nogil:
    cdef int32_t all = 0
    cdef GLsizei i
    for i in range(count):
        all |= these[i] | those[i]
    return all >= 0


cdef void MultiDrawArrays(Context* ctx, GLenum mode, const GLint* first, const GLsizei* count, GLsizei drawcount) noexcept nogil:
    if drawcount < 0 or not none_negative(first, count, drawcount):
        set_error(ctx, GL_INVALID_VALUE)
    elif may_draw(ctx, mode) and drawcount:
        track_multi_draw_arrays(ctx, mode, <const uint32_t*>first, <const uint32_t*>count, drawcount)   # empty ones count, too, for gl_DrawID


cdef void MultiDrawElements(Context* ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices,
                            GLsizei drawcount) noexcept nogil:
    MultiDrawElementsBaseVertex(ctx, mode, count, type, indices, drawcount, NULL)


cdef void MultiDrawElementsBaseVertex(Context* ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices,
                                      GLsizei drawcount, const GLint* basevertex) noexcept nogil:
    cdef uint32_t[AT_ONCE] firsts
    cdef int32_t[AT_ONCE] base_vertices
    cdef uint32_t size
    cdef GLsizei i, n, done = 0
    if drawcount < 0 or not none_negative(count, count, drawcount):
        set_error(ctx, GL_INVALID_VALUE)
        return
    size = may_draw_indexed(ctx, mode, type)
    if size == 0:
        return
    while done < drawcount:
        n = min(drawcount - done, <GLsizei>AT_ONCE)
        for i in range(n):
            firsts[i] = <uint32_t>(<uintptr_t>indices[done + i] / size)
            base_vertices[i] = basevertex[done + i] if basevertex != NULL else 0
        track_multi_draw_elements(ctx, mode, size, firsts, <const uint32_t*>(count + done), base_vertices, done, n)
        done += n


# ----------------------------------------------------------------------------------------------------------- waits

cdef void Flush(Context* ctx) noexcept nogil:
    track_flush(ctx)


cdef void Finish(Context* ctx) noexcept nogil:
    track_finish(ctx)
    mappings_fetch(ctx)
