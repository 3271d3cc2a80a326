# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffers at indexed binding points. Atomic counters come as storage blocks, too (shaders/glslang_prune.cpp)."""

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
        if slot < es.storage:
            bind_range(es, GL_SHADER_STORAGE_BUFFER, slot, &ctx.storage[slot], &ctx.bound_storage[slot])


cdef void bind_range(Espryt* es, GLenum target, uint32_t slot, BufferBinding* wanted, BoundBuffer* bound) noexcept nogil:
    """To an indexed binding point of the driver, unless that has it.

    A whole buffer is bound without a size, and the driver then follows the buffer's. Of a uniform block it may also be a range
    that ends at or beyond the buffer's end; not of a storage block, whose shader may ask for the length of the very range."""
    cdef Resource* buffer = <Resource*>alive(&wanted.resource)
    cdef bint whole = wanted.offset == 0 and (wanted.size == <uint64_t>-1
                                              or (target == GL_UNIFORM_BUFFER and buffer != NULL and wanted.size >= buffer.size))
    cdef uint64_t room
    if buffer == NULL or buffer.kind != PIPE_RESOURCE_TARGET_BUFFER or (not whole and wanted.offset >= buffer.size):
        if bound.serial != 0:
            gl_of(es).BindBufferBase(target, slot, 0)
            bound.serial = 0
        return
    if bound.serial == buffer.serial and bound.offset == wanted.offset and bound.size == wanted.size:
        return
    if whole:
        gl_of(es).BindBufferBase(target, slot, buffer.name)
    else:
        room = buffer.size - wanted.offset
        gl_of(es).BindBufferRange(target, slot, buffer.name, wanted.offset, wanted.size if wanted.size < room else room)
    bound.serial = buffer.serial
    bound.offset = wanted.offset
    bound.size = wanted.size


cdef void bind_again(Espryt* es, GLenum target, uint32_t slot, BufferBinding* wanted, BoundBuffer* bound) noexcept nogil:
    gl_of(es).BindBufferBase(target, slot, 0)
    bound.serial = 0
    bind_range(es, target, slot, wanted, bound)


cdef void rebind_storage(Espryt* es, Context* ctx) noexcept nogil:
    cdef uint32_t slot
    for slot in range(es.storage):
        if alive(&ctx.storage[slot].resource) != NULL:
            bind_again(es, GL_SHADER_STORAGE_BUFFER, slot, &ctx.storage[slot], &ctx.bound_storage[slot])
