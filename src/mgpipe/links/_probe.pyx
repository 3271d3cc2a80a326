# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links as Python objects, for tests and benchmarks: two ends of a ring, an arena with shadows, segments."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from pipe cimport pipe_Blob, pipe_reply

from mgpipe.links.arena cimport arena_backed_bytes, arena_given_back_bytes, arena_set_relief
from mgpipe.links.atomics cimport clock_ns, cpu_pause, load_acquire32, store_relaxed32
from mgpipe.links.events cimport EventLink, event_push
from mgpipe.links.ring cimport *
from mgpipe.links.segments cimport Segments, segment_bytes, segment_map, segment_unmap, segment_words
from mgpipe.links.shadow cimport *

cdef struct Header:
    uint16_t op, flags
    uint32_t size


cdef int _answer(void* self) noexcept nogil:
    return <int>load_acquire32(<uint32_t*>self)


cdef inline uint64_t _mix(uint64_t value) noexcept nogil:
    """A hash of the record's number, from which both ends know its size and bytes (splitmix64)."""
    value = (value + <uint64_t>0x9E3779B97F4A7C15)
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline uint32_t _size(uint64_t number, uint32_t smallest, uint32_t largest) noexcept nogil:
    return smallest + 8 * <uint32_t>(_mix(number) % ((largest - smallest) // 8 + 1))


cdef class RingProbe:
    """Both ends of one ring over `fd` (a memfd: page, then data) or over memory of its own.

    `alive` is what parked sides are told: 0 go on, else the reason to give up.
    """

    cdef Ring producer, consumer
    cdef uint8_t* base
    cdef uint64_t bytes
    cdef uint32_t reason
    cdef uint8_t* copy
    cdef readonly uint64_t taken

    def __cinit__(self, capacity, ceiling=None, fd=-1, fresh=True):
        self.bytes = ring_page_bytes() + (ceiling or capacity)
        self.base = segment_map(fd, self.bytes)
        if self.base == NULL:
            raise MemoryError
        if fresh:
            ring_page_init(<ControlPage*>self.base)
        for ring in range(2):
            ring_attach(&self.producer if ring == 0 else &self.consumer, <ControlPage*>self.base,
                        self.base + ring_page_bytes(), capacity, ceiling or capacity, _answer, &self.reason)
        self.copy = <uint8_t*>calloc(1, ceiling or capacity)

    def __dealloc__(self):
        segment_unmap(self.base, self.bytes)
        free(self.copy)

    @property
    def alive(self):
        return self.reason

    @alive.setter
    def alive(self, reason):
        store_relaxed32(&self.reason, reason)

    def produce(self, uint64_t count, uint32_t smallest=16, uint32_t largest=16, uint64_t first=1, uint64_t pause_ns=0,
                bint flush=True):
        """Emits records `first`…; how many before the ring died."""
        cdef uint64_t number, i, until
        cdef uint32_t size
        cdef uint8_t* record
        cdef Header* header
        with nogil:
            for number in range(first, first + count):
                size = _size(number, smallest, largest)
                record = ring_reserve(&self.producer, size)
                if record == NULL:
                    count = number - first
                    break
                header = <Header*>record
                header.op = <uint16_t>(number % 65535 + 1)
                header.flags = 0
                header.size = size
                for i in range(1, size // 8):
                    (<uint64_t*>record)[i] = _mix(number) + i
                ring_commit(&self.producer, size)
                if pause_ns != 0:
                    ring_flush(&self.producer)
                    until = clock_ns() + pause_ns
                    while clock_ns() < until:
                        cpu_pause()
            if flush:
                ring_flush(&self.producer)
        return count

    def consume(self, uint64_t count, uint32_t smallest=16, uint32_t largest=16, uint64_t first=1, uint64_t pause_ns=0):
        """Takes records and checks every byte. The reason a wait gave, 0: all taken, or the number of the wrong one."""
        cdef uint64_t i, until, number = first
        cdef int64_t size
        cdef int reason = 0
        cdef bint good
        with nogil:
            while number < first + count:
                reason = ring_wait_records(&self.consumer)
                if reason != 0:
                    break
                while number < first + count:
                    size = ring_take(&self.consumer, self.copy, <uint32_t>self.consumer.ceiling)
                    if size <= 0:
                        break
                    good = size == _size(number, smallest, largest) and (<Header*>self.copy).op == number % 65535 + 1
                    for i in range(1, <uint64_t>size // 8):
                        good = good and (<uint64_t*>self.copy)[i] == _mix(number) + i
                    if not good:
                        break
                    ring_note_applied(&self.consumer, number)
                    self.taken += 1
                    number += 1
                    if pause_ns != 0:
                        until = clock_ns() + pause_ns
                        while clock_ns() < until:
                            cpu_pause()
                if size < 0:
                    reason = <int>size
                    break
                if size > 0:
                    break
            if number == first + count:
                ring_poll_records(&self.consumer)       # reports what was taken and applied
        if number == first + count:
            return 0
        return reason if reason != 0 else number

    def emit_draws(self, uint64_t count):
        """`count` records of 80 bytes, filled as cheaply as a draw; nanoseconds for one."""
        cdef uint64_t i, started
        cdef uint64_t* record
        with nogil:
            started = clock_ns()
            for i in range(count):
                record = <uint64_t*>ring_reserve(&self.producer, 80)
                if record == NULL:
                    break
                record[0] = 1 | <uint64_t>80 << 32
                record[1] = record[2] = record[3] = record[4] = record[5] = record[6] = record[7] = record[8] = i
                record[9] = count
                ring_commit(&self.producer, 80)
            ring_flush(&self.producer)
            started = clock_ns() - started
        return <double>started / count

    def drain(self, uint64_t count):
        """Takes `count` records without looking into them."""
        cdef int reason = 0
        with nogil:
            while count > 0:
                reason = ring_wait_records(&self.consumer)
                if reason != 0:
                    break
                while count > 0 and ring_take(&self.consumer, self.copy, 65536) > 0:
                    count -= 1
            ring_poll_records(&self.consumer)
        return reason

    def take(self, uint32_t limit=65536):
        """The next record's bytes, None: none there; a negative reason."""
        cdef int64_t size = ring_poll_records(&self.consumer)
        if size == 1:
            size = ring_take(&self.consumer, self.copy, limit)
        return None if size == 0 else size if size < 0 else self.copy[:size]

    def emit(self, bytes record):
        cdef uint8_t* place = ring_reserve(&self.producer, <uint32_t>len(record))
        if place == NULL:
            return False
        memcpy(place, <const uint8_t*>record, len(record))
        ring_commit(&self.producer, <uint32_t>len(record))
        return True

    def flush(self):
        ring_flush(&self.producer)

    def has_room(self, uint32_t size):
        return ring_has_room(&self.producer, size)

    def place_consumer(self, int32_t thread):
        ring_place_consumer(&self.producer, thread, 0)

    def wait_applied(self, uint64_t ordinal):
        return ring_wait_applied(&self.producer, ordinal)

    def set_applied(self, uint64_t ordinal):
        ring_set_applied(&self.consumer, ordinal)

    def claim(self, uint64_t ordinal):
        return ring_claim_reply(&self.producer, ordinal)

    def wait_reply(self, uint64_t ordinal):
        """(status, size, values), or the reason."""
        cdef pipe_reply reply
        cdef int reason = ring_wait_reply(&self.producer, ordinal, &reply)
        return reason if reason != 0 else (reply.status, reply.size, [reply.value[i] for i in range(4)])

    def post_reply(self, uint64_t ordinal, int32_t status, uint32_t size, values):
        cdef pipe_reply reply
        reply.status = status
        reply.size = size
        for i in range(4):
            reply.value[i] = values[i]
        ring_post_reply(&self.consumer, ordinal, &reply)

    def answer(self, uint64_t count, uint64_t delay_ns=0):
        """A server in miniature: applies `count` records, answers each with its number, without the GIL."""
        cdef uint64_t number, until
        cdef pipe_reply reply
        cdef int reason = 0
        memset(&reply, 0, sizeof(reply))
        with nogil:
            number = 1
            while number <= count:
                reason = ring_wait_records(&self.consumer)
                if reason != 0:
                    break
                while ring_take(&self.consumer, self.copy, <uint32_t>self.consumer.ceiling) > 0:
                    until = clock_ns() + delay_ns
                    while clock_ns() < until:
                        cpu_pause()
                    reply.value[0] = number
                    ring_post_reply(&self.consumer, number, &reply)
                    ring_note_applied(&self.consumer, number)
                    number += 1
        return reason

    def round_trips(self, uint64_t count, uint64_t gap_ns=0, uint64_t first=1):
        """Nanoseconds from before the record to after its reply, one for each of `count`; and of emitting alone."""
        cdef uint64_t number, i, started, emitted, until
        cdef pipe_reply reply
        cdef uint64_t* times = <uint64_t*>calloc(2 * count, sizeof(uint64_t))
        cdef Header* header
        with nogil:
            for i in range(count):
                number = first + i
                until = clock_ns() + gap_ns
                while clock_ns() < until:
                    cpu_pause()
                started = clock_ns()
                ring_claim_reply(&self.producer, number)
                header = <Header*>ring_reserve(&self.producer, 80)
                header.op = 1
                header.flags = 0
                header.size = 80
                ring_commit(&self.producer, 80)
                ring_flush(&self.producer)
                emitted = clock_ns()
                if ring_wait_reply(&self.producer, number, &reply) != 0 or reply.value[0] != number:
                    break
                times[2 * i] = clock_ns() - started
                times[2 * i + 1] = emitted - started
        result = [(times[2 * i], times[2 * i + 1]) for i in range(count)]
        free(times)
        return result

    def nudge(self):
        ring_nudge(<ControlPage*>self.base)

    def stop(self):
        ring_wake_all(&self.producer)

    def push_event(self, uint16_t op, bytes payload, bytes tail=b"", RingProbe commands=None):
        """As the server's applier does; without the GIL, for it may wait. How often the client had to be waited for."""
        cdef EventLink link
        cdef const uint8_t* payload_bytes = payload
        cdef const uint8_t* tail_bytes = tail
        cdef uint32_t size = <uint32_t>len(payload), tail_size = <uint32_t>len(tail)
        link.events = &self.producer
        link.commands = <ControlPage*>commands.base if commands is not None else NULL
        link.stalls = 0
        with nogil:
            event_push(&link, op, payload_bytes, size, tail_bytes, tail_size)
        return link.stalls

    def set_words(self, head=None, tail=None, applied=None):
        """Writes the shared cursors, as a hostile peer can."""
        cdef ControlPage* page = <ControlPage*>self.base
        if head is not None:
            page.head = head
        if tail is not None:
            page.tail = tail
        if applied is not None:
            page.applied = applied

    def poke(self, uint64_t at, bytes data):
        memcpy(self.base + ring_page_bytes() + at, <const uint8_t*>data, len(data))

    def state(self):
        cdef ControlPage* page = <ControlPage*>self.base
        return {
            "head": page.head, "tail": page.tail, "applied": page.applied,
            "parked": (page.producer_parked, page.consumer_parked, page.applied_parked),
            "capacity": self.producer.capacity, "grown": self.producer.grown,
            "waits": self.producer.waits[0], "parks": self.producer.parks[0],
            "consumer_waits": self.consumer.waits[0], "consumer_parks": self.consumer.parks[0],
            "dead": self.producer.dead, "consumer_dead": self.consumer.dead,
        }


def page_bytes():
    return ring_page_bytes()


cdef bint _relieve(void* self, uint64_t ordinal) noexcept nogil:
    """As a session does: waits until `ordinal` is applied, if it was emitted."""
    cdef uint64_t* words = <uint64_t*>self          # watermark, emitted, times asked
    words[2] += 1
    if ordinal > words[1]:
        return False
    words[0] = max(words[0], ordinal)
    return True


cdef class ArenaProbe:
    """An arena with its watermark. Blocks and shadows are numbered."""

    cdef Arena* arena
    cdef uint8_t* base
    cdef uint64_t ceiling
    cdef uint64_t words[3]      # watermark, ordinal emitted, times that the arena asked for relief
    cdef Block* blocks[65536]
    cdef Shadow shadows[64]

    def __cinit__(self, ceiling, fd=-1, threaded=False):
        self.ceiling = ceiling
        self.base = segment_map(fd, ceiling)
        if self.base == NULL:
            raise MemoryError
        self.arena = arena_new(self.base, fd, ceiling, &self.words[0])
        if threaded:
            arena_set_threaded(self.arena)

    def __dealloc__(self):
        cdef int i
        for i in range(64):
            free(self.shadows[i].pieces)
        arena_free(self.arena)
        segment_unmap(self.base, self.ceiling)

    @property
    def applied(self):
        return self.words[0]

    @applied.setter
    def applied(self, ordinal):
        self.words[0] = ordinal

    def relieve_up_to(self, emitted):
        """From now on records up to `emitted` are applied when the arena asks for it."""
        self.words[1] = emitted
        arena_set_relief(self.arena, _relieve, self.words)

    @property
    def relieved(self):
        return self.words[2]

    @property
    def live(self):
        """(blocks, bytes)"""
        return arena_live_blocks(self.arena), arena_bytes_in_use(self.arena)

    @property
    def backed_bytes(self):
        return arena_backed_bytes(self.arena)

    @property
    def given_back_bytes(self):
        return arena_given_back_bytes(self.arena)

    def alloc(self, uint32_t number, uint64_t size):
        """(offset, bytes usable) of block `number`, or None."""
        cdef Block* block = arena_alloc(self.arena, size)
        if block == NULL:
            return None
        self.blocks[number] = block
        return block.offset, block.size

    def use(self, uint32_t number, uint64_t ordinal):
        block_use(self.blocks[number], ordinal)

    def busy(self, uint32_t number):
        return block_busy(self.arena, self.blocks[number])

    def retain(self, uint32_t number):
        block_retain(self.blocks[number])

    def release(self, uint32_t number):
        block_release(self.arena, self.blocks[number])

    def fill(self, uint64_t offset, uint64_t size, uint8_t value):
        memset(self.base + offset, value, size)

    def read(self, uint64_t offset, uint64_t size):
        return self.base[offset:offset + size]

    def stage(self, bytes data, uint64_t ordinal):
        cdef pipe_Blob blob
        cdef uint8_t* place = staging_reserve(self.arena, <uint32_t>len(data), ordinal, &blob)
        if place == NULL:
            return None
        memcpy(place, <const uint8_t*>data, len(data))
        return blob.segment, blob.offset, blob.size

    def shadow_init(self, uint32_t number, uint64_t size):
        return shadow_init(self.arena, &self.shadows[number], size)

    def shadow_clear(self, uint32_t number):
        shadow_clear(self.arena, &self.shadows[number])

    def shadow_write(self, uint32_t number, uint64_t offset, const uint8_t[::1] data):
        cdef const uint8_t* source = &data[0] if data.shape[0] else NULL
        return shadow_write(self.arena, &self.shadows[number], offset, source, data.shape[0])

    def shadow_read(self, uint32_t number, uint64_t offset, uint64_t size):
        data = bytearray(size)
        shadow_read(self.arena, &self.shadows[number], offset, <uint8_t*>data, size)
        return bytes(data)

    def shadow_map(self, uint32_t number, uint64_t offset, bytes data):
        """Writes through a pointer, as a mapping does."""
        cdef uint8_t* place = shadow_pointer(self.arena, &self.shadows[number], offset, len(data))
        if place == NULL:
            return False
        memcpy(place, <const uint8_t*>data, len(data))
        return True

    def shadow_view(self, uint32_t number, uint64_t offset, uint64_t size):
        cdef const uint8_t* place = shadow_view(self.arena, &self.shadows[number], offset, size)
        return None if place == NULL else place[:size]

    def shadow_span(self, uint32_t number, uint64_t offset, uint64_t size, uint64_t ordinal):
        cdef pipe_Blob blob
        cdef uint64_t length = shadow_span(self.arena, &self.shadows[number], offset, size, ordinal, &blob)
        return length, (blob.segment, blob.offset, blob.size)

    def shadow_answer(self, uint32_t number, uint32_t block, uint64_t offset, uint64_t size):
        """Where a server may write them, in block `block`; None: not there."""
        cdef pipe_Blob blob
        self.blocks[block] = shadow_answer(self.arena, &self.shadows[number], offset, size, &blob)
        return None if self.blocks[block] == NULL else blob.offset

    def shadow_keep(self, uint32_t number, uint64_t offset, uint64_t place, uint64_t size):
        return shadow_keep(self.arena, &self.shadows[number], offset, self.base + place, size)

    def shadow_answered(self, uint32_t block, uint64_t ordinal):
        shadow_answered(self.arena, self.blocks[block], ordinal)

    def shadow_pieces(self, uint32_t number):
        return [(self.shadows[number].pieces[i].block.offset, self.shadows[number].pieces[i].offset)
                for i in range(self.shadows[number].piece_count)]

    def replace_ns(self, uint32_t number, const uint8_t[::1] data, uint64_t count, bint busy):
        """Nanoseconds of one full replacement, the shadow being in use by a record each time or never."""
        cdef uint64_t i, ordinal = self.words[0] + 1, started
        cdef pipe_Blob blob
        with nogil:
            started = clock_ns()
            for i in range(count):
                shadow_write(self.arena, &self.shadows[number], 0, &data[0], data.shape[0])
                if busy:
                    shadow_span(self.arena, &self.shadows[number], 0, data.shape[0], ordinal + i, &blob)
                    self.words[0] = ordinal + i - 1
            started = clock_ns() - started
        return <double>started / count


cdef struct Upload:             # a record that refers to bytes, all of which are `value`
    uint16_t op, flags
    uint32_t size
    pipe_Blob blob
    uint64_t value


cdef class UploadProbe:
    """A client that writes shadows and stages contents, and a server that reads what the records refer to."""

    cdef Ring producer, consumer
    cdef Arena* arena
    cdef uint8_t* page
    cdef uint8_t* base
    cdef uint8_t* scratch

    def __cinit__(self):
        self.page = segment_map(-1, ring_page_bytes() + 65536)
        self.base = segment_map(-1, 1 << 26)
        self.scratch = <uint8_t*>calloc(1, 1 << 20)
        ring_page_init(<ControlPage*>self.page)
        ring_attach(&self.producer, <ControlPage*>self.page, self.page + ring_page_bytes(), 16384, 65536, NULL, NULL)
        ring_attach(&self.consumer, <ControlPage*>self.page, self.page + ring_page_bytes(), 16384, 65536, NULL, NULL)
        self.arena = arena_new(self.base, -1, 1 << 26, ring_applied_word(&self.producer))

    def __dealloc__(self):
        arena_free(self.arena)
        segment_unmap(self.base, 1 << 26)
        segment_unmap(self.page, ring_page_bytes() + 65536)
        free(self.scratch)

    def client(self, uint64_t count, uint32_t largest):
        """Sends `count` records about four shadows and staged contents; how often memory had to be waited for."""
        cdef Shadow shadows[4]
        cdef Upload* record
        cdef pipe_Blob blob
        cdef uint64_t number, size, offset, value, waits = 0
        cdef Shadow* shadow
        cdef uint8_t* place
        cdef int i
        with nogil:
            for i in range(4):
                shadow_init(self.arena, &shadows[i], largest)
            for number in range(1, count + 1):
                value = _mix(number)
                size = 1 + value % largest if number % 3 else 1 + value % 256
                memset(self.scratch, <int>(value & 255), size)
                if number % 2:
                    shadow = &shadows[(value >> 8) % 4]
                    offset = (value >> 16) % (largest - size + 1)
                    while shadow_write(self.arena, shadow, offset, self.scratch, size) != 0:
                        ring_flush(&self.producer)
                        ring_wait_applied(&self.producer, number - 1)
                        waits += 1
                    shadow_span(self.arena, shadow, offset, size, number, &blob)
                else:
                    while True:
                        place = staging_reserve(self.arena, <uint32_t>size, number, &blob)
                        if place != NULL:
                            break
                        ring_flush(&self.producer)
                        ring_wait_applied(&self.producer, number - 1)
                        waits += 1
                    memcpy(place, self.scratch, size)
                record = <Upload*>ring_reserve(&self.producer, sizeof(Upload))
                record.op = 1
                record.flags = 0
                record.size = sizeof(Upload)
                record.blob = blob
                record.value = value & 255
                ring_commit(&self.producer, sizeof(Upload))
            ring_flush(&self.producer)
            ring_wait_applied(&self.producer, count)
            for i in range(4):
                shadow_clear(self.arena, &shadows[i])
        assert arena_live_blocks(self.arena) == 0
        return waits

    def server(self, uint64_t count):
        """The first record whose bytes are not what they were when it was sent; 0: none."""
        cdef Upload record
        cdef uint64_t number = 0, i, wrong = 0
        cdef uint8_t* bytes
        with nogil:
            while number < count and ring_wait_records(&self.consumer) == 0:
                while ring_take(&self.consumer, <uint8_t*>&record, sizeof(Upload)) > 0:
                    number += 1
                    bytes = self.base + record.blob.offset
                    for i in range(record.blob.size):
                        if bytes[i] != record.value and wrong == 0:
                            wrong = number
                    ring_note_applied(&self.consumer, number)
            ring_poll_records(&self.consumer)
        return wrong


cdef class SegmentsProbe:
    """One segment (number 1) as a server maps it."""

    cdef Segments segments

    def __cinit__(self, ceiling, fd=-1, backed=0):
        memset(&self.segments, 0, sizeof(self.segments))
        self.segments.base[1] = segment_map(fd, ceiling)
        self.segments.ceiling[1] = ceiling
        self.segments.size[1] = backed
        self.segments.fd[1] = fd

    def __dealloc__(self):
        segment_unmap(self.segments.base[1], self.segments.ceiling[1])

    def resolve(self, offset, size, segment=1, alignment=1):
        """The blob's offset in the mapping, None: refused."""
        cdef pipe_Blob blob
        cdef uint8_t* place
        blob.offset, blob.size, blob.segment, blob.pad0 = offset, size, segment, 0
        place = segment_words(&self.segments, &blob, alignment)
        return None if place == NULL else place - self.segments.base[1]

    def read(self, uint64_t offset, uint64_t size):
        return self.segments.base[1][offset:offset + size]
