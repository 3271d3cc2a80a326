"""Textures, samplers and uniform blocks by the slots of the bound program."""

from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_bindings(BackEnd* table) noexcept nogil
# After another context: what it did to the buffers is only seen where they are bound anew.
cdef void rebind_blocks(Espryt* es, Context* ctx) noexcept nogil
