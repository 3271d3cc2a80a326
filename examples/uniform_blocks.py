"""Uniform blocks: two blocks, one buffer rebound by range for every draw, one rewritten every frame."""

import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            layout (std140) uniform Camera { mat4 view; vec2 pan; };
            layout (std140) uniform Tile { vec4 place; vec3 colour; float weights[3]; } tile;
            void main() {
                vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
                gl_Position = view * vec4(corner * tile.place.zw + tile.place.xy + pan, 0.0, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            layout (std140) uniform Tile { vec4 place; vec3 colour; float weights[3]; } tile;
            out vec4 pixel;
            void main() { pixel = vec4(tile.colour * (tile.weights[0] + tile.weights[2]) * tile.weights[1], 1.0); }
        """,
    )
    program["Camera"].binding = 3
    program["Tile"].binding = 1
    camera = ctx.buffer(reserve=80)
    stride = 256
    tiles = bytearray(stride * 25)
    for n in range(25):
        x, y = n % 5, n // 5
        struct.pack_into("4f3fx3x3f", tiles, n * stride, x * 0.38 - 0.95, y * 0.38 - 0.95, 0.34, 0.34, x / 4, y / 4, 0.5, 0, 0, 0)
        for element, weight in enumerate((0.4, 0.8 + 0.05 * x, 0.6)):
            struct.pack_into("f", tiles, n * stride + 32 + 16 * element, weight)
    buffer = ctx.buffer(bytes(tiles))
    quad = ctx.vertex_array(program, [], mode=ctx.TRIANGLE_STRIP)
    target = ctx.simple_framebuffer(size)

    def frame(number):
        camera.orphan()
        camera.write(struct.pack("16f2f2x", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01 * number, 0.02)[:72])
        camera.bind_to_uniform_block(3)
        target.use()
        target.clear(0.05, 0.05, 0.05)
        for n in range(25):
            buffer.bind_to_uniform_block(1, offset=n * stride, size=112)
            quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
