# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""See intake.pxd, and stream.pxd for the frames."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from pipe cimport (PIPE_MAX_EVENT, PIPE_MAX_RECORD, PIPE_OP_COUNT, PIPE_REPLY_OK, pipe_Blob, pipe_blob_place,
                   pipe_blob_places, pipe_record, pipe_reply)

from mgpipe.links.arena cimport SEGMENT_REPLY, SEGMENT_SHADOW
from mgpipe.links.atomics cimport clock_ns, cpu_pause, load_acquire32, load_relaxed
from mgpipe.links.extents cimport UNIT
from mgpipe.links.events cimport event_bytes, event_write
from mgpipe.links.packing cimport pack_kind
from mgpipe.links.ring cimport RING_CORRUPT, RING_STOPPED
from mgpipe.links.segments cimport segment_bytes
from mgpipe.links.stream cimport (FRAME_APPLIED, FRAME_BYTES, FRAME_EVENTS, FRAME_FORGET, FRAME_LIMIT, FRAME_PACKED, FRAME_PART,
                                  FRAME_RECORDS, FRAME_REPLY, GOES_ON, SLICE_MS, Frame, Gathered, Received, gathered_free, gathered_init, gathered_put,
                                  gathered_put_bytes, gathered_send, received_bytes, received_frame, received_free,
                                  received_init, received_into, received_more, received_packed, received_rest, received_waited)

cdef extern from "atomics.h" nogil:     # for _GNU_SOURCE, before the system's headers
    pass
cdef extern from "<sys/mman.h>" nogil:
    int madvise(void* address, size_t size, int advice)
    enum: MADV_DONTNEED

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events, revents
    int poll(pollfd* descriptors, unsigned long count, int timeout_ms)
    short POLLIN, POLLOUT

cdef extern from "placement.h" nogil:
    void placement_own_begin(OwnPlacement* own)
    void placement_own_end(OwnPlacement* own)
    void placement_own_part(OwnPlacement* own, uint32_t cpu)
    void placement_own_join(OwnPlacement* own)
    void placement_own_judge(OwnPlacement* own)

cdef enum:
    TELL_EVERY = 1024           # records applied between two watermarks, while more keep coming: a frame of many draws
    TELL_BYTES = 1 << 20        # or bytes received: the client keeps what it sent until it hears

cdef int stuck(void* self) noexcept nogil:
    """A client that does not listen stalls its own session, without limit; it still may be ended."""
    cdef Intake* intake = <Intake*>self
    cdef pollfd watched
    watched.fd = intake.received.fd
    watched.events = POLLOUT
    poll(&watched, 1, SLICE_MS)
    return RING_STOPPED if load_acquire32(intake.stop) != 0 else 0


cdef int intake_init(Intake* intake, int fd, Segments* segments, uint32_t* stop) noexcept nogil:
    memset(intake, 0, sizeof(Intake))
    intake.segments = segments
    intake.stop = stop
    intake.parks = &intake.counted
    intake.placement.line = -1
    if received_init(&intake.received, fd) != 0 or gathered_init(&intake.gathered, fd, stuck, intake) != 0:
        intake_free(intake)
        return -1
    return 0


cdef void intake_place(Intake* intake) noexcept nogil:
    placement_own_begin(&intake.placement)


cdef void intake_free(Intake* intake) noexcept nogil:
    received_free(&intake.received)
    gathered_free(&intake.gathered)
    placement_own_end(&intake.placement)


cdef inline int end(Intake* intake, int reason) noexcept nogil:
    if intake.ended == 0 and reason != 0:
        intake.ended = reason
    return intake.ended


cdef int say(Intake* intake) noexcept nogil:
    """What the client should know before we sleep."""
    cdef int reason = 0
    if intake.applied != intake.told:
        intake.told = intake.applied
        intake.told_total = intake.received.total
        reason = gathered_put(&intake.gathered, FRAME_APPLIED, 0, intake.applied, NULL, 0)
    if reason == 0:
        reason = gathered_send(&intake.gathered)
    return end(intake, reason)


cdef int wait(Intake* intake, int limit_ms, bint* came) noexcept nogil:
    """`limit_ms` -1: until something comes. While the client goes on working it hears nothing before we sleep: most often
    more has come by then."""
    cdef uint64_t started, until
    cdef pollfd watched
    cdef bint slept = False
    cdef int got = 0
    if intake.ended != 0 or (intake.goes_on == 0 and say(intake) != 0):
        return intake.ended
    placement_own_judge(&intake.placement)
    watched.fd = intake.received.fd
    watched.events = POLLIN
    started = clock_ns()
    until = started + load_relaxed(&intake.received.spin_ns)
    while load_acquire32(intake.stop) == 0:
        got = received_more(&intake.received)
        if got != 0:
            break
        if clock_ns() < until:
            cpu_pause()
            continue
        if slept and limit_ms >= 0:
            break
        if not slept and say(intake) != 0:
            return intake.ended
        intake.parks[0] += not slept
        slept = True
        if poll(&watched, 1, SLICE_MS if limit_ms < 0 else limit_ms) == 0 and limit_ms < 0:
            placement_own_join(&intake.placement)       # whoever comes back after a pause is no longer at work
    received_waited(&intake.received, clock_ns() - started)
    came[0] = got > 0
    return end(intake, 0 if got > 0 or (got == 0 and limit_ms >= 0) else RING_STOPPED)


cdef int intake_wait(Intake* intake) noexcept nogil:
    cdef bint came = False
    return wait(intake, -1, &came)


cdef int intake_wait_for(Intake* intake, int limit_ms, bint* came) noexcept nogil:
    came[0] = False
    return wait(intake, limit_ms, came)


cdef bint begin_bytes(Intake* intake, const Frame* frame) noexcept nogil:
    """False: the frame names memory that is not the client's."""
    cdef uint64_t ceiling = intake.segments.ceiling[SEGMENT_SHADOW]
    if (frame.segment != SEGMENT_SHADOW or frame.size > FRAME_LIMIT or frame.value > ceiling
            or frame.size > ceiling - frame.value):
        return False
    received_into(&intake.received, intake.segments.base[SEGMENT_SHADOW] + frame.value, frame.size)
    return True


cdef bint forget(Intake* intake, uint64_t offset, uint64_t size) noexcept nogil:
    """Pages that the client gave back. False: they are not whole, or not the client's."""
    cdef uint64_t ceiling = intake.segments.ceiling[SEGMENT_SHADOW]
    if offset > ceiling or size > ceiling - offset or (offset | size) & (UNIT - 1) != 0:
        return False
    madvise(intake.segments.base[SEGMENT_SHADOW] + offset, size, MADV_DONTNEED)
    return True


cdef int64_t intake_take(Intake* intake, uint8_t** record) noexcept nogil:
    cdef Received* received = &intake.received
    cdef pipe_record* header
    cdef Frame frame
    cdef uint64_t size = 0
    cdef int done
    while intake.ended == 0 and received_rest(received):
        if intake.records_left == 0:
            if not received_frame(received, &frame):
                return 0
            if frame.kind == FRAME_FORGET:
                if frame.size != sizeof(size) or frame.segment != SEGMENT_SHADOW:
                    return end(intake, RING_CORRUPT)
                if received_bytes(received) < frame.size:       # not whole yet: it is read again with its header
                    received.begin -= sizeof(Frame)
                    return 0
                memcpy(&size, received.bytes + received.begin, sizeof(size))
                received.begin += frame.size
                if not forget(intake, frame.value, size):
                    return end(intake, RING_CORRUPT)
                continue
            if frame.kind == FRAME_PACKED and frame.segment == SEGMENT_SHADOW:
                done = received_packed(received, &frame, intake.segments.base[SEGMENT_SHADOW],
                                       intake.segments.ceiling[SEGMENT_SHADOW])
                if done == 0:
                    return 0
                if done < 0:
                    return end(intake, RING_CORRUPT)
                continue
            if frame.kind == FRAME_RECORDS and frame.size != 0 and frame.size & 7 == 0:
                intake.records_left = frame.size
                intake.goes_on = frame.value
                if frame.value > GOES_ON:
                    intake.worked = True
                    placement_own_part(&intake.placement, <uint32_t>(frame.value - GOES_ON - 1))
            elif frame.kind != FRAME_BYTES or not begin_bytes(intake, &frame):
                return end(intake, RING_CORRUPT)
            continue
        if received_bytes(received) < sizeof(pipe_record):
            return 0
        header = <pipe_record*>(received.bytes + received.begin)
        if (header.op == 0 or header.size < sizeof(pipe_record) or header.size & 7 or header.size > PIPE_MAX_RECORD
                or header.size > intake.records_left):
            return end(intake, RING_CORRUPT)
        if received_bytes(received) < header.size:
            return 0
        record[0] = <uint8_t*>header
        received.begin += header.size
        intake.records_left -= header.size
        return header.size
    return intake.ended


cdef void intake_note_applied(Intake* intake, uint64_t ordinal) noexcept nogil:
    intake.applied = ordinal
    if ordinal - intake.told >= TELL_EVERY or intake.received.total - intake.told_total >= TELL_BYTES:
        say(intake)


cdef int put_answer(Intake* intake, const uint8_t* record, uint64_t done) noexcept nogil:
    """Of the memory that the record named for its answer, what has not been sent yet of the first `done` bytes."""
    cdef const pipe_blob_place* place = &pipe_blob_places[(<const pipe_record*>record).op]
    cdef const pipe_Blob* into = <const pipe_Blob*>(record + place.offsets[0])
    cdef const uint8_t* bytes
    cdef uint64_t sent = intake.answered
    if not place.into or into.segment != SEGMENT_REPLY or min(done, into.size) <= sent:
        return 0
    bytes = segment_bytes(intake.segments, into)
    if bytes == NULL:
        return 0
    intake.answered = min(done, into.size)
    return gathered_put_bytes(&intake.gathered, pack_kind(record), SEGMENT_REPLY, into.offset + sent, bytes + sent,
                              intake.answered - sent)


cdef void intake_answer_part(Intake* intake, uint64_t ordinal, const uint8_t* record, uint64_t done) noexcept nogil:
    cdef int reason = put_answer(intake, record, done)
    if reason == 0:
        reason = gathered_put(&intake.gathered, FRAME_PART, 0, ordinal, &intake.answered, sizeof(intake.answered))
    if reason == 0:
        reason = gathered_send(&intake.gathered)
    end(intake, reason)


cdef void intake_answer(Intake* intake, uint64_t ordinal, const uint8_t* record, const pipe_reply* reply) noexcept nogil:
    cdef int reason = 0
    intake.applied = intake.told = ordinal
    intake.told_total = intake.received.total
    if reply.status == PIPE_REPLY_OK:
        reason = put_answer(intake, record, <uint64_t>-1)
    intake.answered = 0
    if reason == 0:
        reason = gathered_put(&intake.gathered, FRAME_APPLIED, 0, ordinal, NULL, 0)
    if reason == 0:
        reason = gathered_put(&intake.gathered, FRAME_REPLY, 0, ordinal, reply, sizeof(pipe_reply))
    if reason == 0:
        reason = gathered_send(&intake.gathered)
    end(intake, reason)
    if not intake.worked:           # it only ever waits for us: on its CPU we are woken soonest
        placement_own_join(&intake.placement)
    intake.worked = False


cdef void intake_push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil:
    cdef Intake* intake = <Intake*>self
    cdef uint8_t[PIPE_MAX_EVENT] event
    cdef uint32_t whole = event_bytes(size, tail_size)
    if whole > PIPE_MAX_EVENT or intake.ended != 0:
        return
    event_write(event, op, payload, size, tail, tail_size)
    if end(intake, gathered_put(&intake.gathered, FRAME_EVENTS, 0, 0, event, whole)) == 0:
        end(intake, gathered_send(&intake.gathered))
