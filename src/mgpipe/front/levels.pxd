"""One level of a texture: its storage, the bytes the client holds of it, and which of those the server lacks."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport Context, Level, Texture
from mgpipe.front.pixels cimport UserImage

# New storage with undefined contents. A definition of the same shape keeps what the server has.
cdef void level_define(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t width, uint32_t height,
                       uint32_t depth, uint32_t internal_format, uint32_t format) noexcept nogil
# The client's bytes into a box of it. The box fits; `image` has its size. Sets OUT_OF_MEMORY.
cdef void level_upload(Context* ctx, Texture* texture, uint32_t face, uint32_t level, int32_t x, int32_t y, int32_t z,
                       const UserImage* image, const void* bytes) noexcept nogil
# The server has newer bytes than any copy here.
cdef void level_gpu_wrote(Context* ctx, Texture* texture, uint32_t face, uint32_t level) noexcept nogil
