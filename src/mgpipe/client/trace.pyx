# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A session's trace in Chrome's JSON format: what the program, the link, the server and its GPU did, and when.

While a session is traced, functions stand before those in its tables, the gate of its contexts is armed, and its ring tells
of waits; of any other session none of this is there. What happens becomes slices in memory of the thread's own, taken once,
without the GIL, and a thread whose memory is full writes it out (`trace_events`); waits name the line of the program they
stand at (`trace_lines`).
"""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from posix.unistd cimport close
from pipe cimport *

from mgpipe.client.link cimport Link
from mgpipe.client.session cimport TOPOLOGY_MONOLITH, Session
from mgpipe.client.trace_events cimport *
from mgpipe.client.trace_lines cimport line_now
from mgpipe.links.atomics cimport add32, clock_ns, load_acquire, load_acquire32, lock_acquire, lock_release, store_relaxed32
from mgpipe.links.ring cimport RING_WAIT_APPLIED, Observer, Ring

cdef extern from "trace_thread.h" nogil:
    enum: TRACE_DEPTH
    ctypedef struct TraceThread:
        uint64_t serial
        void* buffer
        uint64_t noted
        uint64_t emit_began, emit_ordinal, emit_bytes
        uint64_t wait_began, wait_parked
        uint32_t wait_depth, wait_why, wait_line
        uint32_t why, depth
        uint32_t call[8]
        uint64_t call_began[8]
        uint64_t call_noted[8]
    TraceThread* this_thread()

cdef enum:
    SLICES = 8192                       # of a thread before it writes: 320 KiB
    SERVER_SLICES = 16384
    THREADS = 64                        # of the program that are told apart; more are counted as dropped
    FLUSH_EVERY_NS = 250000000          # at the end of a frame: what a kill can take away
    POLL_EVERY = 256                    # records: the server's slices are fetched while the program goes on
    LONG_CALL_NS = 20000                # a call that neither emits nor waits is noted if it takes so long …
    WAITING_CALL_NS = 1000000           # … and with its line if it takes so long, as a wait for a compiler does
    OPERATIONS = PIPE_OP_COUNT + 1

cdef struct Buffer:
    uint32_t lock
    uint32_t thread                     # number of its tracks
    void* owner                         # the TraceThread of the thread
    uint32_t count, capacity
    Slice slices[1]                     # `capacity`

cdef struct Trace:
    Observer observer                   # first: an Observer* of a trace is the Trace*
    Session* session
    void (*poll)(Session* session) noexcept nogil
    PipeScreen screen                   # the functions that ours stand before
    PipeContext context
    uint64_t serial
    Clocks clocks
    uint32_t open
    uint32_t thread_lock, thread_count
    Buffer* threads[THREADS]
    Buffer* server
    uint64_t published, frame_began_ns, flushed_ns
    uint64_t dropped, refused           # slices of threads beyond THREADS; of the server's that cannot be
    EventFile file

cdef uint32_t _open = 0                 # traces of this process
cdef uint64_t _serials = 0


cdef inline Trace* trace_of(Session* session) noexcept nogil:
    return <Trace*>session.trace


# -- noting ------------------------------------------------------------------------------------------------------------

cdef Buffer* buffer_new(uint32_t capacity, uint32_t thread) noexcept nogil:
    cdef Buffer* buffer = <Buffer*>calloc(1, sizeof(Buffer) + capacity * sizeof(Slice))
    if buffer != NULL:
        buffer.capacity = capacity
        buffer.thread = thread
    return buffer


cdef Buffer* own_buffer(Trace* trace) noexcept nogil:
    """Of the calling thread; NULL: there are too many."""
    cdef TraceThread* thread = this_thread()
    cdef Buffer* buffer = NULL
    cdef uint32_t i
    if thread.serial == trace.serial:
        return <Buffer*>thread.buffer
    lock_acquire(&trace.thread_lock)
    for i in range(trace.thread_count):         # it drew for another session in between
        if trace.threads[i].owner == <void*>thread:
            buffer = trace.threads[i]
    if buffer == NULL and trace.thread_count < THREADS:
        buffer = buffer_new(SLICES, trace.thread_count)
        if buffer != NULL:
            buffer.owner = thread
            trace.threads[trace.thread_count] = buffer
            store_relaxed32(&trace.thread_count, trace.thread_count + 1)
            events_name_thread(&trace.file, buffer.thread, (<Link*>trace.session.link).has_rings)
    lock_release(&trace.thread_lock)
    thread.serial = trace.serial
    thread.buffer = buffer
    return buffer


cdef void note(Trace* trace, Buffer* buffer, uint32_t kind, uint64_t start, uint64_t end, uint64_t value, uint32_t name,
               uint32_t line, uint32_t extra) noexcept nogil:
    cdef Slice* slice
    if not load_acquire32(&trace.open):
        return
    if buffer == NULL:
        trace.dropped += 1
        return
    lock_acquire(&buffer.lock)
    if buffer.count == buffer.capacity:
        write_out(trace, buffer, True)
    slice = &buffer.slices[buffer.count]
    slice.start = start
    slice.end = end
    slice.value = value
    slice.kind = kind
    slice.name = name
    slice.line = line
    slice.extra = extra
    buffer.count += 1
    lock_release(&buffer.lock)


cdef inline uint32_t call_of(TraceThread* thread) noexcept nogil:
    return thread.call[min(thread.depth, <uint32_t>TRACE_DEPTH) - 1] if thread.depth else <uint32_t>EVENT_NO_CALL


cdef void trace_listen(NameOf name_of) noexcept nogil:
    events_name_of(name_of)


cdef void trace_call_begins(uint32_t index) noexcept nogil:
    cdef TraceThread* thread
    if _open == 0:
        return
    thread = this_thread()
    if thread.depth < TRACE_DEPTH:
        thread.call[thread.depth] = index
        thread.call_noted[thread.depth] = thread.noted
        thread.call_began[thread.depth] = clock_ns()
    thread.depth += 1


cdef void trace_call_ends(Session* session) noexcept nogil:
    cdef TraceThread* thread = this_thread()
    cdef Buffer* buffer
    cdef uint64_t now, took
    if thread.depth == 0:               # it began before any trace did
        return
    thread.depth -= 1
    if thread.depth >= TRACE_DEPTH or _open == 0 or session == NULL or session.trace == NULL:
        return
    now = clock_ns()
    took = now - thread.call_began[thread.depth]
    if thread.noted != thread.call_noted[thread.depth] or took >= LONG_CALL_NS:
        buffer = own_buffer(trace_of(session))
        note(trace_of(session), buffer, KIND_CALL, thread.call_began[thread.depth], now, 0, thread.call[thread.depth],
             line_now() if took >= WAITING_CALL_NS else 0, 0)


cdef void trace_because(uint32_t why) noexcept nogil:
    this_thread().why = why


cdef void trace_wait_begins(Session* session, uint32_t why) noexcept nogil:
    cdef TraceThread* thread = this_thread()
    thread.wait_depth += 1
    if thread.wait_depth != 1:
        return
    if why == RING_WAIT_APPLIED and thread.why != 0:
        why = thread.why
    thread.why = 0
    thread.wait_why = why
    thread.wait_parked = 0
    thread.wait_began = clock_ns()
    thread.wait_line = line_now()


cdef void trace_wait_ends(Session* session) noexcept nogil:
    cdef TraceThread* thread = this_thread()
    cdef Trace* trace = trace_of(session)
    if thread.wait_depth == 0:
        return
    thread.wait_depth -= 1
    if thread.wait_depth != 0:
        return
    thread.noted += 1
    note(trace, own_buffer(trace), KIND_WAIT, thread.wait_began, clock_ns(), thread.wait_parked, call_of(thread), thread.wait_line,
         thread.wait_why)


cdef void ring_begins(Observer* self, uint32_t why) noexcept nogil:
    trace_wait_begins((<Trace*>self).session, why)


cdef void ring_parks(Observer* self) noexcept nogil:
    this_thread().wait_parked = clock_ns()


cdef void ring_ends(Observer* self) noexcept nogil:
    trace_wait_ends((<Trace*>self).session)


cdef void trace_frame(Session* session, uint64_t number) noexcept nogil:
    cdef Trace* trace = trace_of(session)
    cdef Buffer* buffer = own_buffer(trace)
    cdef uint64_t now = clock_ns()
    note(trace, buffer, KIND_FRAME, trace.frame_began_ns, now, number, 0, 0, 0)
    trace.frame_began_ns = now
    if now - trace.flushed_ns > FLUSH_EVERY_NS:
        trace.flushed_ns = now
        flush_buffer(trace, buffer)
        flush_buffer(trace, trace.server)


cdef void trace_event(Session* session, const uint8_t* payload, uint32_t size) noexcept nogil:
    """A server says what it likes: only slices that can be of this session are kept."""
    cdef Trace* trace = trace_of(session)
    cdef uint32_t i, count
    cdef pipe_TraceSlice slice
    cdef uint64_t start, end
    if size < sizeof(pipe_event_trace_slices):
        return
    count = (<const pipe_event_trace_slices*>payload).slice_count
    payload += sizeof(pipe_event_trace_slices)
    count = min(count, (size - <uint32_t>sizeof(pipe_event_trace_slices)) // <uint32_t>sizeof(pipe_TraceSlice))
    for i in range(count):
        memcpy(&slice, payload + i * sizeof(slice), sizeof(slice))
        start = slice.start - trace.clocks.ahead_ns
        end = slice.end - trace.clocks.ahead_ns
        if (slice.op == 0 or slice.op >= OPERATIONS or slice.ordinal > session.emitted or slice.track > PIPE_TRACE_TRACK_GPU
                or end < start or <int64_t>(end - trace.file.began_ns) < 0):
            trace.refused += 1
            continue
        note(trace, trace.server, KIND_GPU if slice.track == PIPE_TRACE_TRACK_GPU else KIND_APPLY, max(start, trace.file.began_ns), end,
             slice.ordinal, slice.op, 0, 0)


# -- records: functions before those of the session's tables -----------------------------------------------------------

cdef inline PipeScreen* plain_screen(void* self) noexcept nogil:
    return &trace_of(<Session*>self).screen


cdef inline PipeContext* plain_context(void* self) noexcept nogil:
    return &trace_of(<Session*>self).context


cdef inline bint before_call(void* self, uint32_t op, void* payload, uint64_t size, const void** tails, uint64_t* sizes,
                             uint32_t count) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef const pipe_blob_place* place = &pipe_blob_places[op]
    cdef TraceThread* thread = this_thread()
    cdef uint32_t i
    thread.emit_bytes = 0
    for i in range(place.count):
        thread.emit_bytes += (<const pipe_Blob*>(<uint8_t*>payload + place.offsets[i] - sizeof(pipe_record))).size
    thread.emit_ordinal = session.emitted + 1
    thread.emit_began = clock_ns()
    if link.direct_trace_before != NULL:
        link.direct_trace_before(link.direct_self, op, thread.emit_ordinal)
    return True


cdef inline void after_call(void* self, uint32_t op, pipe_reply* reply) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef Trace* trace = trace_of(session)
    cdef TraceThread* thread = this_thread()
    cdef Buffer* buffer
    cdef uint64_t now
    if session.emitted < thread.emit_ordinal:       # the session is lost
        return
    if link.direct_trace_after != NULL:
        link.direct_trace_after(link.direct_self, op, thread.emit_ordinal)
    now = clock_ns()
    buffer = own_buffer(trace)
    thread.noted += 1
    if reply != NULL and session.topology == TOPOLOGY_MONOLITH:
        note(trace, buffer, KIND_WAIT, thread.emit_began, now, 0, call_of(thread), line_now(), TRACE_WAIT_DRIVER)
    note(trace, buffer, KIND_EMIT, thread.emit_began, now, thread.emit_ordinal, op, 0,
         <uint32_t>min(thread.emit_bytes, <uint64_t>UINT32_MAX))
    if link.has_rings and link.commands.published != trace.published:
        note(trace, buffer, KIND_PUBLISH, now, now, link.commands.published - trace.published, 0, 0,
             <uint32_t>(link.commands.published - load_acquire(&link.commands.page.tail)))
        trace.published = link.commands.published
    if thread.emit_ordinal % POLL_EVERY == 0:
        trace.poll(session)


include "interpose.pxi"


# -- out of memory, into the file --------------------------------------------------------------------------------------

cdef void write_out(Trace* trace, Buffer* buffer, bint full) noexcept nogil:
    """Under the buffer's lock. A thread that had to stop for it says so in the trace."""
    cdef uint64_t began = clock_ns()
    events_write_slices(&trace.file, buffer.thread, &buffer.slices[0], buffer.count)
    buffer.count = 0
    if full and buffer != trace.server:
        memset(&buffer.slices[0], 0, sizeof(Slice))
        buffer.slices[0].kind = KIND_WRITE
        buffer.slices[0].start = began
        buffer.slices[0].end = clock_ns()
        buffer.count = 1


cdef void flush_buffer(Trace* trace, Buffer* buffer) noexcept nogil:
    if buffer == NULL:
        return
    lock_acquire(&buffer.lock)
    if buffer.count != 0 and load_acquire32(&trace.open):
        write_out(trace, buffer, False)
    lock_release(&buffer.lock)


cdef void trace_flush(Session* session) noexcept nogil:
    cdef Trace* trace = trace_of(session)
    cdef uint32_t i
    for i in range(load_acquire32(&trace.thread_count)):
        flush_buffer(trace, trace.threads[i])
    flush_buffer(trace, trace.server)


cdef bint trace_write(Session* session, const char* text, uint64_t size) noexcept nogil:
    return events_write_text(&trace_of(session).file, text, size)


# -- the trace ---------------------------------------------------------------------------------------------------------

cdef int trace_open(Session* session, int fd, void (*poll)(Session* session) noexcept nogil) noexcept nogil:
    global _serials
    cdef Trace* trace = <Trace*>calloc(1, sizeof(Trace))
    cdef Buffer* server = buffer_new(SERVER_SLICES, 0)
    if trace == NULL or server == NULL:
        free(trace)
        free(server)
        return -1
    _serials += 1
    trace.serial = _serials
    trace.session = session
    trace.poll = poll
    trace.server = server
    trace.file.fd = fd
    trace.file.began_ns = trace.frame_began_ns = trace.flushed_ns = clock_ns()
    trace.observer.begins = ring_begins
    trace.observer.parks = ring_parks
    trace.observer.ends = ring_ends
    session.trace = trace
    return 0


cdef void trace_install(Session* session) noexcept nogil:
    cdef Trace* trace = trace_of(session)
    cdef Link* link = <Link*>session.link
    trace.screen = session.screen
    trace.context = session.context
    trace.open = 1
    add32(&_open, 1)
    install_interposed(&session.screen, &session.context, NULL)
    if link.has_rings:
        trace.published = link.commands.published
        link.commands.observer = &trace.observer


cdef void trace_clocks(Session* session, const Clocks* clocks) noexcept nogil:
    trace_of(session).clocks = clocks[0]


cdef void trace_close(Session* session) noexcept nogil:
    """Nothing is noted any more. Functions and observer stay: another thread may be in them."""
    cdef Trace* trace = trace_of(session)
    lock_acquire(&trace.file.lock)
    if trace.open:
        store_relaxed32(&trace.open, 0)
        add32(&_open, <uint32_t>-1)
    if trace.file.fd >= 0:
        close(trace.file.fd)
        trace.file.fd = -1
    lock_release(&trace.file.lock)


cdef void trace_disown(Session* session) noexcept nogil:
    """The file is the parent's; its locks may be held by threads that are not here."""
    cdef Trace* trace = trace_of(session)
    if trace.open:
        trace.open = 0
        add32(&_open, <uint32_t>-1)
    if trace.file.fd >= 0:
        close(trace.file.fd)
        trace.file.fd = -1


cdef void trace_free(Session* session) noexcept nogil:
    cdef Trace* trace = trace_of(session)
    cdef uint32_t i
    if trace == NULL:
        return
    trace_close(session)
    for i in range(trace.thread_count):
        free(trace.threads[i])
    free(trace.server)
    free(trace)
    session.trace = NULL


cdef object trace_summary(Session* session):
    """What became of it, for the file's last line and the log."""
    cdef Trace* trace = trace_of(session)
    return {"bytes": trace.file.bytes, "dropped": trace.dropped + trace.file.dropped, "refused": trace.refused,
            "errno": trace.file.failed}
