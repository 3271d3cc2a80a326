# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Shaders and programs (OpenGL 4.6 sections 7.1 to 7.6): the C side of program_objects.py.

A Program struct is what draws and glUniform look at; its `object` is the Python object that answers everything else.
"""

from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from pipe cimport PIPE_FEATURE_COMPUTE, pipe_Caps
from glenum cimport *
from mgpipe.front.context cimport (DIRTY_PROGRAM, DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS, STAGES, UNIFORM_BINDINGS,
                                   Context, GLboolean, GLchar, GLenum, GLint, GLsizei, GLuint, ImageSlot, Program,
                                   ProgramBlock, ProgramSlot, Shader, ShareGroup, StorageBlock, Uniform, name_generate, name_get, name_put,
                                   name_remove, set_error, touch_group)
from mgpipe.front.textures cimport (INDEX_1D, INDEX_1D_ARRAY, INDEX_2D, INDEX_2D_ARRAY, INDEX_2D_MULTISAMPLE,
                                    INDEX_2D_MULTISAMPLE_ARRAY, INDEX_3D, INDEX_BUFFER, INDEX_CUBE, INDEX_CUBE_ARRAY,
                                    INDEX_RECTANGLE)
from mgpipe.front.pipelines cimport choose_programs, pipelines_release
from mgpipe.front.subroutines cimport subroutines_fill, subroutines_reset
from mgpipe.front.uniforms cimport uniform_shape
from mgpipe.tracker.validate cimport track_delete_program

from mgpipe.front.program_objects import SHADER_TYPES, GLError, ProgramObject, ShaderObject
from mgpipe.shaders.feedback import Request
from mgpipe.shaders.reflection import GEOMETRY, SET_IMAGES, SET_SAMPLERS, TESS_EVALUATION

cdef enum:
    COMPUTE_STAGE = 1 << 5      # in Program.stage_mask

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


# ------------------------------------------------------------------------------------------------------ the names

cdef void* item_of(Context* ctx, GLuint name, uint32_t is_shader) noexcept nogil:
    cdef void* item = name_get(&ctx.group.shaders_programs, name) if name else NULL
    if item == NULL:
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    if (<Program*>item).is_shader != is_shader:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return item


cdef Program* program_of(Context* ctx, GLuint name) noexcept nogil:
    return <Program*>item_of(ctx, name, 0)


cdef Shader* shader_of(Context* ctx, GLuint name) noexcept nogil:
    return <Shader*>item_of(ctx, name, 1)


cdef GLboolean IsProgram(Context* ctx, GLuint program) noexcept nogil:
    cdef Program* item = <Program*>name_get(&ctx.group.shaders_programs, program) if program else NULL
    return item != NULL and not item.is_shader


cdef GLboolean IsShader(Context* ctx, GLuint shader) noexcept nogil:
    cdef Program* item = <Program*>name_get(&ctx.group.shaders_programs, shader) if shader else NULL
    return item != NULL and item.is_shader != 0


cdef void* adopt(Context* ctx, void* item, object python) noexcept:
    """Give a new struct a name and its Python object."""
    cdef GLuint name = name_generate(&ctx.group.shaders_programs) if item != NULL else 0
    if name == 0 or name_put(&ctx.group.shaders_programs, name, item) != 0:
        free(item)
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    Py_INCREF(python)
    return remember(item, name, <void*>python)


cdef void* remember(void* item, GLuint name, void* python) noexcept nogil:
    (<Program*>item).name = name
    if (<Program*>item).is_shader:
        (<Shader*>item).object = python
    else:
        (<Program*>item).object = python
    return item


# -------------------------------------------------------------------------------------------------------- shaders

cdef GLuint CreateShader(Context* ctx, GLenum type) noexcept:
    cdef Shader* shader
    if (ctx.version < SHADER_TYPES.get(type, 99)
            or (type == GL_COMPUTE_SHADER and not ctx.session.caps.features & PIPE_FEATURE_COMPUTE)):
        set_error(ctx, GL_INVALID_ENUM)
        return 0
    shader = <Shader*>calloc(1, sizeof(Shader))
    if shader != NULL:
        shader.is_shader = 1
        shader.refs = 1
        shader.type = type
    shader = <Shader*>adopt(ctx, shader, ShaderObject(type, ctx.version * 10))
    return shader.name if shader != NULL else 0


cdef void shader_release(Context* ctx, Shader* shader) noexcept:
    shader.refs -= 1
    if shader.refs:
        return
    name_remove(&ctx.group.shaders_programs, shader.name)
    Py_DECREF(<object>shader.object)
    free(shader)


cdef void DeleteShader(Context* ctx, GLuint name) noexcept:
    cdef Shader* shader
    if name == 0:
        return
    shader = shader_of(ctx, name)
    if shader != NULL and not shader.deleted:       # attached ones live on, flagged, until they are detached
        shader.deleted = 1
        shader_release(ctx, shader)


cdef void ShaderSource(Context* ctx, GLuint name, GLsizei count, const GLchar* const* string, const GLint* length) noexcept:
    cdef Shader* shader = shader_of(ctx, name)
    cdef GLsizei i
    cdef list sources = []
    if shader == NULL:
        return
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(count):
        if length != NULL and length[i] >= 0:
            sources.append((<const char*>string[i])[:length[i]])
        else:
            sources.append(<bytes>(<const char*>string[i]))
    (<object>shader.object).sources = sources


cdef void CompileShader(Context* ctx, GLuint name) noexcept:
    cdef Shader* shader = shader_of(ctx, name)
    if shader != NULL:
        (<object>shader.object).compile()


cdef void GetShaderiv(Context* ctx, GLuint name, GLenum pname, GLint* params) noexcept:
    cdef Shader* shader = shader_of(ctx, name)
    if shader == NULL:
        return
    try:
        params[0] = (<object>shader.object).parameter(pname, shader.deleted != 0)
    except GLError as error:
        set_error(ctx, error.code)


cdef void put_text(Context* ctx, bytes text, GLsizei size, GLsizei* length, GLchar* target) noexcept:
    """As much as fits, always terminated; `length` leaves the terminator out."""
    cdef GLsizei n
    cdef const char* source = text
    if size < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    n = <GLsizei>len(text)
    if n > size - 1:
        n = size - 1 if size > 0 else 0
    if size > 0 and target != NULL:
        memcpy(target, source, n)
        target[n] = 0
    if length != NULL:
        length[0] = n


cdef void GetShaderInfoLog(Context* ctx, GLuint name, GLsizei size, GLsizei* length, GLchar* log) noexcept:
    cdef Shader* shader = shader_of(ctx, name)
    if shader != NULL:
        put_text(ctx, (<object>shader.object).log, size, length, log)


cdef void GetShaderSource(Context* ctx, GLuint name, GLsizei size, GLsizei* length, GLchar* source) noexcept:
    cdef Shader* shader = shader_of(ctx, name)
    if shader != NULL:
        put_text(ctx, (<object>shader.object).source(), size, length, source)


# ------------------------------------------------------------------------------------------------------- programs

cdef GLuint CreateProgram(Context* ctx) noexcept:
    cdef Program* program = <Program*>calloc(1, sizeof(Program))
    if program != NULL:
        program.refs = 1
    program = <Program*>adopt(ctx, program, ProgramObject())
    return program.name if program != NULL else 0


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


cdef void program_release(Context* ctx, Program* program) noexcept with gil:
    cdef Shader* shader
    program.refs -= 1
    if program.refs:
        return
    track_delete_program(ctx, program)
    if program.is_combined:
        drop_executable(program)
        free(program)
        return
    for name, _ in (<object>program.object).shaders:
        shader = <Shader*>name_get(&ctx.group.shaders_programs, name)
        if shader != NULL:
            shader_release(ctx, shader)
    name_remove(&ctx.group.shaders_programs, program.name)
    Py_DECREF(<object>program.object)
    drop_executable(program)
    free(program)


cdef void DeleteProgram(Context* ctx, GLuint name) noexcept:
    cdef Program* program
    if name == 0:
        return
    program = program_of(ctx, name)
    if program != NULL and not program.deleted:     # a current one lives on, flagged, until it is no longer current
        program.deleted = 1
        program_release(ctx, program)


cdef void UseProgram(Context* ctx, GLuint name) noexcept nogil:
    cdef Program* program = NULL
    cdef Program* before = ctx.current_program
    if ctx.capture:                                 # transform feedback is active and not paused
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if before != NULL and before.name == name:      # also of a deleted one: its name is taken while it is current
        subroutines_reset(before)
        return
    if name:
        program = program_of(ctx, name)
        if program == NULL:
            return
        if not program.linked:
            set_error(ctx, GL_INVALID_OPERATION)
            return
        program.refs += 1
        subroutines_reset(program)
    ctx.current_program = program
    choose_programs(ctx)
    if before != NULL:
        leave_program(ctx, before)


cdef Program* stage_program(Context* ctx, uint32_t stage) noexcept nogil:
    cdef Program* program = ctx.current_program
    if program == NULL and ctx.program_pipeline != NULL:
        program = ctx.program_pipeline.stages[stage]
    return program if program != NULL and program.stage_mask >> stage & 1 else NULL


cdef void ProgramParameteri(Context* ctx, GLuint name, GLenum pname, GLint value) noexcept nogil:
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return
    if pname != GL_PROGRAM_SEPARABLE and pname != GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
        set_error(ctx, GL_INVALID_ENUM)
    elif value != 0 and value != 1:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        remember_parameter(program, pname, value)


cdef void remember_parameter(Program* program, GLenum pname, GLint value) noexcept with gil:
    (<object>program.object).set_parameter(pname, value)


cdef void leave_program(Context* ctx, Program* program) noexcept nogil:
    if program.refs > 1:
        program.refs -= 1
    else:
        program_release(ctx, program)               # takes the GIL: the Python object goes, too


cdef void program_let_go(Context* ctx, Program* program) noexcept nogil:
    leave_program(ctx, program)


cdef void programs_release(Context* ctx) noexcept nogil:
    cdef Program* before = ctx.current_program
    pipelines_release(ctx)
    ctx.current_program = ctx.program = ctx.uniform_program = NULL
    if before != NULL:
        leave_program(ctx, before)


cdef void AttachShader(Context* ctx, GLuint name, GLuint shader_name) noexcept:
    cdef Program* program = program_of(ctx, name)
    cdef Shader* shader = shader_of(ctx, shader_name) if program != NULL else NULL
    if shader == NULL:
        return
    try:
        (<object>program.object).attach(shader_name, <object>shader.object)
        shader.refs += 1
    except GLError as error:
        set_error(ctx, error.code)


cdef void DetachShader(Context* ctx, GLuint name, GLuint shader_name) noexcept:
    cdef Program* program = program_of(ctx, name)
    cdef Shader* shader = shader_of(ctx, shader_name) if program != NULL else NULL
    if shader == NULL:
        return
    try:
        (<object>program.object).detach(shader_name)
        shader_release(ctx, shader)
    except GLError as error:
        set_error(ctx, error.code)


cdef void GetAttachedShaders(Context* ctx, GLuint name, GLsizei size, GLsizei* count, GLuint* shaders) noexcept:
    cdef Program* program = program_of(ctx, name)
    cdef GLsizei n = 0
    if program == NULL:
        return
    if size < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for shader_name, _ in (<object>program.object).shaders[:size]:
        shaders[n] = shader_name
        n += 1
    if count != NULL:
        count[0] = n


# -------------------------------------------------------------------------------------------------------- linking

cdef void LinkProgram(Context* ctx, GLuint name) noexcept:
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return
    if program.captures:                            # active transform feedback, paused or not, of any context
        set_error(ctx, GL_INVALID_OPERATION)
        return
    linked = (<object>program.object).link(resource_limits(ctx))
    program.linked = linked is not None
    if linked is None:
        return                                      # what is in use stays in use
    track_delete_program(ctx, program)
    drop_executable(program)
    program.separable = (<object>program.object).separable
    ctx.group.link_serials += 1
    program.link_serial = ctx.group.link_serials
    if not fill_executable(program, linked):
        program.linked = 0
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    program.link_generation += 1
    touch_group(ctx)
    ctx.dirty |= DIRTY_PROGRAM


cdef dict resource_limits(Context* ctx):
    """Most blocks and images of a stage and of a program on this driver: shaders/numbering.py checks them."""
    cdef pipe_Caps* caps = &ctx.session.caps
    return {"storage": ([caps.max_vertex_shader_storage_blocks, caps.max_tess_control_shader_storage_blocks,
                         caps.max_tess_evaluation_shader_storage_blocks, caps.max_geometry_shader_storage_blocks,
                         caps.max_fragment_shader_storage_blocks, caps.max_compute_shader_storage_blocks],
                        caps.max_combined_shader_storage_blocks),
            "images": ([caps.max_vertex_image_uniforms, caps.max_tess_control_image_uniforms,
                        caps.max_tess_evaluation_image_uniforms, caps.max_geometry_image_uniforms,
                        caps.max_fragment_image_uniforms, caps.max_compute_image_uniforms],
                       caps.max_combined_image_uniforms),
            "counters": ([caps.max_vertex_atomic_counter_buffers, caps.max_tess_control_atomic_counter_buffers,
                          caps.max_tess_evaluation_atomic_counter_buffers, caps.max_geometry_atomic_counter_buffers,
                          caps.max_fragment_atomic_counter_buffers, caps.max_compute_atomic_counter_buffers],
                         caps.max_combined_atomic_counter_buffers),
            "group": ([caps.max_compute_work_group_size[0], caps.max_compute_work_group_size[1],
                       caps.max_compute_work_group_size[2]], caps.max_compute_work_group_invocations)}


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


def draw_modes_of(linked) -> int:
    """Primitive modes that a draw with this program may have, a bit each (specification 11.2.3 and 11.3.1)."""
    modes = GEOMETRY_MODES.get(linked.geometry_input, ANY_MODE) if GEOMETRY in linked.spirv else ANY_MODE
    if TESS_EVALUATION not in linked.spirv:
        return modes
    made = GL_POINTS if linked.tess_points else GL_LINES if linked.tess_mode == GL_ISOLINES else GL_TRIANGLES
    return 1 << GL_PATCHES if modes >> made & 1 else 0


cdef uint32_t output_primitive_of(object linked) except *:
    """What transform feedback gets, as Program.output_primitive has it."""
    if GEOMETRY in linked.spirv:
        return {GL_POINTS: GL_POINTS, GL_LINE_STRIP: GL_LINES}.get(linked.geometry_output, GL_TRIANGLES) + 1
    if TESS_EVALUATION in linked.spirv:
        return (GL_POINTS if linked.tess_points else GL_LINES if linked.tess_mode == GL_ISOLINES else GL_TRIANGLES) + 1
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


cdef void ValidateProgram(Context* ctx, GLuint name) noexcept:
    cdef Program* program = program_of(ctx, name)
    if program != NULL:
        (<object>program.object).validate()


# -------------------------------------------------------------------------------------------------- introspection

cdef void GetProgramiv(Context* ctx, GLuint name, GLenum pname, GLint* params) noexcept:
    cdef Program* program = program_of(ctx, name)
    cdef int i
    if program == NULL:
        return
    if pname == GL_COMPUTE_WORK_GROUP_SIZE:
        if not program.linked or not program.stage_mask & COMPUTE_STAGE:
            set_error(ctx, GL_INVALID_OPERATION)
        else:
            for i in range(3):
                params[i] = <GLint>program.local_size[i]
        return
    try:
        params[0] = (<object>program.object).parameter(pname, program.deleted != 0)
    except GLError as error:
        set_error(ctx, error.code)


cdef void GetProgramInfoLog(Context* ctx, GLuint name, GLsizei size, GLsizei* length, GLchar* log) noexcept:
    cdef Program* program = program_of(ctx, name)
    if program != NULL:
        put_text(ctx, (<object>program.object).log, size, length, log)


cdef object asked(Context* ctx, GLuint name, str method, tuple arguments):
    """The program object's answer, or None after the error it raised."""
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return None
    try:
        return getattr(<object>program.object, method)(*arguments)
    except GLError as error:
        set_error(ctx, error.code)
        return None


cdef str text_of(const GLchar* name):
    return (<bytes><const char*>name).decode("utf-8", "replace")


cdef void BindAttribLocation(Context* ctx, GLuint program, GLuint index, const GLchar* name) noexcept:
    asked(ctx, program, "bind_attribute", (index, text_of(name)))


cdef void BindFragDataLocation(Context* ctx, GLuint program, GLuint color, const GLchar* name) noexcept:
    asked(ctx, program, "bind_fragment", (color, 0, text_of(name)))


cdef void BindFragDataLocationIndexed(Context* ctx, GLuint program, GLuint color, GLuint index, const GLchar* name) noexcept:
    asked(ctx, program, "bind_fragment", (color, index, text_of(name)))


cdef GLint GetFragDataLocation(Context* ctx, GLuint program, const GLchar* name) noexcept:
    answer = asked(ctx, program, "fragment_location", (text_of(name),))
    return -1 if answer is None else answer


cdef GLint GetFragDataIndex(Context* ctx, GLuint program, const GLchar* name) noexcept:
    answer = asked(ctx, program, "fragment_location", (text_of(name), True))
    return -1 if answer is None else answer


cdef GLint GetAttribLocation(Context* ctx, GLuint program, const GLchar* name) noexcept:
    answer = asked(ctx, program, "attribute_location", (text_of(name),))
    return -1 if answer is None else answer


cdef GLint GetUniformLocation(Context* ctx, GLuint program, const GLchar* name) noexcept:
    answer = asked(ctx, program, "uniform_location", (text_of(name),))
    return -1 if answer is None else answer


cdef void put_variable(Context* ctx, object name, object size, object gl_type, GLsizei capacity, GLsizei* length, GLint* count,
                       GLenum* type, GLchar* target) noexcept:
    put_text(ctx, name.encode(), capacity, length, target)
    if count != NULL:
        count[0] = max(size, 1)
    if type != NULL:
        type[0] = gl_type


cdef void GetActiveAttrib(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLint* count, GLenum* type, GLchar* name) noexcept:
    found = asked(ctx, program, "attribute", (index,))
    if found is not None:
        put_variable(ctx, found.name, found.size, found.gl_type, size, length, count, type, name)


cdef void GetActiveUniform(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLint* count, GLenum* type, GLchar* name) noexcept:
    found = asked(ctx, program, "uniform", (index,))
    if found is not None:
        put_variable(ctx, found.name, found.size, found.gl_type, size, length, count, type, name)


cdef void GetActiveUniformName(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLchar* name) noexcept:
    found = asked(ctx, program, "uniform", (index,))
    if found is not None:
        put_text(ctx, found.name.encode(), size, length, name)


cdef void GetActiveUniformsiv(Context* ctx, GLuint program, GLsizei count, const GLuint* indices, GLenum pname, GLint* params) noexcept:
    cdef GLsizei i
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    answers = []
    for i in range(count):
        answer = asked(ctx, program, "uniform_parameter", (indices[i], pname))
        if answer is None:
            return                                  # nothing is written after an error
        answers.append(answer)
    for i in range(count):
        params[i] = answers[i]


cdef void GetUniformIndices(Context* ctx, GLuint program, GLsizei count, const GLchar* const* names, GLuint* indices) noexcept:
    cdef GLsizei i
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(count):
        answer = asked(ctx, program, "uniform_index", (text_of(names[i]),))
        if answer is None:
            return
        indices[i] = answer


cdef GLuint GetUniformBlockIndex(Context* ctx, GLuint program, const GLchar* name) noexcept:
    answer = asked(ctx, program, "block_index", (text_of(name),))
    return GL_INVALID_INDEX if answer is None else answer


cdef void GetActiveUniformBlockiv(Context* ctx, GLuint program, GLuint index, GLenum pname, GLint* params) noexcept:
    cdef GLsizei i = 0
    for value in asked(ctx, program, "block_parameter", (index, pname)) or ():
        params[i] = value
        i += 1


cdef void GetActiveUniformBlockName(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLchar* name) noexcept:
    found = asked(ctx, program, "block", (index,))
    if found is not None:
        put_text(ctx, found.name.encode(), size, length, name)


cdef void UniformBlockBinding(Context* ctx, GLuint name, GLuint index, GLuint binding) noexcept nogil:
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return
    if index >= program.block_count or binding >= UNIFORM_BINDINGS:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if program.blocks[index].binding == binding:
        return
    program.blocks[index].binding = binding         # touch_group tells pipelines, which have copies
    remember_binding(program, index, binding)
    ctx.dirty |= DIRTY_UNIFORM_BUFFERS
    touch_group(ctx)


cdef void remember_binding(Program* program, GLuint index, GLuint binding) noexcept with gil:
    (<object>program.object).bindings[index] = binding


cdef void TransformFeedbackVaryings(Context* ctx, GLuint program, GLsizei count, const GLchar* const* names, GLenum mode) noexcept:
    cdef GLsizei i
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    request = Request(tuple([text_of(names[i]) for i in range(count)]), mode,
                      ctx.session.caps.max_transform_feedback_interleaved_components,
                      ctx.session.caps.max_transform_feedback_separate_components,
                      ctx.session.caps.max_transform_feedback_separate_attribs)
    asked(ctx, program, "set_feedback", (request, ctx.version >= 40))


cdef void GetTransformFeedbackVarying(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLsizei* count, GLenum* type, GLchar* name) noexcept:
    found = asked(ctx, program, "feedback_varying", (index,))
    if found is not None:
        put_variable(ctx, found[0], found[1], found[2], size, length, <GLint*>count, type, name)
