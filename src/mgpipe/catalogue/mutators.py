"""What each command raises when it changes state: the dirty bits of a context, or the generation of its share group.

A verb validates only what was raised. A command that changes state and raises nothing, or the wrong thing, leaves verbs
with the old state, and no other test sees that for every command. So each of them stands here, and a test calls each
with arguments that change something (tests/tracker/mutator_recipes.py): exactly what its row says must rise, and the next
draw's state must differ.

A command that only names the object of another one (entry_points.NAMED) stands in that one's row without being listed.

Raised are `DIRTY_…` of front/context.pxd, in lower case; `group`, the share group's generation; `constants`, a program's
uniforms; `contents` of a buffer or texture, which the next verb sends.
"""

from dataclasses import dataclass, replace

from mgpipe.catalogue.entry_points import STANDS_FOR


@dataclass(frozen=True)
class Row:
    raises: str
    commands: str
    verb: bool = False      # validates itself, and so may raise more


def _and_named(commands: str) -> str:
    listed = set(commands.split())
    return " ".join([commands, *(new for new, old in STANDS_FOR.items() if old in listed)])


MUTATES: tuple[Row, ...] = (
    Row("pipeline", """
        Enable Disable Enablei Disablei BlendFunc BlendFuncSeparate BlendFunci BlendFuncSeparatei BlendEquation BlendEquationSeparate
        BlendEquationi BlendEquationSeparatei LogicOp ColorMask ColorMaski DepthFunc DepthMask StencilOp StencilOpSeparate
        StencilMask StencilMaskSeparate CullFace FrontFace PolygonMode PointParameterf PointParameterfv PointParameteri
        PointParameteriv SampleCoverage SampleMaski MinSampleShading ProvokingVertex PrimitiveRestartIndex
        ClipControl"""),
    Row("pipeline dynamic", "StencilFunc StencilFuncSeparate"),
    Row("dynamic", """
        BlendColor PolygonOffset PolygonOffsetClamp LineWidth PointSize Viewport ViewportArrayv ViewportIndexedf
        ViewportIndexedfv DepthRange DepthRangef DepthRangeArrayv DepthRangeIndexed Scissor ScissorArrayv ScissorIndexed
        ScissorIndexedv"""),
    Row("clear_values", "ClearColor ClearDepth ClearDepthf ClearStencil"),
    Row("patches", "PatchParameteri PatchParameterfv"),
    Row("program", "UseProgram BindProgramPipeline DeleteProgramPipelines UseProgramStages"),
    Row("program group", "LinkProgram"),
    Row("uniform_buffers group", "UniformBlockBinding"),
    Row("constants", """
        Uniform1f Uniform2f Uniform3f Uniform4f Uniform1i Uniform2i Uniform3i Uniform4i Uniform1ui Uniform2ui Uniform3ui
        Uniform4ui Uniform1fv Uniform2fv Uniform3fv Uniform4fv Uniform1iv Uniform2iv Uniform3iv Uniform4iv Uniform1uiv
        Uniform2uiv Uniform3uiv Uniform4uiv UniformMatrix2fv UniformMatrix3fv UniformMatrix4fv UniformMatrix2x3fv
        UniformMatrix3x2fv UniformMatrix2x4fv UniformMatrix4x2fv UniformMatrix3x4fv UniformMatrix4x3fv
        Uniform1d Uniform2d Uniform3d Uniform4d Uniform1dv Uniform2dv Uniform3dv Uniform4dv UniformMatrix2dv
        UniformMatrix3dv UniformMatrix4dv UniformMatrix2x3dv UniformMatrix2x4dv UniformMatrix3x2dv UniformMatrix3x4dv
        UniformMatrix4x2dv UniformMatrix4x3dv UniformSubroutinesuiv
        ProgramUniform1f ProgramUniform1fv ProgramUniform2f ProgramUniform2fv ProgramUniform3f ProgramUniform3fv
        ProgramUniform4f ProgramUniform4fv ProgramUniform1i ProgramUniform1iv ProgramUniform2i ProgramUniform2iv
        ProgramUniform3i ProgramUniform3iv ProgramUniform4i ProgramUniform4iv ProgramUniform1ui ProgramUniform1uiv
        ProgramUniform2ui ProgramUniform2uiv ProgramUniform3ui ProgramUniform3uiv ProgramUniform4ui
        ProgramUniform4uiv ProgramUniform1d ProgramUniform1dv ProgramUniform2d ProgramUniform2dv ProgramUniform3d
        ProgramUniform3dv ProgramUniform4d ProgramUniform4dv ProgramUniformMatrix2fv ProgramUniformMatrix2x3fv
        ProgramUniformMatrix2x4fv ProgramUniformMatrix3x2fv ProgramUniformMatrix3fv ProgramUniformMatrix3x4fv
        ProgramUniformMatrix4x2fv ProgramUniformMatrix4x3fv ProgramUniformMatrix4fv ProgramUniformMatrix2dv
        ProgramUniformMatrix2x3dv ProgramUniformMatrix2x4dv ProgramUniformMatrix3x2dv ProgramUniformMatrix3dv
        ProgramUniformMatrix3x4dv ProgramUniformMatrix4x2dv ProgramUniformMatrix4x3dv ProgramUniformMatrix4dv"""),
    Row("vertex", """
        BindVertexArray DeleteVertexArrays EnableVertexAttribArray DisableVertexAttribArray VertexAttribPointer
        VertexAttribIPointer VertexAttribLPointer VertexAttribDivisor BindBuffer VertexAttribFormat VertexAttribIFormat
        VertexAttribLFormat VertexAttribBinding VertexBindingDivisor BindVertexBuffer BindVertexBuffers"""),
    Row("attrib_values", """
        VertexAttrib1s VertexAttrib1sv VertexAttrib1f VertexAttrib1fv VertexAttrib1d VertexAttrib1dv
        VertexAttrib2s VertexAttrib2sv VertexAttrib2f VertexAttrib2fv VertexAttrib2d VertexAttrib2dv
        VertexAttrib3s VertexAttrib3sv VertexAttrib3f VertexAttrib3fv VertexAttrib3d VertexAttrib3dv
        VertexAttrib4s VertexAttrib4sv VertexAttrib4f VertexAttrib4fv VertexAttrib4d VertexAttrib4dv
        VertexAttrib4bv VertexAttrib4iv VertexAttrib4ubv VertexAttrib4usv VertexAttrib4uiv VertexAttrib4Nbv
        VertexAttrib4Nsv VertexAttrib4Niv VertexAttrib4Nubv VertexAttrib4Nusv VertexAttrib4Nuiv VertexAttrib4Nub
        VertexAttribI1i VertexAttribI1iv VertexAttribI1ui VertexAttribI1uiv VertexAttribI2i VertexAttribI2iv
        VertexAttribI2ui VertexAttribI2uiv VertexAttribI3i VertexAttribI3iv VertexAttribI3ui VertexAttribI3uiv
        VertexAttribI4i VertexAttribI4iv VertexAttribI4ui VertexAttribI4uiv VertexAttribI4bv VertexAttribI4sv
        VertexAttribI4ubv VertexAttribI4usv VertexAttribP1ui VertexAttribP1uiv VertexAttribP2ui
        VertexAttribP2uiv VertexAttribP3ui VertexAttribP3uiv VertexAttribP4ui VertexAttribP4uiv VertexAttribL1d
        VertexAttribL1dv VertexAttribL2d VertexAttribL2dv VertexAttribL3d VertexAttribL3dv VertexAttribL4d
        VertexAttribL4dv"""),
    Row("uniform_buffers", "BindBufferBase BindBufferRange BindBuffersBase BindBuffersRange"),
    Row("storage group", "ShaderStorageBlockBinding"),
    Row("images", "BindImageTexture BindImageTextures"),
    Row("group", "BufferData BufferStorage"),
    Row("uniform_buffers group", "DeleteBuffers"),
    Row("contents group", "BufferSubData"),
    Row("textures", "BindTexture BindTextures BindTextureUnit BindSampler BindSamplers DeleteTextures DeleteSamplers"),
    Row("group", """
        TexParameterf TexParameteri TexParameterfv TexParameteriv TexParameterIiv
        TexParameterIuiv SamplerParameteri SamplerParameterf SamplerParameteriv SamplerParameterfv SamplerParameterIiv
        SamplerParameterIuiv TexImage1D TexImage2D TexImage3D TexImage2DMultisample TexImage3DMultisample TexStorage1D
        TexStorage2D TexStorage3D TexStorage2DMultisample TexStorage3DMultisample TexBuffer TexBufferRange
        RenderbufferStorage RenderbufferStorageMultisample"""),
    Row("group", "CopyTexImage1D CopyTexImage2D", verb=True),
    Row("contents group", """
        TexSubImage1D TexSubImage2D TexSubImage3D CompressedTexImage2D CompressedTexImage3D
        CompressedTexSubImage2D CompressedTexSubImage3D TextureSubImage3D CompressedTextureSubImage3D"""),
    Row("framebuffer", """
        BindFramebuffer DeleteFramebuffers FramebufferTexture FramebufferTexture1D FramebufferTexture2D FramebufferTexture3D
        FramebufferTextureLayer FramebufferRenderbuffer DrawBuffer DrawBuffers ReadBuffer
        FramebufferParameteri DeleteRenderbuffers"""),
)
MUTATES = tuple(replace(row, commands=_and_named(row.commands)) for row in MUTATES)

NOTHING = {
    "only names; an object begins when it is bound": """
        GenBuffers GenVertexArrays GenQueries GenTextures GenSamplers GenRenderbuffers GenFramebuffers""",
    "objects that nothing is bound to yet": """
        CreateBuffers CreateTextures CreateVertexArrays CreateFramebuffers CreateRenderbuffers CreateSamplers
        CreateProgramPipelines""",
    "seen when the program is linked": """
        CreateShader DeleteShader ShaderSource CompileShader CreateProgram DeleteProgram AttachShader DetachShader
        BindAttribLocation BindFragDataLocation BindFragDataLocationIndexed TransformFeedbackVaryings ValidateProgram
        ProgramParameteri ProgramBinary ShaderBinary ReleaseShaderCompiler CreateShaderProgramv ValidateProgramPipeline
        GenProgramPipelines""",
    "only chooses what later commands speak of": "ActiveShaderProgram ActiveTexture BindRenderbuffer PixelStorei PixelStoref ClampColor Hint",
    "a verb itself, which announces the state of its outputs to nobody": """
        DrawArrays DrawArraysInstanced DrawElements DrawElementsInstanced DrawElementsBaseVertex
        DrawElementsInstancedBaseVertex DrawRangeElements DrawRangeElementsBaseVertex MultiDrawArrays MultiDrawElements
        MultiDrawElementsBaseVertex Flush Finish Clear ClearBufferfv ClearBufferiv ClearBufferuiv ClearBufferfi
        BlitFramebuffer BlitNamedFramebuffer CopyNamedBufferSubData CopyTextureSubImage3D ReadPixels ReadnPixels CopyBufferSubData CopyTexSubImage1D CopyTexSubImage2D CopyTexSubImage3D
        GenerateMipmap ClearBufferData ClearBufferSubData InvalidateBufferData InvalidateBufferSubData DispatchCompute
        DispatchComputeIndirect MemoryBarrier MemoryBarrierByRegion TextureBarrier DrawArraysIndirect
        DrawElementsIndirect MultiDrawArraysIndirect MultiDrawElementsIndirect MultiDrawArraysIndirectCount
        MultiDrawElementsIndirectCount DrawArraysInstancedBaseInstance DrawElementsInstancedBaseInstance
        DrawElementsInstancedBaseVertexBaseInstance DrawTransformFeedback DrawTransformFeedbackInstanced
        DrawTransformFeedbackStream DrawTransformFeedbackStreamInstanced CopyImageSubData ClearTexImage
        ClearTexSubImage""",
    "a texture that nothing has bound yet": "TextureView",
    "for no format: none has blocks of one row": "CompressedTexImage1D CompressedTexSubImage1D",
    "words for people": """
        ObjectLabel ObjectPtrLabel DebugMessageCallback DebugMessageControl DebugMessageInsert PushDebugGroup
        PopDebugGroup""",
    "a capture, whose records are sent when it begins and ends": """
        BeginTransformFeedback EndTransformFeedback PauseTransformFeedback ResumeTransformFeedback GenTransformFeedbacks
        CreateTransformFeedbacks DeleteTransformFeedbacks BindTransformFeedback TransformFeedbackBufferBase
        TransformFeedbackBufferRange""",
    "a query or fence, sent at once": """
        CreateQueries DeleteQueries BeginQuery EndQuery BeginQueryIndexed EndQueryIndexed QueryCounter
        BeginConditionalRender EndConditionalRender FenceSync DeleteSync ClientWaitSync WaitSync""",
    "undefined contents, which may stay as they are": """
        InvalidateFramebuffer InvalidateSubFramebuffer InvalidateTexImage InvalidateTexSubImage""",
    "memory that the program writes itself": "MapBuffer MapBufferRange FlushMappedBufferRange UnmapBuffer",
}
NOTHING = {why: _and_named(commands) for why, commands in NOTHING.items()}
