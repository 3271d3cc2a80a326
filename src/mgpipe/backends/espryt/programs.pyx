# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Programs: SPIR-V kept, variants of it built at first use, and the constants of their stages.

A stage's loose uniforms are one uniform block of its own, bound at the stage's number; in a fragment stage of desktop OpenGL
they may be an array of vec4 instead (shaders/spirv_dialect.cpp says why). Changed spans collect in a copy here and go to the
driver before the next draw that uses them: one glBufferSubData or glUniform a stage, whatever was set in between.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy
from driver_gl cimport *
from pipe cimport *
from pipe_snapshot cimport *
from mgpipe.backends.driver cimport DIALECT_GLES
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.feedback cimport feedback_set
from mgpipe.backends.host cimport needs
from mgpipe.backends.espryt.variants cimport choose_variant, es_properties, free_variants, set_variant_uniforms

cdef enum:
    LARGEST_CONSTANTS = 1 << 16     # bytes: no driver promises a larger block, so linking refused more already
    COMPUTE_STAGE = 1 << 5
    VEC4 = 16                       # bytes
    LARGEST_CODE = 1 << 24          # bytes of one stage's SPIR-V


cdef void install_programs(BackEnd* table) noexcept nogil:
    table.create_shader_state = create_shader_state
    table.bind_shader_state = bind_shader_state
    table.delete_shader_state = delete_shader_state
    table.set_constants = set_constants


cdef void create_shader_state(void* self, const pipe_create_shader_state* p, void* cso, void* group,
                              uint8_t** stages_code_at, uint8_t* feedback_at) noexcept nogil:
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
            it.constants[i].bytes = <uint8_t*>calloc(1, it.constants[i].size + VEC4 - 1)
        if it.code[i] == NULL or (it.constants[i].size and it.constants[i].bytes == NULL):
            es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"create_shader_state")
            return
        memcpy(it.code[i], stages_code_at[i], size)
        it.words[i] = <uint32_t>(size // 4)
        it.stage_mask |= <uint32_t>1 << i
        if it.constants[i].size:
            it.constants[i].dirty_high = it.constants[i].size
            it.constants_dirty |= <uint32_t>1 << i
    if es.driver.dialect == DIALECT_GLES:
        es_properties(it)
    feedback_set(es, it, p.feedback_mode, feedback_at, p.feedback.size)


cdef void bind_shader_state(void* self, const pipe_bind_shader_state* p, void* cso) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        ctx.program = ref_to(cso)
        ctx.dirty |= DIRTY_PROGRAM


cdef void delete_shader_state(void* self, const pipe_delete_shader_state* p, void* cso) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Program* it = <Program*>cso
    cdef uint32_t i
    free_variants(es, it)
    free(it.feedback)
    for i in range(STAGES):
        free(it.code[i])
        free(it.constants[i].bytes)
        free(it.constants[i].moves)
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
    needs(es.host, PIPE_SECTION_SHADER, b"shader")
    if program == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"program")
        return False
    return use_program(es, ctx, program, b"draw_vbo")


cdef bint use_program(Espryt* es, Context* ctx, Program* program, const char* verb) noexcept nogil:
    cdef Variant* variant = choose_variant(es, ctx, program)
    if variant == NULL:
        return False
    if variant.status == PROGRAM_FAILED:
        es.host.unimplemented(es.host.self, verb, b"a program that the driver refuses (see the log)")
        return False
    if ctx.program_serial != variant.serial:
        if not may_use(es, ctx, program, variant):
            return False
        ctx.program_serial = variant.serial
    ctx.variant = variant
    if es.driver.dialect == DIALECT_GLES:
        set_variant_uniforms(es, ctx, variant)
    if program.constants_dirty:
        upload_constants(es, program)
    if ctx.dirty & DIRTY_PROGRAM or program.stage_mask & COMPUTE_STAGE:
        bind_constants(es, ctx, program)
        ctx.dirty &= ~<uint32_t>DIRTY_PROGRAM
    return True


cdef bint may_use(Espryt* es, Context* ctx, Program* program, Variant* variant) noexcept nogil:
    """While transform feedback is active no other program may come; the driver refuses even the same one again."""
    cdef StreamOutput* capture = <StreamOutput*>alive(&ctx.capture)
    if capture == NULL:
        gl_of(es).UseProgram(variant.name)
        return True
    if capture.program_serial != program.serial:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"bind_shader_state: another program while transform feedback is active")
        return False
    if capture.variant_serial != variant.serial:
        es.host.unimplemented(es.host.self, b"draw_vbo", b"state that changes a program's text while it is captured from")
        return False
    return True


cdef void upload_constants(Espryt* es, Program* program) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef Constants* constants
    cdef uint32_t dirty = program.constants_dirty
    cdef uint32_t i
    for i in range(STAGES):
        if not dirty >> i:
            break
        if not dirty >> i & 1:
            continue
        constants = &program.constants[i]
        if constants.moves != NULL:
            upload_moved(es, constants)
        elif constants.plain != 0:
            upload_plain(es, constants)
        elif constants.buffer == 0:
            gl.GenBuffers(1, &constants.buffer)
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, constants.buffer)
            gl.BufferData(GL_COPY_WRITE_BUFFER, constants.size, constants.bytes, GL_DYNAMIC_DRAW)
        else:
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, constants.buffer)
            gl.BufferSubData(GL_COPY_WRITE_BUFFER, constants.dirty_low, constants.dirty_high - constants.dirty_low,
                             constants.bytes + constants.dirty_low)
    program.constants_dirty = 0


cdef void upload_plain(Espryt* es, Constants* constants) noexcept nogil:
    """From the first on: where the others are is not promised. The program is in use. Both sizes are the client's."""
    cdef uint32_t count = (constants.dirty_high + VEC4 - 1) // VEC4
    if constants.plain_at >= 0:
        gl_of(es).Uniform4fv(constants.plain_at, min(count, constants.plain), <float*>constants.bytes)


cdef void upload_moved(Espryt* es, Constants* constants) noexcept nogil:
    """All of it: programs with doubles are few. Doubles become floats on the way."""
    cdef GL* gl = gl_of(es)
    cdef uint8_t* native = <uint8_t*>calloc(1, constants.native_size)
    cdef spirv_move* m
    cdef float* to
    cdef uint32_t i, k
    if native == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"set_constants")
        return
    for i in range(constants.move_count):
        m = &constants.moves[i]
        to = <float*>(native + m.to)
        if m.narrows:
            for k in range(m.components):
                to[k] = <float>(<double*>(constants.bytes + m.from_))[k]
        else:
            memcpy(to, constants.bytes + m.from_, m.components * 4)
    if constants.buffer == 0:
        gl.GenBuffers(1, &constants.buffer)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, constants.buffer)
    gl.BufferData(GL_COPY_WRITE_BUFFER, constants.native_size, native, GL_DYNAMIC_DRAW)
    free(native)


cdef void bind_constants(Espryt* es, Context* ctx, Program* program) noexcept nogil:
    cdef uint32_t i
    for i in range(STAGES):
        if program.constants[i].buffer != 0 and ctx.blocks[i].serial != program.serial:
            gl_of(es).BindBufferBase(GL_UNIFORM_BUFFER, i, program.constants[i].buffer)
            ctx.blocks[i].serial = program.serial
