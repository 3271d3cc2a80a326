# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Take a record, apply it, say so. One thread per session, in the session's process or, for inproc, in the program's."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, getenv
from libc.string cimport memset, strchr, strlen, strncpy
from posix.mman cimport (MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, MAP_SHARED, PROT_READ, PROT_WRITE, mmap, munmap)
from posix.unistd cimport close, read, write
from pipe cimport *

from mgpipe.links.atomics cimport futex_wait, load_acquire32, load_relaxed, load_relaxed32, store_ordered32
from mgpipe.links.events cimport event_push
from mgpipe.links.intake cimport (Intake, intake_answer, intake_answer_part, intake_free, intake_init, intake_note_applied, intake_place, intake_push, intake_take,
                                  intake_wait, intake_wait_for)
from mgpipe.links.ring cimport (EVENT_RING_BYTES, RING_CORRUPT, RING_CEILING_BYTES, RING_START_BYTES, ControlPage, Ring, ring_attach,
                                ring_has_room, ring_name_consumer, ring_note_applied, ring_nudge, ring_page_bytes, ring_page_init, ring_post_part,
                                ring_post_reply, ring_poll_records, ring_set_applied, ring_take, ring_wait_records, ring_wait_records_for, ring_wake_all)
from mgpipe.links.arena cimport SEGMENT_REPLY, SEGMENT_SHADOW
from mgpipe.links.packing cimport PACK_NEVER, pack_available
from mgpipe.links.stream cimport compress
from mgpipe.server.applier cimport (applier_apply, applier_fail, applier_fault, applier_fill_storage, applier_free,
                                    applier_held, applier_limit_objects, applier_new, applier_poll, applier_renderer, applier_settle,
                                    applier_share_memory, applier_take_parts, applier_trace_after, applier_trace_before, applier_traced_by)
from mgpipe.server.chaos cimport Chaos, chaos_meddle
from mgpipe.server.tally cimport ServerPage, Tally

cdef extern from "<sys/eventfd.h>" nogil:
    int eventfd(unsigned int initial, int flags)
    int EFD_CLOEXEC, EFD_NONBLOCK

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events, revents
    int poll(pollfd* descriptors, unsigned long count, int timeout_ms)
    short POLLOUT

cdef extern from "<malloc.h>" nogil:
    int mallopt(int option, int value)
    int malloc_trim(size_t pad)
    int M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_ARENA_MAX

cdef extern from "<pthread.h>" nogil:
    ctypedef unsigned long pthread_t
    int pthread_create(pthread_t* thread, void* attributes, void* (*start)(void*) noexcept nogil, void* argument)
    int pthread_join(pthread_t thread, void** result)
    int pthread_setname_np(pthread_t thread, const char* name)
    pthread_t pthread_self()

cdef extern from "<sys/syscall.h>" nogil:
    long SYS_gettid

cdef extern from "<unistd.h>" nogil:
    long syscall(long number, ...)

cdef extern from "<signal.h>" nogil:
    ctypedef struct sigset_t:
        pass
    int sigfillset(sigset_t* signals)
    int pthread_sigmask(int how, const sigset_t* signals, sigset_t* before)
    int SIG_SETMASK

cdef extern from *:
    const char* MGPIPE_VERSION

cdef enum:
    PROGRAM_MMAP_BYTES = 32 << 20       # where glibc arrives by itself once a program has freed a block of 32 MiB
    PROGRAM_TRIM_BYTES = 64 << 20
    SERVER_HEAP_BYTES = 256 << 20       # of freed memory that is kept for the next frame; it goes when the session is idle
    HEAP_STEP_BYTES = 64 << 20
    NO_ANSWER = -1
    LOG_INFO = 20
    STOP_LOOK_NS = 100000000
    LOOK_EVERY_RECORDS = 256
    FIRST_LOOK_NS = 100000      # pauses between looks while nothing comes: twice as long each time
    LAST_LOOK_NS = 2000000
    SETTLE_NS = 200000          # a wait for the driver, while records may be coming
    REPORT_BYTES = 131072       # of blobs: who waits for the memory of a large upload is not to wait for the next one as well
    STREAM_LOOK_MS = 1

page_bytes = <object>ring_page_bytes()
COMMAND_CEILING_BYTES = RING_CEILING_BYTES
EVENT_BYTES = EVENT_RING_BYTES


cdef void set_state(Worker* worker, uint32_t state) noexcept nogil:
    cdef uint64_t one = 1
    store_ordered32(&worker.state, state)
    write(worker.bell, &one, 8)


cdef int worker_alive(void* self) noexcept nogil:
    return <int>load_acquire32(&(<Worker*>self).stop)


cdef bint malloc_is_set_up() noexcept nogil:
    """Whoever starts a program can choose what we would."""
    return (getenv(b"MALLOC_TRIM_THRESHOLD_") != NULL or getenv(b"MALLOC_TOP_PAD_") != NULL
            or getenv(b"MALLOC_MMAP_THRESHOLD_") != NULL or getenv(b"GLIBC_TUNABLES") != NULL)


cdef void tune_malloc(bint own_process) noexcept nogil:
    """llvmpipe frees and allocates its scenes and buffers each frame. A heap that is trimmed in between, and blocks that are
    mapped anew, cost a page fault for every 4 KiB: 3 to 7 times the frame."""
    if own_process:
        # One heap: those of threads end at 64 MiB, and larger blocks would be mapped after all.
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_TRIM_THRESHOLD, SERVER_HEAP_BYTES)
        mallopt(M_MMAP_THRESHOLD, SERVER_HEAP_BYTES)
    elif malloc_is_set_up():
        return
    else:
        mallopt(M_TRIM_THRESHOLD, PROGRAM_TRIM_BYTES)
        mallopt(M_MMAP_THRESHOLD, PROGRAM_MMAP_BYTES)
    mallopt(M_TOP_PAD, HEAP_STEP_BYTES)


cdef void latch(Worker* worker, const char* sentence) noexcept nogil:
    """The client has been told by an event; it wakes from whatever it waits for."""
    strncpy(worker.error, sentence, sizeof(worker.error) - 1)
    set_state(worker, WORKER_FAULTED)
    if worker.data < 0:
        ring_nudge(worker.commands.page)


cdef void link_fault(Worker* worker, const char* sentence) noexcept nogil:
    cdef pipe_event_fault event
    event.family = PIPE_FAULT_RING_CORRUPT
    event.byte_count = <uint32_t>strlen(sentence)
    worker.intake.ended = 0         # to say this one thing
    worker.push(worker.push_self, PIPE_EVENT_FAULT, &event, sizeof(event), sentence, event.byte_count)
    latch(worker, sentence)


cdef bint room_for_event(void* self, uint32_t size) noexcept nogil:
    """Without waiting for the client; of a ring a part stays free for what is not of the trace."""
    cdef Worker* worker = <Worker*>self
    cdef pollfd watched
    if worker.data < 0:
        return ring_has_room(&worker.events, EVENT_RING_BYTES // 4)
    watched.fd = worker.data
    watched.events = POLLOUT
    return poll(&watched, 1, 0) == 1 and watched.revents == POLLOUT


cdef int apply_armed(Worker* worker, uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil:
    """In a session that is traced, or fails on purpose."""
    cdef int failed
    if worker.armed & ARMED_CHAOS and chaos_meddle(&worker.chaos, worker.ordinal, record, size):
        applier_fail(worker.applier, worker.chaos.family, b"chaos: a test asked for it")
    if worker.armed & ARMED_TRACE:
        applier_trace_before(worker.applier, worker.operation, worker.ordinal)
    failed = applier_apply(worker.applier, record, size, reply)
    if worker.armed & ARMED_TRACE:
        applier_trace_after(worker.applier, worker.operation, worker.ordinal)
    return failed


cdef bint apply_one(Worker* worker, uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil:
    """A record, or nothing once the session is latched: nobody waits for those. True: `reply` is to be answered."""
    cdef uint32_t op = (<pipe_record*>record).op
    cdef int failed
    cdef ServerPage* page = worker.page
    worker.ordinal += 1
    if worker.state != WORKER_RUNNING:
        return False
    memset(reply, 0, sizeof(reply[0]))
    reply.status = NO_ANSWER
    worker.operation = op
    worker.applying = record
    if worker.armed:
        failed = apply_armed(worker, record, size, reply)
    else:
        failed = applier_apply(worker.applier, record, size, reply)
    if failed:
        latch(worker, applier_fault(worker.applier))
        return False
    page.record_bytes += size
    page.operations[op] += 1                # a row of the catalogue: the applier has checked it
    page.upload_bytes = worker.segments.named_bytes[SEGMENT_SHADOW]
    page.answer_bytes = worker.segments.named_bytes[SEGMENT_REPLY]
    page.applied = worker.ordinal
    if op == PIPE_OP_MULTI_DRAW_ARRAYS:
        page.multi_draws += (<pipe_multi_draw_arrays*>(record + sizeof(pipe_record))).draw_count
    elif op == PIPE_OP_MULTI_DRAW_ELEMENTS:
        page.multi_draws += (<pipe_multi_draw_elements*>(record + sizeof(pipe_record))).draw_count
    return reply.status != NO_ANSWER


cdef void push_watched(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                       uint32_t tail_size) noexcept nogil:
    """The applier's PushEvent: whoever watches tells a client that takes no events from a driver that does not return."""
    cdef Worker* worker = <Worker*>self
    worker.pushing = 1
    worker.push(worker.push_self, op, payload, size, tail, tail_size)
    worker.pushing = 0


cdef void take_part(void* self, uint64_t done) noexcept nogil:
    """The applier's TakePart."""
    cdef Worker* worker = <Worker*>self
    if worker.data < 0:
        ring_post_part(&worker.commands, worker.ordinal, done)
    else:
        intake_answer_part(&worker.intake, worker.ordinal, worker.applying, done)


cdef bint look_busy(Worker* worker) noexcept nogil:
    """Completions are looked for when there is time; a client that never stops sending must hear of them, too."""
    return worker.ordinal & (LOOK_EVERY_RECORDS - 1) == 0 and worker.state == WORKER_RUNNING and applier_poll(worker.applier)


cdef inline uint64_t settled(Worker* worker) noexcept nogil:
    """Up to which record the client may use memory again."""
    return worker.ordinal if worker.held[0] == 0 else worker.held[0] - 1


cdef int wait_for_records(Worker* worker) noexcept nogil:
    """As ring_wait_records, with a look now and then at what only the driver knows to be done, if anything is."""
    cdef Ring* ring = &worker.commands
    cdef uint64_t pause_ns = FIRST_LOOK_NS
    while worker.state == WORKER_RUNNING and ring_poll_records(ring) == 0 and applier_poll(worker.applier):
        if worker.held[0] != 0:
            pause_ns = FIRST_LOOK_NS
            if load_relaxed32(&ring.page.applied_parked) != 0:
                applier_settle(worker.applier, SETTLE_NS)
                ring_note_applied(ring, settled(worker))
                continue
        ring_note_applied(ring, settled(worker))
        if ring_wait_records_for(ring, pause_ns) != 0:
            break
        pause_ns = min(2 * pause_ns, <uint64_t>LAST_LOOK_NS)
    if worker.state == WORKER_RUNNING:
        ring_note_applied(ring, settled(worker))
    return ring_wait_records(ring)


cdef void serve_ring(Worker* worker) noexcept nogil:
    """Until the ring ends: every record that was published, batch by batch."""
    cdef Ring* ring = &worker.commands
    cdef pipe_reply reply
    cdef int64_t size
    cdef uint64_t reported = 0
    while load_acquire32(&worker.stop) == 0 and wait_for_records(worker) == 0:
        worker.page.waits += 1
        while load_acquire32(&worker.stop) == 0:
            size = ring_take(ring, worker.record, PIPE_MAX_RECORD)
            if size < 0:
                return
            if size == 0:
                break
            if apply_one(worker, worker.record, <uint32_t>size, &reply):
                ring_set_applied(ring, settled(worker))
                ring_post_reply(ring, worker.ordinal, &reply)
            ring_note_applied(ring, settled(worker))
            if worker.segments.named_bytes[<int>SEGMENT_SHADOW] - reported >= REPORT_BYTES:
                reported = worker.segments.named_bytes[<int>SEGMENT_SHADOW]
                ring_set_applied(ring, settled(worker))
            look_busy(worker)


cdef int wait_for_stream(Worker* worker) noexcept nogil:
    cdef bint came = False
    cdef int reason
    while worker.state == WORKER_RUNNING and applier_poll(worker.applier):
        reason = intake_wait_for(&worker.intake, STREAM_LOOK_MS, &came)
        if reason != 0 or came:
            return reason
    return intake_wait(&worker.intake)


cdef void serve_stream(Worker* worker) noexcept nogil:
    """The same, from a socket."""
    cdef Intake* intake = &worker.intake
    cdef uint8_t* record = NULL
    cdef pipe_reply reply
    cdef int64_t size
    while load_acquire32(&worker.stop) == 0 and wait_for_stream(worker) == 0:
        worker.page.waits += 1
        while load_acquire32(&worker.stop) == 0:
            size = intake_take(intake, &record)
            if size < 0:
                return
            if size == 0:
                break
            if apply_one(worker, record, <uint32_t>size, &reply):
                intake_answer(intake, worker.ordinal, record, &reply)
            intake_note_applied(intake, worker.ordinal)
            look_busy(worker)


cdef void* apply_main(void* self) noexcept nogil:
    cdef Worker* worker = <Worker*>self
    pthread_setname_np(pthread_self(), b"mgpipe-apply")
    worker.page.thread = <uint32_t>syscall(SYS_gettid)
    if worker.data < 0:
        ring_name_consumer(&worker.commands)
    tune_malloc(worker.own_process)
    worker.applier = applier_new(worker.driver, &worker.segments, push_watched, worker, worker.error, sizeof(worker.error))
    if worker.applier == NULL:
        set_state(worker, WORKER_FAILED)
        return NULL
    worker.held = applier_held(worker.applier)
    if worker.data < 0:
        applier_share_memory(worker.applier, &worker.ordinal)
    applier_take_parts(worker.applier, take_part, worker)
    if worker.own_process:
        applier_fill_storage(worker.applier)
    applier_limit_objects(worker.applier, worker.most_objects)
    applier_traced_by(worker.applier, &worker.armed, ARMED_TRACE, room_for_event, worker)
    applier_renderer(worker.applier, worker.renderer, sizeof(worker.renderer))
    set_state(worker, WORKER_RUNNING)
    if worker.data >= 0:
        intake_place(&worker.intake)
        serve_stream(worker)
    else:
        serve_ring(worker)
    if worker.commands.dead == RING_CORRUPT or worker.intake.ended == RING_CORRUPT:
        link_fault(worker, b"RingCorrupt: a record's header or a cursor is impossible")
        while load_acquire32(&worker.stop) == 0 and (worker.data >= 0 or load_acquire32(&worker.commands.page.stop) == 0):
            futex_wait(&worker.stop, 0, STOP_LOOK_NS)
    applier_free(worker.applier)
    worker.applier = NULL
    set_state(worker, WORKER_ENDED)
    return NULL


cdef void tell_packing(void* self, const char* sentence) noexcept nogil:
    """To the client's log, in the middle of a frame of ours: it goes out behind that."""
    cdef Worker* worker = <Worker*>self
    cdef pipe_event_log event
    memset(&event, 0, sizeof(event))
    event.level = LOG_INFO
    event.byte_count = <uint32_t>strlen(sentence)
    worker.push(worker.push_self, PIPE_EVENT_LOG, &event, sizeof(event), sentence, event.byte_count)


def identity() -> tuple[str, str]:
    """Version, as people read it, and the fingerprint of the catalogue that this was generated from."""
    fingerprint = (<bytes>PIPE_FINGERPRINT).decode()
    return f"{(<bytes>MGPIPE_VERSION).decode()} (catalogue {fingerprint[:12]})", fingerprint


def map_segment(uint64_t ceiling, int descriptor) -> int:
    """Address of a new mapping: of the file, or of private memory when `descriptor` is -1."""
    cdef int kind = MAP_PRIVATE | MAP_ANONYMOUS if descriptor < 0 else MAP_SHARED
    cdef void* base = mmap(NULL, ceiling, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, descriptor, 0)
    if base == MAP_FAILED:
        raise OSError(f"no address space for a segment of {ceiling >> 20} MiB")
    return <uintptr_t>base


cdef void attach(Worker* worker, uint8_t* commands, uint8_t* events) noexcept nogil:
    ring_page_init(<ControlPage*>commands)
    ring_page_init(<ControlPage*>events)
    ring_attach(&worker.commands, <ControlPage*>commands, commands + ring_page_bytes(), RING_START_BYTES,
                RING_CEILING_BYTES, worker_alive, worker)
    ring_attach(&worker.events, <ControlPage*>events, events + ring_page_bytes(), EVENT_RING_BYTES, EVENT_RING_BYTES,
                worker_alive, worker)
    worker.event_link.events = &worker.events
    worker.event_link.commands = worker.commands.page
    worker.push = event_push
    worker.push_self = &worker.event_link


cdef class ApplyThread:
    """The apply thread as Python sees it: start it, hear of changes through `fileno()`, stop it.

    `segments`: (address, bytes backed, ceiling, descriptor or -1) of commands, events, shadow, reply. `data`: the socket of
    a stream, which becomes ours; then the first two segments are not there. `tally`: where it counts; None: where nobody looks.
    """

    cdef Worker* worker
    cdef pthread_t thread
    cdef bint started
    cdef list segments
    cdef Tally tally

    def __cinit__(self, uint32_t driver, list segments, bint own_process, int data=-1, uint32_t most_objects=0, Tally tally=None):
        cdef Worker* worker = <Worker*>calloc(1, sizeof(Worker))
        cdef uint8_t* commands = <uint8_t*><uintptr_t>segments[0][0]
        cdef uint8_t* events = <uint8_t*><uintptr_t>segments[1][0]
        if worker == NULL:
            raise MemoryError
        self.worker = worker
        self.segments = segments
        self.tally = tally or Tally(shown=False)
        worker.page = self.tally.page
        worker.record = <uint8_t*>calloc(1, PIPE_MAX_RECORD)
        worker.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
        if worker.record == NULL or worker.bell < 0:
            raise MemoryError
        worker.driver = driver
        worker.own_process = own_process
        worker.most_objects = most_objects
        worker.data = data
        if data < 0:
            attach(worker, commands, events)
            worker.commands.parks = &worker.page.parks
        memset(&worker.segments, 0, sizeof(worker.segments))
        worker.segments.fd[0] = -1
        for place, (base, size, ceiling, descriptor) in zip((SEGMENT_SHADOW, SEGMENT_REPLY), segments[2:]):
            worker.segments.base[<int>place] = <uint8_t*><uintptr_t>base
            worker.segments.size[<int>place] = size
            worker.segments.ceiling[<int>place] = ceiling
            worker.segments.fd[<int>place] = descriptor
        if data >= 0:
            if intake_init(&worker.intake, data, &worker.segments, &worker.stop) != 0:
                raise MemoryError
            worker.intake.parks = &worker.page.parks
            worker.push = intake_push
            worker.push_self = &worker.intake

    def compress(self, uint32_t mode) -> bool:
        """Before the start: bytes may be compressed, both ways. False: they may not, as on any link but a stream."""
        if self.worker.data < 0 or mode == PACK_NEVER or not pack_available():
            return False
        if compress(&self.worker.intake.gathered, &self.worker.intake.received, mode) != 0:
            raise MemoryError
        self.worker.intake.gathered.packer.tell = tell_packing
        self.worker.intake.gathered.packer.self = self.worker
        return True

    def fail_on_purpose(self, dict failures, int control) -> None:
        """Before the start. `failures`: as catalogue/chaos.py parses them; `control`: the descriptor of that connection."""
        cdef Chaos* chaos = &self.worker.chaos
        self.worker.armed |= ARMED_CHAOS
        chaos.control, chaos.data = control, self.worker.data
        if "fail" in failures:
            from mgpipe.catalogue.chaos import FAMILIES

            chaos.fail_at = failures["fail"][0]
            chaos.family = 1 + FAMILIES.index(failures["fail"][1])
        if "delay" in failures:
            chaos.delay_at, chaos.delay_ms = failures["delay"]
        chaos.freeze_at, chaos.drop_at, chaos.kill_at, chaos.corrupt = (failures.get(name, 0) for name in (
            "freeze", "drop", "kill", "corrupt"))

    def start(self) -> None:
        cdef sigset_t every, before
        cdef int failed
        # Signals are for the Python threads: this one must never run a handler in the middle of the driver.
        sigfillset(&every)
        pthread_sigmask(SIG_SETMASK, &every, &before)
        failed = pthread_create(&self.thread, NULL, apply_main, self.worker)
        pthread_sigmask(SIG_SETMASK, &before, NULL)
        if failed:
            raise OSError(failed, "could not start the apply thread")
        self.started = True

    def fileno(self) -> int:
        return self.worker.bell

    def acknowledge(self) -> None:
        cdef uint64_t count
        read(self.worker.bell, &count, 8)

    @property
    def starting(self) -> bool:
        return load_acquire32(&self.worker.state) == WORKER_STARTING

    @property
    def ended(self) -> bool:
        return load_acquire32(&self.worker.state) in (WORKER_FAILED, WORKER_ENDED)

    @property
    def error(self) -> str:
        """Why the driver did not start, or the session is latched; empty while all is well."""
        if load_acquire32(&self.worker.state) in (WORKER_STARTING, WORKER_RUNNING):
            return ""
        return self.worker.error.decode(errors="replace")

    @property
    def applied(self) -> int:
        """Records taken so far."""
        return load_relaxed(&self.worker.ordinal)

    @property
    def busy_with(self) -> int:
        """Ordinal of the record that the applier has not returned from; 0: none."""
        cdef uint64_t ordinal = load_relaxed(&self.worker.ordinal)
        if load_acquire32(&self.worker.state) != WORKER_RUNNING or ordinal == load_relaxed(&self.worker.page.applied):
            return 0
        return ordinal

    @property
    def operation(self) -> int:
        """Of the record that was applied last, or is."""
        return load_acquire32(&self.worker.operation)

    @property
    def pushing(self) -> bool:
        """The applier waits for the client to take an event."""
        return load_acquire32(&self.worker.pushing) != 0

    @property
    def renderer(self) -> str:
        """As the driver calls itself; empty until it has started."""
        return self.worker.renderer.decode(errors="replace")

    def give_back(self) -> None:
        """Return to the system what the driver has freed."""
        with nogil:
            malloc_trim(0)

    def stop(self, bint drain) -> None:
        """End the thread: after what is published, or at the next record."""
        if not drain:
            store_ordered32(&self.worker.stop, 1)
        if self.worker.data < 0:            # a stream ends with its socket, which a client that is done closes
            ring_wake_all(&self.worker.commands)
            ring_wake_all(&self.worker.events)

    def join(self) -> None:
        if self.started:
            self.started = False
            with nogil:
                pthread_join(self.thread, NULL)

    def __dealloc__(self):
        # Only a thread that was joined, or never started, is surely done with its worker.
        if self.worker != NULL and not self.started:
            close(self.worker.bell)
            if self.worker.data >= 0:
                close(self.worker.data)
                intake_free(&self.worker.intake)
            free(self.worker.record)
            free(self.worker)
