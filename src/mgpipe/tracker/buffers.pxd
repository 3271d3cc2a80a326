"""Verbs on pinned buffers (tracker/pins), whose memory the driver uses while we see it."""

from libc.stdint cimport uint8_t, uint64_t
from mgpipe.front.context cimport Buffer, Context

# A command's bytes: they follow what came before. False: out of memory.
cdef bint track_write_pinned(Context* ctx, Buffer* buffer, uint64_t offset, const uint8_t* bytes, uint64_t size) noexcept nogil
# Waits until everything before has been done with the buffer: its memory may be read, and written. False: the session is lost.
cdef bint track_settle_pinned(Context* ctx, Buffer* buffer) noexcept nogil
