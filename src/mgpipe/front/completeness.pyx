# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether a framebuffer is complete, and what is behind its points (specification 9.4). See completeness.pxd.

Completeness is cached under the group's generation as well as the framebuffer's own: what is attached belongs to the group.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport PIPE_DIALECT_GLES, PIPE_FORMAT_RENDER
from pipe_formats cimport (FORMAT_DEPTH24_STENCIL8, FORMAT_DEPTH_COMPONENT24, FORMAT_NONE, FORMAT_RGBA8, FORMAT_SRGB8_ALPHA8,
                           pipe_format_of, pipe_formats)
from mgpipe.front.attachments cimport ATTACHMENTS, DEPTH_POINT, STENCIL_POINT, attachment_at
from mgpipe.front.context cimport COLOR_ATTACHMENTS, Context, Framebuffer, FramebufferAttachment, GLenum, Level, Surface
from mgpipe.front.textures cimport texture_level

# ------------------------------------------------------------------------------------------------------- completeness

cdef bint attached(const FramebufferAttachment* attachment, Attached* image) noexcept nogil:
    """False: nothing there, or an image that does not exist."""
    cdef Level* level
    memset(image, 0, sizeof(image[0]))
    if attachment.renderbuffer != NULL:
        image.format = attachment.renderbuffer.format
        image.width = attachment.renderbuffer.width
        image.height = attachment.renderbuffer.height
        image.samples = attachment.renderbuffer.samples
        image.fixed_samples = 1
    elif attachment.texture != NULL:
        level = texture_level(attachment.texture, attachment.face, attachment.level)
        if not attachment.layered and attachment.layer >= level.depth:
            return False
        image.format = level.format
        image.width = level.width
        image.height = level.height
        image.samples = attachment.texture.samples
        image.fixed_samples = attachment.texture.fixed_samples
    return image.format != FORMAT_NONE and image.width != 0 and image.height != 0


cdef bint fits_point(uint32_t format, uint32_t point) noexcept nogil:
    if point == DEPTH_POINT: return pipe_formats[format].depth_renderable
    if point == STENCIL_POINT: return pipe_formats[format].stencil_renderable
    return pipe_formats[format].color_renderable


cdef bint driver_renders(Context* ctx, uint32_t format, bint renderbuffer) noexcept nogil:
    """Whether the driver said so. In ES a renderbuffer is stored as the nearest format that can be one."""
    if renderbuffer and ctx.session.caps.dialect == PIPE_DIALECT_GLES:
        format = pipe_format_of(pipe_formats[format].es_render)
    return ctx.session.caps.formats[format] & PIPE_FORMAT_RENDER


cdef GLenum compute_status(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    """Specification 9.4. A draw or read buffer without attachment is no error: drivers have had the relaxed rule of
    OpenGL 4.1 (ARB_ES2_compatibility) for as long as they had 3.3, and programs rely on it."""
    cdef FramebufferAttachment* attachment
    cdef FramebufferAttachment* layered = NULL
    cdef Attached image
    cdef uint32_t point, count = 0, samples = 0, fixed = 0, flat = 0
    cdef uint32_t mixed = 0
    for point in range(ATTACHMENTS):
        attachment = attachment_at(framebuffer, point)
        if attachment.kind == 0:
            continue
        if not attached(attachment, &image) or not fits_point(image.format, point):
            return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT
        if count and (image.samples != samples or image.fixed_samples != fixed):
            mixed = 1
        samples = image.samples
        fixed = image.fixed_samples
        count += 1
        if not driver_renders(ctx, image.format, attachment.renderbuffer != NULL):
            return GL_FRAMEBUFFER_UNSUPPORTED
        if not attachment.layered:
            flat += 1
        elif layered != NULL and point < COLOR_ATTACHMENTS and layered.texture.target != attachment.texture.target:
            return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS
        else:
            layered = attachment
    if count == 0:
        if framebuffer.default_width and framebuffer.default_height:
            return GL_FRAMEBUFFER_COMPLETE
        return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT
    if layered != NULL and flat:
        return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS
    if mixed:
        return GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE
    # One depth-stencil image serves both points on every driver; two separate ones do on few, and in ES on none.
    if framebuffer.depth.kind and framebuffer.stencil.kind and (
            framebuffer.depth.texture != framebuffer.stencil.texture
            or framebuffer.depth.renderbuffer != framebuffer.stencil.renderbuffer):
        return GL_FRAMEBUFFER_UNSUPPORTED
    return GL_FRAMEBUFFER_COMPLETE


cdef GLenum framebuffer_status(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    if framebuffer.is_default:
        return GL_FRAMEBUFFER_UNDEFINED if ctx.draw_surface == NULL else GL_FRAMEBUFFER_COMPLETE
    if framebuffer.status == 0 or framebuffer.status_generation != ctx.group.generation \
            or framebuffer.status_own != framebuffer.generation:
        framebuffer.status = compute_status(ctx, framebuffer)
        framebuffer.status_generation = ctx.group.generation
        framebuffer.status_own = framebuffer.generation
    return framebuffer.status


# ------------------------------------------------------------------------------------------------ what is behind points

cdef uint32_t point_format(Context* ctx, Framebuffer* framebuffer, uint32_t point) noexcept nogil:
    cdef Attached image
    cdef Surface* surface = ctx.read_surface if framebuffer != ctx.draw_framebuffer else ctx.draw_surface
    if not framebuffer.is_default:
        return image.format if attached(attachment_at(framebuffer, point), &image) else FORMAT_NONE
    if surface == NULL:
        return FORMAT_NONE
    if point == DEPTH_POINT:
        if surface.depth_size == 0: return FORMAT_NONE
        return FORMAT_DEPTH24_STENCIL8 if surface.stencil_size else FORMAT_DEPTH_COMPONENT24
    if point == STENCIL_POINT:
        return FORMAT_DEPTH24_STENCIL8 if surface.stencil_size else FORMAT_NONE
    if point > 0:
        return FORMAT_NONE
    return FORMAT_SRGB8_ALPHA8 if surface.srgb else FORMAT_RGBA8


cdef uint32_t framebuffer_samples(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    cdef Attached image
    cdef uint32_t point
    if framebuffer.is_default:
        return ctx.draw_surface.samples if ctx.draw_surface != NULL else 0
    for point in range(ATTACHMENTS):
        if attached(attachment_at(framebuffer, point), &image):
            return image.samples
    return framebuffer.default_samples


cdef int32_t attachment_of_buffer(Framebuffer* framebuffer, GLenum buffer) noexcept nogil:
    """-1: GL_NONE. The default framebuffer has one colour buffer, whatever it is called."""
    if buffer == GL_NONE:
        return -1
    return 0 if framebuffer.is_default else <int32_t>(buffer - GL_COLOR_ATTACHMENT0)


cdef int32_t draw_attachment(Context* ctx, Framebuffer* framebuffer, uint32_t index) noexcept nogil:
    return attachment_of_buffer(framebuffer, framebuffer.draw_buffers[index])


cdef GLenum read_source(Context* ctx, ReadSource* source) noexcept nogil:
    cdef Framebuffer* framebuffer = ctx.read_framebuffer
    cdef Attached image
    cdef uint32_t point
    memset(source, 0, sizeof(source[0]))
    if framebuffer_status(ctx, framebuffer) != GL_FRAMEBUFFER_COMPLETE:
        return GL_INVALID_FRAMEBUFFER_OPERATION
    source.attachment = attachment_of_buffer(framebuffer, framebuffer.read_buffer)
    if source.attachment >= 0:
        source.color = point_format(ctx, framebuffer, <uint32_t>source.attachment)
    source.depth = point_format(ctx, framebuffer, DEPTH_POINT)
    source.stencil = point_format(ctx, framebuffer, STENCIL_POINT)
    source.samples = framebuffer_samples(ctx, framebuffer)
    if framebuffer.is_default:
        source.width = ctx.read_surface.width if ctx.read_surface != NULL else 0
        source.height = ctx.read_surface.height if ctx.read_surface != NULL else 0
        return 0
    source.width = source.height = <uint32_t>-1
    for point in range(ATTACHMENTS):            # the area that all attachments have
        if attached(attachment_at(framebuffer, point), &image):
            source.width = min(source.width, image.width)
            source.height = min(source.height, image.height)
    return 0
