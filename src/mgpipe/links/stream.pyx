# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Frames on a socket, and the client's end. See stream.pxd; the server's end is intake.pyx.

The client's program thread sends itself, whenever 4 KiB of records have gathered and 40 us passed, or 16 KiB, or somebody
flushes, straight from the ring and from the blocks where the bytes lie. Whoever waits for an answer reads the socket; of
several who wait one reads for all.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memmove, memset
from pipe cimport PIPE_MAX_EVENT, PIPE_OP_COUNT, pipe_Blob, pipe_blob_place, pipe_blob_places, pipe_record, pipe_reply

from mgpipe.links.arena cimport SEGMENT_REPLY, SEGMENT_SHADOW
from mgpipe.links.atomics cimport (add32, clock_ns, cpu_pause, current_cpu, exchange32, fence, futex_wait, futex_wake_all, load_relaxed,
                                   load_relaxed32, lock_acquire, lock_release, store_ordered32, store_relaxed32, store_release)
from mgpipe.links.packing cimport (PACK_HEADER, PACK_LIMIT, pack_kind, packer_free, packer_new, packer_pack, unpack, unpacker_free,
                                   unpacker_new)
from mgpipe.links.ring cimport (RING_CORRUPT, RING_STOPPED, RING_WAIT_SOCKET, Carrier, Observer, Ready, Ring, gil_let_go, gil_take_back, ring_attach,
                                ring_attend, ring_commit, ring_flush, ring_give_up, ring_has_room, ring_parks, ring_post_part, ring_post_reply,
                                ring_reserve, ring_set_applied)

cdef extern from "<errno.h>" nogil:
    int errno
    int EAGAIN, EINTR

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events, revents
    int poll(pollfd* descriptors, unsigned long count, int timeout_ms)
    short POLLIN, POLLOUT

cdef extern from "<sys/socket.h>" nogil:
    struct iovec:
        void* iov_base
        size_t iov_len
    struct msghdr:
        iovec* msg_iov
        size_t msg_iovlen
    int64_t recv(int fd, void* bytes, size_t size, int flags)
    int64_t sendmsg(int fd, const msghdr* message, int flags)
    int MSG_DONTWAIT, MSG_NOSIGNAL

cdef enum:
    REPLY_FRAME_BYTES = 40      # a pipe_reply
    COPIED_BYTES = 16384        # longer ones are sent from where they lie
    BATCH_BYTES = 65536         # of blobs that are sent before the records that name them: the server shall begin
    GAP_BYTES = 16              # staged contents lie so close: one frame for all, and what lies between goes along

cdef struct Span:               # of the shadow, gathered from blobs of one kind
    uint64_t low, high
    uint32_t kind

cdef inline uint64_t round8(uint64_t size) noexcept nogil:
    return (size + 7) & ~<uint64_t>7


# -- receiving ---------------------------------------------------------------------------------------------------------

cdef int received_init(Received* received, int fd) noexcept nogil:
    memset(received, 0, sizeof(Received))
    received.fd = fd
    received.spin_ns = SPIN_NS
    received.bytes = <uint8_t*>malloc(RECEIVE_BYTES)
    return 0 if received.bytes != NULL else -1


cdef void received_free(Received* received) noexcept nogil:
    free(received.bytes)
    received.bytes = NULL
    unpacker_free(received.unpacker)
    received.unpacker = NULL


cdef int received_more(Received* received) noexcept nogil:
    cdef int64_t got
    cdef bint direct = received.target_left != 0 and received.begin == received.end
    if received.begin == received.end:
        # What is next lies as it lay in the stream, modulo 8: after bytes that went elsewhere their padding is still to come.
        received.begin = received.end = (8 - received.padding_left) & 7 if received.target_left == 0 else 0
    elif received.begin != 0 and RECEIVE_BYTES - received.end < RECEIVE_BYTES // 2:
        memmove(received.bytes, received.bytes + received.begin, received.end - received.begin)
        received.end -= received.begin
        received.begin = 0
    if direct:
        got = recv(received.fd, received.target, received.target_left, MSG_DONTWAIT)
    else:
        got = recv(received.fd, received.bytes + received.end, min(RECEIVE_BYTES - received.end, <uint64_t>READ_BYTES), MSG_DONTWAIT)
    if got <= 0:
        return 0 if got < 0 and (errno == EAGAIN or errno == EINTR) else -1
    received.total += got
    if direct:
        received.target += got
        received.target_left -= got
    else:
        received.end += got
    return 1


cdef bint received_rest(Received* received) noexcept nogil:
    cdef uint64_t size
    if received.target_left != 0:
        size = min(received.target_left, received_bytes(received))
        memcpy(received.target, received.bytes + received.begin, size)
        received.target += size
        received.target_left -= size
        received.begin += size
        if received.target_left != 0:
            return False
    size = min(received.padding_left, received_bytes(received))
    received.padding_left -= size
    received.begin += size
    return received.padding_left == 0


cdef bint received_frame(Received* received, Frame* frame) noexcept nogil:
    if received_bytes(received) < sizeof(Frame):
        return False
    memcpy(frame, received.bytes + received.begin, sizeof(Frame))
    received.begin += sizeof(Frame)
    return True


cdef void received_into(Received* received, uint8_t* target, uint32_t size) noexcept nogil:
    received.target = target
    received.target_left = size
    received.padding_left = round8(size) - size


cdef int received_packed(Received* received, const Frame* frame, uint8_t* base, uint64_t ceiling) noexcept nogil:
    cdef uint32_t whole = 0
    cdef uint8_t* bytes
    if received.unpacker == NULL or frame.size <= PACK_HEADER or frame.size > PACK_LIMIT:
        return -1
    if received_bytes(received) < round8(frame.size):
        received.begin -= sizeof(Frame)
        return 0
    bytes = received.bytes + received.begin
    memcpy(&whole, bytes, sizeof(whole))
    if whole > PACK_LIMIT or frame.value > ceiling or whole > ceiling - frame.value:
        return -1
    if not unpack(received.unpacker, base + frame.value, whole, bytes + PACK_HEADER, frame.size - PACK_HEADER):
        return -1
    received.begin += round8(frame.size)
    return 1


# -- sending -----------------------------------------------------------------------------------------------------------

cdef int gathered_init(Gathered* gathered, int fd, int (*stuck)(void* self) noexcept nogil, void* self) noexcept nogil:
    memset(gathered, 0, sizeof(Gathered))
    gathered.fd = fd
    gathered.stuck = stuck
    gathered.self = self
    gathered.bytes = <uint8_t*>malloc(GATHER_BYTES)
    return 0 if gathered.bytes != NULL else -1


cdef void gathered_free(Gathered* gathered) noexcept nogil:
    free(gathered.bytes)
    gathered.bytes = NULL
    packer_free(gathered.packer)
    gathered.packer = NULL


cdef int compress(Gathered* gathered, Received* received, uint32_t mode) noexcept nogil:
    gathered.packer = packer_new(gathered.fd, mode)
    received.unpacker = unpacker_new()
    return 0 if gathered.packer != NULL and received.unpacker != NULL else -1


cdef int send_both(Gathered* gathered, const void* bytes, uint64_t size) noexcept nogil:
    """What is gathered and these bytes, in one call as far as the socket takes them."""
    cdef iovec[2] parts
    cdef msghdr message
    cdef int64_t sent
    cdef int reason, first = 0
    parts[0].iov_base = gathered.bytes
    parts[0].iov_len = gathered.size
    parts[1].iov_base = <void*>bytes
    parts[1].iov_len = size
    while parts[0].iov_len + parts[1].iov_len != 0:
        first = 0 if parts[0].iov_len != 0 else 1
        memset(&message, 0, sizeof(message))
        message.msg_iov = &parts[first]
        message.msg_iovlen = 2 - first
        sent = sendmsg(gathered.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL)
        if sent < 0:
            if errno != EAGAIN and errno != EINTR:
                return RING_STOPPED
            reason = gathered.stuck(gathered.self)
            if reason != 0:
                return reason
            continue
        gathered.total += sent
        for first in range(2):
            if <uint64_t>sent < parts[first].iov_len:
                parts[first].iov_base = <uint8_t*>parts[first].iov_base + sent
                parts[first].iov_len -= sent
                break
            sent -= parts[first].iov_len
            parts[first].iov_len = 0
    gathered.size = 0
    return 0


cdef int gathered_send(Gathered* gathered) noexcept nogil:
    return send_both(gathered, NULL, 0) if gathered.size != 0 else 0


cdef inline void gather(Gathered* gathered, const void* bytes, uint64_t size) noexcept nogil:
    memcpy(gathered.bytes + gathered.size, bytes, size)
    gathered.size += size


cdef int gathered_put(Gathered* gathered, uint16_t kind, uint16_t segment, uint64_t value, const void* bytes,
                      uint32_t size) noexcept nogil:
    cdef Frame frame
    cdef uint64_t zeros = 0, padding = round8(size) - size
    cdef uint64_t here = sizeof(Frame) + (size if size <= COPIED_BYTES else 0) + padding
    cdef int reason = 0
    if gathered.size + here > GATHER_BYTES:
        reason = gathered_send(gathered)
    frame.kind = kind
    frame.segment = segment
    frame.size = size
    frame.value = value
    gather(gathered, &frame, sizeof(frame))
    if size > COPIED_BYTES:
        if reason == 0:
            reason = send_both(gathered, bytes, size)
    elif size != 0:
        gather(gathered, bytes, size)
    gather(gathered, &zeros, padding)
    return reason


cdef int gathered_put_bytes(Gathered* gathered, uint32_t kind, uint16_t segment, uint64_t offset, const uint8_t* bytes,
                            uint64_t size) noexcept nogil:
    cdef uint32_t part, packed = 0
    cdef int reason = 0
    while size != 0 and reason == 0:
        part = <uint32_t>min(size, <uint64_t>FRAME_LIMIT)
        if gathered.packer != NULL:
            part = min(part, <uint32_t>PACK_LIMIT)
            packed = packer_pack(gathered.packer, kind, bytes, part)
        if packed != 0:
            reason = gathered_put(gathered, FRAME_PACKED, segment, offset, gathered.packer.bytes, packed)
        else:
            reason = gathered_put(gathered, FRAME_BYTES, segment, offset, bytes, part)
        bytes += part
        offset += part
        size -= part
    return reason


# -- the client's end: hearing -----------------------------------------------------------------------------------------

cdef int take_events(Stream* stream, const uint8_t* events, uint32_t size) noexcept nogil:
    """Into the client's own event ring; when that is full, `alive` drains it."""
    cdef pipe_record* header
    cdef uint8_t* at
    cdef int reason
    while size != 0:
        header = <pipe_record*>events
        if size < 8 or header.size < 8 or header.size & 7 or header.size > size or header.size > PIPE_MAX_EVENT:
            return RING_CORRUPT
        while not ring_has_room(&stream.arrivals, header.size):
            reason = ring_attend(stream.commands)
            if reason != 0:
                return reason
        at = ring_reserve(&stream.arrivals, header.size)
        if at == NULL:
            return RING_STOPPED
        memcpy(at, events, header.size)
        ring_commit(&stream.arrivals, header.size)
        events += header.size
        size -= header.size
    ring_flush(&stream.arrivals)
    return 0


cdef int take_frames(Stream* stream) noexcept nogil:
    """Everything that is whole. 0, or the reason why this stream is over."""
    cdef Received* received = &stream.received
    cdef Frame frame
    cdef pipe_reply reply
    cdef uint64_t done = 0
    cdef int reason
    while received_rest(received) and received_frame(received, &frame):
        if frame.kind == FRAME_BYTES:
            if (frame.segment != SEGMENT_REPLY or frame.size > FRAME_LIMIT or frame.value > stream.reply_size
                    or frame.size > stream.reply_size - frame.value):
                return RING_CORRUPT
            received_into(received, stream.reply + frame.value, frame.size)
            continue
        if frame.kind == FRAME_PACKED and frame.segment == SEGMENT_REPLY:
            reason = received_packed(received, &frame, stream.reply, stream.reply_size)
            if reason == 0:
                return 0
            if reason < 0:
                return RING_CORRUPT
            continue
        if frame.size > RECEIVE_BYTES // 2 or frame.size & 7:
            return RING_CORRUPT
        if received_bytes(received) < frame.size:       # not whole yet: it is read again with its header
            received.begin -= sizeof(Frame)
            return 0
        if frame.kind == FRAME_APPLIED and frame.size == 0:
            ring_set_applied(stream.commands, frame.value)
        elif frame.kind == FRAME_REPLY and frame.size == sizeof(pipe_reply):
            memcpy(&reply, received.bytes + received.begin, sizeof(reply))
            ring_post_reply(stream.commands, frame.value, &reply)
        elif frame.kind == FRAME_PART and frame.size == sizeof(done):
            memcpy(&done, received.bytes + received.begin, sizeof(done))
            ring_post_part(stream.commands, frame.value, done)
        elif frame.kind == FRAME_EVENTS:
            reason = take_events(stream, received.bytes + received.begin, frame.size)
            if reason != 0:
                return reason
        else:
            return RING_CORRUPT
        received.begin += frame.size
    return 0


cdef int hear(Stream* stream) noexcept nogil:
    """By the thread that holds `hearing`. 1: something came, 0: nothing; else the reason why this stream is over."""
    cdef int got, reason, heard = 0
    if stream.ended != 0:
        return stream.ended
    while True:
        got = received_more(&stream.received)
        if got == 0:
            return heard
        reason = take_frames(stream) if got > 0 else RING_STOPPED
        if reason != 0:
            stream.ended = reason
            return reason
        heard = 1


cdef inline bint try_hearing(Stream* stream) noexcept nogil:
    return exchange32(&stream.hearing, 1) == 0


cdef void stop_hearing(Stream* stream) noexcept nogil:
    store_ordered32(&stream.hearing, 0)
    fence()
    if load_relaxed32(&stream.others) != 0:
        futex_wake_all(&stream.hearing)


cdef int listen(Stream* stream, int timeout_ms, bint writable) noexcept nogil:
    """Until something comes, or the socket takes more. As `hear`; 1 also when it is writable now."""
    cdef pollfd watched
    cdef int got
    watched.fd = stream.received.fd
    watched.events = POLLIN | (POLLOUT if writable else 0)
    watched.revents = 0
    if poll(&watched, 1, timeout_ms) <= 0:
        return 0
    if watched.revents & ~POLLOUT:
        got = hear(stream)
        if got != 0 and got != 1:
            return got
    return 1


cdef void stream_hear(Carrier* carrier, Ring* ring) noexcept nogil:
    cdef Stream* stream = <Stream*>carrier
    cdef int got
    if not try_hearing(stream):
        return                  # another thread hears for us
    got = hear(stream)
    stop_hearing(stream)
    if got != 0 and got != 1:
        ring_give_up(ring, got)


cdef int stream_wait(Carrier* carrier, Ring* ring, Ready ready, uint64_t what) noexcept nogil:
    cdef Stream* stream = <Stream*>carrier
    cdef uint64_t started = clock_ns()
    cdef uint64_t until = started + load_relaxed(&stream.received.spin_ns)
    cdef void* gil
    cdef int got, reason
    while not ready(ring, what) and clock_ns() < until:
        stream_hear(carrier, ring)
        cpu_pause()
    if ready(ring, what):
        received_waited(&stream.received, clock_ns() - started)
        return <int32_t>load_relaxed32(<uint32_t*>&ring.dead)
    ring_parks(ring)
    gil = gil_let_go()
    while True:
        reason = <int32_t>load_relaxed32(<uint32_t*>&ring.dead)
        if ready(ring, what) or reason != 0:
            break
        got = 0
        if try_hearing(stream):
            got = listen(stream, SLICE_MS, False)
            stop_hearing(stream)
            if got != 0 and got != 1:
                reason = ring_give_up(ring, got)
                break
        else:
            add32(&stream.others, 1)
            futex_wait(&stream.hearing, 1, <uint64_t>SLICE_MS * 1000000)
            add32(&stream.others, <uint32_t>-1)
        if got == 0 and not ready(ring, what):
            reason = ring_attend(ring)
            if reason != 0:
                break
    gil_take_back(gil)
    received_waited(&stream.received, clock_ns() - started)
    return reason


# -- the client's end: carrying ----------------------------------------------------------------------------------------

cdef int stuck(void* self) noexcept nogil:
    """The socket takes no more. The server may be waiting for us to hear what it says, so that is done meanwhile."""
    cdef Stream* stream = <Stream*>self
    cdef Observer* observer = stream.commands.observer
    cdef void* gil
    cdef int got = 0
    if observer != NULL:
        observer.begins(observer, RING_WAIT_SOCKET)
    gil = gil_let_go()
    if try_hearing(stream):
        got = listen(stream, SLICE_MS, True)
        stop_hearing(stream)
    else:
        futex_wait(&stream.hearing, 1, 1000000)
    if got == 0:
        got = ring_attend(stream.commands)
    gil_take_back(gil)
    if observer != NULL:
        observer.ends(observer)
    return got if got != 1 else 0


cdef int put_span(Stream* stream, Span* span) noexcept nogil:
    cdef uint64_t low = span.low, size = span.high - span.low
    span.low = span.high = 0
    return gathered_put_bytes(&stream.gathered, span.kind, SEGMENT_SHADOW, low, stream.shadow + low, size) if size != 0 else 0


cdef int put_blobs(Stream* stream, const uint8_t* record, const pipe_blob_place* place, Span* span) noexcept nogil:
    """Into the span if they lie behind what is in it; else that goes out, and they begin a new one.

    Bytes between two blobs are as the server may have them: nothing that a record in flight names is ever overwritten.
    """
    cdef const pipe_Blob* blob
    cdef uint32_t i, kind = pack_kind(record)
    cdef int reason = 0
    for i in range(place.count):
        blob = <const pipe_Blob*>(record + place.offsets[i])
        if blob.size == 0 or blob.segment != SEGMENT_SHADOW or reason != 0:
            continue
        if blob.offset - span.high >= GAP_BYTES or kind != span.kind or span.high == 0:     # unsigned: before it, too
            reason = put_span(stream, span)
            span.low = blob.offset
            span.kind = kind
        span.high = blob.offset + blob.size
        stream.batch += blob.size
    return reason


cdef bint stream_forget(void* self, uint64_t offset, uint64_t size) noexcept nogil:
    """By any thread that frees a block: what another carries just now stays in order."""
    cdef Stream* stream = <Stream*>self
    cdef bint room
    lock_acquire(&stream.forgotten_lock)
    room = stream.forgotten_count < FORGET_SLOTS
    if room:
        stream.forgotten[stream.forgotten_count][0] = offset
        stream.forgotten[stream.forgotten_count][1] = size
        store_relaxed32(&stream.forgotten_count, stream.forgotten_count + 1)
    lock_release(&stream.forgotten_lock)
    return room


cdef int put_forgotten(Stream* stream) noexcept nogil:
    """Before all records: whoever took such pages again did so before the record that names them was published."""
    cdef uint32_t i
    cdef int reason = 0
    lock_acquire(&stream.forgotten_lock)
    for i in range(stream.forgotten_count):
        if reason == 0:
            reason = gathered_put(&stream.gathered, FRAME_FORGET, SEGMENT_SHADOW, stream.forgotten[i][0],
                                  &stream.forgotten[i][1], 8)
    store_relaxed32(&stream.forgotten_count, 0)
    lock_release(&stream.forgotten_lock)
    return reason


cdef inline const uint8_t* record_at(Ring* ring, uint64_t cursor) noexcept nogil:
    return ring.data + ((cursor - ring.base) & ring.mask)


cdef int put_batch_bytes(Stream* stream, Ring* ring, uint64_t* end) noexcept nogil:
    """The bytes of the next records, of so many that it is worth sending those as well: up to `end`."""
    cdef const pipe_blob_place* place
    cdef const uint8_t* record
    cdef Span span
    cdef uint16_t op
    cdef int reason = 0
    span.low = span.high = span.kind = 0
    stream.batch = 0
    end[0] = stream.carried
    while end[0] != ring.published and stream.batch < BATCH_BYTES and reason == 0:
        record = record_at(ring, end[0])
        op = (<const pipe_record*>record).op
        if 0 < op <= PIPE_OP_COUNT:
            place = &pipe_blob_places[op]
            if place.count != 0 and not place.into:
                reason = put_blobs(stream, record, place, &span)
        end[0] += (<const pipe_record*>record).size
    return reason if reason != 0 else put_span(stream, &span)


cdef int put_batch_records(Stream* stream, Ring* ring, uint64_t end, uint64_t works_on) noexcept nogil:
    """In runs: padding up to the end of the ring's memory is left out."""
    cdef const uint8_t* record
    cdef const uint8_t* run = NULL
    cdef uint32_t run_size = 0
    cdef int reason = 0
    while stream.carried != end and reason == 0:
        record = record_at(ring, stream.carried)
        if run_size != 0 and ((<const pipe_record*>record).op == 0 or run + run_size != record):
            reason = gathered_put(&stream.gathered, FRAME_RECORDS, 0, works_on, run, run_size)
            run_size = 0
        if (<const pipe_record*>record).op != 0:
            if run_size == 0:
                run = record
            run_size += (<const pipe_record*>record).size
        stream.carried += (<const pipe_record*>record).size
    return gathered_put(&stream.gathered, FRAME_RECORDS, 0, works_on, run, run_size) if reason == 0 and run_size != 0 else reason


cdef void carry(Carrier* carrier, Ring* ring, bint goes_on) noexcept nogil:
    """Everything published, in batches: the bytes that its blobs refer to, then the records."""
    cdef Stream* stream = <Stream*>carrier
    cdef uint64_t end = 0, works_on = 0
    cdef uint64_t now_ns = clock_ns()
    cdef int reason = <int32_t>load_relaxed32(<uint32_t*>&ring.dead)
    if goes_on and now_ns - stream.carried_ns < CARRY_NS and ring.published - stream.carried < CARRY_BYTES:
        ring.belled = stream.carried        # not yet: asked again at the next publication
        return
    stream.carried_ns = now_ns
    if goes_on:
        works_on = GOES_ON + 1 + current_cpu() if stream.near else GOES_ON
    if reason == 0 and load_relaxed32(&stream.forgotten_count) != 0:
        reason = put_forgotten(stream)
    while stream.carried != ring.published and reason == 0:
        reason = put_batch_bytes(stream, ring, &end)
        if reason == 0:
            reason = put_batch_records(stream, ring, end, works_on)
    if reason == 0:
        reason = gathered_send(&stream.gathered)
    if reason != 0:
        ring_give_up(ring, reason)
    store_release(&ring.page.tail, ring.published)      # of a ring that is dead, too: nobody shall wait for room


cdef Stream* stream_new(int fd, Ring* commands, Ring* events, uint8_t* shadow, uint8_t* reply, uint64_t reply_size) noexcept nogil:
    cdef Stream* stream = <Stream*>calloc(1, sizeof(Stream))
    if stream == NULL:
        return NULL
    if received_init(&stream.received, fd) != 0 or gathered_init(&stream.gathered, fd, stuck, stream) != 0:
        stream_free(stream)
        return NULL
    stream.carrier.carry = carry
    stream.carrier.wait = stream_wait
    stream.carrier.hear = stream_hear
    stream.commands = commands
    stream.shadow = shadow
    stream.reply = reply
    stream.reply_size = reply_size
    ring_attach(&stream.arrivals, events.page, events.data, events.capacity, events.ceiling, NULL, NULL)
    commands.carrier = &stream.carrier
    commands.bell_distance = CARRY_LEAST_BYTES
    return stream


cdef void stream_free(Stream* stream) noexcept nogil:
    received_free(&stream.received)
    gathered_free(&stream.gathered)
    free(stream)
