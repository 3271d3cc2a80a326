"""Memory of a program's own, of which one can ask which pages were written since one last asked."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct Written:
    uint8_t* base
    uint64_t size               # whole pages
    uint32_t tracked            # 0: the kernel cannot tell, any page may have been written
    uint32_t pad0

cdef struct Run:                # bytes from the base
    uint64_t low, high

cdef int written_map(Written* memory, uint64_t size) noexcept nogil      # zeros. 0, or -1: out of memory
cdef void written_unmap(Written* memory) noexcept nogil
cdef void written_watch(Written* memory) noexcept nogil                  # pages count as unwritten from now on
# Some runs of pages in [*at, end), both whole pages, written since they were reported last; *at moves to where to go on.
cdef uint32_t written_runs(Written* memory, uint64_t* at, uint64_t end, Run* runs, uint32_t room) noexcept nogil
cdef void written_allow(bint tracking) noexcept nogil                    # for tests: False: as if the kernel could not tell
