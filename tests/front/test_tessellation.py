"""Patches and tessellation stages (OpenGL 4.0): state, program queries, which draws are legal, pixels."""

import ctypes

import pytest

VERTEX = b"""#version 400
const vec2 corners[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
out vec2 at; void main() { at = corners[gl_VertexID & 3]; gl_Position = vec4(at, 0, 1); }
"""
CONTROL = b"""#version 400
layout(vertices = 4) out; in vec2 at[]; out vec2 reached[]; patch out vec4 tint; uniform float level;
void main() { reached[gl_InvocationID] = at[gl_InvocationID]; tint = vec4(0, 1, 0, 1);
              gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = level;
              gl_TessLevelInner[0] = gl_TessLevelInner[1] = level; }
"""
EVALUATION = b"""#version 400
layout(quads, fractional_odd_spacing, cw) in; in vec2 reached[]; patch in vec4 tint; out vec4 color; uniform float size;
void main() { vec2 low = mix(reached[0], reached[1], gl_TessCoord.x), high = mix(reached[2], reached[3], gl_TessCoord.x);
              gl_Position = vec4(mix(low, high, gl_TessCoord.y) * size, 0, 1); color = tint; }
"""
FRAGMENT = b"#version 400\nin vec4 color; out vec4 c; void main() { c = color; }\n"
ALONE = b"""#version 400
layout(triangles, point_mode) in; void main() {
gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z; }
"""
GEOMETRY = b"""#version 400
layout(lines, invocations = 5) in; layout(points, max_vertices = 1) out; void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }
"""
WHITE = b"#version 400\nout vec4 c; void main() { c = vec4(1); }\n"


def linked(gl, **stages) -> tuple[int, str]:
    program = gl.CreateProgram()
    for kind, text in stages.items():
        shader = gl.CreateShader(getattr(gl, kind + "_SHADER"))
        gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    log = ctypes.create_string_buffer(2000)
    gl.GetProgramInfoLog(program, len(log), None, log)
    return program, log.value.decode()


def used(gl, **stages) -> int:
    program, log = linked(gl, **stages)
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 1, log
    gl.UseProgram(program)
    return program


def floats(gl, name, count):
    values = (ctypes.c_float * 4)()
    gl.GetFloatv(name, values)
    return list(values)[:count]


def test_patch_parameters(gl46):
    gl = gl46
    assert gl.get_int("GetIntegerv", gl.PATCH_VERTICES) == 3
    assert floats(gl, gl.PATCH_DEFAULT_OUTER_LEVEL, 4) == [1, 1, 1, 1] and floats(gl, gl.PATCH_DEFAULT_INNER_LEVEL, 2) == [1, 1]
    gl.PatchParameteri(gl.PATCH_VERTICES, 32)
    gl.PatchParameterfv(gl.PATCH_DEFAULT_OUTER_LEVEL, (gl.f * 4)(1, 2, 3, 4))
    gl.PatchParameterfv(gl.PATCH_DEFAULT_INNER_LEVEL, (gl.f * 2)(5, 6))
    assert gl.get_int("GetIntegerv", gl.PATCH_VERTICES) == 32
    assert floats(gl, gl.PATCH_DEFAULT_OUTER_LEVEL, 4) == [1, 2, 3, 4] and floats(gl, gl.PATCH_DEFAULT_INNER_LEVEL, 2) == [5, 6]


def test_patch_parameters_that_are_refused(gl46):
    gl = gl46
    for value in (0, -1, gl.get_int("GetIntegerv", gl.MAX_PATCH_VERTICES) + 1):
        gl.PatchParameteri(gl.PATCH_VERTICES, value)
        assert gl.error() == "INVALID_VALUE"
    gl.PatchParameteri(gl.PATCH_DEFAULT_INNER_LEVEL, 3)
    assert gl.error() == "INVALID_ENUM"
    gl.PatchParameterfv(gl.PATCH_VERTICES, (gl.f * 4)())
    assert gl.error() == "INVALID_ENUM"


def test_limits_are_at_least_those_of_the_specification(gl46):
    gl = gl46
    for name, least in (("MAX_PATCH_VERTICES", 32), ("MAX_TESS_GEN_LEVEL", 64), ("MAX_TESS_PATCH_COMPONENTS", 120),
                        ("MAX_TESS_CONTROL_UNIFORM_BLOCKS", 12), ("MAX_GEOMETRY_SHADER_INVOCATIONS", 32),
                        ("MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS", 16)):
        assert gl.get_int("GetIntegerv", getattr(gl, name)) >= least, name


def test_the_stages_come_with_opengl_4(gl):
    assert gl.CreateShader(gl.TESS_CONTROL_SHADER) == 0
    assert gl.error() == "INVALID_ENUM"


def test_what_a_program_says_of_its_tessellation(gl46):
    gl = gl46
    program = used(gl, VERTEX=VERTEX, TESS_CONTROL=CONTROL, TESS_EVALUATION=EVALUATION, FRAGMENT=FRAGMENT)
    asked = {name: gl.get_int("GetProgramiv", program, getattr(gl, name)) for name in (
        "TESS_CONTROL_OUTPUT_VERTICES", "TESS_GEN_MODE", "TESS_GEN_SPACING", "TESS_GEN_VERTEX_ORDER", "TESS_GEN_POINT_MODE")}
    assert asked == {"TESS_CONTROL_OUTPUT_VERTICES": 4, "TESS_GEN_MODE": gl.QUADS, "TESS_GEN_SPACING": gl.FRACTIONAL_ODD,
                     "TESS_GEN_VERTEX_ORDER": gl.CW, "TESS_GEN_POINT_MODE": 0}
    program = used(gl, VERTEX=VERTEX, TESS_EVALUATION=ALONE, FRAGMENT=WHITE)
    assert gl.get_int("GetProgramiv", program, gl.TESS_GEN_POINT_MODE) == 1
    assert gl.get_int("GetProgramiv", program, gl.TESS_GEN_SPACING) == gl.EQUAL
    gl.get_int("GetProgramiv", program, gl.TESS_CONTROL_OUTPUT_VERTICES)
    assert gl.error() == "INVALID_OPERATION"
    program = used(gl, VERTEX=VERTEX, GEOMETRY=GEOMETRY, FRAGMENT=WHITE)
    assert gl.get_int("GetProgramiv", program, gl.GEOMETRY_SHADER_INVOCATIONS) == 5
    gl.get_int("GetProgramiv", program, gl.TESS_GEN_MODE)
    assert gl.error() == "INVALID_OPERATION"


def test_a_control_shader_needs_an_evaluation_shader(gl46):
    program, log = linked(gl46, VERTEX=VERTEX, TESS_CONTROL=CONTROL, FRAGMENT=WHITE)
    assert gl46.get_int("GetProgramiv", program, gl46.LINK_STATUS) == 0 and "no tessellation evaluation shader" in log


@pytest.mark.parametrize(("stages", "legal"), [
    ({}, "POINTS TRIANGLES LINES_ADJACENCY"),
    ({"TESS_EVALUATION": ALONE}, "PATCHES"),                                # which makes points
    ({"GEOMETRY": GEOMETRY}, "LINES LINE_STRIP LINE_LOOP"),
    ({"GEOMETRY": GEOMETRY, "TESS_EVALUATION": ALONE}, ""),                 # the geometry shader takes lines
    ({"GEOMETRY": GEOMETRY, "TESS_EVALUATION": ALONE.replace(b"triangles, point_mode", b"isolines")}, "PATCHES"),
])
def test_modes_that_a_program_can_be_drawn_with(gl46, stages, legal):
    gl = gl46
    color = gl.gen("Renderbuffers")
    gl.BindRenderbuffer(gl.RENDERBUFFER, color)
    gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    used(gl, VERTEX=VERTEX, FRAGMENT=WHITE, **stages)
    for mode in ("POINTS", "LINES", "LINE_STRIP", "LINE_LOOP", "TRIANGLES", "LINES_ADJACENCY", "PATCHES"):
        gl.DrawArrays(getattr(gl, mode), 0, 4)
        expected = mode in legal.split() or (not stages and mode != "PATCHES")
        assert gl.error() == ("NO_ERROR" if expected else "INVALID_OPERATION"), mode


def test_a_tessellated_quad_is_drawn(drawing):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    program = used(gl, VERTEX=VERTEX, TESS_CONTROL=CONTROL, TESS_EVALUATION=EVALUATION, FRAGMENT=FRAGMENT)
    gl.Uniform1f(gl.GetUniformLocation(program, b"level"), 3)
    gl.Uniform1f(gl.GetUniformLocation(program, b"size"), 0.5)
    gl.PatchParameteri(gl.PATCH_VERTICES, 4)
    gl.DrawArrays(gl.PATCHES, 0, 4)
    assert gl.pixel(16, 16) == (0, 255, 0, 255) and gl.pixel(2, 16) == (0, 0, 0, 0)


def test_default_levels_hold_without_a_control_shader(drawing):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    used(gl, VERTEX=VERTEX, TESS_EVALUATION=ALONE.replace(b", point_mode", b""), FRAGMENT=WHITE)
    gl.PatchParameterfv(gl.PATCH_DEFAULT_OUTER_LEVEL, (gl.f * 4)(0, 0, 0, 0))       # a patch of level 0 is discarded
    gl.DrawArrays(gl.PATCHES, 0, 3)
    assert gl.pixel(2, 2) == (0, 0, 0, 0)
    gl.PatchParameterfv(gl.PATCH_DEFAULT_OUTER_LEVEL, (gl.f * 4)(1, 1, 1, 1))
    gl.DrawArrays(gl.PATCHES, 0, 3)
    assert gl.pixel(2, 2) == (255, 255, 255, 255)
