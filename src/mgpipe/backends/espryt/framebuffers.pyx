# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Framebuffer objects: attachments as wanted, made, and bound where they differ."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset
from driver_gl cimport *
from pipe cimport *
from pipe_snapshot cimport *
from pipe_formats cimport pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.contexts cimport context_forget, surface_format
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.queries cimport hold_condition, release_condition
from mgpipe.backends.espryt.widened cimport widen, widens
from mgpipe.backends.host cimport needs


# -- what the client asked for

cdef void framebuffer_set(Espryt* es, Framebuffer* framebuffer, const pipe_set_framebuffer_state* call,
                          Resource** color, Resource* depth, Resource* stencil) noexcept nogil:
    cdef Context* ctx = es.bound
    cdef Wanted* wanted
    cdef uint32_t i
    cdef bint draw = call.target == PIPE_FRAMEBUFFER_TARGET_DRAW or call.target == PIPE_FRAMEBUFFER_TARGET_BOTH
    cdef bint read = call.target == PIPE_FRAMEBUFFER_TARGET_READ or call.target == PIPE_FRAMEBUFFER_TARGET_BOTH
    ctx.dirty |= DIRTY_FRAMEBUFFER
    if framebuffer == NULL:
        if draw:
            ctx.draw_framebuffer = ref_to(NULL)
            for i in range(COLORS):
                ctx.draw_buffers[i] = 0 if i == 0 and call.draw_buffers[0] >= 0 else -1
        if read:
            ctx.read_framebuffer = ref_to(NULL)
            ctx.read_buffer = 0 if call.read_buffer >= 0 else -1
        return
    wanted = &framebuffer.wanted
    for i in range(COLORS):
        describe(&wanted.color[i], &call.color[i], color[i])
        wanted.draw_buffers[i] = call.draw_buffers[i] if 0 <= call.draw_buffers[i] < COLORS else -1
    describe(&wanted.depth, &call.depth, depth)
    describe(&wanted.stencil, &call.stencil, stencil)
    wanted.read_buffer = call.read_buffer if 0 <= call.read_buffer < COLORS else -1
    wanted.width = call.width
    wanted.height = call.height
    wanted.layers = call.layers
    wanted.samples = call.samples
    wanted.fixed_samples = call.fixed_samples
    if draw:
        ctx.draw_framebuffer = ref_to(framebuffer)
    if read:
        ctx.read_framebuffer = ref_to(framebuffer)


cdef void describe(Attached* wanted, const pipe_Attachment* call, Resource* resource) noexcept nogil:
    memset(wanted, 0, sizeof(Attached))
    if resource != NULL:
        wanted.resource = resource
        wanted.serial = resource.serial
        wanted.level = call.level
        wanted.layer = call.layer
        wanted.layered = call.layered


cdef void framebuffer_delete(Espryt* es, Framebuffer* framebuffer) noexcept nogil:
    """In another context the name is left to die with it: it cannot be deleted from here."""
    cdef Context* ctx = es.bound
    if framebuffer.fbo.name == 0 or ctx == NULL or framebuffer.fbo.owner != ctx.serial:
        return
    gl_of(es).DeleteFramebuffers(1, &framebuffer.fbo.name)
    if ctx.draw_fbo == framebuffer.fbo.name:
        ctx.draw_fbo = <GLuint>-1
    if ctx.read_fbo == framebuffer.fbo.name:
        ctx.read_fbo = <GLuint>-1
    ctx.dirty |= DIRTY_FRAMEBUFFER


# -- binding

cdef Fbo* bind_draw(Espryt* es, Context* ctx) noexcept nogil:
    needs(es.host, PIPE_SECTION_DRAW_FRAMEBUFFER, b"draw_framebuffer")
    return bind_as(es, ctx, <Framebuffer*>alive(&ctx.draw_framebuffer), GL_DRAW_FRAMEBUFFER)


cdef Fbo* bind_read(Espryt* es, Context* ctx) noexcept nogil:
    """To read texels from: a multisampled surface is resolved, as a window system would for its own."""
    cdef Framebuffer* framebuffer = <Framebuffer*>alive(&ctx.read_framebuffer)
    cdef Surface* surface = <Surface*>alive(&ctx.read_surface)
    cdef Fbo* fbo = bind_as(es, ctx, framebuffer, GL_READ_FRAMEBUFFER)
    needs(es.host, PIPE_SECTION_READ_FRAMEBUFFER, b"read_framebuffer")
    if framebuffer == NULL and surface != NULL and surface.samples > 1 and ctx.read_buffer >= 0:
        return resolve(es, ctx, surface)
    return fbo


cdef Fbo* resolve(Espryt* es, Context* ctx, Surface* surface) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef Fbo* fbo = &ctx.surface_resolved
    cdef Wanted wanted
    cdef uint32_t i
    if surface.resolved_version != surface.version:
        if surface.resolved == 0:
            gl.GenRenderbuffers(1, &surface.resolved)
        gl.BindRenderbuffer(GL_RENDERBUFFER, surface.resolved)
        gl.RenderbufferStorage(GL_RENDERBUFFER, surface_format(es, surface), surface.width, surface.height)
        surface.resolved_version = surface.version
    memset(&wanted, 0, sizeof(wanted))
    for i in range(1, COLORS):
        wanted.draw_buffers[i] = -1
    wanted.color[0].serial = surface.version
    wanted.color[0].renderbuffer = surface.resolved
    bind(es, ctx, fbo, GL_DRAW_FRAMEBUFFER)
    update(es, fbo, &wanted, GL_DRAW_FRAMEBUFFER)
    gl.Disable(GL_SCISSOR_TEST)
    hold_condition(es, ctx)
    gl.BlitFramebuffer(0, 0, surface.width, surface.height, 0, 0, surface.width, surface.height, GL_COLOR_BUFFER_BIT,
                       GL_NEAREST)
    release_condition(es, ctx)
    ctx.known = False               # the scissor test
    ctx.dirty |= DIRTY_FRAMEBUFFER | DIRTY_PIPELINE | DIRTY_DYNAMIC
    bind(es, ctx, fbo, GL_READ_FRAMEBUFFER)
    update(es, fbo, &wanted, GL_READ_FRAMEBUFFER)
    return fbo


cdef Fbo* bind_as(Espryt* es, Context* ctx, Framebuffer* framebuffer, GLenum target) noexcept nogil:
    if framebuffer == NULL:
        return bind_surface(es, ctx, target)
    bind(es, ctx, &framebuffer.fbo, target)
    update(es, &framebuffer.fbo, &framebuffer.wanted, target)
    return &framebuffer.fbo


cdef Fbo* bind_surface(Espryt* es, Context* ctx, GLenum target) noexcept nogil:
    """The default framebuffer: the surface's storage in a framebuffer object of this context."""
    cdef bint draw = target == GL_DRAW_FRAMEBUFFER
    cdef Surface* surface = <Surface*>alive(&ctx.draw_surface if draw else &ctx.read_surface)
    cdef Fbo* fbo = &ctx.surface_draw if draw else &ctx.surface_read
    cdef Wanted wanted
    cdef uint32_t i
    memset(&wanted, 0, sizeof(wanted))
    for i in range(COLORS):
        wanted.draw_buffers[i] = ctx.draw_buffers[i]
    wanted.read_buffer = ctx.read_buffer
    if surface != NULL:
        wanted.color[0].serial = surface.version
        wanted.color[0].renderbuffer = surface.color
        if surface.depth != 0:
            wanted.depth.serial = surface.version
            wanted.depth.renderbuffer = surface.depth
            if pipe_formats[surface.depth_format].bits[5] != 0:
                wanted.stencil = wanted.depth
    bind(es, ctx, fbo, target)
    update(es, fbo, &wanted, target)
    if surface != NULL and surface.fresh:
        surface.fresh = False
        hold_condition(es, ctx)
        clear_fresh(es, ctx, fbo, target)
        release_condition(es, ctx)
        update(es, fbo, &wanted, target)
    return fbo


cdef void clear_fresh(Espryt* es, Context* ctx, Fbo* fbo, GLenum target) noexcept nogil:
    """New storage holds whatever was in that memory; a window system would hand out zeros."""
    cdef GL* gl = gl_of(es)
    cdef float* zero = [0.0, 0.0, 0.0, 0.0]
    cdef GLenum first = GL_COLOR_ATTACHMENT0
    context_forget(ctx)
    bind(es, ctx, fbo, GL_DRAW_FRAMEBUFFER)
    bind(es, ctx, fbo, target)
    let_clears_through(es)
    gl.DrawBuffers(1, &first)
    memset(fbo.draw_buffers, 0, sizeof(fbo.draw_buffers))
    fbo.draw_buffers[0] = GL_COLOR_ATTACHMENT0
    gl.ClearBufferfv(GL_COLOR, 0, zero)
    if fbo.depth.serial:
        gl.ClearDepthf(1.0)
        gl.ClearStencil(0)
        gl.Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)


cdef void let_clears_through(Espryt* es) noexcept nogil:
    """Of a context that is forgotten: nothing keeps a clear from any texel."""
    cdef GL* gl = gl_of(es)
    gl.Disable(GL_SCISSOR_TEST)
    gl.Disable(GL_RASTERIZER_DISCARD)
    gl.ColorMask(1, 1, 1, 1)
    gl.DepthMask(1)
    gl.StencilMask(0xFF)


cdef void bind(Espryt* es, Context* ctx, Fbo* fbo, GLenum target) noexcept nogil:
    if fbo.name == 0 or fbo.owner != ctx.serial:
        memset(fbo, 0, sizeof(Fbo))
        gl_of(es).GenFramebuffers(1, &fbo.name)
        fbo.owner = ctx.serial
        fbo.draw_buffers[0] = fbo.read_buffer = GL_COLOR_ATTACHMENT0
    if target == GL_DRAW_FRAMEBUFFER:
        if ctx.draw_fbo != fbo.name:
            gl_of(es).BindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo.name)
            ctx.draw_fbo = fbo.name
            ctx.dirty |= DIRTY_FRAMEBUFFER
    elif ctx.read_fbo != fbo.name:
        gl_of(es).BindFramebuffer(GL_READ_FRAMEBUFFER, fbo.name)
        ctx.read_fbo = fbo.name


cdef void update(Espryt* es, Fbo* fbo, Wanted* wanted, GLenum target) noexcept nogil:
    """Attach, and choose draw buffers, where the driver's framebuffer differs. It is bound to target."""
    cdef GL* gl = gl_of(es)
    cdef GLenum draw_buffers[COLORS]
    cdef uint32_t* place = fbo.place
    cdef uint32_t i, n = COLORS
    cdef GLenum read
    cdef bint any = False
    place_attachments(es, wanted, place)
    for i in range(COLORS):
        attach(es, &fbo.color[place[i]], &wanted.color[i], target, GL_COLOR_ATTACHMENT0 + place[i])
        any = any or wanted.color[i].serial != 0
    attach(es, &fbo.depth, &wanted.depth, target, GL_DEPTH_ATTACHMENT)
    attach(es, &fbo.stencil, &wanted.stencil, target, GL_STENCIL_ATTACHMENT)
    if not any and wanted.depth.serial == 0 and wanted.stencil.serial == 0 and (
            fbo.width != wanted.width or fbo.height != wanted.height or fbo.layers != wanted.layers
            or fbo.samples != wanted.samples or fbo.fixed_samples != wanted.fixed_samples):
        fbo.width = wanted.width
        fbo.height = wanted.height
        fbo.layers = wanted.layers
        fbo.samples = wanted.samples
        fbo.fixed_samples = wanted.fixed_samples
        gl.FramebufferParameteri(target, GL_FRAMEBUFFER_DEFAULT_WIDTH, wanted.width)
        gl.FramebufferParameteri(target, GL_FRAMEBUFFER_DEFAULT_HEIGHT, wanted.height)
        gl.FramebufferParameteri(target, GL_FRAMEBUFFER_DEFAULT_SAMPLES, wanted.samples)
        gl.FramebufferParameteri(target, GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS, wanted.fixed_samples)
        gl.FramebufferParameteri(target, GL_FRAMEBUFFER_DEFAULT_LAYERS, wanted.layers)
    if target == GL_DRAW_FRAMEBUFFER:
        for i in range(COLORS):
            draw_buffers[i] = GL_NONE
            if wanted.draw_buffers[i] >= 0:
                draw_buffers[i] = GL_COLOR_ATTACHMENT0 + place[wanted.draw_buffers[i]]
        if memcmp(draw_buffers, fbo.draw_buffers, sizeof(draw_buffers)) != 0:
            for i in range(COLORS):
                fbo.draw_buffers[i] = draw_buffers[i]
            while n > 1 and draw_buffers[n - 1] == GL_NONE:
                n -= 1
            gl.DrawBuffers(n, draw_buffers)
    else:
        read = GL_NONE
        if wanted.read_buffer >= 0:
            read = GL_COLOR_ATTACHMENT0 + place[wanted.read_buffer]
        choose_read(es, fbo, read)


cdef void place_attachments(Espryt* es, Wanted* wanted, uint32_t* place) noexcept nogil:
    """OpenGL ES writes output i to attachment i or nowhere, so there attachments move to the outputs they serve."""
    cdef uint32_t i, taken = 0, placed = 0, at
    for i in range(COLORS):
        place[i] = i
    if es.driver.dialect == DIALECT_GL:
        return
    for i in range(COLORS):
        if wanted.draw_buffers[i] >= 0 and not placed >> wanted.draw_buffers[i] & 1:
            place[wanted.draw_buffers[i]] = i
            placed |= <uint32_t>1 << wanted.draw_buffers[i]
            taken |= <uint32_t>1 << i
    for i in range(COLORS):
        if not placed >> i & 1:
            at = 0
            while taken >> at & 1:
                at += 1
            place[i] = at
            taken |= <uint32_t>1 << at


cdef void attach(Espryt* es, Attached* made, Attached* wanted, GLenum target, GLenum point) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef Resource* resource = wanted.resource
    if resource != NULL and resource.serial == wanted.serial:
        if resource.kind != PIPE_RESOURCE_TARGET_RENDERBUFFER and widens(es, resource.format):
            widen(es, resource, b"set_framebuffer_state")
        wanted.version = resource.version       # a texture may be another object of the driver by now
    if memcmp(made, wanted, sizeof(Attached)) == 0:
        return
    made[0] = wanted[0]
    if resource != NULL and resource.serial != wanted.serial:       # it died since
        resource = NULL
    if wanted.renderbuffer != 0:
        gl.FramebufferRenderbuffer(target, point, GL_RENDERBUFFER, wanted.renderbuffer)
    elif resource == NULL:
        gl.FramebufferRenderbuffer(target, point, GL_RENDERBUFFER, 0)
    elif resource.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        gl.FramebufferRenderbuffer(target, point, GL_RENDERBUFFER, resource.name)
    elif wanted.layered:
        gl.FramebufferTexture(target, point, resource.name, wanted.level)
    elif resource.kind == PIPE_RESOURCE_TARGET_TEX_CUBE:
        gl.FramebufferTexture2D(target, point, GL_TEXTURE_CUBE_MAP_POSITIVE_X + wanted.layer % 6, resource.name,
                                wanted.level)
    elif resource.target == GL_TEXTURE_1D:
        gl.FramebufferTexture1D(target, point, GL_TEXTURE_1D, resource.name, wanted.level)
    elif (resource.target == GL_TEXTURE_2D or resource.target == GL_TEXTURE_RECTANGLE
          or resource.target == GL_TEXTURE_2D_MULTISAMPLE):
        gl.FramebufferTexture2D(target, point, resource.target, resource.name, wanted.level)
    else:
        gl.FramebufferTextureLayer(target, point, resource.name, wanted.level, wanted.layer)


cdef void choose_read(Espryt* es, Fbo* fbo, GLenum read) noexcept nogil:
    if fbo.read_buffer != read:
        fbo.read_buffer = read
        gl_of(es).ReadBuffer(read)


cdef void read_from(Espryt* es, Fbo* fbo, int32_t attachment) noexcept nogil:
    choose_read(es, fbo, GL_NONE if not 0 <= attachment < COLORS else GL_COLOR_ATTACHMENT0 + fbo.place[attachment])


cdef Fbo* bind_scratch(Espryt* es, Context* ctx, GLenum target, Resource* resource, uint32_t level,
                       uint32_t layer) noexcept nogil:
    cdef Fbo* fbo = &ctx.scratch[target == GL_READ_FRAMEBUFFER]
    cdef Wanted wanted
    cdef Attached* at = &wanted.color[0]
    cdef const unsigned char* bits = pipe_formats[resource.format].bits
    cdef uint32_t i
    memset(&wanted, 0, sizeof(wanted))
    for i in range(1, COLORS):
        wanted.draw_buffers[i] = -1
    if bits[4] or bits[5]:
        at = &wanted.depth if bits[4] else &wanted.stencil
        wanted.read_buffer = wanted.draw_buffers[0] = -1
    at.resource = resource
    at.serial = resource.serial
    at.level = level
    at.layer = layer
    if bits[4] and bits[5]:
        wanted.stencil = wanted.depth
    bind(es, ctx, fbo, target)
    update(es, fbo, &wanted, target)
    ctx.dirty |= DIRTY_FRAMEBUFFER
    return fbo
