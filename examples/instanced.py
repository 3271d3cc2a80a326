"""One quad, 400 instances: per-instance place and colour from a second buffer with a divisor, and gl_InstanceID."""

import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_corner;
            in vec2 in_place;
            in vec4 in_tint;
            uniform float turn;
            out vec4 tint;
            void main() {
                float angle = turn + float(gl_InstanceID) * 0.07;
                mat2 rotation = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
                tint = in_tint;
                gl_Position = vec4(rotation * in_corner * 0.04 + in_place, 0.0, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            in vec4 tint;
            out vec4 pixel;
            void main() { pixel = tint; }
        """,
    )
    corners = ctx.buffer(struct.pack("8f", -1, -1, 1, -1, -1, 1, 1, 1))
    places = ctx.buffer(
        b"".join(
            struct.pack("2f4B", -0.95 + 0.1 * x, -0.95 + 0.1 * y, 12 * x, 12 * y, 255 - 6 * x - 6 * y, 255)
            for y in range(20)
            for x in range(20)
        )
    )
    quads = ctx.vertex_array(
        program, [(corners, "2f", "in_corner"), (places, "2f 4f1/i", "in_place", "in_tint")]
    )
    target = ctx.simple_framebuffer(size)

    def frame(number):
        program["turn"].value = 0.1 * number
        target.use()
        target.clear()
        quads.render(ctx.TRIANGLE_STRIP, vertices=4, instances=400)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
