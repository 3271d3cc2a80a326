# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Shaders and programs (OpenGL 4.6 sections 7.1 to 7.6): the C side of program_objects.py.

A Program struct is what draws and glUniform look at; its `object` is the Python object that answers everything else.
"""

from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from pipe cimport PIPE_FEATURE_COMPUTE, pipe_Caps
from glenum cimport *
from mgpipe.front.context cimport (DIRTY_PROGRAM, DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS, UNIFORM_BINDINGS,
                                   Context, GLboolean, GLchar, GLenum, GLint, GLsizei, GLuint, Program, Shader,
                                   ShareGroup, name_generate, name_get, name_put, name_remove, set_error, touch_group)
from mgpipe.front.executables cimport drop_executable, fill_executable
from mgpipe.front.pipelines cimport choose_programs, pipelines_release
from mgpipe.front.subroutines cimport subroutines_reset
from mgpipe.tracker.validate cimport track_delete_program

from mgpipe.front.program_objects import SHADER_TYPES, GLError, ProgramObject, ShaderObject
from mgpipe.shaders.feedback import Request

cdef enum:
    COMPUTE_STAGE = 1 << 5      # in Program.stage_mask

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
    if name == 0:
        free(item)
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    name_put(&ctx.group.shaders_programs, name, item)
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


cdef void shader_release(Context* ctx, Shader* shader) noexcept with gil:
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
