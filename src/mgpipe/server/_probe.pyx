# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""An applier driven by hand, record by record: for the tests of the applier and the back ends, and for tools."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from pipe cimport PIPE_SEGMENT_SHADOW, pipe_reply
from mgpipe.links.segments cimport Segments
from mgpipe.server.applier cimport (Applier, DRIVER_GL, DRIVER_GLES, DRIVER_NULL, applier_apply, applier_fault,
                                    applier_free, applier_living, applier_new, applier_share_memory)

cdef extern from "<stdlib.h>" nogil:
    void* aligned_alloc(size_t alignment, size_t size)

DRIVERS = {"gl": DRIVER_GL, "gles": DRIVER_GLES, "null": DRIVER_NULL}


class SessionFault(Exception):
    """The session is latched; the text begins with the fault's name."""


class StartError(Exception):
    """No driver; the text is the sentence a user would see."""


cdef void push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept with gil:
    (<Session>self).events.append((op, (<const uint8_t*>payload)[:size], (<const uint8_t*>tail)[:tail_size]))


cdef class Session:
    """One applier over a private segment of bytes that records' blobs may name (SEGMENT_SHADOW)."""

    cdef Applier* applier
    cdef Segments segments
    cdef readonly list events           # (op, payload, tail), as they came

    def __cinit__(self, str driver, uint64_t segment_size=1 << 22, bint shared=True):
        cdef char error[512]
        cdef uint32_t number = DRIVERS[driver]
        cdef int i
        self.events = []
        for i in range(4):
            self.segments.fd[i] = -1
        self.segments.base[PIPE_SEGMENT_SHADOW] = <uint8_t*>aligned_alloc(4096, segment_size)      # as a mapping begins
        self.segments.size[PIPE_SEGMENT_SHADOW] = self.segments.ceiling[PIPE_SEGMENT_SHADOW] = segment_size
        if self.segments.base[PIPE_SEGMENT_SHADOW] == NULL:
            raise MemoryError
        memset(self.segments.base[PIPE_SEGMENT_SHADOW], 0, segment_size)
        with nogil:
            self.applier = applier_new(number, &self.segments, push, <void*>self, error, sizeof(error))
        if self.applier == NULL:
            raise StartError((<bytes>(<char*>error)).decode())
        if shared:
            applier_share_memory(self.applier, NULL)

    def close(self) -> None:
        cdef Applier* applier = self.applier
        self.applier = NULL
        if applier != NULL:
            with nogil:
                applier_free(applier)

    def __dealloc__(self):
        if self.applier != NULL:
            applier_free(self.applier)
        free(self.segments.base[PIPE_SEGMENT_SHADOW])

    def apply(self, bytes record not None) -> tuple:
        """(status, size, values) of the answer. Raises SessionFault once the session is latched."""
        cdef pipe_reply reply
        cdef uint32_t size = <uint32_t>len(record)
        cdef uint8_t* copy = <uint8_t*>malloc(size + 8)
        cdef const char* text = record
        cdef int result
        if self.applier == NULL or copy == NULL:
            raise ValueError("closed")
        memset(&reply, 0, sizeof(reply))
        memcpy(copy, text, size)
        with nogil:
            result = applier_apply(self.applier, copy, size, &reply)
        free(copy)
        if result != 0:
            raise SessionFault(self.fault)
        return reply.status, reply.size, [reply.value[i] for i in range(4)]

    @property
    def fault(self) -> str:
        cdef const char* text = applier_fault(self.applier)
        return (<bytes>text).decode() if text != NULL else ""

    def living(self, uint32_t kind) -> int:
        """Objects of a kind (position in HANDLE_KINDS counted from 1) that live on the server."""
        return applier_living(self.applier, kind)

    def write(self, uint64_t offset, bytes data not None) -> None:
        cdef const char* source = data
        if offset + len(data) > self.segments.size[PIPE_SEGMENT_SHADOW]:
            raise ValueError("beyond the segment")
        memcpy(self.segments.base[PIPE_SEGMENT_SHADOW] + offset, source, len(data))

    def read(self, uint64_t offset, uint64_t size) -> bytes:
        if offset + size > self.segments.size[PIPE_SEGMENT_SHADOW]:
            raise ValueError("beyond the segment")
        return self.segments.base[PIPE_SEGMENT_SHADOW][offset:offset + size]
