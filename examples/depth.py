"""Depth test and face culling: two interleaved rings of boxes, and the depth texture shown in a corner."""

import math
import struct

import moderngl
import stage
import surfaces

FACES = ((0, 1, 3, 2), (5, 4, 6, 7), (1, 5, 7, 3), (4, 0, 2, 6), (2, 3, 7, 6), (4, 5, 1, 0))


def box() -> bytes:
    corners = [(x, y, z) for z in (1, -1) for y in (-1, 1) for x in (-1, 1)]
    data = b""
    for face, (a, b, c, d) in enumerate(FACES):
        for corner in (a, b, c, a, c, d):
            data += struct.pack("3ff", *corners[corner], 0.4 + 0.1 * face)
    return data


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec3 in_position;
            in float in_light;
            uniform mat4 projection;
            uniform vec3 place;
            uniform float turn;
            out float light;
            void main() {
                vec3 p = in_position * 0.35;
                p = vec3(p.x * cos(turn) - p.z * sin(turn), p.y, p.x * sin(turn) + p.z * cos(turn)) + place;
                light = in_light;
                gl_Position = projection * vec4(p, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            in float light;
            uniform vec3 tint;
            out vec4 pixel;
            void main() { pixel = vec4(tint * light, 1.0); }
        """,
    )
    boxes = ctx.vertex_array(program, [(ctx.buffer(box()), "3f 1f", "in_position", "in_light")])
    colour, depth = ctx.texture(size, 4), ctx.depth_texture(size)
    depth.compare_func = ""
    target = ctx.framebuffer([colour], depth)
    _, show = surfaces.quad(ctx, "pixel = vec4(vec3(pow(texture(depth, uv).r, 8.0)), 1.0);", "uniform sampler2D depth;")
    final = ctx.simple_framebuffer(size)
    f = 1.0 / math.tan(math.radians(30))
    program["projection"].write(struct.pack("16f", f, 0, 0, 0, 0, f, 0, 0, 0, 0, -1.04, -1, 0, 0, -0.408, 0))

    def frame(number):
        target.use()
        target.clear(0.1, 0.12, 0.2, depth=1.0)
        ctx.enable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        for n in range(12):
            angle = math.tau * n / 12
            program["place"].value = (math.cos(angle), 0.5 * math.sin(2 * angle), -3.5 + math.sin(angle))
            program["turn"].value = angle + 0.05 * number
            program["tint"].value = (0.3 + 0.05 * n, 0.9 - 0.05 * n, 0.6)
            boxes.render()
        ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        ctx.copy_framebuffer(final, target)
        final.use()
        ctx.viewport = (0, 0, size[0] // 3, size[1] // 3)
        depth.use()
        show.render(vertices=4)
        ctx.viewport = (0, 0, *size)

    return frame, final


if __name__ == "__main__":
    stage.run(setup)
