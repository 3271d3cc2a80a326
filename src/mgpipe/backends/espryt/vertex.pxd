"""Vertex arrays, vertex and index buffers, current attribute values."""

from libc.stdint cimport uint32_t
from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_vertex(BackEnd* table) noexcept nogil
cdef bint apply_vertex(Espryt* es, Context* ctx) noexcept nogil       # False: refused or latched
# Between apply_vertex and a draw, where the driver's draws take no first instance.
cdef void begin_instances(Espryt* es, Context* ctx, uint32_t first) noexcept nogil
cdef bint has_instanced(Context* ctx) noexcept nogil            # whether some attribute changes by instance
