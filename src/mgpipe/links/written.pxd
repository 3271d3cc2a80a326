"""Memory of a program's own, of which one can ask which pages may have been written since one last asked.

The first write to a watched page costs a fault (1 us), which a page that changes all the time pays each time. So a page
that is found changed again and again is *steady*: it is not watched any more, every report has it, and whoever asked compares.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

cdef struct Written:
    uint8_t* base
    uint64_t size               # whole pages
    int8_t* changes             # of each page: how often it was found changed; of a steady one, how often more it may not be
    uint64_t steady             # pages
    uint32_t tracked            # 0: the kernel cannot tell, any page may have been written
    uint32_t pad0

cdef struct Run:                # bytes from the base
    uint64_t low, high

cdef int written_map(Written* memory, uint64_t size) noexcept nogil      # zeros. 0, or -1: out of memory
cdef void written_unmap(Written* memory) noexcept nogil
cdef void written_watch(Written* memory) noexcept nogil                  # pages count as unwritten from now on
# Some runs of pages in [*at, end), both whole pages, that may have been written since they were reported last; *at moves to
# where to go on.
cdef uint32_t written_runs(Written* memory, uint64_t* at, uint64_t end, Run* runs, uint32_t room) noexcept nogil
# What comparing has shown of `count` pages (at most 32) of a run, the first of them at `low`: bit i, page i has changed. True:
# some were not watched until now, and have to be compared once more.
cdef bint written_judge(Written* memory, uint64_t low, uint32_t count, uint32_t changed) noexcept nogil
cdef void written_allow(bint tracking) noexcept nogil                    # for tests: False: as if the kernel could not tell
