# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A session: emitting records, waiting for answers, handles, the memory of answers, and the Python handle of it all.

Every topology has one. Over a ring the tables hold the generated encoders; in monolith the applier's own functions,
behind thin ones that count (so that ordinals and statistics mean the same everywhere) and that stop when the session is
lost. All counting happens in the few functions below.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset, strcspn, strlen
from posix.mman cimport (MAP_ANONYMOUS, MAP_FAILED, MAP_FIXED, MAP_NORESERVE, MAP_PRIVATE, MAP_SHARED, PROT_READ, PROT_WRITE,
                         mmap, munmap)
from posix.unistd cimport close, dup2, ftruncate, getpid, write
from pipe cimport *

from mgpipe.client.link cimport *
from mgpipe.client.page cimport FRAME_RING, THREAD_SLOTS, ClientPage, client_page_new
from mgpipe.links.atomics cimport (add32, clock_ns, exchange32, fence, futex_wait, load_acquire, load_acquire32, load_relaxed,
                                   lock_acquire, lock_release, store_ordered32, store_relaxed32)
from mgpipe.links.ring cimport (RING_CORRUPT, EVENT_RING_BYTES, RING_CEILING_BYTES, RING_START_BYTES, ControlPage, Ring,
                                gil_let_go, gil_take_back, ring_applied_word, ring_attach, ring_claim_reply, ring_commit,
                                ring_flush, ring_hear, ring_nudge, ring_page_bytes, ring_page_init, ring_place_consumer, ring_poll_records, ring_reserve,
                                ring_take, ring_wait_applied, ring_wait_part, ring_wait_reply)
from mgpipe.links.packing cimport pack_available
from mgpipe.links.segments cimport Segments
from mgpipe.links.pages cimport page_free, page_say, page_withdraw
from mgpipe.links.stream cimport compress, stream_forget, stream_free, stream_new
from mgpipe.client.trace cimport (Clocks, trace_because, trace_clocks, trace_close, trace_disown, trace_event, trace_flush,
                                   trace_frame, trace_free, trace_install, trace_open, trace_summary, trace_wait_begins,
                                   trace_wait_ends, trace_write)
from mgpipe.client.trace_events cimport TRACE_WAIT_FRAMES, TRACE_WAIT_LOCK, TRACE_WAIT_MEMORY
from mgpipe.links.arena cimport (SEGMENT_PROGRAM, SEGMENT_REPLY, arena_bytes_in_use, arena_free, arena_live_blocks, arena_new,
                                 arena_set_forget, arena_set_relief, arena_set_retired_limit, arena_set_threaded)

import os

from mgpipe.catalogue.options import COMPRESSION
from mgpipe.client.page import TOPOLOGY_NAMES
from mgpipe.links.memory import check_memory

cdef extern from "atomics.h" nogil:     # for _GNU_SOURCE, before the system's headers
    pass
cdef extern from "<fcntl.h>" nogil:
    int open(const char* path, int flags)
    int fallocate(int fd, int mode, int64_t offset, int64_t size)
    int O_RDWR, O_CLOEXEC, FALLOC_FL_PUNCH_HOLE, FALLOC_FL_KEEP_SIZE
cdef extern from "<sys/mman.h>" nogil:
    int madvise(void* address, size_t size, int advice)
    int MADV_DONTNEED

cdef extern from *:
    const char* MGPIPE_VERSION

cdef enum:
    REPLY_ALIGNMENT = 64
    REPLY_KEPT = 1 << 20            # of answers' memory, for good
    REPLY_IDLE_NS = 1000000000
    IN_FLIGHT_BYTES = 64 << 20      # of released blocks, on a stream to another machine: it shares no cache, and a network has to be filled

LACKING_SHOWN = 8           # names in the one line that says what a version that was asked for lacks

cdef uint32_t LAST_GENERATION = 0xFFFFFFFF


include "lock.pxi"
include "events.pxi"
include "loss.pxi"


# -- emitting: the hooks of the generated encoders -------------------------------------------------------------------------

cdef inline void count_record(Session* session, uint32_t size) noexcept nogil:
    session.emitted += 1
    session.stats.records += 1
    session.stats.record_bytes += size


cdef inline void count_answer(Session* session, uint32_t op) noexcept nogil:
    """A wait that the program asked for is no round trip: those are the ones that we needed."""
    if (op == PIPE_OP_READ_PIXELS or op == PIPE_OP_GET_TEXTURE_IMAGE or op == PIPE_OP_RESOURCE_READBACK
            or op == PIPE_OP_QUERY_RESULT or op == PIPE_OP_FENCE_WAIT or op == PIPE_OP_TIMESTAMP
            or op == PIPE_OP_COUNT_LIVING):
        session.stats.reads += 1
    elif op == PIPE_OP_FINISH:
        session.stats.finishes += 1
    elif op == PIPE_OP_AWAIT_PRESENT:
        session.stats.present_waits += 1
    else:
        session.stats.round_trips += 1


cdef inline uint8_t* emit_reserve(void* self, uint32_t size) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef uint8_t* at = ring_reserve(&(<Link*>session.link).commands, size)
    if at == NULL:
        wait_ended(session, (<Link*>session.link).commands.dead)
    return at


cdef inline void emit_commit(void* self, uint32_t size, bint publish) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef Ring* ring = &link.commands
    count_record(session, size)
    if not publish:
        ring_commit(ring, size)
        return
    # Its answer's slot is claimed before anybody can answer.
    link.asked_op = (<pipe_record*>(ring.data + ((ring.head - ring.base) & ring.mask))).op
    if link.asked_op != PIPE_OP_FLUSH and link.asked_op != PIPE_OP_PRESENT:
        ring_claim_reply(ring, session.emitted)
    ring_commit(ring, size)
    ring_flush(ring)


cdef uint64_t take_parts(Ring* ring, uint64_t ordinal, Taker* taker) noexcept nogil:
    """Until the answer is whole, or will not come; how many. What came last is left to whoever has the answer."""
    cdef uint64_t before, done = 0, parts = 0
    while True:
        before = done
        if ring_wait_part(ring, ordinal, &done) != 0 or done == before:
            return parts
        taker.take(taker, done)
        parts += 1


cdef inline void emit_wait(void* self, pipe_reply* reply) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef uint64_t ordinal = session.emitted
    cdef Taker* taker = link.taker
    cdef uint64_t parts = 0
    cdef uint32_t depth
    cdef int reason
    count_answer(session, link.asked_op)
    link.taker = NULL
    depth = lock_suspend(session)           # nobody awaits an answer under the lock
    if taker != NULL:
        parts = take_parts(&link.commands, ordinal, taker)
    reason = ring_wait_reply(&link.commands, ordinal, reply)
    lock_resume(session, depth)
    session.stats.answer_parts += parts
    wait_ended(session, reason)
    show_totals(session)
    poll_events(session)
    if reason != 0 or session.lost != 0:
        reply.status = PIPE_REPLY_LOST


include "encode.pxi"


# -- the same for monolith: the applier's functions are called at once -----------------------------------------------------

cdef inline bint direct_enter(void* self, uint32_t size) noexcept nogil:
    if (<Session*>self).lost != 0:
        return False
    count_record(<Session*>self, size)
    return True


cdef inline PipeScreen* direct_screen(void* self) noexcept nogil:
    return &(<Link*>(<Session*>self).link).direct_screen


cdef inline PipeContext* direct_context(void* self) noexcept nogil:
    return &(<Link*>(<Session*>self).link).direct_context


cdef inline void* direct_self(void* self) noexcept nogil:
    return (<Link*>(<Session*>self).link).direct_self


cdef inline void direct_leave(void* self, uint32_t op, pipe_reply* reply) noexcept nogil:
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef const char* fault = link.direct_fault(link.direct_self)
    if reply != NULL:
        count_answer(session, op)
    if fault != NULL:
        session_lose(session, LOSS_FAULT, fault)
        if reply != NULL:
            reply.status = PIPE_REPLY_LOST


include "direct.pxi"


cdef void install_direct(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    session.self = session
    install_direct_calls(&session.screen, &session.context, &link.direct_screen, &link.direct_context)


cdef void install_records(Session* session) noexcept nogil:
    session.self = session
    install_encoders(&session.screen, &session.context)


cdef void show_totals(Session* session) noexcept nogil:
    """What is counted elsewhere, for those who look at the page."""
    cdef Link* link = <Link*>session.link
    link.page.applied = load_acquire(session.applied)
    if session.shadow != NULL:
        link.page.shadow_bytes = arena_bytes_in_use(session.shadow)
    if link.stream != NULL:
        link.page.sent_bytes = link.stream.gathered.total
        link.page.received_bytes = link.stream.received.total


# -- ordinals, frames --------------------------------------------------------------------------------------------------

cdef uint64_t next_ordinal(Session* session) noexcept nogil:
    return session.emitted + 1


cdef uint64_t applied_ordinal(Session* session) noexcept nogil:
    return load_acquire(session.applied)


cdef void session_publish(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    if not link.has_rings or session.lost != 0:
        return
    ring_flush(&link.commands)
    show_totals(session)
    link.publishes += 1
    if link.publishes % LOOK_EVERY_PUBLISHES == 0:
        look_at_server(session)


cdef bint relieve_arena(void* self, uint64_t ordinal) noexcept nogil:
    """The arena is full, or too many of its bytes are in flight: waits until the server has applied `ordinal`.

    What was not emitted yet cannot be waited for: the record that is being made refers to it.
    """
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    cdef int reason
    if ordinal > session.emitted or session.lost != 0:
        return False
    ring_flush(&link.commands)
    if session.trace != NULL:
        trace_because(TRACE_WAIT_MEMORY)
    reason = ring_wait_applied(&link.commands, ordinal)
    wait_ended(session, reason)
    return reason == 0


cdef uint64_t present_credit(Session* session) noexcept nogil:
    """The rest of the frames in flight are the one that is being drawn and the one that the driver works on."""
    return max(3, (<Link*>session.link).page.frames_in_flight) - 2


cdef void session_end_frame(Session* session) noexcept nogil:
    """Publish, and stay at most `frames_in_flight` frames ahead of what is applied."""
    cdef Link* link = <Link*>session.link
    cdef uint64_t behind
    cdef uint32_t depth
    cdef int reason
    session.stats.frames += 1
    session.verbs_in_frame = 0
    if link.reply_warm != 0 and session.lost == 0:
        reply_cool(link)
    if session.trace != NULL:
        trace_frame(session, session.stats.frames)
    if not link.has_rings or session.lost != 0:
        show_totals(session)
        return
    ring_flush(&link.commands)
    link.page.frame_ends[session.stats.frames % FRAME_RING] = session.emitted
    if session.stats.frames > link.page.frames_in_flight:
        behind = link.page.frame_ends[(session.stats.frames - link.page.frames_in_flight) % FRAME_RING]
        if load_acquire(session.applied) < behind:
            if session.trace != NULL:
                trace_because(TRACE_WAIT_FRAMES)
            depth = lock_suspend(session)
            reason = ring_wait_applied(&link.commands, behind)
            lock_resume(session, depth)
            wait_ended(session, reason)
    show_totals(session)
    look_at_server(session)
    poll_events(session)


# -- handles -----------------------------------------------------------------------------------------------------------

cdef pipe_handle handle_new(Session* session, uint32_t kind) noexcept nogil:
    """A slot that is free, and a generation it never had. Null when memory is out."""
    cdef HandleSpace* space = &session.handles[kind]
    cdef pipe_handle handle
    cdef uint32_t capacity
    cdef uint32_t* grown
    handle.slot = handle.gen = 0
    if space.free_count != 0:
        space.free_count -= 1
        handle.slot = space.free[space.free_count]
    else:
        if space.used == space.capacity:
            capacity = max(<uint32_t>64, 2 * space.capacity)
            grown = <uint32_t*>realloc(space.gens, capacity * sizeof(uint32_t))
            if grown == NULL:
                return handle
            space.gens = grown
            grown = <uint32_t*>realloc(space.free, capacity * sizeof(uint32_t))
            if grown == NULL:
                return handle
            space.free = grown
            memset(space.gens + space.capacity, 0, (capacity - space.capacity) * sizeof(uint32_t))
            space.capacity = capacity
        handle.slot = space.used
        space.used += 1
    space.gens[handle.slot] += 1
    handle.gen = space.gens[handle.slot]
    return handle


cdef void handle_free(Session* session, uint32_t kind, pipe_handle handle) noexcept nogil:
    cdef HandleSpace* space = &session.handles[kind]
    # Of an older generation: freed twice. At the last generation: the slot retires, since none may come twice.
    if handle.slot >= space.used or space.gens[handle.slot] != handle.gen or handle.gen == LAST_GENERATION:
        return
    space.free[space.free_count] = handle.slot
    space.free_count += 1


# -- memory of answers -------------------------------------------------------------------------------------------------

cdef void session_take_parts(Session* session, Taker* taker) noexcept nogil:
    cdef Link* link = <Link*>session.link
    link.taker = taker if link.has_rings else NULL


cdef uint64_t reply_limit(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    return min(link.reply_ceiling, link.reply_limited) if link.reply_limited else link.reply_ceiling


cdef bint reply_lands(Session* session, uintptr_t place) noexcept nogil:
    cdef Link* link = <Link*>session.link
    return link.direct_segments != NULL and place & 3 == 0 and not link.reply_limited


cdef uint8_t* reply_at(Session* session, uint8_t* memory, uint64_t size, pipe_Blob* blob) noexcept nogil:
    cdef Segments* segments = (<Link*>session.link).direct_segments
    if not reply_lands(session, <uintptr_t>memory):
        return NULL
    segments.base[<int>SEGMENT_PROGRAM] = memory
    segments.size[<int>SEGMENT_PROGRAM] = segments.ceiling[<int>SEGMENT_PROGRAM] = size
    segments.fd[<int>SEGMENT_PROGRAM] = -1
    blob.offset = 0
    blob.size = size
    blob.segment = SEGMENT_PROGRAM
    blob.pad0 = 0
    session.stats.answer_bytes += size
    return memory


cdef bint reply_in_shadow(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    return link.stream == NULL and not link.reply_limited


cdef void reply_limit_to(Session* session, uint64_t size) noexcept nogil:
    (<Link*>session.link).reply_limited = size


cdef uint8_t* reply_reserve(Session* session, uint64_t size, pipe_Blob* blob) noexcept nogil:
    """First fit among the few reservations there are, kept in order of offset."""
    cdef Link* link = <Link*>session.link
    cdef uint64_t at = 0, wanted = (max(size, <uint64_t>1) + REPLY_ALIGNMENT - 1) & ~<uint64_t>(REPLY_ALIGNMENT - 1)
    cdef uint32_t i, place
    if wanted > link.reply_ceiling:
        return NULL
    lock_acquire(&link.reply_lock)
    place = link.reservation_count
    for i in range(link.reservation_count):
        if link.reservations[i].offset - at >= wanted:
            place = i
            break
        at = link.reservations[i].offset + link.reservations[i].size
    if link.reservation_count == RESERVATIONS or link.reply_ceiling - at < wanted or not reply_grow(link, at + wanted):
        lock_release(&link.reply_lock)
        return NULL
    for i in range(link.reservation_count, place, -1):
        link.reservations[i] = link.reservations[i - 1]
    link.reservations[place].offset = at
    link.reservations[place].size = wanted
    link.reservation_count += 1
    if at + wanted > REPLY_KEPT:
        link.reply_warm = max(link.reply_warm, at + wanted)
        link.reply_asked_ns = clock_ns()
    lock_release(&link.reply_lock)
    blob.offset = at
    blob.size = size
    blob.segment = SEGMENT_REPLY
    blob.pad0 = 0
    session.stats.answer_bytes += size
    return link.reply + at


cdef void reply_cool(Link* link) noexcept nogil:
    """Pages that large answers left go back when none was asked for in a second: each that comes back costs a fault."""
    lock_acquire(&link.reply_lock)
    if link.reservation_count == 0 and clock_ns() - link.reply_asked_ns > REPLY_IDLE_NS:
        if link.reply_fd >= 0:
            fallocate(link.reply_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, REPLY_KEPT, <int64_t>(link.reply_warm - REPLY_KEPT))
        else:
            madvise(link.reply + REPLY_KEPT, link.reply_warm - REPLY_KEPT, MADV_DONTNEED)
        link.reply_warm = 0
    lock_release(&link.reply_lock)


cdef bint reply_grow(Link* link, uint64_t size) noexcept nogil:
    cdef uint64_t grown = link.reply_size
    if size <= link.reply_size:
        return True
    while grown < size:
        grown *= 2
    grown = min(grown, link.reply_ceiling)
    if link.reply_fd < 0 or ftruncate(link.reply_fd, <int64_t>grown) != 0:
        return False
    link.reply_size = grown
    return True


cdef void reply_release(Session* session, pipe_Blob* blob) noexcept nogil:
    cdef Link* link = <Link*>session.link
    cdef uint32_t i, j
    if blob.segment == SEGMENT_PROGRAM:
        link.direct_segments.base[<int>SEGMENT_PROGRAM] = NULL
        return
    lock_acquire(&link.reply_lock)
    for i in range(link.reservation_count):
        if link.reservations[i].offset == blob.offset:
            for j in range(i + 1, link.reservation_count):
                link.reservations[j - 1] = link.reservations[j]
            link.reservation_count -= 1
            break
    lock_release(&link.reply_lock)


include "lifetime.pxi"


# -- asking the server -------------------------------------------------------------------------------------------------

cdef int take_answer(Session* session, const pipe_reply* reply, pipe_Blob* into, const uint8_t* at, void* target,
                     uint64_t size) noexcept nogil:
    """0: the bytes of an answer are in `target`. Their place in the reply segment is free again."""
    if reply.status == PIPE_REPLY_OK:
        memcpy(target, at, size)
    reply_release(session, into)
    return 0 if reply.status == PIPE_REPLY_OK else -1


cdef int fetch_caps(Session* session) noexcept nogil:
    """The first record of a session. 0: session.caps is filled."""
    cdef pipe_get_caps call
    cdef pipe_reply reply
    cdef uint8_t* at = reply_reserve(session, sizeof(pipe_Caps), &call.into)
    if at == NULL:
        return -1
    memset(&reply, 0, sizeof(reply))
    session.screen.get_caps(session.self, &call, &reply)
    return take_answer(session, &reply, &call.into, at, &session.caps, sizeof(pipe_Caps))


cdef int fetch_living(Session* session, pipe_Living* living) noexcept nogil:
    """0: `living` is filled, by everything that was emitted before."""
    cdef pipe_count_living call
    cdef pipe_reply reply
    cdef uint8_t* at = reply_reserve(session, sizeof(pipe_Living), &call.into)
    if at == NULL:
        return -1
    memset(&reply, 0, sizeof(reply))
    session.screen.count_living(session.self, &call, &reply)
    return take_answer(session, &reply, &call.into, at, living, sizeof(pipe_Living))


cdef void make_and_destroy(Session* session) noexcept nogil:
    cdef pipe_create_share_group create
    cdef pipe_destroy_share_group destroy
    create.group = destroy.group = handle_new(session, PIPE_HANDLE_SHARE_GROUP)
    session.screen.create_share_group(session.self, &create)
    session.screen.destroy_share_group(session.self, &destroy)
    handle_free(session, PIPE_HANDLE_SHARE_GROUP, create.group)


def identity() -> tuple[str, str]:
    """Version, as people read it, and the fingerprint of the catalogue that this was generated from."""
    fingerprint = (<bytes>PIPE_FINGERPRINT).decode()
    return f"{(<bytes>MGPIPE_VERSION).decode()} (catalogue {fingerprint[:12]})", fingerprint


def open_sessions() -> int:
    """How many sessions this process remembers, closed ones that something still points at included."""
    cdef Session* session = _sessions
    cdef int count = 0
    while session != NULL:
        count += session.owner_pid == <uint32_t>getpid()
        session = (<Link*>session.link).next
    return count


cdef class SessionHandle:
    """A session as Python holds it. `address` is its Session struct, for the front end."""

    @property
    def address(self) -> int:
        return <uintptr_t>self.session

    @property
    def lost(self) -> bool:
        return self.session == NULL or self.session.lost != 0

    @property
    def loss(self) -> str:
        """Why it was lost, as it was told; empty while it is not."""
        return (<Link*>self.session.link).loss_sentence.decode(errors="replace") if self.session != NULL else ""

    @property
    def topology(self) -> str:
        return TOPOLOGY_NAMES[self.session.topology]

    @property
    def server_pid(self) -> int:
        return (<Link*>self.session.link).server_pid

    @property
    def data_socket(self) -> int:
        """Of a stream, for tests that speak for themselves; else -1."""
        return (<Link*>self.session.link).data

    def stats(self) -> dict:
        """What has been counted so far."""
        cdef Session* s = self.session
        cdef Link* link = <Link*>s.link
        counters = <object>s.stats[0]
        return {
            "topology": self.topology, "server": self.options["server"], "link": self.link, "driver": self.driver,
            "renderer": (<bytes>s.caps.renderer).decode(errors="replace"), "server_pid": link.server_pid,
            "gl_version": f"{s.gl_version // 10}.{s.gl_version % 10}", **counters,
            "packed_bytes": link.stream.gathered.packer.bytes_in if link.stream != NULL and link.stream.gathered.packer != NULL else 0,
            "sent_bytes": link.stream.gathered.total if link.stream != NULL else 0,
            "received_bytes": link.stream.received.total if link.stream != NULL else 0,
            "shadow_bytes": arena_bytes_in_use(s.shadow) if s.shadow != NULL else 0,
            "shadow_blocks": arena_live_blocks(s.shadow) if s.shadow != NULL else 0,
            "lost": bool(s.lost), "loss": self.loss,
        }

    def check(self) -> None:
        """SessionLost: the session has ended for cause, at the latest when that was last looked for (a wait, a frame's end)."""
        cdef Session* s = self.session
        if s.lost in (LOSS_NONE, LOSS_CLOSED, LOSS_FORKED):
            return
        from mgpipe.client.errors import SessionLost

        family = {LOSS_SERVER_GONE: "ServerGone", LOSS_INTERRUPTED: "Interrupted", LOSS_CORRUPT: "RingCorrupt"}.get(s.lost)
        raise SessionLost(family or (<bytes>(<Link*>s.link).loss_family).decode(errors="replace"), self.loss)

    def living(self) -> dict:
        """What is alive of it, by name: handles that this side has given out, bytes of the shadow arena, memory that answers
        lie in; on the server objects, and names of the driver's. One round trip; of a lost session only this side."""
        cdef Link* link = <Link*>self.session.link
        cdef HandleSpace* space
        cdef pipe_Living server
        cdef int failed = 0
        from mgpipe.catalogue.calls import DRIVER_NAMES, HANDLE_KINDS

        memset(&server, 0, sizeof(server))
        if self.session.lost == 0:
            with nogil:
                lock_enter(self.session)
                failed = fetch_living(self.session, &server)
                lock_leave(self.session)
        counts = {"shadow bytes": arena_bytes_in_use(self.session.shadow), "shadow blocks": arena_live_blocks(self.session.shadow),
                  "answers being read": link.reservation_count}
        for i, kind in enumerate(HANDLE_KINDS, 1):
            space = &self.session.handles[<int>i]
            counts[f"{kind} handles"] = space.used - space.free_count
            counts[f"{kind} on the server"] = server.objects[<int>i]
        counts |= {f"{name} names of the driver": server.names[<int>i] for i, name in enumerate(DRIVER_NAMES)}
        if failed and self.session.lost == 0:
            raise RuntimeError("the server did not count what is alive")
        return counts

    def ping(self) -> bool:
        """One round trip, through everything that is emitted before it. False: the session is lost."""
        cdef int failed
        with nogil:
            lock_enter(self.session)
            failed = fetch_caps(self.session)
            lock_leave(self.session)
        return not failed

    def exercise(self, int pairs) -> None:
        """Emit this many pairs of small records that nobody waits for, without the GIL: for doctor, tests and benchmarks."""
        cdef int i
        with nogil:
            for i in range(pairs):
                if self.session.lost != 0:
                    break
                lock_enter(self.session)
                make_and_destroy(self.session)
                lock_leave(self.session)
            session_publish(self.session)

    def emit(self, bytes record) -> None:
        """One record as it is, whatever it holds: for tests of what a server does about a hostile client."""
        cdef const uint8_t* source = record
        cdef uint32_t size = <uint32_t>len(record)
        cdef uint8_t* at
        if not (<Link*>self.session.link).has_rings or size < sizeof(pipe_record) or size & 7:
            raise ValueError("a record is a multiple of 8 bytes, and goes over a ring")
        at = emit_reserve(self.session, size)
        if at != NULL:
            memcpy(at, source, size)
            count_record(self.session, size)
            ring_commit(&(<Link*>self.session.link).commands, size)
            session_publish(self.session)

    @property
    def owner(self):
        """What ends with it: the apply thread or the applier of this process."""
        return self.keeper

    def thread_attached(self) -> None:
        """The calling thread is about to use the session beside others: what making a context current does."""
        with nogil:
            thread_attached(self.session)

    def thread_detached(self) -> None:
        thread_detached(self.session)

    def end_frame(self) -> None:
        with nogil:
            lock_enter(self.session)
            session_end_frame(self.session)
            lock_leave(self.session)

    def close(self) -> None:
        """End it. What was emitted is still applied; the server's process ends by itself."""
        cdef Link* link = <Link*>self.session.link
        if self.closed:
            return
        self.closed = True
        if self.session.owner_pid != <uint32_t>getpid():
            return              # a forked child: fork has detached it, and its parent goes on
        if self.session.trace != NULL:
            end_trace(self)
        if link.has_rings and self.session.lost == 0:
            ring_flush(&link.commands)
            if link.control >= 0:
                say_goodbye(link.control)
        self.released = self.keeper is None or self.keeper.close()
        link.losing = 1
        self.session.lost = LOSS_CLOSED
        if link.has_rings:
            link.commands.dead = link.events.dead = LOSS_CLOSED
        if self.released:
            release_memory(self.session)

    def __dealloc__(self):
        # Whoever points at the session holds this object. But at the interpreter's end all objects go, in any order, and
        # contexts that a program leaves behind must find their session lost.
        if self.session != NULL and self.released and self.session.users == 0:
            session_free(self.session)


def say_goodbye(int control):
    import socket

    from mgpipe.control.framing import Connection, ConnectionEnded
    from mgpipe.control.messages import Bye

    stream = socket.socket(fileno=os.dup(control))
    try:
        Connection(stream).send(Bye())
    except (ConnectionEnded, OSError):
        pass                    # it is gone already: as good
    finally:
        stream.close()


include "tracing.pxi"
include "opening.pxi"
