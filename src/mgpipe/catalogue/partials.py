"""Commands that are implemented but for some form: which, and what is missing. The coverage page lists them.

What is missing on OpenGL ES only is told by deviations.py; this table adds which commands its rows are about.
"""

from typing import NamedTuple


class Partial(NamedTuple):
    commands: str       # without their prefix
    missing: str


PARTIALS: tuple[Partial, ...] = (
    Partial("Hint", "hints are kept and not passed on: no driver is asked to hurry"),
    Partial("PixelStoref", "as glPixelStorei, rounded"),
)

# Row of deviations.DEVIATIONS → the commands it is about. Rows that are not here are about shaders, formats or pictures.
ES_COMMANDS: dict[str, str] = {
    "logic_op": "LogicOp", "logic_op_fetch": "LogicOp",
    "double_precision": """
        Uniform1d Uniform2d Uniform3d Uniform4d Uniform1dv Uniform2dv Uniform3dv Uniform4dv UniformMatrix2dv UniformMatrix3dv
        UniformMatrix4dv UniformMatrix2x3dv UniformMatrix2x4dv UniformMatrix3x2dv UniformMatrix3x4dv UniformMatrix4x2dv
        UniformMatrix4x3dv VertexAttribL1d VertexAttribL2d VertexAttribL3d VertexAttribL4d VertexAttribL1dv VertexAttribL2dv
        VertexAttribL3dv VertexAttribL4dv VertexAttribLPointer VertexAttribLFormat""",
    "exact_sample_count": "GetQueryiv GetQueryObjectiv GetQueryObjectuiv GetQueryObjecti64v GetQueryObjectui64v",
    "shared_exponent_copy": "CopyTexImage2D CopyTexSubImage2D CopyTexSubImage3D GenerateMipmap",
    "timer_query": "QueryCounter",
    "feedback_gaps": "TransformFeedbackVaryings",
    "feedback_count": "DrawTransformFeedback DrawTransformFeedbackInstanced",
    "vertex_streams": "DrawTransformFeedbackStream DrawTransformFeedbackStreamInstanced",
    "outline_behind_geometry": "PolygonMode",
    "provoking_behind_geometry": "ProvokingVertex", "provoking_after_restart": "ProvokingVertex",
    "viewport_array": """
        ViewportArrayv ViewportIndexedf ViewportIndexedfv ScissorArrayv ScissorIndexed ScissorIndexedv DepthRangeArrayv
        DepthRangeIndexed""",
    "image_formats": "BindImageTexture BindImageTextures",
    "texture_view": "TextureView",
    "clip_control": "ClipControl",
    "texture_barrier": "TextureBarrier",
}
