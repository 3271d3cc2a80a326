# Records as they are, and sessions that look valid. Targets `records` and `session`; part of targets.pyx.

cdef Writer writer


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
