"""The memory that blobs refer to, as the reading side sees it."""

from libc.stdint cimport uint8_t, uint64_t
from pipe cimport pipe_Blob

cdef struct Segments:
    uint8_t* base[4]        # by SEGMENT_*; NULL: not there
    uint64_t size[4]        # bytes known to be backed; grows (a sealed memfd never shrinks)
    uint64_t ceiling[4]     # bytes mapped
    int fd[4]               # -1: anonymous memory, size is final

# The blob's bytes, or NULL when it leaves its segment. Looks at the file's size again before it says no.
cdef uint8_t* segment_bytes(Segments* segments, const pipe_Blob* blob) noexcept nogil
