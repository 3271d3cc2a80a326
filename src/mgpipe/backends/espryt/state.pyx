# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Render state, applied by difference: what was applied last is kept whole and compared group by group.

Where the driver's state is unknown (`known` is false) every group is applied. OpenGL ES lacks some of OpenGL's state;
what only matters when it is used is refused by name there, and what has no effect is passed over.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memcmp, memcpy, memset
from driver_gl cimport *
from pipe cimport *
from pipe_snapshot cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES, driver_has
from mgpipe.backends.host cimport LOG_WARNING
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.host cimport needs


cdef void install_state(BackEnd* table) noexcept nogil:
    table.create_render_state = create_render_state
    table.bind_render_state = bind_render_state
    table.delete_render_state = delete_render_state
    table.set_dynamic_state = set_dynamic_state
    table.set_patch_state = set_patch_state


cdef void create_render_state(void* self, const pipe_create_render_state* p, void* cso) noexcept nogil:
    (<RenderState*>cso).serial = new_serial(<Espryt*>self)
    (<RenderState*>cso).state = p.state


cdef void bind_render_state(void* self, const pipe_bind_render_state* p, void* cso) noexcept nogil:
    cdef Context* ctx = (<Espryt*>self).bound
    if ctx != NULL:
        ctx.render_state = ref_to(cso)
        ctx.dirty |= DIRTY_PIPELINE


cdef void delete_render_state(void* self, const pipe_delete_render_state* p, void* cso) noexcept nogil:
    """Its place is forgotten by the applier; a context that still has it bound sees a dead Ref."""


cdef void set_dynamic_state(void* self, const pipe_set_dynamic_state* p, const pipe_DynamicChunk* chunks,
                            const uint8_t* bytes) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef uint32_t i, at = 0
    if ctx == NULL:
        return
    for i in range(p.chunk_count):
        if (chunks[i].size > sizeof(pipe_DynamicState) or chunks[i].offset > sizeof(pipe_DynamicState) - chunks[i].size
                or chunks[i].size > p.byte_count - at):
            es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"set_dynamic_state.chunks")
            return
        memcpy(<uint8_t*>&ctx.dynamic + chunks[i].offset, bytes + at, chunks[i].size)
        at += chunks[i].size
    ctx.dirty |= DIRTY_DYNAMIC


cdef void set_patch_state(void* self, const pipe_set_patch_state* p) noexcept nogil:
    """ES has no default levels: there a generated stage writes them (variants.pyx)."""
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    if ctx == NULL:
        return
    if p.vertices:
        gl_of(es).PatchParameteri(GL_PATCH_VERTICES, p.vertices)
        ctx.patch_vertices = p.vertices
    memcpy(ctx.patch_levels, p.outer, sizeof(p.outer))
    memcpy(ctx.patch_levels + 4, p.inner, sizeof(p.inner))
    ctx.dirty |= DIRTY_PROGRAM
    if es.driver.dialect == DIALECT_GL:
        gl_of(es).PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, p.outer)
        gl_of(es).PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, p.inner)


# -- the pipeline

cdef bint apply_state(Espryt* es, Context* ctx, const char* call) noexcept nogil:
    cdef RenderState* wanted
    needs(es.host, PIPE_SECTION_PIPELINE, b"pipeline")
    needs(es.host, PIPE_SECTION_DYNAMIC, b"dynamic")
    if ctx.dirty & DIRTY_PIPELINE:
        wanted = <RenderState*>alive(&ctx.render_state)
        if wanted == NULL:
            es.host.fault(es.host.self, PIPE_FAULT_NOT_SUPPLIED, b"render state")
            return False
        if not ctx.known or ctx.pipeline_serial != wanted.serial:
            if not expressible(es, &wanted.state, call):
                return False
            apply_pipeline(es, ctx, &wanted.state)
            ctx.pipeline_serial = wanted.serial
    if ctx.dirty & DIRTY_DYNAMIC or not ctx.known:
        apply_dynamic(es, ctx)
    ctx.known = True
    ctx.dirty &= ~<uint32_t>(DIRTY_PIPELINE | DIRTY_DYNAMIC)
    return True


cdef bint expressible(Espryt* es, const pipe_PipelineState* s, const char* call) noexcept nogil:
    cdef const char* missing = NULL
    if (s.clip_origin or s.clip_depth) and gl_of(es).ClipControl == NULL:
        missing = b"another clip origin or depth range, on a driver without clip control"
    if es.driver.dialect == DIALECT_GL and missing == NULL:
        return True
    if missing != NULL:
        pass
    elif s.depth_clamp and not driver_has(&es.driver, b"GL_EXT_depth_clamp"):
        missing = b"depth clamp on OpenGL ES without EXT_depth_clamp"
    elif s.clip_distance_mask and not driver_has(&es.driver, b"GL_EXT_clip_cull_distance"):
        missing = b"clip distances on OpenGL ES without EXT_clip_cull_distance"
    elif blends_with_second(s) and not driver_has(&es.driver, b"GL_EXT_blend_func_extended"):
        missing = b"blending with a second source on OpenGL ES without EXT_blend_func_extended"
    if missing != NULL:
        es.host.unimplemented(es.host.self, call, missing)
        return False
    if s.line_smooth or s.polygon_smooth:
        deviates(es, DEVIATION_SMOOTH, b"smooth_edges")
    if s.offset_line or s.offset_point:
        deviates(es, DEVIATION_OFFSET, b"polygon_offset_line_point")
    if not s.multisample and not driver_has(&es.driver, b"GL_EXT_multisample_compatibility"):
        deviates(es, DEVIATION_MULTISAMPLE, b"multisample_off")
    if es.wide_targets and blends_with_alpha(s):
        deviates(es, DEVIATION_WIDE, b"wide_alpha")
    return True


cdef bint blends_with_second(const pipe_PipelineState* s) noexcept nogil:
    cdef const pipe_BlendTarget* t = &s.blend[0]        # the only one that has a second source
    return t.enable and (is_second(t.rgb_src) or is_second(t.rgb_dst) or is_second(t.alpha_src) or is_second(t.alpha_dst))


cdef inline bint is_second(GLenum factor) noexcept nogil:
    return (factor == GL_SRC1_COLOR or factor == GL_ONE_MINUS_SRC1_COLOR or factor == GL_SRC1_ALPHA
            or factor == GL_ONE_MINUS_SRC1_ALPHA)


cdef bint blends_with_alpha(const pipe_PipelineState* s) noexcept nogil:
    cdef const pipe_BlendTarget* t
    cdef uint32_t i
    for i in range(COLORS):
        t = &s.blend[i]
        if t.enable and (of_alpha(t.rgb_src) or of_alpha(t.rgb_dst)):
            return True
    return False


cdef inline bint of_alpha(GLenum factor) noexcept nogil:
    return factor == GL_DST_ALPHA or factor == GL_ONE_MINUS_DST_ALPHA or factor == GL_SRC_ALPHA_SATURATE


cdef enum:                          # bits of es.deviations
    DEVIATION_SMOOTH = 1
    DEVIATION_OFFSET = 2
    DEVIATION_MULTISAMPLE = 4
    DEVIATION_WIDE = 8


cdef void deviates(Espryt* es, uint32_t bit, const char* name) noexcept nogil:
    """What is drawn differs from OpenGL's picture as catalogue/deviations.py says: told once."""
    cdef char message[160]
    if es.deviations & bit:
        return
    es.deviations |= bit
    snprintf(message, sizeof(message), "on OpenGL ES this picture deviates: %s (docs/coverage.md says how)", name)
    es.host.log(es.host.self, LOG_WARNING, message)


cdef inline void enable(GL* gl, GLenum what, bint on) noexcept nogil:
    if on:
        gl.Enable(what)
    else:
        gl.Disable(what)


cdef void apply_pipeline(Espryt* es, Context* ctx, const pipe_PipelineState* s) noexcept nogil:
    cdef pipe_PipelineState* was = &ctx.pipeline
    cdef bint all = not ctx.known
    if all or memcmp(s.blend, was.blend, sizeof(s.blend)) != 0 or s.logic_op_enable != was.logic_op_enable:
        apply_blend(es, ctx, s, all)
        memcpy(was.blend, s.blend, sizeof(s.blend))
    if all or memcmp(s.stencil, was.stencil, sizeof(pipe_PipelineState) - sizeof(s.blend)) != 0:
        apply_beside_blend(es, ctx, s, all)


cdef void apply_beside_blend(Espryt* es, Context* ctx, const pipe_PipelineState* s, bint all) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef pipe_PipelineState* was = &ctx.pipeline
    if all or s.stencil_test != was.stencil_test or memcmp(s.stencil, was.stencil, sizeof(s.stencil)) != 0:
        apply_stencil(gl, ctx, s)
    if all or s.depth_test != was.depth_test:
        enable(gl, GL_DEPTH_TEST, s.depth_test)
    if all or s.depth_write != was.depth_write:
        gl.DepthMask(s.depth_write)
    if all or s.depth_func != was.depth_func:
        gl.DepthFunc(s.depth_func)
    if all or s.cull_enable != was.cull_enable:
        enable(gl, GL_CULL_FACE, s.cull_enable)
    if all or s.cull_face != was.cull_face:
        gl.CullFace(s.cull_face)
    if all or s.front_face != was.front_face:
        gl.FrontFace(s.front_face)
    if all or s.offset_fill != was.offset_fill:
        enable(gl, GL_POLYGON_OFFSET_FILL, s.offset_fill)
    if all or s.scissor_mask != was.scissor_mask:
        apply_scissor_mask(es, s.scissor_mask)
    if all or s.rasterizer_discard != was.rasterizer_discard:
        enable(gl, GL_RASTERIZER_DISCARD, s.rasterizer_discard)
    if all or memcmp(&s.alpha_to_coverage, &was.alpha_to_coverage, MULTISAMPLE_GROUP) != 0:
        apply_multisample(es, s)
    if all or s.dither != was.dither:
        enable(gl, GL_DITHER, s.dither)
    if es.driver.dialect == DIALECT_GL:
        apply_desktop(gl, s, was, all)
    else:
        apply_es(es, s, was, all)
    if s.clip_distance_mask != was.clip_distance_mask or all:
        apply_clip_distances(es, s.clip_distance_mask, (was.clip_distance_mask if not all else
                             ~s.clip_distance_mask if es.driver.dialect == DIALECT_GL else 0))
    memcpy(was, s, sizeof(pipe_PipelineState))


# alpha_to_coverage … min_sample_shading lie side by side.
cdef enum:
    MULTISAMPLE_GROUP = 9 * 4


cdef void apply_blend(Espryt* es, Context* ctx, const pipe_PipelineState* s, bint all) noexcept nogil:
    """Most programs blend all targets alike: then the calls without an index, which every driver has fast paths for."""
    cdef GL* gl = gl_of(es)
    cdef const pipe_BlendTarget* t = &s.blend[0]
    cdef uint32_t i
    cdef bint same = True
    # A logic operation takes the place of blending; in ES a shader does it.
    cdef bint blends = not s.logic_op_enable or es.driver.dialect == DIALECT_GL
    cdef const pipe_BlendTarget* was = &ctx.pipeline.blend[0]
    for i in range(1, COLORS):
        same = same and memcmp(&s.blend[i], t, sizeof(pipe_BlendTarget)) == 0
    all = all or ctx.blends_alike != <uint32_t>same
    ctx.blends_alike = same
    if same:
        if all or t.enable != was.enable or s.logic_op_enable != ctx.pipeline.logic_op_enable:
            enable(gl, GL_BLEND, t.enable and blends)
        if all or t.rgb_func != was.rgb_func or t.alpha_func != was.alpha_func:
            gl.BlendEquationSeparate(t.rgb_func, t.alpha_func)
        if all or memcmp(&t.rgb_src, &was.rgb_src, 4 * sizeof(t.rgb_src)) != 0:
            gl.BlendFuncSeparate(t.rgb_src, t.rgb_dst, t.alpha_src, t.alpha_dst)
        if all or t.write_mask != was.write_mask:
            gl.ColorMask(t.write_mask & 1, t.write_mask >> 1 & 1, t.write_mask >> 2 & 1, t.write_mask >> 3 & 1)
        return
    for i in range(COLORS):
        t = &s.blend[i]
        if not all and memcmp(t, &ctx.pipeline.blend[i], sizeof(pipe_BlendTarget)) == 0:
            continue
        if t.enable and blends:
            gl.Enablei(GL_BLEND, i)
        else:
            gl.Disablei(GL_BLEND, i)
        gl.BlendEquationSeparatei(i, t.rgb_func, t.alpha_func)
        gl.BlendFuncSeparatei(i, t.rgb_src, t.rgb_dst, t.alpha_src, t.alpha_dst)
        gl.ColorMaski(i, t.write_mask & 1, t.write_mask >> 1 & 1, t.write_mask >> 2 & 1, t.write_mask >> 3 & 1)


cdef void apply_stencil(GL* gl, Context* ctx, const pipe_PipelineState* s) noexcept nogil:
    cdef GLenum* faces = [GL_FRONT, GL_BACK]
    cdef const pipe_StencilFace* f
    cdef uint32_t i
    enable(gl, GL_STENCIL_TEST, s.stencil_test)
    for i in range(2):
        f = &s.stencil[i]
        gl.StencilFuncSeparate(faces[i], f.func, ctx.dynamic.stencil_ref[i], f.value_mask)
        gl.StencilOpSeparate(faces[i], f.fail, f.depth_fail, f.depth_pass)
        gl.StencilMaskSeparate(faces[i], f.write_mask)
    memcpy(ctx.applied_dynamic.stencil_ref, ctx.dynamic.stencil_ref, sizeof(ctx.dynamic.stencil_ref))


cdef void apply_scissor_mask(Espryt* es, uint32_t mask) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint32_t i
    if mask & 0xFFFF == 0 or mask & 0xFFFF == 0xFFFF or gl.ScissorIndexed == NULL:
        enable(gl, GL_SCISSOR_TEST, mask & 1)
        return
    for i in range(16):
        if mask >> i & 1:
            gl.Enablei(GL_SCISSOR_TEST, i)
        else:
            gl.Disablei(GL_SCISSOR_TEST, i)


cdef void apply_multisample(Espryt* es, const pipe_PipelineState* s) noexcept nogil:
    cdef GL* gl = gl_of(es)
    enable(gl, GL_SAMPLE_ALPHA_TO_COVERAGE, s.alpha_to_coverage)
    enable(gl, GL_SAMPLE_COVERAGE, s.sample_coverage)
    gl.SampleCoverage(s.sample_coverage_value, s.sample_coverage_invert)
    enable(gl, GL_SAMPLE_MASK, s.sample_mask)
    gl.SampleMaski(0, s.sample_mask_value)
    enable(gl, GL_SAMPLE_SHADING, s.sample_shading)
    gl.MinSampleShading(s.min_sample_shading)
    if es.driver.dialect == DIALECT_GL or driver_has(&es.driver, b"GL_EXT_multisample_compatibility"):
        enable(gl, GL_SAMPLE_ALPHA_TO_ONE, s.alpha_to_one)


cdef void apply_desktop(GL* gl, const pipe_PipelineState* s, const pipe_PipelineState* was, bint all) noexcept nogil:
    if all or s.polygon_mode != was.polygon_mode:
        gl.PolygonMode(GL_FRONT_AND_BACK, s.polygon_mode)
    if all or s.offset_line != was.offset_line or s.offset_point != was.offset_point:
        enable(gl, GL_POLYGON_OFFSET_LINE, s.offset_line)
        enable(gl, GL_POLYGON_OFFSET_POINT, s.offset_point)
    if all or s.depth_clamp != was.depth_clamp:
        enable(gl, GL_DEPTH_CLAMP, s.depth_clamp)
    if all or s.multisample != was.multisample:
        enable(gl, GL_MULTISAMPLE, s.multisample)
    if all or s.logic_op_enable != was.logic_op_enable or s.logic_op != was.logic_op:
        enable(gl, GL_COLOR_LOGIC_OP, s.logic_op_enable)
        gl.LogicOp(s.logic_op)
    if all or s.framebuffer_srgb != was.framebuffer_srgb:
        enable(gl, GL_FRAMEBUFFER_SRGB, s.framebuffer_srgb)
    if all or s.line_smooth != was.line_smooth or s.polygon_smooth != was.polygon_smooth:
        enable(gl, GL_LINE_SMOOTH, s.line_smooth)
        enable(gl, GL_POLYGON_SMOOTH, s.polygon_smooth)
    if all or s.program_point_size != was.program_point_size:
        enable(gl, GL_PROGRAM_POINT_SIZE, s.program_point_size)
    if all or s.seamless_cube != was.seamless_cube:
        enable(gl, GL_TEXTURE_CUBE_MAP_SEAMLESS, s.seamless_cube)
    if all or s.primitive_restart != was.primitive_restart or s.restart_index != was.restart_index:
        enable(gl, GL_PRIMITIVE_RESTART_FIXED_INDEX, s.primitive_restart == PIPE_RESTART_FIXED)
        enable(gl, GL_PRIMITIVE_RESTART, s.primitive_restart == PIPE_RESTART_INDEX)
        gl.PrimitiveRestartIndex(s.restart_index)
    if all or s.provoking_vertex != was.provoking_vertex:
        gl.ProvokingVertex(s.provoking_vertex)
    if all or s.point_origin != was.point_origin:
        gl.PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, s.point_origin)
    apply_clip_control(gl, s, was, all)


cdef void apply_clip_control(GL* gl, const pipe_PipelineState* s, const pipe_PipelineState* was,
                             bint all) noexcept nogil:
    if gl.ClipControl != NULL and (all or s.clip_origin != was.clip_origin or s.clip_depth != was.clip_depth):
        gl.ClipControl(GL_UPPER_LEFT if s.clip_origin else GL_LOWER_LEFT,
                       GL_ZERO_TO_ONE if s.clip_depth else GL_NEGATIVE_ONE_TO_ONE)


cdef void apply_es(Espryt* es, const pipe_PipelineState* s, const pipe_PipelineState* was, bint all) noexcept nogil:
    """Only where an extension brought the state. Point size is always the shader's, and cube maps always seamless.

    Primitive restart depends on the type of the indices: draws.pyx."""
    cdef GL* gl = gl_of(es)
    if gl.PolygonMode != NULL and (all or s.polygon_mode != was.polygon_mode):
        gl.PolygonMode(GL_FRONT_AND_BACK, s.polygon_mode)
    if (all or s.depth_clamp != was.depth_clamp) and driver_has(&es.driver, b"GL_EXT_depth_clamp"):
        enable(gl, GL_DEPTH_CLAMP, s.depth_clamp)
    if (all or s.multisample != was.multisample) and driver_has(&es.driver, b"GL_EXT_multisample_compatibility"):
        enable(gl, GL_MULTISAMPLE, s.multisample)
    # ES writes sRGB by default and OpenGL does not.
    if (all or s.framebuffer_srgb != was.framebuffer_srgb) and driver_has(&es.driver, b"GL_EXT_sRGB_write_control"):
        enable(gl, GL_FRAMEBUFFER_SRGB, s.framebuffer_srgb)
    apply_clip_control(gl, s, was, all)


cdef void apply_clip_distances(Espryt* es, uint32_t mask, uint32_t was) noexcept nogil:
    cdef uint32_t i
    for i in range(8):
        if (mask ^ was) >> i & 1:
            enable(gl_of(es), GL_CLIP_DISTANCE0 + i, mask >> i & 1)


# -- dynamic state

cdef void apply_dynamic(Espryt* es, Context* ctx) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef pipe_DynamicState* d = &ctx.dynamic
    cdef pipe_DynamicState* was = &ctx.applied_dynamic
    cdef bint all = not ctx.known
    if all or memcmp(d.viewports, was.viewports, sizeof(d.viewports)) != 0:
        apply_viewports(es, d, was, all)
    if all or memcmp(d.scissors, was.scissors, sizeof(d.scissors)) != 0:
        apply_scissors(es, d, was, all)
    if all or memcmp(d.blend_color, was.blend_color, sizeof(d.blend_color)) != 0:
        gl.BlendColor(d.blend_color[0], d.blend_color[1], d.blend_color[2], d.blend_color[3])
    if memcmp(d.stencil_ref, was.stencil_ref, sizeof(d.stencil_ref)) != 0:
        gl.StencilFuncSeparate(GL_FRONT, ctx.pipeline.stencil[0].func, d.stencil_ref[0], ctx.pipeline.stencil[0].value_mask)
        gl.StencilFuncSeparate(GL_BACK, ctx.pipeline.stencil[1].func, d.stencil_ref[1], ctx.pipeline.stencil[1].value_mask)
    if all or d.line_width != was.line_width:
        gl.LineWidth(d.line_width)
    if (all or d.point_size != was.point_size) and es.driver.dialect == DIALECT_GL:
        gl.PointSize(d.point_size)
    if all or d.offset_factor != was.offset_factor or d.offset_units != was.offset_units \
            or d.offset_clamp != was.offset_clamp:
        apply_polygon_offset(es, d)
    memcpy(was, d, sizeof(pipe_DynamicState))


cdef void apply_polygon_offset(Espryt* es, const pipe_DynamicState* d) noexcept nogil:
    if d.offset_clamp == 0:
        gl_of(es).PolygonOffset(d.offset_factor, d.offset_units)
    elif gl_of(es).PolygonOffsetClamp != NULL:
        gl_of(es).PolygonOffsetClamp(d.offset_factor, d.offset_units, d.offset_clamp)
    else:
        es.host.unimplemented(es.host.self, b"set_dynamic_state", b"a clamped polygon offset on this driver")
        gl_of(es).PolygonOffset(d.offset_factor, d.offset_units)


cdef void apply_viewports(Espryt* es, const pipe_DynamicState* d, const pipe_DynamicState* was, bint all) noexcept nogil:
    """The calls without an index set all sixteen; only shaders that choose a viewport make them differ."""
    cdef GL* gl = gl_of(es)
    cdef const pipe_Viewport* v = &d.viewports[0]
    cdef uint32_t i
    cdef bint same = True
    for i in range(1, 16):
        same = same and memcmp(&d.viewports[i], v, sizeof(pipe_Viewport)) == 0
    if gl.ViewportIndexedf == NULL or (
            same and v.x == <GLint>v.x and v.y == <GLint>v.y and v.width == <GLint>v.width and v.height == <GLint>v.height):
        gl.Viewport(<GLint>v.x, <GLint>v.y, <GLsizei>v.width, <GLsizei>v.height)
        gl.DepthRangef(<float>v.near, <float>v.far)
        return
    for i in range(16):
        v = &d.viewports[i]
        if all or memcmp(v, &was.viewports[i], sizeof(pipe_Viewport)) != 0:
            gl.ViewportIndexedf(i, v.x, v.y, v.width, v.height)
            if gl.DepthRangeIndexed != NULL:
                gl.DepthRangeIndexed(i, v.near, v.far)
            else:
                gl.DepthRangeIndexedf(i, <float>v.near, <float>v.far)


cdef void apply_scissors(Espryt* es, const pipe_DynamicState* d, const pipe_DynamicState* was, bint all) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef const pipe_Rect* r = &d.scissors[0]
    cdef uint32_t i
    cdef bint same = True
    for i in range(1, 16):
        same = same and memcmp(&d.scissors[i], r, sizeof(pipe_Rect)) == 0
    if same or gl.ScissorIndexed == NULL:
        gl.Scissor(r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0)
        return
    for i in range(16):
        r = &d.scissors[i]
        if all or memcmp(r, &was.scissors[i], sizeof(pipe_Rect)) != 0:
            gl.ScissorIndexed(i, r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0)
