"""Vertex arrays, vertex and index buffers, current attribute values."""

from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_vertex(BackEnd* table) noexcept nogil
cdef bint apply_vertex(Espryt* es, Context* ctx) noexcept nogil       # False: refused or latched
cdef void free_vertex_arrays(Espryt* es, Context* ctx) noexcept nogil
