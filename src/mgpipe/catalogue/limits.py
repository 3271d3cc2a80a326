"""What a driver can do, as the client hears it: the struct `Caps`, and where each member comes from.

`get_caps` fills one `pipe_Caps`. A limit that OpenGL has a name for is a row of LIMITS: what a 3.3 core program may ask
for, how much that version requires at least, and who decides: the driver, we, or the smaller of both.
"""

from enum import Enum
from typing import NamedTuple      # not dataclasses: every program loads this at its start


class Source(Enum):
    DRIVER = 0      # as the driver says
    FIXED = 1       # `promise`, whatever the driver says: the front end or the shader path decides
    SMALLER = 2     # min(driver, promise): our tables end there


class Limit(NamedTuple):
    field: str
    gl_name: str
    gl_enum: int
    type: str               # i32, i64 or f32
    count: int
    minimum: float          # of the core version that brought it, 3.3 or later (for an alignment: the largest allowed)
    source: Source = Source.DRIVER
    promise: float = 0
    gles_enum: int = -1     # what to ask an OpenGL ES 3.2 driver; -1: the same; 0: nothing there, the minimum holds
    beside: int = 0         # how many of the driver's are ours: the block of a stage's loose uniforms
    indexed: bool = False   # components are asked for one by one, with glGetIntegeri_v


D, F, S = Source.DRIVER, Source.FIXED, Source.SMALLER


def by_stage(what: str, enums: tuple[int, ...], least: tuple[int, int], promise: int) -> tuple[Limit, ...]:
    """One row for each stage that has the limit; `least` is what fragment and compute shaders get, and what others do."""
    stages = ("VERTEX", "TESS_CONTROL", "TESS_EVALUATION", "GEOMETRY", "FRAGMENT", "COMPUTE")
    return tuple(Limit(f"max_{stage}_{what}".lower(), f"GL_MAX_{stage}_{what}", enum, "i32", 1, least[stage not in stages[4:]], S,
                       promise) for stage, enum in zip(stages, enums, strict=True))

LIMITS: tuple[Limit, ...] = (
    # -- 64-bit ones first: no padding in the struct
    Limit("max_server_wait_timeout", "GL_MAX_SERVER_WAIT_TIMEOUT", 0x9111, "i64", 1, 0),
    Limit("max_element_index", "GL_MAX_ELEMENT_INDEX", 0x8D6B, "i64", 1, (1 << 32) - 1, F, (1 << 32) - 1),
    Limit("max_shader_storage_block_size", "GL_MAX_SHADER_STORAGE_BLOCK_SIZE", 0x90DE, "i64", 1, 1 << 24),
    # -- sizes of textures, renderbuffers and viewports
    Limit("max_texture_size", "GL_MAX_TEXTURE_SIZE", 0x0D33, "i32", 1, 1024, S, 32768),
    Limit("max_3d_texture_size", "GL_MAX_3D_TEXTURE_SIZE", 0x8073, "i32", 1, 256, S, 16384),
    Limit("max_cube_map_texture_size", "GL_MAX_CUBE_MAP_TEXTURE_SIZE", 0x851C, "i32", 1, 1024, S, 32768),
    Limit("max_array_texture_layers", "GL_MAX_ARRAY_TEXTURE_LAYERS", 0x88FF, "i32", 1, 256),
    Limit("max_rectangle_texture_size", "GL_MAX_RECTANGLE_TEXTURE_SIZE", 0x84F8, "i32", 1, 1024, S, 32768, 0x0D33),
    Limit("max_texture_buffer_size", "GL_MAX_TEXTURE_BUFFER_SIZE", 0x8C2B, "i32", 1, 65536),
    Limit("texture_buffer_offset_alignment", "GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT", 0x919F, "i32", 1, 256),
    Limit("max_renderbuffer_size", "GL_MAX_RENDERBUFFER_SIZE", 0x84E8, "i32", 1, 1024, S, 32768),
    Limit("max_viewport_dims", "GL_MAX_VIEWPORT_DIMS", 0x0D3A, "i32", 2, 1024),
    Limit("max_viewports", "GL_MAX_VIEWPORTS", 0x825B, "i32", 1, 16, F, 16),
    Limit("viewport_subpixel_bits", "GL_VIEWPORT_SUBPIXEL_BITS", 0x825C, "i32", 1, 0),
    Limit("layer_provoking_vertex", "GL_LAYER_PROVOKING_VERTEX", 0x825E, "i32", 1, 0x8260),
    Limit("viewport_index_provoking_vertex", "GL_VIEWPORT_INDEX_PROVOKING_VERTEX", 0x825F, "i32", 1, 0x8260),
    Limit("max_framebuffer_width", "GL_MAX_FRAMEBUFFER_WIDTH", 0x9315, "i32", 1, 1024, S, 32768),
    Limit("max_framebuffer_height", "GL_MAX_FRAMEBUFFER_HEIGHT", 0x9316, "i32", 1, 1024, S, 32768),
    Limit("max_framebuffer_layers", "GL_MAX_FRAMEBUFFER_LAYERS", 0x9317, "i32", 1, 256),
    Limit("max_framebuffer_samples", "GL_MAX_FRAMEBUFFER_SAMPLES", 0x9318, "i32", 1, 4, S, 64),
    Limit("subpixel_bits", "GL_SUBPIXEL_BITS", 0x0D50, "i32", 1, 4),
    Limit("max_texture_lod_bias", "GL_MAX_TEXTURE_LOD_BIAS", 0x84FD, "f32", 1, 2.0),
    Limit("max_texture_max_anisotropy", "GL_MAX_TEXTURE_MAX_ANISOTROPY", 0x84FF, "f32", 1, 1.0),
    # -- points and lines
    Limit("point_size_range", "GL_POINT_SIZE_RANGE", 0x0B12, "f32", 2, 1.0, gles_enum=0x846D),
    Limit("point_size_granularity", "GL_POINT_SIZE_GRANULARITY", 0x0B13, "f32", 1, 0.0, gles_enum=0),
    Limit("aliased_line_width_range", "GL_ALIASED_LINE_WIDTH_RANGE", 0x846E, "f32", 2, 1.0),
    Limit("smooth_line_width_range", "GL_SMOOTH_LINE_WIDTH_RANGE", 0x0B22, "f32", 2, 1.0, gles_enum=0x846E),
    Limit("smooth_line_width_granularity", "GL_SMOOTH_LINE_WIDTH_GRANULARITY", 0x0B23, "f32", 1, 0.0, gles_enum=0),
    # -- vertices
    Limit("max_vertex_attribs", "GL_MAX_VERTEX_ATTRIBS", 0x8869, "i32", 1, 16, F, 16),
    Limit("max_elements_vertices", "GL_MAX_ELEMENTS_VERTICES", 0x80E8, "i32", 1, 0),
    Limit("max_elements_indices", "GL_MAX_ELEMENTS_INDICES", 0x80E9, "i32", 1, 0),
    Limit("max_clip_distances", "GL_MAX_CLIP_DISTANCES", 0x0D32, "i32", 1, 8, F, 8),
    Limit("max_cull_distances", "GL_MAX_CULL_DISTANCES", 0x82F9, "i32", 1, 0, S, 8),
    Limit("max_combined_clip_and_cull_distances", "GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES", 0x82FA, "i32", 1, 0, S, 8),
    # -- shaders: the blocks of loose uniforms are ours, so components and blocks are what remains beside them
    Limit("max_vertex_uniform_components", "GL_MAX_VERTEX_UNIFORM_COMPONENTS", 0x8B4A, "i32", 1, 1024, S, 4096),
    Limit("max_geometry_uniform_components", "GL_MAX_GEOMETRY_UNIFORM_COMPONENTS", 0x8DDF, "i32", 1, 1024, S, 4096),
    Limit("max_fragment_uniform_components", "GL_MAX_FRAGMENT_UNIFORM_COMPONENTS", 0x8B49, "i32", 1, 1024, S, 4096),
    Limit("max_vertex_uniform_blocks", "GL_MAX_VERTEX_UNIFORM_BLOCKS", 0x8A2B, "i32", 1, 12, S, 14, beside=1),
    Limit("max_geometry_uniform_blocks", "GL_MAX_GEOMETRY_UNIFORM_BLOCKS", 0x8A2C, "i32", 1, 12, S, 14, beside=1),
    Limit("max_fragment_uniform_blocks", "GL_MAX_FRAGMENT_UNIFORM_BLOCKS", 0x8A2D, "i32", 1, 12, S, 14, beside=1),
    Limit("max_combined_uniform_blocks", "GL_MAX_COMBINED_UNIFORM_BLOCKS", 0x8A2E, "i32", 1, 36, S, 70),
    Limit("max_uniform_buffer_bindings", "GL_MAX_UNIFORM_BUFFER_BINDINGS", 0x8A2F, "i32", 1, 36, S, 84),
    Limit("max_uniform_block_size", "GL_MAX_UNIFORM_BLOCK_SIZE", 0x8A30, "i32", 1, 16384),
    Limit("uniform_buffer_offset_alignment", "GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT", 0x8A34, "i32", 1, 256),
    Limit("max_combined_vertex_uniform_components", "GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS", 0x8A31, "i32", 1, 50176),
    Limit("max_combined_geometry_uniform_components", "GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS", 0x8A32, "i32", 1, 50176),
    Limit("max_combined_fragment_uniform_components", "GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS", 0x8A33, "i32", 1, 50176),
    Limit("max_vertex_output_components", "GL_MAX_VERTEX_OUTPUT_COMPONENTS", 0x9122, "i32", 1, 64),
    Limit("max_geometry_input_components", "GL_MAX_GEOMETRY_INPUT_COMPONENTS", 0x9123, "i32", 1, 64),
    Limit("max_geometry_output_components", "GL_MAX_GEOMETRY_OUTPUT_COMPONENTS", 0x9124, "i32", 1, 128),
    Limit("max_geometry_output_vertices", "GL_MAX_GEOMETRY_OUTPUT_VERTICES", 0x8DE0, "i32", 1, 256),
    Limit("max_geometry_total_output_components", "GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS", 0x8DE1, "i32", 1, 1024),
    Limit("max_fragment_input_components", "GL_MAX_FRAGMENT_INPUT_COMPONENTS", 0x9125, "i32", 1, 128),
    Limit("max_varying_components", "GL_MAX_VARYING_COMPONENTS", 0x8B4B, "i32", 1, 60),
    Limit("max_vertex_texture_image_units", "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS", 0x8B4C, "i32", 1, 16, S, 32),
    Limit("max_geometry_texture_image_units", "GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS", 0x8C29, "i32", 1, 16, S, 32),
    Limit("max_texture_image_units", "GL_MAX_TEXTURE_IMAGE_UNITS", 0x8872, "i32", 1, 16, S, 32),
    Limit("max_combined_texture_image_units", "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS", 0x8B4D, "i32", 1, 48, S, 96),
    Limit("min_program_texel_offset", "GL_MIN_PROGRAM_TEXEL_OFFSET", 0x8904, "i32", 1, -8),
    Limit("max_program_texel_offset", "GL_MAX_PROGRAM_TEXEL_OFFSET", 0x8905, "i32", 1, 7),
    # -- tessellation, and geometry shaders that run more than once (OpenGL 4.0)
    Limit("max_patch_vertices", "GL_MAX_PATCH_VERTICES", 0x8E7D, "i32", 1, 32, F, 32),
    Limit("max_tess_gen_level", "GL_MAX_TESS_GEN_LEVEL", 0x8E7E, "i32", 1, 64),
    Limit("max_tess_control_uniform_components", "GL_MAX_TESS_CONTROL_UNIFORM_COMPONENTS", 0x8E7F, "i32", 1, 1024, S, 4096),
    Limit("max_tess_evaluation_uniform_components", "GL_MAX_TESS_EVALUATION_UNIFORM_COMPONENTS", 0x8E80, "i32", 1, 1024, S, 4096),
    Limit("max_tess_control_texture_image_units", "GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS", 0x8E81, "i32", 1, 16, S, 32),
    Limit("max_tess_evaluation_texture_image_units", "GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS", 0x8E82, "i32", 1, 16, S, 32),
    Limit("max_tess_control_output_components", "GL_MAX_TESS_CONTROL_OUTPUT_COMPONENTS", 0x8E83, "i32", 1, 128),
    Limit("max_tess_patch_components", "GL_MAX_TESS_PATCH_COMPONENTS", 0x8E84, "i32", 1, 120),
    Limit("max_tess_control_total_output_components", "GL_MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS", 0x8E85, "i32", 1, 4096),
    Limit("max_tess_evaluation_output_components", "GL_MAX_TESS_EVALUATION_OUTPUT_COMPONENTS", 0x8E86, "i32", 1, 128),
    Limit("max_tess_control_input_components", "GL_MAX_TESS_CONTROL_INPUT_COMPONENTS", 0x886C, "i32", 1, 128),
    Limit("max_tess_evaluation_input_components", "GL_MAX_TESS_EVALUATION_INPUT_COMPONENTS", 0x886D, "i32", 1, 128),
    Limit("max_tess_control_uniform_blocks", "GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS", 0x8E89, "i32", 1, 12, S, 14, beside=1),
    Limit("max_tess_evaluation_uniform_blocks", "GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS", 0x8E8A, "i32", 1, 12, S, 14, beside=1),
    Limit("max_combined_tess_control_uniform_components", "GL_MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS", 0x8E1E, "i32", 1,
          50176),
    Limit("max_combined_tess_evaluation_uniform_components", "GL_MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS", 0x8E1F,
          "i32", 1, 50176),
    Limit("max_geometry_shader_invocations", "GL_MAX_GEOMETRY_SHADER_INVOCATIONS", 0x8E5A, "i32", 1, 32),
    # -- compute
    Limit("max_compute_work_group_count", "GL_MAX_COMPUTE_WORK_GROUP_COUNT", 0x91BE, "i32", 3, 65535, indexed=True),
    Limit("max_compute_work_group_size", "GL_MAX_COMPUTE_WORK_GROUP_SIZE", 0x91BF, "i32", 3, 64, indexed=True),
    Limit("max_compute_work_group_invocations", "GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS", 0x90EB, "i32", 1, 1024),
    Limit("max_compute_shared_memory_size", "GL_MAX_COMPUTE_SHARED_MEMORY_SIZE", 0x8262, "i32", 1, 32768),
    Limit("max_compute_uniform_components", "GL_MAX_COMPUTE_UNIFORM_COMPONENTS", 0x8263, "i32", 1, 1024, S, 4096),
    Limit("max_combined_compute_uniform_components", "GL_MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS", 0x8266, "i32", 1, 50176),
    Limit("max_compute_uniform_blocks", "GL_MAX_COMPUTE_UNIFORM_BLOCKS", 0x91BB, "i32", 1, 12, S, 14, beside=1),
    Limit("max_compute_texture_image_units", "GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS", 0x91BC, "i32", 1, 16, S, 32),
    # -- storage blocks, atomic counters (storage blocks, too, for the server) and images
    *by_stage("SHADER_STORAGE_BLOCKS", (0x90D6, 0x90D8, 0x90D9, 0x90D7, 0x90DA, 0x90DB), (8, 0), 16),
    Limit("max_combined_shader_storage_blocks", "GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS", 0x90DC, "i32", 1, 8, S, 32),
    Limit("max_shader_storage_buffer_bindings", "GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS", 0x90DD, "i32", 1, 8, S, 96),
    Limit("shader_storage_buffer_offset_alignment", "GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT", 0x90DF, "i32", 1, 256),
    Limit("max_combined_shader_output_resources", "GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES", 0x8F39, "i32", 1, 8),
    *by_stage("ATOMIC_COUNTER_BUFFERS", (0x92CC, 0x92CD, 0x92CE, 0x92CF, 0x92D0, 0x8264), (8, 0), 8),
    *by_stage("ATOMIC_COUNTERS", (0x92D2, 0x92D3, 0x92D4, 0x92D5, 0x92D6, 0x8265), (8, 0), 4096),
    Limit("max_combined_atomic_counter_buffers", "GL_MAX_COMBINED_ATOMIC_COUNTER_BUFFERS", 0x92D1, "i32", 1, 8, S, 8),
    Limit("max_combined_atomic_counters", "GL_MAX_COMBINED_ATOMIC_COUNTERS", 0x92D7, "i32", 1, 8, S, 4096),
    Limit("max_atomic_counter_buffer_bindings", "GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS", 0x92DC, "i32", 1, 1, S, 8),
    Limit("max_atomic_counter_buffer_size", "GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE", 0x92D8, "i32", 1, 32, S, 16384),
    *by_stage("IMAGE_UNIFORMS", (0x90CA, 0x90CB, 0x90CC, 0x90CD, 0x90CE, 0x91BD), (8, 0), 32),
    Limit("max_combined_image_uniforms", "GL_MAX_COMBINED_IMAGE_UNIFORMS", 0x90CF, "i32", 1, 8, S, 32),
    Limit("max_image_units", "GL_MAX_IMAGE_UNITS", 0x8F38, "i32", 1, 8, S, 32),
    Limit("max_image_samples", "GL_MAX_IMAGE_SAMPLES", 0x906D, "i32", 1, 0, gles_enum=0),
    Limit("max_vertex_attrib_bindings", "GL_MAX_VERTEX_ATTRIB_BINDINGS", 0x82DA, "i32", 1, 16, F, 16),
    Limit("max_vertex_attrib_relative_offset", "GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET", 0x82D9, "i32", 1, 2047, F, 2047),
    Limit("max_vertex_attrib_stride", "GL_MAX_VERTEX_ATTRIB_STRIDE", 0x82E5, "i32", 1, 2048, F, 2048),
    Limit("min_map_buffer_alignment", "GL_MIN_MAP_BUFFER_ALIGNMENT", 0x90BC, "i32", 1, 64, F, 64),
    Limit("max_vertex_streams", "GL_MAX_VERTEX_STREAMS", 0x8E71, "i32", 1, 1, S, 4, 0),
    Limit("min_fragment_interpolation_offset", "GL_MIN_FRAGMENT_INTERPOLATION_OFFSET", 0x8E5B, "f32", 1, -0.5),
    Limit("max_fragment_interpolation_offset", "GL_MAX_FRAGMENT_INTERPOLATION_OFFSET", 0x8E5C, "f32", 1, 0.4375),
    Limit("fragment_interpolation_offset_bits", "GL_FRAGMENT_INTERPOLATION_OFFSET_BITS", 0x8E5D, "i32", 1, 4),
    Limit("min_program_texture_gather_offset", "GL_MIN_PROGRAM_TEXTURE_GATHER_OFFSET", 0x8E5E, "i32", 1, -8),
    Limit("max_program_texture_gather_offset", "GL_MAX_PROGRAM_TEXTURE_GATHER_OFFSET", 0x8E5F, "i32", 1, 7),
    # -- framebuffers and samples
    Limit("max_draw_buffers", "GL_MAX_DRAW_BUFFERS", 0x8824, "i32", 1, 8, S, 8),
    Limit("max_dual_source_draw_buffers", "GL_MAX_DUAL_SOURCE_DRAW_BUFFERS", 0x88FC, "i32", 1, 1, S, 1, 0),
    Limit("max_color_attachments", "GL_MAX_COLOR_ATTACHMENTS", 0x8CDF, "i32", 1, 8, S, 8),
    Limit("max_samples", "GL_MAX_SAMPLES", 0x8D57, "i32", 1, 4, S, 64),
    Limit("max_color_texture_samples", "GL_MAX_COLOR_TEXTURE_SAMPLES", 0x910E, "i32", 1, 1, S, 64),
    Limit("max_depth_texture_samples", "GL_MAX_DEPTH_TEXTURE_SAMPLES", 0x910F, "i32", 1, 1, S, 64),
    Limit("max_integer_samples", "GL_MAX_INTEGER_SAMPLES", 0x9110, "i32", 1, 1, S, 64),
    Limit("max_sample_mask_words", "GL_MAX_SAMPLE_MASK_WORDS", 0x8E59, "i32", 1, 1, F, 1),
    # -- transform feedback
    Limit("max_transform_feedback_interleaved_components", "GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS", 0x8C8A,
          "i32", 1, 64),
    Limit("max_transform_feedback_separate_attribs", "GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS", 0x8C8B, "i32", 1, 4, S, 4),
    Limit("max_transform_feedback_separate_components", "GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS", 0x8C80, "i32", 1, 4),
)

# What a driver may have beyond OpenGL 3.3 and its own core; bit i of Caps.features.
FEATURES: tuple[tuple[str, str], ...] = (
    ("anisotropy", "GL_EXT_texture_filter_anisotropic or OpenGL 4.6"),
    ("s3tc", "GL_EXT_texture_compression_s3tc"),
    ("rgtc", "red and red-green compression"),
    ("bptc", "BPTC compression"),
    ("timer_query", "time elapsed and timestamps"),
    ("occlusion_count", "exact sample counts; OpenGL ES only answers whether any passed"),
    ("primitives_generated", "a query for primitives generated"),
    ("dual_source_blend", "two colours of one output"),
    ("logic_op", "logic operations on colours"),
    ("polygon_mode", "lines and points for polygons"),
    ("depth_clamp", "depth clamping"),
    ("border_clamp", "border colours"),
    ("cube_map_array", "cube map arrays"),
    ("texture_view", "texture views"),
    ("double_precision", "64-bit floats in shaders"),
    ("compute", "compute shaders and storage buffers"),
    ("tessellation", "tessellation shaders"),
    ("geometry", "geometry shaders"),
    ("base_instance", "a first instance for instanced draws"),
    ("multi_draw_indirect", "many indirect draws in one call"),
    ("clip_control", "another clip space origin or depth range"),
    ("persistent_map", "mappings that outlive draws"),
    ("robustness", "bounds-checked access and reset reports"),
    ("norm16", "16-bit normalised formats"),
    ("float_render", "rendering to floating point formats"),
    ("float32_filter", "linear filtering of 32-bit floating point formats"),
    ("pinned_memory", "buffers over memory that client and driver share: GL_AMD_pinned_memory, tried"),
    ("pinned_uploads", "a driver that draws from such memory as fast as from its own"),
)

# Per format of the format table: what the driver can do with it; bits of Caps.formats[i].
FORMAT_BITS: tuple[str, ...] = ("sample", "filter", "render", "blend", "multisample", "image", "vertex", "buffer")
MAX_FORMATS = 256

# Words before the tables: an odd number of them leaves a hole, which has a name like everything that crosses.
_WORDS = sum(limit.count for limit in LIMITS if limit.type != "i64") + 5

CAPS_FIELDS: tuple[str, ...] = (
    "features u64",
    f"sample_counts u64[{MAX_FORMATS}]",     # of a renderbuffer or texture of this format: bit i for i + 1 samples
    *(f"{limit.field} {limit.type}[{limit.count}]" if limit.count > 1 else f"{limit.field} {limit.type}" for limit in LIMITS),
    "driver u32",               # which back end and loader, server/applier.pxd
    "dialect u32 in DIALECT",
    "version_major u32", "version_minor u32",
    "glsl_version u32",         # 330, 460, 320
    *(["pad0 u32"] if _WORDS % 2 else []),
    f"formats u32[{MAX_FORMATS}]",
    "vendor char[256]", "renderer char[256]", "version char[256]",
)
