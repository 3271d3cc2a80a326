# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Native contexts, share groups, surfaces: who is current."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport PIPE_FAULT_DRIVER_ERROR, pipe_create_surface
from pipe_formats cimport FORMAT_NONE, FORMAT_RGBA8, pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL, driver_new_context
from mgpipe.backends.host cimport LOG_ERROR
from mgpipe.backends.espryt.cooked cimport free_own_copies
from mgpipe.backends.espryt.espryt cimport *

cdef extern from "pthread.h" nogil:
    unsigned long pthread_self()


# -- contexts

cdef int context_create(Espryt* es, Context* ctx, ShareGroup* group) noexcept nogil:
    cdef unsigned long owner = es.thread
    ctx.native = es.spare
    es.spare = NULL
    if ctx.native == NULL:
        ctx.native = driver_new_context(&es.driver, es.contexts.native if es.contexts != NULL else NULL)
    if ctx.native == NULL:
        return -1
    ctx.serial = new_serial(es)
    ctx.group = group.serial
    ctx.next = es.contexts
    if es.contexts != NULL:
        es.contexts.previous = ctx
    es.contexts = ctx
    make_current(es, ctx.native)
    context_prepare(es)
    context_forget(ctx)
    set_defaults(ctx)
    if es.bound != NULL:
        take_back(es, owner)
    return 0


cdef void context_destroy(Espryt* es, Context* ctx) noexcept nogil:
    """Framebuffers, vertex arrays and queries made in it go with the native context."""
    cdef unsigned long owner = es.thread
    if ctx.native == NULL:
        return
    if es.bound == ctx:
        es.bound = NULL
    if es.contexts == ctx:
        es.contexts = ctx.next
    if ctx.previous != NULL:
        ctx.previous.next = ctx.next
    if ctx.next != NULL:
        ctx.next.previous = ctx.previous
    if es.contexts == NULL and es.spare == NULL:
        # The objects live as long as one context that shares them does.
        es.spare = driver_new_context(&es.driver, ctx.native)
    if es.bound != NULL:
        take_back(es, owner)
    else:
        make_current(es, es.contexts.native if es.contexts != NULL else es.spare)
    es.driver.egl.DestroyContext(es.driver.display, ctx.native)
    free_own_copies(es, ctx)
    ctx.native = NULL


cdef void context_bind(Espryt* es, Context* ctx, Surface* draw, Surface* read) noexcept nogil:
    cdef Context* before = es.bound
    es.bound = ctx
    if ctx == NULL:
        make_current(es, NULL)              # in monolith another thread of the program may want it next
        return
    ctx.draw_surface = ref_to(draw)
    ctx.read_surface = ref_to(read)
    ctx.dirty |= DIRTY_FRAMEBUFFER
    # In monolith a context moves to another thread of the program; elsewhere there is one thread.
    if before != ctx or es.thread != pthread_self():
        make_current(es, ctx.native)
        # GL shows another context's changes to an object only where it is bound again.
        context_forget(ctx)
        find_renamed(es, ctx)


cdef void find_renamed(Espryt* es, Context* ctx) noexcept nogil:
    """OpenGL ES: textures that became another object of the driver while another context was bound."""
    cdef Resource* texture
    cdef uint32_t i
    if es.driver.dialect == DIALECT_GL:
        return
    for i in range(es.units):
        texture = <Resource*>alive(&ctx.unit_texture[i])
        if texture != NULL and texture.name != ctx.unit_name[i]:
            gl_of(es).ActiveTexture(GL_TEXTURE0 + i)
            gl_of(es).BindTexture(texture.target, texture.name)
            ctx.unit_name[i] = texture.name


cdef void take_back(Espryt* es, unsigned long owner) noexcept nogil:
    """After work in another context: the bound one is current again here, unless it stayed current on a thread of its
    own all the while (monolith)."""
    make_current(es, es.bound.native if owner == pthread_self() else NULL)


cdef void borrow_context(Espryt* es, EGLContext native) noexcept nogil:
    es.redraw.owner = es.thread
    make_current(es, native)


cdef void return_context(Espryt* es) noexcept nogil:
    if es.bound != NULL:
        take_back(es, es.redraw.owner)
    else:
        make_current(es, es.spare)


cdef void make_current(Espryt* es, EGLContext native) noexcept nogil:
    es.thread = pthread_self()
    if not es.driver.egl.MakeCurrent(es.driver.display, NULL, NULL, native):
        es.host.fault(es.host.self, PIPE_FAULT_DRIVER_ERROR,
                      b"bind_context: the driver's context cannot be made current (is it on another thread?)")


cdef bint enter_any_context(Espryt* es) noexcept nogil:
    """Often nothing is bound any more when something ends, and without a context the driver would forget nothing."""
    if es.bound != NULL:
        return False
    make_current(es, es.contexts.native if es.contexts != NULL else es.spare)
    return True


cdef void leave_any_context(Espryt* es, bint borrowed) noexcept nogil:
    if borrowed:
        make_current(es, NULL)


cdef void context_forget(Context* ctx) noexcept nogil:
    ctx.dirty = ctx.dirty & DIRTY_SKIPPED | DIRTY_ALL
    ctx.known = False
    ctx.pipeline_serial = 0
    ctx.program_serial = 0
    ctx.draw_fbo = ctx.read_fbo = <GLuint>-1
    ctx.active_unit = <GLuint>-1
    ctx.restarts = <uint32_t>-1
    ctx.vertex_array_name = <GLuint>-1
    memset(ctx.unit_serial, 0xFF, sizeof(ctx.unit_serial))
    memset(ctx.sampler_serial, 0xFF, sizeof(ctx.sampler_serial))
    memset(ctx.blocks, 0xFF, sizeof(ctx.blocks))
    memset(ctx.bound_storage, 0xFF, sizeof(ctx.bound_storage))


cdef void set_defaults(Context* ctx) noexcept nogil:
    cdef uint32_t i
    for i in range(16):
        ctx.dynamic.viewports[i].far = 1.0
    ctx.dynamic.line_width = 1.0
    ctx.dynamic.point_size = 1.0
    ctx.dynamic.clear_depth = 1.0
    ctx.patch_vertices = 3
    for i in range(6):
        ctx.patch_levels[i] = 1.0
    for i in range(1, COLORS):
        ctx.draw_buffers[i] = -1


cdef void context_prepare(Espryt* es) noexcept nogil:
    cdef GL* gl = gl_of(es)
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1)         # rows cross the boundary without padding
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1)
    if es.driver.debug and gl.DebugMessageCallback != NULL:
        gl.Enable(GL_DEBUG_OUTPUT)
        gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS)
        gl.DebugMessageCallback(<GLDEBUGPROC>hear_driver, es)


cdef void hear_driver(GLenum source, GLenum kind, GLuint id, GLenum severity, GLsizei length, const char* message,
                      const void* self) noexcept nogil:
    """An error of the driver is one of ours: the client checked every call, and records are checked again."""
    cdef Espryt* es = <Espryt*>self
    cdef char text[512]
    if kind == GL_DEBUG_TYPE_ERROR:
        snprintf(text, sizeof(text), "DriverError: %s", message)
        es.host.log(es.host.self, LOG_ERROR, text)


# -- surfaces

cdef void surface_create(Espryt* es, Surface* surface, const pipe_create_surface* call) noexcept nogil:
    surface.serial = new_serial(es)
    surface.color_format = format_number(call.color_format)
    surface.depth_format = format_number(call.depth_format)
    surface.samples = call.samples
    surface.srgb = call.srgb
    gl_of(es).GenRenderbuffers(1, &surface.color)
    if surface.depth_format != FORMAT_NONE:
        gl_of(es).GenRenderbuffers(1, &surface.depth)
    surface_resize(es, surface, call.width, call.height)


cdef void surface_resize(Espryt* es, Surface* surface, unsigned int width, unsigned int height) noexcept nogil:
    cdef Context* ctx = es.contexts
    surface.width = width
    surface.height = height
    surface.version = new_serial(es)
    surface.fresh = True
    store(es, surface, surface.color, surface_format(es, surface))
    if surface.depth != 0:
        store(es, surface, surface.depth, driver_format(es, surface.depth_format))
    while ctx != NULL:
        ctx.dirty |= DIRTY_FRAMEBUFFER
        ctx = ctx.next


cdef GLenum driver_format(Espryt* es, uint32_t format) noexcept nogil:
    return pipe_formats[format].internal if es.driver.dialect == DIALECT_GL else pipe_formats[format].es_render


cdef GLenum surface_format(Espryt* es, Surface* surface) noexcept nogil:
    cdef GLenum internal = driver_format(es, surface.color_format if surface.color_format else FORMAT_RGBA8)
    return GL_SRGB8_ALPHA8 if surface.srgb and internal == GL_RGBA8 else internal


cdef void store(Espryt* es, Surface* surface, GLuint name, GLenum internal) noexcept nogil:
    """A surface without area is legal in EGL and impossible in GL."""
    gl_of(es).BindRenderbuffer(GL_RENDERBUFFER, name)
    gl_of(es).RenderbufferStorageMultisample(GL_RENDERBUFFER, surface.samples, internal,
                                             surface.width if surface.width else 1, surface.height if surface.height else 1)


cdef void surface_destroy(Espryt* es, Surface* surface) noexcept nogil:
    cdef bint borrowed = enter_any_context(es)
    gl_of(es).DeleteRenderbuffers(1, &surface.color)
    if surface.depth != 0:
        gl_of(es).DeleteRenderbuffers(1, &surface.depth)
    if surface.resolved != 0:
        gl_of(es).DeleteRenderbuffers(1, &surface.resolved)
    leave_any_context(es, borrowed)
