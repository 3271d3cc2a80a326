"""A thousand draws a frame, each with uniforms of its own: the load a scene graph makes."""

import math
import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_position;
            uniform vec4 place;
            void main() { gl_Position = vec4(in_position * place.zw + place.xy, 0.0, 1.0); }
        """,
        fragment_shader="""
            #version 330 core
            uniform vec3 tint;
            out vec4 pixel;
            void main() { pixel = vec4(tint, 1.0); }
        """,
    )
    triangle = ctx.vertex_array(program, ctx.buffer(struct.pack("6f", 0, 1, -1, -1, 1, -1)), "in_position")
    target = ctx.simple_framebuffer(size)
    place, tint = program["place"], program["tint"]

    def frame(number):
        target.use()
        target.clear(0.02, 0.02, 0.04)
        for n in range(1000):
            angle = n * 2.399963 + 0.02 * number
            radius = math.sqrt(n / 1000)
            place.value = (radius * math.cos(angle), radius * math.sin(angle), 0.03, 0.03)
            if n % 10 == 0:
                tint.value = (n / 1000, 1.0 - n / 1000, 0.6)
            triangle.render()

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
