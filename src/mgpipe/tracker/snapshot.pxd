"""The front end's state for one verb, from scratch: what verify mode compares with what the records said."""

from pipe cimport pipe_Snapshot
from mgpipe.front.context cimport Context

# Fills `out`, all of it. Everything that the verb needs has been sent before: objects have their handles.
cdef void snapshot_fill(Context* ctx, pipe_Snapshot* out) noexcept nogil
