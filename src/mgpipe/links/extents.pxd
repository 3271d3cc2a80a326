"""Runs of 64 KiB units of one segment: taken, given back, coalesced; grows the file, returns idle pages to the system."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    UNIT = 65536
    BINS = 32

# A copy of the bytes elsewhere shall be given back as well. False: not now; the pages stay.
ctypedef bint (*Forget)(void* self, uint64_t offset, uint64_t size) noexcept nogil

cdef struct Extents:
    uint8_t* base
    int fd                      # >= 0: grown by ftruncate; -1: anonymous memory
    int32_t limit, backed       # units mapped; units that may be touched already
    int32_t in_use, warm_free   # units taken; free units whose pages may still be resident
    int32_t* length             # at the first and last unit of each extent; negative: taken
    int32_t* warm               # at the first unit of a free extent: how many of its units may be resident
    int32_t* next               # at the first unit of a free extent: list of its bin, -1 ends
    int32_t* previous
    uint8_t* resident           # of each unit: 1 once it was taken, 0 when its pages were given back
    int32_t bins[BINS]          # by the logarithm of the length
    int32_t idle_low            # the least that warm_free was since `idle_since_ns`: what nobody needed all that time
    uint64_t idle_since_ns
    uint64_t given_back         # bytes of idle pages returned, ever
    Forget forget               # NULL: there is no copy
    void* forget_self

cdef int extents_init(Extents* extents, uint8_t* base, int fd, uint64_t ceiling) noexcept nogil   # 0, or -1
cdef void extents_clear(Extents* extents) noexcept nogil
cdef int64_t extents_take(Extents* extents, uint64_t units) noexcept nogil                         # first unit, or -1
cdef void extents_give(Extents* extents, int64_t first) noexcept nogil
