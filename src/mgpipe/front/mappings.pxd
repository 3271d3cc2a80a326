"""Mappings of buffers: into the shadow, or into memory of their own when they are persistent."""

from mgpipe.front.context cimport Context, GLbitfield, GLboolean, GLenum, GLintptr, GLsizeiptr

# Before a fence, a finish or a query says that what came before is done: what verbs wrote is in the mappings that read it.
cdef void mappings_fetch(Context* ctx) noexcept nogil
# glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT): what the program wrote is the buffer's, without coherence too.
cdef void mappings_barrier(Context* ctx) noexcept nogil

cdef void* MapBuffer(Context* ctx, GLenum target, GLenum access) noexcept nogil
cdef void* MapBufferRange(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil
cdef void FlushMappedBufferRange(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr length) noexcept nogil
cdef GLboolean UnmapBuffer(Context* ctx, GLenum target) noexcept nogil
cdef void GetBufferPointerv(Context* ctx, GLenum target, GLenum pname, void** params) noexcept nogil
