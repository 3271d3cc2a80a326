# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Clears and blits (specification 17.4.3, 18.3). See clears.pxd."""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport abs

from glenum cimport *
from pipe cimport (PIPE_CLEAR_KIND_COLOR, PIPE_CLEAR_KIND_DEPTH, PIPE_CLEAR_KIND_DEPTH_STENCIL, PIPE_CLEAR_KIND_STENCIL,
                   PIPE_VALUE_CLASS_FLOAT, PIPE_VALUE_CLASS_INT, PIPE_VALUE_CLASS_UINT, pipe_Rect)
from pipe_formats cimport FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_formats
from mgpipe.front.attachments cimport DEPTH_POINT, STENCIL_POINT
from mgpipe.front.context cimport (COLOR_ATTACHMENTS, Context, GLbitfield, GLenum, GLfloat, GLint, GLuint, set_error)
from mgpipe.front.completeness cimport (ReadSource, draw_attachment, framebuffer_samples, framebuffer_status, point_format,
                                        read_source)
from mgpipe.tracker.validate cimport track_blit, track_clear, track_clear_buffer

# ------------------------------------------------------------------------------------------------------------- clears

cdef inline bint drawable(Context* ctx) noexcept nogil:
    """Whether the draw framebuffer is complete and not discarded into."""
    if framebuffer_status(ctx, ctx.draw_framebuffer) != GL_FRAMEBUFFER_COMPLETE:
        set_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION)
        return False
    return not ctx.pipeline.rasterizer_discard


cdef void Clear(Context* ctx, GLbitfield mask) noexcept nogil:
    if mask & ~<GLbitfield>(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT):
        set_error(ctx, GL_INVALID_VALUE)
    elif drawable(ctx) and mask:
        track_clear(ctx, mask)


cdef void clear_color(Context* ctx, GLint draw_buffer, uint32_t value_class, const void* value) noexcept nogil:
    if draw_buffer < 0 or draw_buffer >= COLOR_ATTACHMENTS:
        set_error(ctx, GL_INVALID_VALUE)
    elif drawable(ctx) and draw_attachment(ctx, ctx.draw_framebuffer, <uint32_t>draw_buffer) >= 0:
        track_clear_buffer(ctx, PIPE_CLEAR_KIND_COLOR, draw_buffer, value_class, <const uint32_t*>value, 0, 0)


cdef void clear_other(Context* ctx, uint32_t kind, GLint draw_buffer, float depth, int32_t stencil) noexcept nogil:
    if draw_buffer != 0:
        set_error(ctx, GL_INVALID_VALUE)
    elif drawable(ctx):
        track_clear_buffer(ctx, kind, 0, PIPE_VALUE_CLASS_FLOAT, NULL, depth, stencil)


cdef void ClearBufferfv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLfloat* value) noexcept nogil:
    if buffer == GL_COLOR:
        clear_color(ctx, drawbuffer, PIPE_VALUE_CLASS_FLOAT, value)
    elif buffer == GL_DEPTH:
        clear_other(ctx, PIPE_CLEAR_KIND_DEPTH, drawbuffer, value[0], 0)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void ClearBufferiv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLint* value) noexcept nogil:
    if buffer == GL_COLOR:
        clear_color(ctx, drawbuffer, PIPE_VALUE_CLASS_INT, value)
    elif buffer == GL_STENCIL:
        clear_other(ctx, PIPE_CLEAR_KIND_STENCIL, drawbuffer, 0, value[0])
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void ClearBufferuiv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLuint* value) noexcept nogil:
    if buffer == GL_COLOR:
        clear_color(ctx, drawbuffer, PIPE_VALUE_CLASS_UINT, value)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void ClearBufferfi(Context* ctx, GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil) noexcept nogil:
    if buffer == GL_DEPTH_STENCIL:
        clear_other(ctx, PIPE_CLEAR_KIND_DEPTH_STENCIL, drawbuffer, depth, stencil)
    else:
        set_error(ctx, GL_INVALID_ENUM)


# --------------------------------------------------------------------------------------------------------------- blits

cdef inline uint32_t number_class(uint32_t format) noexcept nogil:
    """0 for floating and fixed point, which convert into each other; integers do not."""
    cdef uint32_t kind = pipe_formats[format].kind
    return kind if kind == FORMAT_KIND_INT or kind == FORMAT_KIND_UINT else 0


cdef GLenum check_colors(Context* ctx, const ReadSource* source, bint linear, bint* any) noexcept nogil:
    cdef uint32_t i, format
    cdef int32_t attachment
    any[0] = False
    if source.color == FORMAT_NONE:
        return 0
    for i in range(COLOR_ATTACHMENTS):
        attachment = draw_attachment(ctx, ctx.draw_framebuffer, i)
        format = point_format(ctx, ctx.draw_framebuffer, <uint32_t>attachment) if attachment >= 0 else FORMAT_NONE
        if format == FORMAT_NONE:
            continue
        any[0] = True
        if number_class(format) != number_class(source.color):
            return GL_INVALID_OPERATION
    return GL_INVALID_OPERATION if any[0] and linear and number_class(source.color) else 0


cdef GLenum check_samples(Context* ctx, const ReadSource* source, const pipe_Rect* from_,
                          const pipe_Rect* to) noexcept nogil:
    cdef uint32_t samples = framebuffer_samples(ctx, ctx.draw_framebuffer)
    if source.samples and samples and source.samples != samples:
        return GL_INVALID_OPERATION
    if (source.samples or samples) and (abs(from_.x1 - from_.x0) != abs(to.x1 - to.x0)
                                        or abs(from_.y1 - from_.y0) != abs(to.y1 - to.y0)):
        return GL_INVALID_OPERATION
    return 0


cdef void BlitFramebuffer(Context* ctx, GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                          GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) noexcept nogil:
    cdef ReadSource source
    cdef pipe_Rect from_, to
    cdef uint32_t depth, stencil
    cdef bint colors = False
    cdef GLenum error = 0
    if mask & ~<GLbitfield>(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT):
        set_error(ctx, GL_INVALID_VALUE)
        return
    if filter != GL_NEAREST and filter != GL_LINEAR:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if framebuffer_status(ctx, ctx.draw_framebuffer) != GL_FRAMEBUFFER_COMPLETE or read_source(ctx, &source) != 0:
        set_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION)
        return
    from_.x0, from_.y0, from_.x1, from_.y1 = srcX0, srcY0, srcX1, srcY1
    to.x0, to.y0, to.x1, to.y1 = dstX0, dstY0, dstX1, dstY1
    if filter == GL_LINEAR and mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT):
        error = GL_INVALID_OPERATION
    if error == 0 and mask & GL_COLOR_BUFFER_BIT:
        error = check_colors(ctx, &source, filter == GL_LINEAR, &colors)
    depth = point_format(ctx, ctx.draw_framebuffer, DEPTH_POINT)
    stencil = point_format(ctx, ctx.draw_framebuffer, STENCIL_POINT)
    # a buffer that either side lacks is left out; one that both have must be of the same format
    if not colors:
        mask &= ~<GLbitfield>GL_COLOR_BUFFER_BIT
    if depth == FORMAT_NONE or source.depth == FORMAT_NONE:
        mask &= ~<GLbitfield>GL_DEPTH_BUFFER_BIT
    elif mask & GL_DEPTH_BUFFER_BIT and depth != source.depth:
        error = GL_INVALID_OPERATION
    if stencil == FORMAT_NONE or source.stencil == FORMAT_NONE:
        mask &= ~<GLbitfield>GL_STENCIL_BUFFER_BIT
    elif mask & GL_STENCIL_BUFFER_BIT and pipe_formats[stencil].bits[5] != pipe_formats[source.stencil].bits[5]:
        error = GL_INVALID_OPERATION
    if error == 0:
        error = check_samples(ctx, &source, &from_, &to)
    if error:
        set_error(ctx, error)
    elif mask and srcX0 != srcX1 and srcY0 != srcY1 and dstX0 != dstX1 and dstY0 != dstY1:
        track_blit(ctx, &from_, &to, mask, filter == GL_LINEAR)
