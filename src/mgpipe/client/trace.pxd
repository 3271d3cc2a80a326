"""A session's trace: what this process notes while it runs, and the file that it becomes. See trace.pyx.

`session.trace` is NULL while nobody traces: every caller asks that first, on ways that no draw takes.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from pipe cimport pipe_reply
from mgpipe.client.session cimport Session
from mgpipe.client.trace_events cimport NameOf

cdef struct Clocks:
    uint64_t ahead_ns               # of the server's clock; as a signed number
    uint64_t uncertainty_ns

# -- noting
cdef void trace_listen(NameOf name_of) noexcept nogil
cdef void trace_call_begins(uint32_t index) noexcept nogil             # of an entry point
cdef void trace_call_ends(Session* session) noexcept nogil             # NULL: the call belongs to no context
cdef void trace_wait_begins(Session* session, uint32_t why) noexcept nogil
cdef void trace_wait_ends(Session* session) noexcept nogil
cdef void trace_because(uint32_t why) noexcept nogil                   # the next wait until records are applied
cdef void trace_frame(Session* session, uint64_t number) noexcept nogil
cdef void trace_event(Session* session, const uint8_t* payload, uint32_t size) noexcept nogil      # what a server says: checked here

# -- the trace itself
cdef int trace_open(Session* session, int fd, void (*poll)(Session* session) noexcept nogil) noexcept nogil    # takes `fd`; 0, or -1
cdef void trace_install(Session* session) noexcept nogil               # from here on records are noted
cdef void trace_clocks(Session* session, const Clocks* clocks) noexcept nogil
cdef void trace_flush(Session* session) noexcept nogil                 # to the file, all that was noted
cdef bint trace_write(Session* session, const char* text, uint64_t size) noexcept nogil             # events as they are; whether it could
cdef void trace_close(Session* session) noexcept nogil
cdef void trace_disown(Session* session) noexcept nogil                # in a forked child
cdef void trace_free(Session* session) noexcept nogil
cdef object trace_summary(Session* session)
