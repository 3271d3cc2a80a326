"""Records and bytes over a socket, for peers that map no memory of each other.

Both ends keep private memory laid out as if it were shared, so nothing above the link can tell. What crosses is frames:
{kind u16, segment u16, size u32, value u64}, then `size` bytes, padded with zeros to a multiple of 8. Order is the
meaning: the bytes that a record's blobs refer to come before the record, an answer's bytes before the answer.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mgpipe.links.atomics cimport load_relaxed, store_relaxed
from mgpipe.links.packing cimport Packer, Unpacker
from mgpipe.links.ring cimport Carrier, Ring

cdef enum FrameKind:
    FRAME_RECORDS = 1           # whole records; `value`: 0, GOES_ON, or GOES_ON + 1 + the CPU on which it does, of the same machine
    FRAME_BYTES = 2             # bytes of `segment`, to offset `value`
    FRAME_APPLIED = 3           # every record up to ordinal `value` is applied
    FRAME_REPLY = 4             # the pipe_reply to the record of ordinal `value`
    FRAME_EVENTS = 5            # whole event records
    FRAME_PART = 8              # 8 bytes: how many of the answer to the record of ordinal `value` have come
    FRAME_PACKED = 7            # as FRAME_BYTES, compressed: see packing.pxd
    FRAME_FORGET = 6            # 8 bytes: how many bytes of `segment`, from offset `value`, nobody needs any more: pages of zeros

cdef struct Frame:
    uint16_t kind, segment
    uint32_t size
    uint64_t value

cdef enum:
    FRAME_LIMIT = 1 << 20       # bytes of one frame: others get their turn, and nothing is allocated for a lie
    RECEIVE_BYTES = 512 << 10   # holds the largest record and every other frame that must be whole
    READ_BYTES = 32 << 10       # asked of the socket at once: most of what a large frame brings goes straight where it belongs
    GATHER_BYTES = 64 << 10     # frames this small are copied together; larger bytes are sent from where they lie
    CARRY_LEAST_BYTES = 4 << 10 # records that gather before they are sent unasked, once CARRY_NS have passed since the last …
    CARRY_BYTES = 16 << 10      # … or sooner
    CARRY_NS = 40000            # a send costs 3 us, and a server that has nothing else to do spins longer than this
    FORGET_SLOTS = 256          # pages given back that wait for the next records to go out
    GOES_ON = 1                 # the client has more to do before it waits: nobody needs to hear at once what is applied
    SLICE_MS = 100              # how late a death is noticed at most
    SPIN_NS = 50000             # most that a wait spins before it sleeps: about what a sleep and its wake cost
    LEAST_SPIN_NS = 3000        # a look or two

# What came from the socket and is not yet used. `begin` and `end` stay multiples of 8 apart from a torn tail.
cdef struct Received:
    int fd
    uint8_t* bytes              # RECEIVE_BYTES
    uint64_t begin, end
    uint8_t* target             # where the rest of a FRAME_BYTES goes …
    uint64_t target_left        # … so many bytes of it, …
    uint64_t padding_left       # … and what is thrown away behind them
    uint64_t total              # bytes ever received
    Unpacker* unpacker          # NULL: compressed bytes were not agreed upon
    uint64_t spin_ns            # before the next sleep: see received_waited

# What is to be sent.
cdef struct Gathered:
    int fd
    uint8_t* bytes              # GATHER_BYTES
    uint64_t size
    uint64_t total              # bytes ever sent
    Packer* packer              # NULL: bytes go as they are
    # Called when the socket takes no more: waits until it may, or answers why not (a reason). Must keep hearing.
    int (*stuck)(void* self) noexcept nogil
    void* self

cdef int received_init(Received* received, int fd) noexcept nogil           # 0, or -1: out of memory
cdef void received_free(Received* received) noexcept nogil
cdef int received_more(Received* received) noexcept nogil                   # 1: bytes came, 0: none yet, -1: hung up
cdef bint received_rest(Received* received) noexcept nogil                  # False: a FRAME_BYTES is still not whole
cdef bint received_frame(Received* received, Frame* frame) noexcept nogil   # the next header, taken; False: not there yet
# A wait for the socket took so long, spinning and sleeping. Where spinning to SPIN_NS would have met its end the next one
# spins longer, else shorter: who needs this very CPU to answer, or answers late, gets it at once.
cdef inline void received_waited(Received* received, uint64_t took_ns) noexcept nogil:
    cdef uint64_t spin_ns = load_relaxed(&received.spin_ns)     # of several threads that wait, any may be the last to say
    if took_ns <= SPIN_NS:
        store_relaxed(&received.spin_ns, min(2 * spin_ns, <uint64_t>SPIN_NS))
    else:
        store_relaxed(&received.spin_ns, max(spin_ns // 2, <uint64_t>LEAST_SPIN_NS))
cdef inline uint64_t received_bytes(Received* received) noexcept nogil:
    return received.end - received.begin
cdef void received_into(Received* received, uint8_t* target, uint32_t size) noexcept nogil      # the frame's bytes belong there

cdef int gathered_init(Gathered* gathered, int fd, int (*stuck)(void* self) noexcept nogil, void* self) noexcept nogil
cdef void gathered_free(Gathered* gathered) noexcept nogil
# One frame; 0, or the reason why nothing can be sent any more. `bytes` is free again when this returns.
cdef int gathered_put(Gathered* gathered, uint16_t kind, uint16_t segment, uint64_t value, const void* bytes,
                      uint32_t size) noexcept nogil
# Whether bytes may be compressed, both ways; the packer and unpacker are the frames' from here on. 0, or -1: cannot.
cdef int compress(Gathered* gathered, Received* received, uint32_t mode) noexcept nogil
# Bytes to `base` + frame.value. 1: they are there; 0: not whole yet, the header is put back; -1: they cannot be.
cdef int received_packed(Received* received, const Frame* frame, uint8_t* base, uint64_t ceiling) noexcept nogil
# Any number of bytes of a segment of one kind (pack_kind), as frames of at most FRAME_LIMIT.
cdef int gathered_put_bytes(Gathered* gathered, uint32_t kind, uint16_t segment, uint64_t offset, const uint8_t* bytes,
                            uint64_t size) noexcept nogil
cdef int gathered_send(Gathered* gathered) noexcept nogil                   # everything, now

# -- the client's end: what carries a command ring --------------------------------------------------------------------
cdef struct Stream:
    Carrier carrier             # first: a Carrier* of a stream is the Stream*
    Received received
    Gathered gathered
    Ring* commands
    Ring arrivals               # the producing side of the client's own event ring
    uint8_t* shadow
    uint8_t* reply
    uint64_t reply_size
    uint64_t carried            # cursor of the command ring
    uint64_t carried_ns         # when last
    bint near                   # the server is on this machine
    uint64_t batch              # bytes of blobs in the batch that is being carried
    uint32_t hearing            # 1: a thread reads the socket
    uint32_t others             # threads asleep on `hearing`
    int32_t ended               # the peer hung up or sent what cannot be
    uint32_t forgotten_lock, forgotten_count
    uint64_t[2] forgotten[FORGET_SLOTS]     # offset, size

# Takes `fd`, a connected stream socket. NULL: out of memory. `commands` and `events` are attached to private pages.
cdef Stream* stream_new(int fd, Ring* commands, Ring* events, uint8_t* shadow, uint8_t* reply, uint64_t reply_size) noexcept nogil
cdef bint stream_forget(void* self, uint64_t offset, uint64_t size) noexcept nogil      # a Forget of extents.pxd
cdef void stream_free(Stream* stream) noexcept nogil
