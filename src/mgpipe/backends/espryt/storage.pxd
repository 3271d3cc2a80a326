"""Storage buffers by the slots of a program: the binding points of the driver."""

from pipe cimport pipe_BufferRange, pipe_set_shader_buffers
from mgpipe.backends.espryt.espryt cimport Context, Espryt

cdef void set_storage_buffers(Espryt* es, Context* ctx, const pipe_set_shader_buffers* p, const pipe_BufferRange* ranges,
                              void** resources) noexcept nogil
cdef void rebind_storage(Espryt* es, Context* ctx) noexcept nogil    # GL shows another context's changes only then
