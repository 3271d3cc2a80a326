"""moderngl-window's headless window: a cube and a sphere with depth, in its own framebuffer."""

import sys

import moderngl
import moderngl_window
from moderngl_window import geometry
from PIL import Image

OUT, FRAMES = sys.argv[1], int(sys.argv[2])
window = moderngl_window.get_window_cls("moderngl_window.context.headless.Window")(size=(256, 192), backend="egl")
moderngl_window.activate_context(window)
program = window.ctx.program(
    vertex_shader="""#version 330
        in vec3 in_position;
        in vec3 in_normal;
        uniform vec3 offset;
        out vec3 normal;
        void main() {
            mat3 turn = mat3(0.8, 0.2, -0.56, 0.0, 0.94, 0.34, 0.6, -0.27, 0.75);
            normal = turn * in_normal;
            gl_Position = vec4((turn * in_position * 0.6 + offset) * vec3(0.75, 1.0, 0.5), 1.0);
        }""",
    fragment_shader="""#version 330
        in vec3 normal;
        uniform vec3 tint;
        out vec4 colour;
        void main() { colour = vec4(tint * (0.3 + 0.7 * max(dot(normalize(normal), normalize(vec3(1, 2, -3))), 0.0)), 1.0); }""",
)
shapes = [(geometry.cube(size=(1, 1, 1)), (-0.45, 0.0, 0.0), (1.0, 0.5, 0.2)),
          (geometry.sphere(radius=0.7), (0.5, 0.1, 0.1), (0.3, 0.7, 1.0))]
window.ctx.enable(moderngl.DEPTH_TEST)
for _ in range(FRAMES):
    window.clear(0.1, 0.1, 0.15, 1.0)
    for shape, offset, tint in shapes:
        program["offset"], program["tint"] = offset, tint
        shape.render(program)
    window.swap_buffers()
Image.frombytes("RGBA", window.size, window.fbo.read(components=4)).transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(OUT)
window.destroy()
