"""Sampler objects: one texture seen through four of them, one with depth comparison."""

import struct

import moderngl
import stage
import surfaces


def setup(ctx, size):
    picture = ctx.texture((8, 8), 4, surfaces.checkers((8, 8)))
    depth = ctx.depth_texture((4, 4), struct.pack("16f", *(i / 15 for i in range(16))))
    seen_through = [
        ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST), repeat_x=True, repeat_y=True),
        ctx.sampler(filter=(moderngl.LINEAR, moderngl.LINEAR), repeat_x=False, repeat_y=False),
        ctx.sampler(filter=(moderngl.LINEAR, moderngl.LINEAR), repeat_x=True, repeat_y=False, texture=picture),
    ]
    compare = ctx.sampler(filter=(moderngl.LINEAR, moderngl.LINEAR), compare_func="<=")
    seen_through[1].border_color = (1.0, 0.0, 1.0, 1.0)
    _, quad = surfaces.quad(
        ctx,
        """
            vec2 at = fract(uv * 2.0) * 1.6 - 0.3;
            pixel = uv.x < 0.5 ? (uv.y < 0.5 ? texture(a, at) : texture(b, at)) : (uv.y < 0.5 ? texture(c, at)
                : vec4(vec3(texture(d, vec3(at, 0.5))), 1.0));
        """,
        "uniform sampler2D a, b, c; uniform sampler2DShadow d;",
    )
    for unit, name in enumerate("abcd"):
        quad.program[name].value = unit
    target = ctx.simple_framebuffer(size)

    def frame(_):
        for unit, sampler in enumerate(seen_through):
            picture.use(unit)
            sampler.use(unit)
        depth.use(3)
        compare.use(3)
        target.use()
        target.clear()
        quad.render(vertices=4)
        for unit in range(4):
            ctx.clear_samplers(unit, unit + 1)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
