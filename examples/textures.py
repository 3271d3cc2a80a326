"""2D textures: formats from one to four channels, half and full floats, integers, sub-images, filters, wrapping."""

import struct

import moderngl
import stage
import surfaces


def setup(ctx, size):
    picture = ctx.texture((64, 64), 4, surfaces.checkers((64, 64)))
    rgb = ctx.texture((30, 30), 3, surfaces.checkers((30, 30), 3), alignment=1)
    red = ctx.texture((16, 16), 1, bytes(range(256)))
    floats = ctx.texture((2, 2), 4, struct.pack("16f", *(0.1 * i for i in range(16))), dtype="f4")
    halves = ctx.texture((2, 2), 2, struct.pack("8e", *(0.12 * i for i in range(8))), dtype="f2")
    counts = ctx.texture((4, 4), 1, struct.pack("16I", *(i * i for i in range(16))), dtype="u4")
    picture.write(bytes((255, 200, 0, 255)) * 256, viewport=(8, 8, 16, 16))
    picture.repeat_x = picture.repeat_y = True
    red.filter = (moderngl.NEAREST, moderngl.NEAREST)
    floats.filter = (moderngl.LINEAR, moderngl.LINEAR)
    halves.repeat_x = halves.repeat_y = False
    red.swizzle = "RRR1"
    counts.filter = (moderngl.NEAREST, moderngl.NEAREST)
    _, quad = surfaces.quad(
        ctx,
        """
            vec2 cell = floor(uv * vec2(3.0, 2.0));
            vec2 at = fract(uv * vec2(3.0, 2.0));
            int n = int(cell.x + cell.y * 3.0);
            if (n == 0) pixel = texture(t0, at * 2.0 - 0.5);
            if (n == 1) pixel = texture(t1, at);
            if (n == 2) pixel = texture(t2, at);
            if (n == 3) pixel = vec4(texture(t3, at).rgb, 1.0);
            if (n == 4) pixel = vec4(texture(t4, at * 1.4 - 0.2).rg, 0.5, 1.0);
            if (n == 5) pixel = vec4(vec3(float(texelFetch(t5, ivec2(at * 4.0), 0).r) / 255.0), 1.0);
        """,
        "uniform sampler2D t0, t1, t2, t3, t4; uniform usampler2D t5;",
    )
    textures = (picture, rgb, red, floats, halves, counts)
    for unit in range(6):
        quad.program[f"t{unit}"].value = unit
    target = ctx.simple_framebuffer(size)

    def frame(number):
        picture.write(bytes((0, 40 * number % 256, 255, 255)) * 64, viewport=(40, 40, 8, 8))
        for unit, texture in enumerate(textures):
            texture.use(unit)
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
