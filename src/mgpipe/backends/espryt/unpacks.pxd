"""Texels out of buffers into textures."""

from pipe cimport BackEnd

cdef void install_unpacks(BackEnd* table) noexcept nogil
