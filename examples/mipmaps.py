"""A floor that runs to the horizon: generated mipmaps, a chain written by hand, and no mipmaps."""

import moderngl
import stage
import surfaces


def setup(ctx, size):
    generated = ctx.texture((128, 128), 4, surfaces.checkers((128, 128)))
    generated.build_mipmaps()
    generated.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    by_hand = ctx.texture((64, 64), 4)
    by_hand.build_mipmaps()
    for level, colour in enumerate(((255, 0, 0), (255, 160, 0), (255, 255, 0), (0, 255, 0), (0, 160, 255), (80, 0, 255), (255, 255, 255))):
        by_hand.write(bytes((*colour, 255)) * ((64 >> level) ** 2), level=level)
    by_hand.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
    plain = ctx.texture((128, 128), 4, surfaces.checkers((128, 128)))
    plain.filter = (moderngl.LINEAR, moderngl.LINEAR)
    _, quad = surfaces.quad(
        ctx,
        """
            float depth = 1.0 / max(1.0 - uv.y, 0.02);
            vec2 at = vec2((uv.x - 0.5) * depth, depth);
            pixel = uv.x < 0.33 ? texture(a, at) : uv.x < 0.66 ? texture(b, at) : texture(c, at);
        """,
        "uniform sampler2D a, b, c;",
    )
    for unit, name in enumerate("abc"):
        quad.program[name].value = unit
    target = ctx.simple_framebuffer(size)

    def frame(_):
        for unit, texture in enumerate((generated, by_hand, plain)):
            texture.use(unit)
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
