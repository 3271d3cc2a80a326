# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs that write: draws, clears, blits.

A draw with nothing changed looks at one word of the context and calls the driver.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from pipe_snapshot cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.bindings cimport rebind_blocks
from mgpipe.backends.espryt.cooked cimport cook_indices
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.host cimport needs
from mgpipe.backends.espryt.framebuffers cimport bind_as, bind_draw, bind_read, framebuffer_delete, framebuffer_set
from mgpipe.backends.espryt.programs cimport apply_program
from mgpipe.backends.espryt.state cimport apply_state
from mgpipe.backends.espryt.variants cimport set_draw_uniforms
from mgpipe.backends.espryt.vertex cimport apply_vertex, begin_instances


cdef enum:
    MOST = 8192                 # draws of one record


cdef void install_draws(BackEnd* table) noexcept nogil:
    table.draw_vbo = draw_vbo
    table.multi_draw_arrays = multi_draw_arrays
    table.multi_draw_elements = multi_draw_elements
    table.clear = clear
    table.blit = blit
    table.set_framebuffer_state = set_framebuffer_state
    table.framebuffer_destroy = framebuffer_destroy
    table.framebuffer_invalidate = framebuffer_invalidate


cdef inline Context* current(Espryt* es, const char* call) noexcept nogil:
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, call)
    return es.bound


# -- framebuffers

cdef void set_framebuffer_state(void* self, const pipe_set_framebuffer_state* p, void* framebuffer, void** color_resource,
                                void* depth_resource, void* stencil_resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Framebuffer* it = <Framebuffer*>framebuffer
    if current(es, b"set_framebuffer_state") == NULL:
        return
    if it != NULL and it.serial == 0:
        it.serial = new_serial(es)
    framebuffer_set(es, it, p, <Resource**>color_resource, <Resource*>depth_resource, <Resource*>stencil_resource)


cdef void framebuffer_destroy(void* self, const pipe_framebuffer_destroy* p, void* framebuffer) noexcept nogil:
    framebuffer_delete(<Espryt*>self, <Framebuffer*>framebuffer)


cdef void framebuffer_invalidate(void* self, const pipe_framebuffer_invalidate* p, void* framebuffer) noexcept nogil:
    """A hint for drivers that load and store tiles. Vulkan needs it; through EGL no driver met so far gains by it."""


# -- draws

cdef void draw_vbo(void* self, const pipe_draw_vbo* p) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = current(es, b"draw_vbo")
    cdef IndexSource indices
    if ctx == NULL or not prepare_draw(es, ctx, p.mode):
        return
    if ctx.variant.per_draw:
        set_draw_uniforms(es, ctx.variant, p.base_instance, p.base_vertex, 0)
    if p.index_size == 0:
        draw_arrays(es, p)
    elif find_indices(es, ctx, p.index_size, &indices):
        draw_elements(es, &indices, p)


cdef void multi_draw_arrays(void* self, const pipe_multi_draw_arrays* p, const uint32_t* firsts, const uint32_t* counts) noexcept nogil:
    """On desktop OpenGL one call: shaders see the number of the draw in it."""
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = current(es, b"multi_draw_arrays")
    cdef pipe_draw_vbo draw
    cdef uint32_t i
    if ctx == NULL or not prepare_draw(es, ctx, p.mode):
        return
    if es.driver.dialect == DIALECT_GL:
        gl_of(es).MultiDrawArrays(p.mode, <const GLint*>firsts, <const GLsizei*>counts, <GLsizei>p.draw_count)
        return
    one_instance(&draw, p.mode)
    for i in range(p.draw_count):
        draw.first = firsts[i]
        draw.count = counts[i]
        if ctx.variant.per_draw:
            set_draw_uniforms(es, ctx.variant, 0, 0, p.draw_id + i)
        draw_arrays(es, &draw)


cdef void multi_draw_elements(void* self, const pipe_multi_draw_elements* p, const uint32_t* firsts, const uint32_t* counts,
                              const int32_t* base_vertices) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = current(es, b"multi_draw_elements")
    cdef const void* offset[MOST]
    cdef IndexSource indices
    cdef pipe_draw_vbo draw
    cdef uint32_t i
    if ctx == NULL or not prepare_draw(es, ctx, p.mode) or not find_indices(es, ctx, p.index_size, &indices):
        return
    if es.driver.dialect == DIALECT_GL:
        for i in range(p.draw_count):
            offset[i] = index_address(&indices, firsts[i])
        gl_of(es).MultiDrawElementsBaseVertex(p.mode, <const GLsizei*>counts, index_type(&indices), offset, <GLsizei>p.draw_count,
                                              base_vertices)
        return
    one_instance(&draw, p.mode)
    for i in range(p.draw_count):
        draw.first = firsts[i]
        draw.count = counts[i]
        draw.base_vertex = base_vertices[i]
        if ctx.variant.per_draw:
            set_draw_uniforms(es, ctx.variant, 0, draw.base_vertex, p.draw_id + i)
        draw_elements(es, &indices, &draw)


cdef inline void one_instance(pipe_draw_vbo* draw, uint32_t mode) noexcept nogil:
    memset(draw, 0, sizeof(draw[0]))
    draw.mode = mode
    draw.instance_count = 1


cdef bint find_indices(Espryt* es, Context* ctx, uint32_t index_size, IndexSource* indices) noexcept nogil:
    """Without a buffer a driver would read them from an address that the client chose."""
    cdef VertexArray* array = array_of(ctx)
    if index_size == 0 or alive(&array.index_buffer) == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"index buffer")
        return False
    indices.size = index_size
    indices.offset = array.index_offset
    return es.driver.dialect == DIALECT_GL or apply_es_restart(es, ctx, index_size, indices)


cdef inline GLenum index_type(const IndexSource* indices) noexcept nogil:
    if indices.size == 1: return GL_UNSIGNED_BYTE
    return GL_UNSIGNED_SHORT if indices.size == 2 else GL_UNSIGNED_INT


cdef inline const void* index_address(const IndexSource* indices, uint32_t first) noexcept nogil:
    return <const void*><uintptr_t>(indices.offset + <uint64_t>first * indices.size)


cdef inline bint wrong_program(Context* ctx) noexcept nogil:
    """Whether the driver has another one than the draw wants, or other constants of it."""
    cdef Program* program = <Program*>ctx.program.twin
    return (ctx.dirty & DIRTY_PROGRAM != 0 or program == NULL or program.constants_dirty != 0
            or ctx.program.serial != program.serial)


cdef bint prepare_draw(Espryt* es, Context* ctx, uint32_t mode) noexcept nogil:
    if es.driver.dialect == DIALECT_GLES and ctx.mode != mode:
        ctx.mode = mode
        ctx.dirty |= DIRTY_PROGRAM
    if ctx.dirty or wrong_program(ctx):
        return prepare(es, ctx)
    return True


cdef bint prepare(Espryt* es, Context* ctx) noexcept nogil:
    if ctx.dirty & DIRTY_SKIPPED:
        return False
    if ctx.dirty & DIRTY_FRAMEBUFFER:
        bind_draw(es, ctx)
        ctx.dirty &= ~<uint32_t>DIRTY_FRAMEBUFFER
    if (ctx.dirty & (DIRTY_PIPELINE | DIRTY_DYNAMIC) or not ctx.known) and not apply_state(es, ctx, b"draw_vbo"):
        return False
    # What an OpenGL ES program's text and uniforms depend on may be any of it.
    if (wrong_program(ctx) or es.driver.dialect == DIALECT_GLES) and not apply_program(es, ctx):
        return False
    if ctx.dirty & DIRTY_BLOCKS:
        rebind_blocks(es, ctx)
        ctx.dirty &= ~<uint32_t>DIRTY_BLOCKS
    return not ctx.dirty & DIRTY_VERTEX or apply_vertex(es, ctx)


cdef bint apply_es_restart(Espryt* es, Context* ctx, uint32_t index_size, IndexSource* indices) noexcept nogil:
    """ES restarts at the largest index of the type only, so for any other a copy of the indices is drawn with. An index
    that the type cannot hold never restarts."""
    cdef const pipe_PipelineState* s = &ctx.pipeline
    cdef uint32_t largest = <uint32_t>0xFFFFFFFF >> (32 - 8 * index_size)
    cdef bint restarts = s.primitive_restart == PIPE_RESTART_FIXED
    if s.primitive_restart == PIPE_RESTART_INDEX and s.restart_index <= largest:
        if s.restart_index != largest and not cooked_indices(es, ctx, index_size, indices):
            return False
        restarts = True
    if ctx.restarts != <uint32_t>restarts:
        if restarts:
            gl_of(es).Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX)
        else:
            gl_of(es).Disable(GL_PRIMITIVE_RESTART_FIXED_INDEX)
        ctx.restarts = restarts
    return True


cdef bint cooked_indices(Espryt* es, Context* ctx, uint32_t index_size, IndexSource* indices) noexcept nogil:
    cdef VertexArray* array = array_of(ctx)
    if array.index_offset % index_size != 0:
        es.host.unimplemented(es.host.self, b"draw_vbo", b"a restart index with unaligned indices on OpenGL ES")
        return False
    if not cook_indices(es, ctx, <Resource*>alive(&array.index_buffer), index_size, ctx.pipeline.restart_index, &ctx.indices):
        return True                             # an empty buffer: there is nothing to draw from
    indices.offset = array.index_offset // index_size
    indices.size = 2 * index_size if index_size < 4 else 4
    indices.offset *= indices.size
    gl_of(es).BindBuffer(GL_ELEMENT_ARRAY_BUFFER, ctx.indices.buffer)
    array.index_serial = 0
    ctx.dirty |= DIRTY_VERTEX                   # the next draw may want the buffer itself
    return True


cdef void draw_arrays(Espryt* es, const pipe_draw_vbo* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    if gl.DrawArraysInstancedBaseInstance == NULL:
        begin_instances(es, es.bound, p.base_instance)
        gl.DrawArraysInstanced(p.mode, p.first, p.count, p.instance_count)
    elif p.base_instance != 0:
        gl.DrawArraysInstancedBaseInstance(p.mode, p.first, p.count, p.instance_count, p.base_instance)
    elif p.instance_count == 1:
        gl.DrawArrays(p.mode, p.first, p.count)
    else:
        gl.DrawArraysInstanced(p.mode, p.first, p.count, p.instance_count)


cdef void draw_elements(Espryt* es, const IndexSource* indices, const pipe_draw_vbo* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum kind = index_type(indices)
    cdef const void* offset = index_address(indices, p.first)
    if gl.DrawElementsInstancedBaseVertexBaseInstance == NULL:
        begin_instances(es, es.bound, p.base_instance)
        gl.DrawElementsInstancedBaseVertex(p.mode, p.count, kind, offset, p.instance_count, p.base_vertex)
    elif p.base_instance != 0:
        gl.DrawElementsInstancedBaseVertexBaseInstance(p.mode, p.count, kind, offset, p.instance_count, p.base_vertex,
                                                       p.base_instance)
    elif p.instance_count == 1:
        if p.base_vertex == 0:
            gl.DrawElements(p.mode, p.count, kind, offset)
        else:
            gl.DrawElementsBaseVertex(p.mode, p.count, kind, offset, p.base_vertex)
    elif p.base_vertex == 0:
        gl.DrawElementsInstanced(p.mode, p.count, kind, offset, p.instance_count)
    else:
        gl.DrawElementsInstancedBaseVertex(p.mode, p.count, kind, offset, p.instance_count, p.base_vertex)


# -- clears and blits

cdef void clear(void* self, const pipe_clear* p) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = current(es, b"clear")
    cdef float depth
    if ctx == NULL or ctx.dirty & DIRTY_SKIPPED:
        return
    bind_draw(es, ctx)
    ctx.dirty &= ~<uint32_t>DIRTY_FRAMEBUFFER
    if not apply_state(es, ctx, b"clear"):
        return
    if p.kind == PIPE_CLEAR_KIND_WHOLE:
        clear_whole(es, ctx, p.buffers)
    elif p.kind == PIPE_CLEAR_KIND_COLOR:
        if p.value_class == PIPE_VALUE_CLASS_FLOAT:
            gl.ClearBufferfv(GL_COLOR, p.draw_buffer, <const float*>p.color)
        elif p.value_class == PIPE_VALUE_CLASS_INT:
            gl.ClearBufferiv(GL_COLOR, p.draw_buffer, <const GLint*>p.color)
        else:
            gl.ClearBufferuiv(GL_COLOR, p.draw_buffer, p.color)
    elif p.kind == PIPE_CLEAR_KIND_DEPTH:
        depth = p.depth
        gl.ClearBufferfv(GL_DEPTH, 0, &depth)
    elif p.kind == PIPE_CLEAR_KIND_STENCIL:
        gl.ClearBufferiv(GL_STENCIL, 0, &p.stencil)
    else:
        gl.ClearBufferfi(GL_DEPTH_STENCIL, 0, p.depth, p.stencil)


cdef void clear_whole(Espryt* es, Context* ctx, uint32_t buffers) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef const float* color = <const float*>ctx.dynamic.clear_color
    cdef GLbitfield mask = 0
    needs(es.host, PIPE_SECTION_CLEAR_VALUES, b"clear_values")
    if buffers & PIPE_CLEAR_BUFFER_COLOR:
        gl.ClearColor(color[0], color[1], color[2], color[3])
        mask |= GL_COLOR_BUFFER_BIT
    if buffers & PIPE_CLEAR_BUFFER_DEPTH:
        gl.ClearDepthf(<float>ctx.dynamic.clear_depth)
        mask |= GL_DEPTH_BUFFER_BIT
    if buffers & PIPE_CLEAR_BUFFER_STENCIL:
        gl.ClearStencil(ctx.dynamic.clear_stencil)
        mask |= GL_STENCIL_BUFFER_BIT
    gl.Clear(mask)


cdef void blit(void* self, const pipe_blit* p, void* source, void* target) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = current(es, b"blit")
    if ctx == NULL or ctx.dirty & DIRTY_SKIPPED:
        return
    bind_as(es, ctx, <Framebuffer*>source, GL_READ_FRAMEBUFFER)
    bind_as(es, ctx, <Framebuffer*>target, GL_DRAW_FRAMEBUFFER)
    ctx.dirty |= DIRTY_FRAMEBUFFER      # the one for draws may be another
    if not apply_state(es, ctx, b"blit"):       # scissors and sRGB conversion reach blits
        return
    gl_of(es).BlitFramebuffer(p.source_area.x0, p.source_area.y0, p.source_area.x1, p.source_area.y1,
                              p.target_area.x0, p.target_area.y0, p.target_area.x1, p.target_area.y1,
                              p.mask, GL_LINEAR if p.linear else GL_NEAREST)
