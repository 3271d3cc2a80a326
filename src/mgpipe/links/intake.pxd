"""The server's end of a stream: the apply thread itself reads the socket, takes records from its own copy, and answers.

Everything read here was chosen by a client that may be hostile: sizes and offsets are checked before a byte is written.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from pipe cimport pipe_reply

from mgpipe.links.segments cimport Segments
from mgpipe.links.stream cimport Gathered, Received

cdef extern from "placement.h" nogil:
    ctypedef struct OwnPlacement:
        int line

cdef struct Intake:
    Received received
    Gathered gathered
    Segments* segments
    uint32_t* stop              # not 0: every wait ends
    uint64_t records_left       # of the FRAME_RECORDS being taken
    uint64_t applied, told      # ordinals: applied, and as the client has heard
    uint64_t told_total         # bytes received when it last heard
    uint64_t* parks             # times that it slept: `counted`, or a page that others read
    uint64_t counted
    uint64_t answered           # bytes of the answer being made that have been sent
    uint64_t goes_on            # of the last records: what the client said of itself, see FRAME_RECORDS
    bint worked                 # it went on while we applied, since our last answer
    OwnPlacement placement
    int32_t ended               # why there is nothing more to take (RING_…)

cdef int intake_init(Intake* intake, int fd, Segments* segments, uint32_t* stop) noexcept nogil     # 0, or -1: out of memory
cdef void intake_place(Intake* intake) noexcept nogil                               # by the thread that applies
cdef void intake_free(Intake* intake) noexcept nogil
cdef int intake_wait_for(Intake* intake, int limit_ms, bint* came) noexcept nogil    # the same, for so long at most
cdef int intake_wait(Intake* intake) noexcept nogil                                 # 0: something came; else the reason
# The next record, in memory of our own until the next wait; its size. 0: none for now; RING_CORRUPT.
cdef int64_t intake_take(Intake* intake, uint8_t** record) noexcept nogil
cdef void intake_note_applied(Intake* intake, uint64_t ordinal) noexcept nogil
# The first `done` bytes of the answer to this record are there: they go out.
cdef void intake_answer_part(Intake* intake, uint64_t ordinal, const uint8_t* record, uint64_t done) noexcept nogil
cdef void intake_answer(Intake* intake, uint64_t ordinal, const uint8_t* record, const pipe_reply* reply) noexcept nogil
# `self`: Intake*. A PushEvent of server/applier.pxd.
cdef void intake_push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil
