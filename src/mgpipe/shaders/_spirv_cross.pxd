"""SPIR-V to the driver's dialect, for other Cython modules: no GIL, no Python object.

spirv_to_dialect(words, count, stage, dialect, glsl_version, options, constants or NULL, &text) returns 1 and the text, or 0 and a
message (NULL when memory ran out); the caller gives text to free() either way. Bindings of set 0 are those of uniform
buffers, of set 1 texture units, of set 2 storage buffers, of set 3 image units.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t

cdef extern from "spirv_dialect.h" nogil:
    enum:
        SPIRV_DESKTOP
        SPIRV_ES
        SPIRV_FEEDBACK_NAMES
    ctypedef struct spirv_feedback "struct spirv_feedback":
        const char* names
        uint32_t count
        uint32_t[8] widened
    ctypedef struct specialise_options "struct specialise_options":
        int32_t separable
        int32_t point_size
        uint32_t logic_op, alpha_one
        uint32_t[32] image_formats
        spirv_feedback* feedback
    ctypedef struct spirv_move "struct spirv_move":
        uint32_t from_ "from"
        uint32_t to, components, narrows
    ctypedef struct spirv_constants "struct spirv_constants":
        spirv_move* moves
        uint32_t count, size, plain
    const char* SPIRV_PLAIN_NAME
    enum:
        GENERATED_TESS_CONTROL
        GENERATED_GEOMETRY
    ctypedef struct generate_options "struct generate_options":
        uint32_t stage, patch_vertices, corners, adjacency, shown_as, first_provokes, cull_clockwise, cull_counter
        uint32_t strip, fan, point_size

cdef int spirv_to_dialect(const uint32_t* words, size_t count, int stage, int dialect, int glsl_version,
                          const specialise_options* options, spirv_constants* constants, char** text) noexcept nogil

# A stage that GLSL ES needs between `stage_before`, whose words these are, and the next: spirv_dialect.h.
cdef int spirv_to_between(const uint32_t* words, size_t count, int stage_before, const generate_options* options,
                          char** text) noexcept nogil
