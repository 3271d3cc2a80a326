# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Blobs come from the wire: every number in one may be chosen by an attacker."""

from libc.stdint cimport int64_t, uint8_t, uint64_t, uintptr_t
from pipe cimport pipe_Blob

cdef extern from "atomics.h" nogil:     # for _GNU_SOURCE, before the system's headers
    pass
cdef extern from "<sys/mman.h>" nogil:
    void* mmap(void* address, size_t size, int protection, int flags, int fd, int64_t offset)
    int munmap(void* address, size_t size)
    void* MAP_FAILED
    enum: PROT_READ, PROT_WRITE, MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE
cdef extern from "<sys/stat.h>" nogil:
    struct stat_t "stat":
        int64_t st_size
    int fstat(int fd, stat_t* result)


cdef bint _inside(Segments* segments, const pipe_Blob* blob) noexcept nogil:
    cdef uint64_t size = segments.size[blob.segment]
    return blob.offset <= size and blob.size <= size - blob.offset


cdef uint8_t* segment_bytes(Segments* segments, const pipe_Blob* blob) noexcept nogil:
    cdef stat_t status
    if blob.segment >= 4 or segments.base[blob.segment] == NULL:
        return NULL
    if not _inside(segments, blob):
        # Beyond what was backed: the client may have grown the file since. The seal keeps it from shrinking under us.
        if segments.fd[blob.segment] < 0 or fstat(segments.fd[blob.segment], &status) != 0:
            return NULL
        segments.size[blob.segment] = min(<uint64_t>max(status.st_size, <int64_t>0), segments.ceiling[blob.segment])
        if not _inside(segments, blob):
            return NULL
    return segments.base[blob.segment] + blob.offset


cdef uint8_t* segment_words(Segments* segments, const pipe_Blob* blob, uint64_t alignment) noexcept nogil:
    return segment_bytes(segments, blob) if blob.offset & (alignment - 1) == 0 else NULL


cdef uint8_t* segment_map(int fd, uint64_t ceiling) noexcept nogil:
    cdef int flags = MAP_NORESERVE | (MAP_SHARED if fd >= 0 else MAP_PRIVATE | MAP_ANONYMOUS)
    cdef void* base = mmap(NULL, ceiling, PROT_READ | PROT_WRITE, flags, fd, 0)
    return NULL if base == MAP_FAILED else <uint8_t*>base


cdef void segment_unmap(uint8_t* base, uint64_t ceiling) noexcept nogil:
    if base != NULL:
        munmap(base, ceiling)
