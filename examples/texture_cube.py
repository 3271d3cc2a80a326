"""A cube map seen from its centre: six faces, unfolded by direction."""

import stage
import surfaces


def setup(ctx, size):
    faces = [(255, 60, 60), (120, 0, 0), (60, 255, 60), (0, 120, 0), (60, 60, 255), (0, 0, 120)]
    data = b"".join(
        bytes(c if (x // 4 + y // 4) % 2 else c // 2 for y in range(16) for x in range(16) for c in colour)
        for colour in faces
    )
    cube = ctx.texture_cube((16, 16), 3, data)
    cube.write(2, bytes((255, 255, 0)) * 16, viewport=(6, 6, 4, 4))
    program, quad = surfaces.quad(
        ctx,
        """
            float a = (uv.x * 2.0 - 1.0) * 3.14159 + turn;
            float b = (uv.y - 0.5) * 3.14159;
            pixel = texture(cube, vec3(cos(b) * sin(a), sin(b), cos(b) * cos(a)));
        """,
        "uniform samplerCube cube; uniform float turn;",
    )
    target = ctx.simple_framebuffer(size)

    def frame(number):
        program["turn"].value = 0.05 * number
        cube.use()
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
