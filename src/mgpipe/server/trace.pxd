"""When records were applied and their work done, told to a client that traces its session. On the apply thread."""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport pipe_reply
from mgpipe.server.applier cimport PushEvent

# Can an event of so many bytes be pushed without waiting for the client?
ctypedef bint (*Room)(void* self, uint32_t size) noexcept nogil

cdef struct Trace                       # opaque: see trace.pyx

# `back_end`: whose GPU is timed; NULL: it has none. `room` NULL: there always is. NULL: out of memory.
cdef Trace* trace_new(void* back_end, PushEvent push, void* push_self, Room room, void* room_self) noexcept nogil
cdef void trace_free(Trace* trace) noexcept nogil
cdef bint trace_is_on(Trace* trace) noexcept nogil
cdef void trace_call(Trace* trace, uint32_t mode, pipe_reply* reply) noexcept nogil        # as the row of that name says
cdef void trace_before(Trace* trace, uint32_t op, uint64_t ordinal) noexcept nogil
cdef void trace_after(Trace* trace, uint32_t op, uint64_t ordinal) noexcept nogil
