"""What a trace noted, as events of Chrome's format in a file that grows while the program runs."""

from libc.stdint cimport uint32_t, uint64_t

ctypedef const char* (*NameOf)(uint32_t index) noexcept nogil       # of an entry point

cdef enum:
    EVENT_NO_CALL = 0xFFFFFFFF
    EVENT_TEXT_BYTES = 1 << 18

# What a wait is for: the ring's reasons (RingWait of links/ring.pxd), and these.
cdef enum TraceWait:
    TRACE_WAIT_MEMORY = 6
    TRACE_WAIT_FRAMES = 7
    TRACE_WAIT_LOCK = 8
    TRACE_WAIT_DRIVER = 9           # in this process: monolith
    TRACE_WAITS = 10

cdef enum Kind:
    KIND_CALL, KIND_EMIT, KIND_WAIT, KIND_PUBLISH, KIND_FRAME, KIND_WRITE, KIND_APPLY, KIND_GPU

cdef struct Slice:
    uint64_t start, end
    uint64_t value                  # ordinal, bytes published, frame, or when a wait went to sleep
    uint32_t kind
    uint32_t name                   # entry point or operation
    uint32_t line                   # 0: none
    uint32_t extra                  # bytes, why, or how full the ring is

cdef struct EventFile:
    uint32_t lock
    int fd, failed                  # -1: closed; errno of the write that failed
    uint64_t began_ns               # times are told from here
    uint64_t bytes, dropped         # written; slices that were not
    uint64_t used
    char text[EVENT_TEXT_BYTES]

cdef void events_name_of(NameOf name_of) noexcept nogil
cdef void events_write_slices(EventFile* file, uint32_t thread, const Slice* slices, uint32_t count) noexcept nogil
cdef bint events_write_text(EventFile* file, const char* text, uint64_t size) noexcept nogil    # events as they are; whether it could
cdef void events_name_thread(EventFile* file, uint32_t thread, bint has_rings) noexcept nogil   # the names of its two tracks
