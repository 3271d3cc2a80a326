"""A geometry shader turns points into hexagons."""

import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec3 in_point;
            out float radius;
            void main() { radius = in_point.z; gl_Position = vec4(in_point.xy, 0.0, 1.0); }
        """,
        geometry_shader="""
            #version 330 core
            layout (points) in;
            layout (triangle_strip, max_vertices = 18) out;
            in float radius[];
            out vec2 local;
            uniform float turn;
            void corner(float a) {
                local = vec2(cos(a), sin(a));
                gl_Position = gl_in[0].gl_Position + vec4(local * radius[0], 0.0, 0.0);
                EmitVertex();
            }
            void main() {
                for (int i = 0; i < 6; ++i) {
                    corner(turn + float(i) * 1.0471976);
                    corner(turn + float(i + 1) * 1.0471976);
                    local = vec2(0.0);
                    gl_Position = gl_in[0].gl_Position;
                    EmitVertex();
                    EndPrimitive();
                }
            }
        """,
        fragment_shader="""
            #version 330 core
            in vec2 local;
            out vec4 pixel;
            void main() { pixel = vec4(0.5 + 0.5 * local, 1.0 - length(local), 1.0); }
        """,
    )
    points = [(-0.7 + 0.35 * x, -0.7 + 0.35 * y, 0.05 + 0.02 * (x + y)) for y in range(5) for x in range(5)]
    dots = ctx.vertex_array(program, ctx.buffer(b"".join(struct.pack("3f", *p) for p in points)), "in_point")
    target = ctx.simple_framebuffer(size)

    def frame(number):
        program["turn"].value = 0.1 * number
        target.use()
        target.clear()
        dots.render(ctx.POINTS)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
