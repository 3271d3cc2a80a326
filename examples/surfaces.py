"""Shaders that several examples share: a screen-filling quad whose fragment shader is given."""

VERTEX = """
    #version 330 core
    out vec2 uv;
    void main() {
        uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
        gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    }
"""


def quad(ctx, fragment_body: str, declarations: str = ""):
    """A program and a vertex array that fill the viewport; `fragment_body` assigns `pixel` from `uv`."""
    program = ctx.program(
        vertex_shader=VERTEX,
        fragment_shader=f"#version 330 core\nin vec2 uv;\nout vec4 pixel;\n{declarations}\nvoid main() {{ {fragment_body} }}",
    )
    return program, ctx.vertex_array(program, [], mode=ctx.TRIANGLE_STRIP)


def checkers(size: tuple[int, int], channels: int = 4) -> bytes:
    """A picture made by rule: a gradient under a checkerboard."""
    width, height = size
    texels = bytearray()
    for y in range(height):
        for x in range(width):
            light = 255 if (x * 8 // width + y * 8 // height) % 2 else 96
            texels += bytes((x * light // width, y * light // height, light // 2, 255)[:channels])
    return bytes(texels)
