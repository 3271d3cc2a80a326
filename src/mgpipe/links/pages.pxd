"""A page of counters: one process counts on it, whoever may look at that process's descriptors reads it."""

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    PAGE_BYTES = 4096

cdef struct PageHead:
    uint64_t size       # of the struct that the page holds: another build's may be another
    uint64_t build      # eight letters of the catalogue's fingerprint: operations have the same numbers
    uint64_t label      # of the session, by its server's choice: the pages of both sides carry it; 0: not known yet
    uint64_t since_ns   # CLOCK_MONOTONIC

# A page, and the descriptor by which others find it; -1: no memory file could be had, and nobody sees it. NULL: no memory.
cdef uint8_t* page_new(const char* name, uint64_t struct_bytes, int* descriptor) noexcept nogil
# The same, seen by nobody.
cdef uint8_t* page_private(uint64_t struct_bytes) noexcept nogil
cdef void page_withdraw(uint8_t* page) noexcept nogil       # from here on it is private memory, with the same content
cdef void page_free(uint8_t* page) noexcept nogil
cdef void page_say(char* at, uint64_t room, bytes text)     # shortened to the room
cdef str page_text(const char* at, uint64_t room)           # of a stranger's page: bounded and printable
# Whether a copy of a stranger's page, PAGE_BYTES long, is what this build means by that struct.
cdef bint page_is_known(const uint8_t* copy, uint64_t struct_bytes) noexcept nogil
