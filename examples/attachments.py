"""Several colour attachments of different formats in one pass, then shown side by side."""

import stage
import surfaces


def setup(ctx, size):
    half = (size[0] // 2, size[1] // 2)
    colours = [ctx.texture(half, 4), ctx.texture(half, 4, dtype="f2"), ctx.texture(half, 1, dtype="f4"), ctx.texture(half, 2)]
    several = ctx.framebuffer(colours)
    program = ctx.program(
        vertex_shader=surfaces.VERTEX,
        fragment_shader="""
            #version 330 core
            in vec2 uv;
            layout (location = 0) out vec4 base;
            layout (location = 1) out vec4 bright;
            layout (location = 2) out float far;
            layout (location = 3) out vec2 place;
            void main() {
                base = vec4(uv, 0.3, 1.0);
                bright = vec4(uv * 3.0, 2.0, 1.0);
                far = length(uv - 0.5);
                place = uv.yx;
            }
        """,
    )
    fill = ctx.vertex_array(program, [], mode=ctx.TRIANGLE_STRIP)
    _, show = surfaces.quad(
        ctx,
        """
            vec2 at = fract(uv * 2.0);
            pixel = uv.y < 0.5 ? (uv.x < 0.5 ? texture(a, at) : texture(b, at) / 3.0)
                : (uv.x < 0.5 ? vec4(vec3(texture(c, at).r), 1.0) : vec4(texture(d, at).rg, 0.0, 1.0));
        """,
        "uniform sampler2D a, b, c, d;",
    )
    for unit, name in enumerate("abcd"):
        show.program[name].value = unit
    target = ctx.simple_framebuffer(size)

    def frame(_):
        several.use()
        several.clear(0.0, 0.0, 0.0)
        fill.render(vertices=4)
        for unit, texture in enumerate(colours):
            texture.use(unit)
        target.use()
        target.clear()
        show.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
