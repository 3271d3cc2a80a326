"""The memory that blobs refer to, as the reading side sees it, and how either side maps it."""

from libc.stdint cimport uint8_t, uint64_t
from pipe cimport pipe_Blob

cdef struct Segments:
    uint8_t* base[4]        # by SEGMENT_*; NULL: not there
    uint64_t size[4]        # bytes known to be backed; grows (a sealed memfd never shrinks)
    uint64_t ceiling[4]     # bytes mapped
    int fd[4]               # -1: anonymous memory, size is final
    uint64_t named_bytes[4] # of all blobs that records named; those for answers count to SEGMENT_REPLY

# The blob's bytes, or NULL when it leaves its segment. Looks at the file's size again before it says no. What lies there
# can change at any time: read once what is checked.
cdef uint8_t* segment_bytes(Segments* segments, const pipe_Blob* blob) noexcept nogil
# The same, for bytes read as words: NULL also when they are not aligned (a power of two, at most 4096).
cdef uint8_t* segment_words(Segments* segments, const pipe_Blob* blob, uint64_t alignment) noexcept nogil
# Maps `ceiling` bytes of a memfd, or of anonymous private memory (fd -1), without reserving them. NULL: no room.
cdef uint8_t* segment_map(int fd, uint64_t ceiling) noexcept nogil
cdef void segment_unmap(uint8_t* base, uint64_t ceiling) noexcept nogil
