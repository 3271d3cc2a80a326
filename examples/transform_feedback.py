"""Particles whose places the GPU computes anew each frame: captured by transform feedback, drawn, captured again."""

import math
import struct

import stage

COUNT = 400


def setup(ctx, size):
    step = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_place;
            in vec2 in_speed;
            out vec2 place;
            out vec2 speed;
            void main() {
                vec2 pull = -in_place * 0.02;
                speed = in_speed + pull;
                place = in_place + speed;
                speed *= mix(vec2(1.0), vec2(-1.0), greaterThan(abs(place), vec2(0.95)));
            }
        """,
        varyings=["place", "speed"],
    )
    show = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_place;
            in vec2 in_speed;
            out vec3 color;
            void main() {
                color = vec3(0.5 + in_speed * 8.0, 1.0);
                gl_Position = vec4(in_place, 0.0, 1.0);
                gl_PointSize = 3.0;
            }
        """,
        fragment_shader="""
            #version 330 core
            in vec3 color;
            out vec4 pixel;
            void main() { pixel = vec4(color, 1.0); }
        """,
    )
    begin = [(0.8 * math.cos(0.31 * i), 0.8 * math.sin(0.17 * i), 0.03 * math.sin(0.7 * i), 0.03 * math.cos(0.9 * i))
             for i in range(COUNT)]
    buffers = [ctx.buffer(b"".join(struct.pack("4f", *p) for p in begin)), ctx.buffer(reserve=16 * COUNT)]
    steps = [ctx.vertex_array(step, buffer, "in_place", "in_speed") for buffer in buffers]
    dots = [ctx.vertex_array(show, buffer, "in_place", "in_speed") for buffer in buffers]
    target = ctx.simple_framebuffer(size)
    ctx.enable(ctx.PROGRAM_POINT_SIZE)

    def frame(number):
        now, then = number % 2, 1 - number % 2
        target.use()
        target.clear()
        steps[now].transform(buffers[then], ctx.POINTS)
        dots[then].render(ctx.POINTS)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
