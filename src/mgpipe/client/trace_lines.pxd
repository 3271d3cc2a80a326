"""Lines of the program, by number, for a trace to name waits by."""

from libc.stdint cimport uint32_t

cdef uint32_t line_now() noexcept nogil             # where the calling thread stands; 0: it runs no Python, or there are too many
cdef const char* line_text(uint32_t number) noexcept nogil     # of a number that is not 0: `,"line":"…"` and perhaps `,"through":"…"`
