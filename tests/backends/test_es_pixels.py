"""OpenGL ES has to show what OpenGL shows where its textures and its per-fragment operations are fewer."""

import struct

import pytest
from server import Server, format_number
from test_es_stages import both, lit, vertices  # noqa: F401
from wire import enum

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
VERTEX = "#version 330\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
TINTED = "#version 330\nuniform vec4 tint; out vec4 color; void main() { color = tint; }"


def rgba(*color: float) -> bytes:
    return struct.pack("<4f", *color)


SAMPLED = {
    "sampled": ("sampler2DRect", "texture(t, gl_FragCoord.xy / 16.0)"),
    "fetched": ("sampler2DRect", "texelFetch(t, ivec2(gl_FragCoord.xy / 16.0))"),
    "with an offset": ("sampler2DRect", "textureOffset(t, gl_FragCoord.xy / 16.0, ivec2(1, 0))"),
    "projected": ("sampler2DRect", "textureProj(t, vec3(gl_FragCoord.xy / 16.0, 2.0) * vec3(2, 2, 1))"),
    "with gradients": ("sampler2DRect", "textureGrad(t, gl_FragCoord.xy / 16.0, vec2(0.01, 0), vec2(0, 0.01))"),
    "asked for its size": ("sampler2DRect", "vec4(vec2(textureSize(t)) / 8.0, 0, 1)"),
}


@pytest.mark.parametrize("how", SAMPLED)
@pytest.mark.parametrize("filter", [0x2600, 0x2601], ids=["nearest", "linear"])
def test_rectangle_textures(both, how, filter):  # noqa: F811
    kind, expression = SAMPLED[how]

    def scene(server: Server) -> bytes:
        texture = server.texture("TEX_RECT", "RGBA8", 4, 3)
        server.upload(texture, bytes(range(10, 10 + 48 * 5, 5)), 16, 4, 3)
        vertices(server, WHOLE)
        server.program(VERTEX, f"#version 330\nuniform {kind} t; out vec4 color; void main() {{ color = {expression}; }}")
        server.sample("TEX_RECT", texture, min_filter=filter, mag_filter=filter, wrap_s=0x812F, wrap_t=0x812F)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and lit(gl) > 3000


LINEAR_FORMS = {
    "sampled": ("sampler1D", "texture(t, gl_FragCoord.x / 64.0)"),
    "fetched beside": ("sampler1D", "texelFetchOffset(t, int(gl_FragCoord.x / 20.0), 0, 1)"),
    "with an offset": ("sampler1D", "textureOffset(t, gl_FragCoord.x / 64.0, 1)"),
    "projected": ("sampler1D", "textureProj(t, vec2(gl_FragCoord.x / 32.0, 2.0))"),
    "with gradients": ("sampler1D", "textureGrad(t, gl_FragCoord.x / 64.0, 0.01, 0.01)"),
    "asked for its size": ("sampler1D", "vec4(float(textureSize(t, 0)) / 8.0, 0, 0, 1)"),
    "a layer": ("sampler1DArray", "texture(t, vec2(gl_FragCoord.x / 64.0, 1.0))"),
    "a layer with an offset": ("sampler1DArray", "textureOffset(t, vec2(gl_FragCoord.x / 64.0, 1.0), -1)"),
    "layers asked for their size": ("sampler1DArray", "vec4(vec2(textureSize(t, 0)) / 8.0, 0, 1)"),
}


@pytest.mark.parametrize("how", LINEAR_FORMS)
@pytest.mark.parametrize("wrap", [0x2901, 0x812D], ids=["repeat", "border"])
def test_textures_of_one_dimension(both, how, wrap):  # noqa: F811
    kind, expression = LINEAR_FORMS[how]
    layers = 2 if "Array" in kind else 1

    def scene(server: Server) -> bytes:
        target = "TEX1D_ARRAY" if layers == 2 else "TEX1D"
        texture = server.texture(target, "RGBA8", 4, 1, layers)
        server.upload(texture, bytes(range(10, 10 + 16 * layers * 5, 5)), 16, 4, 1, layers)
        vertices(server, WHOLE)
        server.program(VERTEX, f"#version 330\nuniform {kind} t; out vec4 color; void main() {{ color = {expression}; }}")
        server.sample(target, texture, min_filter=0x2601, mag_filter=0x2601, wrap_s=wrap, wrap_t=wrap)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and lit(gl) > 2500


OPERATIONS = ["CLEAR", "AND", "AND_REVERSE", "AND_INVERTED", "NOOP", "XOR", "OR", "NOR", "EQUIV", "INVERT", "OR_REVERSE",
              "COPY_INVERTED", "OR_INVERTED", "NAND", "SET"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_logic_operations(both, operation):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.clear(0x5A / 255, 0xC3 / 255, 0x0F / 255, 1)
        vertices(server, WHOLE)
        program = server.program(VERTEX, TINTED)
        server.pipeline(logic_op_enable=1, logic_op=enum("LOGIC_OP", operation),
                        blend=[dict(enable=1, rgb_func=0x8006, alpha_func=0x8006, rgb_src=0, rgb_dst=0, write_mask=15)] * 8)
        server.uniform(program, "tint", rgba(0x33 / 255, 0x66 / 255, 0xFF / 255, 0.5))
        server.draw(3)
        first = server.read()
        server.draw(3)
        return first + server.read()

    gl, es = both(scene)
    assert gl == es


def test_no_logic_operation_on_floating_point(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.framebuffer(server.texture("TEX2D", "RGBA16F", 64, 64))
        server.clear(0.5, 0.5, 0.5, 1)
        vertices(server, WHOLE)
        program = server.program(VERTEX, TINTED)
        server.pipeline(logic_op_enable=1, logic_op=enum("LOGIC_OP", "XOR"))
        server.uniform(program, "tint", rgba(1, 0.25, 0, 1))
        server.draw(3)
        return server.read(layout="RGBA32F", texel=16)

    gl, es = both(scene)
    assert gl == es and struct.unpack("<4f", gl[:16]) == (1, 0.25, 0, 1)


def test_alpha_becomes_one_on_several_samples(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        samples = server.texture("TEX2D_MS", "RGBA8", 64, 64, samples=4)
        source = server.framebuffer(samples)
        server.clear(0, 0, 0, 0)
        vertices(server, WHOLE)
        program = server.program(VERTEX, TINTED)
        server.pipeline(alpha_to_one=1)
        server.uniform(program, "tint", rgba(1, 0.5, 0, 0.25))
        server.draw(3)
        target = server.framebuffer(server.texture("TEX2D", "RGBA8", 64, 64))
        area = dict(x0=0, y0=0, x1=64, y1=64)
        server.call("blit", source=source, target=target, source_area=area, target_area=area, mask=0x4000)
        return server.read()

    gl, es = both(scene)
    assert gl == es and gl[3] == 255


ACCESS = {"read": 0x88B8, "write": 0x88B9, "both": 0x88BA}
IMAGE_FORMS = {       # declared, code, format of the texture, layout of the read, bytes of a texel
    "written without a format": ("writeonly uniform image2D i;", "imageStore(i, at, vec4(0.25, 0.5, 0.75, 1));", "RGBA8", "RGBA8", 4),
    "written without a format, as floats": (
        "writeonly uniform image2D i;", "imageStore(i, at, vec4(0.25, -2, 1024, 1));", "RGBA32F", "RGBA32F", 16),
    "read and written": ("layout(rgba8) uniform image2D i;",
                         "vec4 old = imageLoad(i, at); imageStore(i, at, old.brga + vec4(0.25, 0, 0, 0));", "RGBA8", "RGBA8", 4),
    "of a format that an extension has": (
        "layout(rg16f) uniform image2D i;", "imageStore(i, at, imageLoad(i, at) + vec4(0.5, 2, 0, 0));", "RG16F", "RGBA32F", 16),
    "in an array": ("layout(rgba16f) uniform image2D i[1];",
                    "imageStore(i[0], at, imageLoad(i[0], at) + vec4(0.5, 2, 0, 0));", "RGBA16F", "RGBA32F", 16),
}


@pytest.mark.parametrize("how", IMAGE_FORMS)
def test_images(both, how):  # noqa: F811
    declared, code, format, layout, texel = IMAGE_FORMS[how]

    def scene(server: Server) -> bytes:
        texture = server.texture("TEX2D", format, 4, 4)
        server.framebuffer(texture)
        server.clear(0.5, 0.25, 0.125, 1)
        server.default_framebuffer()
        vertices(server, WHOLE)
        server.program("#version 430\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }",
                       f"#version 430\n{declared}\nout vec4 color; void main() {{ color = vec4(1); ivec2 at = ivec2(gl_FragCoord.xy);"
                       f"if (at.x < 4 && at.y < 4) {{ {code} }} }}")
        server.call("set_shader_images", [[dict(resource=texture, slot=0, format=format_number(format), access=ACCESS["both"])]],
                    count=1)
        server.draw(3)
        server.call("memory_barrier", bits=0xFFFFFFFF)
        return server.answer("get_texture_image", 16 * texel, resource=texture, layout=enum("READ_LAYOUT", layout),
                             box=dict(width=4, height=4, depth=1))

    gl, es = both(scene)
    assert gl == es and len(set(gl)) > 2


def test_an_image_without_a_format_takes_that_of_each_texture_bound(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        vertices(server, WHOLE)
        server.program("#version 430\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }",
                       "#version 430\nwriteonly uniform image2D i; out vec4 color; void main() { color = vec4(1);"
                       "ivec2 at = ivec2(gl_FragCoord.xy); if (at.x < 4 && at.y < 4) imageStore(i, at, vec4(0.25, 0.5, 1, 1)); }")
        found = b""
        for format in ("RGBA8", "RGBA16F"):
            texture = server.texture("TEX2D", format, 4, 4)
            server.call("set_shader_images", [[dict(resource=texture, slot=0, format=format_number(format), access=ACCESS["write"])]],
                        count=1)
            server.draw(3)
            server.call("memory_barrier", bits=0xFFFFFFFF)
            found += server.answer("get_texture_image", 256, resource=texture, layout=enum("READ_LAYOUT", "RGBA32F"),
                                   box=dict(width=4, height=4, depth=1))
        return found

    _, es = both(scene)             # llvmpipe's OpenGL keeps the first texture's format
    assert struct.unpack("<4f", es[:16]) == pytest.approx((0.25, 0.5, 1, 1), abs=0.01)
    assert struct.unpack("<4f", es[256:272]) == (0.25, 0.5, 1, 1)
