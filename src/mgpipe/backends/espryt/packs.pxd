"""Verbs that read texels into buffers."""

from pipe cimport BackEnd

cdef void install_packs(BackEnd* table) noexcept nogil
