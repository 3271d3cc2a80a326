"""A 2D array texture of six layers, filled layer by layer, shown side by side."""

import stage
import surfaces


def setup(ctx, size):
    layers = ctx.texture_array((32, 32, 6), 4)
    for layer in range(6):
        colour = bytes((40 * layer, 255 - 40 * layer, 128, 255))
        layers.write(colour * (32 * 32), viewport=(0, 0, layer, 32, 32, 1))
        layers.write(bytes((255, 255, 255, 255)) * 16, viewport=(4 + 4 * layer, 14, layer, 4, 4, 1))
    _, quad = surfaces.quad(
        ctx, "pixel = texture(layers, vec3(fract(uv * vec2(3.0, 2.0)), floor(uv.x * 3.0) + 3.0 * floor(uv.y * 2.0)));",
        "uniform sampler2DArray layers;",
    )
    target = ctx.simple_framebuffer(size)

    def frame(_):
        layers.use()
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
