"""Queries, fences, and what waits."""

from mgpipe.backends.espryt.espryt cimport Espryt
from pipe cimport BackEnd

cdef void install_queries(BackEnd* table) noexcept nogil
cdef void poll_fences(Espryt* es) noexcept nogil       # tells the client which have signalled since
