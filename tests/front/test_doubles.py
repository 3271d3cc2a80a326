"""Uniforms and vertex attributes of double precision (OpenGL 4.0 and 4.1)."""

import ctypes
import struct

import pytest

from gl import program_of

VERTEX = b"""#version 410
in dvec3 place; in dmat3x4 m; in double d[2];
uniform dmat4 M; uniform dmat2x3 odd[2]; uniform double x[3]; uniform dvec3 q = dvec3(1, 2, 1.0LF / 3.0LF); uniform bool flag;
uniform float single;
void main() { gl_Position = vec4(M * dvec4(place, x[1] + x[2])) + vec4(m[0]) + float(d[1]) + vec4(q, odd[1][1].z)
                            + float(flag) + single; }
"""


@pytest.fixture
def program(gl46):
    return program_of(gl46, (gl46.VERTEX_SHADER, VERTEX))


def doubles(*values):
    return (ctypes.c_double * len(values))(*values)


def got(gl, program, name, count=16, kind="d"):
    c_type = {"d": ctypes.c_double, "f": ctypes.c_float, "i": ctypes.c_int, "ui": ctypes.c_uint}[kind]
    values = (c_type * 16)()
    getattr(gl, f"GetUniform{kind}v")(program, gl.GetUniformLocation(program, name), values)
    return list(values)[:count]


def test_a_double_keeps_every_bit(gl46, program):
    gl = gl46
    third = 1 / 3
    gl.Uniform1d(gl.GetUniformLocation(program, b"x[1]"), third)
    gl.Uniform3dv(gl.GetUniformLocation(program, b"q"), 1, doubles(third, -third, 1e300))
    assert got(gl, program, b"x[1]", 1) == [third]
    assert got(gl, program, b"q", 3) == [third, -third, 1e300]
    gl.Uniform1dv(gl.GetUniformLocation(program, b"x[1]"), 5, doubles(7, 8, 9, 9, 9))       # the array ends before
    assert got(gl, program, b"x[1]", 1) == [7] and got(gl, program, b"x[2]", 1) == [8]


def test_initialisers_of_doubles(gl46, program):
    assert got(gl46, program, b"q", 3) == [1, 2, 1 / 3]


def test_matrices_of_doubles_are_transposed_on_demand(gl46, program):
    gl = gl46
    gl.UniformMatrix4dv(gl.GetUniformLocation(program, b"M"), 1, 1, doubles(*range(16)))
    assert got(gl, program, b"M") == [c * 4 + r for r in range(4) for c in range(4)]
    gl.UniformMatrix2x3dv(gl.GetUniformLocation(program, b"odd[1]"), 1, 0, doubles(1, 2, 3, 4, 5, 6))
    assert got(gl, program, b"odd[1]", 6) == [1, 2, 3, 4, 5, 6]


def test_gets_convert(gl46, program):
    gl = gl46
    gl.Uniform1d(gl.GetUniformLocation(program, b"x[1]"), 2.6)
    assert got(gl, program, b"x[1]", 1, "i") == [3] and got(gl, program, b"x[1]", 1, "ui") == [3]
    assert got(gl, program, b"x[1]", 1, "f") == pytest.approx([2.6])
    gl.Uniform1f(gl.GetUniformLocation(program, b"single"), -1.5)
    assert got(gl, program, b"single", 1, "d") == [-1.5]


def test_precision_of_the_call_and_of_the_uniform_must_agree(gl46, program):
    gl = gl46
    for call in (lambda: gl.Uniform1d(gl.GetUniformLocation(program, b"single"), 1),
                 lambda: gl.Uniform1f(gl.GetUniformLocation(program, b"x[1]"), 1),
                 lambda: gl.Uniform1d(gl.GetUniformLocation(program, b"flag"), 1),
                 lambda: gl.UniformMatrix4fv(gl.GetUniformLocation(program, b"M"), 1, 0, (gl.f * 16)()),
                 lambda: gl.Uniform2dv(gl.GetUniformLocation(program, b"q"), 1, doubles(1, 2))):
        call()
        assert gl.error() == "INVALID_OPERATION"
    assert got(gl, program, b"single", 1, "f") == [0] and got(gl, program, b"q", 3) == [1, 2, 1 / 3]


def test_an_attribute_of_doubles_takes_one_location_a_column(gl46, program):
    gl = gl46
    where = {name: gl.GetAttribLocation(program, name) for name in (b"place", b"m", b"d[0]", b"d[1]")}
    assert sorted(where.values()) == [0, 1, 4, 5] or len(set(where.values())) == 4
    assert where[b"d[1]"] == where[b"d[0]"] + 1
    assert max(where.values()) <= 5


def test_arrays_and_current_values_of_doubles(gl46, buffer46):
    gl = gl46
    gl.BindVertexArray(gl.gen("VertexArrays"))
    gl.VertexAttribLPointer(3, 3, gl.DOUBLE, 0, None)
    assert gl.get_int("GetVertexAttribiv", 3, gl.VERTEX_ATTRIB_ARRAY_LONG) == 1
    assert gl.get_int("GetVertexAttribiv", 3, gl.VERTEX_ATTRIB_ARRAY_TYPE) == gl.DOUBLE
    gl.VertexAttribPointer(3, 3, gl.DOUBLE, 0, 0, None)             # converted to float: nothing is long about it
    assert gl.get_int("GetVertexAttribiv", 3, gl.VERTEX_ATTRIB_ARRAY_LONG) == 0
    gl.VertexAttribLPointer(3, 3, gl.FLOAT, 0, None)
    assert gl.error() == "INVALID_ENUM"
    gl.VertexAttribLPointer(3, 5, gl.DOUBLE, 0, None)
    assert gl.error() == "INVALID_VALUE"
    gl.VertexAttribL2d(5, 1 / 3, 1e-300)
    values = (ctypes.c_double * 4)()
    gl.GetVertexAttribLdv(5, gl.CURRENT_VERTEX_ATTRIB, values)
    assert list(values) == [1 / 3, 1e-300, 0, 1]
    gl.VertexAttribL4dv(16, doubles(1, 2, 3, 4))
    assert gl.error() == "INVALID_VALUE"


SHARP = b"""#version 410
in dvec3 place; uniform dvec4 base; flat out int right;
void main() { gl_Position = vec4(place.xy, 0.0, 1.0);
              right = int((base.x - base.y) * 1e12 == 0 ? 0 : (base.x - base.y) * 1e12 > 0.9 ? 1 : 2) + (place.z > 0.1LF ? 2 : 0); }
"""
SHOW = b"""#version 410
flat in int right; out vec4 color;
void main() { color = right == 1 ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }
"""


def test_the_driver_computes_in_doubles(drawing):
    """1 + 1e-12 is 1 in a float, and 0.1 as a float is more than 0.1 as a double."""
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    program = program_of(gl, (gl.VERTEX_SHADER, SHARP), (gl.FRAGMENT_SHADER, SHOW))
    corners = struct.pack("<9d", -1, -1, 0.1, 3, -1, 0.1, -1, 3, 0.1)
    gl.BindBuffer(gl.ARRAY_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.ARRAY_BUFFER, len(corners), corners, gl.STATIC_DRAW)
    at = gl.GetAttribLocation(program, b"place")
    gl.VertexAttribLPointer(at, 3, gl.DOUBLE, 0, None)
    gl.EnableVertexAttribArray(at)
    gl.Uniform4d(gl.GetUniformLocation(program, b"base"), 1 + 1e-12, 1, 0, 0)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert gl.pixel(3, 3) == (0, 255, 0, 255)
    gl.Uniform4d(gl.GetUniformLocation(program, b"base"), 1, 1, 0, 0)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert gl.pixel(3, 3) == (255, 0, 0, 255)


def test_the_driver_reads_a_current_value_of_doubles(drawing):
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    program = program_of(gl, (gl.VERTEX_SHADER, b"""#version 410
        in dvec2 value; flat out int right;
        void main() { gl_Position = vec4((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1, 0, 1);
                      right = value.x == 1.0LF / 3.0LF && value.y == 1e-300LF ? 1 : 0; }"""), (gl.FRAGMENT_SHADER, SHOW))
    gl.VertexAttribL2d(gl.GetAttribLocation(program, b"value"), 1 / 3, 1e-300)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert gl.pixel(3, 3) == (0, 255, 0, 255)
