"""Verbs that write: draws, clears, blits."""

from libc.stdint cimport uint32_t
from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_draws(BackEnd* table) noexcept nogil
# Everything that a draw consumes is in the driver. False: refused or latched.
cdef bint prepare_draw(Espryt* es, Context* ctx, uint32_t mode) noexcept nogil
