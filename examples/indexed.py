"""A wheel of triangles drawn from 16-bit and 32-bit indices, and as a strip with primitive restart."""

import math
import struct

import stage


def setup(ctx, size):
    program = ctx.program(
        vertex_shader="""
            #version 330 core
            in vec2 in_position;
            in float in_hue;
            uniform vec2 centre;
            out float hue;
            void main() {
                hue = in_hue;
                gl_Position = vec4(in_position * 0.45 + centre, 0.0, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            in float hue;
            out vec4 pixel;
            void main() { pixel = vec4(abs(hue * 6.0 - vec3(3.0, 2.0, 4.0)) * vec3(1, -1, -1) + vec3(-1, 2, 2), 1.0); }
        """,
    )
    spokes = 24
    vertices = [(0.0, 0.0, 0.0)]
    vertices += [(math.cos(a), math.sin(a), i / spokes) for i in range(spokes) for a in [math.tau * i / spokes]]
    data = ctx.buffer(b"".join(struct.pack("3f", *v) for v in vertices))
    fan = [i for n in range(0, spokes, 2) for i in (0, n + 1, n + 2)]
    rim = [i for n in range(0, spokes, 3) for i in (n + 1, 0, n + 2, 0xFFFFFFFF)]
    layout = [(data, "2f 1f", "in_position", "in_hue")]
    short = ctx.vertex_array(program, layout, ctx.buffer(struct.pack(f"{len(fan)}H", *fan)), index_element_size=2)
    wide = ctx.vertex_array(program, layout, ctx.buffer(struct.pack(f"{len(fan)}I", *fan)), index_element_size=4)
    strip = ctx.vertex_array(program, layout, ctx.buffer(struct.pack(f"{len(rim)}I", *rim)), index_element_size=4)
    target = ctx.simple_framebuffer(size)

    def frame(_):
        target.use()
        target.clear(0.1, 0.1, 0.1)
        program["centre"].value = (-0.5, 0.5)
        short.render()
        program["centre"].value = (0.5, 0.5)
        wide.render(vertices=18, first=6)
        program["centre"].value = (-0.5, -0.5)
        strip.render(ctx.TRIANGLE_STRIP)
        program["centre"].value = (0.5, -0.5)
        wide.render(ctx.LINES)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
