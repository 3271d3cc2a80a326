"""Verbs that write: draws, clears, blits."""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport BackEnd, pipe_draw_vbo
from mgpipe.backends.espryt.espryt cimport Context, Espryt

cdef void install_draws(BackEnd* table) noexcept nogil
# Everything that a draw consumes is in the driver. False: refused or latched.
cdef bint prepare_draw(Espryt* es, Context* ctx, uint32_t mode) noexcept nogil

cdef struct IndexSource:            # where the bound index buffer's indices begin, and their size
    uint64_t offset
    uint32_t size

cdef bint apply_es_restart(Espryt* es, Context* ctx, uint32_t index_size, IndexSource* indices) noexcept nogil
cdef void draw_arrays(Espryt* es, const pipe_draw_vbo* p) noexcept nogil
cdef void draw_elements(Espryt* es, const IndexSource* indices, const pipe_draw_vbo* p) noexcept nogil
