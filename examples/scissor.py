"""Scissored clears and draws, several viewports, lines."""

import stage
import surfaces


def setup(ctx, size):
    _, quad = surfaces.quad(ctx, "pixel = vec4(uv, 1.0 - uv.x, 1.0);")
    target = ctx.simple_framebuffer(size)
    w, h = size

    def frame(_):
        target.use()
        target.clear(0.2, 0.2, 0.2)
        for n in range(8):
            target.clear(0.1 * n, 0.9 - 0.1 * n, 0.5, viewport=(n * w // 8, n * h // 8, w // 8, h // 8))
        target.scissor = (w // 2, 0, w // 4, h // 3)
        quad.render(vertices=4)
        target.scissor = None
        target.viewport = (0, 2 * h // 3, w // 4, h // 4)
        quad.render(vertices=4)
        target.viewport = (0, h // 3, w // 4, h // 4)
        quad.render(ctx.LINE_STRIP, vertices=4)
        target.viewport = (0, 0, w, h)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
