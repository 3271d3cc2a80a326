"""Ends of frames that are shown: presents, and the credit that keeps a program near what it shows."""

from mgpipe.front.context cimport Context

# Of the context's draw surface; nothing without one. Waits while the program is as far ahead as its credit allows.
cdef void track_present(Context* ctx) noexcept nogil
