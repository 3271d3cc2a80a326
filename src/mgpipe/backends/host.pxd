"""What a back end may ask of the applier that runs it. All of it on the apply thread."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

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
    void (*push)(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil
    # Verify mode: the sections of a snapshot that the present verb is supplied with; all bits where nobody looks.
    uint64_t supplied
    void (*not_supplied)(void* self, const char* what) noexcept nogil     # latches the session, naming verb and section

cdef inline void needs(Host* host, uint64_t section, const char* what) noexcept nogil:
    """Before state is read for a verb: is it state that this verb was declared to consume, and has it ever come?"""
    if not host.supplied & section:
        host.not_supplied(host.self, what)
