"""Verbs whose work the GPU counts itself or shares with shaders: dispatches, barriers, indirect draws."""

from libc.stdint cimport uint32_t, uint64_t
from mgpipe.front.context cimport Buffer, Context

cdef void track_launch_grid(Context* ctx, uint32_t x, uint32_t y, uint32_t z) noexcept nogil
cdef void track_launch_grid_indirect(Context* ctx, Buffer* commands, uint64_t offset) noexcept nogil
cdef void track_memory_barrier(Context* ctx, uint32_t bits, bint by_region) noexcept nogil
cdef void track_texture_barrier(Context* ctx) noexcept nogil
# `count` commands at `offset`; with a parameter buffer at most so many: the number lies there.
cdef void track_draw_indirect(Context* ctx, uint32_t mode, uint32_t index_size, Buffer* commands, uint64_t offset,
                              uint32_t count, uint32_t stride, Buffer* parameter, uint64_t parameter_offset) noexcept nogil
