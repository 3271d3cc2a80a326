# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A session's trace in Chrome's JSON format: what the program, the link, the server and its GPU did, and when.

While a session is traced, functions stand before those in its tables, the gate of its contexts is armed, and its ring tells
of waits; of any other session none of this is there. What happens becomes slices in memory of the thread's own, taken once,
without the GIL, and a thread whose memory is full writes it out. So the file grows while the program runs, an event a
line: what ends early lacks its end and nothing else.
"""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset, strlen
from posix.unistd cimport close, write
from pipe cimport *

from mgpipe.client.link cimport Link
from mgpipe.client.session cimport TOPOLOGY_MONOLITH, Session
from mgpipe.links.atomics cimport add32, clock_ns, load_acquire, load_acquire32, lock_acquire, lock_release, store_relaxed32
from mgpipe.links.ring cimport RING_WAIT_APPLIED, Observer, Ring

import os

from mgpipe.catalogue.calls import CALLS

STANDARD_LIBRARY = os.path.dirname(os.__file__) + "/"

cdef extern from "trace_text.h" nogil:
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
    char* put_text(char* at, const char* text)
    char* put_number(char* at, uint64_t value)
    char* put_time(char* at, uint64_t ns)
    char* put_escaped(char* at, const char* text, size_t room)

cdef extern from "<errno.h>" nogil:
    int errno
    int EINTR

cdef extern from "Python.h":
    int Py_IsInitialized() nogil
    void* PyGILState_GetThisThreadState() nogil
    void* PyEval_GetFrame()
    int PyGC_Disable()
    int PyGC_Enable()
    void PyErr_Fetch(void** type, void** value, void** traceback)
    void PyErr_Restore(void* type, void* value, void* traceback)

cdef enum:
    SLICES = 8192                       # of a thread before it writes: 320 KiB
    SERVER_SLICES = 16384
    THREADS = 64                        # of the program that are told apart; more are counted as dropped
    TEXT_BYTES = 1 << 18
    EVENT_MOST = 2048                   # bytes of the events of one slice
    FILE_BYTES_MOST = 1 << 30           # as large as viewers bear; what comes later is counted as dropped
    FLUSH_EVERY_NS = 250000000          # at the end of a frame: what a kill can take away
    POLL_EVERY = 256                    # records: the server's slices are fetched while the program goes on
    LONG_CALL_NS = 20000                # a call that neither emits nor waits is noted if it takes so long …
    WAITING_CALL_NS = 1000000           # … and with its line if it takes so long, as a wait for a compiler does
    LINES = 4096                        # of the program, that waits are named by
    LINE_BYTES = 1000
    NO_CALL = 0xFFFFFFFF
    OPERATIONS = PIPE_OP_COUNT + 1
    # Who a process of the file is, and its tracks; those of a thread lie behind one another.
    PROGRAM = 1
    SERVER = 2
    TRACK_FRAMES = 1
    TRACK_APPLY = 2
    TRACK_GPU = 3
    TRACK_THREADS = 10

cdef enum Kind:
    KIND_CALL, KIND_EMIT, KIND_WAIT, KIND_PUBLISH, KIND_FRAME, KIND_WRITE, KIND_APPLY, KIND_GPU

cdef struct Slice:
    uint64_t start, end
    uint64_t value                      # ordinal, bytes published, frame, or when a wait went to sleep
    uint32_t kind
    uint32_t name                       # entry point or operation
    uint32_t line                       # 0: none
    uint32_t extra                      # bytes, why, or how full the ring is

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
    uint64_t serial, began_ns
    Clocks clocks
    uint32_t open
    uint32_t thread_lock, thread_count
    Buffer* threads[THREADS]
    Buffer* server
    uint64_t published, frame_began_ns, flushed_ns
    uint32_t out_lock
    int fd, failed                      # errno of the write that failed
    uint64_t bytes, dropped, refused    # written; slices not written; slices of the server's that cannot be
    uint64_t used
    char text[TEXT_BYTES]

cdef NameOf _name_of = NULL
cdef uint32_t _open = 0                 # traces of this process
cdef uint64_t _serials = 0
cdef const char* _operations[OPERATIONS]
cdef char* _lines[LINES]
cdef uint32_t _line_count = 0
cdef dict _line_numbers = {}
cdef list _names = [row.name.encode() for row in CALLS]
cdef bytes _name
cdef int _i
for _i, _name in enumerate(_names, 1):
    _operations[_i] = _name             # kept alive by the list

cdef const char** WAITS = [b"room in the ring", b"an answer", b"records to be applied", b"records", b"the slot of an answer",
                           b"the socket to take more", b"memory: the server has not applied what uses it",
                           b"the server: as many frames as may are in flight", b"another thread of this session", b"the driver"]


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
            name_thread(trace, buffer.thread)
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
    return thread.call[min(thread.depth, <uint32_t>TRACE_DEPTH) - 1] if thread.depth else <uint32_t>NO_CALL


cdef void trace_listen(NameOf name_of) noexcept nogil:
    global _name_of
    _name_of = name_of


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
                or end < start or <int64_t>(end - trace.began_ns) < 0):
            trace.refused += 1
            continue
        note(trace, trace.server, KIND_GPU if slice.track == PIPE_TRACE_TRACK_GPU else KIND_APPLY, max(start, trace.began_ns), end,
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


# -- lines of the program ----------------------------------------------------------------------------------------------

cdef uint32_t line_now() noexcept nogil:
    """Of the calling thread, a number for `_lines`; 0: it runs no Python."""
    if not Py_IsInitialized() or PyGILState_GetThisThreadState() == NULL:
        return 0
    return line_of_frame()


cdef uint32_t line_of_frame() noexcept with gil:
    """In the middle of a wait: nothing here may run bytecode or collect garbage, whose finalisers could draw."""
    cdef bint collects = PyGC_Disable()
    cdef void* type = NULL
    cdef void* value = NULL
    cdef void* traceback = NULL
    cdef uint32_t number = 0
    PyErr_Fetch(&type, &value, &traceback)
    try:
        number = find_line()
    except Exception:
        number = 0
    PyErr_Restore(type, value, traceback)
    if collects:
        PyGC_Enable()
    return number


cdef bint is_library(str path):
    return "/site-packages/" in path or "/dist-packages/" in path or path.startswith("<frozen") or path.startswith(STANDARD_LIBRARY)


cdef uint32_t find_line() except? 0:
    """The innermost line that is the program's own; beside it where that led, if it is another's."""
    cdef void* at = PyEval_GetFrame()
    if at == NULL:
        return 0
    innermost = <object>at
    frame = innermost
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        frame = innermost
    key = (frame.f_code.co_filename, frame.f_lineno, innermost.f_code.co_filename, innermost.f_lineno)
    number = _line_numbers.get(key)
    if number is None:
        number = _line_numbers[key] = keep_line(frame, innermost)
    return number


cdef uint32_t keep_line(frame, innermost) except? 0:
    global _line_count
    cdef char* line
    cdef char* at
    if _line_count + 1 >= LINES:
        return 0
    line = <char*>malloc(LINE_BYTES)
    if line == NULL:
        return 0
    at = put_text(line, b',"line":"')
    at = put_place(at, frame)
    if frame is not innermost:
        at = put_text(at, b'","through":"')
        at = put_place(at, innermost)
    at = put_text(at, b'"')
    at[0] = 0
    _line_count += 1
    _lines[_line_count] = line
    return _line_count


cdef char* put_place(char* at, frame) except NULL:
    cdef bytes path = (<str>frame.f_code.co_filename).encode("utf-8", "replace")
    at = put_escaped(at, path, LINE_BYTES // 2 - 60)
    at = put_text(at, b":")
    return put_number(at, <uint64_t>frame.f_lineno)


# -- the file ----------------------------------------------------------------------------------------------------------

cdef void send_text(Trace* trace) noexcept nogil:
    """Under out_lock."""
    cdef uint64_t at = 0
    cdef ssize_t wrote
    while at < trace.used and trace.failed == 0:
        wrote = write(trace.fd, trace.text + at, trace.used - at)
        if wrote >= 0:
            at += wrote
        elif errno != EINTR:
            trace.failed = errno
    trace.bytes += at
    trace.used = 0


cdef char* put_head(char* at, const char* phase, uint32_t process, uint32_t track, uint64_t ts) noexcept nogil:
    at = put_text(at, b'{"ph":"')
    at = put_text(at, phase)
    at = put_text(at, b'","pid":')
    at = put_number(at, process)
    at = put_text(at, b',"tid":')
    at = put_number(at, track)
    at = put_text(at, b',"ts":')
    return put_time(at, ts)


cdef char* put_span(char* at, uint32_t process, uint32_t track, uint64_t start, uint64_t end, const char* category) noexcept nogil:
    at = put_head(at, b"X", process, track, start)
    at = put_text(at, b',"dur":')
    at = put_time(at, end - start)
    at = put_text(at, b',"cat":"')
    at = put_text(at, category)
    return put_text(at, b'","name":"')


cdef char* put_call(char* at, uint32_t index) noexcept nogil:
    cdef const char* name = b"mgpipe"       # its own: a session that opens, or ends
    if index != NO_CALL and _name_of != NULL:
        name = _name_of(index)
    return put_text(at, name)


cdef char* put_slice(Trace* trace, char* at, uint32_t thread, const Slice* slice) noexcept nogil:
    cdef uint64_t start = slice.start - trace.began_ns, end = slice.end - trace.began_ns
    cdef uint32_t track = TRACK_THREADS + 2 * thread, kind = slice.kind
    if <int64_t>start < 0:                  # a call that was there before the trace
        start = 0
        end = max(<int64_t>end, <int64_t>0)
    if kind == KIND_EMIT or kind == KIND_APPLY or kind == KIND_GPU:
        if kind == KIND_EMIT:
            at = put_span(at, PROGRAM, track, start, end, b"emit")
        elif kind == KIND_APPLY:
            at = put_span(at, SERVER, TRACK_APPLY, start, end, b"apply")
        else:
            at = put_span(at, SERVER, TRACK_GPU, start, end, b"gpu")
        at = put_text(at, _operations[slice.name])
        if kind != KIND_GPU:                # the arrow between the two
            at = put_text(at, b'","bind_id":"')
            at = put_number(at, slice.value)
            if kind == KIND_EMIT:
                at = put_text(at, b'","flow_out":true')
            else:
                at = put_text(at, b'","flow_in":true')
        else:
            at = put_text(at, b'"')
        at = put_text(at, b',"args":{"ordinal":')
        at = put_number(at, slice.value)
        if slice.extra:
            at = put_text(at, b',"bytes":')
            at = put_number(at, slice.extra)
        return put_text(at, b"}},\n")
    if kind == KIND_CALL:
        at = put_span(at, PROGRAM, track, start, end, b"call")
        at = put_call(at, slice.name)
        at = put_text(at, b'","args":{"thread":')
        at = put_number(at, thread)
        if slice.line:
            at = put_text(at, _lines[slice.line])
        return put_text(at, b"}},\n")
    if kind == KIND_WAIT:
        at = put_span(at, PROGRAM, track, start, end, b"wait")
        at = put_text(at, b"wait: ")
        at = put_call(at, slice.name)
        at = put_text(at, b'","args":{"for":"')
        at = put_text(at, WAITS[slice.extra])
        at = put_text(at, b'"')
        if slice.line:
            at = put_text(at, _lines[slice.line])
        at = put_text(at, b"}},\n")
        if slice.extra == TRACE_WAIT_DRIVER or slice.extra == TRACE_WAIT_LOCK:
            return at
        at = put_span(at, PROGRAM, track + 1, start, end, b"link")
        at = put_text(at, b"waits for ")
        at = put_text(at, WAITS[slice.extra])
        at = put_text(at, b'"},\n')
        if slice.value > slice.start and slice.value <= slice.end:
            at = put_span(at, PROGRAM, track + 1, slice.value - trace.began_ns, end, b"link")
            at = put_text(at, b'parked"},\n')
        return at
    if kind == KIND_PUBLISH:
        at = put_head(at, b"i", PROGRAM, track + 1, start)
        at = put_text(at, b',"s":"t","cat":"link","name":"publish","args":{"bytes":')
        at = put_number(at, slice.value)
        at = put_text(at, b"}},\n")
        at = put_head(at, b"C", PROGRAM, track + 1, start)
        at = put_text(at, b',"name":"ring","args":{"bytes":')
        at = put_number(at, slice.extra)
        return put_text(at, b"}},\n")
    if kind == KIND_FRAME:
        at = put_span(at, PROGRAM, TRACK_FRAMES, start, end, b"frame")
        at = put_text(at, b"frame ")
        at = put_number(at, slice.value)
        return put_text(at, b'"},\n')
    at = put_span(at, PROGRAM, track, start, end, b"mgpipe")
    return put_text(at, b'the trace is written"},\n')


cdef void write_out(Trace* trace, Buffer* buffer, bint full) noexcept nogil:
    """Under the buffer's lock. A thread that had to stop for it says so in the trace."""
    cdef uint64_t began = clock_ns()
    cdef uint32_t i
    lock_acquire(&trace.out_lock)
    for i in range(buffer.count):
        if trace.failed or trace.bytes >= <uint64_t>FILE_BYTES_MOST:
            trace.dropped += buffer.count - i
            break
        trace.used = put_slice(trace, trace.text + trace.used, buffer.thread, &buffer.slices[i]) - trace.text
        if trace.used > TEXT_BYTES - EVENT_MOST:
            send_text(trace)
    send_text(trace)
    lock_release(&trace.out_lock)
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
    cdef Trace* trace = trace_of(session)
    cdef uint64_t part
    lock_acquire(&trace.out_lock)
    while size != 0 and trace.fd >= 0:
        part = min(size, <uint64_t>TEXT_BYTES - trace.used)
        memcpy(trace.text + trace.used, text, part)
        trace.used += part
        text += part
        size -= part
        send_text(trace)
    lock_release(&trace.out_lock)
    return trace.failed == 0


cdef void name_thread(Trace* trace, uint32_t thread) noexcept nogil:
    cdef char* at
    cdef uint32_t side
    lock_acquire(&trace.out_lock)
    for side in range(2):
        at = trace.text + trace.used
        at = put_head(at, b"M", PROGRAM, TRACK_THREADS + 2 * thread + side, 0)
        at = put_text(at, b',"name":"thread_name","args":{"name":"')
        if side:
            at = put_text(at, b"link")
        else:
            at = put_text(at, b"client")
        if thread:
            at = put_text(at, b", thread ")
            at = put_number(at, thread + 1)
        if side and not (<Link*>trace.session.link).has_rings:
            at = put_text(at, b" (none: calls are direct)")
        at = put_text(at, b'"}},\n')
        trace.used = at - trace.text
    send_text(trace)
    lock_release(&trace.out_lock)


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
    trace.fd = fd
    trace.began_ns = trace.frame_began_ns = trace.flushed_ns = clock_ns()
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
    lock_acquire(&trace.out_lock)
    if trace.open:
        store_relaxed32(&trace.open, 0)
        add32(&_open, <uint32_t>-1)
    if trace.fd >= 0:
        close(trace.fd)
        trace.fd = -1
    lock_release(&trace.out_lock)


cdef void trace_disown(Session* session) noexcept nogil:
    """The file is the parent's; its locks may be held by threads that are not here."""
    cdef Trace* trace = trace_of(session)
    if trace.open:
        trace.open = 0
        add32(&_open, <uint32_t>-1)
    if trace.fd >= 0:
        close(trace.fd)
        trace.fd = -1


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
    return {"bytes": trace.bytes, "dropped": trace.dropped, "refused": trace.refused, "errno": trace.failed}
