"""Buffers as OpenGL ES can read them, where it cannot read them as they are."""

from libc.stdint cimport uint32_t, uint64_t
from mgpipe.backends.espryt.espryt cimport Context, Cooked, Espryt, Resource, VertexElements

cdef uint32_t cooked_bindings(const VertexElements* elements) noexcept nogil
cdef bint cook_vertices(Espryt* es, Context* ctx, VertexElements* elements, uint32_t binding, Cooked* cooked) noexcept nogil
cdef bint cook_indices(Espryt* es, Context* ctx, Resource* buffer, uint32_t index_size, uint32_t restart,
                       Cooked* cooked) noexcept nogil
cdef void free_cooked(Espryt* es, Cooked* cooked, uint32_t count) noexcept nogil
# Names of a context's vertex arrays go with the native context; copies of buffers do not.
cdef void free_own_copies(Espryt* es, Context* ctx) noexcept nogil
