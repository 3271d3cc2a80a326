"""RGTC, the compression of one and two components (specification D.1): blocks to texels and back.

Texels are tight rows of one or two bytes, signed or not. The last blocks of a row or column may reach over the edge.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

# Rows of blocks, `block_stride` bytes apart, to texels of an image of that size.
cdef void rgtc_decode(const uint8_t* blocks, uint64_t block_stride, uint8_t* texels, uint32_t width, uint32_t height,
                      uint32_t components, bint is_signed) noexcept nogil
# Texels to tight rows of blocks.
cdef void rgtc_encode(const uint8_t* texels, uint8_t* blocks, uint32_t width, uint32_t height, uint32_t components,
                      bint is_signed) noexcept nogil
