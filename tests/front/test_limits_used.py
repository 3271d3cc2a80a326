"""What limits promise can be had: fourteen uniform blocks beside loose uniforms, distances that cull."""

import ctypes
import struct

import pytest


def program(gl, **stages: str) -> int:
    made = gl.CreateProgram()
    for stage, text in stages.items():
        shader = gl.CreateShader(getattr(gl, f"{stage.upper()}_SHADER"))
        gl.ShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text.encode())), None)
        gl.CompileShader(shader)
        gl.AttachShader(made, shader)
    gl.LinkProgram(made)
    log = ctypes.create_string_buffer(4096)
    gl.GetProgramInfoLog(made, 4096, None, log)
    assert gl.get_int("GetProgramiv", made, gl.LINK_STATUS), log.value.decode()
    gl.UseProgram(made)
    return made


def red(gl) -> list[float]:
    pixels = (ctypes.c_float * (32 * 32))()
    gl.ReadPixels(0, 0, 32, 32, gl.RED, gl.FLOAT, pixels)
    return list(pixels)


COVER = "void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1);"


def test_as_many_uniform_blocks_as_are_promised_beside_loose_uniforms(drawing):
    gl = drawing
    count = gl.get_int("GetIntegerv", gl.MAX_FRAGMENT_UNIFORM_BLOCKS)
    assert count == 14
    blocks = "".join(f"layout(std140) uniform B{i} {{ float b{i}; }};\n" for i in range(count))
    total = " + ".join(f"b{i}" for i in range(count))
    made = program(gl, vertex=f"#version 430\nuniform float scale; {COVER} gl_Position.w *= scale; }}",
                   fragment=f"#version 430\nuniform float loose;\n{blocks}out vec4 color; void main() {{ color = vec4({total} + loose); }}")
    step = 16 if gl.get_int("GetIntegerv", gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT) <= 16 else 256
    buffer = gl.gen("Buffers")
    gl.BindBuffer(gl.UNIFORM_BUFFER, buffer)
    gl.BufferData(gl.UNIFORM_BUFFER, step * count, b"".join(struct.pack("f", (i + 1) / 256).ljust(step, b"\0") for i in range(count)), gl.STATIC_DRAW)
    for i in range(count):
        gl.UniformBlockBinding(made, i, i)
    sizes = (ctypes.c_ssize_t * count)(*[16] * count)
    gl.BindBuffersRange(gl.UNIFORM_BUFFER, 0, count, (ctypes.c_uint * count)(*[buffer] * count),
                        (ctypes.c_ssize_t * count)(*(step * i for i in range(count))), sizes)
    gl.Uniform1f(gl.GetUniformLocation(made, b"loose"), 0.25)
    gl.Uniform1f(gl.GetUniformLocation(made, b"scale"), 1)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    assert red(gl)[0] == pytest.approx(0.25 + sum(range(count + 1)) / 256, abs=1 / 255)


def test_a_primitive_whose_distances_are_all_negative_is_culled(drawing):
    gl = drawing
    made = program(gl, vertex=f"""#version 450
        uniform float distance; out gl_PerVertex {{ vec4 gl_Position; float gl_CullDistance[2]; }};
        {COVER} gl_CullDistance[0] = 1; gl_CullDistance[1] = distance + (gl_VertexID == 0 ? 1.0 : 0.0); }}""",
                   fragment="#version 450\nout vec4 color; void main() { color = vec4(1); }")
    gl.BindVertexArray(gl.gen("VertexArrays"))
    shown = []
    for distance in (0, -0.5, -2):
        gl.Clear(gl.COLOR_BUFFER_BIT)
        gl.Uniform1f(gl.GetUniformLocation(made, b"distance"), distance)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        shown.append(sum(red(gl)) / 1024)
    assert shown == [1, 1, 0]
    assert gl.get_int("GetIntegerv", gl.MAX_CULL_DISTANCES) == 8
    assert gl.get_int("GetIntegerv", gl.MAX_COMBINED_CLIP_AND_CULL_DISTANCES) == 8
