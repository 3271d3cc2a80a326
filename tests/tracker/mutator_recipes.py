"""A scene in which every kind of state is used, and for each command arguments that change what its next draw sees.

Arguments are Python expressions: OpenGL's enumerants by their names, objects of the scene, arrays by f, d, i, u, s, b.
What stands before a semicolon is called first. Commands of large families make their arguments from their names.
"""

import ctypes
import re

from mgpipe.catalogue.entry_points import NAMED, STANDS_FOR

VERTEX = """#version 430
layout(location = 0) in vec4 place;
out gl_PerVertex { vec4 gl_Position; };
void main() { gl_Position = place; }"""
FRAGMENT = """#version 430
uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4; uniform int i1; uniform ivec2 i2; uniform ivec3 i3;
uniform ivec4 i4; uniform uint u1; uniform uvec2 u2; uniform uvec3 u3; uniform uvec4 u4; uniform double d1; uniform dvec2 d2;
uniform dvec3 d3; uniform dvec4 d4;
uniform mat2 m2f; uniform mat3 m3f; uniform mat4 m4f; uniform mat2x3 m2x3f; uniform mat3x2 m3x2f; uniform mat2x4 m2x4f;
uniform mat4x2 m4x2f; uniform mat3x4 m3x4f; uniform mat4x3 m4x3f;
uniform dmat2 m2d; uniform dmat3 m3d; uniform dmat4 m4d; uniform dmat2x3 m2x3d; uniform dmat3x2 m3x2d; uniform dmat2x4 m2x4d;
uniform dmat4x2 m4x2d; uniform dmat3x4 m3x4d; uniform dmat4x3 m4x3d;
uniform sampler2D image; uniform sampler2D sampled; uniform sampler1D line; uniform sampler3D volume; uniform samplerBuffer texels;
uniform sampler2DMS many; uniform sampler2DMSArray many_layers;
uniform Block { vec4 tint; }; buffer Store { float stored; }; layout(rgba8) uniform image2D painted;
subroutine float Shade();
subroutine(Shade) float bright() { return 1.0; }
subroutine(Shade) float dark() { return 0.5; }
subroutine uniform Shade shade;
out vec4 colour;
void main() {
    double d = d1 + d2.x + d3.x + d4.x + m2d[0].x + m3d[0].x + m4d[0].x + m2x3d[0].x + m3x2d[0].x + m2x4d[0].x + m4x2d[0].x + m3x4d[0].x + m4x3d[0].x;
    float f = f1 + f2.x + f3.x + f4.x + m2f[0].x + m3f[0].x + m4f[0].x + m2x3f[0].x + m3x2f[0].x + m2x4f[0].x + m4x2f[0].x + m3x4f[0].x + m4x3f[0].x;
    int i = i1 + i2.x + i3.x + i4.x + int(u1 + u2.x + u3.x + u4.x);
    colour = tint * shade() * f * float(d) * float(i) * texture(image, vec2(0)) * texture(sampled, vec2(0)) * texture(line, 0.0)
        * texture(volume, vec3(0)) * texelFetch(texels, 0) * texelFetch(many, ivec2(0), 0) * texelFetch(many_layers, ivec3(0), 0) + stored + imageLoad(painted, ivec2(0));
}"""
TEXTURES = {"image": (0, "TEXTURE_2D"), "sampled": (1, "TEXTURE_2D"), "line": (2, "TEXTURE_1D"), "volume": (3, "TEXTURE_3D"),
            "texels": (4, "TEXTURE_BUFFER"), "many": (5, "TEXTURE_2D_MULTISAMPLE"), "many_layers": (6, "TEXTURE_2D_MULTISAMPLE_ARRAY")}


class Scene(dict):
    """Bound and drawn once, with no error: a namespace for recipes, of its objects and OpenGL's enumerants."""

    def __init__(self, gl) -> None:
        super().__init__(f=self.array(ctypes.c_float), d=self.array(ctypes.c_double), i=self.array(ctypes.c_int),
                         u=self.array(ctypes.c_uint), s=self.array(ctypes.c_short), b=lambda *values: bytes(values),
                         addresses=self.array(ctypes.c_ssize_t))
        self.gl = gl
        self["program"], self["other_program"] = self.program(), self.program()
        gl.UseProgram(self["program"])
        self.buffers()
        self.textures()
        self.framebuffer()
        self["separable"], self["other_separable"] = self.program(separable=True), self.program(separable=True)
        self["pipeline"], self["other_pipeline"] = gl.gen("ProgramPipelines", 2)
        for name, stages in (("pipeline", "separable"), ("other_pipeline", "other_separable")):
            gl.UseProgramStages(self[name], gl.VERTEX_SHADER_BIT | gl.FRAGMENT_SHADER_BIT, self[stages])
        gl.UseProgram(self["program"])
        gl.UniformBlockBinding(self["program"], 0, 1)
        gl.Enablei(gl.BLEND, 3)
        self.draw()
        assert gl.error() == "NO_ERROR"

    @staticmethod
    def array(kind):
        return lambda *values: (kind * len(values))(*values)

    def __missing__(self, name: str):
        return getattr(self.gl, name)

    def location(self, name: str) -> int:
        return self.gl.GetUniformLocation(self["program"], name.encode())

    def draw(self) -> None:
        self.gl.Clear(self.gl.COLOR_BUFFER_BIT)
        self.gl.DrawArrays(self.gl.TRIANGLES, 0, 3)

    def program(self, separable: bool = False) -> int:
        gl = self.gl
        program = gl.CreateProgram()
        gl.ProgramParameteri(program, gl.PROGRAM_SEPARABLE, separable)
        for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT)):
            shader = gl.CreateShader(kind)
            source = ctypes.c_char_p(text.encode())
            gl.ShaderSource(shader, 1, ctypes.byref(source), None)
            gl.CompileShader(shader)
            gl.AttachShader(program, shader)
        gl.LinkProgram(program)
        log = ctypes.create_string_buffer(4096)
        gl.GetProgramInfoLog(program, 4096, None, log)
        assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS), log.value.decode()
        for name, (unit, _) in TEXTURES.items():
            gl.UseProgram(program)
            gl.Uniform1i(gl.GetUniformLocation(program, name.encode()), unit)
        return program

    def buffer(self, target: int, size: int = 256) -> int:
        name = self.gl.gen("Buffers")
        self.gl.BindBuffer(target, name)
        self.gl.BufferData(target, size, bytes(size), self.gl.STATIC_DRAW)
        return name

    def buffers(self) -> None:
        gl = self.gl
        self["array"], self["other_array"] = gl.gen("VertexArrays", 2)
        gl.BindVertexArray(self["array"])
        self["vertices"] = self.buffer(gl.ARRAY_BUFFER)
        gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 16, None)
        gl.EnableVertexAttribArray(0)
        self["indices"] = self.buffer(gl.ELEMENT_ARRAY_BUFFER)
        self["block"], self["other_block"] = (self.buffer(gl.UNIFORM_BUFFER) for _ in range(2))
        gl.BindBufferBase(gl.UNIFORM_BUFFER, 2, self["other_block"])
        gl.BindBufferBase(gl.UNIFORM_BUFFER, 1, self["block"])
        self["fresh_buffer"] = gl.gen("Buffers")
        self["store"], self["other_store"] = (self.buffer(gl.SHADER_STORAGE_BUFFER) for _ in range(2))
        gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, self["store"])
        gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, self["other_store"])
        self["texel_buffer"], self["other_texels"] = (self.buffer(gl.TEXTURE_BUFFER) for _ in range(2))

    def textures(self) -> None:
        gl = self.gl
        for name, (unit, target) in TEXTURES.items():
            self[name] = gl.gen("Textures")
            gl.ActiveTexture(gl.TEXTURE0 + unit)
            gl.BindTexture(getattr(gl, target), self[name])
        gl.ActiveTexture(gl.TEXTURE0)
        self["other_image"] = gl.gen("Textures")
        for name in ("other_image", "image"):
            gl.BindTexture(gl.TEXTURE_2D, self[name])
            gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        gl.ActiveTexture(gl.TEXTURE1)
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        self["sampler"], self["other_sampler"] = gl.gen("Samplers", 2)
        gl.BindSampler(1, self["sampler"])
        gl.SamplerParameteri(self["sampler"], gl.TEXTURE_WRAP_T, gl.MIRRORED_REPEAT)
        gl.SamplerParameteri(self["other_sampler"], gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
        gl.ActiveTexture(gl.TEXTURE2)
        gl.TexImage1D(gl.TEXTURE_1D, 0, gl.RGBA8, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(16))
        gl.ActiveTexture(gl.TEXTURE3)
        gl.TexImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, 2, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(32))
        gl.ActiveTexture(gl.TEXTURE4)
        gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA8, self["texel_buffer"])
        gl.ActiveTexture(gl.TEXTURE5)
        gl.TexImage2DMultisample(gl.TEXTURE_2D_MULTISAMPLE, 4, gl.RGBA8, 4, 4, 1)
        gl.ActiveTexture(gl.TEXTURE6)
        gl.TexImage3DMultisample(gl.TEXTURE_2D_MULTISAMPLE_ARRAY, 4, gl.RGBA8, 4, 4, 2, 1)
        gl.ActiveTexture(gl.TEXTURE0)

    def framebuffer(self) -> None:
        gl = self.gl
        self["framebuffer"], self["other_framebuffer"] = gl.gen("Framebuffers", 2)
        self["color"] = gl.gen("Textures")
        gl.ActiveTexture(gl.TEXTURE10)
        gl.BindTexture(gl.TEXTURE_2D, self["color"])
        gl.TexStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, 8, 8)
        self["line_target"], self["volume_target"], self["fresh"], self["fresh_volume"], self["fresh_line"] = gl.gen("Textures", 5)
        gl.BindTexture(gl.TEXTURE_1D, self["line_target"])
        gl.TexImage1D(gl.TEXTURE_1D, 0, gl.RGBA8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        gl.BindTexture(gl.TEXTURE_3D, self["volume_target"])
        gl.TexImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, 8, 8, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        self["depth"], self["second"], self["other_depth"] = gl.gen("Renderbuffers", 3)
        for name, format in (("second", gl.RGBA8), ("other_depth", gl.DEPTH24_STENCIL8), ("depth", gl.DEPTH24_STENCIL8)):
            gl.BindRenderbuffer(gl.RENDERBUFFER, self[name])
            gl.RenderbufferStorage(gl.RENDERBUFFER, format, 8, 8)
        self["empty"] = gl.gen("Framebuffers")
        gl.BindFramebuffer(gl.FRAMEBUFFER, self["empty"])
        gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, 4)
        gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_HEIGHT, 4)
        for name in ("other_framebuffer", "framebuffer"):
            gl.BindFramebuffer(gl.FRAMEBUFFER, self[name])
            gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, self["color"], 0)
            gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, gl.RENDERBUFFER, self["second"])
            gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, self["depth"])
        gl.ActiveTexture(gl.TEXTURE0)
        assert gl.CheckFramebufferStatus(gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE


# Several lines: each is tried in a scene of its own.
RECIPES = {
    # -- render state
    "Enable": "BLEND\nDEPTH_TEST\nSTENCIL_TEST\nSCISSOR_TEST\nCULL_FACE\nPRIMITIVE_RESTART\nFRAMEBUFFER_SRGB\nRASTERIZER_DISCARD\n"
              "PROGRAM_POINT_SIZE\nSAMPLE_MASK\nSAMPLE_COVERAGE\nSAMPLE_ALPHA_TO_COVERAGE\nCOLOR_LOGIC_OP\nPOLYGON_OFFSET_FILL\n"
              "DEPTH_CLAMP\nCLIP_DISTANCE0\nTEXTURE_CUBE_MAP_SEAMLESS\nLINE_SMOOTH\nSAMPLE_SHADING\nPRIMITIVE_RESTART_FIXED_INDEX",
    "Disable": "DITHER\nMULTISAMPLE", "Enablei": "BLEND, 2\nSCISSOR_TEST, 1", "Disablei": "BLEND, 3",
    "BlendFunc": "SRC_ALPHA, ONE", "BlendFuncSeparate": "ONE, ZERO, SRC_ALPHA, ONE", "BlendFunci": "1, SRC_ALPHA, ONE",
    "BlendFuncSeparatei": "1, SRC_ALPHA, ONE, ONE, ONE", "BlendEquation": "MAX", "BlendEquationSeparate": "FUNC_ADD, MAX",
    "BlendEquationi": "1, MAX", "BlendEquationSeparatei": "1, MAX, MIN", "LogicOp": "XOR", "ColorMask": "1, 0, 1, 1",
    "ColorMaski": "1, 1, 0, 1, 1", "DepthFunc": "GREATER", "DepthMask": "0", "StencilFunc": "LESS, 1, 255",
    "StencilFuncSeparate": "BACK, LESS, 1, 255", "StencilOp": "KEEP, KEEP, INCR", "StencilOpSeparate": "FRONT, KEEP, KEEP, INCR",
    "StencilMask": "1", "StencilMaskSeparate": "BACK, 1", "CullFace": "FRONT", "FrontFace": "CW", "PolygonMode": "FRONT_AND_BACK, LINE",
    "PointParameterf": "POINT_SPRITE_COORD_ORIGIN, LOWER_LEFT", "PointParameterfv": "POINT_SPRITE_COORD_ORIGIN, f(LOWER_LEFT)",
    "PointParameteri": "POINT_SPRITE_COORD_ORIGIN, LOWER_LEFT", "PointParameteriv": "POINT_SPRITE_COORD_ORIGIN, i(LOWER_LEFT)",
    "SampleCoverage": "0.5, 1", "SampleMaski": "0, 5", "MinSampleShading": "0.5", "ProvokingVertex": "FIRST_VERTEX_CONVENTION",
    "ClipControl": "UPPER_LEFT, ZERO_TO_ONE", "PrimitiveRestartIndex": "7",
    # -- dynamic state
    "BlendColor": "0.5, 0.5, 0.5, 0.5", "PolygonOffset": "1, 2", "PolygonOffsetClamp": "1, 2, 3", "LineWidth": "2", "PointSize": "3",
    "Viewport": "0, 0, 3, 3", "ViewportArrayv": "1, 1, f(0, 0, 3, 3)", "ViewportIndexedf": "1, 0, 0, 3, 3",
    "ViewportIndexedfv": "1, f(0, 0, 3, 3)", "DepthRange": "0.25, 0.5", "DepthRangef": "0.25, 0.5",
    "DepthRangeArrayv": "1, 1, d(0.25, 0.5)", "DepthRangeIndexed": "1, 0.25, 0.5", "Scissor": "1, 1, 2, 2",
    "ScissorArrayv": "1, 1, i(1, 1, 2, 2)", "ScissorIndexed": "1, 1, 1, 2, 2", "ScissorIndexedv": "1, i(1, 1, 2, 2)",
    "ClearColor": "1, 0, 0, 1", "ClearDepth": "0.5", "ClearDepthf": "0.5", "ClearStencil": "3",
    "PatchParameteri": "PATCH_VERTICES, 4", "PatchParameterfv": "PATCH_DEFAULT_OUTER_LEVEL, f(2, 2, 2, 2)",
    # -- programs
    "UseProgram": "other_program", "BindProgramPipeline": "UseProgram(0) ; BindProgramPipeline(pipeline) ; other_pipeline",
    "UseProgramStages": "UseProgram(0) ; BindProgramPipeline(pipeline) ; pipeline, FRAGMENT_SHADER_BIT, other_separable",
    "DeleteProgramPipelines": "UseProgram(0) ; BindProgramPipeline(pipeline) ; 1, u(pipeline)", "LinkProgram": "program", "UniformSubroutinesuiv": "FRAGMENT_SHADER, 1, u(1)", "UniformBlockBinding": "program, 0, 2",
    "ShaderStorageBlockBinding": "program, 0, 1", "BindImageTexture": "0, color, 0, 0, 0, READ_ONLY, RGBA8",
    "BindImageTextures": "0, 1, u(color)",
    # -- vertex input
    "BindVertexArray": "other_array", "DeleteVertexArrays": "1, u(array)", "EnableVertexAttribArray": "1",
    "DisableVertexAttribArray": "0", "VertexAttribPointer": "0, 2, FLOAT, 0, 8, None", "VertexAttribIPointer": "0, 2, INT, 8, None",
    "VertexAttribLPointer": "0, 2, DOUBLE, 16, None", "VertexAttribDivisor": "0, 1",
    "VertexAttribFormat": "0, 2, SHORT, 1, 4", "VertexAttribIFormat": "0, 2, INT, 0", "VertexAttribLFormat": "0, 2, DOUBLE, 0",
    "VertexAttribBinding": "BindVertexBuffer(3, vertices, 32, 8) ; 0, 3", "VertexBindingDivisor": "0, 2",
    "BindVertexBuffer": "0, other_block, 0, 16\n0, vertices, 16, 16\n0, vertices, 0, 8",
    "BindVertexBuffers": "0, 1, u(other_block), addresses(0), i(16)",
    # -- buffers
    "BindBuffer": "ELEMENT_ARRAY_BUFFER, other_block", "BindBufferBase": "UNIFORM_BUFFER, 1, other_block",
    "BindBufferRange": "UNIFORM_BUFFER, 1, other_block, 0, 16",
    "BindBuffersBase": "UNIFORM_BUFFER, 1, 1, u(other_block)",
    "BindBuffersRange": "UNIFORM_BUFFER, 1, 1, u(other_block), addresses(0), addresses(16)", "DeleteBuffers": "1, u(block)", "BufferStorage": "BindBufferBase(UNIFORM_BUFFER, 1, fresh_buffer) ; UNIFORM_BUFFER, 64, None, 0",
    "BufferData": "UNIFORM_BUFFER, 512, None, STATIC_DRAW", "BufferSubData": "UNIFORM_BUFFER, 0, 4, b(1, 2, 3, 4)",
    # -- textures
    "BindTexture": "TEXTURE_2D, other_image", "BindTextures": "0, 1, u(other_image)\n0, 1, None",
    "BindTextureUnit": "0, other_image", "BindSamplers": "0, 2, u(0, other_sampler)\n1, 1, None", "DeleteTextures": "1, u(image)", "TexParameterf": "TEXTURE_2D, TEXTURE_MIN_LOD, 2",
    "TexParameteri": "TEXTURE_2D, TEXTURE_WRAP_S, CLAMP_TO_EDGE\nTEXTURE_2D, TEXTURE_MAX_LEVEL, 3\nTEXTURE_2D, TEXTURE_SWIZZLE_R, GREEN\n"
                     "TEXTURE_2D, TEXTURE_COMPARE_MODE, COMPARE_REF_TO_TEXTURE\nTEXTURE_2D, DEPTH_STENCIL_TEXTURE_MODE, STENCIL_INDEX",
    "TexParameterfv": "TEXTURE_2D, TEXTURE_BORDER_COLOR, f(1, 1, 1, 1)",
    "TexParameteriv": "TEXTURE_2D, TEXTURE_SWIZZLE_RGBA, i(GREEN, RED, BLUE, ALPHA)",
    "TexParameterIiv": "TEXTURE_2D, TEXTURE_BORDER_COLOR, i(1, 1, 1, 1)", "TexParameterIuiv": "TEXTURE_2D, TEXTURE_BORDER_COLOR, u(1, 1, 1, 1)",
    "TexImage1D": "ActiveTexture(TEXTURE2) ; TEXTURE_1D, 0, RGBA8, 8, 0, RGBA, UNSIGNED_BYTE, None",
    "TexImage2D": "TEXTURE_2D, 0, RGBA8, 8, 8, 0, RGBA, UNSIGNED_BYTE, None",
    "TexImage3D": "ActiveTexture(TEXTURE3) ; TEXTURE_3D, 0, RGBA8, 8, 8, 8, 0, RGBA, UNSIGNED_BYTE, None",
    "TexImage2DMultisample": "ActiveTexture(TEXTURE5) ; TEXTURE_2D_MULTISAMPLE, 4, RGBA8, 8, 8, 1",
    "TexImage3DMultisample": "ActiveTexture(TEXTURE6) ; TEXTURE_2D_MULTISAMPLE_ARRAY, 4, RGBA8, 8, 8, 2, 1",
    "TexStorage1D": "ActiveTexture(TEXTURE2) ; TEXTURE_1D, 1, RGBA8, 8", "TexStorage2D": "TEXTURE_2D, 1, RGBA8, 8, 8", "TexStorage3D": "ActiveTexture(TEXTURE3) ; TEXTURE_3D, 1, RGBA8, 8, 8, 8",
    "TexStorage2DMultisample": "ActiveTexture(TEXTURE5) ; TEXTURE_2D_MULTISAMPLE, 4, RGBA8, 8, 8, 1",
    "TexStorage3DMultisample": "ActiveTexture(TEXTURE6) ; TEXTURE_2D_MULTISAMPLE_ARRAY, 4, RGBA8, 8, 8, 2, 1",
    "CompressedTexImage2D": "TEXTURE_2D, 0, COMPRESSED_RED_RGTC1, 8, 8, 0, 32, b(*range(32))",
    "CompressedTexImage3D": "ActiveTexture(TEXTURE3) ; TEXTURE_3D, 0, COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 2, 0, 128, b(*range(128))",
    "CompressedTexSubImage2D": "CompressedTexImage2D(TEXTURE_2D, 0, COMPRESSED_RED_RGTC1, 8, 8, 0, 32, b(*range(32))) ; TEXTURE_2D, 0, 0, 0, 4, 4, COMPRESSED_RED_RGTC1, 8, b(*range(8))",
    "CompressedTexSubImage3D": "ActiveTexture(TEXTURE3) ; CompressedTexImage3D(TEXTURE_3D, 0, COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 2, 0, 128, b(*range(128))) ; TEXTURE_3D, 0, 0, 0, 0, 4, 4, 1, COMPRESSED_RGBA_BPTC_UNORM, 16, b(*range(16))",
    "TexSubImage1D": "ActiveTexture(TEXTURE2) ; TEXTURE_1D, 0, 0, 1, RGBA, UNSIGNED_BYTE, b(1, 2, 3, 4)",
    "TexSubImage2D": "TEXTURE_2D, 0, 0, 0, 1, 1, RGBA, UNSIGNED_BYTE, b(1, 2, 3, 4)",
    "TexSubImage3D": "ActiveTexture(TEXTURE3) ; TEXTURE_3D, 0, 0, 0, 0, 1, 1, 1, RGBA, UNSIGNED_BYTE, b(1, 2, 3, 4)",
    "CopyTexImage1D": "ActiveTexture(TEXTURE2) ; TEXTURE_1D, 0, RGBA8, 0, 0, 8, 0", "CopyTexImage2D": "TEXTURE_2D, 0, RGBA8, 0, 0, 8, 8, 0",
    "TexBuffer": "ActiveTexture(TEXTURE4) ; TEXTURE_BUFFER, RGBA8, other_texels", "TexBufferRange": "ActiveTexture(TEXTURE4) ; TEXTURE_BUFFER, RGBA8, texel_buffer, 0, 64",
    "BindSampler": "1, other_sampler", "DeleteSamplers": "1, u(sampler)", "SamplerParameteri": "sampler, TEXTURE_WRAP_S, CLAMP_TO_EDGE",
    "SamplerParameterf": "sampler, TEXTURE_MIN_LOD, 2", "SamplerParameteriv": "sampler, TEXTURE_WRAP_S, i(CLAMP_TO_EDGE)",
    "SamplerParameterfv": "sampler, TEXTURE_BORDER_COLOR, f(1, 1, 1, 1)", "SamplerParameterIiv": "sampler, TEXTURE_BORDER_COLOR, i(1, 1, 1, 1)",
    "SamplerParameterIuiv": "sampler, TEXTURE_BORDER_COLOR, u(1, 1, 1, 1)",
    "TextureSubImage3D": "volume, 0, 0, 0, 0, 1, 1, 1, RGBA, UNSIGNED_BYTE, b(1, 2, 3, 4)",
    "CompressedTextureSubImage3D": "ActiveTexture(TEXTURE3) ; CompressedTexImage3D(TEXTURE_3D, 0, COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 2, 0, 128, b(*range(128))) ; volume, 0, 0, 0, 0, 4, 4, 1, COMPRESSED_RGBA_BPTC_UNORM, 16, b(*range(16))",
    # -- framebuffers
    "BindFramebuffer": "FRAMEBUFFER, other_framebuffer\nREAD_FRAMEBUFFER, other_framebuffer", "DeleteFramebuffers": "1, u(framebuffer)",
    "FramebufferTexture": "FRAMEBUFFER, COLOR_ATTACHMENT0, color, 1", "FramebufferTexture1D": "FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_1D, line_target, 0",
    "FramebufferTexture2D": "FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, color, 1",
    "FramebufferTexture3D": "FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_3D, volume_target, 0, 1",
    "FramebufferTextureLayer": "FRAMEBUFFER, COLOR_ATTACHMENT0, volume_target, 0, 1",
    "FramebufferRenderbuffer": "FRAMEBUFFER, DEPTH_STENCIL_ATTACHMENT, RENDERBUFFER, other_depth",
    "DrawBuffer": "COLOR_ATTACHMENT1", "DrawBuffers": "2, u(COLOR_ATTACHMENT0, COLOR_ATTACHMENT1)", "ReadBuffer": "COLOR_ATTACHMENT1",
    "FramebufferParameteri": "BindFramebuffer(FRAMEBUFFER, empty) ; DRAW_FRAMEBUFFER, FRAMEBUFFER_DEFAULT_WIDTH, 9",
    "RenderbufferStorage": "RENDERBUFFER, DEPTH32F_STENCIL8, 8, 8", "RenderbufferStorageMultisample": "RENDERBUFFER, 0, DEPTH32F_STENCIL8, 8, 8",
    "DeleteRenderbuffers": "1, u(depth)",
}

TYPES = {"b": "b", "ub": "b", "Nub": "b", "s": "s", "us": "s", "i": "i", "ui": "u", "f": "f", "d": "d", "Nb": "b", "Ns": "s", "Nus": "s", "Ni": "i",
         "Nui": "u"}


def family(name: str, location) -> str | None:
    """Arguments of a command that is one of dozens: uniforms, attribute values."""
    if name.startswith("ProgramUniform"):
        rest = family(name.removeprefix("Program"), location)
        return f"program, {rest}" if rest else None
    if found := re.fullmatch(r"Uniform(\d)(f|i|ui|d)(v?)", name):
        count, kind, vector = int(found[1]), found[2][0], found[3]
        values = ", ".join(["1"] * count)
        where = location(f"{kind}{count}")
        return f"{where}, 1, {kind}({values})" if vector else f"{where}, {values}"
    if found := re.fullmatch(r"UniformMatrix(\d(?:x\d)?)(f|d)v", name):
        columns, rows = (found[1].split("x") * 2)[:2]
        return f"{location(f'm{found[1]}{found[2]}')}, 1, 0, {found[2]}({', '.join(['1'] * int(columns) * int(rows))})"
    if found := re.fullmatch(r"VertexAttribP(\d)ui(v?)", name):
        return "5, INT_2_10_10_10_REV, 0, " + ("u(7)" if found[2] else "7")
    if found := re.fullmatch(r"VertexAttrib[IL]?(\d)(N?(?:ub|us|ui|b|s|i|f|d))(v?)", name):
        values = ", ".join(["7"] * int(found[1]))
        return f"5, {TYPES[found[2]]}({values})" if found[3] else f"5, {values}"
    return None


OBJECTS = {"UNIFORM_BUFFER": "block", "RENDERBUFFER": "depth", "FRAMEBUFFER": "framebuffer", "DRAW_FRAMEBUFFER": "empty",
           "ELEMENT_ARRAY_BUFFER": "array"} | {target: name for name, (_, target) in reversed(TEXTURES.items())}
PLACES = {new: row for row in NAMED for new in (pair.split("=")[0] for pair in row.commands.split())}


def of_named(name: str) -> str | None:
    """What is said of the command that this one stands for, with the object's name in place of where it is bound."""
    old = RECIPES.get(STANDS_FOR.get(name, ""))
    return "\n".join(named_arguments(PLACES[name], line) for line in old.split("\n")) if old else None


def named_arguments(row, recipe: str) -> str:
    *steps, last = recipe.split(" ; ")
    if not row.target:
        return " ; ".join([*steps, f"{'array' if row.place == 'vertex_array' else 'framebuffer'}, {last}"])
    target, rest = last.split(", ", 1)
    bound = re.findall(r"Bind(?:Texture|BufferBase)\((?:\w+, )+(\w+)\)", " ; ".join(steps))
    return " ; ".join([*steps, f"{bound[-1] if bound else OBJECTS[target]}, {rest}"])
