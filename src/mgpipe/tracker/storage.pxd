"""What shaders load from and store to besides uniform blocks: storage and atomic counter buffers, images."""

from libc.stdint cimport uint32_t
from pipe cimport pipe_BufferRange
from mgpipe.front.context cimport Buffer, Context, IndexedBuffer

# A binding that has a buffer, as records say it; without a size: to the buffer's end.
cdef void fill_range(Context* ctx, IndexedBuffer* bound, pipe_BufferRange* said) noexcept nogil
cdef void send_storage(Context* ctx) noexcept nogil
cdef void send_images(Context* ctx) noexcept nogil
# After the records, before the verb's: what its program may store to is the GPU's from then on.
cdef void mark_stores(Context* ctx) noexcept nogil
cdef bint stores_reach(Context* ctx, const Buffer* buffer) noexcept nogil    # a slot of the program has the buffer
# Where the commands of an indirect verb lie; `parameter` and `dispatch` may be NULL.
cdef void send_indirect_buffers(Context* ctx, Buffer* draw, Buffer* parameter, Buffer* dispatch) noexcept nogil
