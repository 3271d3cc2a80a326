"""A single-producer single-consumer ring of records with doorbells both ways; C11 atomics live in atomics.h.

The control page groups words by writer, each group on cache lines of its own. Used for commands (client → server) and,
smaller, for events (server → client). Threads and processes alike: futex words in the page, never FUTEX_PRIVATE.

Record: {op u16, flags u16, size u32} + bytes, 8-byte aligned, contiguous, at most half the ring. Opcode 0 is the ring's
own: padding up to the end of the memory, or the notice that the ring grows.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from pipe cimport pipe_reply

from mgpipe.links.atomics cimport load_relaxed32

cdef extern from "ring_page.h" nogil:
    enum: REPLY_SLOTS
    ctypedef struct ReplySlot:
        uint64_t ordinal
        int32_t status
        uint32_t size
        uint64_t value[4]
        uint32_t parked
        uint64_t done
    ctypedef struct ControlPage:
        uint64_t head, tail, applied, applied_wanted
        uint32_t producer_cpu, consumer_cpu
        int32_t consumer_thread
        uint32_t consumer_parked, producer_parked, applied_parked
        uint32_t stop, nudges
        ReplySlot replies[64]

cdef extern from "placement.h" nogil:
    ctypedef struct Placement:
        pass

cdef extern from "gil.h" nogil:
    void* gil_let_go()                  # releases the GIL if this thread holds it
    void gil_take_back(void* state)

cdef enum:
    RING_START_BYTES = 262144           # a command ring's capacity before it has grown: stays in the L2 cache
    RING_CEILING_BYTES = 8388608        # and what it may grow to
    EVENT_RING_BYTES = 262144           # never grows
    PUBLISH_BYTES = 1024                # 8 to 64 records a store: 24 → 9 ns a record beside a spinning consumer
    BELL_BYTES = 4096                   # one fence and one look at the parked flag for 51 draws
    BELL_BYTES_MOST = 65536             # for a consumer that keeps falling asleep: a quarter of the smallest ring
    RELEASE_BYTES = 16384

# Why a wait ended without what it waited for. `alive` gives reasons > 0 of its own.
cdef enum:
    RING_STOPPED = -1                   # ring_wake_all
    RING_CORRUPT = -2                   # the other side's cursor or record cannot be

# What a parked side asks every 100 ms, after a signal and after a nudge: 0 go on waiting, else give up (peer dead,
# interrupted, stopping). Called without the GIL.
ctypedef int (*Alive)(void* self) noexcept nogil

# Stands in for a peer that maps the same memory: carries what is published elsewhere, and hears what comes back.
ctypedef bint (*Ready)(Ring* ring, uint64_t what) noexcept nogil
cdef struct Carrier:
    void (*carry)(Carrier* self, Ring* ring, bint goes_on) noexcept nogil
    int (*wait)(Carrier* self, Ring* ring, Ready ready, uint64_t what) noexcept nogil      # 0, or the reason for giving up
    void (*hear)(Carrier* self, Ring* ring) noexcept nogil                                 # without waiting

# What a wait of a ring is for, and who is told of it.
cdef enum RingWait:
    RING_WAIT_ROOM = 0
    RING_WAIT_ANSWER = 1
    RING_WAIT_APPLIED = 2
    RING_WAIT_RECORDS = 3
    RING_WAIT_SLOT = 4                  # of an answer: another thread has not read its own
    RING_WAIT_SOCKET = 5                # of a stream, which takes no more
    RING_WAITS = 6

cdef struct Observer:
    void (*begins)(Observer* self, uint32_t wait) noexcept nogil       # on the thread that waits; a RingWait
    void (*parks)(Observer* self) noexcept nogil
    void (*ends)(Observer* self) noexcept nogil

cdef struct Ring:                   # one side's private view
    ControlPage* page
    uint8_t* data
    uint64_t capacity, mask
    uint64_t ceiling                # mapped; capacity grows up to it
    uint64_t base                   # cursor - base, masked, is the place in `data`; moves when the ring grows
    uint64_t head, tail             # producer: head is private until published; consumer: tail likewise
    uint64_t peer                   # last seen cursor of the other side
    uint64_t published, belled      # own cursor as the other side may see it; as it was when last looking for sleepers
    uint64_t applied                # consumer: highest ordinal noted, published per batch
    uint64_t bell_distance          # bytes between two looks at the parked flag: BELL_BYTES, more while it keeps parking
    uint64_t claimed                # reply slots that somebody waits on, a bit each
    uint64_t spin                   # pauses before parking
    Carrier* carrier                # NULL: the peer maps this memory
    Observer* observer              # NULL: nobody wants to know
    Placement placement             # producer: of the consumer's thread
    Alive alive
    void* alive_self
    uint64_t* waits                 # where they are counted: `counted`, or a page that others read
    uint64_t* parks
    uint64_t counted[2]
    uint64_t grown
    uint32_t nudges                 # of the page, as last attended to
    int32_t dead                    # latched reason: waits return it at once

cdef uint64_t ring_page_bytes() noexcept nogil
cdef void ring_page_init(ControlPage* page) noexcept nogil
# `data` is mapped for `ceiling` bytes, of which `capacity` are used at first; both powers of two, equal: never grows.
cdef void ring_attach(Ring* ring, ControlPage* page, uint8_t* data, uint64_t capacity, uint64_t ceiling, Alive alive,
                      void* self) noexcept nogil

# -- producer -----------------------------------------------------------------------------------------------------------
cdef uint8_t* ring_make_room(Ring* ring, uint32_t size) noexcept nogil   # the slow half of ring_reserve
cdef void ring_publish(Ring* ring) noexcept nogil
cdef void ring_flush(Ring* ring) noexcept nogil                          # publish all and ring the doorbell
# The consumer is a thread of this program or of its child: it is kept off the CPU of whoever makes it work.
# `process`: whose child's it is, 0: it is of our own.
cdef void ring_place_consumer(Ring* ring, int32_t thread, int32_t process) noexcept nogil
cdef bint ring_has_room(Ring* ring, uint32_t size) noexcept nogil        # would ring_reserve return without waiting or growing?
cdef void ring_hear(Ring* ring) noexcept nogil                           # of a carrier: what has come so far; else nothing
cdef int ring_give_up(Ring* ring, int reason) noexcept nogil             # latches the first reason, which is returned
cdef void ring_parks(Ring* ring) noexcept nogil                          # a wait goes to sleep
cdef int ring_attend(Ring* ring) noexcept nogil                          # asks `alive`; its answer is final
cdef int ring_wait_applied(Ring* ring, uint64_t ordinal) noexcept nogil  # 0 reached, else the reason. Releases the GIL if held
cdef uint64_t ring_applied(Ring* ring) noexcept nogil
cdef uint64_t* ring_applied_word(Ring* ring) noexcept nogil

# Space for one record of `size` bytes (a multiple of 8, at most half the ceiling); NULL: dead. Contiguous; pads at the end.
cdef inline uint8_t* ring_reserve(Ring* ring, uint32_t size) noexcept nogil:
    cdef uint64_t at = (ring.head - ring.base) & ring.mask
    # One header always stays free, so that even a full ring can say that it grows.
    if at + size > ring.capacity or ring.head + size + 8 - ring.peer > ring.capacity or load_relaxed32(<uint32_t*>&ring.dead):
        return ring_make_room(ring, size)
    return ring.data + at

# The reserved record is whole. Becomes visible per PUBLISH_BYTES; whoever then waits for an answer flushes.
cdef inline void ring_commit(Ring* ring, uint32_t size) noexcept nogil:
    ring.head += size
    if ring.head - ring.published >= PUBLISH_BYTES:
        ring_publish(ring)

# Replies: claim the slot of this ordinal before its record is published, then wait. A claim waits only when another
# thread of this client has not yet read the answer to a record a multiple of REPLY_SLOTS earlier.
cdef int ring_claim_reply(Ring* ring, uint64_t ordinal) noexcept nogil
cdef int ring_wait_reply(Ring* ring, uint64_t ordinal, pipe_reply* reply) noexcept nogil   # 0: *reply is set; else the reason
# More than *done bytes of the answer are there, or all of it: then ring_wait_reply returns at once. As the server says.
cdef int ring_wait_part(Ring* ring, uint64_t ordinal, uint64_t* done) noexcept nogil

# -- consumer -----------------------------------------------------------------------------------------------------------
cdef void ring_name_consumer(Ring* ring) noexcept nogil                  # by the thread that is to consume
cdef int ring_wait_records_for(Ring* ring, uint64_t limit_ns) noexcept nogil    # the same; 0 also when the time is over
cdef int ring_wait_records(Ring* ring) noexcept nogil                    # 0: ring.peer != ring.tail; else the reason
cdef int ring_poll_records(Ring* ring) noexcept nogil                    # 1: there are some, 0: none, else the reason
# The next record of the batch, copied into private memory and checked there; its size. 0: batch done; RING_CORRUPT.
cdef int64_t ring_take(Ring* ring, uint8_t* copy, uint32_t limit) noexcept nogil
cdef void ring_release(Ring* ring, uint64_t tail) noexcept nogil         # bytes up to tail are free again, now
cdef void ring_set_applied(Ring* ring, uint64_t ordinal) noexcept nogil  # watermark, now; wakes those that wait for it

# The same, when the batch ends or RELEASE_BYTES went by: what an apply loop calls for each record.
cdef inline void ring_note_applied(Ring* ring, uint64_t ordinal) noexcept nogil:
    ring.applied = ordinal

cdef void ring_post_part(Ring* ring, uint64_t ordinal, uint64_t done) noexcept nogil   # so many bytes of the answer are there
cdef void ring_post_reply(Ring* ring, uint64_t ordinal, const pipe_reply* reply) noexcept nogil
cdef void ring_nudge(ControlPage* page) noexcept nogil                   # sleepers of this page ask `alive` now
cdef void ring_wake_all(Ring* ring) noexcept nogil                       # stop: every wait on this page ends with a reason
