"""Verbs that read texels into buffers, and rows of pixels in buffers as records tell of them."""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport BackEnd
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

cdef struct Rows:                   # where rows are, and as what
    Resource* target                # the buffer
    uint64_t offset, row_stride, slice_stride
    uint32_t format, type           # positions in pipe_pixel_formats[], pipe_pixel_types[]
    uint32_t group_bytes, swap, layout
    uint32_t width, height, depth
    bint clamp

# What decoding cannot see: that format and type go together, and that all rows lie in the buffer. Fills group_bytes.
cdef bint legal(Espryt* es, Rows* rows, const char* call) noexcept nogil
cdef void install_packs(BackEnd* table) noexcept nogil
