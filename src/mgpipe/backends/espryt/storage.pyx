# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Storage buffers. Atomic counters come as storage blocks, too (shaders/glslang_prune.cpp)."""

from libc.stdint cimport uint32_t, uint64_t
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.espryt.espryt cimport *


cdef void set_storage_buffers(Espryt* es, Context* ctx, const pipe_set_shader_buffers* p, const pipe_BufferRange* ranges,
                              void** resources) noexcept nogil:
    cdef uint32_t i, slot
    for i in range(p.count):
        slot = p.start + i
        if slot >= STORAGE:
            es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"set_shader_buffers.start")
            return
        if slot >= es.storage and resources[i] != NULL:
            es.host.unimplemented(es.host.self, b"set_shader_buffers", b"more storage buffers than the driver has")
            return
        if resources[i] != NULL and p.writable_mask >> i & 1:
            gpu_writes_to(es, <Resource*>resources[i])
        ctx.storage[slot].resource = ref_to(resources[i])
        ctx.storage[slot].offset = ranges[i].offset
        ctx.storage[slot].size = ranges[i].size
        bind_storage(es, ctx, slot)


cdef void bind_storage(Espryt* es, Context* ctx, uint32_t slot) noexcept nogil:
    cdef BufferBinding* wanted = &ctx.storage[slot]
    cdef BoundBuffer* bound = &ctx.bound_storage[slot]
    cdef Resource* buffer = <Resource*>alive(&wanted.resource)
    cdef bint whole = wanted.offset == 0 and wanted.size == <uint64_t>-1
    cdef uint64_t room
    if buffer == NULL or buffer.kind != PIPE_RESOURCE_TARGET_BUFFER or (not whole and wanted.offset >= buffer.size):
        if bound.serial != 0 and slot < es.storage:
            gl_of(es).BindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, 0)
        bound.serial = 0
        return
    if bound.serial == buffer.serial and bound.offset == wanted.offset and bound.size == wanted.size:
        return
    room = buffer.size - wanted.offset
    if whole:                       # the driver then follows the buffer's size
        gl_of(es).BindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, buffer.name)
    else:
        gl_of(es).BindBufferRange(GL_SHADER_STORAGE_BUFFER, slot, buffer.name, wanted.offset,
                                  wanted.size if wanted.size < room else room)
    bound.serial = buffer.serial
    bound.offset = wanted.offset
    bound.size = wanted.size


cdef void rebind_storage(Espryt* es, Context* ctx) noexcept nogil:
    cdef uint32_t slot
    for slot in range(es.storage):
        if alive(&ctx.storage[slot].resource) != NULL:
            gl_of(es).BindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, 0)
            ctx.bound_storage[slot].serial = 0
            bind_storage(es, ctx, slot)
