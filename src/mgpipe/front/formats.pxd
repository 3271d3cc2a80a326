"""Short names for what the generated format table (pipe_formats.pxd, from catalogue/formats.py) says of a format.

A `format` is a position in pipe_formats[], in the client's structs and in the records alike (a record's format field is
`< 256`); the server looks the GL enums up in the same table. 0: undefined.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from pipe_formats cimport pipe_FormatInfo, pipe_formats

cdef inline const pipe_FormatInfo* format_info(uint32_t format) noexcept nogil:
    return &pipe_formats[format]

cdef inline uint32_t format_bytes(uint32_t format) noexcept nogil:     # of one canonical texel
    return pipe_formats[format].texel_bytes

# Of Caps.sample_counts of a format, in which bit i stands for i + 1 samples: the most, and the least number that is not below
# what was asked for (itself where the driver has none).
cdef inline uint32_t most_samples_of(uint64_t counts) noexcept nogil:
    cdef uint32_t most = 0
    while counts:
        most += 1
        counts >>= 1
    return most

cdef inline uint32_t samples_granted(uint64_t counts, uint32_t samples) noexcept nogil:
    cdef uint32_t more = samples
    while 0 < more <= 64:
        if counts >> (more - 1) & 1:
            return more
        more += 1
    return samples

cdef enum:
    BLOCK = 4                   # texels of a compressed block's edge, in every format of the table

# Where texels lie in a level of tight rows: of texels, or of compressed blocks.
cdef inline uint64_t format_row(uint32_t format, uint32_t width) noexcept nogil:
    cdef uint32_t block = pipe_formats[format].block_bytes
    return <uint64_t>((width + BLOCK - 1) // BLOCK) * block if block else <uint64_t>width * pipe_formats[format].texel_bytes

cdef inline uint32_t format_rows(uint32_t format, uint32_t height) noexcept nogil:
    return (height + BLOCK - 1) // BLOCK if pipe_formats[format].block_bytes else height

cdef inline uint64_t format_slice(uint32_t format, uint32_t width, uint32_t height) noexcept nogil:
    return format_row(format, width) * format_rows(format, height)

cdef inline uint64_t format_offset(uint32_t format, uint32_t width, uint32_t height, int32_t x, int32_t y,
                                   int32_t z) noexcept nogil:
    """Of a texel of a level that large; x and y of compressed formats are multiples of a block."""
    return (format_slice(format, width, height) * <uint32_t>z
            + format_row(format, width) * format_rows(format, <uint32_t>y) + format_row(format, <uint32_t>x))
