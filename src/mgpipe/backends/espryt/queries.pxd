"""Queries and rendering on their condition."""

from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_queries(BackEnd* table) noexcept nogil
cdef bint poll_queries(Espryt* es) noexcept nogil      # tells the client which have results since; whether some are left
# Work of the server's own, which no condition may suppress: clears and blits between the two.
cdef void hold_condition(Espryt* es, Context* ctx) noexcept nogil
cdef void release_condition(Espryt* es, Context* ctx) noexcept nogil
