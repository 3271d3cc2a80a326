"""Espryt as the applier sees it."""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport BackEnd
from mgpipe.backends.host cimport Host

# Starts a driver of the dialect (backends/driver.pxd) on the calling thread and fills the table. item_sizes, by
# PIPE_HANDLE_*: bytes the applier keeps for each object, zeroed. -1: `error` holds the sentence.
cdef int espryt_start(BackEnd* table, Host* host, uint32_t dialect, uint32_t* item_sizes, char* error, uint32_t error_size) noexcept nogil
cdef void espryt_stop(BackEnd* table) noexcept nogil      # after every object has ended
# Count of the pieces of new storage that hold what the driver left in them. Whoever asks for it fills them before any
# record that could see them; else none are remembered, and none filled.
cdef uint32_t* espryt_unwritten(void* self) noexcept nogil
cdef void espryt_fill_unwritten(void* self) noexcept nogil
# Ordinal of the oldest record that let go of the client's memory and cannot count as applied yet, because the driver may be
# using it; 0: none. And a wait for that, so long at most.
cdef uint64_t* espryt_held(void* self) noexcept nogil
cdef void espryt_settle(void* self, uint64_t timeout_ns) noexcept nogil
cdef bint espryt_poll(void* self) noexcept nogil     # of the table's self: looks for what has completed; whether more is awaited
