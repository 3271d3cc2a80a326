# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ring's slow halves: publication, doorbells, waits, growth, and the consumer's checks.

Cursors count bytes for ever; `(cursor - base) & mask` is a place in the memory. What the other side writes (its cursor,
and for the consumer every byte of the ring) may be hostile: it is read once, checked, and used from the private copy.

Growth. The memory is mapped for the ceiling from the start, and untouched pages cost nothing. When the ring is full,
the producer writes an 8-byte notice instead of sleeping and goes on in the part that was never used: it moves `base` so
that the next byte lies just behind the old capacity, and jumps the cursor by the old capacity. So it can come round to
the old records' memory only when `tail` has passed all of them. The consumer does the same when it meets the notice.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from pipe cimport pipe_reply

from mgpipe.links.atomics cimport (clear_bits, clock_ns, count_up, cpu_pause, current_cpu, exchange32, fence,
                                   futex_wait, load_acquire, load_relaxed, load_relaxed32, lower_to, set_bits, store_ordered32,
                                   store_relaxed, store_relaxed32, store_release, add32, wake_parked)

cdef extern from "ring_page.h" nogil:
    const uint64_t NOBODY

cdef extern from "placement.h" nogil:
    ctypedef struct PlacedWait:
        pass
    void placement_begin(Placement* placement, int32_t thread, int32_t process)
    void placement_part(Placement* placement, uint32_t cpu)
    PlacedWait placement_join(Placement* placement)
    void placement_judge(Placement* placement, PlacedWait wait)

cdef extern from "<sys/syscall.h>" nogil:
    long SYS_gettid

cdef extern from "<unistd.h>" nogil:
    long syscall(long number, ...)

cdef enum:
    SPIN_NS = 50000             # what a park and its wake cost together, measured
    SLICE_NS = 100000000        # how late a death is noticed at most
    BACK_OFF = 8                # pauses between two looks at the other side's word: each look takes its cache line away
    CPU_UNKNOWN = 0xFFFF
    FLAG_GROW = 1               # of opcode 0: not padding, but `size` is the new capacity

cdef struct Header:
    uint16_t op, flags
    uint32_t size

cdef uint64_t _spin = 0         # pauses in SPIN_NS on this machine; 14 to 45 ns each on x86, another number elsewhere


cdef uint64_t _measured_spin() noexcept nogil:
    global _spin
    cdef uint64_t started, took
    cdef int i
    if load_relaxed(&_spin) == 0:
        started = clock_ns()
        for i in range(1000):
            cpu_pause()
        took = clock_ns() - started
        store_relaxed(&_spin, max(<uint64_t>100, min(<uint64_t>SPIN_NS * 1000 // (took + 1), <uint64_t>20000)))
    return load_relaxed(&_spin)


cdef uint64_t ring_page_bytes() noexcept nogil:
    return sizeof(ControlPage)


cdef void ring_page_init(ControlPage* page) noexcept nogil:
    memset(page, 0, sizeof(ControlPage))
    page.producer_cpu = page.consumer_cpu = CPU_UNKNOWN
    page.applied_wanted = NOBODY


cdef void ring_attach(Ring* ring, ControlPage* page, uint8_t* data, uint64_t capacity, uint64_t ceiling, Alive alive,
                      void* self) noexcept nogil:
    memset(ring, 0, sizeof(Ring))
    ring.page = page
    ring.data = data
    ring.capacity = capacity
    ring.mask = capacity - 1
    ring.ceiling = ceiling
    ring.alive = alive
    ring.alive_self = self
    ring.spin = _measured_spin()
    ring.bell_distance = BELL_BYTES
    ring.waits = &ring.counted[0]
    ring.parks = &ring.counted[1]


# -- waits -------------------------------------------------------------------------------------------------------------

cdef int _dead(Ring* ring) noexcept nogil:
    return <int32_t>load_relaxed32(<uint32_t*>&ring.dead)


cdef int ring_give_up(Ring* ring, int reason) noexcept nogil:
    """Latches the first reason."""
    if _dead(ring) == 0:
        store_relaxed32(<uint32_t*>&ring.dead, <uint32_t>reason)
    return _dead(ring)


cdef int ring_attend(Ring* ring) noexcept nogil:
    """Asks `alive`, whose answer is final."""
    cdef int reason = ring.alive(ring.alive_self) if ring.alive != NULL else 0
    return ring_give_up(ring, reason) if reason != 0 else _dead(ring)


cdef int _wait(Ring* ring, uint32_t wait, Ready ready, uint64_t what, uint32_t* parked, uint64_t* wanted, bint consumer,
               uint64_t limit_ns=0) noexcept nogil:
    """As _sleep, and whoever wants to know is told."""
    cdef int reason
    if ring.observer == NULL:
        return _sleep(ring, ready, what, parked, wanted, consumer, limit_ns)
    ring.observer.begins(ring.observer, wait)
    reason = _sleep(ring, ready, what, parked, wanted, consumer, limit_ns)
    ring.observer.ends(ring.observer)
    return reason


cdef int _sleep(Ring* ring, Ready ready, uint64_t what, uint32_t* parked, uint64_t* wanted, bint consumer,
                uint64_t limit_ns) noexcept nogil:
    """Spins, then sleeps on `parked`, until ready(what). 0, or the reason for giving up.

    With a limit (not 0) it does not spin, and 0 is also the answer when that time is over.

    `ready` alone decides; a wake is a hint. The page's `stop` and `nudges` are looked at between raising the flag and
    sleeping, like the awaited word itself, so that neither can be missed.
    """
    cdef ControlPage* page = ring.page
    cdef uint32_t cpu = current_cpu()
    cdef uint32_t nudges
    cdef uint64_t left = ring.spin if limit_ns == 0 else 0
    cdef uint64_t end = clock_ns() + limit_ns if limit_ns else 0
    cdef void* gil
    cdef PlacedWait placed
    cdef int reason, pauses

    count_up(ring.waits)
    if ring.carrier != NULL:
        return ring.carrier.wait(ring.carrier, ring, ready, what)
    store_relaxed32(&page.consumer_cpu if consumer else &page.producer_cpu, cpu)
    if load_relaxed32(&page.producer_cpu if consumer else &page.consumer_cpu) == cpu:
        left = 0                # it needs this very CPU: spinning only keeps it from running (0.85 → 0.41 us a draw)
    while left >= BACK_OFF:
        for pauses in range(BACK_OFF):
            cpu_pause()
        left -= BACK_OFF
        if ready(ring, what):
            return _dead(ring)

    ring_parks(ring)
    placed = placement_join(&ring.placement)        # nothing on the consumer's side
    gil = gil_let_go()
    while True:
        if wanted != NULL:
            lower_to(wanted, what)
        exchange32(parked, 1)   # not a store: it must see what the last waker did before it cleared the flag
        fence()
        if ready(ring, what):
            reason = _dead(ring)
            break
        if load_relaxed32(&page.stop) != 0:
            reason = ring_attend(ring)
            if reason == 0:
                reason = ring_give_up(ring, RING_STOPPED)
            break
        nudges = load_relaxed32(&page.nudges)
        if nudges != load_relaxed32(&ring.nudges):
            store_relaxed32(&ring.nudges, nudges)
            reason = ring_attend(ring)
            if reason != 0:
                break
            continue
        if wanted != NULL and load_relaxed(wanted) > what:
            continue            # a wake for somebody else has erased our mark
        if futex_wait(parked, 1, limit_ns if limit_ns else SLICE_NS) != 0 and not ready(ring, what):
            reason = ring_attend(ring)
            if reason != 0 or (end and clock_ns() >= end):
                break
    store_relaxed32(&page.consumer_cpu if consumer else &page.producer_cpu, current_cpu())
    placement_judge(&ring.placement, placed)
    gil_take_back(gil)
    return reason


cdef void ring_parks(Ring* ring) noexcept nogil:
    count_up(ring.parks)
    if ring.observer != NULL:
        ring.observer.parks(ring.observer)


cdef void _wake_all(ControlPage* page) noexcept nogil:
    cdef int i
    fence()
    wake_parked(&page.consumer_parked)
    wake_parked(&page.producer_parked)
    wake_parked(&page.applied_parked)
    for i in range(REPLY_SLOTS):
        if load_relaxed32(&page.replies[i].parked) != 0:
            wake_parked(&page.replies[i].parked)


cdef void ring_nudge(ControlPage* page) noexcept nogil:
    add32(&page.nudges, 1)
    _wake_all(page)


cdef void ring_wake_all(Ring* ring) noexcept nogil:
    store_ordered32(&ring.page.stop, 1)
    _wake_all(ring.page)


# -- producer ----------------------------------------------------------------------------------------------------------

cdef void ring_publish(Ring* ring) noexcept nogil:
    store_release(&ring.page.head, ring.head)
    ring.published = ring.head
    if ring.head - ring.belled >= ring.bell_distance:
        _ring_bell(ring, True)


cdef void ring_place_consumer(Ring* ring, int32_t thread, int32_t process) noexcept nogil:
    placement_begin(&ring.placement, thread, process)


cdef void _ring_bell(Ring* ring, bint goes_on) noexcept nogil:
    ring.belled = ring.published
    if ring.carrier != NULL:
        ring.carrier.carry(ring.carrier, ring, goes_on)
        return
    fence()
    if load_relaxed32(&ring.page.consumer_parked) == 0:
        ring.bell_distance = BELL_BYTES
        return
    # A wake costs the producer as much as fifty draws. A consumer that is found asleep again and again shares this CPU or
    # outruns the producer: it loses nothing when it is woken less often. A flush rings at once whatever the distance.
    if ring.bell_distance < BELL_BYTES_MOST:
        ring.bell_distance *= 2
    if goes_on:
        placement_part(&ring.placement, current_cpu())
    wake_parked(&ring.page.consumer_parked)


cdef void ring_flush(Ring* ring) noexcept nogil:
    if ring.published != ring.head:
        store_release(&ring.page.head, ring.head)
        ring.published = ring.head
    if ring.belled != ring.head:
        _ring_bell(ring, False)


cdef void ring_hear(Ring* ring) noexcept nogil:
    if ring.carrier != NULL:
        ring.carrier.hear(ring.carrier, ring)


cdef void _look_at_tail(Ring* ring) noexcept nogil:
    cdef uint64_t tail = load_acquire(&ring.page.tail)
    if tail - ring.peer > ring.published - ring.peer or tail & 7:      # went back, or passed what was published
        ring_give_up(ring, RING_CORRUPT)
    else:
        ring.peer = tail


cdef bint _has_space(Ring* ring, uint64_t bytes) noexcept nogil:
    if ring.head + bytes - ring.peer > ring.capacity:
        _look_at_tail(ring)
    return ring.head + bytes - ring.peer <= ring.capacity or _dead(ring) != 0


cdef bint _spin_for_space(Ring* ring, uint64_t bytes) noexcept nogil:
    cdef uint64_t i
    cdef bint found = False
    if ring.observer != NULL:
        ring.observer.begins(ring.observer, RING_WAIT_ROOM)
    for i in range(ring.spin):
        if i % BACK_OFF == 0 and _has_space(ring, bytes):
            found = True
            break
        cpu_pause()
    if ring.observer != NULL:
        ring.observer.ends(ring.observer)
    return found


cdef void _grow(Ring* ring) noexcept nogil:
    cdef uint64_t old = ring.capacity
    cdef Header* notice = <Header*>(ring.data + ((ring.head - ring.base) & ring.mask))
    ring.capacity = min(old * 4, ring.ceiling)
    ring.mask = ring.capacity - 1
    notice.op = 0
    notice.flags = FLAG_GROW
    notice.size = <uint32_t>ring.capacity
    ring.base = ring.head + 8
    ring.head = ring.base + old
    ring.grown += 1


cdef uint8_t* ring_make_room(Ring* ring, uint32_t size) noexcept nogil:
    cdef uint64_t at, padding
    cdef Header* header
    if 2 * <uint64_t>size > ring.ceiling:
        return NULL
    while _dead(ring) == 0:
        at = (ring.head - ring.base) & ring.mask
        padding = 0 if at + size <= ring.capacity else ring.capacity - at
        if 2 * <uint64_t>size > ring.capacity:
            _grow(ring)
        elif _has_space(ring, padding + size + 8):
            if padding != 0:
                header = <Header*>(ring.data + at)
                header.op = header.flags = 0
                header.size = <uint32_t>padding
                ring.head += padding
                at = 0
            return NULL if _dead(ring) != 0 else ring.data + at
        else:
            ring_flush(ring)
            if ring.capacity < ring.ceiling:
                # More memory costs less than a sleep; but a consumer that only just falls behind stays in its cache.
                if not _spin_for_space(ring, padding + size + 8):
                    _grow(ring)
            else:
                _wait(ring, RING_WAIT_ROOM, _has_space, padding + size + 8, &ring.page.producer_parked, NULL, False)
    return NULL


cdef bint ring_has_room(Ring* ring, uint32_t size) noexcept nogil:
    cdef uint64_t at = (ring.head - ring.base) & ring.mask
    return _has_space(ring, size + 8 + (0 if at + size <= ring.capacity else ring.capacity - at))


cdef bint _is_applied(Ring* ring, uint64_t ordinal) noexcept nogil:
    return load_acquire(&ring.page.applied) >= ordinal


cdef int ring_wait_applied(Ring* ring, uint64_t ordinal) noexcept nogil:
    if _is_applied(ring, ordinal):
        return 0
    if _dead(ring) != 0:
        return _dead(ring)
    return _wait(ring, RING_WAIT_APPLIED, _is_applied, ordinal, &ring.page.applied_parked, &ring.page.applied_wanted, False)


cdef uint64_t ring_applied(Ring* ring) noexcept nogil:
    return load_acquire(&ring.page.applied)


cdef uint64_t* ring_applied_word(Ring* ring) noexcept nogil:
    return &ring.page.applied


cdef ReplySlot* _slot(Ring* ring, uint64_t ordinal) noexcept nogil:
    return &ring.page.replies[ordinal % REPLY_SLOTS]


cdef uint64_t _slot_bit(uint64_t ordinal) noexcept nogil:
    return <uint64_t>1 << (ordinal % REPLY_SLOTS)


cdef bint _try_claim(Ring* ring, uint64_t ordinal) noexcept nogil:
    if set_bits(&ring.claimed, _slot_bit(ordinal)) & _slot_bit(ordinal) != 0:
        return False
    store_relaxed(&_slot(ring, ordinal).done, 0)        # publishing the record orders it
    return True


cdef int ring_claim_reply(Ring* ring, uint64_t ordinal) noexcept nogil:
    cdef void* gil
    cdef uint32_t never = 0
    if _dead(ring) != 0:
        return _dead(ring)
    if _try_claim(ring, ordinal):
        return 0
    # 64 records ago another thread asked, and has its answer but has not run since. It needs no lock to read it.
    if ring.observer != NULL:
        ring.observer.begins(ring.observer, RING_WAIT_SLOT)
    gil = gil_let_go()
    while not _try_claim(ring, ordinal) and ring_attend(ring) == 0:
        futex_wait(&never, 0, 50000)
    gil_take_back(gil)
    if ring.observer != NULL:
        ring.observer.ends(ring.observer)
    return _dead(ring)


cdef bint _is_answered(Ring* ring, uint64_t ordinal) noexcept nogil:
    return load_acquire(&_slot(ring, ordinal).ordinal) == ordinal


cdef int ring_wait_reply(Ring* ring, uint64_t ordinal, pipe_reply* reply) noexcept nogil:
    cdef ReplySlot* slot = _slot(ring, ordinal)
    cdef int reason = 0
    if not _is_answered(ring, ordinal):
        reason = _dead(ring)
        if reason == 0:
            reason = _wait(ring, RING_WAIT_ANSWER, _is_answered, ordinal, &slot.parked, NULL, False)
    if reason == 0:
        reply.status = slot.status
        reply.size = slot.size
        memcpy(reply.value, slot.value, sizeof(reply.value))
    clear_bits(&ring.claimed, _slot_bit(ordinal))
    return reason


cdef struct Part:
    uint64_t ordinal, done


cdef bint _has_part(Ring* ring, uint64_t part) noexcept nogil:
    cdef Part* it = <Part*>part
    return load_acquire(&_slot(ring, it.ordinal).done) > it.done or _is_answered(ring, it.ordinal)


cdef int ring_wait_part(Ring* ring, uint64_t ordinal, uint64_t* done) noexcept nogil:
    cdef Part part
    cdef int reason = 0
    part.ordinal = ordinal
    part.done = done[0]
    if not _has_part(ring, <uint64_t>&part):
        reason = _dead(ring)
        if reason == 0:
            reason = _wait(ring, RING_WAIT_ANSWER, _has_part, <uint64_t>&part, &_slot(ring, ordinal).parked, NULL, False)
    done[0] = max(done[0], load_acquire(&_slot(ring, ordinal).done))
    return reason


# -- consumer ----------------------------------------------------------------------------------------------------------

cdef void ring_name_consumer(Ring* ring) noexcept nogil:
    ring.page.consumer_thread = <int32_t>syscall(SYS_gettid)


cdef void _look_at_head(Ring* ring) noexcept nogil:
    cdef uint64_t head = load_acquire(&ring.page.head)
    if head - ring.tail > ring.ceiling or head - ring.tail < ring.peer - ring.tail or head & 7:
        ring_give_up(ring, RING_CORRUPT)
    else:
        ring.peer = head


cdef bint _has_records(Ring* ring, uint64_t unused) noexcept nogil:
    if ring.peer == ring.tail:
        _look_at_head(ring)
    return ring.peer != ring.tail or _dead(ring) != 0


cdef void ring_release(Ring* ring, uint64_t tail) noexcept nogil:
    store_release(&ring.page.tail, tail)
    ring.published = tail
    fence()
    if load_relaxed32(&ring.page.producer_parked) != 0:
        wake_parked(&ring.page.producer_parked)


cdef void ring_set_applied(Ring* ring, uint64_t ordinal) noexcept nogil:
    cdef ControlPage* page = ring.page
    ring.applied = ordinal
    store_release(&page.applied, ordinal)
    fence()
    if load_relaxed32(&page.applied_parked) != 0 and ordinal >= load_relaxed(&page.applied_wanted):
        # In this order: a sleeper that sets its mark in between sees it erased after raising its flag, and starts anew.
        store_relaxed(&page.applied_wanted, NOBODY)
        wake_parked(&page.applied_parked)


cdef void _report(Ring* ring) noexcept nogil:
    """Tells the producer what the batch has freed and applied."""
    if ring.applied != load_relaxed(&ring.page.applied):
        ring_set_applied(ring, ring.applied)
    if ring.published != ring.tail:
        ring_release(ring, ring.tail)


cdef int ring_poll_records(Ring* ring) noexcept nogil:
    if ring.peer != ring.tail:
        return 1
    _report(ring)
    if _has_records(ring, 0):
        return _dead(ring) if _dead(ring) != 0 else 1
    return 0


cdef int ring_wait_records_for(Ring* ring, uint64_t limit_ns) noexcept nogil:
    cdef int found = ring_poll_records(ring)
    if found == 0:
        return _wait(ring, RING_WAIT_RECORDS, _has_records, 0, &ring.page.consumer_parked, NULL, True, limit_ns)
    return 0 if found == 1 else found


cdef int ring_wait_records(Ring* ring) noexcept nogil:
    cdef int found = ring_poll_records(ring)
    if found == 0:
        return _wait(ring, RING_WAIT_RECORDS, _has_records, 0, &ring.page.consumer_parked, NULL, True)
    return 0 if found == 1 else found


cdef int64_t ring_take(Ring* ring, uint8_t* copy, uint32_t limit) noexcept nogil:
    cdef uint64_t at, word
    cdef Header header
    while ring.tail != ring.peer:
        at = (ring.tail - ring.base) & ring.mask
        # Read once: the producer's process can change the header after any check of it.
        word = load_relaxed(<uint64_t*>(ring.data + at))
        memcpy(&header, &word, sizeof(header))
        if header.op == 0 and header.flags == FLAG_GROW:
            if (header.size <= ring.capacity or header.size > ring.ceiling or header.size & (header.size - 1) != 0
                    or ring.peer - ring.tail < 8 + ring.capacity):
                return ring_give_up(ring, RING_CORRUPT)
            ring.base = ring.tail + 8
            ring.tail = ring.base + ring.capacity
            ring.capacity = header.size
            ring.mask = ring.capacity - 1
            ring.grown += 1
            continue
        if (header.size < 8 or header.size & 7 != 0 or header.size > ring.peer - ring.tail
                or at + header.size > ring.capacity):
            return ring_give_up(ring, RING_CORRUPT)
        if header.op != 0:
            if header.size > limit:
                return ring_give_up(ring, RING_CORRUPT)
            memcpy(copy, ring.data + at, header.size)
            memcpy(copy, &header, sizeof(header))
        ring.tail += header.size
        if ring.tail - ring.published >= RELEASE_BYTES:
            _report(ring)
        if header.op != 0:
            return header.size
    return 0


cdef void ring_post_part(Ring* ring, uint64_t ordinal, uint64_t done) noexcept nogil:
    cdef ReplySlot* slot = _slot(ring, ordinal)
    store_release(&slot.done, done)
    fence()
    if load_relaxed32(&slot.parked) != 0:
        wake_parked(&slot.parked)


cdef void ring_post_reply(Ring* ring, uint64_t ordinal, const pipe_reply* reply) noexcept nogil:
    cdef ReplySlot* slot = _slot(ring, ordinal)
    slot.status = reply.status
    slot.size = reply.size
    memcpy(slot.value, reply.value, sizeof(slot.value))
    store_release(&slot.ordinal, ordinal)
    fence()
    if load_relaxed32(&slot.parked) != 0:
        wake_parked(&slot.parked)
