"""Dispatches, storage blocks, counters, images and indirect draws, in both dialects: what the records do on a driver."""

import struct

import pytest
from server import NULL, TRIANGLES, Server, format_number
from test_espryt_pictures import COLORED, GREEN, PLACE, WHOLE, rgba
from wire import enum

from mgpipe.server._probe import SessionFault
from mgpipe.shaders import compiler

COMPUTE_SHADER = 0x91B9
STORAGE, ALL_BARRIERS = "STORAGE", 0xFFFFFFFF
READ_ONLY, WRITE_ONLY, READ_WRITE = 0x88B8, 0x88B9, 0x88BA


def compute(server: Server, source: str):
    linked = compiler.link([(COMPUTE_SHADER, [b"#version 430\n" + source.encode()])])
    assert linked.ok, linked.log
    server.linked = linked
    program = server.handle("shader")
    stages = [dict()] * 5 + [dict(code=server.blob(linked.spirv[5]), constants_size=linked.constants_size[5])]
    server.call("create_shader_state", cso=program, group=server.group, stages=stages)
    server.call("bind_compute_state", cso=program)
    return program


def storage(server: Server, *buffers, **more) -> None:
    server.call("set_shader_buffers", [[dict(resource=b, size=(1 << 64) - 1) if isinstance(b, tuple) else b for b in buffers]],
                buffer_class=enum("BUFFER_CLASS", STORAGE), count=len(buffers), **more)


def bytes_of(server: Server, buffer, size: int) -> bytes:
    return server.answer("resource_readback", size, resource=buffer)


def quiet(server: Server) -> None:
    assert server.log() == []


def test_a_dispatch_writes_storage(server: Server):
    server.context()
    compute(server, "layout(local_size_x = 4) in; layout(std430) readonly buffer A { uint a[]; }; layout(std430) buffer B { uint b[]; };"
                    "void main() { b[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x] * 3u; }")
    source, target = server.buffer(struct.pack("<8I", *range(8))), server.buffer(bytes(32))
    slots = {block.name: block.slot for block in server.linked.storage_blocks}
    storage(server, *[source if slots["A"] == i else target for i in range(2)])
    server.call("launch_grid", grid=[2, 1, 1])
    server.call("memory_barrier", bits=ALL_BARRIERS)
    assert struct.unpack("<8I", bytes_of(server, target, 32)) == tuple(3 * i for i in range(8))
    quiet(server)


def test_ranges_of_storage_begin_where_they_are_told_to(server: Server):
    server.context()
    compute(server, "layout(local_size_x = 1) in; layout(std430) buffer B { uint b[]; }; void main() { b[0] = uint(b.length()); }")
    target = server.buffer(bytes(512))
    storage(server, dict(resource=target, offset=256, size=64))
    server.call("launch_grid", grid=[1, 1, 1])
    assert struct.unpack_from("<I", bytes_of(server, target, 512), 256) == (16,)


def test_uniforms_reach_a_dispatch_and_draws_keep_their_own_program(server: Server):
    server.context()
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    drawn = server.program(PLACE + "void main() { gl_Position = vec4(place, 0, 1); }", COLORED)
    server.uniform(drawn, "tint", rgba(0, 1, 0))
    server.draw(3)
    program = compute(server, "layout(local_size_x = 1) in; uniform float k; layout(std430) buffer B { float b; };"
                              "void main() { b = k; }")
    target = server.buffer(bytes(4))
    storage(server, target)
    for value in (2.5, 4.0):
        server.uniform(program, "k", struct.pack("<f", value))
        server.call("launch_grid", grid=[1, 1, 1])
        assert struct.unpack("<f", bytes_of(server, target, 4)) == (value,)
        server.clear(0, 0, 0, 1)
        server.draw(3)
        assert server.pixel(10, 10) == GREEN


def test_draws_write_storage_too(server: Server):
    server.context()
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    server.program(PLACE + "void main() { gl_Position = vec4(place, 0, 1); }",
                   "#version 430\nlayout(std430) buffer N { uint n; }; out vec4 c; void main() { atomicAdd(n, 1u); c = vec4(1); }")
    target = server.buffer(bytes(4))
    storage(server, target)
    server.draw(3)
    server.call("memory_barrier", bits=ALL_BARRIERS)
    assert struct.unpack("<I", bytes_of(server, target, 4)) == (64 * 64,)
    quiet(server)


def test_atomic_counters_count_at_their_offsets(server: Server):
    server.context()
    compute(server, "layout(local_size_x = 8) in; layout(binding = 2, offset = 8) uniform atomic_uint up;"
                    "layout(binding = 2) uniform atomic_uint list[2]; layout(binding = 2, offset = 0) uniform atomic_uint down;"
                    "layout(std430) buffer Seen { uint seen[]; };"
                    "void main() { seen[atomicCounterIncrement(up)] = 1u; atomicCounterIncrement(list[1]);"
                    "if (atomicCounterDecrement(down) == 92u) seen[8] = atomicCounter(down); }")
    counters, seen = server.buffer(struct.pack("<5I", 100, 7, 0, 7, 5)), server.buffer(bytes(36))
    slot = server.linked.atomic_buffers[0].slot
    storage(server, *[counters if slot == i else seen for i in range(2)])
    server.call("launch_grid", grid=[1, 1, 1])
    assert struct.unpack("<5I", bytes_of(server, counters, 20)) == (92, 7, 8, 7, 13)
    assert struct.unpack("<9I", bytes_of(server, seen, 36)) == (1,) * 8 + (92,)
    quiet(server)


def image(texture, format: str, access: int, slot: int = 0, **more):
    return dict(resource=texture, slot=slot, format=format_number(format), access=access, **more)


def test_images_are_loaded_and_stored(server: Server):
    server.context()
    compute(server, "layout(local_size_x = 4, local_size_y = 4) in; layout(rgba8) readonly uniform image2D a;"
                    "layout(rgba8) writeonly uniform image2D b; void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);"
                    "imageStore(b, p, imageLoad(a, imageSize(a) - 1 - p).bgra); }")
    first, second = server.texture("TEX2D", "RGBA8", 4, 4), server.texture("TEX2D", "RGBA8", 4, 4)
    texels = bytes(range(64))
    server.upload(first, texels, 16, 4, 4)
    slots = {u.name: u.slot for u in server.linked.uniforms}
    server.call("set_shader_images", [[image(first, "RGBA8", READ_ONLY, slots["a"]), image(second, "RGBA8", WRITE_ONLY, slots["b"])]],
                count=2)
    server.call("launch_grid", grid=[1, 1, 1])
    read = server.answer("get_texture_image", 64, resource=second, layout=enum("READ_LAYOUT", "RGBA8"), box=dict(width=4, height=4, depth=1))
    expected = b"".join(bytes([t[2], t[1], t[0], t[3]]) for t in (texels[i:i + 4] for i in range(60, -4, -4)))
    assert read == expected
    quiet(server)


def test_a_mutable_texture_is_an_image_too_and_stays_what_it_was(server: Server):
    """On OpenGL ES it becomes immutable: its texels, its place in framebuffers and texture units survive that. Mesa's
    desktop driver itself loses the place of a texture of several levels in a framebuffer: one level there."""
    server.context()
    number = enum("RESOURCE_TARGET", "TEX2D")
    texture = server.handle("resource")
    server.call("resource_create", resource=texture, group=server.group, target=number)
    levels = 1 if server.driver == "gl" else 2
    for level, size in ((0, 4), (1, 2))[:levels]:
        server.call("resource_respecify", resource=texture, target=number, format=format_number("R32UI"), width=size, height=size,
                    depth=1, level=level)
    server.call("set_texture_params", resource=texture, max_level=levels - 1, swizzle=[0x1903, 0x1904, 0x1905, 0x1906])
    server.upload(texture, struct.pack("<16I", *range(16)), 16, 4, 4)
    if levels > 1:
        server.upload(texture, struct.pack("<4I", 9, 8, 7, 6), 8, 2, 2, level=1)
    server.framebuffer(texture)
    assert struct.unpack("<4I", server.read(1, 1, layout="RGBA32UI", texel=16))[0] == 0
    compute(server, "layout(local_size_x = 4, local_size_y = 4) in; layout(r32ui) uniform uimage2D m;"
                    "void main() { imageAtomicAdd(m, ivec2(gl_LocalInvocationID.xy), 100u); }")
    server.call("set_shader_images", [[image(texture, "R32UI", READ_WRITE)]], count=1)
    server.call("launch_grid", grid=[1, 1, 1])
    server.call("memory_barrier", bits=ALL_BARRIERS)
    assert struct.unpack("<4I", server.read(1, 1, 3, 3, layout="RGBA32UI", texel=16))[0] == 115
    if levels > 1:
        one = server.answer("get_texture_image", 64, resource=texture, level=1, layout=enum("READ_LAYOUT", "RGBA32UI"),
                            box=dict(width=2, height=2, depth=1))
        assert struct.unpack("<16I", one)[::4] == (9, 8, 7, 6)
    server.call("resource_respecify", resource=texture, target=number, format=format_number("R32UI"), width=8, height=8, depth=1)
    server.upload(texture, struct.pack("<64I", *[5] * 64), 32, 8, 8)
    assert struct.unpack("<4I", server.read(1, 1, 7, 7, layout="RGBA32UI", texel=16))[0] == 5
    quiet(server)


def test_layers_and_levels_of_images(server: Server):
    server.context()
    texture = server.texture("TEX2D_ARRAY", "R32UI", 4, 4, 3, levels=2)
    compute(server, "layout(local_size_x = 1) in; layout(r32ui) uniform uimage2D one; layout(r32ui) uniform uimage2DArray all_;"
                    "void main() { imageStore(one, ivec2(1, 0), uvec4(7)); imageStore(all_, ivec3(0, 1, 2), uvec4(imageSize(all_).z)); }")
    slots = {u.name: u.slot for u in server.linked.uniforms}
    server.call("set_shader_images", [[image(texture, "R32UI", READ_WRITE, slots["one"], level=1, layer=1),
                                       image(texture, "R32UI", READ_WRITE, slots["all_"], layered=1)]], count=2)
    server.call("launch_grid", grid=[1, 1, 1])

    def texel(level, x, y, z):
        data = server.answer("get_texture_image", 16, resource=texture, level=level, layout=enum("READ_LAYOUT", "RGBA32UI"),
                             box=dict(x=x, y=y, z=z, width=1, height=1, depth=1))
        return struct.unpack("<4I", data)[0]

    assert (texel(1, 1, 0, 1), texel(0, 0, 1, 2)) == (7, 3)
    quiet(server)


def test_the_size_of_a_dispatch_comes_from_a_buffer(server: Server):
    server.context()
    compute(server, "layout(local_size_x = 1) in; layout(std430) buffer N { uint n; }; void main() { atomicAdd(n, 1u); }")
    target, commands = server.buffer(bytes(4)), server.buffer(struct.pack("<4I", 9, 2, 3, 4))
    storage(server, target)
    server.call("set_indirect_buffers", dispatch=commands)
    server.call("launch_grid", indirect=1, offset=4)
    assert struct.unpack("<I", bytes_of(server, target, 4)) == (24,)


@pytest.mark.parametrize(("commands", "offset"), [(12, 4), (12, 1 << 40), (16, 2), (0, 0)])
def test_commands_outside_of_their_buffer_end_the_session(server: Server, commands, offset):
    server.context()
    compute(server, "layout(local_size_x = 1) in; void main() {}")
    server.call("set_indirect_buffers", dispatch=server.buffer(bytes(commands)) if commands else NULL)
    with pytest.raises(SessionFault, match="RegionOutside: launch_grid" if commands else "NotSupplied: indirect buffer"):
        server.call("launch_grid", indirect=1, offset=offset)


def indirect_scene(server: Server, indexed: bool) -> None:
    server.context()
    corners = struct.pack("<16f", *[c for x in (-1, 0) for c in (x, -1, x + 1, -1, x, 1, x + 1, 1)])
    server.vertices(corners, (0, 2, 0), stride=8)
    program = server.program(PLACE + "void main() { gl_Position = vec4(place, 0, 1); }", COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    if indexed:
        server.call("set_index_buffer", resource=server.buffer(struct.pack("<8I", 9, 9, 0, 1, 2, 2, 1, 3)))
        commands = struct.pack("<3IiI", 6, 1, 2, 0, 0) + struct.pack("<3IiI", 6, 1, 2, 4, 0)
    else:
        commands = struct.pack("<4I", 3, 1, 0, 0) + struct.pack("<4I", 3, 1, 4, 0)
    server.call("set_indirect_buffers", draw=server.buffer(commands), parameter=server.buffer(struct.pack("<2I", 0, 1)))


@pytest.mark.parametrize("indexed", [False, True], ids=["arrays", "elements"])
@pytest.mark.parametrize("count", [1, 2])
def test_draws_take_their_commands_from_a_buffer(server: Server, indexed, count):
    indirect_scene(server, indexed)
    server.call("draw_indirect", mode=TRIANGLES, index_size=4 * indexed, draw_count=count)
    assert server.pixel(2, 2) == GREEN and server.pixel(34, 2) == (GREEN if count == 2 else (0, 0, 0, 0))
    quiet(server)


@pytest.mark.parametrize("indexed", [False, True], ids=["arrays", "elements"])
@pytest.mark.parametrize(("at", "drawn"), [(0, 0), (4, 1)])
def test_the_number_of_draws_comes_from_a_buffer(server: Server, indexed, at, drawn):
    indirect_scene(server, indexed)
    server.call("draw_indirect", mode=TRIANGLES, index_size=4 * indexed, draw_count=2, has_count=1, count_offset=at)
    assert (server.pixel(2, 2) == GREEN, server.pixel(34, 2) == GREEN) == (drawn > 0, False)
    quiet(server)


@pytest.mark.parametrize("fields", [dict(draw_count=3), dict(draw_count=1, offset=20), dict(draw_count=1, offset=1 << 60),
                                    dict(draw_count=2, stride=1 << 31), dict(draw_count=1, offset=2),
                                    dict(draw_count=1, has_count=1, count_offset=8)], ids=str)
def test_draw_commands_outside_of_their_buffer_end_the_session(server: Server, fields):
    indirect_scene(server, False)
    with pytest.raises(SessionFault, match="RegionOutside: draw_indirect"):
        server.call("draw_indirect", mode=TRIANGLES, **fields)


def test_a_base_instance_shifts_instanced_attributes(server: Server):
    server.context()
    shifts, elements = server.buffer(struct.pack("<4f", 9, 9, 0, 1)), server.handle("vertex_elements")
    corners = server.buffer(struct.pack("<6f", -1, -1, 0, -1, -1, 1))
    attribs = [dict(location=0, binding=0, size=2, type=0x1406), dict(location=1, binding=1, size=1, type=0x1406)]
    server.call("create_vertex_elements", [attribs, [dict(binding=0), dict(binding=1, divisor=1)]], cso=elements, attrib_count=2,
                binding_count=2)
    server.call("bind_vertex_elements", cso=elements)
    server.call("set_vertex_buffers", [[dict(resource=corners, stride=8, binding=0), dict(resource=shifts, stride=4, binding=1)]], count=2)
    program = server.program(PLACE + "layout(location = 1) in float shift; void main() { gl_Position = vec4(place + vec2(shift, 0), 0, 1); }",
                             COLORED)
    server.uniform(program, "tint", rgba(0, 1, 0))
    server.draw(3, instances=2, base_instance=2)
    assert server.pixel(2, 2) == GREEN and server.pixel(34, 2) == GREEN
