"""Short names for what the generated format table (pipe_formats.pxd, from catalogue/formats.py) says of a format.

A `format` is a position in pipe_formats[], in the client's structs and in the records alike (a record's format field is
`< 256`); the server looks the GL enums up in the same table. 0: undefined.
"""

from libc.stdint cimport uint32_t
from pipe_formats cimport pipe_FormatInfo, pipe_formats

cdef inline const pipe_FormatInfo* format_info(uint32_t format) noexcept nogil:
    return &pipe_formats[format]

cdef inline uint32_t format_bytes(uint32_t format) noexcept nogil:     # of one canonical texel
    return pipe_formats[format].texel_bytes
