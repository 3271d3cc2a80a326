# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundary-tag allocation of units, after Knuth: an extent's length stands at both its ends, so that a freed one joins
its free neighbours at once. All bookkeeping is private memory: the server can write the segment, never these tables.

Pages. Every unit remembers whether it may be resident, and a free extent how many of its units may be. What more than
16 MiB of them nobody needed for half a second is returned by punching holes, whole extents first to last. Not sooner: a
page that comes back costs a fault (1 to 5 us with its zeroing), and a program that uploads 80 MiB a frame needs the
same 80 MiB in the next. What is taken cold is populated by one call instead of a fault for each page.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from mgpipe.links.atomics cimport clock_ns

cdef extern from "atomics.h" nogil:     # for _GNU_SOURCE, before the system's headers
    pass
cdef extern from "<sys/mman.h>" nogil:
    int madvise(void* address, size_t size, int advice)
    enum: MADV_DONTNEED
cdef extern from *:
    """
    #ifndef MADV_POPULATE_WRITE
    #define MADV_POPULATE_WRITE 23      /* Linux 5.14; older ones refuse it, and the pages come one by one */
    #endif
    """
    enum: MADV_POPULATE_WRITE
cdef extern from "<sys/stat.h>" nogil:
    struct stat_t "stat":
        int64_t st_size
    int fstat(int fd, stat_t* result)
cdef extern from "<fcntl.h>" nogil:
    int fallocate(int fd, int mode, int64_t offset, int64_t size)
    enum: FALLOC_FL_PUNCH_HOLE
    enum: FALLOC_FL_KEEP_SIZE
cdef extern from "<unistd.h>" nogil:
    int ftruncate(int fd, int64_t size)
cdef extern from *:
    int __builtin_clzll(unsigned long long value) nogil

cdef enum:
    KEEP_IDLE = 256             # units: 16 MiB of idle pages are always kept
    IDLE_NS = 500000000
    POPULATE_FROM = 4           # units; one call costs less than 64 faults
    POPULATE_TO = 256           # and more may be a reservation that nobody fills
    FIRST_GROWTH = 16           # 1 MiB, then as much again as there is, at most 64 MiB at a time
    LARGEST_GROWTH = 1024
    LOOKS = 8                   # extents of the fitting bin looked at before a larger one is cut


cdef int _bin(int32_t length) noexcept nogil:
    return 63 - __builtin_clzll(<uint64_t>length)


cdef int extents_init(Extents* extents, uint8_t* base, int fd, uint64_t ceiling) noexcept nogil:
    cdef stat_t status
    cdef int i
    extents.base = base
    extents.fd = fd
    extents.limit = <int32_t>min(ceiling // UNIT, <uint64_t>0x3FFFFFFF)
    extents.backed = extents.in_use = extents.warm_free = 0
    extents.given_back = 0
    extents.forget = NULL
    extents.idle_low = 0
    extents.idle_since_ns = 0
    for i in range(BINS):
        extents.bins[i] = -1
    # calloc: of a large ceiling's tables only the touched pages exist.
    extents.length = <int32_t*>calloc(extents.limit, 4 * sizeof(int32_t) + 1)
    if extents.length == NULL:
        return -1
    extents.warm = extents.length + extents.limit
    extents.next = extents.warm + extents.limit
    extents.previous = extents.next + extents.limit
    extents.resident = <uint8_t*>(extents.previous + extents.limit)
    if fd >= 0:
        if fstat(fd, &status) != 0:
            return -1
        if status.st_size >= UNIT:
            _back(extents, <int32_t>min(status.st_size // UNIT, <int64_t>extents.limit))
    return 0


cdef void extents_clear(Extents* extents) noexcept nogil:
    free(extents.length)
    extents.length = NULL


cdef void _link(Extents* extents, int32_t first, int32_t length, int32_t warm) noexcept nogil:
    """Enters a free extent. Warm ones stand first in their bin, so that resident pages are used again before others."""
    cdef int32_t* head = &extents.bins[_bin(length)]
    cdef int32_t after = -1, before = head[0]
    extents.length[first] = extents.length[first + length - 1] = length
    extents.warm[first] = warm
    extents.warm_free += warm
    if warm == 0 and before >= 0:
        after = before
        before = extents.next[after]
    extents.next[first] = before
    extents.previous[first] = after
    if before >= 0:
        extents.previous[before] = first
    if after >= 0:
        extents.next[after] = first
    else:
        head[0] = first


cdef void _unlink(Extents* extents, int32_t first) noexcept nogil:
    cdef int32_t after = extents.previous[first], before = extents.next[first]
    extents.warm_free -= extents.warm[first]
    if after >= 0:
        extents.next[after] = before
    else:
        extents.bins[_bin(extents.length[first])] = before
    if before >= 0:
        extents.previous[before] = after


cdef void _join(Extents* extents, int32_t first, int32_t length, int32_t warm) noexcept nogil:
    """Frees units, together with the free neighbours on both sides."""
    cdef int32_t left, right = first + length
    if first > 0 and extents.length[first - 1] > 0:
        left = first - extents.length[first - 1]
        warm += extents.warm[left]
        _unlink(extents, left)
        length += first - left
        first = left
    if right < extents.backed and extents.length[right] > 0:
        warm += extents.warm[right]
        length += extents.length[right]
        _unlink(extents, right)
    _link(extents, first, length, warm)


cdef void _back(Extents* extents, int32_t units) noexcept nogil:
    """Units up to `units` may be touched from now on."""
    cdef int32_t first = extents.backed
    extents.backed = units
    _join(extents, first, units - first, 0)


cdef bint _grow(Extents* extents, int32_t units) noexcept nogil:
    """Makes the last free extent at least `units` long."""
    cdef int32_t step = min(max(extents.backed, <int32_t>FIRST_GROWTH), <int32_t>LARGEST_GROWTH)
    cdef int32_t last = 0, target
    if extents.backed > 0 and extents.length[extents.backed - 1] > 0:
        last = extents.length[extents.backed - 1]
    if units - last > extents.limit - extents.backed:
        return False
    target = min(extents.backed + max(step, units - last), extents.limit)
    if extents.fd >= 0 and ftruncate(extents.fd, <int64_t>target * UNIT) != 0:
        return False
    _back(extents, target)
    return True


cdef int32_t _find(Extents* extents, int32_t units, int looks) noexcept nogil:
    cdef int bin = _bin(units)
    cdef int32_t first = extents.bins[bin]
    while first >= 0 and looks > 0:
        if extents.length[first] >= units:
            return first
        first = extents.next[first]
        looks -= 1
    for bin in range(bin + 1, BINS):
        if extents.bins[bin] >= 0:
            return extents.bins[bin]
    return -1


cdef int64_t extents_take(Extents* extents, uint64_t units) noexcept nogil:
    cdef int32_t first, length, warm, unit, resident, wanted = <int32_t>units
    if units == 0 or units > <uint64_t>extents.limit:
        return -1
    first = _find(extents, wanted, LOOKS)
    if first < 0:
        first = _find(extents, wanted, 0x7FFFFFFF if not _grow(extents, wanted) else LOOKS)
        if first < 0:
            # Grown just far enough: the extent is the last one, and may stand deep in its bin.
            first = _find(extents, wanted, 0x7FFFFFFF)
        if first < 0:
            return -1
    length = extents.length[first]
    warm = extents.warm[first]
    _unlink(extents, first)
    resident = 0
    for unit in range(first, first + wanted):
        resident += extents.resident[unit]
        extents.resident[unit] = 1
    warm -= resident
    if resident == 0 and POPULATE_FROM <= wanted <= POPULATE_TO:
        madvise(extents.base + <int64_t>first * UNIT, <size_t>wanted * UNIT, MADV_POPULATE_WRITE)
    if length > wanted:
        _link(extents, first + wanted, length - wanted, warm)
    extents.length[first] = extents.length[first + wanted - 1] = -wanted
    extents.in_use += wanted
    extents.idle_low = min(extents.idle_low, extents.warm_free)
    return first


cdef void extents_give(Extents* extents, int64_t first) noexcept nogil:
    cdef int32_t length = -extents.length[first]
    extents.in_use -= length
    _join(extents, <int32_t>first, length, length)
    if extents.warm_free > KEEP_IDLE:
        _give_back_pages(extents, clock_ns())


cdef void _give_back_pages(Extents* extents, uint64_t now_ns) noexcept nogil:
    """Returns what was idle for a whole period, longest extents first."""
    cdef int32_t keep, first, next_one, length
    cdef int64_t offset, size
    cdef int bin
    if now_ns - extents.idle_since_ns < IDLE_NS:
        return
    keep = extents.warm_free - extents.idle_low + KEEP_IDLE     # what was needed at times, and a little
    extents.idle_since_ns = now_ns
    for bin in range(BINS - 1, -1, -1):
        first = extents.bins[bin]
        while first >= 0 and extents.warm_free > keep:
            next_one = extents.next[first]
            if extents.warm[first] > 0:
                length = extents.length[first]
                offset = <int64_t>first * UNIT
                size = <int64_t>length * UNIT
                if extents.forget != NULL and not extents.forget(extents.forget_self, <uint64_t>offset, <uint64_t>size):
                    extents.idle_low = extents.warm_free
                    return
                if extents.fd >= 0:
                    fallocate(extents.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size)
                else:
                    madvise(extents.base + offset, <size_t>size, MADV_DONTNEED)
                extents.given_back += size
                extents.warm_free -= extents.warm[first]
                extents.warm[first] = 0
                memset(extents.resident + first, 0, length)
            first = next_one
    extents.idle_low = extents.warm_free
