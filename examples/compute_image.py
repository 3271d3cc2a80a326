"""A compute shader (OpenGL 4.3) paints a texture frame by frame, image to image; a quad shows it."""

import stage
import surfaces

PAINT = """#version 430
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) readonly uniform image2D before;
layout(rgba8, binding = 1) writeonly uniform image2D after;
uniform int number;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(after);
    vec4 old = imageLoad(before, (at + ivec2(8, 3)) % size);
    float ring = float((at.x - 64) * (at.x - 64) + (at.y - 64) * (at.y - 64)) / 4096.0;
    imageStore(after, at, vec4(fract(ring + 0.25 * float(number)), old.r * 0.75, float(at.y) / float(size.y), 1.0));
}"""


def setup(ctx, size):
    textures = [ctx.texture((128, 128), 4, bytes(128 * 128 * 4)) for _ in range(2)]
    paint = ctx.compute_shader(PAINT)
    _, quad = surfaces.quad(ctx, "pixel = texture(picture, uv);", "uniform sampler2D picture;")
    target = ctx.simple_framebuffer(size)

    def frame(number):
        textures[number % 2].bind_to_image(0, read=True, write=False)
        textures[1 - number % 2].bind_to_image(1, read=False, write=True)
        paint["number"] = number
        paint.run(16, 16)
        ctx.memory_barrier()
        textures[1 - number % 2].use()
        target.use()
        target.clear()
        quad.render(vertices=4)

    return frame, target


if __name__ == "__main__":
    stage.run(setup, require=430)
