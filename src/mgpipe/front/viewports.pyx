# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Viewports, depth ranges and scissor boxes (specification 13.8.1, 17.3.2). See viewports.pxd.

The commands without an index set all sixteen. Most programs never set them apart: then a command that sets what is there
already compares one viewport, and `viewports_apart` stays 0.
"""

from libc.stdint cimport int32_t, uint32_t

from glenum cimport GL_INVALID_VALUE
from pipe cimport pipe_Rect, pipe_Viewport
from mgpipe.front.context cimport DIRTY_DYNAMIC, Context, GLdouble, GLfloat, GLint, GLsizei, GLuint, set_error

cdef enum:
    VIEWPORTS = 16
    # Context.viewports_apart: which of the three somebody set one by one.
    AREAS_APART = 1
    RANGES_APART = 2
    SCISSORS_APART = 4


cdef inline bint named(Context* ctx, GLuint first, GLsizei count) noexcept nogil:
    if count < 0 or first > VIEWPORTS or <uint32_t>count > VIEWPORTS - first:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


cdef inline bint one_named(Context* ctx, GLuint index) noexcept nogil:
    if index >= VIEWPORTS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


# ---------------------------------------------------------------------------------------------------------- viewports

cdef inline float between(float value, float low, float high) noexcept nogil:
    return high if value > high else (value if value > low else low)       # NaN becomes low


cdef bint put_viewport(Context* ctx, uint32_t i, float x, float y, float width, float height) noexcept nogil:
    """False: it is there already."""
    cdef pipe_Viewport* viewport = &ctx.dynamic.viewports[i]
    x = between(x, -32768, 32767)               # GL_VIEWPORT_BOUNDS_RANGE
    y = between(y, -32768, 32767)
    width = between(width, 0, <float>ctx.session.caps.max_viewport_dims[0])
    height = between(height, 0, <float>ctx.session.caps.max_viewport_dims[1])
    if viewport.x == x and viewport.y == y and viewport.width == width and viewport.height == height:
        return False
    viewport.x = x
    viewport.y = y
    viewport.width = width
    viewport.height = height
    ctx.dirty |= DIRTY_DYNAMIC
    return True


cdef void Viewport(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil:
    cdef uint32_t i
    if width < 0 or height < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not put_viewport(ctx, 0, <float>x, <float>y, <float>width, <float>height) \
            and not ctx.viewports_apart & AREAS_APART:
        return
    for i in range(1, VIEWPORTS):
        put_viewport(ctx, i, <float>x, <float>y, <float>width, <float>height)
    ctx.viewports_apart &= ~<uint32_t>AREAS_APART


cdef void ViewportArrayv(Context* ctx, GLuint first, GLsizei count, const GLfloat* v) noexcept nogil:
    cdef uint32_t i
    if not named(ctx, first, count):
        return
    for i in range(<uint32_t>count):
        if v[4 * i + 2] < 0 or v[4 * i + 3] < 0:
            set_error(ctx, GL_INVALID_VALUE)
            return
    for i in range(<uint32_t>count):
        put_viewport(ctx, first + i, v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3])
    ctx.viewports_apart |= AREAS_APART


cdef void ViewportIndexedf(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat w, GLfloat h) noexcept nogil:
    cdef float v[4]
    v[0], v[1], v[2], v[3] = x, y, w, h
    ViewportIndexedfv(ctx, index, v)


cdef void ViewportIndexedfv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil:
    if one_named(ctx, index):
        ViewportArrayv(ctx, index, 1, v)


# ------------------------------------------------------------------------------------------------------- depth ranges

cdef bint put_range(Context* ctx, uint32_t i, double near, double far) noexcept nogil:
    cdef pipe_Viewport* viewport = &ctx.dynamic.viewports[i]
    near = 0.0 if not near > 0.0 else (1.0 if near > 1.0 else near)
    far = 0.0 if not far > 0.0 else (1.0 if far > 1.0 else far)
    if viewport.near == near and viewport.far == far:
        return False
    viewport.near = near
    viewport.far = far
    ctx.dirty |= DIRTY_DYNAMIC
    return True


cdef void DepthRange(Context* ctx, GLdouble n, GLdouble f) noexcept nogil:
    cdef uint32_t i
    if not put_range(ctx, 0, n, f) and not ctx.viewports_apart & RANGES_APART:
        return
    for i in range(1, VIEWPORTS):
        put_range(ctx, i, n, f)
    ctx.viewports_apart &= ~<uint32_t>RANGES_APART


cdef void DepthRangef(Context* ctx, GLfloat n, GLfloat f) noexcept nogil:
    DepthRange(ctx, n, f)


cdef void DepthRangeArrayv(Context* ctx, GLuint first, GLsizei count, const GLdouble* v) noexcept nogil:
    cdef uint32_t i
    if not named(ctx, first, count):
        return
    for i in range(<uint32_t>count):
        put_range(ctx, first + i, v[2 * i], v[2 * i + 1])
    ctx.viewports_apart |= RANGES_APART


cdef void DepthRangeIndexed(Context* ctx, GLuint index, GLdouble n, GLdouble f) noexcept nogil:
    if one_named(ctx, index):
        put_range(ctx, index, n, f)
        ctx.viewports_apart |= RANGES_APART


# ----------------------------------------------------------------------------------------------------------- scissors

cdef inline int32_t saturated_sum(int32_t a, int32_t b) noexcept nogil:
    """a + b for b >= 0: a box may reach beyond what an int holds, and then ends there."""
    return 0x7FFFFFFF if a > 0x7FFFFFFF - b else a + b


cdef bint put_scissor(Context* ctx, uint32_t i, int32_t x, int32_t y, int32_t width, int32_t height) noexcept nogil:
    cdef pipe_Rect* rect = &ctx.dynamic.scissors[i]
    cdef int32_t x1 = saturated_sum(x, width), y1 = saturated_sum(y, height)
    if rect.x0 == x and rect.y0 == y and rect.x1 == x1 and rect.y1 == y1:
        return False
    rect.x0 = x
    rect.y0 = y
    rect.x1 = x1
    rect.y1 = y1
    ctx.dirty |= DIRTY_DYNAMIC
    return True


cdef void Scissor(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil:
    cdef uint32_t i
    if width < 0 or height < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not put_scissor(ctx, 0, x, y, width, height) and not ctx.viewports_apart & SCISSORS_APART:
        return
    for i in range(1, VIEWPORTS):
        put_scissor(ctx, i, x, y, width, height)
    ctx.viewports_apart &= ~<uint32_t>SCISSORS_APART


cdef void ScissorArrayv(Context* ctx, GLuint first, GLsizei count, const GLint* v) noexcept nogil:
    cdef uint32_t i
    if not named(ctx, first, count):
        return
    for i in range(<uint32_t>count):
        if v[4 * i + 2] < 0 or v[4 * i + 3] < 0:
            set_error(ctx, GL_INVALID_VALUE)
            return
    for i in range(<uint32_t>count):
        put_scissor(ctx, first + i, v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3])
    ctx.viewports_apart |= SCISSORS_APART


cdef void ScissorIndexed(Context* ctx, GLuint index, GLint left, GLint bottom, GLsizei width,
                         GLsizei height) noexcept nogil:
    cdef int32_t v[4]
    v[0], v[1], v[2], v[3] = left, bottom, width, height
    ScissorIndexedv(ctx, index, v)


cdef void ScissorIndexedv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    if one_named(ctx, index):
        ScissorArrayv(ctx, index, 1, v)


cdef void viewports_cover(Context* ctx, GLsizei width, GLsizei height) noexcept nogil:
    cdef uint32_t i
    for i in range(VIEWPORTS):
        put_viewport(ctx, i, 0, 0, <float>width, <float>height)
        put_scissor(ctx, i, 0, 0, width, height)
