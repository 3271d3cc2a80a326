# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Espryt as the applier sees it: one table of functions over one driver."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.host cimport fill_living
from mgpipe.backends.driver cimport driver_close, driver_open
from mgpipe.backends.espryt.bindings cimport install_bindings
from mgpipe.backends.espryt.caps cimport fill_caps
from mgpipe.backends.espryt.compute cimport install_compute
from mgpipe.backends.espryt.contexts cimport *
from mgpipe.backends.espryt.draws cimport install_draws
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.feedback cimport install_feedback
from mgpipe.backends.espryt.images cimport install_images
from mgpipe.backends.espryt.indirect cimport install_indirect
from mgpipe.backends.espryt.fences cimport drop_presents, install_fences, poll_completions
from mgpipe.backends.espryt.programs cimport install_programs
from mgpipe.backends.espryt.queries cimport install_queries
from mgpipe.backends.espryt.packs cimport install_packs
from mgpipe.backends.espryt.unpacks cimport install_unpacks
from mgpipe.backends.espryt.pins cimport pins_settle
from mgpipe.backends.espryt.redraw cimport end_redraw
from mgpipe.backends.espryt.reads cimport install_reads
from mgpipe.backends.espryt.resources cimport install_resources
from mgpipe.backends.espryt.state cimport install_state
from mgpipe.backends.espryt.timing cimport espryt_timing_end
from mgpipe.backends.espryt.vertex cimport install_vertex
from mgpipe.backends.espryt.zeroes cimport fill_unwritten

cdef enum:
    COUNTED_NAMES = 4096            # as catalogue/calls.py says of DRIVER_NAMES


cdef int espryt_start(BackEnd* table, Host* host, uint32_t dialect, uint32_t* item_sizes, char* error,
                      uint32_t error_size) noexcept nogil:
    cdef Espryt* es = <Espryt*>calloc(1, sizeof(Espryt))
    if es == NULL:
        snprintf(error, error_size, "OutOfMemory: no room for a driver")
        return -1
    if driver_open(&es.driver, dialect, error, error_size) != 0:
        free(es)
        return -1
    es.host = host
    es.spare = es.driver.context
    prepare(es)
    install(table, es)
    item_sizes[PIPE_HANDLE_RESOURCE] = sizeof(Resource)
    item_sizes[PIPE_HANDLE_FRAMEBUFFER] = sizeof(Framebuffer)
    item_sizes[PIPE_HANDLE_STREAM_OUTPUT] = sizeof(StreamOutput)
    item_sizes[PIPE_HANDLE_RENDER_STATE] = sizeof(RenderState)
    item_sizes[PIPE_HANDLE_VERTEX_ELEMENTS] = sizeof(VertexElements)
    item_sizes[PIPE_HANDLE_VERTEX_ARRAY] = sizeof(VertexArray)
    item_sizes[PIPE_HANDLE_SAMPLER] = sizeof(Sampler)
    item_sizes[PIPE_HANDLE_SAMPLER_VIEW] = sizeof(SamplerView)
    item_sizes[PIPE_HANDLE_SHADER] = sizeof(Program)
    item_sizes[PIPE_HANDLE_FENCE] = sizeof(Fence)
    item_sizes[PIPE_HANDLE_QUERY] = sizeof(Query)
    item_sizes[PIPE_HANDLE_CONTEXT] = sizeof(Context)
    item_sizes[PIPE_HANDLE_SURFACE] = sizeof(Surface)
    item_sizes[PIPE_HANDLE_SHARE_GROUP] = sizeof(ShareGroup)
    return 0


cdef bint espryt_poll(void* self) noexcept nogil:
    return poll_completions(<Espryt*>self)


cdef uint64_t* espryt_held(void* self) noexcept nogil:
    return &(<Espryt*>self).held


cdef void espryt_settle(void* self, uint64_t timeout_ns) noexcept nogil:
    pins_settle(<Espryt*>self, timeout_ns)


cdef uint32_t* espryt_unwritten(void* self) noexcept nogil:
    (<Espryt*>self).fills_unwritten = True
    return &(<Espryt*>self).unwritten_count


cdef void espryt_fill_unwritten(void* self) noexcept nogil:
    fill_unwritten(<Espryt*>self)


cdef void espryt_stop(BackEnd* table) noexcept nogil:
    cdef Espryt* es = <Espryt*>table.self
    espryt_timing_end(es)
    end_redraw(es)
    drop_presents(es)
    gl_of(es).DeleteBuffers(1, &es.zero_buffer)
    gl_of(es).DeleteBuffers(1, &es.tiny_buffer)
    es.driver.context = es.spare        # the others ended with their handles
    driver_close(&es.driver)
    free(es)


cdef void prepare(Espryt* es) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLint units = 0, blocks = 0, storage = 0, images = 0
    cdef uint8_t zeros[64]
    cdef int i
    for i in range(64):
        zeros[i] = 0
    gl.GetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units)
    gl.GetIntegerv(GL_MAX_UNIFORM_BUFFER_BINDINGS, &blocks)
    es.units = <uint32_t>units - 1 if units <= UNITS else UNITS - 1
    es.scratch_unit = es.units
    es.blocks = <uint32_t>blocks if blocks < BLOCKS else BLOCKS
    if gl.DispatchCompute != NULL and gl.BindImageTexture != NULL:
        gl.GetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &storage)
        gl.GetIntegerv(GL_MAX_IMAGE_UNITS, &images)
    es.storage = <uint32_t>storage if storage < STORAGE else STORAGE
    es.images = <uint32_t>images if images < IMAGES else IMAGES
    gl.GenBuffers(1, &es.zero_buffer)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, es.zero_buffer)
    gl.BufferData(GL_COPY_WRITE_BUFFER, sizeof(zeros), zeros, GL_STATIC_DRAW)


cdef void install(BackEnd* table, Espryt* es) noexcept nogil:
    table.self = es
    table.session_reset = session_reset
    table.get_caps = get_caps
    table.count_living = count_living
    table.trace = trace
    table.create_share_group = create_share_group
    table.destroy_share_group = destroy_share_group
    table.create_context = create_context
    table.destroy_context = destroy_context
    table.create_surface = create_surface
    table.resize_surface = resize_surface
    table.destroy_surface = destroy_surface
    table.bind_context = bind_context
    install_resources(table)
    install_state(table)
    install_vertex(table)
    install_bindings(table)
    install_programs(table)
    install_draws(table)
    install_reads(table)
    install_packs(table)
    install_unpacks(table)
    install_queries(table)
    install_feedback(table)
    install_images(table)
    install_compute(table)
    install_indirect(table)
    install_fences(table)


cdef void session_reset(void* self) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    es.host.end_all(es.host.self)


cdef void get_caps(void* self, const pipe_get_caps* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    reply.status = PIPE_REPLY_ERROR
    if p.into.size < sizeof(pipe_Caps):
        es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"get_caps.into")
        return
    if es.caps.dialect == 0:
        fill_caps(es, &es.caps)         # every format is tried: 7 ms on a GPU
    memcpy(into_at, &es.caps, sizeof(pipe_Caps))
    reply.size = sizeof(pipe_Caps)
    reply.status = PIPE_REPLY_OK


cdef void count_living(void* self, const pipe_count_living* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    """Names of the driver's that are of our own making, for no handle, are left out."""
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef pipe_Living* living = <pipe_Living*>into_at
    cdef bint borrowed
    cdef GLuint name
    cdef uint32_t i
    if not fill_living(es.host, into_at, p.into.size, reply):
        return
    borrowed = enter_any_context(es)
    for name in range(1, COUNTED_NAMES + 1):
        living.names[0] += gl.IsBuffer(name) != 0 and name != es.zero_buffer and name != es.tiny_buffer
        living.names[1] += gl.IsTexture(name) != 0
        living.names[2] += gl.IsRenderbuffer(name) != 0
        living.names[3] += gl.IsSampler(name) != 0
        living.names[4] += gl.IsProgram(name) != 0
        living.names[5] += gl.IsShader(name) != 0
    for i in range(3):
        living.names[4] -= 0 < es.redraw.programs[i] <= <GLuint>COUNTED_NAMES
    leave_any_context(es, borrowed)


cdef void trace(void* self, const pipe_trace* p, pipe_reply* reply) noexcept nogil:
    (<Espryt*>self).host.trace((<Espryt*>self).host.self, p.mode, reply)


cdef void create_share_group(void* self, const pipe_create_share_group* p, void* group) noexcept nogil:
    (<ShareGroup*>group).serial = new_serial(<Espryt*>self)


cdef void destroy_share_group(void* self, const pipe_destroy_share_group* p, void* group) noexcept nogil:
    """Its objects have ended by records of their own."""


cdef void create_context(void* self, const pipe_create_context* p, void* context, void* group) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if context_create(es, <Context*>context, <ShareGroup*>group) != 0:
        es.host.fault(es.host.self, PIPE_FAULT_DRIVER_ERROR, b"create_context: the driver made none")


cdef void destroy_context(void* self, const pipe_destroy_context* p, void* context) noexcept nogil:
    context_destroy(<Espryt*>self, <Context*>context)


cdef void create_surface(void* self, const pipe_create_surface* p, void* surface) noexcept nogil:
    surface_create(<Espryt*>self, <Surface*>surface, p)


cdef void resize_surface(void* self, const pipe_resize_surface* p, void* surface) noexcept nogil:
    surface_resize(<Espryt*>self, <Surface*>surface, p.width, p.height)


cdef void destroy_surface(void* self, const pipe_destroy_surface* p, void* surface) noexcept nogil:
    surface_destroy(<Espryt*>self, <Surface*>surface)


cdef void bind_context(void* self, const pipe_bind_context* p, void* context, void* draw, void* read) noexcept nogil:
    context_bind(<Espryt*>self, <Context*>context, <Surface*>draw, <Surface*>read)
