"""Where gl_FragCoord counts from (GLSL 1.50): the lower left corner and pixel centers, unless its declaration says otherwise."""

import ctypes

import pytest

VERTEX = b"#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, 0, 1); }\n"


@pytest.mark.parametrize(("layout", "at_2_3"), [
    ("", (2.5, 3.5)), ("origin_upper_left", (2.5, 28.5)), ("pixel_center_integer", (2, 3)),
    ("origin_upper_left, pixel_center_integer", (2, 28)),
])
def test_coordinates_of_a_fragment(drawing, layout, at_2_3):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    declared = f"layout({layout}) in vec4 gl_FragCoord;" if layout else ""
    program = gl.CreateProgram()
    for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, (
            f"#version 330\n{declared} out vec4 color; void main() {{ color = vec4(gl_FragCoord.xy * 2.0 / 255.0, 0, 1); }}\n").encode())):
        shader = gl.CreateShader(kind)
        gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    gl.UseProgram(program)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    x, y, _, _ = gl.pixel(2, 3)
    assert (x / 2, y / 2) == at_2_3
