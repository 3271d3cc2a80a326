"""State that OpenGL ES has by extensions only, or not at all: both dialects show the same."""

import struct

import pytest
from server import POINTS, Server
from test_es_stages import both, lit, vertices  # noqa: F401

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
VERTEX = "#version 330\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
WHITE = "#version 330\nout vec4 color; void main() { color = vec4(1); }"
SRC_ALPHA, ONE_MINUS_SRC1_COLOR, SRC1_COLOR, SRC1_ALPHA, ONE_MINUS_SRC1_ALPHA = 0x0302, 0x88FA, 0x88F9, 0x8589, 0x88FB
ADD = 0x8006


@pytest.mark.parametrize("source, target", [(SRC1_COLOR, ONE_MINUS_SRC1_COLOR), (SRC1_ALPHA, ONE_MINUS_SRC1_ALPHA)])
def test_blending_with_a_second_source(both, source, target):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.clear(0.5, 0.25, 0.125, 1)
        vertices(server, WHOLE)
        server.program(VERTEX, """#version 330
            layout(location = 0, index = 0) out vec4 color; layout(location = 0, index = 1) out vec4 second;
            void main() { color = vec4(1, 0.5, 0, 1); second = vec4(0.25, 0.5, 1, 0.75); }""")
        server.pipeline(blend=[dict(enable=1, rgb_func=ADD, alpha_func=ADD, rgb_src=source, rgb_dst=target, alpha_src=source,
                                    alpha_dst=target, write_mask=15)] + [dict(rgb_func=ADD, alpha_func=ADD, rgb_src=1, alpha_src=1,
                                                                              write_mask=15)] * 7)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and gl[:3] != bytes((255, 128, 0))


@pytest.mark.parametrize("clamped", [0, 1])
def test_depth_is_clamped_instead_of_clipped(both, clamped):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.vertices(struct.pack("<9f", -1, -1, -3, 3, -1, -3, -1, 3, 5), (0, 3, 0), stride=12)
        server.program("#version 330\nlayout(location = 0) in vec3 place; void main() { gl_Position = vec4(place, 1); }", WHITE)
        server.pipeline(depth_clamp=clamped)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and (lit(gl) == 4096) == bool(clamped)


def test_clip_distances_cut(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        vertices(server, WHOLE)
        server.program("""#version 330
            layout(location = 0) in vec2 place; out float gl_ClipDistance[2];
            void main() { gl_Position = vec4(place, 0, 1); gl_ClipDistance[0] = place.x; gl_ClipDistance[1] = 0.5 - place.y; }""", WHITE)
        found = b""
        for mask in (1, 2, 3):      # llvmpipe clips by all that are written where none is enabled
            server.clear(0, 0, 0, 0)
            server.pipeline(clip_distance_mask=mask)
            server.draw(3)
            found += server.read()
        return found

    gl, es = both(scene)
    assert gl == es and [lit(gl[i * 16384:][:16384]) for i in range(3)] == [2048, 3072, 1536]


@pytest.mark.parametrize("bias", [-1.0, 0.0, 1.0, 2.5])
def test_a_bias_chooses_other_levels(both, bias):  # noqa: F811
    def scene(server: Server) -> bytes:
        texture = server.texture("TEX2D", "RGBA8", 64, 64, levels=4)
        for level in range(4):
            side = 64 >> level
            server.upload(texture, bytes((60 * level + 20, 10, 10, 255)) * side * side, 4 * side, side, side, level=level)
        server.call("set_texture_params", resource=texture, max_level=3, swizzle=[0x1903, 0x1904, 0x1905, 0x1906])
        vertices(server, WHOLE)
        server.program(VERTEX, "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = texture(t, gl_FragCoord.xy / 32.0); }")
        server.sample("TEX2D", texture, min_filter=0x2700, lod_bias=bias)
        server.draw(3)
        return server.pixel(30, 30)

    gl, es = both(scene)
    assert gl == es and gl[0] == 20 + 60 * min(3, max(0, round(1 + bias + 1e-6)))


@pytest.mark.parametrize("without", ["", "GL_EXT_base_instance"], ids=["the driver's", "shifted buffers"])
@pytest.mark.parametrize("how", ["arrays", "elements", "indirect"])
def test_instances_begin_at_any_number(both, monkeypatch, how, without):  # noqa: F811
    monkeypatch.setenv("MGPIPE_DRIVER_WITHOUT", without)

    def scene(server: Server) -> bytes:
        values = server.buffer(bytes(8) + struct.pack("<12f", *(c for i in range(6) for c in (i / 6, 1 - i / 6))))
        elements = server.handle("vertex_elements")
        attribs = [dict(location=0, binding=0, size=2, type=0x1406), dict(location=1, binding=1, size=1, type=0x1406)]
        server.call("create_vertex_elements", [attribs, [dict(binding=0, divisor=1), dict(binding=1)]], cso=elements, attrib_count=2,
                    binding_count=2)
        server.call("bind_vertex_elements", cso=elements)
        heights = server.buffer(struct.pack("<4f", -0.5, 0.5, 0.0, -0.75))
        server.call("set_vertex_buffers", [[dict(resource=values, stride=8, offset=8, binding=0), dict(resource=heights, stride=4, binding=1)]],
                    count=2)
        server.call("set_index_buffer", resource=server.buffer(struct.pack("<4I", 3, 2, 1, 0)))
        server.pipeline(program_point_size=1)
        server.program("#version 420\nlayout(location = 0) in vec2 value; layout(location = 1) in float y; out vec2 kept;"
                       "void main() { kept = value; gl_PointSize = 8.0; gl_Position = vec4(float(gl_InstanceID) * 0.5 - 0.75, y, 0, 1); }",
                       "#version 330\nin vec2 kept; out vec4 color; void main() { color = vec4(kept, 1, 1); }")
        if how == "arrays":
            server.draw(1, POINTS, instances=3, base_instance=2)
            server.draw(1, POINTS, first=1, instances=2)                 # from the beginning again
        elif how == "elements":
            server.draw(1, POINTS, first=2, instances=2, base_instance=4, index_size=4)
            server.draw(1, POINTS, first=3, instances=3, base_instance=1, index_size=4)
        else:
            commands = server.buffer(struct.pack("<12I", 1, 2, 0, 3, 1, 2, 1, 0, 1, 1, 2, 5))
            server.call("set_indirect_buffers", draw=commands)
            server.call("draw_indirect", mode=POINTS, draw_count=3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 5 * 64


def test_a_geometry_shader_chooses_viewports(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        for i, (x, y) in enumerate([(0, 0), (32, 0), (0, 32), (32, 32)]):
            server.dynamic("viewports", struct.pack("<4f2d", x, y, 16, 24, 0.0, 1.0), at=32 * i)
        vertices(server, WHOLE)
        server.program(VERTEX, "#version 410\nflat in int kept; out vec4 color; void main() { color = vec4(vec3(float(kept + 1) / 4.0), 1); }",
                       geometry="""#version 410
            layout(triangles, invocations = 4) in; layout(triangle_strip, max_vertices = 3) out; flat out int kept;
            void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; gl_ViewportIndex = gl_InvocationID;
                          kept = gl_InvocationID; EmitVertex(); } EndPrimitive(); }""")
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 4 * 16 * 24 and gl[4 * (33 * 64 + 33)] == 255


@pytest.mark.parametrize("on", [0, 1])
def test_colours_are_converted_to_srgb_on_demand(both, on):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.framebuffer(server.texture("TEX2D", "SRGB8_ALPHA8", 64, 64))
        vertices(server, WHOLE)
        server.program(VERTEX, "#version 330\nout vec4 color; void main() { color = vec4(0.25, 0.5, 0.75, 0.5); }")
        server.pipeline(framebuffer_srgb=on)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and (gl[0] > 100) == bool(on)


@pytest.mark.parametrize("origin, depth", [(0, 1), (1, 0), (1, 1)])
def test_the_clip_volume_may_be_another(both, origin, depth):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.vertices(struct.pack("<9f", -1, -1, -0.5, 1, -1, 0.5, -1, 1, 0.5), (0, 3, 0), stride=12)
        server.program("#version 330\nlayout(location = 0) in vec3 place; void main() { gl_Position = vec4(place, 1); }",
                       "#version 330\nout vec4 color; void main() { color = vec4(gl_FragCoord.z, 1, 1, 1); }")
        server.pipeline(clip_origin=origin, clip_depth=depth)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and 0 < lit(gl) < 4096


@pytest.mark.parametrize("extension, state, words", [
    ("GL_EXT_depth_clamp", dict(depth_clamp=1), "depth clamp on OpenGL ES without EXT_depth_clamp"),
    ("GL_EXT_clip_cull_distance", dict(clip_distance_mask=1), "clip distances on OpenGL ES without EXT_clip_cull_distance"),
    ("GL_EXT_clip_control", dict(clip_depth=1), "another clip origin or depth range, on a driver without clip control"),
    ("GL_EXT_blend_func_extended", dict(blend=[dict(enable=1, rgb_func=ADD, alpha_func=ADD, rgb_src=SRC1_COLOR, rgb_dst=0, alpha_src=1,
                                                    alpha_dst=0, write_mask=15)] * 8), "blending with a second source on OpenGL ES without EXT_blend_func_extended"),
])
def test_what_an_extension_would_bring_is_refused_by_name_without_it(monkeypatch, extension, state, words):
    monkeypatch.setenv("MGPIPE_DRIVER_WITHOUT", extension)
    monkeypatch.setenv("MGPIPE_DRIVER_ERRORS", "1")
    server = Server("gles")
    server.context()
    vertices(server, WHOLE)
    server.program(VERTEX, WHITE)
    server.pipeline(**state)
    server.draw(3)
    assert server.log() == [f"Unimplemented: draw_vbo: {words}"] and lit(server.read()) == 0
    server.close()
