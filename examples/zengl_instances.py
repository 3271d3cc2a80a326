"""zengl: instanced petals with a per-instance buffer, four samples a pixel, resolved, and a texture on each."""

import math
import struct

import moderngl
import stage
import surfaces
import zengl


def main() -> None:
    asked = stage.options()
    size = (asked.size, asked.size)
    current = moderngl.create_context(standalone=True, backend="egl")   # zengl needs a context that is current
    ctx = zengl.context()
    image = ctx.image(size, "rgba8unorm", samples=4)
    resolved = ctx.image(size, "rgba8unorm")
    texture = ctx.image((32, 32), "rgba8unorm", surfaces.checkers((32, 32)))
    image.clear_value = (0.95, 0.93, 0.88, 1.0)
    petals = ctx.buffer(
        b"".join(struct.pack("4f", math.cos(a), math.sin(a), 0.25 + 0.02 * (n % 5), a) for n in range(60) for a in [n * 2.4])
    )
    common = ctx.buffer(size=16)
    pipeline = ctx.pipeline(
        vertex_shader="""
            #version 330 core
            layout (std140) uniform Common { float turn; };
            layout (location = 0) in vec4 in_petal;
            vec2 corners[6] = vec2[](vec2(0, -0.3), vec2(1, -0.3), vec2(0, 0.3), vec2(0, 0.3), vec2(1, -0.3), vec2(1, 0.3));
            out vec2 uv;
            void main() {
                vec2 corner = corners[gl_VertexID];
                float a = in_petal.w + turn;
                uv = corner + vec2(0.0, 0.5);
                vec2 p = mat2(cos(a), sin(a), -sin(a), cos(a)) * corner * in_petal.z;
                gl_Position = vec4(p + in_petal.xy * fract(float(gl_InstanceID) * 0.0166), 0.0, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            uniform sampler2D Texture;
            in vec2 uv;
            layout (location = 0) out vec4 pixel;
            void main() { pixel = vec4(texture(Texture, uv).rgb, 0.8); }
        """,
        layout=[{"name": "Common", "binding": 0}, {"name": "Texture", "binding": 0}],
        resources=[
            {"type": "uniform_buffer", "binding": 0, "buffer": common},
            {"type": "sampler", "binding": 0, "image": texture, "wrap_x": "clamp_to_edge", "min_filter": "linear", "mag_filter": "nearest"},
        ],
        blend={"enable": True, "src_color": "src_alpha", "dst_color": "one_minus_src_alpha"},
        framebuffer=[image],
        topology="triangles",
        vertex_buffers=zengl.bind(petals, "4f /i", 0),
        vertex_count=6,
        instance_count=60,
    )
    for number in range(asked.frames):
        ctx.new_frame()
        image.clear()
        common.write(struct.pack("4f", 0.05 * number, 0, 0, 0))
        pipeline.render()
        image.blit(resolved)
        ctx.end_frame()
    pixels = resolved.read()
    stage.save(asked.picture, size, b"".join(pixels[i:i + 3] for i in range(0, len(pixels), 4)))
    current.release()


if __name__ == "__main__":
    main()
