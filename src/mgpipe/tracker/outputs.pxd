"""What verbs write besides the framebuffer: the conservative set of bytes that only the GPU has.

Whoever sends a verb that may write into a buffer says so here, before or after its record, with the bytes it may reach
(0 and buffer.size: all). A byte too many costs one read when the program looks at it; a byte too few would be stale.
| producer | says so |
|---|---|
| storage blocks, atomic counters, writable images on buffer textures | validation of draws and dispatches |
| transform feedback | validation of draws, and the end of feedback |
| reads into a pack buffer | track_read_pixels_to_buffer, track_get_texture_image_to_buffer |
| copies and clears of buffers, query results into buffers | their verbs |
"""

from libc.stdint cimport uint64_t
from mgpipe.front.context cimport OWNER_GPU, Buffer
from mgpipe.tracker.ranges cimport ranges_add

cdef inline void buffer_gpu_wrote(Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    """Bytes that a record may write: from now on the server has the newest. Pending bytes have left before the record."""
    if offset >= buffer.size or size == 0:
        return
    ranges_add(&buffer.gpu, offset, buffer.size if size > buffer.size - offset else offset + size)
    buffer.gpu_marks += 1
    buffer.owner = OWNER_GPU
