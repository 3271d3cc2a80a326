"""Blend functions and equations over a gradient, and a colour mask."""

import moderngl
import stage
import surfaces

MODES = [
    (moderngl.FUNC_ADD, (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)),
    (moderngl.FUNC_ADD, (moderngl.ONE, moderngl.ONE)),
    (moderngl.FUNC_ADD, (moderngl.DST_COLOR, moderngl.ZERO)),
    (moderngl.FUNC_SUBTRACT, (moderngl.ONE, moderngl.ONE)),
    (moderngl.FUNC_REVERSE_SUBTRACT, (moderngl.ONE, moderngl.ONE)),
    (moderngl.MIN, (moderngl.ONE, moderngl.ONE)),
    (moderngl.MAX, (moderngl.ONE, moderngl.ONE)),
    (moderngl.FUNC_ADD, (moderngl.SRC_ALPHA, moderngl.ONE, moderngl.ONE, moderngl.ZERO)),
]


def setup(ctx, size):
    _, background = surfaces.quad(ctx, "pixel = vec4(uv.x, uv.y, 0.4, 1.0);")
    program, patch = surfaces.quad(ctx, "pixel = tint;", "uniform vec4 tint;")
    target = ctx.simple_framebuffer(size)
    width, height = size[0] // 4, size[1] // 2

    def frame(_):
        target.use()
        target.clear()
        background.render(vertices=4)
        ctx.enable(ctx.BLEND)
        for n, (equation, function) in enumerate(MODES):
            ctx.viewport = (n % 4 * width + 8, n // 4 * height + 8, width - 16, height - 16)
            ctx.blend_equation = equation
            ctx.blend_func = function
            program["tint"].value = (0.9, 0.4, 0.2, 0.5)
            patch.render(vertices=4)
        ctx.disable(ctx.BLEND)
        target.color_mask = (False, True, False, False)
        ctx.viewport = (size[0] // 2 - 20, size[1] // 2 - 20, 40, 40)
        program["tint"].value = (1.0, 1.0, 1.0, 1.0)
        patch.render(vertices=4)
        target.color_mask = (True, True, True, True)
        ctx.viewport = (0, 0, *size)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
