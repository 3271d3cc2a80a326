# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Contents that a program gives up (specification 8.20, 17.4.4): undefined from there on, and so they may stay as they are.

Of a framebuffer the server is told; of a texture there is nothing to gain: what was uploaded is already on its way, what
was drawn is the server's. Buffers: buffer_clears.pyx.
"""

from libc.stdint cimport INT32_MAX, uint32_t, uint64_t

from glenum cimport *
from pipe cimport pipe_Rect
from mgpipe.front.attachments cimport DEPTH_POINT, STENCIL_POINT
from mgpipe.front.context cimport COLOR_ATTACHMENTS, LEVELS, Context, Framebuffer, GLenum, GLint, GLsizei, GLuint, Level, Texture, name_get, set_error
from mgpipe.front.completeness cimport framebuffer_status
from mgpipe.front.framebuffers cimport BOTH_POINTS, NO_POINT, framebuffer_of, point_of
from mgpipe.tracker.validate cimport track_invalidate_framebuffer


# ----------------------------------------------------------------------------------------------------- framebuffers

cdef bint invalidated(Context* ctx, Framebuffer* framebuffer, GLenum attachment, uint32_t* bits) noexcept nogil:
    """Adds an attachment's bits: colour i in bit i, depth and stencil behind them. False: the error is set."""
    cdef uint32_t point
    if framebuffer.is_default:
        if attachment == GL_COLOR or GL_FRONT_LEFT <= attachment <= GL_BACK_RIGHT:
            bits[0] |= 1
        elif attachment == GL_DEPTH or attachment == GL_STENCIL:
            bits[0] |= <uint32_t>1 << (DEPTH_POINT if attachment == GL_DEPTH else STENCIL_POINT)
        else:
            set_error(ctx, GL_INVALID_ENUM)
            return False
        return True
    point = point_of(ctx, attachment)
    if point == NO_POINT:
        return False
    bits[0] |= (<uint32_t>1 << DEPTH_POINT | <uint32_t>1 << STENCIL_POINT) if point == BOTH_POINTS else <uint32_t>1 << point
    return True


cdef void invalidate(Context* ctx, GLenum target, GLsizei count, const GLenum* attachments, const pipe_Rect* area) noexcept nogil:
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    cdef uint32_t bits = 0
    cdef GLsizei i
    if framebuffer == NULL:
        return
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(count):
        if not invalidated(ctx, framebuffer, attachments[i], &bits):
            return
    if bits and framebuffer_status(ctx, framebuffer) == GL_FRAMEBUFFER_COMPLETE:
        track_invalidate_framebuffer(ctx, framebuffer, bits, area)


cdef void InvalidateFramebuffer(Context* ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments) noexcept nogil:
    cdef pipe_Rect whole
    whole.x0 = whole.y0 = 0
    whole.x1 = whole.y1 = INT32_MAX
    invalidate(ctx, target, numAttachments, attachments, &whole)


cdef void InvalidateSubFramebuffer(Context* ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments, GLint x,
                                   GLint y, GLsizei width, GLsizei height) noexcept nogil:
    cdef pipe_Rect area
    if width < 0 or height < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    area.x0 = x
    area.y0 = y
    area.x1 = x + width if x <= INT32_MAX - width else INT32_MAX
    area.y1 = y + height if y <= INT32_MAX - height else INT32_MAX
    invalidate(ctx, target, numAttachments, attachments, &area)


# --------------------------------------------------------------------------------------------------------- textures

cdef Texture* with_level(Context* ctx, GLuint name, GLint level) noexcept nogil:
    """The texture, if it can have such a level; NULL: the error is set."""
    cdef Texture* texture = <Texture*>name_get(&ctx.group.textures, name) if name else NULL
    if (texture == NULL or level < 0 or level >= LEVELS
            or (level and (texture.samples or texture.target == GL_TEXTURE_RECTANGLE or texture.target == GL_TEXTURE_BUFFER
                           or texture.target == GL_TEXTURE_2D_MULTISAMPLE or texture.target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY))):
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    return texture


cdef inline bint within(GLint offset, GLsizei size, uint64_t end) noexcept nogil:
    return offset >= 0 and size >= 0 and <uint64_t>offset + <uint64_t>size <= end


cdef void InvalidateTexImage(Context* ctx, GLuint texture, GLint level) noexcept nogil:
    with_level(ctx, texture, level)


cdef void InvalidateTexSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                GLsizei width, GLsizei height, GLsizei depth) noexcept nogil:
    cdef Texture* object = with_level(ctx, texture, level)
    cdef const Level* store
    if object == NULL:
        return
    store = &object.levels[level]
    if object.target == GL_TEXTURE_BUFFER:
        return                                  # its size is the buffer's, and nothing is dropped
    if not (within(xoffset, width, store.width) and within(yoffset, height, store.height)
            and within(zoffset, depth, 6 if object.faces == 6 else store.depth)):
        set_error(ctx, GL_INVALID_VALUE)
