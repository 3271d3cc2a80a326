"""Where pixels come from and go to: the program's memory, or the buffer bound for packing or unpacking."""

from libc.stdint cimport uint8_t, uint64_t
from mgpipe.front.context cimport Context
from mgpipe.front.pixels cimport UserImage

cdef enum Given:
    GIVEN_ON_SERVER = 2 # in the buffer bound for unpacking, where only the server has the newest
    GIVEN = 1           # bytes are there
    GIVEN_NOTHING = 0   # no pixels, or none that count
    GIVEN_ERROR = -1    # the error is set

# The first texel of an image to read from. Bytes of a buffer are valid until the arena is written to.
cdef Given unpack_source(Context* ctx, const UserImage* image, const void* pixels, const uint8_t** bytes) noexcept nogil
# The same for texels that the server can take out of a buffer: then `bytes` counts from its start.
cdef Given unpack_texels(Context* ctx, const UserImage* image, const void* pixels, const uint8_t** bytes) noexcept nogil
# The first texel's place in the pack buffer, when one is bound: for reads that the server does. The rules are checked.
cdef Given pack_offset(Context* ctx, const UserImage* image, void* pixels, uint64_t* offset) noexcept nogil
# The first texel of an image to write to; then pack_done tells who must learn of it.
cdef Given pack_target(Context* ctx, const UserImage* image, void* pixels, uint8_t** bytes) noexcept nogil
cdef void pack_done(Context* ctx, const UserImage* image, void* pixels) noexcept nogil
