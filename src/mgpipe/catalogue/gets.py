"""What glGet* answers: each value's name, kind, and where it lives. Limits are the rows of limits.py, on top of these.

Kinds say how a value converts (specification 2.2.2): `bool`, `int` (numbers, enumerants, names), `uint` (masks: as an int,
the same bits), `float` (rounded as an int), `unit` (colours and depths: as an int, 1.0 is the largest), `double` likewise
`unit_double`. Several expressions, separated by `;`, are the components.
"""

from typing import NamedTuple


class Get(NamedTuple):
    name: str
    kind: str
    where: str


P, D = "ctx.pipeline.", "ctx.dynamic."

CAPABILITIES = """
    GL_CULL_FACE GL_DEPTH_TEST GL_STENCIL_TEST GL_PROGRAM_POINT_SIZE GL_PRIMITIVE_RESTART
    GL_PRIMITIVE_RESTART_FIXED_INDEX GL_COLOR_LOGIC_OP GL_DEPTH_CLAMP GL_DITHER GL_FRAMEBUFFER_SRGB GL_LINE_SMOOTH
    GL_MULTISAMPLE GL_POLYGON_OFFSET_FILL GL_POLYGON_OFFSET_LINE GL_POLYGON_OFFSET_POINT GL_POLYGON_SMOOTH
    GL_RASTERIZER_DISCARD GL_SAMPLE_ALPHA_TO_COVERAGE GL_SAMPLE_ALPHA_TO_ONE GL_SAMPLE_COVERAGE GL_SAMPLE_MASK
    GL_SAMPLE_SHADING GL_TEXTURE_CUBE_MAP_SEAMLESS""".split()

PIXEL_STORE = [f"GL_{end}_{what}" for end in ("PACK", "UNPACK")
               for what in ("SWAP_BYTES", "LSB_FIRST", "ROW_LENGTH", "IMAGE_HEIGHT", "SKIP_ROWS", "SKIP_PIXELS",
                            "SKIP_IMAGES", "ALIGNMENT", "COMPRESSED_BLOCK_WIDTH", "COMPRESSED_BLOCK_HEIGHT",
                            "COMPRESSED_BLOCK_DEPTH", "COMPRESSED_BLOCK_SIZE")]

TEXTURE_BINDINGS = ("1D", "2D", "3D", "1D_ARRAY", "2D_ARRAY", "RECTANGLE", "CUBE_MAP", "CUBE_MAP_ARRAY", "BUFFER", "2D_MULTISAMPLE",
                    "2D_MULTISAMPLE_ARRAY")
INDEX_OF_BINDING = {"CUBE_MAP": "CUBE", "CUBE_MAP_ARRAY": "CUBE_ARRAY"}

VALUES: tuple[Get, ...] = (
    *(Get(name, "bool", f"capability(ctx, {name})[0]") for name in CAPABILITIES),
    *(Get(name, "bool" if name.endswith(("BYTES", "FIRST")) else "int", f"pixel_store(ctx, {name})[0]")
      for name in PIXEL_STORE),
    # -- blending and colour
    Get("GL_BLEND", "bool", P + "blend[0].enable"),
    Get("GL_BLEND_SRC_RGB", "int", P + "blend[0].rgb_src"),
    Get("GL_BLEND_SRC_ALPHA", "int", P + "blend[0].alpha_src"),
    Get("GL_BLEND_DST_RGB", "int", P + "blend[0].rgb_dst"),
    Get("GL_BLEND_DST_ALPHA", "int", P + "blend[0].alpha_dst"),
    Get("GL_BLEND_SRC", "int", P + "blend[0].rgb_src"),
    Get("GL_BLEND_DST", "int", P + "blend[0].rgb_dst"),
    Get("GL_BLEND_EQUATION_RGB", "int", P + "blend[0].rgb_func"),
    Get("GL_BLEND_EQUATION_ALPHA", "int", P + "blend[0].alpha_func"),
    Get("GL_BLEND_COLOR", "unit", ";".join(f"{D}blend_color[{i}]" for i in range(4))),
    Get("GL_COLOR_WRITEMASK", "bool", ";".join(f"{P}blend[0].write_mask >> {i} & 1" for i in range(4))),
    Get("GL_COLOR_CLEAR_VALUE", "unit", ";".join(f"(<float*>{D}clear_color)[{i}]" for i in range(4))),
    Get("GL_LOGIC_OP_MODE", "int", P + "logic_op"),
    Get("GL_CLAMP_READ_COLOR", "int", "ctx.clamp_read_color"),
    # -- depth and stencil
    Get("GL_DEPTH_FUNC", "int", P + "depth_func"),
    Get("GL_DEPTH_WRITEMASK", "bool", P + "depth_write"),
    Get("GL_DEPTH_RANGE", "unit", D + "viewports[0].near;" + D + "viewports[0].far"),
    Get("GL_DEPTH_CLEAR_VALUE", "unit", D + "clear_depth"),
    Get("GL_STENCIL_CLEAR_VALUE", "int", D + "clear_stencil"),
    *(Get(f"GL_STENCIL_{side}{name}", kind, f"{where}[{face}]{member}")
      for side, face in (("", 0), ("BACK_", 1))
      for name, kind, where, member in (
          ("FUNC", "int", P + "stencil", ".func"), ("FAIL", "int", P + "stencil", ".fail"),
          ("PASS_DEPTH_FAIL", "int", P + "stencil", ".depth_fail"), ("PASS_DEPTH_PASS", "int", P + "stencil", ".depth_pass"),
          ("VALUE_MASK", "uint", P + "stencil", ".value_mask"), ("WRITEMASK", "uint", P + "stencil", ".write_mask"),
          ("REF", "int", D + "stencil_ref", ""))),
    # -- tessellation
    Get("GL_MAX_SUBROUTINES", "int", "256"),
    Get("GL_MAX_SUBROUTINE_UNIFORM_LOCATIONS", "int", "1024"),
    Get("GL_MAX_UNIFORM_LOCATIONS", "int", "4096"),             # of those that a source gives: shaders/compiler.py
    Get("GL_PATCH_VERTICES", "int", "ctx.patches.vertices"),
    Get("GL_PATCH_DEFAULT_OUTER_LEVEL", "float", ";".join(f"ctx.patches.outer[{i}]" for i in range(4))),
    Get("GL_PATCH_DEFAULT_INNER_LEVEL", "float", ";".join(f"ctx.patches.inner[{i}]" for i in range(2))),
    # -- rectangles, rasterization
    Get("GL_SCISSOR_TEST", "bool", P + "scissor_mask & 1"),
    Get("GL_VIEWPORT_BOUNDS_RANGE", "float", "-32768;32767"),
    Get("GL_CLIP_ORIGIN", "int", "GL_UPPER_LEFT if " + P + "clip_origin else GL_LOWER_LEFT"),
    Get("GL_CLIP_DEPTH_MODE", "int", "GL_ZERO_TO_ONE if " + P + "clip_depth else GL_NEGATIVE_ONE_TO_ONE"),
    Get("GL_POLYGON_OFFSET_CLAMP", "float", D + "offset_clamp"),
    Get("GL_VIEWPORT", "float", ";".join(f"{D}viewports[0].{m}" for m in ("x", "y", "width", "height"))),
    Get("GL_SCISSOR_BOX", "int", f"{D}scissors[0].x0;{D}scissors[0].y0;{D}scissors[0].x1 - {D}scissors[0].x0;"
                                 f"{D}scissors[0].y1 - {D}scissors[0].y0"),
    Get("GL_CULL_FACE_MODE", "int", P + "cull_face"),
    Get("GL_FRONT_FACE", "int", P + "front_face"),
    Get("GL_POLYGON_MODE", "int", P + "polygon_mode;" + P + "polygon_mode"),
    Get("GL_POLYGON_OFFSET_FACTOR", "float", D + "offset_factor"),
    Get("GL_POLYGON_OFFSET_UNITS", "float", D + "offset_units"),
    Get("GL_LINE_WIDTH", "float", D + "line_width"),
    Get("GL_POINT_SIZE", "float", D + "point_size"),
    Get("GL_POINT_FADE_THRESHOLD_SIZE", "float", "ctx.point_fade_threshold"),
    Get("GL_POINT_SPRITE_COORD_ORIGIN", "int", P + "point_origin"),
    Get("GL_PROVOKING_VERTEX", "int", P + "provoking_vertex"),
    Get("GL_PRIMITIVE_RESTART_INDEX", "uint", P + "restart_index"),
    Get("GL_SAMPLE_COVERAGE_VALUE", "float", P + "sample_coverage_value"),
    Get("GL_SAMPLE_COVERAGE_INVERT", "bool", P + "sample_coverage_invert"),
    Get("GL_SAMPLE_MASK_VALUE", "uint", P + "sample_mask_value"),
    Get("GL_MIN_SAMPLE_SHADING_VALUE", "float", P + "min_sample_shading"),
    # -- hints
    *(Get(name, "int", f"ctx.hints[{i}]") for i, name in enumerate(
        ("GL_LINE_SMOOTH_HINT", "GL_POLYGON_SMOOTH_HINT", "GL_TEXTURE_COMPRESSION_HINT",
         "GL_FRAGMENT_SHADER_DERIVATIVE_HINT"))),
    # -- bindings
    Get("GL_ACTIVE_TEXTURE", "int", "GL_TEXTURE0 + ctx.active_unit"),
    *(Get(f"GL_TEXTURE_BINDING_{name}", "int", f"texture_name(ctx, INDEX_{INDEX_OF_BINDING.get(name, name)})")
      for name in TEXTURE_BINDINGS),
    Get("GL_SAMPLER_BINDING", "int", "sampler_name(ctx)"),
    Get("GL_ARRAY_BUFFER_BINDING", "int", "buffer_name(ctx.array_buffer)"),
    Get("GL_ELEMENT_ARRAY_BUFFER_BINDING", "int", "buffer_name(ctx.vertex_array.elements)"),
    Get("GL_COPY_READ_BUFFER_BINDING", "int", "buffer_name(ctx.copy_read_buffer)"),
    Get("GL_COPY_WRITE_BUFFER_BINDING", "int", "buffer_name(ctx.copy_write_buffer)"),
    Get("GL_PIXEL_PACK_BUFFER_BINDING", "int", "buffer_name(ctx.pixel_pack_buffer)"),
    Get("GL_PIXEL_UNPACK_BUFFER_BINDING", "int", "buffer_name(ctx.pixel_unpack_buffer)"),
    Get("GL_TEXTURE_BUFFER_BINDING", "int", "buffer_name(ctx.texture_buffer)"),
    Get("GL_UNIFORM_BUFFER_BINDING", "int", "buffer_name(ctx.uniform_buffer)"),
    Get("GL_TRANSFORM_FEEDBACK_BUFFER_BINDING", "int", "buffer_name(ctx.feedback_buffer)"),
    Get("GL_QUERY_BUFFER_BINDING", "int", "buffer_name(ctx.query_buffer)"),
    Get("GL_TIMESTAMP", "int", "timestamp(ctx)"),
    Get("GL_TRANSFORM_FEEDBACK_BINDING", "int", "ctx.feedback.name"),
    Get("GL_TRANSFORM_FEEDBACK_PAUSED", "bool", "ctx.feedback.paused"),
    Get("GL_TRANSFORM_FEEDBACK_ACTIVE", "bool", "ctx.feedback.active"),
    Get("GL_MAX_TRANSFORM_FEEDBACK_BUFFERS", "int", "ctx.session.caps.max_transform_feedback_separate_attribs"),
    Get("GL_SHADER_STORAGE_BUFFER_BINDING", "int", "buffer_name(ctx.storage_buffer)"),
    Get("GL_ATOMIC_COUNTER_BUFFER_BINDING", "int", "buffer_name(ctx.atomic_buffer)"),
    Get("GL_DRAW_INDIRECT_BUFFER_BINDING", "int", "buffer_name(ctx.draw_indirect_buffer)"),
    Get("GL_DISPATCH_INDIRECT_BUFFER_BINDING", "int", "buffer_name(ctx.dispatch_indirect_buffer)"),
    Get("GL_PARAMETER_BUFFER_BINDING", "int", "buffer_name(ctx.parameter_buffer)"),
    Get("GL_VERTEX_ARRAY_BINDING", "int", "ctx.vertex_array.name"),
    Get("GL_CURRENT_PROGRAM", "int", "ctx.current_program.name if ctx.current_program != NULL else 0"),
    Get("GL_PROGRAM_PIPELINE_BINDING", "int", "ctx.program_pipeline.name if ctx.program_pipeline != NULL else 0"),
    Get("GL_DRAW_FRAMEBUFFER_BINDING", "int", "ctx.draw_framebuffer.name"),
    Get("GL_READ_FRAMEBUFFER_BINDING", "int", "ctx.read_framebuffer.name"),
    Get("GL_RENDERBUFFER_BINDING", "int", "ctx.renderbuffer.name if ctx.renderbuffer != NULL else 0"),
    # -- framebuffers
    Get("GL_DRAW_BUFFER", "int", "ctx.draw_framebuffer.draw_buffers[0]"),
    *(Get(f"GL_DRAW_BUFFER{i}", "int", f"ctx.draw_framebuffer.draw_buffers[{i}]") for i in range(8)),
    Get("GL_READ_BUFFER", "int", "ctx.read_framebuffer.read_buffer"),
    Get("GL_SAMPLES", "int", "draw_samples(ctx)"),
    Get("GL_SAMPLE_BUFFERS", "int", "draw_samples(ctx) > 0"),
    Get("GL_DOUBLEBUFFER", "bool", "ctx.draw_framebuffer.is_default and ctx.draw_surface != NULL"),
    Get("GL_STEREO", "bool", "0"),
    Get("GL_IMPLEMENTATION_COLOR_READ_FORMAT", "int", "GL_RGBA"),
    Get("GL_IMPLEMENTATION_COLOR_READ_TYPE", "int", "GL_UNSIGNED_BYTE"),
    # -- version and what is there
    Get("GL_MAJOR_VERSION", "int", "ctx.version // 10"),
    Get("GL_MINOR_VERSION", "int", "ctx.version % 10"),
    Get("GL_CONTEXT_FLAGS", "int", "context_flags(ctx)"),
    Get("GL_CONTEXT_PROFILE_MASK", "int", "GL_CONTEXT_CORE_PROFILE_BIT"),
    Get("GL_NUM_EXTENSIONS", "int", "extension_count(ctx)"),
    Get("GL_RESET_NOTIFICATION_STRATEGY", "int", "GL_LOSE_CONTEXT_ON_RESET if ctx.robust else GL_NO_RESET_NOTIFICATION"),
    Get("GL_NUM_PROGRAM_BINARY_FORMATS", "int", "0"),
    Get("GL_PROGRAM_BINARY_FORMATS", "int", ""),
    Get("GL_NUM_SHADER_BINARY_FORMATS", "int", "0"),
    Get("GL_SHADER_BINARY_FORMATS", "int", ""),
    Get("GL_SHADER_COMPILER", "bool", "1"),
    Get("GL_DEBUG_OUTPUT", "bool", "ctx.debug_flags & 1"),
    Get("GL_DEBUG_OUTPUT_SYNCHRONOUS", "bool", "ctx.debug_flags >> 1 & 1"),
    Get("GL_DEBUG_GROUP_STACK_DEPTH", "int", "ctx.debug_group_depth + 1"),
    Get("GL_MAX_DEBUG_GROUP_STACK_DEPTH", "int", "MAX_DEBUG_GROUPS"),
    Get("GL_MAX_DEBUG_MESSAGE_LENGTH", "int", "MAX_DEBUG_MESSAGE"),
    Get("GL_MAX_LABEL_LENGTH", "int", "MAX_LABEL"),
    Get("GL_MAX_DEBUG_LOGGED_MESSAGES", "int", "MAX_DEBUG_LOGGED"),
    Get("GL_DEBUG_LOGGED_MESSAGES", "int", "ctx.debug_logged"),
    Get("GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH", "int", "ctx.debug_next_length"),
    Get("GL_MAX_VERTEX_UNIFORM_VECTORS", "int", "ctx.session.caps.max_vertex_uniform_components // 4"),
    Get("GL_MAX_FRAGMENT_UNIFORM_VECTORS", "int", "ctx.session.caps.max_fragment_uniform_components // 4"),
    Get("GL_MAX_VARYING_VECTORS", "int", "ctx.session.caps.max_varying_components // 4"),
)

# glGetIntegeri_v and kin: the index is `i`, the bound its end.
INDEXED: tuple[tuple[Get, str], ...] = (
    (Get("GL_UNIFORM_BUFFER_BINDING", "int", "buffer_name(ctx.uniform_buffers[i].buffer)"), "UNIFORM_BINDINGS"),
    (Get("GL_UNIFORM_BUFFER_START", "int", "ctx.uniform_buffers[i].offset"), "UNIFORM_BINDINGS"),
    (Get("GL_UNIFORM_BUFFER_SIZE", "int", "ctx.uniform_buffers[i].size"), "UNIFORM_BINDINGS"),
    (Get("GL_TRANSFORM_FEEDBACK_BUFFER_BINDING", "int", "buffer_name(ctx.feedback.buffers[i].buffer)"), "FEEDBACK_BINDINGS"),
    (Get("GL_TRANSFORM_FEEDBACK_BUFFER_START", "int", "ctx.feedback.buffers[i].offset"), "FEEDBACK_BINDINGS"),
    (Get("GL_TRANSFORM_FEEDBACK_BUFFER_SIZE", "int", "ctx.feedback.buffers[i].size"), "FEEDBACK_BINDINGS"),
    *((Get(f"GL_{target}_BUFFER_{what}", "int", where.format(f"ctx.{table}[i]")), end)
      for target, table, end in (("SHADER_STORAGE", "storage_buffers", "STORAGE_BINDINGS"),
                                 ("ATOMIC_COUNTER", "atomic_buffers", "ATOMIC_BINDINGS"))
      for what, where in (("BINDING", "buffer_name({}.buffer)"), ("START", "{}.offset"), ("SIZE", "{}.size"))),
    *((Get(f"GL_IMAGE_BINDING_{what}", kind, where), "IMAGE_UNITS") for what, kind, where in (
        ("NAME", "int", "ctx.images[i].texture.name if ctx.images[i].texture != NULL else 0"),
        ("LEVEL", "int", "ctx.images[i].level"), ("LAYERED", "bool", "ctx.images[i].layered"),
        ("LAYER", "int", "ctx.images[i].layer"), ("ACCESS", "int", "ctx.images[i].access"),
        ("FORMAT", "int", "ctx.images[i].format"))),
    *((Get(f"GL_VERTEX_BINDING_{what}", "int", where), "ATTRIBS") for what, where in (
        ("OFFSET", "ctx.vertex_array.bindings[i].offset"), ("STRIDE", "ctx.vertex_array.bindings[i].stride"),
        ("DIVISOR", "ctx.vertex_array.bindings[i].divisor"), ("BUFFER", "buffer_name(ctx.vertex_array.bindings[i].buffer)"))),
    (Get("GL_SAMPLE_MASK_VALUE", "uint", P + "sample_mask_value"), "1"),
    (Get("GL_VIEWPORT", "float", ";".join(f"{D}viewports[i].{m}" for m in ("x", "y", "width", "height"))), "16"),
    (Get("GL_DEPTH_RANGE", "unit", f"{D}viewports[i].near;{D}viewports[i].far"), "16"),
    (Get("GL_SCISSOR_BOX", "int", f"{D}scissors[i].x0;{D}scissors[i].y0;{D}scissors[i].x1 - {D}scissors[i].x0;"
                                  f"{D}scissors[i].y1 - {D}scissors[i].y0"), "16"),
    (Get("GL_SCISSOR_TEST", "bool", P + "scissor_mask >> i & 1"), "16"),
    (Get("GL_BLEND", "bool", P + "blend[i].enable"), "8"),
    (Get("GL_COLOR_WRITEMASK", "bool", ";".join(f"{P}blend[i].write_mask >> {c} & 1" for c in range(4))), "8"),
    (Get("GL_BLEND_SRC_RGB", "int", P + "blend[i].rgb_src"), "8"),
    (Get("GL_BLEND_SRC_ALPHA", "int", P + "blend[i].alpha_src"), "8"),
    (Get("GL_BLEND_DST_RGB", "int", P + "blend[i].rgb_dst"), "8"),
    (Get("GL_BLEND_DST_ALPHA", "int", P + "blend[i].alpha_dst"), "8"),
    (Get("GL_BLEND_EQUATION_RGB", "int", P + "blend[i].rgb_func"), "8"),
    (Get("GL_BLEND_EQUATION_ALPHA", "int", P + "blend[i].alpha_func"), "8"),
)

# Extensions that are whole: every command, token and shader feature of theirs works. Name, feature it needs or "".
EXTENSIONS: tuple[tuple[str, str], ...] = (
    ("GL_KHR_debug", ""),
    ("GL_ARB_draw_buffers_blend", ""),
    *((f"GL_ARB_{name}", "") for name in """
        buffer_storage clear_buffer_object direct_state_access framebuffer_no_attachments internalformat_query
        internalformat_query2 invalidate_subdata multi_bind program_interface_query texture_buffer_range texture_storage
        texture_storage_multisample vertex_attrib_binding""".split()),
    ("GL_ARB_texture_filter_anisotropic", "ANISOTROPY"),
    ("GL_EXT_texture_filter_anisotropic", "ANISOTROPY"),
)

# Those that a version of OpenGL took in whole: told when that version is promised, to programs that ask for them by name.
CORE_EXTENSIONS: dict[int, str] = {
    33: """
        ARB_vertex_array_object ARB_framebuffer_object ARB_map_buffer_range ARB_texture_rg ARB_texture_float
        ARB_half_float_pixel ARB_half_float_vertex ARB_depth_buffer_float ARB_framebuffer_sRGB ARB_draw_instanced
        ARB_copy_buffer ARB_uniform_buffer_object ARB_texture_buffer_object ARB_texture_rectangle ARB_vertex_array_bgra
        ARB_draw_elements_base_vertex ARB_fragment_coord_conventions ARB_provoking_vertex ARB_seamless_cube_map
        ARB_texture_multisample ARB_depth_clamp ARB_sync ARB_shader_bit_encoding ARB_blend_func_extended
        ARB_explicit_attrib_location ARB_occlusion_query2 ARB_sampler_objects ARB_texture_rgb10_a2ui ARB_texture_swizzle
        ARB_timer_query ARB_instanced_arrays ARB_vertex_type_2_10_10_10_rev ARB_texture_non_power_of_two
        EXT_texture_array EXT_texture_sRGB EXT_framebuffer_object EXT_packed_float EXT_texture_shared_exponent""",
    40: """
        ARB_draw_indirect ARB_gpu_shader5 ARB_gpu_shader_fp64 ARB_sample_shading ARB_shader_subroutine
        ARB_tessellation_shader ARB_texture_buffer_object_rgb32 ARB_texture_cube_map_array ARB_texture_gather
        ARB_texture_query_lod ARB_transform_feedback2 ARB_transform_feedback3""",
    41: """
        ARB_ES2_compatibility ARB_get_program_binary ARB_separate_shader_objects ARB_shader_precision
        ARB_vertex_attrib_64bit ARB_viewport_array""",
    42: """
        ARB_texture_compression_bptc ARB_compressed_texture_pixel_storage ARB_base_instance ARB_shader_atomic_counters
        ARB_shader_image_load_store ARB_shading_language_420pack ARB_transform_feedback_instanced
        ARB_conservative_depth ARB_map_buffer_alignment ARB_shading_language_packing""",
    43: """
        ARB_arrays_of_arrays ARB_compute_shader ARB_copy_image ARB_ES3_compatibility ARB_explicit_uniform_location
        ARB_fragment_layer_viewport ARB_multi_draw_indirect ARB_robust_buffer_access_behavior ARB_shader_image_size
        ARB_shader_storage_buffer_object ARB_stencil_texturing ARB_texture_query_levels ARB_texture_view""",
    44: """
        ARB_clear_texture ARB_enhanced_layouts ARB_query_buffer_object
        ARB_texture_mirror_clamp_to_edge ARB_texture_stencil8 ARB_vertex_type_10f_11f_11f_rev""",
    45: """
        ARB_clip_control ARB_cull_distance ARB_conditional_render_inverted ARB_derivative_control
        ARB_ES3_1_compatibility ARB_get_texture_sub_image ARB_shader_texture_image_samples
        ARB_texture_barrier KHR_robustness""",
    46: """
        ARB_gl_spirv ARB_spirv_extensions ARB_indirect_parameters ARB_pipeline_statistics_query
        ARB_polygon_offset_clamp ARB_shader_draw_parameters ARB_shader_group_vote ARB_transform_feedback_overflow_query""",
}
