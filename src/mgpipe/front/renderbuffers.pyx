# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Renderbuffer objects (specification 9.2.4). See renderbuffers.pxd."""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free

from glenum cimport *
from pipe_formats cimport FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo, pipe_format_of, pipe_formats
from mgpipe.front.attachments cimport framebuffer_detach
from mgpipe.front.formats cimport most_samples_of, samples_granted
from mgpipe.front.context cimport (OWNER_NONE, Context, GLboolean, GLenum, GLint, GLsizei, GLuint, Renderbuffer,
                                   name_get, name_make, name_remove, names_generate, set_error, touch_group)
from mgpipe.tracker.validate cimport track_delete_renderbuffer

# References: its name, the binding of each context, each attachment. The binding has no effect on verbs.

cdef Renderbuffer* renderbuffer_named(Context* ctx, GLuint name) noexcept nogil:
    return <Renderbuffer*>name_get(&ctx.group.renderbuffers, name)


cdef void renderbuffer_release(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil:
    renderbuffer.refs -= 1
    if renderbuffer.refs == 0:
        track_delete_renderbuffer(ctx, renderbuffer)
        free(renderbuffer)


cdef void GenRenderbuffers(Context* ctx, GLsizei n, GLuint* renderbuffers) noexcept nogil:
    names_generate(ctx, &ctx.group.renderbuffers, n, renderbuffers)


cdef void bind(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil:
    cdef Renderbuffer* before = ctx.renderbuffer
    if renderbuffer != NULL:
        renderbuffer.refs += 1
    ctx.renderbuffer = renderbuffer
    if before != NULL:
        renderbuffer_release(ctx, before)


cdef void DeleteRenderbuffers(Context* ctx, GLsizei n, const GLuint* renderbuffers) noexcept nogil:
    cdef GLsizei i
    cdef Renderbuffer* renderbuffer
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        renderbuffer = <Renderbuffer*>name_remove(&ctx.group.renderbuffers, renderbuffers[i])
        if renderbuffer == NULL:
            continue
        renderbuffer.deleted = 1
        if ctx.renderbuffer == renderbuffer:
            bind(ctx, NULL)
        framebuffer_detach(ctx, ctx.draw_framebuffer, renderbuffer, &renderbuffer.refs)
        if ctx.read_framebuffer != ctx.draw_framebuffer:
            framebuffer_detach(ctx, ctx.read_framebuffer, renderbuffer, &renderbuffer.refs)
        renderbuffer_release(ctx, renderbuffer)


cdef GLboolean IsRenderbuffer(Context* ctx, GLuint renderbuffer) noexcept nogil:
    return renderbuffer_named(ctx, renderbuffer) != NULL


cdef Renderbuffer* renderbuffer_object(Context* ctx, GLuint name) noexcept nogil:
    cdef Renderbuffer* object = renderbuffer_named(ctx, name)
    if object == NULL:
        object = <Renderbuffer*>name_make(ctx, &ctx.group.renderbuffers, name, sizeof(Renderbuffer))
        if object != NULL:
            object.name = name
            object.refs = 1
            object.internal_format = GL_RGBA
    return object


cdef void BindRenderbuffer(Context* ctx, GLenum target, GLuint renderbuffer) noexcept nogil:
    cdef Renderbuffer* object
    if target != GL_RENDERBUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if renderbuffer == 0:
        bind(ctx, NULL)
        return
    object = renderbuffer_object(ctx, renderbuffer)
    if object != NULL:
        bind(ctx, object)


cdef GLenum samples_allowed(Context* ctx, uint32_t format, GLsizei samples) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef int32_t most = <int32_t>most_samples_of(ctx.session.caps.sample_counts[format])
    if samples < 0 or samples > ctx.session.caps.max_samples:
        return GL_INVALID_VALUE
    if most == 0 and (info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT):
        most = ctx.session.caps.max_integer_samples
    return GL_INVALID_OPERATION if most and samples > most else 0


cdef void storage(Context* ctx, GLenum target, GLsizei samples, GLenum internal_format, GLsizei width,
                  GLsizei height) noexcept nogil:
    cdef Renderbuffer* renderbuffer = ctx.renderbuffer
    cdef uint32_t format = pipe_format_of(internal_format)
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef GLenum error
    if target != GL_RENDERBUFFER or format == FORMAT_NONE or \
            not (info.color_renderable or info.depth_renderable or info.stencil_renderable):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if width < 0 or height < 0 or max(width, height) > ctx.session.caps.max_renderbuffer_size:
        set_error(ctx, GL_INVALID_VALUE)
        return
    error = samples_allowed(ctx, format, samples)
    if error or renderbuffer == NULL:
        set_error(ctx, error if error else GL_INVALID_OPERATION)
        return
    samples = <GLsizei>samples_granted(ctx.session.caps.sample_counts[format], <uint32_t>samples)
    if renderbuffer.format != format or renderbuffer.width != <uint32_t>width \
            or renderbuffer.height != <uint32_t>height or renderbuffer.samples != <uint32_t>samples:
        renderbuffer.format = format
        renderbuffer.width = <uint32_t>width
        renderbuffer.height = <uint32_t>height
        renderbuffer.samples = <uint32_t>samples
        renderbuffer.owner = OWNER_NONE
        renderbuffer.respecify = 1
    renderbuffer.internal_format = internal_format
    touch_group(ctx)


cdef void RenderbufferStorage(Context* ctx, GLenum target, GLenum internalformat, GLsizei width,
                              GLsizei height) noexcept nogil:
    storage(ctx, target, 0, internalformat, width, height)


cdef void RenderbufferStorageMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat,
                                         GLsizei width, GLsizei height) noexcept nogil:
    storage(ctx, target, samples, internalformat, width, height)


cdef void GetRenderbufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    cdef Renderbuffer* renderbuffer = ctx.renderbuffer
    cdef const pipe_FormatInfo* info
    if target != GL_RENDERBUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if renderbuffer == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    info = &pipe_formats[renderbuffer.format]
    if pname == GL_RENDERBUFFER_WIDTH: params[0] = <GLint>renderbuffer.width
    elif pname == GL_RENDERBUFFER_HEIGHT: params[0] = <GLint>renderbuffer.height
    elif pname == GL_RENDERBUFFER_INTERNAL_FORMAT: params[0] = <GLint>renderbuffer.internal_format
    elif pname == GL_RENDERBUFFER_SAMPLES: params[0] = <GLint>renderbuffer.samples
    elif GL_RENDERBUFFER_RED_SIZE <= pname <= GL_RENDERBUFFER_STENCIL_SIZE:     # red green blue alpha depth stencil
        params[0] = info.bits[pname - GL_RENDERBUFFER_RED_SIZE]
    else:
        set_error(ctx, GL_INVALID_ENUM)
