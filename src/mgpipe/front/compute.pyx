# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compute shaders (OpenGL 4.6 chapter 19), memory barriers (7.13), storage blocks (7.8) and atomic counters (7.7)."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from glenum cimport *
from mgpipe.front.context cimport (DIRTY_FOR_DRAWS, DIRTY_STORAGE, STORAGE_BINDINGS, UNIFORM_BINDINGS, Buffer, Context,
                                   GLbitfield, GLenum, GLint, GLintptr, GLuint, Program, buffer_mapped, set_error, touch_group)
from mgpipe.front.draws cimport samplers_agree, storage_mapped
from mgpipe.front.mappings cimport mappings_barrier
from mgpipe.front.pipelines cimport pipeline_choose_compute
from mgpipe.front.programs cimport program_of
from mgpipe.tracker.dispatch cimport (track_launch_grid, track_launch_grid_indirect, track_memory_barrier,
                                      track_texture_barrier)

from mgpipe.front.program_objects import GLError

cdef enum:
    COMPUTE_STAGE = 1 << 5      # in Program.stage_mask
    COMMAND_BYTES = 12          # of an indirect dispatch: three numbers of groups
    BARRIERS = (GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT
                | GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_COMMAND_BARRIER_BIT
                | GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT
                | GL_FRAMEBUFFER_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT | GL_ATOMIC_COUNTER_BARRIER_BIT
                | GL_SHADER_STORAGE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT | GL_QUERY_BUFFER_BARRIER_BIT)
    REGION_BARRIERS = (GL_ATOMIC_COUNTER_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT
                       | GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT)
    ALL = 0xFFFFFFFF


# ------------------------------------------------------------------------------------------------------ dispatches

cdef bint uniform_buffers_mapped(Context* ctx) noexcept nogil:
    cdef Program* program = ctx.program
    cdef Buffer* buffer
    cdef uint32_t i
    for i in range(program.block_count):
        if program.blocks[i].binding < UNIFORM_BINDINGS:
            buffer = ctx.uniform_buffers[program.blocks[i].binding].buffer
            if buffer != NULL and buffer_mapped(buffer):
                return True
    return False


cdef inline bint may_dispatch(Context* ctx) noexcept nogil:
    """As for draws: a state that was looked at cannot have become wrong without a dirty bit or a new generation."""
    if ctx.current_program == NULL:
        pipeline_choose_compute(ctx)
    if ctx.program == NULL or not ctx.program.stage_mask & COMPUTE_STAGE:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if ((ctx.dirty & ~<uint32_t>DIRTY_FOR_DRAWS or ctx.group.generation != ctx.tracked.generation)
            and (storage_mapped(ctx) or uniform_buffers_mapped(ctx) or not samplers_agree(ctx.program))):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void DispatchCompute(Context* ctx, GLuint x, GLuint y, GLuint z) noexcept nogil:
    if not may_dispatch(ctx):
        return
    if (x > <GLuint>ctx.session.caps.max_compute_work_group_count[0]
            or y > <GLuint>ctx.session.caps.max_compute_work_group_count[1]
            or z > <GLuint>ctx.session.caps.max_compute_work_group_count[2]):
        set_error(ctx, GL_INVALID_VALUE)
        return
    if x and y and z:
        track_launch_grid(ctx, x, y, z)


cdef void DispatchComputeIndirect(Context* ctx, GLintptr indirect) noexcept nogil:
    cdef Buffer* commands = ctx.dispatch_indirect_buffer
    if indirect < 0 or indirect & 3:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if (commands == NULL or buffer_mapped(commands)
            or <uint64_t>indirect + COMMAND_BYTES > commands.size):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if may_dispatch(ctx):
        track_launch_grid_indirect(ctx, commands, indirect)


# -------------------------------------------------------------------------------------------------------- barriers

cdef void MemoryBarrier(Context* ctx, GLbitfield barriers) noexcept nogil:
    if barriers != <GLbitfield>ALL and barriers & ~<GLbitfield>BARRIERS:
        set_error(ctx, GL_INVALID_VALUE)
    elif barriers:
        if barriers & GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT:
            mappings_barrier(ctx)
        track_memory_barrier(ctx, barriers, False)


cdef void MemoryBarrierByRegion(Context* ctx, GLbitfield barriers) noexcept nogil:
    if barriers != <GLbitfield>ALL and barriers & ~<GLbitfield>REGION_BARRIERS:
        set_error(ctx, GL_INVALID_VALUE)
    elif barriers:
        track_memory_barrier(ctx, barriers, True)


cdef void TextureBarrier(Context* ctx) noexcept nogil:
    track_texture_barrier(ctx)


# -------------------------------------------------------------------------------------------------------- programs

cdef void ShaderStorageBlockBinding(Context* ctx, GLuint name, GLuint index, GLuint binding) noexcept nogil:
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return
    if (index >= program.storage_count or program.storage[index].is_atomic or binding >= STORAGE_BINDINGS
            or binding >= <GLuint>ctx.session.caps.max_shader_storage_buffer_bindings):
        set_error(ctx, GL_INVALID_VALUE)
        return
    if program.storage[index].binding == binding:
        return
    program.storage[index].binding = binding
    remember_binding(program, index, binding)
    ctx.dirty |= DIRTY_STORAGE
    touch_group(ctx)


cdef void remember_binding(Program* program, GLuint index, GLuint binding) noexcept with gil:
    (<object>program.object).storage_bindings[index] = binding


cdef void GetActiveAtomicCounterBufferiv(Context* ctx, GLuint name, GLuint index, GLenum pname, GLint* params) noexcept:
    cdef Program* program = program_of(ctx, name)
    cdef GLint i = 0
    if program == NULL:
        return
    try:
        for value in (<object>program.object).atomic_buffer(index, pname):
            params[i] = value
            i += 1
    except GLError as error:
        set_error(ctx, error.code)
