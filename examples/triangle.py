"""One triangle with a colour at each corner."""

import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_position;
            in vec3 in_colour;
            out vec3 colour;
            void main() {
                colour = in_colour;
                gl_Position = vec4(in_position, 0.0, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            in vec3 colour;
            out vec4 pixel;
            void main() { pixel = vec4(colour, 1.0); }
        """,
    )
    corners = struct.pack("15f", 0.0, 0.8, 1, 0, 0, -0.7, -0.6, 0, 1, 0, 0.7, -0.6, 0, 0, 1)
    triangle = ctx.vertex_array(program, ctx.buffer(corners), "in_position", "in_colour")
    target = ctx.simple_framebuffer(size)

    def frame(_):
        target.use()
        target.clear(0.07, 0.08, 0.11)
        triangle.render()

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
