"""Render to texture, then two blur passes back and forth, then a vignette."""

import stage
import surfaces


def setup(ctx, size):
    scene = ctx.framebuffer([ctx.texture(size, 4)])
    between = [ctx.framebuffer([ctx.texture(size, 4)]) for _ in range(2)]
    target = ctx.simple_framebuffer(size)
    paint, draw = surfaces.quad(
        ctx, "vec2 p = uv - vec2(0.5 + 0.2 * sin(time), 0.5); pixel = vec4(vec3(step(fract(length(p) * 8.0), 0.5)) * vec3(uv, 1.0), 1.0);",
        "uniform float time;",
    )
    blur, pass_ = surfaces.quad(
        ctx, "vec4 sum = vec4(0.0); for (int i = -4; i <= 4; ++i) sum += texture(image, uv + step_ * float(i)) / 9.0; pixel = sum;",
        "uniform sampler2D image; uniform vec2 step_;",
    )
    _, finish = surfaces.quad(ctx, "pixel = texture(image, uv) * smoothstep(0.9, 0.3, length(uv - 0.5));", "uniform sampler2D image;")

    def frame(number):
        scene.use()
        scene.clear()
        paint["time"].value = 0.3 * number
        draw.render(vertices=4)
        source = scene
        for n in range(4):
            onto = between[n % 2]
            onto.use()
            blur["step_"].value = (1.0 / size[0], 0.0) if n % 2 else (0.0, 1.0 / size[1])
            source.color_attachments[0].use()
            pass_.render(vertices=4)
            source = onto
        target.use()
        source.color_attachments[0].use()
        finish.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
