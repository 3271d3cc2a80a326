"""Dispatches and barriers."""

from pipe cimport BackEnd

cdef void install_compute(BackEnd* table) noexcept nogil
