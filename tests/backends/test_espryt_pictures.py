"""What Espryt draws, in both dialects, pixel by pixel."""

import struct

import pytest
from server import LESS, NULL, TRIANGLE_STRIP, TRIANGLES, Server
from wire import enum

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)        # one triangle over everything
PLACE = "#version 330\nlayout(location = 0) in vec2 place; "
VERTEX = PLACE + "void main() { gl_Position = vec4(place, 0, 1); }"
COLORED = "#version 330\nuniform vec4 tint; out vec4 color; void main() { color = tint; }"
RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)


def rgba(r: float, g: float, b: float, a: float = 1.0) -> bytes:
    return struct.pack("<4f", r, g, b, a)


def whole(server: Server, vertex: str = VERTEX, fragment: str = COLORED):
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    return server.program(vertex, fragment)


def test_a_new_surface_is_black_and_empty(server: Server):
    server.context()
    assert server.read() == bytes(64 * 64 * 4)


def test_clear_obeys_scissor_and_write_mask(server: Server):
    server.context()
    server.clear(1, 0, 0, 1)
    server.dynamic("scissors", struct.pack("<4i", 0, 0, 10, 10))
    server.pipeline(scissor_mask=0xFFFF)
    server.clear(0, 1, 0, 1)
    assert server.pixel(5, 5) == GREEN and server.pixel(15, 15) == RED
    server.pipeline(blend=[dict(rgb_func=0x8006, alpha_func=0x8006, rgb_src=1, alpha_src=1, write_mask=4)] * 8)
    server.clear(0, 0, 1, 1)
    assert server.pixel(15, 15) == (255, 0, 255, 255)


def test_each_uniform_reaches_its_own_draw(server: Server):
    server.context()
    program = whole(server, PLACE + "uniform vec2 shift; void main() { gl_Position = vec4(place + shift, 0, 1); }")
    server.uniform(program, "tint", rgba(1, 0, 0))
    server.draw(3)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.uniform(program, "shift", struct.pack("<2f", 1, 0))
    server.draw(3)
    assert server.pixel(10, 32) == RED and server.pixel(50, 32) == GREEN


def test_programs_keep_their_own_constants(server: Server):
    server.context()
    first = whole(server)
    server.uniform(first, "tint", rgba(1, 0, 0))
    second = server.program(VERTEX, COLORED)
    server.uniform(second, "tint", rgba(0, 1, 0))
    server.draw(3)
    assert server.pixel(1, 1) == GREEN
    server.call("bind_shader_state", cso=first)
    server.draw(3)
    assert server.pixel(1, 1) == RED


def test_blending(server: Server):
    server.context()
    program = whole(server)
    server.clear(0, 0, 1, 1)
    server.pipeline(blend=[dict(enable=1, rgb_func=0x8006, alpha_func=0x8006, rgb_src=0x0302, rgb_dst=0x0303, alpha_src=1,
                                alpha_dst=0, write_mask=15)] * 8)
    server.uniform(program, "tint", rgba(1, 0, 0, 0.5))
    server.draw(3)
    assert server.pixel(20, 20) == pytest.approx((128, 0, 128, 128), abs=1)


def test_depth_hides_what_is_behind(server: Server):
    server.context()
    program = whole(server, PLACE + "uniform float z; void main() { gl_Position = vec4(place, z, 1); }")
    server.clear(0, 0, 0, 1)
    server.pipeline(depth_test=1, depth_func=LESS)
    for z, color in ((0.0, rgba(1, 0, 0)), (0.5, rgba(0, 1, 0))):
        server.uniform(program, "z", struct.pack("<f", z))
        server.uniform(program, "tint", color)
        server.draw(3)
    assert server.pixel(20, 20) == RED
    depth = struct.unpack("<f", server.read(1, 1, 20, 20, attachment=-1, layout="DEPTH32F"))[0]
    assert depth == pytest.approx(0.5, abs=1e-6)


def test_stencil_masks_and_reference_changes_alone(server: Server):
    server.context()
    program = whole(server)
    server.clear(0, 0, 0, 1)
    face = dict(func=0x0202, fail=0x1E00, depth_fail=0x1E00, depth_pass=0x1E00, value_mask=0xFF, write_mask=0xFF)
    server.pipeline(stencil_test=1, stencil=[face, face])
    server.uniform(program, "tint", rgba(1, 0, 0))
    server.dynamic("stencil_ref", struct.pack("<2i", 3, 3))
    server.draw(3)                                          # the buffer holds 0: nothing passes
    assert server.pixel(20, 20) == (0, 0, 0, 255)
    server.dynamic("stencil_ref", struct.pack("<2i", 0, 0))
    server.draw(3)
    assert server.pixel(20, 20) == RED


def test_indexed_and_instanced(server: Server):
    server.context()
    corners = struct.pack("<8f", -1, -1, 0, -1, -1, 1, 0, 1)
    server.vertices(corners, (0, 2, 0), stride=8)
    program = server.program(PLACE + "void main() { gl_Position = vec4(place.x + float(gl_InstanceID), place.y, 0, 1); }", COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<8H", 9, 9, 0, 1, 2, 2, 1, 3)), offset=0)
    server.draw(6, first=2, index_size=2)
    assert server.pixel(16, 32) == GREEN and server.pixel(48, 32) == (0, 0, 0, 0)
    server.draw(6, first=2, index_size=2, instances=2)
    assert server.pixel(48, 32) == GREEN


def test_base_vertex_and_several_ranges(server: Server):
    server.context()
    corners = struct.pack("<12f", 9, 9, 9, 9, -1, -1, 0, -1, -1, 1, 0, 1)
    server.vertices(corners, (0, 2, 0), stride=8)
    program = server.program(VERTEX, COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<6I", 0, 1, 2, 2, 1, 3)))
    server.call("multi_draw_elements", [(0, 3), (3, 3), (2, 2)], mode=TRIANGLES, index_size=4, draw_count=2)
    assert server.pixel(2, 2) == GREEN and server.pixel(28, 60) == GREEN


def test_several_arrays_one_of_them_empty(server: Server):
    server.context()
    corners = struct.pack("<14f", 9, 9, -1, -1, 0, -1, -1, 1, 0, -1, -1, 1, 0, 1)
    server.vertices(corners, (0, 2, 0), stride=8)
    program = server.program(VERTEX, COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.call("multi_draw_arrays", [(1, 0, 4), (3, 0, 3)], mode=TRIANGLES, draw_count=3)
    assert server.pixel(2, 2) == GREEN and server.pixel(28, 60) == GREEN and server.pixel(48, 32) == (0, 0, 0, 0)


def test_primitive_restart(server: Server):
    server.context()
    corners = struct.pack("<16f", -1, -1, -.5, -1, -1, 1, -.5, 1, .5, -1, 1, -1, .5, 1, 1, 1)
    server.vertices(corners, (0, 2, 0), stride=8)
    program = server.program(VERTEX, COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.pipeline(primitive_restart=1, restart_index=0xFFFFFFFF)
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<9I", 0, 1, 2, 3, 0xFFFFFFFF, 4, 5, 6, 7)))
    server.draw(9, mode=TRIANGLE_STRIP, index_size=4)
    assert server.pixel(2, 32) == GREEN and server.pixel(60, 32) == GREEN and server.pixel(32, 32) == (0, 0, 0, 0)


def test_a_restart_index_that_the_type_cannot_hold_never_restarts(server: Server):
    server.context()
    corners = bytearray(0x10000 * 8)
    for i, corner in ((0, (-1, -1)), (1, (3, -1)), (0xFFFF, (-1, 3))):
        struct.pack_into("<2f", corners, i * 8, *corner)
    server.vertices(bytes(corners), (0, 2, 0), stride=8)
    program = server.program(VERTEX, COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.pipeline(primitive_restart=1, restart_index=0xFFFFFFFF)
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<3H", 0, 1, 0xFFFF)))
    server.draw(3, index_size=2)
    assert server.pixel(32, 32) == GREEN


def test_rendering_depends_on_a_query(server: Server):
    server.context()
    program = whole(server)
    server.uniform(program, "tint", rgba(0, 1, 0))
    query, target = server.handle("query"), enum("QUERY_TARGET", "ANY_SAMPLES_PASSED")
    server.call("query_create", query=query, target=target)
    server.call("query_begin", query=query, target=target)
    server.call("query_end", query=query, target=target)        # nothing was drawn
    server.call("render_condition", query=query, mode=enum("CONDITION", "QUERY_WAIT"))
    server.draw(3)
    server.call("render_condition", query=NULL, mode=enum("CONDITION", "QUERY_WAIT"))
    refused = any("conditional rendering" in text for text in server.log())
    assert server.pixel(32, 32) == (GREEN if refused else (0, 0, 0, 0))
    assert not (refused and server.driver == "gl")


def test_a_disabled_attribute_reads_its_current_value(server: Server):
    server.context()
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    server.program(PLACE + "layout(location = 1) in vec4 c; out vec4 v; void main() { v = c; gl_Position = vec4(place, 0, 1); }",
                   "#version 330\nin vec4 v; out vec4 color; void main() { color = v; }")
    value = [struct.unpack("<I", struct.pack("<f", x))[0] for x in (0, 0, 1, 1)]
    server.call("set_vertex_attrib_defaults", [[dict(location=1, value=value)]], count=1)
    server.draw(3)
    assert server.pixel(3, 3) == BLUE


def test_a_texture_is_sampled_with_its_sampler(server: Server):
    server.context()
    texture = server.texture("TEX2D", "RGBA8", 2, 1)
    server.upload(texture, bytes(RED + GREEN), 8, 2)
    whole(server, VERTEX, "#version 330\nuniform sampler2D t; out vec4 color;"
                          "void main() { color = texture(t, gl_FragCoord.xy / 64.0); }")
    server.sample("TEX2D", texture)
    server.draw(3)
    assert server.pixel(10, 10) == RED and server.pixel(50, 10) == GREEN
    server.sample("TEX2D", texture, min_filter=0x2601, mag_filter=0x2601, wrap_s=0x812F, wrap_t=0x812F)
    server.draw(3)
    assert server.pixel(32, 10) == pytest.approx((126, 129, 0, 255), abs=4)


def test_a_mutable_texture_is_redefined(server: Server):
    server.context()
    number = enum("RESOURCE_TARGET", "TEX2D")
    texture = server.handle("resource")
    server.call("resource_create", resource=texture, group=server.group, target=number)
    for side, color in ((2, RED), (4, GREEN)):
        server.call("resource_respecify", resource=texture, target=number, format=1 + 40, width=side, height=side, depth=1)
        server.upload(texture, bytes(color) * side * side, side * 4, side, side)
    whole(server, VERTEX, "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = texelFetch(t, ivec2(3), 0); }")
    server.sample("TEX2D", texture)
    server.draw(3)
    assert server.pixel(10, 10) == GREEN


LAYERED = {"TEX2D_ARRAY": ("sampler2DArray", "texelFetch(t, ivec3(0, 0, 2), 0)"),
           "TEX3D": ("sampler3D", "texelFetch(t, ivec3(0, 0, 2), 0)"),
           "TEX_CUBE": ("samplerCube", "texture(t, vec3(0, 1, 0))"),
           "TEX1D_ARRAY": ("sampler1DArray", "texelFetch(t, ivec2(0, 2), 0)")}


@pytest.mark.parametrize("target", LAYERED)
def test_slices_layers_and_faces(server: Server, target: str):
    server.context()
    depth = 6 if target == "TEX_CUBE" else 4
    height = 1 if target.startswith("TEX1D") else 2
    texture = server.texture(target, "RGBA8", 2, height, 1 if target == "TEX_CUBE" else depth)
    texels = b"".join(bytes((z * 40, 0, 255, 255)) * 2 * height for z in range(depth))
    server.upload(texture, texels, 8, 2, height, depth)
    kind, fetch = LAYERED[target]
    whole(server, VERTEX, f"#version 330\nuniform {kind} t; out vec4 color; void main() {{ color = {fetch}; }}")
    server.sample(target, texture)
    server.draw(3)
    assert server.pixel(9, 9) == (80, 0, 255, 255)
    box = dict(x=0, y=0, z=1, width=2, height=height, depth=2)
    got = server.answer("get_texture_image", 2 * height * 2 * 4, resource=texture, layout=enum("READ_LAYOUT", "RGBA8"), box=box)
    assert got == texels[8 * height:3 * 8 * height]


def test_mipmaps_are_made_and_chosen(server: Server):
    server.context()
    texture = server.texture("TEX2D", "RGBA8", 2, 2, levels=2)
    server.upload(texture, bytes(RED + GREEN + GREEN + RED), 8, 2, 2)
    server.call("generate_mipmap", resource=texture, max_level=1)
    whole(server, VERTEX, "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = textureLod(t, vec2(0.5), 1.0); }")
    server.sample("TEX2D", texture, min_filter=0x2700)
    server.draw(3)
    assert server.pixel(9, 9) == pytest.approx((128, 128, 0, 255), abs=1)


def test_a_uniform_block_and_a_range_of_it(server: Server):
    server.context()
    whole(server, VERTEX, "#version 330\nuniform Paint { vec4 tint; }; out vec4 color; void main() { color = tint; }")
    slot = server.linked.uniform_blocks[0].slot
    buffer = server.buffer(rgba(1, 0, 0) + bytes(240) + rgba(0, 0, 1))
    for offset, color in ((0, RED), (256, BLUE)):
        server.call("set_shader_buffers", [[dict(resource=buffer, offset=offset, size=(1 << 64) - 1)]], start=slot, count=1)
        server.draw(3)
        assert server.pixel(9, 9) == color


def test_rendering_to_several_attachments_in_any_order(server: Server):
    server.context()
    first, second = (server.texture("TEX2D", "RGBA8", 8, 8) for _ in range(2))
    whole(server, VERTEX, "#version 330\nlayout(location = 0) out vec4 a; layout(location = 1) out vec4 b;"
                          "void main() { a = vec4(1, 0, 0, 1); b = vec4(0, 1, 0, 1); }")
    server.viewport(8, 8)
    server.framebuffer(first, second)
    server.draw(3)
    assert server.pixel(1, 1, attachment=0) == RED and server.pixel(1, 1, attachment=1) == GREEN
    server.framebuffer(first, second, draw=[1, 0])
    server.draw(3)
    assert server.pixel(1, 1, attachment=0) == GREEN and server.pixel(1, 1, attachment=1) == RED
    server.default_framebuffer()
    assert server.pixel(1, 1) == (0, 0, 0, 0)


def test_one_layer_of_an_array_is_drawn_to(server: Server):
    server.context()
    texture = server.texture("TEX2D_ARRAY", "RGBA8", 4, 4, 3)
    server.framebuffer(texture, layer=2)
    server.clear(0, 0, 1, 1)
    got = server.answer("get_texture_image", 4 * 4 * 3 * 4, resource=texture, layout=0, box=dict(width=4, height=4, depth=3))
    assert got[-64:] == bytes(BLUE) * 16


def test_a_multisampled_framebuffer_is_resolved(server: Server):
    server.context()
    samples = server.texture("TEX2D_MS", "RGBA8", 64, 64, samples=4)
    program = whole(server, PLACE + "void main() { gl_Position = vec4(place.x, place.y + place.x * 0.3, 0, 1); }")
    server.uniform(program, "tint", rgba(1, 1, 1))
    source = server.framebuffer(samples)
    server.clear(0, 0, 0, 1)
    server.vertices(struct.pack("<6f", -1, -1, 1, -1, -1, 1), (0, 2, 0), stride=8)
    server.draw(3)
    area = dict(x0=0, y0=0, x1=64, y1=64)
    server.call("blit", source=source, target=NULL, source_area=area, target_area=area, mask=0x4000)
    server.default_framebuffer()
    values = set(server.read()[::4])
    assert {0, 255} < values, "no edge pixel holds a part of its samples"


def test_a_multisampled_surface_draws(server: Server):
    server.context(samples=4)
    program = whole(server)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.draw(3)
    assert server.pixel(9, 9) == GREEN          # reads of a surface resolve it
    resolved = server.texture("TEX2D", "RGBA8", 64, 64)
    target = server.framebuffer(resolved)
    area = dict(x0=0, y0=0, x1=64, y1=64)
    server.call("blit", source=NULL, target=target, source_area=area, target_area=area, mask=0x4000)
    assert server.pixel(9, 9) == GREEN


def test_a_surface_is_resized(server: Server):
    server.context()
    server.call("resize_surface", surface=server.surface, width=128, height=96)
    server.clear(1, 0, 0, 1)
    assert server.pixel(120, 90) == RED


def test_contexts_of_a_group_share_textures_and_have_their_own_state(server: Server):
    first, surface = server.context(), server.surface
    texture = server.texture("TEX2D", "RGBA8", 1, 1)
    server.upload(texture, bytes(RED), 4, 1)
    sampling = "#version 330\nuniform sampler2D t; out vec4 color; void main() { color = texelFetch(t, ivec2(0), 0); }"
    program = whole(server, VERTEX, sampling)
    server.sample("TEX2D", texture)
    server.draw(3)
    assert server.pixel(3, 3) == RED
    server.context(group=server.group)
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    server.call("bind_shader_state", cso=program)
    server.sample("TEX2D", texture)
    server.upload(texture, bytes(BLUE), 4, 1)
    server.draw(3)
    assert server.pixel(3, 3) == BLUE
    server.call("bind_context", context=first, draw=surface, read=surface)
    assert server.pixel(3, 3) == RED
    server.draw(3)                              # its own bindings, the other's texels
    assert server.pixel(3, 3) == BLUE


def test_a_buffer_given_new_storage_in_another_context_is_seen(server: Server):
    first, surface = server.context(), server.surface
    program = whole(server)
    server.uniform(program, "tint", rgba(1, 0, 0))
    buffer = server.vertices(struct.pack("<6f", *[9.0] * 6), (0, 2, 0), stride=8)
    server.draw(3)
    server.context(group=server.group)
    server.call("resource_respecify", resource=buffer, size=64, usage=0x88E4)
    server.call("resource_subdata", resource=buffer, bytes=server.blob(WHOLE))
    server.call("bind_context", context=first, draw=surface, read=surface)
    server.draw(3)
    assert server.pixel(3, 3) == RED


@pytest.mark.parametrize("format, clear, layout, want", [
    ("RGBA8", (0.5, 0.25, 0, 1), "RGBA8", (128, 64, 0, 255)),
    ("RGBA32F", (2.5, -1, 0, 1), "RGBA32F", (2.5, -1, 0, 1)),
    ("RGBA16F", (0.5, 0.25, 0, 1), "RGBA32F", (0.5, 0.25, 0, 1)),
    ("RGB10_A2", (1, 0, 1, 1), "RGBA16", (65535, 0, 65535, 65535)),
    ("R8", (1, 0, 0, 0), "RGBA8", (255, 0, 0, 255)),
    ("RGBA8", (1, 0, 0, 1), "RGBA32F", (1, 0, 0, 1)),
])
def test_reads_in_every_layout(server: Server, format, clear, layout, want):
    server.context()
    texture = server.texture("TEX2D", format, 4, 4)
    server.framebuffer(texture)
    server.clear(*clear)
    code, texel = {"RGBA8": ("4B", 4), "RGBA16": ("4H", 8), "RGBA32F": ("4f", 16)}[layout]
    got = struct.unpack("<" + code, server.read(1, 1, layout=layout, texel=texel))
    assert got == pytest.approx(want, abs=1)
    got = server.answer("get_texture_image", 16 * texel, resource=texture, layout=enum("READ_LAYOUT", layout),
                        box=dict(width=4, height=4, depth=1))
    assert struct.unpack_from("<" + code, got) == pytest.approx(want, abs=1)


@pytest.mark.parametrize("format, kind, code", [("RGBA8UI", 2, "I"), ("R32I", 1, "i")])
def test_integer_clears_and_reads(server: Server, format, kind, code):
    server.context()
    texture = server.texture("TEX2D", format, 4, 4)
    server.framebuffer(texture)
    server.call("clear", kind=enum("CLEAR_KIND", "COLOR"), value_class=kind, color=[7, 8, 9, 10])
    layout = "RGBA32UI" if kind == 2 else "RGBA32I"
    got = struct.unpack("<4" + code, server.read(1, 1, layout=layout, texel=16))
    assert got == ((7, 8, 9, 10) if format == "RGBA8UI" else (7, 0, 0, 1))


def test_buffers_are_written_copied_filled_and_read(server: Server):
    server.context()
    one, two = server.buffer(b"abcdefgh"), server.buffer(bytes(8))
    server.call("buffer_copy", source=one, target=two, source_offset=2, target_offset=1, size=4)
    server.call("resource_clear", resource=two, offset=6, size=2, pattern_size=1, pattern=[0x2A2A2A2A, 0, 0, 0])
    assert server.answer("resource_readback", 8, resource=two) == b"\0cdef\0**"


def test_texels_are_copied_between_textures_and_from_framebuffers(server: Server):
    server.context()
    server.clear(1, 0, 0, 1)
    one, two = server.texture("TEX2D", "RGBA8", 4, 4), server.texture("TEX2D_ARRAY", "RGBA8", 4, 4, 2)
    server.call("copy_framebuffer_to_texture", resource=one, x=1, y=1, area=dict(x0=0, y0=0, x1=2, y1=2))
    server.call("resource_copy_region", source=one, target=two, box=dict(x=1, y=1, width=2, height=2, depth=1), z=1)
    got = server.answer("get_texture_image", 4 * 4 * 4, resource=two, layout=0, box=dict(z=1, width=4, height=4, depth=1))
    assert got[:8] == bytes(RED) * 2 and got[16:24] == bytes(RED) * 2


def test_a_query_counts_and_a_fence_signals(server: Server):
    server.context()
    whole(server)
    query, fence = server.handle("query"), server.handle("fence")
    target = enum("QUERY_TARGET", "SAMPLES_PASSED" if server.driver == "gl" else "ANY_SAMPLES_PASSED")
    server.call("query_create", query=query, target=target)
    server.call("query_begin", query=query, target=target)
    server.draw(3)
    server.call("query_end", query=query, target=target)
    _, _, (available, result, *_) = server.call("query_result", query=query, wait=1)
    assert (available, result) == (1, 64 * 64 if server.driver == "gl" else 1)
    server.call("fence_create", fence=fence)
    assert server.call("fence_wait", fence=fence, timeout_ns=10**9, flush=1)[2][0] == 1


def test_a_fence_is_announced_at_the_end_of_the_frame(server: Server):
    server.context()
    server.clear(0, 0, 0, 1)
    server.call("fence_create", fence=(1, 1))
    server.call("finish")
    assert struct.pack("<II", 1, 1) in [payload for _, payload, _ in server.session.events]


def test_capabilities_name_the_driver(server: Server):
    caps = server.caps()
    assert caps["dialect"] == (1 if server.driver == "gl" else 2)
    assert caps["renderer"] and caps["max_texture_size"] >= 1024
    assert caps["max_vertex_uniform_blocks"] >= 12


@pytest.mark.parametrize(("uniforms", "color", "expected"), [
    ("vec4 tint", "tint", BLUE),
    ("float part[3]", "vec4(0, part[int(gl_FragCoord.x) % 3], 0, 1)", GREEN),                       # at an index that is no constant
    ("vec4 list[3]", "sum(list)", RED),                                                             # read as a whole
    ("int which", "vec4(which == 7 ? 1 : 0, 0, 0, 1)", RED),
    ("mat3 turn", "vec4(turn * vec3(0, 1, 0), 1)", BLUE),
], ids=["vector", "indexed", "whole array", "integer", "matrix"])
def test_loose_uniforms_of_fragments_of_every_kind(server: Server, uniforms, color, expected):
    """Some become an array of vec4 and some stay a block on desktop OpenGL: the pixels are the same."""
    contents = {"tint": rgba(0, 0, 1), "part[0]": rgba(0.5, 0, 0, 0) + rgba(1, 0, 0, 0) + rgba(0.25, 0, 0, 0),
                "list[0]": rgba(0.5, 0, 0, 0) + rgba(0.25, 0, 0, 0.5) + rgba(0.25, 0, 0, 0.5), "which": struct.pack("<i", 7),
                "turn": rgba(0, 1, 0, 0) + rgba(0, 0, 1, 0) + rgba(1, 0, 0, 0)}
    server.context()
    program = whole(server, fragment=f"#version 330\nuniform {uniforms}; out vec4 color; vec4 sum(vec4 l[3]) {{ return l[0] + l[1] + l[2]; }}\n"
                                     f"void main() {{ color = {color}; }}")
    server.draw(3)
    name = uniforms.split()[1]
    name = name.split("[")[0] + "[0]" if "[" in name else name
    server.uniform(program, name, contents[name])
    server.draw(3)
    assert server.pixel(31, 5) == expected              # 31 % 3 is 1
    server.uniform(program, name, bytes(4))             # the first of its bytes, the others stay
    server.draw(3)
    assert server.pixel(31, 5) == {"list[0]": (128, 0, 0, 255), "which": (0, 0, 0, 255)}.get(name, expected)
