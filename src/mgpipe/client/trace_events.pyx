# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Slices become events, a line each: what ends early lacks its end and nothing else."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy
from posix.unistd cimport write
from pipe_snapshot cimport pipe_op_names

from mgpipe.client.trace_lines cimport line_text
from mgpipe.links.atomics cimport lock_acquire, lock_release

cdef extern from "trace_text.h" nogil:
    char* put_text(char* at, const char* text)
    char* put_number(char* at, uint64_t value)
    char* put_time(char* at, uint64_t ns)

cdef extern from "<errno.h>" nogil:
    int errno
    int EINTR

cdef enum:
    EVENT_MOST = 2048                   # bytes of the events of one slice
    FILE_BYTES_MOST = 1 << 30           # as large as viewers bear; what comes later is counted as dropped
    # Who a process of the file is, and its tracks; those of a thread lie behind one another.
    PROGRAM = 1
    SERVER = 2
    TRACK_FRAMES = 1
    TRACK_APPLY = 2
    TRACK_GPU = 3
    TRACK_THREADS = 10

cdef NameOf _name_of = NULL
cdef const char** WAITS = [b"room in the ring", b"an answer", b"records to be applied", b"records", b"the slot of an answer",
                           b"the socket to take more", b"memory: the server has not applied what uses it",
                           b"the server: as many frames as may are in flight", b"another thread of this session", b"the driver"]


cdef void events_name_of(NameOf name_of) noexcept nogil:
    global _name_of
    _name_of = name_of


cdef void events_write_slices(EventFile* file, uint32_t thread, const Slice* slices, uint32_t count) noexcept nogil:
    cdef uint32_t i
    lock_acquire(&file.lock)
    for i in range(count):
        if file.failed or file.bytes >= <uint64_t>FILE_BYTES_MOST:
            file.dropped += count - i
            break
        file.used = put_slice(file, file.text + file.used, thread, &slices[i]) - file.text
        if file.used > EVENT_TEXT_BYTES - EVENT_MOST:
            send_text(file)
    send_text(file)
    lock_release(&file.lock)


cdef bint events_write_text(EventFile* file, const char* text, uint64_t size) noexcept nogil:
    cdef uint64_t part
    lock_acquire(&file.lock)
    while size != 0 and file.fd >= 0:
        part = min(size, <uint64_t>EVENT_TEXT_BYTES - file.used)
        memcpy(file.text + file.used, text, part)
        file.used += part
        text += part
        size -= part
        send_text(file)
    lock_release(&file.lock)
    return file.failed == 0


cdef void events_name_thread(EventFile* file, uint32_t thread, bint has_rings) noexcept nogil:
    cdef char* at
    cdef uint32_t side
    lock_acquire(&file.lock)
    for side in range(2):
        at = file.text + file.used
        at = put_head(at, b"M", PROGRAM, TRACK_THREADS + 2 * thread + side, 0)
        at = put_text(at, b',"name":"thread_name","args":{"name":"')
        if side:
            at = put_text(at, b"link")
        else:
            at = put_text(at, b"client")
        if thread:
            at = put_text(at, b", thread ")
            at = put_number(at, thread + 1)
        if side and not has_rings:
            at = put_text(at, b" (none: calls are direct)")
        at = put_text(at, b'"}},\n')
        file.used = at - file.text
    send_text(file)
    lock_release(&file.lock)


# -- text ------------------------------------------------------------------------------------------------------------

cdef void send_text(EventFile* file) noexcept nogil:
    """Under the lock."""
    cdef uint64_t at = 0
    cdef ssize_t wrote
    while at < file.used and file.failed == 0:
        wrote = write(file.fd, file.text + at, file.used - at)
        if wrote >= 0:
            at += wrote
        elif errno != EINTR:
            file.failed = errno
    file.bytes += at
    file.used = 0


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
    if index != EVENT_NO_CALL and _name_of != NULL:
        name = _name_of(index)
    return put_text(at, name)


cdef char* put_slice(const EventFile* file, char* at, uint32_t thread, const Slice* slice) noexcept nogil:
    cdef uint64_t start = slice.start - file.began_ns, end = slice.end - file.began_ns
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
        at = put_text(at, pipe_op_names[slice.name])
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
            at = put_text(at, line_text(slice.line))
        return put_text(at, b"}},\n")
    if kind == KIND_WAIT:
        at = put_span(at, PROGRAM, track, start, end, b"wait")
        at = put_text(at, b"wait: ")
        at = put_call(at, slice.name)
        at = put_text(at, b'","args":{"for":"')
        at = put_text(at, WAITS[slice.extra])
        at = put_text(at, b'"')
        if slice.line:
            at = put_text(at, line_text(slice.line))
        at = put_text(at, b"}},\n")
        if slice.extra == TRACE_WAIT_DRIVER or slice.extra == TRACE_WAIT_LOCK:
            return at
        at = put_span(at, PROGRAM, track + 1, start, end, b"link")
        at = put_text(at, b"waits for ")
        at = put_text(at, WAITS[slice.extra])
        at = put_text(at, b'"},\n')
        if slice.value > slice.start and slice.value <= slice.end:
            at = put_span(at, PROGRAM, track + 1, slice.value - file.began_ns, end, b"link")
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
