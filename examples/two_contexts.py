"""Two contexts of one program: each draws its own half, switching back and forth within the frame."""

import moderngl
import stage
import surfaces


def main() -> None:
    asked = stage.options()
    half = (asked.size // 2, asked.size)
    sides = []
    for colour in ("vec3(uv, 0.2)", "vec3(0.2, uv.yx)"):
        ctx = moderngl.create_context(standalone=True, backend="egl")
        program, quad = surfaces.quad(ctx, f"pixel = vec4({colour} * level, 1.0);", "uniform float level;")
        sides.append((ctx, program, quad, ctx.simple_framebuffer(half)))
    for number in range(asked.frames):
        for level in (0.5, 1.0):
            for ctx, program, quad, target in sides:
                with ctx:
                    target.use()
                    target.clear()
                    program["level"].value = level - 0.1 * number
                    quad.render(vertices=4)
    columns = []
    for ctx, _, _, target in sides:
        with ctx:
            columns.append(target.read(components=3))
            if ctx.error != "GL_NO_ERROR":
                raise SystemExit(f"OpenGL reported {ctx.error}")
    row = half[0] * 3
    rows = (columns[n][y * row:(y + 1) * row] for y in range(asked.size) for n in range(2))
    stage.save(asked.picture, (half[0] * 2, asked.size), b"".join(rows))


if __name__ == "__main__":
    main()
