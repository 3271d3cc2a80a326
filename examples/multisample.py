"""The same star with one and with four samples a pixel: the second is resolved by a blit."""

import math
import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_position;
            uniform vec2 centre;
            void main() { gl_Position = vec4(in_position * 0.45 + centre, 0.0, 1.0); }
        """,
        fragment_shader="""
            #version 330 core
            out vec4 pixel;
            uniform vec3 tint;
            void main() { pixel = vec4(tint, 1.0); }
        """,
    )
    points = []
    for n in range(11):
        a, b = math.tau * n / 11, math.tau * (n + 0.5) / 11
        points += [0, 0, math.cos(a), math.sin(a), 0.35 * math.cos(b), 0.35 * math.sin(b)]
    star = ctx.vertex_array(program, ctx.buffer(struct.pack(f"{len(points)}f", *points)), "in_position")
    smooth = ctx.framebuffer([ctx.renderbuffer(size, 4, samples=4)], ctx.depth_renderbuffer(size, samples=4))
    target = ctx.simple_framebuffer(size)

    def frame(_):
        smooth.use()
        smooth.clear(0.1, 0.1, 0.15, depth=1.0)
        program["centre"].value = (0.5, 0.0)
        program["tint"].value = (1.0, 0.8, 0.2)
        star.render()
        ctx.copy_framebuffer(target, smooth)
        target.use()
        program["centre"].value = (-0.5, 0.0)
        star.render()

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
