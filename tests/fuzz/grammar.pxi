# Records that are as they should be, and what is then done to them. Part of targets.pyx.
#
# A Writer remembers what lives on the server, so that the handles it names are alive and the blobs it names lie inside
# their segments. Its choices come from the fuzzer's bytes, or from a seed.

cdef enum:
    POOL_SLOTS = 256            # of one kind, most of them free
    POOL_LIVING = 48
    NESTED = 4                  # calls made instead of one that has no handle to name
    SCREWS = 12                 # ways to damage a record: damage()

cdef struct Choices:
    const uint8_t* at
    uint64_t left
    uint64_t seed               # not 0: bytes come from here and never end

cdef struct Pool:
    pipe_handle living[POOL_LIVING]
    uint32_t count
    uint32_t gens[POOL_SLOTS]
    uint8_t taken[POOL_SLOTS]

cdef struct Writer:
    Choices choices
    Pool pools[PIPE_HANDLE_KINDS]
    uint64_t segment_bytes[4]
    uint8_t* record             # PIPE_MAX_RECORD bytes
    uint32_t size
    bint verifying              # verify_snapshot may be sent; then verbs are few, since most of them end the session
    uint32_t maker[PIPE_HANDLE_KINDS]   # the call that makes an object of a kind, …
    uint32_t ender[PIPE_HANDLE_KINDS]   # … and the one that ends it


# -- choices

cdef inline bint ended(Choices* choices) noexcept nogil:
    return choices.seed == 0 and choices.left == 0


cdef inline uint64_t random_word(uint64_t* seed) noexcept nogil:
    """splitmix64"""
    cdef uint64_t z
    seed[0] += <uint64_t>0x9E3779B97F4A7C15
    z = seed[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef uint64_t chosen(Choices* choices, uint32_t size) noexcept nogil:
    """A word of `size` bytes; zeros when the fuzzer's bytes have ended."""
    cdef uint64_t word = 0
    if choices.seed != 0:
        word = random_word(&choices.seed)
        return word >> (64 - 8 * size)
    if size > choices.left:
        size = <uint32_t>choices.left
    memcpy(&word, choices.at, size)
    choices.at += size
    choices.left -= size
    return word


cdef inline uint32_t below(Choices* choices, uint32_t count) noexcept nogil:
    return <uint32_t>(chosen(choices, 1 if count <= 256 else 2 if count <= 65536 else 4) % count) if count else 0


cdef inline bint one_in(Choices* choices, uint32_t count) noexcept nogil:
    return below(choices, count) == 0 and not ended(choices)


# -- what lives

cdef void pool_clear(Writer* writer) noexcept nogil:
    memset(writer.pools, 0, sizeof(writer.pools))


cdef bint pool_new(Writer* writer, uint32_t kind, pipe_handle* handle) noexcept nogil:
    """A free slot, with a generation that it has not had. False: enough of this kind live."""
    cdef Pool* pool = &writer.pools[kind]
    cdef uint32_t slot
    if pool.count == POOL_LIVING:
        return False
    slot = below(&writer.choices, POOL_SLOTS)
    while pool.taken[slot]:
        slot = (slot + 1) % POOL_SLOTS
    pool.gens[slot] += 1 + below(&writer.choices, 3)
    pool.taken[slot] = 1
    handle.slot = slot
    handle.gen = pool.gens[slot]
    pool.living[pool.count] = handle[0]
    pool.count += 1
    return True


cdef bint pool_any(Writer* writer, uint32_t kind, bint ends, pipe_handle* handle) noexcept nogil:
    cdef Pool* pool = &writer.pools[kind]
    cdef uint32_t i
    if pool.count == 0:
        return False
    i = below(&writer.choices, pool.count)
    handle[0] = pool.living[i]
    if ends:
        pool.taken[handle.slot] = 0
        pool.count -= 1
        pool.living[i] = pool.living[pool.count]
    return True


# -- writing

cdef uint64_t scalar(Writer* writer, const fuzz_member* m) noexcept nogil:
    cdef Choices* choices = &writer.choices
    if m.check == FUZZ_MOST:
        return chosen(choices, m.size) % (<uint64_t>m.most + 1)
    if m.check == FUZZ_MASK:
        return chosen(choices, m.size) & m.most
    if m.check == FUZZ_RANGE:
        return <uint32_t>(m.low + <int32_t>below(choices, <uint32_t>(<int32_t>m.most - m.low) + 1))
    if m.check == FUZZ_SET:
        return m.set[below(choices, m.set_count)]
    if one_in(choices, 2):
        return below(choices, 64)
    return chosen(choices, m.size)


cdef void write_blob(Writer* writer, uint8_t* at, bint into) noexcept nogil:
    """`into`: an answer is written there, to words."""
    cdef pipe_Blob* blob = <pipe_Blob*>at
    cdef uint64_t bytes
    blob.segment = PIPE_SEGMENT_SHADOW if one_in(&writer.choices, 2) else PIPE_SEGMENT_REPLY
    bytes = writer.segment_bytes[blob.segment]
    blob.offset = chosen(&writer.choices, 4) % (bytes + 1)
    if into or one_in(&writer.choices, 2):
        blob.offset &= ~<uint64_t>7
    blob.size = bytes - blob.offset
    if not one_in(&writer.choices, 4):
        blob.size = min(blob.size, <uint64_t>below(&writer.choices, 4096))


cdef void write_struct(Writer* writer, const fuzz_struct* layout, uint8_t* at) noexcept nogil:
    """What it must name lives, and what it makes has room: instead() has seen to that."""
    cdef const fuzz_member* m
    cdef uint64_t value
    cdef uint32_t i, j
    cdef uint8_t* place
    for i in range(layout.member_count):
        m = &layout.members[i]
        for j in range(m.count):
            place = at + m.offset + j * m.size
            if m.kind == FUZZ_SCALAR:
                value = scalar(writer, m)
                memcpy(place, &value, m.size)
            elif m.kind == FUZZ_STRUCT:
                write_struct(writer, m.below, place)
            elif m.kind == FUZZ_BLOB:
                write_blob(writer, place, m.most)
            elif m.kind == FUZZ_HANDLE:
                if m.nullable and one_in(&writer.choices, 3):
                    continue
                if m.role == FUZZ_NEW or (m.role == FUZZ_ENSURE and writer.pools[m.handle].count < 4):
                    pool_new(writer, m.handle, <pipe_handle*>place)
                else:
                    pool_any(writer, m.handle, m.role == FUZZ_OLD, <pipe_handle*>place)


cdef uint32_t instead(Writer* writer, const fuzz_struct* layout) noexcept nogil:
    """The call that must come first, to make what this one names or to make room for what it makes; 0: none."""
    cdef const fuzz_member* m
    cdef uint32_t i, op, living
    for i in range(layout.member_count):
        m = &layout.members[i]
        if m.kind == FUZZ_STRUCT:
            op = instead(writer, m.below)
            if op:
                return op
        if m.kind != FUZZ_HANDLE:
            continue
        living = writer.pools[m.handle].count
        if living == POOL_LIVING and (m.role == FUZZ_NEW or m.role == FUZZ_ENSURE):
            return writer.ender[m.handle]
        if living == 0 and not m.nullable and (m.role == FUZZ_NAMES or m.role == FUZZ_OLD):
            return writer.maker[m.handle]
    return 0


cdef uint32_t next_call(Writer* writer) noexcept nogil:
    """Any, or the one that must come first."""
    cdef uint32_t op = 1 + below(&writer.choices, PIPE_OP_COUNT)
    cdef uint32_t first, i
    if fuzz_rows[op].name == NULL:
        op = PIPE_OP_FLUSH
    if op == PIPE_OP_SESSION_RESET and not one_in(&writer.choices, 4):
        op = PIPE_OP_DRAW_VBO
    if op == PIPE_OP_VERIFY_SNAPSHOT and not writer.verifying:
        op = PIPE_OP_VERIFY_CONTENTS
    if writer.verifying and pipe_verb_sections[op] and not one_in(&writer.choices, 16):
        op = PIPE_OP_SET_SAMPLER_VIEWS
    for i in range(NESTED):
        if fuzz_rows[op].payload == NULL:
            break
        first = instead(writer, fuzz_rows[op].payload)
        if first == 0:
            break
        op = first
    return op


cdef uint32_t tail_length(Writer* writer, const fuzz_tail* tail) noexcept nogil:
    if one_in(&writer.choices, 64 if tail.most <= 256 else 1024):
        return tail.most - below(&writer.choices, 2)
    return below(&writer.choices, min(tail.most, <uint32_t>7) + 1)


cdef bint write_record(Writer* writer) noexcept nogil:
    """The next record of a valid session, with its effect on what lives. False: none this time."""
    cdef uint32_t op = next_call(writer)
    cdef const fuzz_row* row = &fuzz_rows[op]
    cdef pipe_record* header = <pipe_record*>writer.record
    cdef uint8_t* payload = writer.record + sizeof(pipe_record)
    cdef uint64_t size = (sizeof(pipe_record) + row.payload_size + 7) & ~<uint64_t>7
    cdef uint64_t at, length
    cdef uint32_t count = 0, i, j
    memset(writer.record, 0, size)
    if row.payload != NULL:
        if instead(writer, row.payload):
            return False
        write_struct(writer, row.payload, payload)
    for i in range(row.tail_count):
        if i == 0 or row.tails[i].count_at != row.tails[i - 1].count_at:
            count = tail_length(writer, &row.tails[i])
            if size + <uint64_t>count * row.tails[i].element_size * (row.tail_count - i) > PIPE_MAX_RECORD - 64:
                count = 0
        length = <uint64_t>count * row.tails[i].element_size
        at = size
        size = (size + length + 7) & ~<uint64_t>7
        memset(writer.record + at, 0, size - at)
        memcpy(payload + row.tails[i].count_at, &count, 4)
        if row.tails[i].below == NULL:
            for j in range(<uint32_t>length):
                writer.record[at + j] = <uint8_t>chosen(&writer.choices, 1)
        else:
            for j in range(count):
                write_struct(writer, row.tails[i].below, writer.record + at + j * row.tails[i].element_size)
    if op == PIPE_OP_SESSION_RESET:
        pool_clear(writer)
    if op == PIPE_OP_VERIFY_SNAPSHOT and not one_in(&writer.choices, 3):
        (<pipe_verify_snapshot*>payload).verb = 0           # verification begins
    header.op = <uint16_t>op
    header.flags = 0
    header.size = <uint32_t>size
    writer.size = header.size
    return True


# -- damaging

cdef uint64_t telling(Writer* writer) noexcept nogil:
    """A number that bounds go wrong at."""
    cdef uint32_t which = below(&writer.choices, 8)
    cdef uint32_t bit = below(&writer.choices, 64)
    if which == 0: return 0
    if which == 1: return <uint64_t>-1
    if which == 2: return 0x7FFFFFFF
    if which == 3: return 0x80000000
    if which == 4: return (<uint64_t>1 << bit) - 1
    if which == 5: return <uint64_t>1 << bit
    if which == 6: return writer.segment_bytes[PIPE_SEGMENT_SHADOW] + 1 - (bit & 1)
    return chosen(&writer.choices, 8)


cdef uint32_t how_rare(Choices* choices) noexcept nogil:
    """Of a session: one record in so many is damaged; 0: none."""
    cdef uint32_t choice = below(choices, 16)
    return 0 if choice == 0 else 4 << (choice % 5)


cdef void damage(Writer* writer) noexcept nogil:
    """One of the things that a hostile client would do to a good record."""
    cdef pipe_record* header = <pipe_record*>writer.record
    cdef uint32_t way = below(&writer.choices, SCREWS)
    cdef uint32_t at = below(&writer.choices, writer.size)
    cdef uint64_t word = telling(writer)
    cdef uint32_t other
    if way == 0:
        writer.record[at] ^= <uint8_t>1 << (word & 7)
    elif way == 1:
        writer.record[at] = <uint8_t>word
    elif way <= 4 and writer.size >= 16:
        memcpy(writer.record + 8 + (at % (writer.size - 8) & ~<uint32_t>3), &word, 4)
    elif way <= 6 and writer.size >= 24:
        memcpy(writer.record + 8 + (at % (writer.size - 15) & ~<uint32_t>7), &word, 8)
    elif way == 7:
        header.size = <uint32_t>word                        # a lie
    elif way == 8:
        writer.size = header.size = at & ~<uint32_t>7       # cut, and says so
    elif way == 9:
        writer.size = at                                    # cut, and does not
    elif way == 10 and writer.size + 64 <= PIPE_MAX_RECORD:
        other = 8 * (1 + below(&writer.choices, 8))
        memset(writer.record + writer.size, <int>(word & 0xFF), other)
        writer.size += other
        header.size = writer.size
    elif way == 11:
        header.op = <uint16_t>below(&writer.choices, PIPE_OP_COUNT + 3)
    else:
        header.flags = <uint16_t>word
