# Frames of a socket. Targets `stream`, `stream_session`, and `gl` and `gles`, which draw; part of targets.pyx.

cdef extern from "<sys/socket.h>" nogil:
    int socketpair(int domain, int type, int protocol, int* pair)
    int AF_UNIX, SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC

cdef struct Wire:
    Bench bench
    Intake intake
    int client                  # the other end of the socket
    uint32_t stop
    uint64_t ordinal

cdef void drain(int client) noexcept nogil:
    cdef uint8_t[65536] bytes
    while read(client, bytes, sizeof(bytes)) == sizeof(bytes):
        pass


cdef void wire_open(Wire* wire) noexcept nogil:
    cdef char error[256]
    cdef int pair[2]
    memset(wire, 0, sizeof(Wire))
    if socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0:
        wrong(b"no socket")
    segments_make(&wire.bench.segments)
    wire.client = pair[1]
    if intake_init(&wire.intake, pair[0], &wire.bench.segments, &wire.stop) != 0:
        wrong(b"no memory")
    wire.bench.applier = applier_new(driver, &wire.bench.segments, intake_push, &wire.intake, error, sizeof(error))
    if wire.bench.applier == NULL:
        wrong(error)
    tally.sessions += 1


cdef void wire_close(Wire* wire) noexcept nogil:
    cdef int server = wire.intake.received.fd
    bench_close(&wire.bench)
    intake_free(&wire.intake)
    close(server)
    close(wire.client)


cdef bint serve(Wire* wire) noexcept nogil:
    """As the apply loop does, with what has come. False: the session is over."""
    cdef uint8_t* record = NULL
    cdef pipe_reply reply
    cdef int64_t size
    cdef bint came = True
    cdef int result
    while True:
        if intake_wait_for(&wire.intake, 0, &came) != 0:
            return False
        if not came:
            drain(wire.client)
            return True
        while True:
            size = intake_take(&wire.intake, &record)
            if size < 0:
                return False
            if size == 0:
                break
            wire.ordinal += 1
            memset(&reply, 0, sizeof(reply))
            reply.status = -1
            result = applier_apply(wire.bench.applier, record, <uint32_t>size, &reply)
            note(&wire.bench, wire.bench.applier, record, <uint32_t>size, result)
            if result == 0 and reply.status != -1:
                intake_answer(&wire.intake, wire.ordinal, record, &reply)
            intake_note_applied(&wire.intake, wire.ordinal)
            drain(wire.client)
            if result != 0:
                return False


cdef bint deliver(Wire* wire, const uint8_t* data, uint64_t size, uint64_t piece) noexcept nogil:
    """In pieces: frames are torn anywhere."""
    cdef uint64_t one
    while size:
        one = min(size, piece)
        if write(wire.client, data, one) != <int64_t>one:
            wrong(b"a socket took less than it holds")
        data += one
        size -= one
        if not serve(wire):
            return False
    return True


cdef int target_stream(const uint8_t* data, size_t size) noexcept nogil:
    """The input is what a client sends, after one byte that says how it is torn, and whether bytes may be compressed."""
    cdef Wire wire
    if size == 0:
        return 0
    wire_open(&wire)
    if data[0] & 1 and pack_available() and compress(&wire.intake.gathered, &wire.intake.received, PACK_ALWAYS) != 0:
        wrong(b"no memory")
    deliver(&wire, data + 1, size - 1, (8 + 61 * <uint64_t>data[0]))
    wire_close(&wire)
    return 0


cdef uint64_t frame_bytes(const uint8_t* data, uint64_t left) noexcept nogil:
    """Of the frame there, with its header; what is left, where no frame is."""
    cdef Frame frame
    if left < sizeof(Frame):
        return left
    memcpy(&frame, data, sizeof(Frame))
    return min(left, sizeof(Frame) + ((<uint64_t>frame.size + 7) & ~<uint64_t>7))


cdef size_t mutate_frames(uint8_t* data, size_t size, size_t most, unsigned int seed_of) noexcept nogil:
    """Now and then as libFuzzer does, else as something that knows frames: one is doubled, left out, or changed in a word."""
    cdef uint64_t seed = seed_of + <uint64_t>1
    cdef uint64_t at = 1, count = 0, wanted, length = 0, place
    cdef uint32_t word, way
    if size < 64 or random_word(&seed) % 8 == 0:
        return LLVMFuzzerMutate(data, size, most)
    while at < size:
        at += frame_bytes(data + at, size - at)
        count += 1
    way = <uint32_t>(random_word(&seed) % 8)
    wanted = random_word(&seed) % count
    at = 1
    while True:
        length = frame_bytes(data + at, size - at)
        if wanted == 0:
            break
        wanted -= 1
        at += length
    if way == 0 and size + length <= most:
        memmove(data + at + length, data + at, size - at)
        return size + length
    if way == 1:
        memmove(data + at, data + at + length, size - at - length)
        return size - length
    if length < sizeof(Frame) + 16:
        return size
    place = at + sizeof(Frame) + 8 + 4 * (random_word(&seed) % ((length - sizeof(Frame) - 8) // 4))
    if place + 4 > size:
        return size
    if way < 5:
        writer_begin(&writer, NULL, 0, random_word(&seed) | 1)
        word = <uint32_t>telling(&writer)
    elif way == 5:
        word = <uint32_t>(random_word(&seed) % 4096)
    else:               # what another word says, which may be a handle, a format, a size
        memcpy(&word, data + 1 + random_word(&seed) % (size - 4), 4)
    memcpy(data + place, &word, 4)
    return size


cdef void put_frame(uint8_t* out, uint64_t* used, uint16_t kind, uint16_t segment, uint64_t value, const uint8_t* bytes,
                    uint64_t size) noexcept nogil:
    cdef Frame* frame = <Frame*>(out + used[0])
    frame.kind = kind
    frame.segment = segment
    frame.size = <uint32_t>size
    frame.value = value
    used[0] += sizeof(Frame)
    memcpy(out + used[0], bytes, size)
    memset(out + used[0] + size, 0, (8 - size % 8) % 8)
    used[0] += (size + 7) & ~<uint64_t>7


cdef enum:
    OUT_BYTES = 393216

cdef void stream_session(Wire* wire, uint8_t* out, uint32_t records) noexcept nogil:
    """A valid-looking session in frames, some of them damaged."""
    cdef const pipe_blob_place* place
    cdef pipe_Blob* blob
    cdef uint64_t used = 0, at, length, piece = 64 + 64 * below(&writer.choices, 256)
    cdef uint32_t rarity = how_rare(&writer.choices)
    cdef uint32_t i, j
    writer.verifying = one_in(&writer.choices, 4)
    for i in range(records):
        if ended(&writer.choices):
            break
        if not write_record(&writer):
            continue
        at = used
        place = &pipe_blob_places[(<pipe_record*>writer.record).op]
        for j in range(place.count):
            blob = <pipe_Blob*>(writer.record + place.offsets[j])
            length = min(blob.size, <uint64_t>4096)
            if not place.into and length and blob.segment == PIPE_SEGMENT_SHADOW and one_in(&writer.choices, 2):
                put_frame(out, &used, FRAME_BYTES, PIPE_SEGMENT_SHADOW, blob.offset,
                          wire.bench.segments.base[PIPE_SEGMENT_SHADOW] + blob.offset, length)
        if rarity != 0 and one_in(&writer.choices, rarity):
            damage(&writer)
            tally.damaged += 1
        put_frame(out, &used, FRAME_RECORDS, 0, 0, writer.record, writer.size)
        if rarity != 0 and one_in(&writer.choices, 2 * rarity):
            length = telling(&writer)
            memcpy(out + at + 4 * below(&writer.choices, 4), &length, 4)
            tally.damaged += 1
        if used > 65536:
            if not deliver(wire, out, used, piece):
                return
            used = 0
    deliver(wire, out, used, piece)


cdef int target_stream_session(const uint8_t* data, size_t size) noexcept nogil:
    """The input is choices, as for `session`."""
    cdef uint8_t* out = <uint8_t*>malloc(OUT_BYTES)
    cdef Wire wire
    writer_begin(&writer, data, size, 0)
    wire_open(&wire)
    stream_session(&wire, out, SESSION_RECORDS)
    wire_close(&wire)
    free(out)
    return 0
