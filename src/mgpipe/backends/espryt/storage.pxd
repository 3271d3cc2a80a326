"""Uniform and storage buffers by the slots of a program: the indexed binding points of the driver."""

from libc.stdint cimport uint32_t
from driver_gl cimport GLenum
from pipe cimport pipe_BufferRange, pipe_set_shader_buffers
from mgpipe.backends.espryt.espryt cimport BoundBuffer, BufferBinding, Context, Espryt

cdef void set_storage_buffers(Espryt* es, Context* ctx, const pipe_set_shader_buffers* p, const pipe_BufferRange* ranges,
                              void** resources) noexcept nogil
cdef void bind_range(Espryt* es, GLenum target, uint32_t slot, BufferBinding* wanted, BoundBuffer* bound) noexcept nogil
# GL shows another context's changes only when a binding changes.
cdef void bind_again(Espryt* es, GLenum target, uint32_t slot, BufferBinding* wanted, BoundBuffer* bound) noexcept nogil
cdef void rebind_storage(Espryt* es, Context* ctx) noexcept nogil
