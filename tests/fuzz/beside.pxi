# A hostile client beside a session that runs: see test_shaken.py. Part of targets.pyx.

cdef extern from "<sched.h>" nogil:
    int sched_yield()

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
