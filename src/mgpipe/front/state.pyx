# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Setters of value state: check as the specification says, write, mark what changed. Nothing is sent from here.

A setter that writes what is there already marks nothing; one that is undone before the next verb costs nothing either,
because the tracker compares values. `front` is element 0 of stencil state, `back` element 1.
"""

from libc.math cimport lrintf
from libc.stdint cimport int32_t, uint32_t

from glenum cimport *
from pipe cimport (PIPE_RESTART_FIXED, PIPE_RESTART_INDEX, PIPE_RESTART_OFF, pipe_BlendTarget, pipe_StencilFace,
                   PIPE_CLIP_DEPTH_NEGATIVE_ONE_TO_ONE, PIPE_CLIP_DEPTH_ZERO_TO_ONE, PIPE_CLIP_ORIGIN_LOWER_LEFT,
                   PIPE_CLIP_ORIGIN_UPPER_LEFT)
from mgpipe.front.context cimport (DIRTY_CLEAR_VALUES, DIRTY_DYNAMIC, DIRTY_PIPELINE, Context, GLbitfield, GLboolean,
                                   GLdouble, GLenum, GLfloat, GLint, GLsizei, GLuint, arm_debug, set_error)

cdef enum:
    DRAW_BUFFERS = 8
    CLIP_DISTANCES = 8
    VIEWPORTS = 16
    ALL_VIEWPORTS = (1 << VIEWPORTS) - 1


cdef inline void put(Context* ctx, uint32_t* field, uint32_t value, uint32_t dirty) noexcept nogil:
    if field[0] != value:
        field[0] = value
        ctx.dirty |= dirty


cdef inline void put_float(Context* ctx, float* field, float value, uint32_t dirty) noexcept nogil:
    if field[0] != value:
        field[0] = value
        ctx.dirty |= dirty


cdef inline float unit_clamped(float value) noexcept nogil:
    return 0.0 if not value > 0.0 else (1.0 if value > 1.0 else value)      # NaN becomes 0


# ------------------------------------------------------------------------------------------------ capabilities

cdef uint32_t* capability(Context* ctx, GLenum cap) noexcept nogil:
    if cap == GL_CULL_FACE: return &ctx.pipeline.cull_enable
    if cap == GL_DEPTH_TEST: return &ctx.pipeline.depth_test
    if cap == GL_STENCIL_TEST: return &ctx.pipeline.stencil_test
    if cap == GL_PROGRAM_POINT_SIZE: return &ctx.pipeline.program_point_size
    if cap == GL_PRIMITIVE_RESTART: return &ctx.restart_index_enabled
    if cap == GL_PRIMITIVE_RESTART_FIXED_INDEX: return &ctx.restart_fixed_enabled
    if cap == GL_COLOR_LOGIC_OP: return &ctx.pipeline.logic_op_enable
    if cap == GL_DEPTH_CLAMP: return &ctx.pipeline.depth_clamp
    if cap == GL_DITHER: return &ctx.pipeline.dither
    if cap == GL_FRAMEBUFFER_SRGB: return &ctx.pipeline.framebuffer_srgb
    if cap == GL_LINE_SMOOTH: return &ctx.pipeline.line_smooth
    if cap == GL_MULTISAMPLE: return &ctx.pipeline.multisample
    if cap == GL_POLYGON_OFFSET_FILL: return &ctx.pipeline.offset_fill
    if cap == GL_POLYGON_OFFSET_LINE: return &ctx.pipeline.offset_line
    if cap == GL_POLYGON_OFFSET_POINT: return &ctx.pipeline.offset_point
    if cap == GL_POLYGON_SMOOTH: return &ctx.pipeline.polygon_smooth
    if cap == GL_RASTERIZER_DISCARD: return &ctx.pipeline.rasterizer_discard
    if cap == GL_SAMPLE_ALPHA_TO_COVERAGE: return &ctx.pipeline.alpha_to_coverage
    if cap == GL_SAMPLE_ALPHA_TO_ONE: return &ctx.pipeline.alpha_to_one
    if cap == GL_SAMPLE_COVERAGE: return &ctx.pipeline.sample_coverage
    if cap == GL_SAMPLE_MASK: return &ctx.pipeline.sample_mask
    if cap == GL_SAMPLE_SHADING: return &ctx.pipeline.sample_shading
    if cap == GL_TEXTURE_CUBE_MAP_SEAMLESS: return &ctx.pipeline.seamless_cube
    return NULL


cdef void set_capability(Context* ctx, GLenum cap, uint32_t on) noexcept nogil:
    cdef uint32_t* field
    cdef uint32_t i, bit
    if cap == GL_BLEND:
        for i in range(DRAW_BUFFERS):
            put(ctx, &ctx.pipeline.blend[i].enable, on, DIRTY_PIPELINE)
        return
    if cap == GL_SCISSOR_TEST:
        put(ctx, &ctx.pipeline.scissor_mask, ALL_VIEWPORTS if on else 0, DIRTY_PIPELINE)
        return
    if GL_CLIP_DISTANCE0 <= cap < GL_CLIP_DISTANCE0 + CLIP_DISTANCES:
        bit = <uint32_t>1 << (cap - GL_CLIP_DISTANCE0)
        put(ctx, &ctx.pipeline.clip_distance_mask,
            ctx.pipeline.clip_distance_mask | bit if on else ctx.pipeline.clip_distance_mask & ~bit, DIRTY_PIPELINE)
        return
    if cap == GL_DEBUG_OUTPUT or cap == GL_DEBUG_OUTPUT_SYNCHRONOUS:
        bit = 1 if cap == GL_DEBUG_OUTPUT else 2        # no verb looks at these: nothing gets dirty
        ctx.debug_flags = ctx.debug_flags | bit if on else ctx.debug_flags & ~bit
        if cap == GL_DEBUG_OUTPUT:
            arm_debug(ctx, on)
        return
    field = capability(ctx, cap)
    if field == NULL:
        set_error(ctx, GL_INVALID_ENUM)
        return
    put(ctx, field, on, DIRTY_PIPELINE)
    if cap == GL_PRIMITIVE_RESTART or cap == GL_PRIMITIVE_RESTART_FIXED_INDEX:
        ctx.pipeline.primitive_restart = (      # with both, the fixed index wins (specification 10.3.6)
            PIPE_RESTART_FIXED if ctx.restart_fixed_enabled
            else PIPE_RESTART_INDEX if ctx.restart_index_enabled else PIPE_RESTART_OFF)


cdef void Enable(Context* ctx, GLenum cap) noexcept nogil:
    set_capability(ctx, cap, 1)


cdef void Disable(Context* ctx, GLenum cap) noexcept nogil:
    set_capability(ctx, cap, 0)


cdef void set_indexed(Context* ctx, GLenum target, GLuint index, uint32_t on) noexcept nogil:
    cdef uint32_t bit
    if target != GL_BLEND and target != GL_SCISSOR_TEST:
        set_error(ctx, GL_INVALID_ENUM)
    elif index >= (DRAW_BUFFERS if target == GL_BLEND else VIEWPORTS):
        set_error(ctx, GL_INVALID_VALUE)
    elif target == GL_BLEND:
        put(ctx, &ctx.pipeline.blend[index].enable, on, DIRTY_PIPELINE)
    else:
        bit = <uint32_t>1 << index
        put(ctx, &ctx.pipeline.scissor_mask,
            ctx.pipeline.scissor_mask | bit if on else ctx.pipeline.scissor_mask & ~bit, DIRTY_PIPELINE)


cdef void Enablei(Context* ctx, GLenum target, GLuint index) noexcept nogil:
    set_indexed(ctx, target, index, 1)


cdef void Disablei(Context* ctx, GLenum target, GLuint index) noexcept nogil:
    set_indexed(ctx, target, index, 0)


# ----------------------------------------------------------------------------------------------------- blending

cdef inline bint is_blend_factor(GLenum factor) noexcept nogil:
    return (factor <= GL_ONE or GL_SRC_COLOR <= factor <= GL_SRC_ALPHA_SATURATE
            or GL_CONSTANT_COLOR <= factor <= GL_ONE_MINUS_CONSTANT_ALPHA or factor == GL_SRC1_ALPHA
            or GL_SRC1_COLOR <= factor <= GL_ONE_MINUS_SRC1_ALPHA)


cdef inline bint is_blend_equation(GLenum mode) noexcept nogil:
    return GL_FUNC_ADD <= mode <= GL_MAX or mode == GL_FUNC_SUBTRACT or mode == GL_FUNC_REVERSE_SUBTRACT


cdef void blend_func(Context* ctx, uint32_t first, uint32_t end, GLenum rgb_src, GLenum rgb_dst, GLenum alpha_src,
                     GLenum alpha_dst) noexcept nogil:
    cdef pipe_BlendTarget* target
    cdef uint32_t i
    if not (is_blend_factor(rgb_src) and is_blend_factor(rgb_dst) and is_blend_factor(alpha_src)
            and is_blend_factor(alpha_dst)):
        set_error(ctx, GL_INVALID_ENUM)
        return
    for i in range(first, end):
        target = &ctx.pipeline.blend[i]
        put(ctx, &target.rgb_src, rgb_src, DIRTY_PIPELINE)
        put(ctx, &target.rgb_dst, rgb_dst, DIRTY_PIPELINE)
        put(ctx, &target.alpha_src, alpha_src, DIRTY_PIPELINE)
        put(ctx, &target.alpha_dst, alpha_dst, DIRTY_PIPELINE)


cdef void blend_equation(Context* ctx, uint32_t first, uint32_t end, GLenum rgb, GLenum alpha) noexcept nogil:
    cdef uint32_t i
    if not (is_blend_equation(rgb) and is_blend_equation(alpha)):
        set_error(ctx, GL_INVALID_ENUM)
        return
    for i in range(first, end):
        put(ctx, &ctx.pipeline.blend[i].rgb_func, rgb, DIRTY_PIPELINE)
        put(ctx, &ctx.pipeline.blend[i].alpha_func, alpha, DIRTY_PIPELINE)


cdef inline bint is_draw_buffer(Context* ctx, GLuint index) noexcept nogil:
    if index >= DRAW_BUFFERS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


cdef void BlendFunc(Context* ctx, GLenum sfactor, GLenum dfactor) noexcept nogil:
    blend_func(ctx, 0, DRAW_BUFFERS, sfactor, dfactor, sfactor, dfactor)


cdef void BlendFuncSeparate(Context* ctx, GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha,
                            GLenum dfactorAlpha) noexcept nogil:
    blend_func(ctx, 0, DRAW_BUFFERS, sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha)


cdef void BlendFunci(Context* ctx, GLuint buf, GLenum src, GLenum dst) noexcept nogil:
    if is_draw_buffer(ctx, buf):
        blend_func(ctx, buf, buf + 1, src, dst, src, dst)


cdef void BlendFuncSeparatei(Context* ctx, GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha,
                             GLenum dstAlpha) noexcept nogil:
    if is_draw_buffer(ctx, buf):
        blend_func(ctx, buf, buf + 1, srcRGB, dstRGB, srcAlpha, dstAlpha)


cdef void BlendEquation(Context* ctx, GLenum mode) noexcept nogil:
    blend_equation(ctx, 0, DRAW_BUFFERS, mode, mode)


cdef void BlendEquationSeparate(Context* ctx, GLenum modeRGB, GLenum modeAlpha) noexcept nogil:
    blend_equation(ctx, 0, DRAW_BUFFERS, modeRGB, modeAlpha)


cdef void BlendEquationi(Context* ctx, GLuint buf, GLenum mode) noexcept nogil:
    if is_draw_buffer(ctx, buf):
        blend_equation(ctx, buf, buf + 1, mode, mode)


cdef void BlendEquationSeparatei(Context* ctx, GLuint buf, GLenum modeRGB, GLenum modeAlpha) noexcept nogil:
    if is_draw_buffer(ctx, buf):
        blend_equation(ctx, buf, buf + 1, modeRGB, modeAlpha)


cdef void BlendColor(Context* ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) noexcept nogil:
    put_float(ctx, &ctx.dynamic.blend_color[0], red, DIRTY_DYNAMIC)
    put_float(ctx, &ctx.dynamic.blend_color[1], green, DIRTY_DYNAMIC)
    put_float(ctx, &ctx.dynamic.blend_color[2], blue, DIRTY_DYNAMIC)
    put_float(ctx, &ctx.dynamic.blend_color[3], alpha, DIRTY_DYNAMIC)


cdef void LogicOp(Context* ctx, GLenum opcode) noexcept nogil:
    if GL_CLEAR <= opcode <= GL_SET:
        put(ctx, &ctx.pipeline.logic_op, opcode, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void color_mask(Context* ctx, uint32_t first, uint32_t end, GLboolean r, GLboolean g, GLboolean b,
                     GLboolean a) noexcept nogil:
    cdef uint32_t mask = (r != 0) | (g != 0) << 1 | (b != 0) << 2 | (a != 0) << 3
    cdef uint32_t i
    for i in range(first, end):
        put(ctx, &ctx.pipeline.blend[i].write_mask, mask, DIRTY_PIPELINE)


cdef void ColorMask(Context* ctx, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) noexcept nogil:
    color_mask(ctx, 0, DRAW_BUFFERS, red, green, blue, alpha)


cdef void ColorMaski(Context* ctx, GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) noexcept nogil:
    if is_draw_buffer(ctx, index):
        color_mask(ctx, index, index + 1, r, g, b, a)


# -------------------------------------------------------------------------------------------- depth and stencil

cdef inline bint is_compare(GLenum func) noexcept nogil:
    return GL_NEVER <= func <= GL_ALWAYS


cdef inline bint is_stencil_op(GLenum op) noexcept nogil:
    return op == GL_ZERO or GL_KEEP <= op <= GL_DECR or op == GL_INVERT or op == GL_INCR_WRAP or op == GL_DECR_WRAP


cdef void DepthFunc(Context* ctx, GLenum func) noexcept nogil:
    if is_compare(func):
        put(ctx, &ctx.pipeline.depth_func, func, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void DepthMask(Context* ctx, GLboolean flag) noexcept nogil:
    put(ctx, &ctx.pipeline.depth_write, flag != 0, DIRTY_PIPELINE)


cdef inline bint stencil_faces(Context* ctx, GLenum face, uint32_t* first, uint32_t* end) noexcept nogil:
    if face != GL_FRONT and face != GL_BACK and face != GL_FRONT_AND_BACK:
        set_error(ctx, GL_INVALID_ENUM)
        return False
    first[0] = 1 if face == GL_BACK else 0
    end[0] = 1 if face == GL_FRONT else 2
    return True


cdef void StencilFunc(Context* ctx, GLenum func, GLint ref, GLuint mask) noexcept nogil:
    StencilFuncSeparate(ctx, GL_FRONT_AND_BACK, func, ref, mask)


cdef void StencilFuncSeparate(Context* ctx, GLenum face, GLenum func, GLint ref, GLuint mask) noexcept nogil:
    cdef uint32_t first, end, i
    if not stencil_faces(ctx, face, &first, &end):
        return
    if not is_compare(func):
        set_error(ctx, GL_INVALID_ENUM)
        return
    for i in range(first, end):
        put(ctx, &ctx.pipeline.stencil[i].func, func, DIRTY_PIPELINE)
        put(ctx, &ctx.pipeline.stencil[i].value_mask, mask, DIRTY_PIPELINE)
        put(ctx, <uint32_t*>&ctx.dynamic.stencil_ref[i], <uint32_t>ref, DIRTY_DYNAMIC)


cdef void StencilOp(Context* ctx, GLenum fail, GLenum zfail, GLenum zpass) noexcept nogil:
    StencilOpSeparate(ctx, GL_FRONT_AND_BACK, fail, zfail, zpass)


cdef void StencilOpSeparate(Context* ctx, GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass) noexcept nogil:
    cdef uint32_t first, end, i
    if not stencil_faces(ctx, face, &first, &end):
        return
    if not (is_stencil_op(sfail) and is_stencil_op(dpfail) and is_stencil_op(dppass)):
        set_error(ctx, GL_INVALID_ENUM)
        return
    for i in range(first, end):
        put(ctx, &ctx.pipeline.stencil[i].fail, sfail, DIRTY_PIPELINE)
        put(ctx, &ctx.pipeline.stencil[i].depth_fail, dpfail, DIRTY_PIPELINE)
        put(ctx, &ctx.pipeline.stencil[i].depth_pass, dppass, DIRTY_PIPELINE)


cdef void StencilMask(Context* ctx, GLuint mask) noexcept nogil:
    StencilMaskSeparate(ctx, GL_FRONT_AND_BACK, mask)


cdef void StencilMaskSeparate(Context* ctx, GLenum face, GLuint mask) noexcept nogil:
    cdef uint32_t first, end, i
    if stencil_faces(ctx, face, &first, &end):
        for i in range(first, end):
            put(ctx, &ctx.pipeline.stencil[i].write_mask, mask, DIRTY_PIPELINE)


# ------------------------------------------------------------------------------------------------ clear values

cdef void ClearColor(Context* ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) noexcept nogil:
    cdef float* color = <float*>ctx.dynamic.clear_color
    put_float(ctx, &color[0], red, DIRTY_CLEAR_VALUES)
    put_float(ctx, &color[1], green, DIRTY_CLEAR_VALUES)
    put_float(ctx, &color[2], blue, DIRTY_CLEAR_VALUES)
    put_float(ctx, &color[3], alpha, DIRTY_CLEAR_VALUES)


cdef void ClearDepth(Context* ctx, GLdouble depth) noexcept nogil:
    depth = 0.0 if not depth > 0.0 else (1.0 if depth > 1.0 else depth)
    if ctx.dynamic.clear_depth != depth:
        ctx.dynamic.clear_depth = depth
        ctx.dirty |= DIRTY_CLEAR_VALUES


cdef void ClearDepthf(Context* ctx, GLfloat d) noexcept nogil:
    ClearDepth(ctx, d)


cdef void ClearStencil(Context* ctx, GLint s) noexcept nogil:
    put(ctx, <uint32_t*>&ctx.dynamic.clear_stencil, <uint32_t>s, DIRTY_CLEAR_VALUES)


# ------------------------------------------------------------------------------------------------ rasterization

cdef void CullFace(Context* ctx, GLenum mode) noexcept nogil:
    if mode == GL_FRONT or mode == GL_BACK or mode == GL_FRONT_AND_BACK:
        put(ctx, &ctx.pipeline.cull_face, mode, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void FrontFace(Context* ctx, GLenum mode) noexcept nogil:
    if mode == GL_CW or mode == GL_CCW:
        put(ctx, &ctx.pipeline.front_face, mode, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void PolygonMode(Context* ctx, GLenum face, GLenum mode) noexcept nogil:
    if face == GL_FRONT_AND_BACK and GL_POINT <= mode <= GL_FILL:       # core has no mode of its own for a face
        put(ctx, &ctx.pipeline.polygon_mode, mode, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void PolygonOffset(Context* ctx, GLfloat factor, GLfloat units) noexcept nogil:
    PolygonOffsetClamp(ctx, factor, units, 0)


cdef void PolygonOffsetClamp(Context* ctx, GLfloat factor, GLfloat units, GLfloat clamp) noexcept nogil:
    put_float(ctx, &ctx.dynamic.offset_factor, factor, DIRTY_DYNAMIC)
    put_float(ctx, &ctx.dynamic.offset_units, units, DIRTY_DYNAMIC)
    put_float(ctx, &ctx.dynamic.offset_clamp, clamp, DIRTY_DYNAMIC)


cdef void ClipControl(Context* ctx, GLenum origin, GLenum depth) noexcept nogil:
    if (origin != GL_LOWER_LEFT and origin != GL_UPPER_LEFT) or (depth != GL_NEGATIVE_ONE_TO_ONE
                                                                 and depth != GL_ZERO_TO_ONE):
        set_error(ctx, GL_INVALID_ENUM)
        return
    put(ctx, &ctx.pipeline.clip_origin, PIPE_CLIP_ORIGIN_UPPER_LEFT if origin == GL_UPPER_LEFT
        else PIPE_CLIP_ORIGIN_LOWER_LEFT, DIRTY_PIPELINE)
    put(ctx, &ctx.pipeline.clip_depth, PIPE_CLIP_DEPTH_ZERO_TO_ONE if depth == GL_ZERO_TO_ONE
        else PIPE_CLIP_DEPTH_NEGATIVE_ONE_TO_ONE, DIRTY_PIPELINE)


cdef void LineWidth(Context* ctx, GLfloat width) noexcept nogil:
    if not width > 0.0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        put_float(ctx, &ctx.dynamic.line_width, width, DIRTY_DYNAMIC)


cdef void PointSize(Context* ctx, GLfloat size) noexcept nogil:
    if not size > 0.0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        put_float(ctx, &ctx.dynamic.point_size, size, DIRTY_DYNAMIC)


cdef void PointParameterf(Context* ctx, GLenum pname, GLfloat param) noexcept nogil:
    if pname == GL_POINT_FADE_THRESHOLD_SIZE:
        if not param >= 0.0:
            set_error(ctx, GL_INVALID_VALUE)
        else:
            ctx.point_fade_threshold = param        # fades nothing in core: kept for glGet alone
    elif pname == GL_POINT_SPRITE_COORD_ORIGIN:
        if param != <float>GL_LOWER_LEFT and param != <float>GL_UPPER_LEFT:
            set_error(ctx, GL_INVALID_VALUE)
        else:
            put(ctx, &ctx.pipeline.point_origin, <uint32_t>param, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void PointParameterfv(Context* ctx, GLenum pname, const GLfloat* params) noexcept nogil:
    PointParameterf(ctx, pname, params[0])


cdef void PointParameteri(Context* ctx, GLenum pname, GLint param) noexcept nogil:
    PointParameterf(ctx, pname, <float>param)       # both enums are below 2^24: exact


cdef void PointParameteriv(Context* ctx, GLenum pname, const GLint* params) noexcept nogil:
    PointParameterf(ctx, pname, <float>params[0])


cdef void SampleCoverage(Context* ctx, GLfloat value, GLboolean invert) noexcept nogil:
    put_float(ctx, &ctx.pipeline.sample_coverage_value, unit_clamped(value), DIRTY_PIPELINE)
    put(ctx, &ctx.pipeline.sample_coverage_invert, invert != 0, DIRTY_PIPELINE)


cdef void SampleMaski(Context* ctx, GLuint maskNumber, GLbitfield mask) noexcept nogil:
    if maskNumber != 0:                             # GL_MAX_SAMPLE_MASK_WORDS is 1
        set_error(ctx, GL_INVALID_VALUE)
    else:
        put(ctx, &ctx.pipeline.sample_mask_value, mask, DIRTY_PIPELINE)


cdef void MinSampleShading(Context* ctx, GLfloat value) noexcept nogil:
    put_float(ctx, &ctx.pipeline.min_sample_shading, unit_clamped(value), DIRTY_PIPELINE)


cdef void ProvokingVertex(Context* ctx, GLenum mode) noexcept nogil:
    if mode == GL_FIRST_VERTEX_CONVENTION or mode == GL_LAST_VERTEX_CONVENTION:
        put(ctx, &ctx.pipeline.provoking_vertex, mode, DIRTY_PIPELINE)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void PrimitiveRestartIndex(Context* ctx, GLuint index) noexcept nogil:
    put(ctx, &ctx.pipeline.restart_index, index, DIRTY_PIPELINE)


cdef void ClampColor(Context* ctx, GLenum target, GLenum clamp) noexcept nogil:
    if target == GL_CLAMP_READ_COLOR and (clamp <= GL_TRUE or clamp == GL_FIXED_ONLY):
        ctx.clamp_read_color = clamp
    else:
        set_error(ctx, GL_INVALID_ENUM)


# ------------------------------------------------------------------------------------------ hints, pixel store

cdef void Hint(Context* ctx, GLenum target, GLenum mode) noexcept nogil:
    cdef uint32_t at
    if target == GL_LINE_SMOOTH_HINT: at = 0
    elif target == GL_POLYGON_SMOOTH_HINT: at = 1
    elif target == GL_TEXTURE_COMPRESSION_HINT: at = 2
    elif target == GL_FRAGMENT_SHADER_DERIVATIVE_HINT: at = 3
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if GL_DONT_CARE <= mode <= GL_NICEST:
        ctx.hints[at] = mode                        # nothing is sent: a driver may ignore hints, and so do we
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef int32_t* pixel_store(Context* ctx, GLenum pname) noexcept nogil:
    if pname == GL_UNPACK_ALIGNMENT: return &ctx.unpack.alignment
    if pname == GL_PACK_ALIGNMENT: return &ctx.pack.alignment
    if pname == GL_UNPACK_ROW_LENGTH: return &ctx.unpack.row_length
    if pname == GL_UNPACK_IMAGE_HEIGHT: return &ctx.unpack.image_height
    if pname == GL_UNPACK_SKIP_ROWS: return &ctx.unpack.skip_rows
    if pname == GL_UNPACK_SKIP_PIXELS: return &ctx.unpack.skip_pixels
    if pname == GL_UNPACK_SKIP_IMAGES: return &ctx.unpack.skip_images
    if pname == GL_UNPACK_SWAP_BYTES: return &ctx.unpack.swap_bytes
    if pname == GL_UNPACK_LSB_FIRST: return &ctx.unpack.lsb_first
    if pname == GL_UNPACK_COMPRESSED_BLOCK_WIDTH: return &ctx.unpack.block_width
    if pname == GL_UNPACK_COMPRESSED_BLOCK_HEIGHT: return &ctx.unpack.block_height
    if pname == GL_UNPACK_COMPRESSED_BLOCK_DEPTH: return &ctx.unpack.block_depth
    if pname == GL_UNPACK_COMPRESSED_BLOCK_SIZE: return &ctx.unpack.block_size
    if pname == GL_PACK_COMPRESSED_BLOCK_WIDTH: return &ctx.pack.block_width
    if pname == GL_PACK_COMPRESSED_BLOCK_HEIGHT: return &ctx.pack.block_height
    if pname == GL_PACK_COMPRESSED_BLOCK_DEPTH: return &ctx.pack.block_depth
    if pname == GL_PACK_COMPRESSED_BLOCK_SIZE: return &ctx.pack.block_size
    if pname == GL_PACK_ROW_LENGTH: return &ctx.pack.row_length
    if pname == GL_PACK_IMAGE_HEIGHT: return &ctx.pack.image_height
    if pname == GL_PACK_SKIP_ROWS: return &ctx.pack.skip_rows
    if pname == GL_PACK_SKIP_PIXELS: return &ctx.pack.skip_pixels
    if pname == GL_PACK_SKIP_IMAGES: return &ctx.pack.skip_images
    if pname == GL_PACK_SWAP_BYTES: return &ctx.pack.swap_bytes
    if pname == GL_PACK_LSB_FIRST: return &ctx.pack.lsb_first
    return NULL


cdef inline bint is_flag_of_pixel_store(GLenum pname) noexcept nogil:
    return (pname == GL_UNPACK_SWAP_BYTES or pname == GL_UNPACK_LSB_FIRST or pname == GL_PACK_SWAP_BYTES
            or pname == GL_PACK_LSB_FIRST)


cdef void PixelStorei(Context* ctx, GLenum pname, GLint param) noexcept nogil:
    cdef int32_t* field = pixel_store(ctx, pname)
    if field == NULL:
        set_error(ctx, GL_INVALID_ENUM)
    elif is_flag_of_pixel_store(pname):
        field[0] = param != 0
    elif pname == GL_UNPACK_ALIGNMENT or pname == GL_PACK_ALIGNMENT:
        if param == 1 or param == 2 or param == 4 or param == 8:
            field[0] = param
        else:
            set_error(ctx, GL_INVALID_VALUE)
    elif param < 0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        field[0] = param


cdef void PixelStoref(Context* ctx, GLenum pname, GLfloat param) noexcept nogil:
    PixelStorei(ctx, pname, param != 0.0 if is_flag_of_pixel_store(pname) else <GLint>lrintf(param))
