"""Verbs that read texels back."""

from pipe cimport BackEnd

cdef void install_reads(BackEnd* table) noexcept nogil
