"""Subroutines through their entry points: what is asked, what is refused, what is drawn."""

import ctypes

import pytest

VERTEX = b"#version 400\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, 0, 1); }\n"
FRAGMENT = b"""#version 400
subroutine vec4 Paint(); subroutine float Strength(float x);
subroutine(Paint) vec4 red() { return vec4(1, 0, 0, 1); }
subroutine(Paint) vec4 green() { return vec4(0, 1, 0, 1); }
subroutine(Paint) vec4 blue() { return vec4(0, 0, 1, 1); }
subroutine(Strength) float all(float x) { return x; }
subroutine(Strength) float none(float x) { return 0.0; }
subroutine uniform Paint paint[2]; subroutine uniform Strength strength; out vec4 color;
void main() { color = (gl_FragCoord.x < 16.0 ? paint[0]() : paint[1]()) * strength(1.0); }
"""


@pytest.fixture
def use(request):
    def use(gl):
        program = gl.CreateProgram()
        for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT)):
            shader = gl.CreateShader(kind)
            gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
            gl.CompileShader(shader)
            gl.AttachShader(program, shader)
        gl.LinkProgram(program)
        gl.UseProgram(program)
        return program
    return use


def numbers(*values):
    return (ctypes.c_uint * len(values))(*values)


def test_what_is_asked_of_a_program(gl46, use):
    gl = gl46
    program, stage = use(gl), gl.FRAGMENT_SHADER
    asked = {name: gl.get_int("GetProgramStageiv", program, stage, getattr(gl, name)) for name in (
        "ACTIVE_SUBROUTINES", "ACTIVE_SUBROUTINE_UNIFORMS", "ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS", "ACTIVE_SUBROUTINE_MAX_LENGTH",
        "ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH")}
    assert list(asked.values()) == [5, 2, 3, 6, 9]
    assert gl.get_int("GetProgramStageiv", program, gl.VERTEX_SHADER, gl.ACTIVE_SUBROUTINES) == 0
    assert [gl.GetSubroutineIndex(program, stage, name) for name in (b"red", b"blue", b"none", b"nobody")] == [0, 2, 4, gl.INVALID_INDEX]
    first = gl.GetSubroutineUniformLocation(program, stage, b"paint")
    assert first == gl.GetSubroutineUniformLocation(program, stage, b"paint[0]")
    assert gl.GetSubroutineUniformLocation(program, stage, b"paint[1]") == first + 1
    assert gl.GetSubroutineUniformLocation(program, stage, b"paint[2]") == -1
    assert gl.GetUniformLocation(program, b"strength") == -1 and gl.get_int("GetProgramiv", program, gl.ACTIVE_UNIFORMS) == 0


def test_limits_are_those_of_the_specification(gl46):
    gl = gl46
    for name, least in (("MAX_SUBROUTINES", 256), ("MAX_SUBROUTINE_UNIFORM_LOCATIONS", 1024), ("MAX_UNIFORM_LOCATIONS", 1024)):
        assert gl.get_int("GetIntegerv", getattr(gl, name)) >= least


def test_what_is_asked_of_a_subroutine(gl46, use):
    gl = gl46
    program, stage = use(gl), gl.FRAGMENT_SHADER
    text, length = ctypes.create_string_buffer(32), (ctypes.c_int * 1)()
    names = []
    for index in range(5):
        gl.GetActiveSubroutineName(program, stage, index, 32, length, text)
        names.append(text.value)
    assert names == [b"red", b"green", b"blue", b"all", b"none"]
    gl.GetActiveSubroutineUniformName(program, stage, 0, 4, length, text)
    assert (text.value, length[0]) == (b"pai", 3)
    assert gl.get_int("GetActiveSubroutineUniformiv", program, stage, 0, gl.UNIFORM_SIZE) == 2
    assert gl.get_int("GetActiveSubroutineUniformiv", program, stage, 0, gl.UNIFORM_NAME_LENGTH) == 9
    assert gl.get_int("GetActiveSubroutineUniformiv", program, stage, 1, gl.NUM_COMPATIBLE_SUBROUTINES) == 2
    functions = (ctypes.c_int * 3)()
    gl.GetActiveSubroutineUniformiv(program, stage, 0, gl.COMPATIBLE_SUBROUTINES, functions)
    assert list(functions) == [0, 1, 2]


def test_they_are_interfaces_of_the_program(gl46, use):
    gl = gl46
    program = use(gl)

    def of(interface, pname):
        return gl.get_int("GetProgramInterfaceiv", program, interface, pname)
    assert of(gl.FRAGMENT_SUBROUTINE, gl.ACTIVE_RESOURCES) == 5 and of(gl.VERTEX_SUBROUTINE, gl.ACTIVE_RESOURCES) == 0
    assert of(gl.FRAGMENT_SUBROUTINE, gl.MAX_NAME_LENGTH) == 6
    assert of(gl.FRAGMENT_SUBROUTINE_UNIFORM, gl.MAX_NUM_COMPATIBLE_SUBROUTINES) == 3
    assert gl.GetProgramResourceIndex(program, gl.FRAGMENT_SUBROUTINE, b"blue") == 2
    assert gl.GetProgramResourceIndex(program, gl.FRAGMENT_SUBROUTINE_UNIFORM, b"paint") == 0
    wanted = (gl.NAME_LENGTH, gl.ARRAY_SIZE, gl.LOCATION, gl.NUM_COMPATIBLE_SUBROUTINES, gl.COMPATIBLE_SUBROUTINES)
    values = (ctypes.c_int * 8)()
    gl.GetProgramResourceiv(program, gl.FRAGMENT_SUBROUTINE_UNIFORM, 0, len(wanted), (ctypes.c_uint * len(wanted))(*wanted), 8, None, values)
    assert list(values)[:7] == [9, 2, 0, 3, 0, 1, 2]
    assert gl.GetProgramResourceLocation(program, gl.FRAGMENT_SUBROUTINE_UNIFORM, b"paint[1]") == 1


def test_what_is_refused(gl46, use):
    gl = gl46
    program, stage = use(gl), gl.FRAGMENT_SHADER
    for call, error in ((lambda: gl.UniformSubroutinesuiv(stage, 2, numbers(0, 0)), "INVALID_VALUE"),
                        (lambda: gl.UniformSubroutinesuiv(stage, 3, numbers(0, 0, 5)), "INVALID_VALUE"),
                        (lambda: gl.UniformSubroutinesuiv(stage, 3, numbers(0, 3, 3)), "INVALID_OPERATION"),
                        (lambda: gl.UniformSubroutinesuiv(gl.GEOMETRY_SHADER, 0, numbers(0)), "INVALID_OPERATION"),
                        (lambda: gl.UniformSubroutinesuiv(gl.TEXTURE_2D, 0, numbers(0)), "INVALID_ENUM"),
                        (lambda: gl.GetUniformSubroutineuiv(stage, 3, numbers(0)), "INVALID_VALUE"),
                        (lambda: gl.GetSubroutineIndex(gl.CreateProgram(), stage, b"red"), "INVALID_OPERATION"),
                        (lambda: gl.GetSubroutineIndex(999, stage, b"red"), "INVALID_VALUE"),
                        (lambda: gl.GetActiveSubroutineName(program, stage, 5, 0, None, None), "INVALID_VALUE"),
                        (lambda: gl.GetProgramStageiv(program, stage, gl.LINK_STATUS, numbers(0)), "INVALID_ENUM")):
        call()
        assert gl.error() == error


def test_choices_last_until_a_program_is_used(gl46, use):
    gl = gl46
    program, stage = use(gl), gl.FRAGMENT_SHADER

    def chosen():
        return [gl.get_int("GetUniformSubroutineuiv", stage, location) for location in range(3)]
    assert chosen() == [0, 0, 3]
    gl.UniformSubroutinesuiv(stage, 3, numbers(2, 1, 4))
    assert chosen() == [2, 1, 4]
    gl.UseProgram(program)
    assert chosen() == [0, 0, 3]


def test_the_chosen_functions_draw(drawing, use):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    use(gl)
    for choice, left, right in (((2, 1, 3), (0, 0, 255, 255), (0, 255, 0, 255)), ((0, 2, 3), (255, 0, 0, 255), (0, 0, 255, 255)),
                                ((0, 2, 4), (0, 0, 0, 0), (0, 0, 0, 0))):
        gl.UniformSubroutinesuiv(gl.FRAGMENT_SHADER, 3, numbers(*choice))
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        assert (gl.pixel(3, 3), gl.pixel(28, 3)) == (left, right)
