"""Transform feedback: what is refused when, and what can be asked (specification 13.2)."""

import ctypes

import pytest

VERTEX = b"#version 330\nin vec4 a; out vec4 one; out float two; void main() { one = a; two = a.x; gl_Position = a; }"
FRAGMENT = b"#version 330\nout vec4 color; void main() { color = vec4(1); }"
POINTS_TO_LINES = b"""#version 330
layout(points) in; layout(line_strip, max_vertices = 2) out; in vec4 one[]; out vec4 made;
void main() { made = one[0]; gl_Position = made; EmitVertex(); EmitVertex(); }"""


def strings(*texts: bytes):
    return (ctypes.c_char_p * len(texts))(*texts)


def program(gl, *varyings: bytes, mode=None, geometry: bytes = b"", use: bool = True) -> int:
    made = gl.CreateProgram()
    for kind, source in ((gl.VERTEX_SHADER, VERTEX), (gl.GEOMETRY_SHADER, geometry), (gl.FRAGMENT_SHADER, FRAGMENT)):
        if source:
            shader = gl.CreateShader(kind)
            gl.ShaderSource(shader, 1, strings(source), None)
            gl.CompileShader(shader)
            gl.AttachShader(made, shader)
    if varyings:
        gl.TransformFeedbackVaryings(made, len(varyings), strings(*varyings), mode or gl.INTERLEAVED_ATTRIBS)
    gl.LinkProgram(made)
    assert gl.get_int("GetProgramiv", made, gl.LINK_STATUS)
    if use:
        gl.UseProgram(made)
    return made


def target(gl, index: int = 0, size: int = 1024) -> int:
    buffer = gl.gen("Buffers")
    gl.BindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer)
    gl.BufferData(gl.TRANSFORM_FEEDBACK_BUFFER, size, None, gl.STATIC_DRAW)
    gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, buffer)
    return buffer


@pytest.fixture
def scene(gl):
    """A framebuffer and a vertex array, so that a draw is refused for no other reason."""
    texture, framebuffer, array = gl.gen("Textures"), gl.gen("Framebuffers"), gl.gen("VertexArrays")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    gl.BindVertexArray(array)
    assert gl.error() == "NO_ERROR"
    return gl


@pytest.fixture
def capture(scene):
    """A capture of points has begun."""
    gl = scene
    program(gl, b"one")
    target(gl)
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "NO_ERROR"
    yield gl
    if gl.get_int("GetIntegerv", gl.TRANSFORM_FEEDBACK_ACTIVE):
        gl.EndTransformFeedback()


def test_a_capture_needs_a_program_that_has_varyings_and_its_buffers(gl):
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "INVALID_OPERATION"
    program(gl)
    target(gl)
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "INVALID_OPERATION"
    program(gl, b"one", b"two", mode=gl.SEPARATE_ATTRIBS)
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "INVALID_OPERATION"
    target(gl, 1)
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "NO_ERROR"
    gl.EndTransformFeedback()


@pytest.mark.parametrize("call, error", [
    (lambda gl: gl.BeginTransformFeedback(gl.POINTS), "INVALID_OPERATION"),
    (lambda gl: gl.BeginTransformFeedback(gl.LINE_STRIP), "INVALID_ENUM"),
    (lambda gl: gl.ResumeTransformFeedback(), "INVALID_OPERATION"),
    (lambda gl: gl.UseProgram(0), "INVALID_OPERATION"),
    (lambda gl: gl.LinkProgram(gl.get_int("GetIntegerv", gl.CURRENT_PROGRAM)), "INVALID_OPERATION"),
    (lambda gl: gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 1, 0), "INVALID_OPERATION"),
    (lambda gl: gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, 0), "INVALID_OPERATION"),
    (lambda gl: gl.DrawArrays(gl.LINES, 0, 2), "INVALID_OPERATION"),
    (lambda gl: gl.DrawArrays(gl.TRIANGLES, 0, 3), "INVALID_OPERATION"),
    (lambda gl: gl.DrawArrays(gl.POINTS, 0, 3), "NO_ERROR"),
])
def test_while_a_capture_is_active(capture, call, error):
    call(capture)
    assert capture.error() == error


def test_nothing_is_active_without_begin(gl):
    for call in (gl.EndTransformFeedback, gl.PauseTransformFeedback, gl.ResumeTransformFeedback):
        call()
        assert gl.error() == "INVALID_OPERATION"


def test_a_paused_capture_lets_programs_change_but_not_the_buffers(capture):
    gl = capture
    mine = gl.get_int("GetIntegerv", gl.CURRENT_PROGRAM)
    gl.PauseTransformFeedback()
    assert gl.get_int("GetIntegerv", gl.TRANSFORM_FEEDBACK_PAUSED) == 1
    gl.PauseTransformFeedback()
    assert gl.error() == "INVALID_OPERATION"
    other = program(gl, b"two")
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert gl.error() == "NO_ERROR"
    gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
    assert gl.error() == "INVALID_OPERATION"
    gl.LinkProgram(mine)
    assert gl.error() == "INVALID_OPERATION"
    gl.LinkProgram(other)
    gl.ResumeTransformFeedback()
    assert gl.error() == "INVALID_OPERATION"            # the other program is current
    gl.UseProgram(mine)
    gl.ResumeTransformFeedback()
    assert gl.error() == "NO_ERROR"


def test_the_geometry_shaders_primitives_decide(scene):
    gl = scene
    program(gl, b"made", geometry=POINTS_TO_LINES)
    target(gl)
    gl.BeginTransformFeedback(gl.POINTS)
    gl.DrawArrays(gl.POINTS, 0, 1)
    assert gl.error() == "INVALID_OPERATION"
    gl.EndTransformFeedback()
    gl.BeginTransformFeedback(gl.LINES)
    gl.DrawArrays(gl.POINTS, 0, 1)
    gl.EndTransformFeedback()


def test_a_mapped_target_stops_draws(capture):
    gl = capture
    assert gl.MapBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, gl.READ_ONLY)
    gl.DrawArrays(gl.POINTS, 0, 1)
    assert gl.error() == "INVALID_OPERATION"
    gl.UnmapBuffer(gl.TRANSFORM_FEEDBACK_BUFFER)
    gl.DrawArrays(gl.POINTS, 0, 1)


def test_a_program_deleted_in_its_capture_lives_until_the_end(capture):
    gl = capture
    mine = gl.get_int("GetIntegerv", gl.CURRENT_PROGRAM)
    gl.DeleteProgram(mine)
    gl.PauseTransformFeedback()
    gl.UseProgram(0)
    assert gl.IsProgram(mine)
    gl.EndTransformFeedback()
    assert not gl.IsProgram(mine)


def test_objects(capture):
    gl = capture
    gl.EndTransformFeedback()
    a, b = gl.gen("TransformFeedbacks", 2)
    assert not gl.IsTransformFeedback(a)
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, a)
    assert gl.IsTransformFeedback(a) and gl.get_int("GetIntegerv", gl.TRANSFORM_FEEDBACK_BINDING) == a
    gl.BeginTransformFeedback(gl.POINTS)
    assert gl.error() == "INVALID_OPERATION"            # its own bindings are empty
    buffer = target(gl)
    assert gl.get_int("GetIntegeri_v", gl.TRANSFORM_FEEDBACK_BUFFER_BINDING, 0) == buffer
    gl.BeginTransformFeedback(gl.POINTS)
    gl.PauseTransformFeedback()
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, b)
    assert gl.get_int("GetIntegerv", gl.TRANSFORM_FEEDBACK_ACTIVE) == 0
    assert gl.get_int("GetIntegeri_v", gl.TRANSFORM_FEEDBACK_BUFFER_BINDING, 0) == 0
    gl.delete("TransformFeedbacks", b, a)
    assert gl.error() == "INVALID_OPERATION" and gl.IsTransformFeedback(b)       # none of them, since a is active
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, a)
    gl.EndTransformFeedback()
    gl.delete("TransformFeedbacks", b, a)
    assert gl.get_int("GetIntegerv", gl.TRANSFORM_FEEDBACK_BINDING) == 0
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, a)
    assert gl.error() == "INVALID_OPERATION"
    gl.BindTransformFeedback(gl.TEXTURE_2D, 0)
    assert gl.error() == "INVALID_ENUM"


def test_draws_of_a_capture(capture):
    gl = capture
    gl.EndTransformFeedback()
    program(gl)
    gl.DrawTransformFeedback(gl.POINTS, 0)
    assert gl.error() == "NO_ERROR"
    fresh = gl.gen("TransformFeedbacks")
    gl.DrawTransformFeedback(gl.POINTS, fresh)
    assert gl.error() == "INVALID_VALUE"
    gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, fresh)
    gl.DrawTransformFeedback(gl.POINTS, fresh)
    assert gl.error() == "INVALID_OPERATION"            # it never ended a capture
    gl.DrawTransformFeedbackStream(gl.POINTS, 0, 4)
    assert gl.error() == "INVALID_VALUE"
    gl.DrawTransformFeedbackInstanced(gl.POINTS, 0, -1)
    assert gl.error() == "INVALID_VALUE"


def test_varyings_can_be_asked_for(gl):
    made = program(gl, b"two", b"one", use=False)
    name, length, size, kind = ctypes.create_string_buffer(8), ctypes.c_int(), ctypes.c_int(), ctypes.c_uint()
    answer = [ctypes.addressof(x) for x in (length, size, kind)]
    gl.GetTransformFeedbackVarying(made, 1, 8, *answer, name)
    assert (name.value, length.value, size.value, kind.value) == (b"one", 3, 1, gl.FLOAT_VEC4)
    gl.GetTransformFeedbackVarying(made, 0, 3, *answer, name)
    assert (name.value, length.value, kind.value) == (b"tw", 2, gl.FLOAT)
    assert gl.get_int("GetProgramiv", made, gl.TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH) == 4
    gl.GetTransformFeedbackVarying(made, 2, 8, *answer, name)
    assert gl.error() == "INVALID_VALUE"
    gl.GetTransformFeedbackVarying(gl.CreateProgram(), 0, 8, *answer, name)
    assert gl.error() == "INVALID_OPERATION"


@pytest.mark.parametrize("names, mode, error", [
    ([b"a"] * 5, "SEPARATE_ATTRIBS", "INVALID_VALUE"),
    ([b"a"], "FLOAT", "INVALID_ENUM"),
    ([b"a"] * 4, "SEPARATE_ATTRIBS", "NO_ERROR"),
])
def test_varyings_that_are_refused(gl, names, mode, error):
    gl.TransformFeedbackVaryings(gl.CreateProgram(), len(names), strings(*names), getattr(gl, mode))
    assert gl.error() == error
