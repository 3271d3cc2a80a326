"""zengl: a stencil mask drawn first, then stripes only where it is, and a depth-tested cube over them."""

import math
import struct

import moderngl
import stage
import zengl

VERTEX = """
    #version 330 core
    layout (location = 0) in vec3 in_vertex;
    layout (std140) uniform Common { mat4 mvp; vec4 tint; };
    out vec3 at;
    void main() { at = in_vertex; gl_Position = mvp * vec4(in_vertex, 1.0); }
"""
FRAGMENT = """
    #version 330 core
    layout (std140) uniform Common { mat4 mvp; vec4 tint; };
    in vec3 at;
    layout (location = 0) out vec4 pixel;
    void main() { pixel = vec4(tint.rgb * (0.7 + 0.3 * step(fract((at.x + at.y) * 5.0), 0.5)), 1.0); }
"""


def cube() -> bytes:
    faces = [(a, s) for a in range(3) for s in (-1, 1)]
    data = b""
    for axis, side in faces:
        corners = []
        for u, v in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            corner = [0.0, 0.0, 0.0]
            corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, u, v
            corners.append(struct.pack("3f", *corner))
        a, b, c, d = corners
        data += a + b + c + c + b + d
    return data


def main() -> None:
    asked = stage.options()
    size = (asked.size, asked.size)
    current = moderngl.create_context(standalone=True, backend="egl")   # zengl needs a context that is current
    ctx = zengl.context()
    image = ctx.image(size, "rgba8unorm", texture=False)
    depth = ctx.image(size, "depth24plus-stencil8", texture=False)
    image.clear_value = (0.05, 0.05, 0.08, 1.0)
    disc = b"".join(
        struct.pack("9f", 0, 0, 0, *(f(math.tau * (n + k) / 40) * 0.8 for k in (0, 1) for f in (math.cos, math.sin, lambda _: 0)))
        for n in range(40)
    )
    square = struct.pack("18f", -1, -1, 0, 1, -1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 1, 0)
    front = {"fail_op": "keep", "pass_op": "keep", "depth_fail_op": "keep", "compare_op": "equal", "compare_mask": 255, "write_mask": 0, "reference": 1}
    write = front | {"pass_op": "replace", "compare_op": "always", "write_mask": 255}

    def pipeline(vertices: bytes, stencil: dict, depth_state: dict, colour_mask: int = 15):
        common = ctx.buffer(size=80)
        built = ctx.pipeline(
            vertex_shader=VERTEX, fragment_shader=FRAGMENT,
            layout=[{"name": "Common", "binding": 0}],
            resources=[{"type": "uniform_buffer", "binding": 0, "buffer": common}],
            depth=depth_state, stencil={"test": True, "front": stencil, "back": stencil} if stencil else None,
            framebuffer=[image, depth], topology="triangles", cull_face="none",
            vertex_buffers=zengl.bind(ctx.buffer(vertices), "3f", 0), vertex_count=len(vertices) // 12,
        )
        return built, common

    off = {"func": "always", "write": False}
    mask, mask_common = pipeline(disc, write, off)
    stripes, stripes_common = pipeline(square, front, off)
    box, box_common = pipeline(cube(), None, {"func": "less", "write": True})
    identity = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    for number in range(asked.frames):
        ctx.new_frame()
        image.clear()
        depth.clear()
        mask_common.write(struct.pack("20f", *identity, 0.2, 0.2, 0.3, 1))
        stripes_common.write(struct.pack("20f", *identity, 0.9, 0.5, 0.2, 1))
        a = 0.5 + 0.1 * number
        c, s = math.cos(a) * 0.35, math.sin(a) * 0.35
        box_common.write(struct.pack("20f", c, 0.1, s, 0, 0, 0.35, 0.05, 0, -s, 0.1, c, 0, 0, 0, 0, 1, 0.3, 0.8, 0.6, 1))
        mask.render()
        stripes.render()
        box.render()
        ctx.end_frame()
    pixels = image.read()
    rgb = b"".join(pixels[i:i + 3] for i in range(0, len(pixels), 4))
    stage.save(asked.picture, size, rgb)
    current.release()


if __name__ == "__main__":
    main()
