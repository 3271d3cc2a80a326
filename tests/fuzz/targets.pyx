# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What is fuzzed: the applier, the ring and the stream's intake over the null back end, and the translator of shaders.

`run` hands a target to libFuzzer. `soak` makes as many records as it is asked for from a seed, without it. `pour` and `shake`
are a hostile client of a session that runs beside them: see test_shaken.py. See fuzzing.py for how all this is built and run.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, calloc, free, malloc
from libc.string cimport memcpy, memmove, memset
from posix.unistd cimport close, read, write
from pipe cimport *
from fuzz_grammar cimport *
from pipe_snapshot cimport pipe_verb_sections

from mgpipe.links.atomics cimport clock_ns, cpu_pause, load_relaxed, store_release
from mgpipe.links.intake cimport (Intake, intake_answer, intake_free, intake_init, intake_note_applied, intake_push, intake_take,
                                  intake_wait_for)
from mgpipe.links.ring cimport (ControlPage, Ring, ring_attach, ring_commit, ring_flush, ring_has_room, ring_note_applied,
                                ring_page_init, ring_poll_records, ring_post_reply, ring_reserve, ring_take)
from mgpipe.links.segments cimport Segments, segment_unmap
from mgpipe.links.packing cimport PACK_ALWAYS, pack_available
from mgpipe.links.stream cimport FRAME_BYTES, FRAME_LIMIT, FRAME_RECORDS, Frame, compress
from mgpipe.shaders._spirv_cross cimport (SPIRV_DESKTOP, SPIRV_ES, spirv_constants, specialise_options, generate_options,
                                          spirv_to_between, spirv_to_dialect)
from mgpipe.server.applier cimport (DRIVER_GL, DRIVER_GLES, DRIVER_NULL, Applier, applier_apply, applier_fault, applier_free, applier_living, applier_new)

cdef extern from "<sys/socket.h>" nogil:
    int socketpair(int domain, int type, int protocol, int* pair)
    int AF_UNIX, SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC

cdef extern from *:
    """
    int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*one)(const uint8_t* data, size_t size));
    static void fuzz_run(int argc, char** argv, int (*one)(const uint8_t* data, size_t size)) { LLVMFuzzerRunDriver(&argc, &argv, one); }
    #define FAULT_COUNT (sizeof(pipe_fault_names) / sizeof(*pipe_fault_names) - 1)
    """
    void fuzz_run(int argc, char** argv, int (*one)(const uint8_t* data, size_t size) noexcept nogil) nogil
    const uint32_t FAULT_COUNT

cdef extern from "<sched.h>" nogil:
    int sched_yield()

# What libfuzz_driver.so exports, which is loaded before this.
cdef extern from *:
    """
    extern size_t (*fuzz_mutator)(uint8_t* data, size_t size, size_t most, unsigned int seed);
    size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);
    """
    size_t (*fuzz_mutator)(uint8_t* data, size_t size, size_t most, unsigned int seed) noexcept nogil
    size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) nogil

cdef extern from "<stdlib.h>" nogil:
    int atexit(void (*ending)() noexcept nogil)

include "grammar.pxi"

cdef enum:
    SEGMENT_BYTES = 65536
    SESSION_RECORDS = 256
    FAULTS = 64

cdef struct Tally:                          # of everything this process did
    uint64_t sessions, records, applied, damaged, latched, events
    uint64_t applied_of[PIPE_OP_COUNT + 1]
    uint64_t faults[FAULTS]

cdef struct Bench:                          # a session's server side
    Applier* applier
    Segments segments
    uint32_t verified                       # its client asked for verification

cdef Tally tally
cdef Writer writer
cdef uint32_t driver = DRIVER_NULL


# -- a session

cdef void wrong(const char* what) noexcept nogil:
    """A promise that does not hold: ends the process as a crash would, so that libFuzzer keeps the input."""
    fprintf(stderr, "fuzzing: %s\n", what)
    abort()


cdef void heard(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil:
    """Takes an event, reading every byte of it."""
    cdef uint8_t* copy = <uint8_t*>malloc(size + tail_size)
    memcpy(copy, payload, size)
    if tail_size:
        memcpy(copy + size, tail, tail_size)
    free(copy)
    tally.events += 1
    if op == 0 or op > PIPE_EVENT_COUNT:
        wrong(b"an event that there is not")


cdef void segments_make(Segments* segments) noexcept nogil:
    """Bytes with a guard at either end: AddressSanitizer sees what leaves them."""
    cdef uint32_t i
    memset(segments, 0, sizeof(Segments))
    for i in range(4):
        segments.fd[i] = -1
        if i == PIPE_SEGMENT_SHADOW or i == PIPE_SEGMENT_REPLY:
            segments.base[i] = <uint8_t*>calloc(1, SEGMENT_BYTES)
            segments.size[i] = segments.ceiling[i] = SEGMENT_BYTES


cdef void segments_end(Segments* segments) noexcept nogil:
    free(segments.base[PIPE_SEGMENT_SHADOW])
    free(segments.base[PIPE_SEGMENT_REPLY])


cdef void bench_open(Bench* bench) noexcept nogil:
    cdef char error[256]
    segments_make(&bench.segments)
    bench.verified = 0
    bench.applier = applier_new(driver, &bench.segments, heard, bench, error, sizeof(error))
    if bench.applier == NULL:
        wrong(error)
    tally.sessions += 1


cdef void bench_close(Bench* bench) noexcept nogil:
    applier_free(bench.applier)
    bench.applier = NULL
    segments_end(&bench.segments)


cdef uint32_t fault_of(Applier* applier) noexcept nogil:
    """Its number; the sentence begins with its name."""
    cdef const char* text = applier_fault(applier)
    cdef const char* name
    cdef uint32_t family, i
    if text == NULL:
        return 0
    for family in range(1, FAULT_COUNT + 1):
        name = pipe_fault_names[family]
        i = 0
        while name[i] != 0 and name[i] == text[i]:
            i += 1
        if name[i] == 0 and text[i] == c":":
            return family
    wrong(b"a fault without a name")
    return 0


cdef bint has_entry(Bench* bench, uint32_t op) noexcept nogil:
    """Whether the back end does anything with the call, or refuses it by name."""
    if op == PIPE_OP_VERIFY_CONTENTS:
        return bench.verified != 0
    return op != PIPE_OP_MAP_PERSISTENT and op != PIPE_OP_SHARED_IMAGE


cdef void note(Bench* bench, Applier* applier, const uint8_t* record, uint32_t size, int result) noexcept nogil:
    cdef uint32_t op = (<const pipe_record*>record).op if size >= 8 else 0
    cdef uint32_t family
    tally.records += 1
    if result != 0:
        family = fault_of(applier)
        tally.latched += 1
        tally.faults[family if family < FAULTS else 0] += 1
        return
    if op == 0 or op > PIPE_OP_COUNT:
        wrong(b"a record without an operation was taken")
    if op == PIPE_OP_VERIFY_SNAPSHOT:
        bench.verified = 1
    tally.applied_of[op] += 1
    if has_entry(bench, op):
        tally.applied += 1


cdef int apply_copy(Bench* bench, const uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil:
    """From memory of exactly that size."""
    cdef uint8_t* copy = <uint8_t*>malloc(size if size else 1)
    cdef int result
    memcpy(copy, record, size)
    memset(reply, 0, sizeof(reply[0]))
    result = applier_apply(bench.applier, copy, size, reply)
    note(bench, bench.applier, copy, size, result)
    free(copy)
    return result


# -- targets: records as they are

cdef int target_records(const uint8_t* data, size_t size) noexcept nogil:
    """The input is records, one after the other, whatever their headers say."""
    cdef Bench bench
    cdef pipe_reply reply
    cdef uint32_t one
    bench_open(&bench)
    while size:
        one = <uint32_t>min(size, <size_t>PIPE_MAX_RECORD)
        if size >= 8 and 8 <= (<const pipe_record*>data).size < one:
            one = (<const pipe_record*>data).size
        if apply_copy(&bench, data, one, &reply) != 0:
            break
        data += one
        size -= one
    bench_close(&bench)
    return 0


# -- targets: sessions that look valid

cdef void writer_begin(Writer* writer, const uint8_t* data, uint64_t size, uint64_t seed) noexcept nogil:
    writer.choices.at = data
    writer.choices.left = size
    writer.choices.seed = seed
    writer.segment_bytes[PIPE_SEGMENT_SHADOW] = writer.segment_bytes[PIPE_SEGMENT_REPLY] = SEGMENT_BYTES
    pool_clear(writer)


cdef void fill_segments(Bench* bench) noexcept nogil:
    """Some bytes that blobs will name: zeros, or a pattern."""
    cdef uint32_t i
    if one_in(&writer.choices, 2):
        for i in range(64):
            memset(bench.segments.base[PIPE_SEGMENT_SHADOW] + 1024 * i, <int>chosen(&writer.choices, 1), 1024)


cdef void check_living(Bench* bench) noexcept nogil:
    """After a session of sound records the server has what its client believes, and nothing else."""
    cdef uint32_t kind
    for kind in range(1, PIPE_HANDLE_KINDS):
        if applier_living(bench.applier, kind) != writer.pools[kind].count:
            wrong(b"other objects live than were made")


cdef bint may_fault(Bench* bench) noexcept nogil:
    return bench.verified != 0


cdef void session(Bench* bench, uint32_t records) noexcept nogil:
    """Until the session latches, the choices end or that many records went by."""
    cdef uint32_t rarity = how_rare(&writer.choices)        # damage is
    cdef bint sound = True
    cdef bint damaged
    cdef pipe_reply reply
    cdef uint32_t i, before
    writer.verifying = one_in(&writer.choices, 2)
    fill_segments(bench)
    for i in range(records):
        if ended(&writer.choices):
            break
        if not write_record(&writer):
            continue
        damaged = rarity != 0 and one_in(&writer.choices, rarity)
        if damaged:
            damage(&writer)
            sound = False
            tally.damaged += 1
        if writer.size >= 8 and (<pipe_record*>writer.record).op == PIPE_OP_VERIFY_SNAPSHOT:
            bench.verified = 1
        before = bench.verified
        if apply_copy(bench, writer.record, writer.size, &reply) != 0:
            if sound and not before:
                fprintf(stderr, "fuzzing: %s\n", applier_fault(bench.applier))
                wrong(b"a sound record was refused")
            if apply_copy(bench, writer.record, writer.size, &reply) == 0:
                wrong(b"a latched session took a record")
            return
    if sound:
        check_living(bench)


cdef int target_session(const uint8_t* data, size_t size) noexcept nogil:
    """The input is choices: of calls, values, damage."""
    cdef Bench bench
    writer_begin(&writer, data, size, 0)
    bench_open(&bench)
    session(&bench, SESSION_RECORDS)
    bench_close(&bench)
    return 0


# -- targets: a ring whose client writes what it likes

cdef enum:
    RING_CAPACITY = 1024
    RING_MOST = 8192
    RECORD_MOST = 2048          # smaller than a server's, so that the guards are near

cdef int target_ring(const uint8_t* data, size_t size) noexcept nogil:
    """The input is what a client does to its ring: bytes to a place, cursors, words of the page."""
    cdef Choices choices
    cdef Bench bench
    cdef Ring ring
    cdef pipe_reply reply
    cdef uint8_t* record = <uint8_t*>malloc(RECORD_MOST)
    cdef uint8_t* memory = <uint8_t*>calloc(1, RING_MOST)
    cdef uint8_t* pages = <uint8_t*>calloc(1, sizeof(ControlPage) + 4096)
    cdef ControlPage* page = <ControlPage*>((<uintptr_t>pages + 4095) & ~<uintptr_t>4095)
    cdef uint64_t at, ordinal = 0
    cdef uint32_t length, i
    cdef int64_t taken = 0
    choices.at = data
    choices.left = size
    choices.seed = 0
    bench_open(&bench)
    ring_page_init(page)
    ring_attach(&ring, page, memory, RING_CAPACITY, RING_MOST, NULL, NULL)
    while not ended(&choices) and taken >= 0:
        i = below(&choices, 8)
        if i == 0:
            memset(<uint8_t*>page + 8 * below(&choices, 64), <int>chosen(&choices, 1), 8)
        elif i == 1:
            store_release(&page.head, chosen(&choices, 8))
        elif i == 2:
            store_release(&page.head, page.head + 8 * below(&choices, 256))
        else:       # what an honest client would do: bytes at the head, then the cursor
            length = (8 + below(&choices, 256)) & ~<uint32_t>7
            length = <uint32_t>min(<uint64_t>length, choices.left)
            at = (page.head - ring.base) & (RING_MOST - 1)
            length = <uint32_t>min(<uint64_t>length, RING_MOST - at)
            memcpy(memory + at, choices.at, length)
            choices.at += length
            choices.left -= length
            store_release(&page.head, page.head + ((length + 7) & ~7))
        if ring_poll_records(&ring) < 0:
            break
        while True:
            taken = ring_take(&ring, record, RECORD_MOST)
            if taken <= 0:
                break
            ordinal += 1
            apply_copy(&bench, record, <uint32_t>taken, &reply)
            ring_post_reply(&ring, ordinal, &reply)
            ring_note_applied(&ring, ordinal)
    bench_close(&bench)
    free(record)
    free(memory)
    free(pages)
    return 0


# -- targets: a stream

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


# -- targets: shaders

cdef enum:
    SHADER_HEADER = 4           # bytes: stage, dialect, options, the stage generated behind it
    LONGEST_TEXT = 16 << 20

cdef int target_spirv(const uint8_t* data, size_t size) noexcept nogil:
    """The input is four bytes of choices and the words of a stage."""
    cdef specialise_options options
    cdef generate_options generated
    cdef spirv_constants constants
    cdef size_t count
    cdef uint32_t* words
    cdef char* text = NULL
    cdef uint32_t i
    if size < SHADER_HEADER + 4:
        return 0
    count = (size - SHADER_HEADER) // 4
    words = <uint32_t*>malloc(4 * count)
    memcpy(words, data + SHADER_HEADER, 4 * count)
    memset(&options, 0, sizeof(options))
    memset(&constants, 0, sizeof(constants))
    options.separable = data[2] & 1
    options.point_size = data[2] >> 1 & 1
    options.logic_op = 0x1500 + (data[2] >> 2 & 15) if data[2] & 4 else 0
    options.alpha_one = data[2] >> 6 & 1
    for i in range(32):
        options.image_formats[i] = 0x8058 if data[2] & 128 else 0       # GL_RGBA8
    spirv_to_dialect(words, count, data[0] % 6, SPIRV_ES if data[1] & 1 else SPIRV_DESKTOP, 320 if data[1] & 1 else 450, &options,
                     &constants if data[1] & 2 else NULL, &text)
    free(constants.moves)
    free(text)
    text = NULL
    if data[3] & 1:
        memset(&generated, 0, sizeof(generated))
        generated.stage = 1 if data[3] & 2 else 3
        generated.patch_vertices = data[3] >> 2 & 7
        generated.corners = 1 + (data[3] >> 2) % 3
        generated.shown_as = 1 + (data[3] >> 4) % 3
        generated.first_provokes = data[3] >> 6 & 1
        spirv_to_between(words, count, data[0] % 6, &generated, &text)
        free(text)
    free(words)
    tally.records += 1
    return 0


cdef size_t mutate_words(uint8_t* data, size_t size, size_t most, unsigned int seed_of) noexcept nogil:
    """Half of the time as libFuzzer does, else as something that knows words, ids and instructions would."""
    cdef uint64_t seed = seed_of + <uint64_t>1
    cdef uint64_t word = random_word(&seed)
    cdef uint32_t* words = <uint32_t*>(data + SHADER_HEADER)
    cdef size_t count = (size - SHADER_HEADER) // 4 if size > SHADER_HEADER else 0
    cdef size_t at, length, other
    if count < 8 or word & 1:
        return LLVMFuzzerMutate(data, size, most)
    at = <size_t>((word >> 8) % count)
    word = random_word(&seed)
    if word & 7 == 0:           # of the four choices
        data[(word >> 8) & 3] = <uint8_t>(word >> 16)
    elif word & 7 == 1:
        words[at] = <uint32_t>(word >> 16) % (words[3] + 2 if words[3] < 0x10000 else 0x10000)      # another id
    elif word & 7 == 2:
        words[at] ^= <uint32_t>1 << (word >> 8 & 31)
    elif word & 7 == 3:
        words[at] = words[<size_t>((word >> 8) % count)]
    elif word & 7 == 4:         # an instruction's length or operation
        words[at] = (words[at] & 0xFFFF) | (<uint32_t>(word >> 8) & 0x1F) << 16
    elif word & 7 == 5:
        words[at] = (words[at] & <uint32_t>0xFFFF0000) | (<uint32_t>(word >> 8) % <uint32_t>400)
    elif word & 7 == 6 and size + 64 <= most:       # some words again
        length = 1 + (word >> 8) % 12
        length = min(length, count - at)
        memmove(words + at + length, words + at, 4 * (count - at))
        size = SHADER_HEADER + 4 * (count + length)
    else:                       # without some words
        length = 1 + (word >> 8) % 12
        length = min(length, count - at)
        memmove(words + at, words + at + length, 4 * (count - at - length))
        size = SHADER_HEADER + 4 * (count - length)
    return size


# -- a hostile client beside a session that runs

cdef enum:
    REWRITE_NS = 1000000

cdef struct Place:
    uint8_t* at
    uint64_t size
    ControlPage* page           # of a ring's bytes; else NULL

def shake(list places, uint64_t seed, double seconds, uint64_t pause_ns, bint restore) -> int:
    """Changes bytes of memory that a session reads, one after each pause; with `restore` only for a moment. How many.

    `places`: (address, bytes, address of the control page whose ring this is, or 0: then anywhere in it).
    """
    cdef Place where[8]
    cdef uint32_t count = len(places), i, pauses
    cdef uint64_t until, next_one, at, changed = 0
    cdef uint8_t before
    for i in range(count):
        where[i].at = <uint8_t*><uintptr_t>places[i][0]
        where[i].size = places[i][1]
        where[i].page = <ControlPage*><uintptr_t>places[i][2]
    with nogil:
        until = clock_ns() + <uint64_t>(seconds * 1e9)
        while clock_ns() < until:
            i = <uint32_t>(random_word(&seed) % count)
            at = random_word(&seed)
            if where[i].page != NULL:           # where records are that were just published
                at = load_relaxed(&where[i].page.head) - (at & 2047)
            at %= where[i].size
            before = where[i].at[at]
            where[i].at[at] = before ^ (<uint8_t>1 << (random_word(&seed) & 7))
            for pauses in range(<uint32_t>(random_word(&seed) & 63)):
                cpu_pause()
            if restore:
                where[i].at[at] = before
            changed += 1
            next_one = clock_ns() + random_word(&seed) % (2 * pause_ns)
            while clock_ns() < next_one:
                cpu_pause()
    return changed


cdef void rewrite(Ring* ring, uint8_t* record) noexcept nogil:
    """A word of a record that was just published, one way and the other, until the server has gone past it."""
    cdef uint32_t at = below(&writer.choices, writer.size // 4) * 4
    cdef uint32_t hostile = <uint32_t>telling(&writer)
    cdef uint32_t sound
    cdef uint64_t until = clock_ns() + REWRITE_NS
    cdef uint32_t i
    memcpy(&sound, record + at, 4)
    while load_relaxed(&ring.page.tail) != ring.head and clock_ns() < until:
        for i in range(below(&writer.choices, 32)):
            cpu_pause()
        memcpy(record + at, &hostile, 4)
        for i in range(below(&writer.choices, 8)):
            cpu_pause()
        memcpy(record + at, &sound, 4)


def pour(uintptr_t commands, uintptr_t events, uint64_t start_bytes, uint64_t ceiling_bytes, uint64_t event_bytes,
         uint64_t segment_bytes, uint64_t seed, double seconds, bint rewriting) -> int:
    """Writes a valid-looking session's records into a command ring, and takes events, until it is told of a fault or for so
    long. With `rewriting` each record is published alone and changes while the server takes it. How many records."""
    cdef Ring ring, heard_of
    cdef bint latched = False
    cdef uint64_t until, sent = 0
    cdef uint8_t* place
    cdef uint8_t* copy = <uint8_t*>malloc(PIPE_MAX_RECORD)
    prepare("session")
    writer_begin(&writer, NULL, 0, seed | 1)
    writer.segment_bytes[PIPE_SEGMENT_SHADOW] = writer.segment_bytes[PIPE_SEGMENT_REPLY] = segment_bytes
    writer.verifying = seed & 2 != 0
    ring_attach(&ring, <ControlPage*>commands, <uint8_t*>commands + sizeof(ControlPage), start_bytes, ceiling_bytes, NULL, NULL)
    ring_attach(&heard_of, <ControlPage*>events, <uint8_t*>events + sizeof(ControlPage), event_bytes, event_bytes, NULL, NULL)
    with nogil:
        until = clock_ns() + <uint64_t>(seconds * 1e9)
        while clock_ns() < until and ring.dead == 0 and not latched:
            if not write_record(&writer):
                continue
            while not ring_has_room(&ring, writer.size) and clock_ns() < until and ring.dead == 0:
                ring_flush(&ring)
                sched_yield()
            if clock_ns() >= until or ring.dead != 0:
                break
            place = ring_reserve(&ring, writer.size)
            if place == NULL:
                break
            memcpy(place, writer.record, writer.size)
            ring_commit(&ring, writer.size)
            sent += 1
            if rewriting:
                ring_flush(&ring)
                rewrite(&ring, place)
            if sent % 16 == 0:
                ring_flush(&ring)
                if ring_poll_records(&heard_of) == 1:
                    while ring_take(&heard_of, copy, PIPE_MAX_RECORD) > 0:
                        latched = latched or (<pipe_record*>copy).op == PIPE_EVENT_FAULT
        ring_flush(&ring)
    free(copy)
    return sent


# -- what Python calls

ctypedef int (*Target)(const uint8_t* data, size_t size) noexcept nogil

cdef Target target_called(str name) except NULL:
    if name == "records": return target_records
    if name == "session": return target_session
    if name == "ring": return target_ring
    if name == "stream": return target_stream
    if name == "stream_session": return target_stream_session
    if name == "spirv": return target_spirv
    if name in ("gl", "gles"): return target_stream
    raise KeyError(name)


cdef void prepare(str name) except *:
    global driver
    cdef const fuzz_member* m
    cdef uint32_t op, i
    driver = {"gl": DRIVER_GL, "gles": DRIVER_GLES}.get(name, DRIVER_NULL)
    if writer.record != NULL:
        return
    writer.record = <uint8_t*>malloc(PIPE_MAX_RECORD + 64)
    for op in range(1, PIPE_OP_COUNT + 1):
        if fuzz_rows[op].payload == NULL:
            continue
        for i in range(fuzz_rows[op].payload.member_count):
            m = &fuzz_rows[op].payload.members[i]
            if m.kind == FUZZ_HANDLE and (m.role == FUZZ_NEW or m.role == FUZZ_ENSURE):
                writer.maker[m.handle] = op
            elif m.kind == FUZZ_HANDLE and m.role == FUZZ_OLD:
                writer.ender[m.handle] = op


cdef void print_tally() noexcept nogil:
    """For whoever reads libFuzzer's output, which ends the process."""
    fprintf(stderr, "tally: sessions %llu records %llu applied %llu damaged %llu latched %llu\n", <unsigned long long>tally.sessions,
            <unsigned long long>tally.records, <unsigned long long>tally.applied, <unsigned long long>tally.damaged,
            <unsigned long long>tally.latched)


def run(str name, list arguments):
    """Hands a target to libFuzzer, which ends the process. `arguments`: its own, after the program's name."""
    cdef Target one = target_called(name)
    cdef char* argv[64]
    cdef int count = 0
    kept = [b"fuzz", *(argument.encode() for argument in arguments)]
    for argument in kept:
        argv[count] = <char*>argument
        count += 1
    argv[count] = NULL
    prepare(name)
    global fuzz_mutator
    if name == "spirv":
        fuzz_mutator = mutate_words
    elif name in ("gl", "gles", "stream"):
        fuzz_mutator = mutate_frames
    atexit(print_tally)
    with nogil:
        fuzz_run(count, argv, one)


def once(str name, bytes data):
    """One input, for what was found once and must not come back."""
    cdef const uint8_t* at = data
    cdef size_t size = len(data)
    cdef uint8_t* copy = <uint8_t*>malloc(size if size else 1)
    cdef Target one = target_called(name)
    prepare(name)
    memcpy(copy, at, size)
    with nogil:
        one(copy, size)
    free(copy)


def soak(str name, uint64_t seed, uint64_t records) -> dict:
    """Valid-looking sessions from a seed until so many records went by; what became of them."""
    cdef Bench bench
    cdef Wire wire
    cdef uint8_t* out = <uint8_t*>malloc(OUT_BYTES)
    cdef bint stream = name == "stream_session"
    cdef uint64_t session_seed
    prepare(name)
    memset(&tally, 0, sizeof(tally))
    with nogil:
        while tally.records < records:
            session_seed = random_word(&seed) | 1
            writer_begin(&writer, NULL, 0, session_seed)
            if stream:
                wire_open(&wire)
                stream_session(&wire, out, SESSION_RECORDS)
                wire_close(&wire)
            else:
                bench_open(&bench)
                session(&bench, SESSION_RECORDS)
                bench_close(&bench)
    free(out)
    return totals()


def unmap(uintptr_t address, uint64_t size) -> None:
    segment_unmap(<uint8_t*>address, size)


def totals() -> dict:
    return {
        "sessions": tally.sessions, "records": tally.records, "applied": tally.applied, "damaged": tally.damaged,
        "latched": tally.latched, "events": tally.events,
        "applied_of": {fuzz_rows[op].name.decode(): tally.applied_of[op] for op in range(1, PIPE_OP_COUNT + 1) if fuzz_rows[op].name},
        "faults": {pipe_fault_names[family].decode(): tally.faults[family] for family in range(1, FAULT_COUNT + 1)},
    }
