"""Fences, and the ends of frames."""

from mgpipe.backends.espryt.espryt cimport Espryt
from pipe cimport BackEnd

cdef void install_fences(BackEnd* table) noexcept nogil
cdef bint poll_completions(Espryt* es) noexcept nogil      # tells the client of fences, presents and queries; whether some are left
cdef void drop_presents(Espryt* es) noexcept nogil         # at the end, untold
