# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Program pipelines. A draw uses one program: here it is made of the bound pipeline's stages (shaders/pipelines.py).

Such a *combined* program has no name. Its values are copies of those of its stages' programs, brought up to date before
a draw whenever anything changed: whatever sets a value of a separable program raises the group's generation. A pipeline
keeps the combined programs it was used with, and finds them by the links that its stages come from.
"""

from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from glenum cimport *
from mgpipe.front.context cimport (DIRTY_IMAGES, DIRTY_PROGRAM, DIRTY_STORAGE, DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS, STAGES, Context, GLbitfield,
                                   GLboolean, GLchar, GLenum, GLint, GLsizei, GLuint, Pipeline, Program, name_get,
                                   name_make, name_remove, names_generate, set_error)
from mgpipe.front.executables cimport drop_executable, fill_executable
from mgpipe.front.programs cimport (AttachShader, CompileShader, CreateProgram, CreateShader, DeleteShader, DetachShader,
                                    LinkProgram, ProgramParameteri, ShaderSource, leave_program, program_of, put_text)
from mgpipe.front.uniforms cimport widen

from mgpipe.front.program_objects import SHADER_TYPES
from mgpipe.shaders import pipelines as shader_pipelines
from mgpipe.shaders.numbering import LinkError
from mgpipe.shaders.reflection import GL_STAGES

cdef enum:
    MOST_COMBINED = 32              # sets of stages that one pipeline keeps a program for
    UNIFORM_BLOCKS = 0              # descriptor sets, as shaders/reflection.py numbers them
    SAMPLERS = 1
    STORAGE_BLOCKS = 2
    IMAGES = 3
    COMPUTE = 5                     # stage

STAGE_BITS = (GL_VERTEX_SHADER_BIT, GL_TESS_CONTROL_SHADER_BIT, GL_TESS_EVALUATION_SHADER_BIT, GL_GEOMETRY_SHADER_BIT,
              GL_FRAGMENT_SHADER_BIT, GL_COMPUTE_SHADER_BIT)


# ------------------------------------------------------------------------------------------------------------- names

cdef void GenProgramPipelines(Context* ctx, GLsizei n, GLuint* pipelines) noexcept nogil:
    names_generate(ctx, &ctx.pipelines, n, pipelines)


cdef Pipeline* pipeline_of(Context* ctx, GLuint name) noexcept nogil:
    """The object of a generated name, made when first asked for; NULL after the error."""
    cdef Pipeline* pipeline = <Pipeline*>name_get(&ctx.pipelines, name)
    if pipeline == NULL:
        pipeline = <Pipeline*>name_make(ctx, &ctx.pipelines, name, sizeof(Pipeline))
        if pipeline != NULL:
            pipeline.name = name
    return pipeline


cdef GLboolean IsProgramPipeline(Context* ctx, GLuint pipeline) noexcept nogil:
    return pipeline != 0 and name_get(&ctx.pipelines, pipeline) != NULL


cdef void DeleteProgramPipelines(Context* ctx, GLsizei n, const GLuint* pipelines) noexcept:
    cdef Pipeline* pipeline
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        pipeline = <Pipeline*>name_remove(&ctx.pipelines, pipelines[i]) if pipelines[i] else NULL
        if pipeline == NULL:
            continue
        if ctx.program_pipeline == pipeline:
            ctx.program_pipeline = NULL
            choose_programs(ctx)
        pipeline_free(ctx, pipeline)


cdef void pipeline_free(Context* ctx, Pipeline* pipeline) noexcept nogil:
    cdef uint32_t stage
    cdef Program* program
    while pipeline.combined != NULL:
        program = pipeline.combined
        pipeline.combined = program.next_combined
        combined_free(ctx, program)
    for stage in range(STAGES):
        hold(ctx, &pipeline.stages[stage], NULL)
    hold(ctx, &pipeline.active, NULL)
    if pipeline.log != NULL:
        with gil:
            Py_DECREF(<object>pipeline.log)
    free(pipeline)


cdef void combined_free(Context* ctx, Program* program) noexcept nogil:
    if ctx.program == program:
        ctx.program = NULL
        ctx.dirty |= DIRTY_PROGRAM
    leave_program(ctx, program)             # transform feedback may still capture with it


cdef void pipelines_release(Context* ctx) noexcept nogil:
    cdef uint32_t i
    cdef Pipeline* pipeline
    ctx.program_pipeline = NULL
    for i in range(ctx.pipelines.capacity):
        pipeline = <Pipeline*>name_get(&ctx.pipelines, i)
        if pipeline != NULL:
            name_remove(&ctx.pipelines, i)
            pipeline_free(ctx, pipeline)


cdef void hold(Context* ctx, Program** place, Program* program) noexcept nogil:
    cdef Program* before = place[0]
    if program != NULL:
        program.refs += 1
    place[0] = program
    if before != NULL:
        leave_program(ctx, before)


# ---------------------------------------------------------------------------------------------------------- bindings

cdef void choose_programs(Context* ctx) noexcept nogil:
    ctx.dirty |= DIRTY_PROGRAM
    if ctx.current_program != NULL:
        ctx.program = ctx.uniform_program = ctx.current_program
        return
    ctx.program = NULL                      # until a draw asks for it
    ctx.uniform_program = ctx.program_pipeline.active if ctx.program_pipeline != NULL else NULL


cdef void BindProgramPipeline(Context* ctx, GLuint name) noexcept nogil:
    cdef Pipeline* pipeline = NULL
    if ctx.capture:                         # transform feedback is active and not paused
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if name:
        pipeline = pipeline_of(ctx, name)
        if pipeline == NULL:
            return
    ctx.program_pipeline = pipeline
    choose_programs(ctx)


cdef void UseProgramStages(Context* ctx, GLuint name, GLbitfield stages, GLuint program_name) noexcept:
    cdef Pipeline* pipeline
    cdef Program* program = NULL
    cdef uint32_t stage
    allowed = sum(STAGE_BITS[stage] for type, stage in GL_STAGES.items() if ctx.version >= SHADER_TYPES.get(type, 99))
    if stages != GL_ALL_SHADER_BITS and stages & ~allowed:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if program_name:
        program = program_of(ctx, program_name)
        if program == NULL:
            return
        if not program.linked or not program.separable:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    pipeline = pipeline_of(ctx, name)
    if pipeline == NULL:
        return
    if ctx.capture and ctx.program_pipeline == pipeline and ctx.current_program == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    for stage in range(STAGES):
        if stages & STAGE_BITS[stage]:
            hold(ctx, &pipeline.stages[stage], program if program != NULL and program.stage_mask >> stage & 1 else NULL)
    pipeline.validated = 0
    if ctx.program_pipeline == pipeline:
        choose_programs(ctx)


cdef void ActiveShaderProgram(Context* ctx, GLuint name, GLuint program_name) noexcept:
    cdef Program* program = NULL
    cdef Pipeline* pipeline
    if program_name:
        program = program_of(ctx, program_name)
        if program == NULL:
            return
        if not program.linked:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    pipeline = pipeline_of(ctx, name)
    if pipeline == NULL:
        return
    hold(ctx, &pipeline.active, program)
    if ctx.program_pipeline == pipeline:
        choose_programs(ctx)


cdef GLuint CreateShaderProgramv(Context* ctx, GLenum type, GLsizei count, const GLchar* const* strings) noexcept:
    """As the specification spells it out in section 7.3: a program of one shader, linked to be separable."""
    cdef GLuint shader, program
    cdef Program* made
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return 0
    shader = CreateShader(ctx, type)
    if shader == 0:
        return 0
    ShaderSource(ctx, shader, count, strings, NULL)
    CompileShader(ctx, shader)
    program = CreateProgram(ctx)
    made = program_of(ctx, program) if program else NULL
    if made != NULL:
        ProgramParameteri(ctx, program, GL_PROGRAM_SEPARABLE, 1)
        AttachShader(ctx, program, shader)
        (<object>made.object).link_alone = True
        LinkProgram(ctx, program)
        (<object>made.object).link_alone = False
        DetachShader(ctx, program, shader)
    DeleteShader(ctx, shader)
    return program


# ------------------------------------------------------------------------------------------------- combined programs

cdef bint has_code(Program* program, uint32_t stage) noexcept nogil:
    return program != NULL and program.stage_mask >> stage & 1


cdef Program* find_combined(Pipeline* pipeline, const uint64_t* links) noexcept nogil:
    """The one made of these links, moved to the front."""
    cdef Program** place = &pipeline.combined
    cdef Program* found
    while place[0] != NULL:
        found = place[0]
        if memcmp(found.source_links, links, sizeof(found.source_links)) == 0:
            place[0] = found.next_combined
            found.next_combined = pipeline.combined
            pipeline.combined = found
            return found
        place = &found.next_combined
    return NULL


cdef void drop_oldest(Context* ctx, Pipeline* pipeline) noexcept nogil:
    cdef Program** place = &pipeline.combined
    cdef Program* oldest
    cdef uint32_t count = 0
    while place[0] != NULL and count < MOST_COMBINED - 1:
        place = &place[0].next_combined
        count += 1
    while place[0] != NULL:
        oldest = place[0]
        place[0] = oldest.next_combined
        combined_free(ctx, oldest)


cdef bint pipeline_resolve(Context* ctx) noexcept nogil:
    cdef Pipeline* pipeline = ctx.program_pipeline
    cdef Program* program
    cdef uint64_t[STAGES] links
    cdef uint32_t stage
    if ctx.current_program != NULL or pipeline == NULL:
        return True
    memset(links, 0, sizeof(links))
    for stage in range(STAGES - 1):                     # a compute program is used alone
        if has_code(pipeline.stages[stage], stage):
            links[stage] = pipeline.stages[stage].link_serial
    program = find_combined(pipeline, links)
    if program == NULL:
        drop_oldest(ctx, pipeline)
        with gil:
            program = build(pipeline)
        if program == NULL:
            ctx.program = NULL
            return False
        for stage in range(STAGES):
            program.source_links[stage] = links[stage]
        program.next_combined = pipeline.combined
        pipeline.combined = program
    if ctx.program != program:
        ctx.program = program
        ctx.dirty |= DIRTY_PROGRAM
    copy_values(ctx, pipeline, program)
    return True


cdef void pipeline_choose_compute(Context* ctx) noexcept nogil:
    cdef Program* program = NULL
    if ctx.current_program != NULL:
        return
    if ctx.program_pipeline != NULL and has_code(ctx.program_pipeline.stages[COMPUTE], COMPUTE):
        program = ctx.program_pipeline.stages[COMPUTE]
    if ctx.program != program:
        ctx.program = program
        ctx.dirty |= DIRTY_PROGRAM


cdef Program* build(Pipeline* pipeline) noexcept:
    """NULL: the stages do not fit; the pipeline's log says why."""
    cdef Program* program = NULL
    try:
        linked, offsets = combined_of(pipeline)
        program = <Program*>calloc(1, sizeof(Program))
        if program == NULL or not fill_executable(program, linked):
            raise MemoryError
        program.linked = program.is_combined = program.refs = 1
        for stage, offset in offsets.items():
            for number, moved in offset.items():
                program.offsets[4 * <uint32_t>stage + <uint32_t>number] = moved
        return program
    except (LinkError, MemoryError) as error:
        if program != NULL:
            drop_executable(program)
            free(program)
        say(pipeline, f"{error}\n" if str(error) else "error: out of memory\n")
        return NULL


cdef object combined_of(Pipeline* pipeline):
    """The linked stages, and by stage how far the bindings of its program moved."""
    cdef uint32_t stage
    parts, index_of, owner = [], {}, {}
    for stage in range(STAGES - 1):
        if not has_code(pipeline.stages[stage], stage):
            continue
        key = <size_t>pipeline.stages[stage]
        if key not in index_of:
            index_of[key] = len(parts)
            parts.append(((<object>pipeline.stages[stage].object).installed, []))
        owner[stage] = index_of[key]
        parts[owner[stage]][1].append(stage)
    linked, offsets = shader_pipelines.combine(parts)
    return linked, {stage: offsets[index] for stage, index in owner.items()}


cdef void copy_values(Context* ctx, Pipeline* pipeline, Program* program) noexcept nogil:
    """Loose uniforms, texture units and block bindings, as the stages' programs have them now."""
    cdef Program* source
    cdef uint32_t stage, i, word
    cdef uint32_t* have
    cdef const uint32_t* want
    for stage in range(STAGES - 1):
        source = pipeline.stages[stage]
        if not has_code(source, stage):
            continue
        have = <uint32_t*>program.constants[stage]
        want = <const uint32_t*>source.constants[stage]
        if program.constants_size[stage] and memcmp(have, want, program.constants_size[stage]) != 0:
            for word in range(program.constants_size[stage] // 4):
                if have[word] != want[word]:
                    have[word] = want[word]
                    widen(program, stage, 4 * word, 4 * word + 4)
        copy_resources(ctx, source, program, &program.offsets[4 * stage])


cdef void copy_resources(Context* ctx, Program* source, Program* program, const uint32_t* offsets) noexcept nogil:
    """Units and bindings. `offsets`: by descriptor set, where the source's begin in the combined program."""
    cdef uint32_t i, j
    for i in range(source.slot_count):
        if program.slots[offsets[SAMPLERS] + i].unit != source.slots[i].unit:
            program.slots[offsets[SAMPLERS] + i].unit = source.slots[i].unit
            ctx.dirty |= DIRTY_TEXTURES
    for i in range(source.image_count):
        if program.images[offsets[IMAGES] + i].unit != source.images[i].unit:
            program.images[offsets[IMAGES] + i].unit = source.images[i].unit
            ctx.dirty |= DIRTY_IMAGES
    for i in range(source.block_count):
        for j in range(program.block_count):
            if (program.blocks[j].slot == source.blocks[i].slot + offsets[UNIFORM_BLOCKS]
                    and program.blocks[j].binding != source.blocks[i].binding):
                program.blocks[j].binding = source.blocks[i].binding
                ctx.dirty |= DIRTY_UNIFORM_BUFFERS
    for i in range(source.storage_count):
        for j in range(program.storage_count):
            if (program.storage[j].slot == source.storage[i].slot + offsets[STORAGE_BLOCKS]
                    and program.storage[j].binding != source.storage[i].binding):
                program.storage[j].binding = source.storage[i].binding
                ctx.dirty |= DIRTY_STORAGE


# ------------------------------------------------------------------------------------------------------ introspection

cdef void say(Pipeline* pipeline, str text):
    log = text.encode()
    Py_INCREF(log)
    if pipeline.log != NULL:
        Py_DECREF(<object>pipeline.log)
    pipeline.log = <void*>log


cdef inline GLint name_of(Program* program) noexcept:
    return <GLint>program.name if program != NULL else 0


cdef void GetProgramPipelineiv(Context* ctx, GLuint name, GLenum pname, GLint* params) noexcept:
    cdef Pipeline* pipeline = pipeline_of(ctx, name)
    if pipeline == NULL:
        return
    if pname == GL_ACTIVE_PROGRAM:
        params[0] = name_of(pipeline.active)
    elif ctx.version >= SHADER_TYPES.get(pname, 99):
        params[0] = name_of(pipeline.stages[<uint32_t>GL_STAGES[pname]])
    elif pname == GL_VALIDATE_STATUS:
        params[0] = pipeline.validated
    elif pname == GL_INFO_LOG_LENGTH:
        params[0] = len(<object>pipeline.log) + 1 if pipeline.log != NULL and <object>pipeline.log else 0
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetProgramPipelineInfoLog(Context* ctx, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* infoLog) noexcept:
    cdef Pipeline* pipeline = pipeline_of(ctx, name)
    if pipeline != NULL:
        put_text(ctx, <object>pipeline.log if pipeline.log != NULL else b"", bufSize, length, infoLog)


cdef void ValidateProgramPipeline(Context* ctx, GLuint name) noexcept:
    cdef Pipeline* pipeline = pipeline_of(ctx, name)
    cdef uint32_t stage
    if pipeline == NULL:
        return
    pipeline.validated = 0
    if has_code(pipeline.stages[5], 5) and not any([has_code(pipeline.stages[stage], stage) for stage in range(5)]):
        pipeline.validated = 1
        say(pipeline, "")
        return
    try:
        combined_of(pipeline)
        pipeline.validated = 1
        say(pipeline, "")
    except LinkError as error:
        say(pipeline, f"{error}\n")
