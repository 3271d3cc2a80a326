"""Rows of texels from one pixel format and type to another: planned once for an image, then run by rows.

Formats and types are positions in pipe_pixel_formats[] and pipe_pixel_types[].
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef enum PlanKind:
    PLAN_COPY
    PLAN_SHUFFLE
    PLAN_GENERAL

cdef struct Plan:
    PlanKind kind
    uint32_t from_format, from_type, to_format, to_type
    uint32_t from_bytes, to_bytes           # of a group
    uint32_t element_bytes, from_count, to_count
    int32_t source[4]                       # of each target element: position in the source group, ZERO or ONE
    uint32_t one                            # bits of an element that is 1.0 (or 1)
    bint clamp
    bint from_depth24, to_depth24           # depth of which the upper 24 bits count

cdef uint32_t group_size(uint32_t format, uint32_t type) noexcept nogil      # bytes of one group
# `clamp`: colours to [0, 1] first (glClampColor). Then from_depth24 and to_depth24 may be set.
cdef void make_plan(Plan* plan, uint32_t from_format, uint32_t from_type, uint32_t to_format, uint32_t to_type,
                    bint clamp) noexcept nogil
cdef void convert_row(const Plan* plan, const uint8_t* source, uint8_t* target, uint32_t width) noexcept nogil
# Byte order of every `word` bytes (2 or 4); source and target may be the same.
cdef void reverse_bytes(const uint8_t* source, uint8_t* target, uint64_t size, uint32_t word) noexcept nogil
