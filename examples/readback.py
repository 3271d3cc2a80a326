"""What can be read back: buffers, textures, framebuffers whole and in part, floats, into a buffer; painted again."""

import struct

import stage
import surfaces


def setup(ctx, size):
    program, draw = surfaces.quad(ctx, "pixel = vec4(uv, number * 0.1, 1.0);", "uniform float number;")
    target = ctx.simple_framebuffer(size)
    floats = ctx.framebuffer([ctx.texture((4, 4), 4, dtype="f4")])
    store = ctx.buffer(struct.pack("16I", *range(16)))
    pixels = ctx.buffer(reserve=16 * 16 * 4)
    copy = ctx.texture((16, 16), 4)
    _, show = surfaces.quad(ctx, "pixel = texture(image, uv);", "uniform sampler2D image;")

    def expect(what: str, got: bytes, wanted: bytes) -> None:
        if got != wanted:
            raise SystemExit(f"{what}: read {got[:32]!r}…, expected {wanted[:32]!r}…")

    def frame(number):
        program["number"].value = number
        target.use()
        target.clear()
        draw.render(vertices=4)
        store.write(struct.pack("I", number), offset=20)
        expect("a buffer", store.read(size=8, offset=16), struct.pack("2I", 4, number))
        part = target.read(viewport=(8, 8, 16, 16), components=4)
        copy.write(part)
        expect("a texture that was written", copy.read(), part)
        expect("channels", target.read(viewport=(8, 8, 16, 16), components=1), part[::4])
        target.read_into(pixels, viewport=(8, 8, 16, 16), components=4)
        expect("a framebuffer in a buffer", pixels.read(), part)
        floats.use()
        floats.clear(0.25, -2.0, 1e6, 0.5)
        expect("floats", floats.read(components=4, dtype="f4"), struct.pack("4f", 0.25, -2.0, 1e6, 0.5) * 16)
        expect("a texture that was drawn", floats.color_attachments[0].read(), struct.pack("4f", 0.25, -2.0, 1e6, 0.5) * 16)
        target.use()
        ctx.viewport = (size[0] // 4, size[1] // 4, size[0] // 2, size[1] // 2)
        copy.use()
        show.render(vertices=4)
        ctx.viewport = (0, 0, *size)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
