"""What client/ keeps of a session beside what everybody sees."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from pipe cimport PipeContext, PipeScreen
from mgpipe.client.page cimport ClientPage
from mgpipe.client.session cimport Session, Taker
from mgpipe.links.ring cimport Ring
from mgpipe.links.segments cimport Segments
from mgpipe.links.stream cimport Stream

cdef enum:
    SEGMENT_SLOTS = 8
    RESERVATIONS = 64           # replies being read at one time: one for each thread that waits

# Why a session was lost. In Session.lost, and the reasons that `alive` gives to the ring.
cdef enum Loss:
    LOSS_NONE = 0
    LOSS_SERVER_GONE = 1
    LOSS_FAULT = 2              # the server latched it: a bad record, a lost device
    LOSS_INTERRUPTED = 3        # Ctrl-C in a wait that did not end
    LOSS_FORKED = 4             # this process is a child of the one that opened it
    LOSS_CLOSED = 5
    LOSS_CORRUPT = 6            # the ring's words cannot be

cdef struct Mapping:            # memory of this session in this process
    uint8_t* base
    uint64_t size
    uint32_t keep               # anonymous and private: a forked child has its own copy of it

cdef struct Reservation:
    uint64_t offset, size

cdef struct Completion:         # of a fence or query, told by an event
    uint32_t gen, done
    uint32_t run, pad0          # of a query: which of its results
    uint64_t result

cdef struct Completions:
    Completion* slots
    uint32_t capacity

cdef struct Link:
    Ring commands, events
    uint32_t has_rings          # 0: monolith
    uint32_t server_pid         # 0: no process of its own
    int pidfd, control, data    # -1: not there; data: the socket of a stream
    Stream* stream              # NULL: records travel through memory
    char server[256]            # as sentences name it
    int shadow_fd, reply_fd
    uint8_t* reply
    uint64_t reply_size, reply_ceiling
    uint64_t reply_warm, reply_asked_ns     # up to here pages may be resident; when an answer last reached beyond REPLY_KEPT
    uint64_t reply_limited          # by a test, to so many bytes an answer; 0: not
    uint32_t reply_lock
    uint32_t reservation_count
    Reservation reservations[RESERVATIONS]
    Mapping mappings[SEGMENT_SLOTS]
    uint32_t mapping_count
    # monolith: the functions behind the counting ones, and their first argument
    PipeScreen direct_screen
    PipeContext direct_context
    void* direct_self
    Segments* direct_segments
    const char* (*direct_fault)(void* self) noexcept nogil
    void (*direct_trace_before)(void* self, uint32_t op, uint64_t ordinal) noexcept nogil      # NULL elsewhere, as the next
    void (*direct_trace_after)(void* self, uint32_t op, uint64_t ordinal) noexcept nogil
    # lock
    uint32_t mutex, bias_depth, mutex_depth, mutex_owner
    # events
    uint32_t event_lock
    uint8_t* event_copy
    Completions fences, queries, presents      # presents: by surface, the result is a serial
    uint32_t log_level
    # loss
    uint32_t losing             # somebody latches the loss, or has
    uint32_t closed
    uint64_t interrupted_at_ns, looked_at_ns
    uint64_t patient_until_ns       # a wait while the session closes; 0: for ever
    uint32_t publishes
    Taker* taker                # of the next answer's parts; NULL: it is awaited whole
    uint32_t asked_op           # of the record committed last, when somebody waits for it
    char loss_sentence[1024]
    char loss_family[64]        # of a fault: its name, the part of what the server said before the colon
    ClientPage* page            # what others may see of it
    int page_fd, server_page_fd     # by which they find it, and what a thread of ours serves of it; -1: not there
    uint32_t threads_lock       # of its list of threads
    uint32_t pad1
    Session* next               # all sessions of the process, for fork
