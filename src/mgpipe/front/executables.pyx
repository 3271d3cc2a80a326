# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a link yields, as the structs that draws and glUniform look at. See executables.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from glenum cimport *
from mgpipe.front.context cimport STAGES, ImageSlot, Program, ProgramBlock, ProgramSlot, StorageBlock, Uniform
from mgpipe.front.subroutines cimport subroutines_fill
from mgpipe.front.textures cimport (INDEX_1D, INDEX_1D_ARRAY, INDEX_2D, INDEX_2D_ARRAY, INDEX_2D_MULTISAMPLE,
                                    INDEX_2D_MULTISAMPLE_ARRAY, INDEX_3D, INDEX_BUFFER, INDEX_CUBE, INDEX_CUBE_ARRAY,
                                    INDEX_RECTANGLE)
from mgpipe.front.uniforms cimport uniform_shape

from mgpipe.shaders.reflection import GEOMETRY, SET_IMAGES, SET_SAMPLERS, TESS_EVALUATION

# Which binding of a texture unit a sampler type reads.
SAMPLER_TARGETS = {
    INDEX_1D: (0x8B5D, 0x8B61, 0x8DC9, 0x8DD1), INDEX_2D: (0x8B5E, 0x8B62, 0x8DCA, 0x8DD2), INDEX_3D: (0x8B5F, 0x8DCB, 0x8DD3),
    INDEX_CUBE: (0x8B60, 0x8DC5, 0x8DCC, 0x8DD4), INDEX_RECTANGLE: (0x8B63, 0x8B64, 0x8DCD, 0x8DD5),
    INDEX_1D_ARRAY: (0x8DC0, 0x8DC3, 0x8DCE, 0x8DD6), INDEX_2D_ARRAY: (0x8DC1, 0x8DC4, 0x8DCF, 0x8DD7),
    INDEX_BUFFER: (0x8DC2, 0x8DD0, 0x8DD8), INDEX_2D_MULTISAMPLE: (0x9108, 0x9109, 0x910A),
    INDEX_2D_MULTISAMPLE_ARRAY: (0x910B, 0x910C, 0x910D), INDEX_CUBE_ARRAY: (0x900C, 0x900D, 0x900E, 0x900F),
}
# Primitive modes that the input of a geometry shader takes, as bits; and all that need no tessellation.
GEOMETRY_MODES = {GL_POINTS: 1 << GL_POINTS, GL_LINES: 0b1110, GL_TRIANGLES: 0b1110000, GL_LINES_ADJACENCY: 0xC00,
                  GL_TRIANGLES_ADJACENCY: 0x3000}
ANY_MODE = 0x3C7F

TARGET_OF_SAMPLER = {type: index for index, types in SAMPLER_TARGETS.items() for type in types}


cdef void drop_executable(Program* program) noexcept nogil:
    cdef uint32_t stage
    for stage in range(STAGES):
        free(program.constants[stage])
        free(program.stage_spirv[stage])
        program.constants[stage] = program.stage_spirv[stage] = NULL
        program.constants_size[stage] = program.stage_spirv_size[stage] = 0
        program.dirty_low[stage] = <uint32_t>-1
        program.dirty_high[stage] = 0
    free(program.location_uniform)
    free(program.uniforms)
    free(program.slots)
    free(program.blocks)
    free(program.feedback)
    program.feedback = NULL
    program.feedback_size = program.feedback_mode = program.feedback_buffers = program.output_primitive = 0
    free(program.storage)
    free(program.images)
    program.storage = NULL
    program.images = NULL
    program.storage_count = program.storage_slots = program.image_count = 0
    free(program.subroutines)
    program.location_uniform = NULL
    program.uniforms = NULL
    program.slots = NULL
    program.blocks = NULL
    program.subroutines = NULL
    program.subroutine_count = 0
    program.location_count = program.uniform_count = program.slot_count = program.block_count = 0
    program.constants_dirty = program.stage_mask = 0


cdef bint fill_executable(Program* program, object linked) except? False:
    """The executable as structs: what the reflection says, in the shape that draws and glUniform need."""
    cdef uint32_t stage, i, at
    cdef uint32_t slots = 0, locations = 0
    cdef Uniform* uniform
    cdef const char* code
    for stage, spirv in linked.spirv.items():
        code = <bytes>spirv
        program.stage_spirv[stage] = <uint8_t*>malloc(len(spirv))
        if program.stage_spirv[stage] == NULL:
            return False
        memcpy(program.stage_spirv[stage], code, len(spirv))
        program.stage_spirv_size[stage] = <uint32_t>len(spirv)
        program.stage_mask |= 1 << stage
    for stage in range(STAGES):
        program.constants_size[stage] = linked.constants_size[stage]
        if program.constants_size[stage]:
            program.constants[stage] = <uint8_t*>calloc(1, program.constants_size[stage])
            if program.constants[stage] == NULL:
                return False
    program.draw_modes = draw_modes_of(linked)
    program.output_primitive = output_primitive_of(linked)
    if not fill_feedback(program, linked):
        return False
    program.attribute_mask = 0
    for attribute in linked.attributes:
        if attribute.location >= 0:
            for at in range(columns_of(attribute.gl_type) * max(attribute.size, 1)):
                if attribute.location + at < 32:
                    program.attribute_mask |= <uint32_t>1 << (attribute.location + at)

    loose = [u for u in linked.uniforms if u.location >= 0]
    for u in loose:
        locations = max(locations, u.location + max(u.size, 1))
        if u.resource_set == SET_SAMPLERS:
            slots = max(slots, u.slot + max(u.size, 1))
    program.uniforms = <Uniform*>calloc(len(loose) + 1, sizeof(Uniform))
    program.slots = <ProgramSlot*>calloc(slots + 1, sizeof(ProgramSlot))
    program.blocks = <ProgramBlock*>calloc(len(linked.uniform_blocks) + 1, sizeof(ProgramBlock))
    program.location_uniform = <uint32_t*>malloc((locations + 1) * sizeof(uint32_t))
    if (program.uniforms == NULL or program.slots == NULL or program.blocks == NULL or program.location_uniform == NULL
            or not fill_storage(program, linked)):
        return False
    memset(program.location_uniform, 0xFF, (locations + 1) * sizeof(uint32_t))
    program.uniform_count = <uint32_t>len(loose)
    program.slot_count = slots
    program.location_count = locations
    for i, u in enumerate(loose):
        uniform = &program.uniforms[i]
        uniform.type = u.gl_type
        uniform.array_size = max(u.size, 1)
        uniform.is_array = u.is_array
        uniform.location = u.location
        uniform.row_major = u.row_major
        uniform_shape(u.gl_type, &uniform.columns, &uniform.rows, &uniform.scalar)
        for at in range(uniform.array_size):
            program.location_uniform[u.location + at] = i
        for stage in range(STAGES):
            uniform.offsets[stage] = u.stage_offsets[stage]
            uniform.stages |= (uniform.offsets[stage] >= 0) << stage
            uniform.array_stride[stage] = u.array_stride
            uniform.matrix_stride[stage] = u.matrix_stride
        if u.resource_set == SET_SAMPLERS:
            uniform.is_sampler = 1
            uniform.slot = u.slot
            for at in range(uniform.array_size):
                program.slots[u.slot + at].sampler_type = u.gl_type
                program.slots[u.slot + at].target_index = TARGET_OF_SAMPLER.get(u.gl_type, INDEX_2D)
                program.slots[u.slot + at].unit = int(u.initial[at]) if u.initial else 0
        elif u.resource_set == SET_IMAGES:
            uniform.is_image = 1
            uniform.slot = u.slot
            for at in range(uniform.array_size):
                program.images[u.slot + at].type = u.gl_type
                program.images[u.slot + at].writable = u.writable
                program.images[u.slot + at].unit = int(u.initial[at]) if u.initial else 0
        elif u.initial:
            initialise(program, uniform, u.initial)
    program.block_count = <uint32_t>len(linked.uniform_blocks)
    for i, block in enumerate(linked.uniform_blocks):
        program.blocks[i].slot = block.slot
        program.blocks[i].binding = block.initial_binding
        program.blocks[i].size = block.size_bytes
    return subroutines_fill(program, linked)


def tessellated(linked) -> int:
    """The primitive that the tessellator makes."""
    return GL_POINTS if linked.tess_points else GL_LINES if linked.tess_mode == GL_ISOLINES else GL_TRIANGLES


def draw_modes_of(linked) -> int:
    """Primitive modes that a draw with this program may have, a bit each (specification 11.2.3 and 11.3.1)."""
    modes = GEOMETRY_MODES.get(linked.geometry_input, ANY_MODE) if GEOMETRY in linked.spirv else ANY_MODE
    if TESS_EVALUATION not in linked.spirv:
        return modes
    return 1 << GL_PATCHES if modes >> tessellated(linked) & 1 else 0


cdef uint32_t output_primitive_of(object linked) except *:
    """What transform feedback gets, as Program.output_primitive has it."""
    if GEOMETRY in linked.spirv:
        return {GL_POINTS: GL_POINTS, GL_LINE_STRIP: GL_LINES}.get(linked.geometry_output, GL_TRIANGLES) + 1
    if TESS_EVALUATION in linked.spirv:
        return tessellated(linked) + 1
    return 0


cdef bint fill_feedback(Program* program, object linked) except *:
    cdef bytes names = b"".join(varying.spirv_name.encode() + b"\0" for varying in linked.feedback_varyings)
    cdef const char* text = names
    if not linked.feedback_varyings:
        return True
    program.feedback = <char*>malloc(len(names))
    if program.feedback == NULL:
        return False
    memcpy(program.feedback, text, len(names))
    program.feedback_size = <uint32_t>len(names)
    program.feedback_mode = linked.feedback_mode
    program.feedback_buffers = linked.feedback_buffers
    return True


cdef bint fill_storage(Program* program, object linked) except? False:
    """Storage blocks, behind them the buffers of atomic counters; room for the image slots."""
    cdef uint32_t i
    cdef list blocks = linked.storage_blocks + linked.atomic_buffers
    program.storage = <StorageBlock*>calloc(len(blocks) + 1, sizeof(StorageBlock))
    program.image_count = max([u.slot + max(u.size, 1) for u in linked.uniforms if u.resource_set == SET_IMAGES], default=0)
    program.images = <ImageSlot*>calloc(program.image_count + 1, sizeof(ImageSlot))
    if program.storage == NULL or program.images == NULL:
        return False
    program.storage_count = <uint32_t>len(blocks)
    for i, block in enumerate(blocks):
        program.storage[i].slot = block.slot
        program.storage[i].binding = block.initial_binding
        program.storage[i].is_atomic = i >= <uint32_t>len(linked.storage_blocks)
        program.storage[i].writable = block.writable
        program.storage_slots = max(program.storage_slots, block.slot + 1)
    for i in range(3):
        program.local_size[i] = linked.local_size[i]
    return True


cdef uint32_t columns_of(uint32_t gl_type) noexcept:
    cdef uint32_t columns, rows, scalar
    uniform_shape(gl_type, &columns, &rows, &scalar)
    return columns if columns else 1


cdef void initialise(Program* program, Uniform* uniform, list values) except *:
    """The initialiser of the source, component after component, column after column, element after element."""
    cdef uint32_t stage, element, column, row, at
    cdef uint32_t size = 8 if uniform.scalar == 0x140A else 4           # of a component
    cdef Py_ssize_t next_value
    cdef uint32_t* word
    cdef double wide
    for stage in range(STAGES):
        if uniform.offsets[stage] < 0:
            continue
        next_value = 0
        for element in range(uniform.array_size):
            for column in range(uniform.columns):
                for row in range(uniform.rows):
                    if next_value >= len(values):
                        return
                    at = <uint32_t>uniform.offsets[stage] + element * uniform.array_stride[stage] + (
                        row * uniform.matrix_stride[stage] + size * column if uniform.row_major
                        else column * uniform.matrix_stride[stage] + size * row)
                    word = <uint32_t*>(program.constants[stage] + at)
                    if uniform.scalar == 0x140A:
                        wide = values[next_value]
                        memcpy(word, &wide, 8)
                    elif uniform.scalar == 0x1406:
                        (<float*>word)[0] = values[next_value]
                    elif uniform.scalar == 0x8B56:
                        word[0] = 1 if values[next_value] else 0
                    else:
                        word[0] = <uint32_t>(int(values[next_value]) & 0xFFFFFFFF)
                    next_value += 1
