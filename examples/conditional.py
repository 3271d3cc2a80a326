"""A square is drawn only where another one was seen: queries and rendering on their condition, without asking for results."""

import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_corner;
            uniform vec3 at;
            uniform float scale;
            void main() { gl_Position = vec4(in_corner * scale + at.xy, at.z, 1.0); }
        """,
        fragment_shader="""
            #version 330 core
            uniform vec3 color;
            out vec4 pixel;
            void main() { pixel = vec4(color, 1.0); }
        """,
    )
    square = ctx.vertex_array(program, ctx.buffer(struct.pack("8f", -1, -1, 1, -1, -1, 1, 1, 1)), "in_corner")
    target = ctx.framebuffer([ctx.renderbuffer(size)], ctx.depth_renderbuffer(size))
    seen = [ctx.query(any_samples=True) for _ in range(8)]

    def draw(x, y, z, scale, color):
        program["at"].value, program["scale"].value, program["color"].value = (x, y, z), scale, color
        square.render(ctx.TRIANGLE_STRIP)

    def frame(number):
        target.use()
        target.clear()
        ctx.enable_only(ctx.DEPTH_TEST)
        draw(0.4 - 0.1 * number, 0.0, 0.0, 0.5, (0.2, 0.3, 0.8))
        for i, query in enumerate(seen):
            x = -0.875 + 0.25 * i
            with query:                                     # behind the large square nothing of it is seen
                draw(x, 0.0, 0.5, 0.08, (0.9, 0.6, 0.1))
            ctx.finish()                                    # or it may be drawn before its query has a result
            with query.crender:
                draw(x, 0.75, 0.0, 0.1, (0.1, 0.9, 0.3))

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
