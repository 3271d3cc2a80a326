"""Whose bytes of a texture level are newest, layer by layer (slices of 3D textures likewise)."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Level

cdef uint32_t owner_of(const Level* level, uint32_t layer) noexcept nogil
# Whether the client has the newest bytes of all these layers.
cdef bint client_owns(const Level* level, uint32_t first, uint32_t count) noexcept nogil
cdef void mark_layers(Level* level, uint32_t first, uint32_t count, uint32_t owner) noexcept nogil
cdef void mark_level(Level* level, uint32_t owner) noexcept nogil
