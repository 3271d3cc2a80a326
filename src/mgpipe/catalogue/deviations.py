"""Where a picture on OpenGL ES is not OpenGL's, or a form is refused there: what, since which version, why, with what effect.

Everything else that OpenGL has and OpenGL ES lacks is made up for on the server. The coverage page lists this table, and
`promised_on_es` reads off it which version may be promised on a driver with the extensions it has.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """What a program meets."""

    PRECISION = "computed in fewer bits"
    PICTURE = "drawn, and differs as told; said once in the log when it is met"
    FORM = "a rare form is refused by name, the feature itself works"
    MISSING = "refused by name: a version that has the feature is not promised"


@dataclass(frozen=True)
class Deviation:
    name: str
    since: tuple[int, int]      # version of OpenGL that has the feature
    what: str
    why: str
    effect: Effect
    unless: str = ""            # an extension of OpenGL ES with which there is no deviation


_P, _F, _M = Effect.PICTURE, Effect.FORM, Effect.MISSING

DEVIATIONS: tuple[Deviation, ...] = (
    Deviation("smooth_edges", (1, 0), "GL_LINE_SMOOTH, GL_POLYGON_SMOOTH", "ES has no smooth rasterization",
              _P),
    Deviation("polygon_offset_line_point", (1, 1), "GL_POLYGON_OFFSET_LINE, GL_POLYGON_OFFSET_POINT",
              "polygons shown as lines or points are lines and points there, which have no offset", _P),
    Deviation("logic_op", (1, 1), "glLogicOp", "a shader does it and reads the target, which must have 8 bits a component or "
              "integers", _F),
    Deviation("logic_op_fetch", (1, 1), "glLogicOp", "a shader that does it must read the target", _M,
              "GL_EXT_shader_framebuffer_fetch"),
    Deviation("multisample_off", (1, 3), "glDisable(GL_MULTISAMPLE)", "multisampled targets are always drawn to by samples",
              _P, "GL_EXT_multisample_compatibility"),
    Deviation("alpha_to_one_coverage", (1, 3), "GL_SAMPLE_ALPHA_TO_ONE with GL_SAMPLE_ALPHA_TO_COVERAGE",
              "the shader writes the one, before coverage is made of it", _P, "GL_EXT_multisample_compatibility"),
    Deviation("lod_bias", (1, 4), "GL_TEXTURE_LOD_BIAS", "ES names no such sampler state; drivers met so far take it", _F),
    Deviation("exact_sample_count", (1, 5), "GL_SAMPLES_PASSED", "ES only knows whether any passed: a counter of one bit",
              _F, "GL_NV_occlusion_query_samples"),
    Deviation("wide_alpha", (1, 0), "GL_DST_ALPHA on targets of three components, copies from them to four",
              "ES stores them as four, and knows the alpha that was drawn", _P),
    Deviation("shared_exponent_copy", (3, 0), "copies from a framebuffer to GL_RGB9_E5, glGenerateMipmap of it",
              "ES renders to no shared exponent", _F),
    Deviation("clip_distances", (3, 0), "gl_ClipDistance", "not in ES", _M, "GL_EXT_clip_cull_distance"),
    Deviation("srgb_write_off", (3, 0), "glDisable(GL_FRAMEBUFFER_SRGB)", "ES always converts", _P,
              "GL_EXT_sRGB_write_control"),
    Deviation("float_targets", (3, 0), "rendering to floating-point formats", "not in ES", _M, "GL_EXT_color_buffer_float"),
    Deviation("norm16", (3, 0), "16-bit normalised formats", "not in ES", _M, "GL_EXT_texture_norm16"),
    Deviation("depth_clamp", (3, 2), "GL_DEPTH_CLAMP", "not in ES", _M, "GL_EXT_depth_clamp"),
    Deviation("seamless_cube_off", (3, 2), "glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS)", "cube maps are always seamless in ES",
              _P),
    Deviation("outline_facing", (3, 2), "gl_FrontFacing of polygons shown as lines or points",
              "a generated geometry stage makes them, and lines always face the front", _P, "GL_NV_polygon_mode"),
    Deviation("outline_behind_geometry", (3, 2), "glPolygonMode behind a geometry shader",
              "the place of the generated stage is taken", _F, "GL_NV_polygon_mode"),
    Deviation("provoking_behind_geometry", (3, 2), "GL_FIRST_VERTEX_CONVENTION behind a geometry shader",
              "the place of the generated stage is taken", _F),
    Deviation("provoking_after_restart", (3, 2), "GL_FIRST_VERTEX_CONVENTION in a triangle strip behind a restart",
              "which triangles are turned is told by the primitive's number, which goes on across the restart", _P),
    Deviation("generated_stage_feedback", (3, 0), "transform feedback with a polygon mode or the first vertex convention",
              "feedback would capture what the generated stage makes", _F),
    Deviation("dual_source_blend", (3, 3), "GL_SRC1_COLOR", "not in ES", _M, "GL_EXT_blend_func_extended"),
    Deviation("timer_query", (3, 3), "GL_TIME_ELAPSED, GL_TIMESTAMP", "not in ES", _M, "GL_EXT_disjoint_timer_query"),
    Deviation("double_precision", (4, 0), "doubles in shaders and attributes", "ES has none: they become floats",
              Effect.PRECISION),
    Deviation("double_blocks", (4, 0), "doubles in uniform and storage blocks of the program's own",
              "who fills them would have to convert them", _M),
    Deviation("double_bits", (4, 0), "packDouble2x32, unpackDouble2x32", "there are no 64 bits to speak of", _M),
    Deviation("vertex_streams", (4, 0), "several vertex streams out of a geometry shader", "not in ES", _M),
    Deviation("feedback_gaps", (4, 0), "gl_SkipComponents, gl_NextBuffer behind several outputs",
              "ES captures into one buffer, or one a varying", _F),
    Deviation("feedback_count", (4, 0), "draws of what was captured while a query counted primitives written",
              "ES has one such query at a time", _F),
    Deviation("viewport_array", (4, 1), "viewport arrays", "not in ES", _M, "GL_OES_viewport_array"),
    Deviation("image_formats", (4, 2), "images of other formats than ES has", "not in ES", _M, "GL_NV_image_formats"),
    Deviation("texture_view", (4, 3), "texture views", "not in ES", _M, "GL_OES_texture_view"),
    Deviation("component_layout", (4, 4), "layout(component = …) between stages", "not in ES", _M),
    Deviation("packed_float_attributes", (4, 4), "vertex attributes of GL_UNSIGNED_INT_10F_11F_11F_REV", "not in ES", _M),
    Deviation("clip_control", (4, 5), "glClipControl", "not in ES", _M, "GL_EXT_clip_control"),
    Deviation("texture_barrier", (4, 5), "glTextureBarrier", "not in ES", _M, "GL_NV_texture_barrier"),
    Deviation("pipeline_statistics", (4, 6), "pipeline statistics queries", "not in ES", _M),
)

VERSIONS = ((3, 3), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6))


def promised_on_es(extensions: Collection[str]) -> tuple[int, int]:
    """The highest version of OpenGL whose features all work on an OpenGL ES 3.2 driver with these extensions.

    3.3 is the least that mgpipe speaks at all: what is missing of it on such a driver is refused by name there."""
    missing = [row.since for row in DEVIATIONS if row.effect is Effect.MISSING and row.unless not in extensions]
    whole = [version for version in VERSIONS if all(since > version for since in missing)]
    return max(whole, default=VERSIONS[0])
