"""Textures, samplers and uniform blocks by the slots of the bound program."""

from pipe cimport BackEnd

cdef void install_bindings(BackEnd* table) noexcept nogil
