"""One level of a texture: its storage, the bytes the client holds of it, and which of those the server lacks."""

from libc.stdint cimport int32_t, uint32_t
from pipe cimport pipe_Box
from mgpipe.front.context cimport Context, Level, Texture
from mgpipe.front.pixels cimport UserImage

# New storage with undefined contents. A definition of the same shape keeps what the server has.
cdef void level_define(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t width, uint32_t height,
                       uint32_t depth, uint32_t internal_format, uint32_t format) noexcept nogil
# The client's bytes into a box of it. The box fits; `image` has its size. Sets OUT_OF_MEMORY.
cdef void level_upload(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                       const UserImage* image, const void* bytes) noexcept nogil
# Texels into a box of a compressed level: the driver compresses them.
cdef void level_compress(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                         const UserImage* image, const void* bytes) noexcept nogil
# The server has newer bytes of these layers than any copy here.
cdef void level_gpu_wrote(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t first,
                          uint32_t count) noexcept nogil
