"""Textures filled with one texel."""

from pipe cimport pipe_resource_clear
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

cdef void texture_fill(Espryt* es, Resource* texture, const pipe_resource_clear* p) noexcept nogil
