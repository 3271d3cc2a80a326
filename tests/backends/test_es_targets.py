"""OpenGL ES renders to fewer formats than OpenGL, and reads fewer: both dialects show the same all the same."""

import struct

import pytest
from server import Server, format_number
from test_es_stages import both, vertices  # noqa: F401
from wire import enum

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
VERTEX = "#version 330\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
# name: (code of a component, value drawn, value uploaded, kind of the shader's output, layout of the read, its code)
FORMATS = {
    "RGB32F": ("f", (0.25, -3.0, 1000.0), (2.5, 0.125, -7.0), "vec4", "RGBA32F", "f"),
    "RGB16F": ("e", (0.25, -3.0, 1000.0), (2.5, 0.125, -7.0), "vec4", "RGBA32F", "f"),
    "SRGB8": ("B", (0.25, 0.5, 1.0), (10, 128, 255), "vec4", "RGBA8", "B"),
    "RGB8_SNORM": ("b", (0.25, -0.5, 1.0), (64, -127, 32), "vec4", "RGBA32F", "f"),
    "RGB16": ("H", (0.25, 0.5, 1.0), (10, 30000, 65535), "vec4", "RGBA16", "H"),
    "RGB16_SNORM": ("h", (0.25, -0.5, 1.0), (640, -32767, 32), "vec4", "RGBA32F", "f"),
    "RGB8I": ("b", (1, -2, 3), (100, -128, 5), "ivec4", "RGBA32I", "i"),
    "RGB8UI": ("B", (1, 2, 3), (100, 255, 5), "uvec4", "RGBA32UI", "I"),
    "RGB16I": ("h", (1, -2, 3), (1000, -32768, 5), "ivec4", "RGBA32I", "i"),
    "RGB16UI": ("H", (1, 2, 3), (1000, 65535, 5), "uvec4", "RGBA32UI", "I"),
    "RGB32I": ("i", (1, -2, 3), (100000, -128, 5), "ivec4", "RGBA32I", "i"),
    "RGB32UI": ("I", (1, 2, 3), (100000, 255, 5), "uvec4", "RGBA32UI", "I"),
}
KINDS = {"vec4": "", "ivec4": "i", "uvec4": "u"}


def texels_of(server: Server, texture, layout: str, code: str, box: dict, level: int = 0) -> list[tuple]:
    size = struct.calcsize(f"4{code}")
    count = box["width"] * box["height"] * box["depth"]
    data = server.answer("get_texture_image", size * count, resource=texture, level=level, layout=enum("READ_LAYOUT", layout), box=box)
    return list(struct.iter_unpack(f"<4{code}", data))


def close(gl: list, es: list) -> bool:
    """Equal, or a step of eight bits apart where a driver rounds in between."""
    return len(gl) == len(es) and all(abs(a - b) <= (1 / 120 if isinstance(a, float) else 1)
                                      for one, other in zip(gl, es, strict=True) for a, b in zip(one, other, strict=True))


def filled(server: Server, target: str, name: str, depth: int = 1):
    code, _, uploaded, *_ = FORMATS[name]
    texture = server.texture(target, name, 8, 4, depth)
    texel = struct.pack(f"<3{code}", *uploaded)
    server.upload(texture, texel * 32 * depth, 8 * len(texel), 8, 4, depth)
    return texture, texel


def test_what_opengl_renders_to_opengl_es_does():
    """Formats that the caps call renderable (bit 2)."""
    found = []
    for driver in ("gl", "gles"):
        server = Server(driver)
        server.context()
        found.append({i for i, bits in enumerate(server.caps()["formats"]) if bits & 4})
        server.close()
    assert found[0] == found[1] and {format_number(name) for name in FORMATS} <= found[1]


@pytest.mark.parametrize("name", FORMATS)
def test_targets_of_three_components(both, name):  # noqa: F811
    _, drawn, uploaded, kind, layout, code = FORMATS[name]

    def scene(server: Server) -> list:
        texture, texel = filled(server, "TEX2D", name)
        found = texels_of(server, texture, layout, code, dict(width=8, height=4, depth=1))          # never attached yet
        server.framebuffer(texture)
        vertices(server, WHOLE)
        server.program(VERTEX, f"#version 330\nout {kind} color; void main() {{ if (gl_FragCoord.x < 4.0) discard;"
                               f"color = {kind}({', '.join(map(str, drawn))}, 0); }}")
        server.viewport(8, 4)
        server.draw(3)
        size = struct.calcsize(f"4{code}")
        read = struct.iter_unpack(f"<4{code}", server.read(8, 4, layout=layout, texel=size))
        # OpenGL ES clamps what is read of fixed-point targets, as the client does later unless the program says otherwise.
        found += (tuple(max(value, 0.0) for value in texel) for texel in read) if name.endswith("SNORM") else read
        server.upload(texture, texel[::1] * 2, 2 * len(texel), 2, 1)                                  # and after that
        found += texels_of(server, texture, layout, code, dict(width=8, height=4, depth=1))
        # What a sampler sees, also of alpha, which three components do not have.
        server.framebuffer(server.texture("TEX2D", {"": "RGBA32F", "i": "RGBA32I", "u": "RGBA32UI"}[KINDS[kind]], 8, 4))
        server.program(VERTEX, f"#version 330\nuniform {KINDS[kind]}sampler2D t; out {kind} color;"
                               "void main() { color = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }")
        server.sample("TEX2D", texture)
        server.draw(3)
        wide, wide_code = ("RGBA32F", "f") if kind == "vec4" else (layout, code)
        return found + list(struct.iter_unpack(f"<4{wide_code}", server.read(8, 4, layout=wide, texel=16)))

    gl, es = both(scene)
    assert close(gl, es), [(a, b) for a, b in zip(gl, es) if a != b]
    one = 255 if layout == "RGBA8" else 65535 if layout == "RGBA16" else 1
    assert {texel[3] for texel in es[:96]} == {one} and {texel[3] for texel in es[96:]} == {1}
    assert es[:4] == es[4:8] and es[32 + 3] != es[32 + 4], "half of it is drawn over"


@pytest.mark.parametrize("target, depth", [("TEX2D_ARRAY", 3), ("TEX3D", 3), ("TEX_CUBE", 6)])
def test_layers_of_targets_of_three_components(both, target, depth):  # noqa: F811
    def scene(server: Server) -> list:
        size = (4, 4)
        texture = server.texture(target, "RGB32F", *size, depth)
        texels = b"".join(struct.pack("<3f", i, i / 2, -i) for i in range(16 * depth))
        server.upload(texture, texels, 48, *size, depth)
        server.framebuffer(texture, layer=1)
        server.clear(9, 8, 7, 6, buffers=1)
        return texels_of(server, texture, "RGBA32F", "f", dict(width=4, height=4, depth=depth))

    gl, es = both(scene)
    assert gl == es and es[16] == (9, 8, 7, 1) and es[15] == (15, 7.5, -15, 1) and es[32] == (32, 16, -32, 1)


def test_a_mutable_texture_of_three_components_becomes_a_target_and_is_defined_anew(both):  # noqa: F811
    def scene(server: Server) -> list:
        texture, number = server.handle("resource"), enum("RESOURCE_TARGET", "TEX2D")
        server.call("resource_create", resource=texture, group=server.group, target=number)
        found = []
        for size in (8, 4):
            for level in range(2):
                side = size >> level
                server.call("resource_respecify", resource=texture, target=number, format=format_number("RGB32F"), width=side,
                            height=side, depth=1, level=level, levels=1)
                texels = b"".join(struct.pack("<3f", i, level, size) for i in range(side * side))
                server.upload(texture, texels, 12 * side, side, side, level=level)
            server.call("set_texture_params", resource=texture, max_level=1, swizzle=[0x1903, 0x1904, 0x1905, 0x1906])
            server.framebuffer(texture, level=1)
            server.clear(5, 6, 7, 8, buffers=1)
            for level in range(2):
                box = dict(width=size >> level, height=size >> level, depth=1)
                found += texels_of(server, texture, "RGBA32F", "f", box, level)
        server.default_framebuffer()
        vertices(server, WHOLE)
        server.program(VERTEX, "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = texelFetch(t, ivec2(0), 1) / 8.0; }")
        server.sample("TEX2D", texture)
        server.draw(3)
        return found + [server.pixel(9, 9)]

    gl, es = both(scene)
    assert gl == es and es[-1] == (159, 191, 223, 32) and es[8] == (8, 0, 8, 1)


@pytest.mark.parametrize("name, data, row, code, layout", [
    ("RGB9_E5", struct.pack("<4I", 0x84010040, 0x7C0801FF, 0x80FF0001, 0x88000100), 16, "f", "RGBA32F"),
    ("RGB32F", struct.pack("<12f", *range(12)), 48, "f", "RGBA32F"),
    ("RGB32UI", struct.pack("<12I", *range(12)), 48, "I", "RGBA32UI"),
])
def test_textures_that_can_be_no_attachment_are_read(both, name, data, row, code, layout):  # noqa: F811
    def scene(server: Server) -> list:
        texture = server.texture("TEX2D", name, 4, 2, levels=2)
        server.upload(texture, data * 2, row, 4, 2)
        return texels_of(server, texture, layout, code, dict(x=1, y=1, width=3, height=1, depth=1))

    gl, es = both(scene)
    assert gl == es and len(set(es)) == 3


@pytest.mark.parametrize("name", ["COMPRESSED_RGBA_BPTC_UNORM", "COMPRESSED_SRGB8_ETC2", "COMPRESSED_RGB8_ETC2"])
def test_compressed_textures_are_read_as_texels(both, name):  # noqa: F811
    def scene(server: Server) -> list:
        size = 16 if "BPTC" in name else 8
        texture = server.texture("TEX2D", name, 8, 4)
        blocks = bytes((37 * i + 11) & 0xFF | 2 for i in range(2 * size))
        server.upload(texture, blocks, 2 * size, 8, 4)
        return texels_of(server, texture, "RGBA8", "B", dict(width=8, height=4, depth=1))

    gl, es = both(scene)
    assert close(gl, es) and len(set(es)) > 2


DEPTH_EXTENSIONS = "GL_NV_read_depth GL_NV_read_stencil GL_NV_read_depth_stencil"


@pytest.mark.parametrize("without", ["", DEPTH_EXTENSIONS], ids=["extensions", "none"])
def test_depth_and_stencil_are_read(both, monkeypatch, without):  # noqa: F811
    """Also through a shader, where the driver has no extension that reads them."""
    monkeypatch.setenv("MGPIPE_DRIVER_WITHOUT", without)

    def scene(server: Server) -> list:
        found = []

        def read(layout: str, texel: int, code: str) -> None:
            found.extend(struct.iter_unpack(code, server.read(3, 2, x=5, y=6, attachment=-1, layout=layout, texel=texel)))

        server.dynamic("clear_stencil", struct.pack("<i", 7))
        server.clear(0, 0, 0, 0, depth=0.25)
        read("DEPTH32F", 4, "<f")
        read("STENCIL8", 1, "<B")
        read("DEPTH24_STENCIL8", 4, "<I")
        for target, format, depth in (("TEX2D_ARRAY", "DEPTH32F_STENCIL8", 3), ("TEX2D", "DEPTH_COMPONENT16", 1), ("TEX2D", "DEPTH24_STENCIL8", 1)):
            texture = server.texture(target, format, 16, 16, depth)
            server.framebuffer(depth=texture)
            server.clear(0, 0, 0, 0, depth=0.625)
            read("DEPTH32F", 4, "<f")
            found.extend(struct.iter_unpack("<f", server.answer(
                "get_texture_image", 16, resource=texture, layout=enum("READ_LAYOUT", "DEPTH32F"),
                box=dict(x=1, y=1, width=2, height=2, depth=1))))
        return found

    gl, es = both(scene)
    assert all(abs(a - b) <= (1e-6 if isinstance(a, float) else 1 << 8) for (a,), (b,) in zip(gl, es, strict=True)) and len(gl) == 48
    assert es[6:12] == [(7,)] * 6 and es[0][0] == pytest.approx(0.25) and es[-1][0] == pytest.approx(0.625)


@pytest.mark.parametrize("target, depth, immutable", [("TEX2D", 1, 1), ("TEX_CUBE", 6, 1), ("TEX2D", 1, 0)])
@pytest.mark.parametrize("name", ["RGB32F", "RGB16F", "SRGB8", "RGB8_SNORM", "RGB16", "RGB8"])
def test_levels_are_made_of_three_components(both, name, target, depth, immutable):  # noqa: F811
    code = FORMATS[name][0] if name in FORMATS else "B"

    def scene(server: Server) -> list:
        if immutable:
            texture = server.texture(target, name, 4, 4, depth, levels=3)
        else:
            texture, number = server.handle("resource"), enum("RESOURCE_TARGET", target)
            server.call("resource_create", resource=texture, group=server.group, target=number)
            server.call("resource_respecify", resource=texture, target=number, format=format_number(name), width=4, height=4,
                        depth=1, levels=1)
            server.call("set_texture_params", resource=texture, max_level=2, swizzle=[0x1903, 0x1904, 0x1905, 0x1906])
        values = [i % 97 / 8 if code in "fe" else i % 97 for i in range(48 * depth)]
        server.upload(texture, struct.pack(f"<{48 * depth}{code}", *values), 12 * struct.calcsize(code), 4, 4, depth)
        server.call("generate_mipmap", resource=texture, base_level=0, max_level=2)
        return (texels_of(server, texture, "RGBA32F", "f", dict(width=4, height=4, depth=depth))
                + texels_of(server, texture, "RGBA32F", "f", dict(width=2, height=2, depth=depth), 1))

    gl, es = both(scene)
    assert close(gl, es) and len(set(es[16 * depth:])) > 3


COPIED = ["R8", "RG8_SNORM", "R16", "RGB8", "SRGB8", "RGB32F", "RGB16F", "RGB565", "R11F_G11F_B10F", "RGB9_E5", "RGBA4", "RGB10_A2",
          "RGBA16_SNORM", "SRGB8_ALPHA8", "RGBA32F"]


@pytest.mark.parametrize("source", ["RGBA8", "RGBA32F", "RGB10_A2", "SRGB8_ALPHA8"])
def test_copies_from_a_framebuffer_to_every_kind_of_texture(monkeypatch, source):
    """Where OpenGL ES refuses one it is named."""
    monkeypatch.setenv("MGPIPE_DRIVER_ERRORS", "1")
    found, said = [], []
    for driver in ("gl", "gles"):
        server = Server(driver)
        server.context()
        server.framebuffer(server.texture("TEX2D", source, 8, 4))
        server.clear(0.25, 0.5, 1, 0.75, buffers=1)
        copies = []
        for name in COPIED:
            if driver == "gles" and name == "RGB9_E5":
                area = dict(x1=1, y1=1)
                server.call("copy_framebuffer_to_texture", resource=server.texture("TEX2D", name, 8, 4), area=area)
                continue
            texture = server.texture("TEX2D", name, 8, 4)
            server.call("copy_framebuffer_to_texture", resource=texture, x=1, y=1, area=dict(x0=2, y0=1, x1=6, y1=3))
            if name != "RGB9_E5":
                copies += texels_of(server, texture, "RGBA32F", "f", dict(x=1, y=1, width=4, height=2, depth=1))
        found.append(copies)
        said.append(server.log())
        server.close()
    assert close(*found) and len(set(found[1])) > 3
    assert said == [[], ["Unimplemented: copy_framebuffer_to_texture: a shared exponent on OpenGL ES"]]


def test_another_context_samples_a_texture_that_became_a_target(both):  # noqa: F811
    """What it has bound is another object of the driver by then."""
    def scene(server: Server) -> tuple:
        surface = server.surface
        drawing, number = server.handle("context"), server.slots["context"] - 1
        texture, _ = filled(server, "TEX2D", "RGB32F")
        vertices(server, WHOLE)
        server.program(VERTEX, "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = texelFetch(t, ivec2(0), 0); }")
        server.sample("TEX2D", texture)
        server.draw(3)
        server.call("create_context", context=drawing, group=server.group)
        server.call("bind_context", context=drawing, draw=surface, read=surface)
        server.pipeline()
        server.framebuffer(texture)
        server.clear(0.25, 0.5, 0.75, 1, buffers=1)
        server.call("flush")
        server.call("bind_context", context=(number, 1), draw=surface, read=surface)
        server.draw(3)
        return server.pixel(9, 9)

    gl, es = both(scene)
    assert gl == es == (64, 128, 191, 255)
