"""What the tracker and the front end see of a session: two tables, an arena, an ordinal, a latch."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from pipe cimport PipeContext, PipeScreen, pipe_Blob, pipe_Caps, pipe_handle, pipe_reply
from mgpipe.client.page cimport Stats
from mgpipe.links.arena cimport Arena

cdef enum Topology:
    TOPOLOGY_MONOLITH = 0
    TOPOLOGY_INPROC = 1
    TOPOLOGY_SPAWN = 2
    TOPOLOGY_REMOTE = 3

cdef struct HandleSpace:            # dense slots of one kind; gen rises when a slot is reused
    uint32_t* gens
    uint32_t* free
    uint32_t free_count, capacity, used

cdef struct Session:
    PipeScreen screen               # monolith: the applier's functions; else the encoders
    PipeContext context
    void* self                      # first argument of every table function
    uint64_t emitted                # ordinal of the newest record
    uint64_t* applied               # watermark: read with `applied_ordinal`
    Arena* shadow
    Stats* stats                    # on a page that `mgpipe top` reads
    HandleSpace handles[16]         # by HANDLE_KIND_*
    pipe_Caps caps
    uint32_t lost                   # latched once: every call is a no-op from then on
    uint32_t topology
    uint32_t users                  # contexts alive
    uint32_t threads                # threads with a current context of this session
    uint32_t owner_pid              # the process that opened it; another pid is a forked child
    uint32_t mirror_epoch           # bumped by mirror_drop: whatever was sent under an older epoch is sent again
    uint32_t verbs_in_frame
    uint64_t looked                 # ordinal of the newest record that makes the server look for what has completed
    uint32_t gl_version             # that contexts promise: 33 for 3.3
    uint32_t verify                 # level of verify mode, 0: off
    uint32_t pad0
    void* verifier                  # private to tracker/verify
    void* mirror                    # private to tracker/: what the server is believed to hold
    void* lock                      # session lock (see lock_enter), NULL until a second thread appears
    void* link                      # private to client/
    void* trace                     # private to client/trace; NULL: nobody traces

cdef pipe_handle handle_new(Session* session, uint32_t kind) noexcept nogil
cdef void handle_free(Session* session, uint32_t kind, pipe_handle handle) noexcept nogil
cdef uint64_t applied_ordinal(Session* session) noexcept nogil
cdef uint64_t next_ordinal(Session* session) noexcept nogil          # of the record to be emitted next
cdef void session_publish(Session* session) noexcept nogil           # make what is encoded visible, ring the doorbell
cdef void session_end_frame(Session* session) noexcept nogil         # swap, finish, blocking read, every 4,096 verbs
# Bytes for an answer: reserve in the reply segment before the call, look at them after it, then give them back.
cdef uint8_t* reply_reserve(Session* session, uint64_t size, pipe_Blob* blob) noexcept nogil   # NULL: larger than a reply may be (use bands)
# The same at this place of the program's own memory: `memory`, or NULL where it cannot be. It can on monolith, if it is one of
# words; elsewhere a thread or process that we no longer wait for might still write there. Of any size, one answer at a time.
cdef bint reply_lands(Session* session, uintptr_t place) noexcept nogil
cdef uint8_t* reply_at(Session* session, uint8_t* memory, uint64_t size, pipe_Blob* blob) noexcept nogil
cdef bint reply_in_shadow(Session* session) noexcept nogil           # whether a blob of the arena may be answered to, too
cdef void reply_release(Session* session, pipe_Blob* blob) noexcept nogil
cdef void reply_limit_to(Session* session, uint64_t size) noexcept nogil     # for tests: no more than that from now on; 0: as it was
cdef uint64_t reply_limit(Session* session) noexcept nogil           # bytes one reply may hold
# An answer's bytes, `done` of them, are there before all of it is: to be copied meanwhile, by the thread that waits, which
# does not hold the session's lock. What a server says of `done` is not believed beyond what was asked for.
cdef struct Taker:
    void (*take)(Taker* self, uint64_t done) noexcept nogil
cdef void session_take_parts(Session* session, Taker* taker) noexcept nogil  # of the next answer alone; without rings it does not ask
cdef void poll_events(Session* session) noexcept nogil               # drain the reverse channel
cdef bint fence_signalled(Session* session, pipe_handle fence) noexcept nogil      # as the newest events told; no round trip
cdef uint64_t presented(Session* session, pipe_handle surface) noexcept nogil      # serial of the newest that the driver has finished
cdef uint64_t present_credit(Session* session) noexcept nogil       # presents of a surface that may be ahead of that
cdef bint query_completed(Session* session, pipe_handle query, uint32_t run, uint64_t* result) noexcept nogil
# A thread makes its first context of this session current, or releases its last: the second thread arms the lock.
cdef void thread_attached(Session* session) noexcept nogil
cdef void thread_detached(Session* session) noexcept nogil
cdef void lock_enter(Session* session) noexcept nogil                # releases the GIL while it waits; never returns holding both late
cdef void lock_leave(Session* session) noexcept nogil

# -- for the modules of client/ that open sessions
cdef Session* session_allocate(uint32_t topology) noexcept nogil
cdef void session_free(Session* session) noexcept nogil
cdef int map_add(Session* session, uint8_t* base, uint64_t size, bint keep) noexcept nogil   # keep: a forked child may
cdef void attach_rings(Session* session, uint8_t* commands, uint8_t* events) noexcept nogil
cdef void install_direct(Session* session) noexcept nogil
cdef void install_records(Session* session) noexcept nogil
cdef void handle_event(Session* session, uint32_t op, const uint8_t* payload, uint32_t size) noexcept nogil

cdef class SessionHandle:       # a session as Python holds it
    cdef Session* session
    cdef readonly dict options
    cdef readonly bint closed
    cdef bint released          # it has given back descriptors and memory
    cdef readonly str driver
    cdef readonly str link
    cdef object keeper          # what ends with it: the apply thread or the applier of this process

cdef finish_opening(SessionHandle handle)
