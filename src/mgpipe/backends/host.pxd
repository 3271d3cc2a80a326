"""What a back end may ask of the applier that runs it. All of it on the apply thread."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset
from pipe cimport PIPE_HANDLE_KINDS, PIPE_REPLY_OK, PIPE_REPLY_REFUSED, pipe_Living, pipe_reply

cdef enum LogLevel:                 # Python's numbers
    LOG_INFO = 20
    LOG_WARNING = 30
    LOG_ERROR = 40

cdef struct Host:
    void* self
    void (*log)(void* self, uint32_t level, const char* text) noexcept nogil
    # This form of the call has no implementation here: told to the client once, and the call does nothing.
    void (*unimplemented)(void* self, const char* call, const char* what) noexcept nogil
    # Latches the session: PIPE_FAULT_*, and what was wrong.
    void (*fault)(void* self, uint32_t family, const char* detail) noexcept nogil
    # Ends every object through the table, as their last records would; for the row that resets a session.
    void (*end_all)(void* self) noexcept nogil
    uint32_t (*living)(void* self, uint32_t kind) noexcept nogil      # objects of a PIPE_HANDLE_* kind
    void (*trace)(void* self, uint32_t mode, pipe_reply* reply) noexcept nogil        # all of the row of that name
    void (*push)(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil
    # The first `done` bytes of the answer being made are final: whoever waits may take them. NULL: nobody does.
    void (*part)(void* self, uint64_t done) noexcept nogil
    # Verify mode: the sections of a snapshot that the present verb is supplied with; all bits where nobody looks.
    uint64_t supplied
    void (*not_supplied)(void* self, const char* what) noexcept nogil     # latches the session, naming verb and section

    # The client maps the same memory: a driver may use what lies there, and `ordinal` is that of the record being applied
    # (NULL: calls come without one, and who lets go of memory waits for the driver).
    uint32_t shares_memory
    const uint64_t* ordinal

cdef inline bint fill_living(Host* host, uint8_t* into, uint64_t size, pipe_reply* reply) noexcept nogil:
    """The part of a Living block that the applier knows; the rest is zero. False: there is no room for one."""
    cdef pipe_Living* living = <pipe_Living*>into
    cdef uint32_t kind
    reply.status = PIPE_REPLY_REFUSED
    if size < sizeof(pipe_Living):
        return False
    memset(living, 0, sizeof(pipe_Living))
    for kind in range(PIPE_HANDLE_KINDS):
        living.objects[kind] = host.living(host.self, kind)
    reply.status = PIPE_REPLY_OK
    reply.size = sizeof(pipe_Living)
    return True

cdef enum:
    PARTS = 16                  # of one answer, at most: each costs the driver a call
    LEAST_PART_BYTES = 512 << 10

cdef inline uint64_t part_bytes(Host* host, uint64_t size) noexcept nogil:
    """In pieces of how many bytes an answer of `size` is made, so that the client copies one while the next is made."""
    if host.part == NULL or size < 2 * LEAST_PART_BYTES:
        return size
    return max(size // PARTS, <uint64_t>LEAST_PART_BYTES)

cdef inline void needs(Host* host, uint64_t section, const char* what) noexcept nogil:
    """Before state is read for a verb: is it state that this verb was declared to consume, and has it ever come?"""
    if not host.supplied & section:
        host.not_supplied(host.self, what)
