# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Draws whose commands lie in a buffer: one driver call, or a loop where the driver only takes one command at a time."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GLES
from mgpipe.backends.espryt.buffers cimport buffer_read
from mgpipe.backends.espryt.draws cimport IndexSource, apply_es_restart, draw_arrays, draw_elements, prepare_draw
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.variants cimport set_draw_uniforms
from mgpipe.backends.espryt.vertex cimport has_instanced


cdef void install_indirect(BackEnd* table) noexcept nogil:
    table.draw_indirect = draw_indirect


cdef bint commands_fit(Espryt* es, Resource* commands, const pipe_draw_indirect* p, uint32_t size, uint32_t stride) noexcept nogil:
    """The driver would read beyond the buffer, or from an address of the client's choice."""
    cdef uint64_t span = <uint64_t>(p.draw_count - 1) * stride + size
    if commands == NULL or commands.kind != PIPE_RESOURCE_TARGET_BUFFER:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"indirect buffer")
        return False
    if (p.offset & 3 or stride & 3 or p.draw_count > <uint32_t>0x7FFFFFFF or stride > <uint32_t>0x7FFFFFFF
            or p.offset > commands.size or commands.size - p.offset < span):
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"draw_indirect.offset")
        return False
    return True


cdef bint read_count(Espryt* es, Resource* parameter, uint64_t offset, uint32_t* count) noexcept nogil:
    """At most `count` as the parameter buffer says."""
    cdef uint32_t given = 0
    if not buffer_read(es, parameter, offset, <uint8_t*>&given, 4):
        return False
    if given < count[0]:
        count[0] = given
    return True


cdef void draw_indirect(void* self, const pipe_draw_indirect* p) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = es.bound
    cdef Resource* commands
    cdef Resource* parameter
    cdef GLenum kind = (GL_UNSIGNED_BYTE if p.index_size == 1 else
                        GL_UNSIGNED_SHORT if p.index_size == 2 else GL_UNSIGNED_INT)
    cdef uint32_t size = 20 if p.index_size else 16
    cdef uint32_t stride = p.stride if p.stride else size
    cdef uint32_t count = p.draw_count
    cdef bint counted = False
    cdef IndexSource indices
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"draw_indirect")
        return
    if count == 0 or not prepare_draw(es, ctx, p.mode):
        return
    commands = <Resource*>alive(&ctx.draw_commands)
    if not commands_fit(es, commands, p, size, stride):
        return
    indices.size = p.index_size
    indices.offset = array_of(ctx).index_offset
    if p.index_size:
        if alive(&array_of(ctx).index_buffer) == NULL:
            es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"index buffer")
            return
        if es.driver.dialect == DIALECT_GLES and not apply_es_restart(es, ctx, p.index_size, &indices):
            return
    if p.has_count:
        parameter = <Resource*>alive(&ctx.draw_count)
        if (parameter == NULL or parameter.kind != PIPE_RESOURCE_TARGET_BUFFER or p.count_offset & 3
                or p.count_offset > parameter.size or parameter.size - p.count_offset < 4):
            es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"draw_indirect.count_offset")
            return
        counted = not by_hand(es, ctx, p, &indices) and gl.MultiDrawArraysIndirectCount != NULL and gl.MultiDrawElementsIndirectCount != NULL
        if counted:
            gl.BindBuffer(GL_PARAMETER_BUFFER, parameter.name)
        elif not read_count(es, parameter, p.count_offset, &count):
            return
    if by_hand(es, ctx, p, &indices):
        draw_by_hand(es, ctx, commands, p, &indices, count, stride)
        return
    gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, commands.name)
    if counted:
        if p.index_size:
            gl.MultiDrawElementsIndirectCount(p.mode, kind, <const void*><uintptr_t>p.offset, <GLintptr>p.count_offset,
                                              <GLsizei>count, <GLsizei>stride)
        else:
            gl.MultiDrawArraysIndirectCount(p.mode, <const void*><uintptr_t>p.offset, <GLintptr>p.count_offset,
                                            <GLsizei>count, <GLsizei>stride)
        gl.BindBuffer(GL_PARAMETER_BUFFER, 0)       # Mesa looks at it in draws without a count, too
    elif count > 1 and gl.MultiDrawArraysIndirect != NULL and gl.MultiDrawElementsIndirect != NULL:
        if p.index_size:
            gl.MultiDrawElementsIndirect(p.mode, kind, <const void*><uintptr_t>p.offset, <GLsizei>count, <GLsizei>stride)
        else:
            gl.MultiDrawArraysIndirect(p.mode, <const void*><uintptr_t>p.offset, <GLsizei>count, <GLsizei>stride)
    else:
        one_by_one(es, p, kind, count, stride)


cdef inline bint by_hand(Espryt* es, Context* ctx, const pipe_draw_indirect* p, const IndexSource* indices) noexcept nogil:
    """Whether a driver that lacks something must be told each draw's numbers: what the shader asks for in uniforms, where
    instanced attributes begin, or indices of another size in a copy."""
    return (ctx.variant.per_draw or indices.size != p.index_size or indices.offset != array_of(ctx).index_offset
            or gl_of(es).DrawArraysInstancedBaseInstance == NULL and has_instanced(ctx))


cdef void draw_by_hand(Espryt* es, Context* ctx, Resource* commands, const pipe_draw_indirect* p, const IndexSource* indices,
                       uint32_t count, uint32_t stride) noexcept nogil:
    cdef uint32_t command[5]
    cdef pipe_draw_vbo draw
    cdef uint32_t i
    memset(&draw, 0, sizeof(draw))
    draw.mode = p.mode
    draw.index_size = p.index_size
    for i in range(count):
        if not buffer_read(es, commands, p.offset + <uint64_t>i * stride, <uint8_t*>command, 20 if p.index_size else 16):
            return
        draw.count = command[0]
        draw.instance_count = command[1]
        draw.first = command[2]
        draw.base_vertex = <int32_t>command[3] if p.index_size else 0
        draw.base_instance = command[4] if p.index_size else command[3]
        if ctx.variant.per_draw:
            set_draw_uniforms(es, ctx.variant, draw.base_instance, draw.base_vertex, i)
        if p.index_size:
            draw_elements(es, indices, &draw)
        else:
            draw_arrays(es, &draw)


cdef void one_by_one(Espryt* es, const pipe_draw_indirect* p, GLenum kind, uint32_t count, uint32_t stride) noexcept nogil:
    cdef uintptr_t at = p.offset
    cdef uint32_t i
    for i in range(count):
        if p.index_size:
            gl_of(es).DrawElementsIndirect(p.mode, kind, <const void*>at)
        else:
            gl_of(es).DrawArraysIndirect(p.mode, <const void*>at)
        at += stride
