# A session's server side, and what is promised of it. Part of targets.pyx.

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
cdef uint32_t driver = DRIVER_NULL


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
