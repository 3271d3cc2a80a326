# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dispatches, memory barriers, and where indirect commands lie."""

from libc.stdint cimport uint32_t, uint64_t
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.bindings cimport rebind_blocks
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.programs cimport use_program

cdef enum:
    COMPUTE = 5                 # the stage
    COMMAND_BYTES = 12
    # what OpenGL ES 3.2 knows; of the others nothing is left to wait for there
    ES_BARRIERS = (GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT
                   | GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_COMMAND_BARRIER_BIT
                   | GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT
                   | GL_FRAMEBUFFER_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT | GL_ATOMIC_COUNTER_BARRIER_BIT
                   | GL_SHADER_STORAGE_BARRIER_BIT)
    REGION_BARRIERS = (GL_ATOMIC_COUNTER_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT
                       | GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT)
    ALL = 0xFFFFFFFF


cdef void install_compute(BackEnd* table) noexcept nogil:
    table.bind_compute_state = bind_compute_state
    table.set_indirect_buffers = set_indirect_buffers
    table.launch_grid = launch_grid
    table.memory_barrier = memory_barrier
    table.texture_barrier = texture_barrier


cdef void bind_compute_state(void* self, const pipe_bind_compute_state* p, void* cso) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        ctx.compute = ref_to(cso)


cdef void set_indirect_buffers(void* self, const pipe_set_indirect_buffers* p, void* draw, void* parameter,
                               void* dispatch) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        ctx.draw_commands = ref_to(draw)
        ctx.draw_count = ref_to(parameter)
        ctx.dispatch_commands = ref_to(dispatch)


cdef void launch_grid(void* self, const pipe_launch_grid* p) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = es.bound
    cdef Program* program
    cdef Resource* commands
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"launch_grid")
        return
    if ctx.dirty & DIRTY_SKIPPED:
        return
    program = <Program*>alive(&ctx.compute)
    if program == NULL or not program.stage_mask >> COMPUTE & 1:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"compute program")
        return
    if not use_program(es, ctx, program, b"launch_grid"):
        return
    if ctx.dirty & DIRTY_BLOCKS:
        rebind_blocks(es, ctx)
        ctx.dirty &= ~<uint32_t>DIRTY_BLOCKS
    ctx.dirty |= DIRTY_PROGRAM          # draws have another
    if not p.indirect:
        gl.DispatchCompute(p.grid[0], p.grid[1], p.grid[2])
        return
    commands = <Resource*>alive(&ctx.dispatch_commands)
    # The driver would read commands from beyond the buffer, or from an address.
    if commands == NULL or commands.kind != PIPE_RESOURCE_TARGET_BUFFER:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"indirect buffer")
    elif p.offset & 3 or p.offset > commands.size or commands.size - p.offset < COMMAND_BYTES:
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"launch_grid.offset")
    else:
        gl.BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, commands.name)
        gl.DispatchComputeIndirect(<GLintptr>p.offset)


cdef void memory_barrier(void* self, const pipe_memory_barrier* p) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef GLbitfield bits = p.bits
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"memory_barrier")
        return
    if bits != <GLbitfield>ALL:
        # Counters are storage blocks for the driver.
        if bits & GL_ATOMIC_COUNTER_BARRIER_BIT:
            bits |= GL_SHADER_STORAGE_BARRIER_BIT
        bits &= ES_BARRIERS if es.driver.dialect != DIALECT_GL else ES_BARRIERS | (
            GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT if es.driver.version >= 44 else 0) | (
            GL_QUERY_BUFFER_BARRIER_BIT if es.driver.version >= 44 else 0)
        if bits == 0:
            return
    if p.by_region and gl.MemoryBarrierByRegion != NULL:
        gl.MemoryBarrierByRegion(bits if bits == <GLbitfield>ALL else bits & REGION_BARRIERS)
    else:
        gl.MemoryBarrier(bits)          # waits for more


cdef void texture_barrier(void* self) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    if gl.TextureBarrier != NULL:
        gl.TextureBarrier()
    else:
        es.host.unimplemented(es.host.self, b"texture_barrier", b"this driver has none")
