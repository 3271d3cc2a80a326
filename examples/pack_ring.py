"""Pictures read into a ring of pixel buffers, each looked at two frames later, when nothing has to wait for it."""

import moderngl
import stage
import surfaces

RING = 3


def setup(ctx, size):
    program, draw = surfaces.quad(ctx, "pixel = vec4(uv * (0.4 + number * 0.1), number * 0.2, 1.0);", "uniform float number;")
    small = ctx.simple_framebuffer((32, 32))
    target = ctx.simple_framebuffer(size)
    ring = [ctx.buffer(reserve=32 * 32 * 4) for _ in range(RING)]
    vertex = "#version 330\nin vec4 tint; out vec4 color; void main() { int i = gl_VertexID; color = tint; gl_PointSize = 6.0; " \
             "gl_Position = vec4((vec2(i % 32, i / 32) + 0.5) / 16.0 - 1.0, 0.0, 1.0); }"
    points = ctx.program(vertex, "#version 330\nin vec4 color; out vec4 pixel; void main() { pixel = color; }")
    ctx.enable(moderngl.PROGRAM_POINT_SIZE)
    # the pixels as vertices: from buffer to buffer, never through the program's memory
    show = [ctx.vertex_array(points, [(buffer, "4f1", "tint")]) for buffer in ring]

    def frame(number):
        program["number"].value = number
        small.use()
        draw.render(vertices=4)
        small.read_into(ring[number % RING], components=4)
        target.use()
        target.clear(0.1, 0.1, 0.1, 1.0)
        oldest = (number + 1) % RING if number >= RING - 1 else 0
        show[oldest].render(moderngl.POINTS, vertices=32 * 32)
        seen = ring[oldest].read(size=4, offset=4 * 31)     # the picture that was drawn two frames ago
        drawn = max(0, number - RING + 1)
        if abs(seen[2] - round(255 * min(1.0, drawn * 0.2))) > 1:
            raise SystemExit(f"frame {number}: the pixel read from frame {drawn} is {tuple(seen)}")

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
