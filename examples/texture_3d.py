"""A 3D texture: slices of an RGB cube, with trilinear filtering between them."""

import stage
import surfaces


def setup(ctx, size):
    side = 16
    texels = bytes(
        c * 255 // (side - 1) for z in range(side) for y in range(side) for x in range(side) for c in (x, y, z, side - 1)
    )
    volume = ctx.texture3d((side, side, side), 4, texels)
    volume.write(bytes((255, 255, 255, 255)) * 64, viewport=(6, 6, 6, 4, 4, 4))
    program, quad = surfaces.quad(
        ctx, "vec2 at = fract(uv * 4.0); vec2 cell = floor(uv * 4.0);"
        "pixel = texture(volume, vec3(at, (cell.x + 4.0 * cell.y + shift) / 16.0));",
        "uniform sampler3D volume; uniform float shift;",
    )
    target = ctx.simple_framebuffer(size)

    def frame(number):
        program["shift"].value = 0.25 + 0.1 * number
        volume.use()
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
