"""The thread that applies records. It starts the driver, owns it, and never takes the GIL."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from mgpipe.links.events cimport EventLink
from mgpipe.links.intake cimport Intake
from mgpipe.links.ring cimport Ring
from mgpipe.server.chaos cimport Chaos
from mgpipe.links.segments cimport Segments
from mgpipe.server.applier cimport Applier
from mgpipe.server.tally cimport ServerPage

cdef enum WorkerState:
    WORKER_STARTING = 0
    WORKER_RUNNING = 1
    WORKER_FAILED = 2       # the driver did not start
    WORKER_FAULTED = 3      # the session is latched: records are taken and dropped
    WORKER_ENDED = 4

cdef enum Armed:            # why a record is applied the slow way
    ARMED_CHAOS = 1
    ARMED_TRACE = 2

cdef struct Worker:
    Ring commands, events
    EventLink event_link
    Intake intake           # of a stream, which has no rings
    int data                # its socket; -1: the client maps this memory
    void (*push)(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                 uint32_t tail_size) noexcept nogil
    void* push_self
    Segments segments
    Applier* applier
    const uint64_t* held    # see applier_held
    uint8_t* record         # private copy of the record being applied
    uint8_t* applying       # the record itself, wherever it lies
    uint64_t ordinal
    ServerPage* page        # what it counts; `page.applied` another than `ordinal`: that record is in the driver now
    uint32_t operation      # of the record being applied
    uint32_t pushing        # an event is being pushed, which waits for a client that does not take them
    uint32_t most_objects   # 0: as many as tables hold
    uint32_t armed          # Armed, several
    Chaos chaos             # failures that a test asked for
    uint32_t driver
    uint32_t state          # WorkerState, written by the apply thread
    uint32_t stop           # end now: what is published is not applied any more
    uint32_t own_process    # else the program's, whose malloc it is, too
    int bell                # eventfd, rung on every change of state
    char error[1024]        # "Family: sentence"
    char renderer[256]      # as the driver calls itself; written before WORKER_RUNNING

cdef void* apply_main(void* worker) noexcept nogil
cdef void tune_malloc(bint own_process) noexcept nogil     # before a driver starts
