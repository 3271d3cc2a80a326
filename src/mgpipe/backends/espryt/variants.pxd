"""A program's variants: its stages, and what the dialect makes of render state that it lacks."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.backends.espryt.espryt cimport Context, Espryt, Program, Variant

cdef void es_properties(Program* program) noexcept nogil
cdef Variant* choose_variant(Espryt* es, Context* ctx, Program* program) noexcept nogil     # NULL: refused by name
cdef void set_variant_uniforms(Espryt* es, Context* ctx, Variant* variant) noexcept nogil
cdef void set_draw_uniforms(Espryt* es, Variant* variant, uint32_t base_instance, int32_t base_vertex,
                            uint32_t draw_id) noexcept nogil
cdef void free_variants(Espryt* es, Program* program) noexcept nogil
