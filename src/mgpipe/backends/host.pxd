"""What a back end may ask of the applier that runs it. All of it on the apply thread."""

from libc.stdint cimport uint16_t, uint32_t

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
