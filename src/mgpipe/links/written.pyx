# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pages written. See written.h for how the kernel tells, written.pxd for what is asked.

A descriptor belongs to the process that opened it: a forked child opens its own. Where the kernel cannot tell, one run
covers everything, and the caller compares bytes. Never mprotect: a system call that writes into protected memory fails.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from posix.mman cimport (MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ, PROT_WRITE, mmap, munmap)
from posix.unistd cimport getpid

cdef extern from "written.h" nogil:
    struct written_run:
        uint64_t start, end
    int written_open(int* pagemap)
    int written_begin(int fd, void* base, uint64_t size)
    int written_protect(int fd, void* base, uint64_t size)
    long written_take(int pagemap, uint64_t start, uint64_t end, written_run* runs, uint64_t room, bint protect, uint64_t* next)

cdef enum:
    PAGE = 4096
    RUNS = 64
    STEADY = 2                  # times found changed
    PATIENCE = 8                # times found unchanged; comparing costs that much less than a fault and protecting the page
    DOUBTED = -30               # of a page that was watched again: many times more before it is steady once more

cdef int _fd = -1, _pagemap = -1
cdef int _owner = 0             # process that the two are of
cdef bint _allowed = True


cdef void written_allow(bint tracking) noexcept nogil:
    global _allowed
    _allowed = tracking


cdef bint ready() noexcept nogil:
    global _fd, _pagemap, _owner
    if _owner != getpid():      # the parent's descriptors mean its memory; they close by themselves only on exec
        _owner = getpid()
        _fd = written_open(&_pagemap)
    return _fd >= 0 and _allowed


cdef int written_map(Written* memory, uint64_t size) noexcept nogil:
    memory.size = (size + PAGE - 1) & ~<uint64_t>(PAGE - 1)
    memory.tracked = 0
    memory.base = <uint8_t*>mmap(NULL, memory.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    if memory.base == <uint8_t*>MAP_FAILED:
        memory.base = NULL
        return -1
    return 0


cdef void written_unmap(Written* memory) noexcept nogil:
    if memory.base != NULL:
        munmap(memory.base, memory.size)
    free(memory.changes)
    memory.changes = NULL
    memory.base = NULL


cdef void written_watch(Written* memory) noexcept nogil:
    memory.changes = <int8_t*>calloc(memory.size // PAGE, 1)
    memory.tracked = memory.changes != NULL and ready() and written_begin(_fd, memory.base, memory.size) == 0


cdef bint watch(Written* memory, uint64_t first, uint64_t end) noexcept nogil:
    """Pages [first, end) count as unwritten from now on."""
    if first < end and written_protect(_fd, memory.base + first * PAGE, (end - first) * PAGE) != 0:
        memory.tracked = 0
    return memory.tracked != 0


cdef bint watch_unsteady(Written* memory, const written_run* runs, long count) noexcept nogil:
    """Watches what the runs have of other than steady pages, one stretch of them at a time. False: there are so many that
    asking once more, with protection, costs less."""
    cdef uint64_t page, first, end, steady = 0, pages = 0
    cdef long i
    for i in range(count):
        first = (runs[i].start - <uintptr_t>memory.base) // PAGE
        end = (runs[i].end - <uintptr_t>memory.base) // PAGE
        pages += end - first
        for page in range(first, end):
            steady += memory.changes[page] >= STEADY
    if 2 * steady < pages:
        return False
    if steady == pages:
        return True
    for i in range(count):
        first = (runs[i].start - <uintptr_t>memory.base) // PAGE
        end = (runs[i].end - <uintptr_t>memory.base) // PAGE
        for page in range(first, end):
            if memory.changes[page] >= STEADY:
                if not watch(memory, first, page):
                    return False
                first = page + 1
        if not watch(memory, first, end):
            return False
    return True


cdef uint32_t written_runs(Written* memory, uint64_t* at, uint64_t end, Run* runs, uint32_t room) noexcept nogil:
    cdef written_run found[RUNS]
    cdef uint64_t start = <uintptr_t>memory.base, next_one = 0
    cdef long count = -1
    cdef long i
    if memory.tracked and memory.steady:
        count = written_take(_pagemap, start + at[0], start + end, found, min(room, <uint32_t>RUNS), False, &next_one)
        if count > 0 and not watch_unsteady(memory, found, count):
            count = -1
    if memory.tracked and count < 0:
        count = written_take(_pagemap, start + at[0], start + end, found, min(room, <uint32_t>RUNS), True, &next_one)
    if count < 0:
        runs[0].low = at[0]
        runs[0].high = end
        at[0] = end
        return 1
    for i in range(count):
        runs[i].low = found[i].start - start
        runs[i].high = found[i].end - start
    at[0] = next_one - start
    return <uint32_t>count


cdef bint written_judge(Written* memory, uint64_t low, uint32_t count, uint32_t changed) noexcept nogil:
    cdef uint64_t page, first = low // PAGE, idle = first
    cdef bint again = False
    if memory.tracked == 0:
        return False
    for page in range(first, first + count):
        if changed >> (page - first) & 1:
            memory.changes[page] += 1
            if memory.changes[page] == STEADY:
                memory.steady += 1
            if memory.changes[page] >= STEADY:
                memory.changes[page] = STEADY + PATIENCE
        elif memory.changes[page] > STEADY:
            memory.changes[page] -= 1
        elif memory.changes[page] == STEADY:
            memory.changes[page] = DOUBTED
            memory.steady -= 1
            again = True
            continue                            # idle goes on
        watch(memory, idle, page)
        idle = page + 1
    watch(memory, idle, first + count)
    return again


def allow(bint tracking) -> None:
    """For tests: False: as if the kernel could not tell."""
    written_allow(tracking)


def kept_descriptors() -> int:
    """How many descriptors this process keeps for asking, from its first persistent mapping on."""
    return (_fd >= 0) + (_pagemap >= 0) if _owner == getpid() else 0
