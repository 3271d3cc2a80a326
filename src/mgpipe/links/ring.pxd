"""A single-producer single-consumer ring of records with doorbells both ways; C11 atomics live in atomics.h.

The control page groups words by writer, each group on cache lines of its own. Used for commands (client → server) and,
smaller, for events (server → client). Threads and processes alike: futex words in the page, never FUTEX_PRIVATE.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "ring_page.h" nogil:
    ctypedef struct ControlPage:
        pass

# What a parked side asks every 100 ms: 0 go on waiting, else give up (peer dead, interrupted, stopping).
ctypedef int (*Alive)(void* self) noexcept nogil

cdef struct Ring:                   # one side's private view
    ControlPage* page
    uint8_t* data
    uint64_t capacity, mask
    uint64_t head, tail             # producer: head is private until published; consumer: tail likewise
    uint64_t peer                   # last seen cursor of the other side
    uint64_t published, belled
    uint64_t spin                   # pauses before parking
    Alive alive
    void* alive_self
    uint64_t waits, parks
    uint32_t dead                   # latched: waits return at once

cdef uint64_t ring_page_bytes() noexcept nogil
cdef void ring_page_init(ControlPage* page) noexcept nogil
cdef void ring_attach(Ring* ring, ControlPage* page, uint8_t* data, uint64_t capacity, Alive alive, void* self) noexcept nogil
# producer
cdef uint8_t* ring_reserve(Ring* ring, uint32_t size) noexcept nogil     # NULL: dead. Contiguous; pads at the end of the ring
cdef void ring_commit(Ring* ring, uint32_t size) noexcept nogil          # publishes lazily, per 1 KiB; looks at the parked flag per 4 KiB
cdef void ring_flush(Ring* ring) noexcept nogil                          # publish all and ring the doorbell
cdef int ring_wait_applied(Ring* ring, uint64_t ordinal) noexcept nogil  # 0 reached, else the reason `alive` gave. Releases the GIL if held
cdef uint64_t ring_applied(Ring* ring) noexcept nogil
cdef uint64_t* ring_applied_word(Ring* ring) noexcept nogil
# consumer
cdef int ring_wait_records(Ring* ring) noexcept nogil                    # 0: ring.peer > ring.tail; else reason
cdef void ring_release(Ring* ring, uint64_t tail) noexcept nogil         # bytes up to tail are free again
cdef void ring_set_applied(Ring* ring, uint64_t ordinal) noexcept nogil  # watermark; wakes a parked waiter
cdef void ring_wake_all(Ring* ring) noexcept nogil                       # stop: wake every parker of this page
