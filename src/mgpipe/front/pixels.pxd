"""Texels between the program's memory and canonical layouts: pixel store addresses, conversion, checks of format and type."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from mgpipe.front.context cimport GLenum, PixelStore
from mgpipe.links.shadow cimport Arena, Shadow

cdef struct UserImage:          # a box of texels in the program's memory
    uint32_t format, type       # positions in pipe_pixel_formats[] and pipe_pixel_types[]
    uint32_t group_bytes
    uint32_t swap_bytes         # unit to reverse; 0: native byte order
    uint32_t width, height, depth
    uint32_t pad0
    uint64_t first              # bytes before its first texel (the skips)
    uint64_t row_stride, slice_stride
    uint64_t size               # bytes from the first texel to the end of the last

cdef struct Tight:              # the same box in a canonical or a read layout
    uint32_t format, type
    uint32_t depth_bits, pad0   # 24: 32-bit depth of which the upper 24 count, as DEPTH_COMPONENT24 keeps it; else 0
    uint64_t row_stride, slice_stride

# 0, or the error of a format and type that do not exist or do not go together.
cdef GLenum pixels_check(GLenum format, GLenum type, uint32_t* format_index, uint32_t* type_index) noexcept nogil
# 0, or INVALID_OPERATION: data of that pixel format cannot become texels of the internal format, or come from them.
cdef GLenum pixels_match(uint32_t pixel_format, uint32_t internal, bint reading) noexcept nogil
cdef void user_image(UserImage* image, const PixelStore* store, uint32_t format, uint32_t type, uint32_t dimensions,
                     uint32_t width, uint32_t height, uint32_t depth) noexcept nogil
# The canonical layout of an internal format; strides are the caller's.
cdef void canonical_layout(Tight* layout, uint32_t internal) noexcept nogil
# One texel of an internal format in its canonical layout, of the program's value; NULL: zeros. `texel` has room for 16 bytes.
cdef void pixels_texel(uint8_t* texel, uint32_t internal, uint32_t format, uint32_t type, const void* data) noexcept nogil
# Convert into a shadow, from `offset` on; `bytes` is the first texel. 0, or -1: out of memory.
cdef int pixels_unpack(Arena* arena, Shadow* shadow, uint64_t offset, const Tight* target, const UserImage* source,
                       const uint8_t* bytes) noexcept nogil
# Whether rows of one slice go into the program's memory as they are, one behind the other.
cdef bint pixels_agree(const UserImage* target, const Tight* source, bint clamp) noexcept nogil
# Convert into the program's memory. `clamp`: colours to [0, 1] first (glClampColor).
cdef void pixels_pack(uint8_t* bytes, const UserImage* target, const Tight* source, const uint8_t* texels,
                      bint clamp) noexcept nogil
