"""Short names for what the generated format table (pipe_formats.pxd, from catalogue/formats.py) says of a format.

A `format` inside the client is a position in pipe_formats[]; only the sized internal format's GL enum crosses.
"""

from libc.stdint cimport uint32_t
from pipe_formats cimport pipe_FormatInfo, pipe_formats

cdef inline const pipe_FormatInfo* format_info(uint32_t format) noexcept nogil:
    return &pipe_formats[format]

cdef inline uint32_t format_bytes(uint32_t format) noexcept nogil:     # of one canonical texel
    return pipe_formats[format].texel_bytes

cdef inline uint32_t format_sized(uint32_t format) noexcept nogil:     # GL enum; 0: undefined
    return pipe_formats[format].internal
