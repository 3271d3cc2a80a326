# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Subroutine uniforms: numbers in the stages' constants (shaders/subroutines.py), which glUseProgram resets.

The numbers are kept with the program. OpenGL keeps them with the context: two contexts that draw with one program at the
same time see each other's choice.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc

from glenum cimport *
from mgpipe.front.context cimport (Context, GLchar, GLenum, GLint, GLsizei, GLuint, Program, SubroutineSlot, set_error,
                                   touch_group)
from mgpipe.front.programs cimport program_of, put_text, stage_program
from mgpipe.front.uniforms cimport widen

from mgpipe.shaders.reflection import GL_STAGES, Subroutines


cdef bint subroutines_fill(Program* program, object linked) except? False:
    cdef uint32_t n = 0
    cdef SubroutineSlot* slot
    total = sum(uniform.size for stage in linked.subroutines.values() for uniform in stage.uniforms)
    program.subroutines = <SubroutineSlot*>calloc(total + 1, sizeof(SubroutineSlot))
    if program.subroutines == NULL:
        return False
    for stage, found in linked.subroutines.items():
        for uniform in found.uniforms:
            for element in range(uniform.size):
                slot = &program.subroutines[n]
                slot.stage = stage
                slot.location = uniform.location + element
                slot.offset = uniform.offset + element * uniform.array_stride
                slot.first = uniform.compatible[0]
                n += 1
    program.subroutine_count = n
    subroutines_reset(program)
    return True


cdef void choose(Program* program, SubroutineSlot* slot, uint32_t function) noexcept nogil:
    cdef uint32_t* number = <uint32_t*>(program.constants[slot.stage] + slot.offset)
    if number[0] != function:
        number[0] = function
        widen(program, slot.stage, slot.offset, slot.offset + 4)


cdef void subroutines_reset(Program* program) noexcept nogil:
    cdef uint32_t i
    for i in range(program.subroutine_count):
        choose(program, &program.subroutines[i], program.subroutines[i].first)


# ------------------------------------------------------------------------------------------------------ introspection

cdef object stage_of(Context* ctx, GLuint name, GLenum shadertype):
    """The subroutines of one stage of a linked program; None after the error."""
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return None
    if shadertype not in GL_STAGES:
        set_error(ctx, GL_INVALID_ENUM)
        return None
    if (<object>program.object).linked is None:
        set_error(ctx, GL_INVALID_OPERATION)
        return None
    return (<object>program.object).linked.subroutines.get(GL_STAGES[shadertype], NO_SUBROUTINES)


NO_SUBROUTINES = Subroutines()


cdef object listed(Context* ctx, object items, GLuint index):
    if index < len(items):
        return items[index]
    set_error(ctx, GL_INVALID_VALUE)
    return None


cdef GLint GetSubroutineUniformLocation(Context* ctx, GLuint program, GLenum shadertype, const GLchar* name) noexcept:
    stage = stage_of(ctx, program, shadertype)
    return -1 if stage is None else stage.location_of((<bytes><const char*>name).decode("utf-8", "replace"))


cdef GLuint GetSubroutineIndex(Context* ctx, GLuint program, GLenum shadertype, const GLchar* name) noexcept:
    stage = stage_of(ctx, program, shadertype)
    if stage is None:
        return GL_INVALID_INDEX
    number = dict(stage.functions).get((<bytes><const char*>name).decode("utf-8", "replace"))
    return GL_INVALID_INDEX if number is None else number


cdef void GetActiveSubroutineUniformiv(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLenum pname, GLint* values) noexcept:
    cdef uint32_t i
    stage = stage_of(ctx, program, shadertype)
    uniform = None if stage is None else listed(ctx, stage.uniforms, index)
    if uniform is None:
        return
    if pname == GL_NUM_COMPATIBLE_SUBROUTINES:
        values[0] = len(uniform.compatible)
    elif pname == GL_COMPATIBLE_SUBROUTINES:
        for i, function in enumerate(uniform.compatible):
            values[i] = function
    elif pname == GL_UNIFORM_SIZE:
        values[0] = uniform.size
    elif pname == GL_UNIFORM_NAME_LENGTH:
        values[0] = len(uniform.name) + 1
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetActiveSubroutineUniformName(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLsizei bufsize, GLsizei* length, GLchar* name) noexcept:
    stage = stage_of(ctx, program, shadertype)
    uniform = None if stage is None else listed(ctx, stage.uniforms, index)
    if uniform is not None:
        put_text(ctx, uniform.name.encode(), bufsize, length, name)


cdef void GetActiveSubroutineName(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLsizei bufsize, GLsizei* length, GLchar* name) noexcept:
    stage = stage_of(ctx, program, shadertype)
    if stage is None:
        return
    for function, number in stage.functions:
        if number == index:
            put_text(ctx, function.encode(), bufsize, length, name)
            return
    set_error(ctx, GL_INVALID_VALUE)


cdef void GetProgramStageiv(Context* ctx, GLuint program, GLenum shadertype, GLenum pname, GLint* values) noexcept:
    stage = stage_of(ctx, program, shadertype)
    if stage is None:
        return
    if pname == GL_ACTIVE_SUBROUTINES:
        values[0] = stage.function_numbers
    elif pname == GL_ACTIVE_SUBROUTINE_UNIFORMS:
        values[0] = len(stage.uniforms)
    elif pname == GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS:
        values[0] = stage.locations
    elif pname == GL_ACTIVE_SUBROUTINE_MAX_LENGTH:
        values[0] = max((len(name) + 1 for name, _ in stage.functions), default=0)
    elif pname == GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH:
        values[0] = max((len(uniform.name) + 1 for uniform in stage.uniforms), default=0)
    else:
        set_error(ctx, GL_INVALID_ENUM)


# ------------------------------------------------------------------------------------------------------------- choice

cdef Program* current_stage(Context* ctx, GLenum shadertype) noexcept:
    """The program that this stage belongs to now; NULL after the error."""
    cdef Program* program
    if shadertype not in GL_STAGES:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    program = stage_program(ctx, GL_STAGES[shadertype])
    if program == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    return program


cdef void UniformSubroutinesuiv(Context* ctx, GLenum shadertype, GLsizei count, const GLuint* indices) noexcept:
    cdef Program* program = current_stage(ctx, shadertype)
    cdef SubroutineSlot* slot
    cdef uint32_t i
    if program == NULL:
        return
    stage_index = GL_STAGES[shadertype]
    stage = (<object>program.object).executable().subroutines.get(stage_index, NO_SUBROUTINES)
    if count != stage.locations or any(indices[i] >= stage.function_numbers for i in range(count)):
        set_error(ctx, GL_INVALID_VALUE)
        return
    for uniform in stage.uniforms:
        for location in range(uniform.location, uniform.location + uniform.size):
            if indices[location] not in uniform.compatible:
                set_error(ctx, GL_INVALID_OPERATION)
                return
    for i in range(program.subroutine_count):
        slot = &program.subroutines[i]
        if slot.stage == stage_index:
            choose(program, slot, indices[slot.location])
    if program.separable:
        touch_group(ctx)                    # pipelines have copies of its constants


cdef void GetUniformSubroutineuiv(Context* ctx, GLenum shadertype, GLint location, GLuint* params) noexcept:
    cdef Program* program = current_stage(ctx, shadertype)
    cdef uint32_t i
    cdef SubroutineSlot* slot
    if program == NULL:
        return
    stage_index = GL_STAGES[shadertype]
    for i in range(program.subroutine_count):
        slot = &program.subroutines[i]
        if slot.stage == stage_index and location == <GLint>slot.location:
            params[0] = (<uint32_t*>(program.constants[slot.stage] + slot.offset))[0]
            return
    set_error(ctx, GL_INVALID_VALUE)
