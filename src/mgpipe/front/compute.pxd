"""Dispatches, memory barriers, storage blocks and atomic counter buffers of programs. See compute.pyx."""

from mgpipe.front.context cimport Context, GLbitfield, GLenum, GLint, GLintptr, GLuint

cdef void DispatchCompute(Context* ctx, GLuint num_groups_x, GLuint num_groups_y, GLuint num_groups_z) noexcept nogil
cdef void DispatchComputeIndirect(Context* ctx, GLintptr indirect) noexcept nogil
cdef void MemoryBarrier(Context* ctx, GLbitfield barriers) noexcept nogil
cdef void MemoryBarrierByRegion(Context* ctx, GLbitfield barriers) noexcept nogil
cdef void TextureBarrier(Context* ctx) noexcept nogil
cdef void ShaderStorageBlockBinding(Context* ctx, GLuint program, GLuint storageBlockIndex, GLuint storageBlockBinding) noexcept nogil

# cold: with the GIL
cdef void GetActiveAtomicCounterBufferiv(Context* ctx, GLuint program, GLuint bufferIndex, GLenum pname, GLint* params) noexcept
