"""Level 2 of verify mode: what the driver holds of the buffers and textures that the client owns."""

from pipe cimport PipeContext
from mgpipe.front.context cimport Context

# Sends the client's bytes of everything that only the client wrote, to be compared with the driver's; nobody waits.
cdef void verify_contents(Context* ctx, PipeContext* table) noexcept nogil
