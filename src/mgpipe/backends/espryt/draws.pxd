"""Verbs that write: draws, clears, blits."""

from pipe cimport BackEnd

cdef void install_draws(BackEnd* table) noexcept nogil
