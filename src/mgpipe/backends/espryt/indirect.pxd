"""Draws whose commands lie in a buffer."""

from pipe cimport BackEnd

cdef void install_indirect(BackEnd* table) noexcept nogil
