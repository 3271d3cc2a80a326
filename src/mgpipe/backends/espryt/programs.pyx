# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Programs: SPIR-V kept, built at first use, and the constants of their stages.

A stage's loose uniforms are one uniform block of its own, bound at the stage's number. Changed spans collect in a copy
here and go to the driver before the next draw that uses them: one glBufferSubData a stage, whatever was set in between.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.host cimport LOG_ERROR
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.shaders._spirv_cross cimport SPIRV_DESKTOP, SPIRV_ES, spirv_to_dialect

cdef enum:
    LARGEST_CONSTANTS = 1 << 16     # bytes: no driver promises a larger block, so linking refused more already
    LARGEST_CODE = 1 << 24          # bytes of one stage's SPIR-V


cdef void install_programs(BackEnd* table) noexcept nogil:
    table.create_shader_state = create_shader_state
    table.bind_shader_state = bind_shader_state
    table.delete_shader_state = delete_shader_state
    table.set_constants = set_constants


cdef void create_shader_state(void* self, const pipe_create_shader_state* p, void* cso, void* group,
                              uint8_t** stages_code_at) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Program* it = <Program*>cso
    cdef uint64_t size
    cdef uint32_t i
    it.serial = new_serial(es)
    it.group = (<ShareGroup*>group).serial
    for i in range(STAGES):
        size = p.stages[i].code.size
        if size == 0:
            continue
        if size % 4 != 0 or size > LARGEST_CODE or p.stages[i].constants_size > LARGEST_CONSTANTS:
            es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"create_shader_state.stages.code")
            return
        it.code[i] = <uint32_t*>malloc(size)
        it.constants[i].size = p.stages[i].constants_size
        if it.constants[i].size:
            it.constants[i].bytes = <uint8_t*>calloc(1, it.constants[i].size)
        if it.code[i] == NULL or (it.constants[i].size and it.constants[i].bytes == NULL):
            es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"create_shader_state")
            return
        memcpy(it.code[i], stages_code_at[i], size)
        it.words[i] = <uint32_t>(size // 4)
        it.stage_mask |= <uint32_t>1 << i
        if it.constants[i].size:
            it.constants[i].dirty_high = it.constants[i].size
            it.constants_dirty |= <uint32_t>1 << i


cdef void bind_shader_state(void* self, const pipe_bind_shader_state* p, void* cso) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        ctx.program = ref_to(cso)
        ctx.dirty |= DIRTY_PROGRAM


cdef void delete_shader_state(void* self, const pipe_delete_shader_state* p, void* cso) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Program* it = <Program*>cso
    cdef uint32_t i
    if it.name:
        gl_of(es).DeleteProgram(it.name)
    for i in range(STAGES):
        free(it.code[i])
        free(it.constants[i].bytes)
        if it.constants[i].buffer:
            gl_of(es).DeleteBuffers(1, &it.constants[i].buffer)


cdef void set_constants(void* self, const pipe_set_constants* p, void* shader, uint8_t* bytes_at) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Program* it = <Program*>shader
    cdef Constants* constants = &it.constants[p.stage]
    cdef uint32_t size = <uint32_t>p.bytes.size
    if p.bytes.size > constants.size or p.offset > constants.size - size:
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"set_constants")
        return
    if size == 0:
        return
    memcpy(constants.bytes + p.offset, bytes_at, size)
    if not it.constants_dirty >> p.stage & 1:
        constants.dirty_low = p.offset
        constants.dirty_high = p.offset + size
        it.constants_dirty |= <uint32_t>1 << p.stage
        return
    if p.offset < constants.dirty_low:
        constants.dirty_low = p.offset
    if p.offset + size > constants.dirty_high:
        constants.dirty_high = p.offset + size


# -- before a draw

cdef bint apply_program(Espryt* es, Context* ctx) noexcept nogil:
    cdef Program* program = <Program*>alive(&ctx.program)
    if program == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"program")
        return False
    if program.status == PROGRAM_NOT_BUILT:
        build(es, program)
    if program.status == PROGRAM_FAILED:
        es.host.unimplemented(es.host.self, b"draw_vbo", b"a program that the driver refuses (see the log)")
        return False
    if ctx.program_serial != program.serial:
        gl_of(es).UseProgram(program.name)
        ctx.program_serial = program.serial
    if program.constants_dirty:
        upload_constants(es, program)
    if ctx.dirty & DIRTY_PROGRAM:
        bind_constants(es, ctx, program)
        ctx.dirty &= ~<uint32_t>DIRTY_PROGRAM
    return True


cdef void upload_constants(Espryt* es, Program* program) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef Constants* constants
    cdef uint32_t i
    for i in range(STAGES):
        if not program.constants_dirty >> i & 1:
            continue
        constants = &program.constants[i]
        if constants.buffer == 0:
            gl.GenBuffers(1, &constants.buffer)
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, constants.buffer)
            gl.BufferData(GL_COPY_WRITE_BUFFER, constants.size, constants.bytes, GL_DYNAMIC_DRAW)
        else:
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, constants.buffer)
            gl.BufferSubData(GL_COPY_WRITE_BUFFER, constants.dirty_low, constants.dirty_high - constants.dirty_low,
                             constants.bytes + constants.dirty_low)
    program.constants_dirty = 0


cdef void bind_constants(Espryt* es, Context* ctx, Program* program) noexcept nogil:
    cdef uint32_t i
    for i in range(STAGES):
        if program.constants[i].buffer != 0 and ctx.blocks[i].serial != program.serial:
            gl_of(es).BindBufferBase(GL_UNIFORM_BUFFER, i, program.constants[i].buffer)
            ctx.blocks[i].serial = program.serial


# -- building

cdef void build(Espryt* es, Program* program) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLuint shader
    cdef GLint linked = 0
    cdef uint32_t i
    program.status = PROGRAM_FAILED
    program.name = gl.CreateProgram()
    for i in range(STAGES):
        if program.stage_mask >> i & 1:
            shader = compile_stage(es, program, i)
            if shader == 0:
                return
            gl.AttachShader(program.name, shader)
            gl.DeleteShader(shader)     # lives as long as it is attached
    gl.LinkProgram(program.name)
    gl.GetProgramiv(program.name, GL_LINK_STATUS, &linked)
    if not linked:
        complain(es, program.name, -1, NULL)
        return
    program.status = PROGRAM_BUILT


cdef GLuint compile_stage(Espryt* es, Program* program, uint32_t stage) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum* kinds = [GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                          GL_FRAGMENT_SHADER, GL_COMPUTE_SHADER]
    cdef bint gl_dialect = es.driver.dialect == DIALECT_GL
    cdef char* text = NULL
    cdef char message[512]
    cdef GLuint shader = 0
    cdef GLint compiled = 0
    if not spirv_to_dialect(program.code[stage], program.words[stage], <int>stage,
                            SPIRV_DESKTOP if gl_dialect else SPIRV_ES, glsl_version(es), NULL, &text):
        snprintf(message, sizeof(message), "stage %u of a program has no form for this driver: %s", stage,
                 text if text != NULL else <char*>b"out of memory")
        es.host.log(es.host.self, LOG_ERROR, message)
    else:
        shader = gl.CreateShader(kinds[stage])
        gl.ShaderSource(shader, 1, <const char* const*>&text, NULL)
        gl.CompileShader(shader)
        gl.GetShaderiv(shader, GL_COMPILE_STATUS, &compiled)
        if not compiled:
            complain(es, shader, <int>stage, text)
            gl.DeleteShader(shader)
            shader = 0
    free(text)
    return shader


cdef int glsl_version(Espryt* es) noexcept nogil:
    return 320 if es.driver.dialect == DIALECT_GLES else <int>es.driver.version * 10


cdef void complain(Espryt* es, GLuint name, int stage, const char* text) noexcept nogil:
    """The driver's own words: nobody else can explain why it refuses what SPIRV-Cross wrote."""
    cdef char log[2048]
    cdef char message[4000]
    log[0] = 0
    if stage < 0:
        gl_of(es).GetProgramInfoLog(name, sizeof(log), NULL, log)
        snprintf(message, sizeof(message), "the driver does not link a program: %s", log)
    else:
        gl_of(es).GetShaderInfoLog(name, sizeof(log), NULL, log)
        snprintf(message, sizeof(message), "the driver does not compile stage %d of a program: %s\n%s", stage, log, text)
    es.host.log(es.host.self, LOG_ERROR, message)
