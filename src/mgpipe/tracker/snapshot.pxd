"""The front end's state for one verb, from scratch: what verify mode compares with what the records said."""

from libc.stdint cimport uint32_t
from pipe cimport pipe_Snapshot
from mgpipe.front.context cimport Context

# Fills `out`, all of it. Everything that the verb needs has been sent before: objects have their handles.
cdef void snapshot_fill(Context* ctx, pipe_Snapshot* out) noexcept nogil
# … and the buffers of indirect commands that this verb reads, as its record says.
cdef void snapshot_commands(Context* ctx, uint32_t op, const void* record, pipe_Snapshot* out) noexcept nogil
