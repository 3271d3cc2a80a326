"""What Espryt captures by transform feedback, in both dialects."""

import struct

import pytest
from server import POINTS, TRIANGLES, Handle, Server

from mgpipe.server._probe import SessionFault
from mgpipe.shaders.feedback import SEPARATE, Request

LINES = 1
VERTEX = """#version 330
layout(location = 0) in float a;
out float one; out vec2 two;
void main() { one = a; two = vec2(a * 10.0, a * 100.0); gl_Position = vec4(0, 0, 0, 1); }"""
VALUES = (1.0, 2.0, 3.0, 4.0)


def scene(server: Server, *names: str, vertex: str = VERTEX, **more) -> Handle:
    server.context()
    server.vertices(struct.pack("<4f", *VALUES), (0, 1, 0), stride=4)
    return server.program(vertex, feedback=Request(names, **more.pop("request", {})), **more)


def begin(server: Server, program: Handle, *ranges: dict, mode: int = POINTS, output: Handle | None = None) -> Handle:
    output = output or server.handle("stream_output")
    server.call("begin_stream_output", [[dict(size=2**64 - 1) | r for r in ranges]], stream_output=output, shader=program,
                mode=mode, count=len(ranges))
    return output


def floats(server: Server, buffer: Handle, count: int, offset: int = 0) -> tuple[float, ...]:
    return struct.unpack(f"<{count}f", server.answer("resource_readback", 4 * count, resource=buffer, offset=offset))


def test_interleaved(server: Server):
    program, buffer = scene(server, "two", "one"), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=buffer))
    server.draw(2, POINTS)
    server.draw(1, POINTS, first=3)
    server.call("end_stream_output", stream_output=output)
    server.draw(4, POINTS)
    assert floats(server, buffer, 12) == (10, 100, 1, 20, 200, 2, 40, 400, 4, 0, 0, 0)


def test_separate_and_at_an_offset(server: Server):
    program = scene(server, "one", "two", request=dict(mode=SEPARATE))
    first, second = server.buffer(bytes(64)), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=first, offset=8), dict(resource=second))
    server.draw(2, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert floats(server, first, 5) == (0, 0, 1, 2, 0)
    assert floats(server, second, 5) == (10, 100, 20, 200, 0)


@pytest.mark.parametrize("size, room", [(8, 2), (12, 3), (11, 2), (0, 0)])
def test_a_full_buffer_takes_whole_vertices_only(server: Server, size, room):
    program, buffer = scene(server, "one"), server.buffer(bytes(16))
    output = begin(server, program, dict(resource=buffer, size=size))
    server.draw(4, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert floats(server, buffer, 4) == VALUES[:room] + (0,) * (4 - room)


def test_members_of_blocks_structures_and_arrays(server: Server):
    vertex = """#version 330
        layout(location = 0) in float a;
        struct Pair { float x; vec2 yz; };
        out Block { float in_block; vec2 list[2]; } named;
        out Anonymous { float inside; };
        out Pair pair;
        out float array[3];
        void main() { named.in_block = a; named.list[0] = vec2(2); named.list[1] = vec2(a + 2.0, 4); inside = 5.0;
                      pair.x = 6.0; pair.yz = vec2(8, 9); array = float[3](10.0, 11.0, 12.0);
                      gl_Position = vec4(13, 14, 15, 16); }"""
    names = ("Block.in_block", "Block.list[1]", "inside", "pair.x", "pair.yz", "array[2]", "array", "gl_Position")
    program, buffer = scene(server, *names, vertex=vertex), server.buffer(bytes(128))
    output = begin(server, program, dict(resource=buffer))
    server.draw(1, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert server.log() == []
    assert floats(server, buffer, 15) == (1, 3, 4, 5, 6, 8, 9, 12, 10, 11, 12, 13, 14, 15, 16)


@pytest.mark.parametrize("word", ["texture2D", "texture", "sample", "patch", "buffer", "precise", "resource", "min", "a__b", "_12"])
def test_words_that_a_dialect_keeps_for_itself(server: Server, word):
    vertex = f"""#version 330
        layout(location = 0) in float a;
        out float {word}; void main() {{ {word} = a + 6.0; gl_Position = vec4(0); }}"""
    program, buffer = scene(server, word, vertex=vertex), server.buffer(bytes(8))
    output = begin(server, program, dict(resource=buffer))
    server.draw(1, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert server.log() == []
    assert floats(server, buffer, 1) == (7,)


def test_a_captured_output_still_reaches_the_fragments(server: Server):
    fragment = "#version 330\nin float sample; out vec4 color; void main() { color = vec4(sample, 1, 0, 1); }"
    vertex = """#version 330
        layout(location = 0) in float a; out float sample;
        void main() { sample = a * 0.25; gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 8.0; }"""
    program, buffer = scene(server, "sample", vertex=vertex, fragment=fragment), server.buffer(bytes(8))
    server.pipeline(program_point_size=1)
    output = begin(server, program, dict(resource=buffer))
    server.draw(1, POINTS, first=3)
    server.call("end_stream_output", stream_output=output)
    assert floats(server, buffer, 1) == (1,) and server.pixel(32, 32) == (255, 255, 0, 255)


SKIPPED = ("one", "gl_SkipComponents2", "one_more", "gl_NextBuffer", "two")
SKIPPING = VERTEX.replace("void main() {", "out float one_more; void main() { one_more = a + 0.5;")


def test_gaps_and_several_buffers(server: Server):
    program = scene(server, *SKIPPED, vertex=SKIPPING)
    first, second = server.buffer(struct.pack("<8f", *[-1.0] * 8)), server.buffer(bytes(32))
    output = begin(server, program, dict(resource=first), dict(resource=second))
    server.draw(2, POINTS)
    server.call("end_stream_output", stream_output=output)
    if server.driver == "gles":
        assert "Unimplemented: create_shader_state: gl_SkipComponents, and gl_NextBuffer behind several outputs, on OpenGL ES" in server.log()
        return
    assert floats(server, first, 8) == (1, -1, -1, 1.5, 2, -1, -1, 2.5)
    assert floats(server, second, 4) == (10, 100, 20, 200)


def test_one_output_a_buffer(server: Server):
    program = scene(server, "two", "gl_NextBuffer", "one")
    first, second = server.buffer(bytes(64)), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=first), dict(resource=second, offset=4))
    server.draw(2, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert server.log() == []
    assert floats(server, first, 5) == (10, 100, 20, 200, 0) and floats(server, second, 4) == (0, 1, 2, 0)


def test_a_tessellation_evaluation_shaders_primitives(server: Server):
    stages = dict(
        tess_control="""#version 400
            layout(vertices = 1) out; in float one[]; out float given[];
            void main() { given[gl_InvocationID] = one[gl_InvocationID]; gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 2.0; }""",
        tess_evaluation="""#version 400
            layout(isolines, equal_spacing) in; in float given[]; out float made;
            void main() { made = given[0] * 100.0 + gl_TessCoord.x; gl_Position = vec4(0, 0, 0, 1); }""")
    program, buffer = scene(server, "made", **stages), server.buffer(bytes(64))
    server.call("set_patch_state", vertices=1, outer=[1.0] * 4, inner=[1.0] * 2)
    output = begin(server, program, dict(resource=buffer), mode=LINES)
    server.draw(2, 0xE)
    server.call("end_stream_output", stream_output=output)
    lines = sorted(tuple(sorted(floats(server, buffer, 8)[i:i + 2])) for i in range(0, 8, 2))
    assert lines == [(100, 100.5), (100.5, 101), (200, 200.5), (200.5, 201)]


def test_vertex_streams(server: Server):
    geometry = """#version 400
        layout(points) in; layout(points, max_vertices = 3) out; in float one[];
        layout(stream = 0) out float first; layout(stream = 1) out float second;
        void main() { first = one[0]; EmitStreamVertex(0); second = one[0] * 10.0; EmitStreamVertex(1);
                      second = one[0] * 20.0; EmitStreamVertex(1); }"""
    program = scene(server, "first", "gl_NextBuffer", "second", geometry=geometry)
    first, second = server.buffer(bytes(32)), server.buffer(bytes(32))
    output = begin(server, program, dict(resource=first), dict(resource=second))
    server.draw(2, POINTS)
    server.call("end_stream_output", stream_output=output)
    if server.driver == "gles":
        assert any(text.startswith("Unimplemented") for text in server.log())
        return
    assert floats(server, first, 3) == (1, 2, 0)
    assert floats(server, second, 5) == (10, 20, 20, 40, 0)


def test_a_geometry_shaders_primitives(server: Server):
    geometry = """#version 330
        layout(points) in; layout(line_strip, max_vertices = 3) out; in float one[]; out float made;
        void main() { for (int i = 0; i < 3; i++) { made = one[0] + float(i) * 10.0; gl_Position = vec4(0); EmitVertex(); } }"""
    program, buffer = scene(server, "made", geometry=geometry), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=buffer), mode=LINES)
    server.draw(2, POINTS)
    server.call("end_stream_output", stream_output=output)
    assert floats(server, buffer, 8) == (1, 11, 11, 21, 2, 12, 12, 22)


def test_a_paused_capture_goes_on_where_it_stood(server: Server):
    program, buffer, other = scene(server, "one"), server.buffer(bytes(64)), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=buffer))
    server.draw(1, POINTS)
    server.call("pause_stream_output", stream_output=output)
    server.draw(4, POINTS)
    second = begin(server, program, dict(resource=other))
    server.draw(1, POINTS, first=1)
    server.call("pause_stream_output", stream_output=second)
    server.call("bind_shader_state", cso=server.program(VERTEX))
    server.draw(3, TRIANGLES)
    server.call("bind_shader_state", cso=program)
    server.call("resume_stream_output", stream_output=output)
    server.draw(1, POINTS, first=2)
    server.call("end_stream_output", stream_output=output)
    server.call("end_stream_output", stream_output=second)
    assert floats(server, buffer, 3) == (1, 3, 0)
    assert floats(server, other, 2) == (2, 0)


def test_a_capture_survives_a_visit_to_another_context(server: Server):
    program, buffer = scene(server, "one"), server.buffer(bytes(64))
    mine, surface = (server.slots["context"], 1), server.surface
    output = begin(server, program, dict(resource=buffer))
    server.draw(1, POINTS)
    server.context(group=server.group)
    server.call("bind_context", context=mine, draw=surface, read=surface)
    server.draw(1, POINTS, first=1)
    server.call("end_stream_output", stream_output=output)
    assert floats(server, buffer, 3) == (1, 2, 0)


SHOW = "#version 330\nlayout(location = 0) in float a; void main() { gl_Position = vec4(a, 0, 0, 1); }"
GENERATED, WRITTEN = 0x8C87, 0x8C88


def lines_drawn(server: Server, output: Handle, instances: int = 1) -> int:
    """Primitives of a draw of what was captured, which a query counts before the clipper sees them."""
    counter = server.handle("query")
    server.call("bind_shader_state", cso=server.program(SHOW))
    server.call("query_create", query=counter, target=GENERATED)
    server.call("query_begin", query=counter, target=GENERATED)
    server.call("draw_stream_output", mode=LINES, instance_count=instances, stream_output=output)
    server.call("query_end", query=counter, target=GENERATED)
    return server.call("query_result", query=counter, wait=1)[2][1]


def test_draws_of_a_captured_number_of_vertices(server: Server):
    program, buffer = scene(server, "one"), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=buffer), mode=LINES)
    server.draw(4, LINES)
    server.call("pause_stream_output", stream_output=output)
    server.draw(4, LINES)
    server.call("resume_stream_output", stream_output=output)
    server.draw(2, LINES)
    server.call("end_stream_output", stream_output=output)
    assert lines_drawn(server, output) == 3
    assert lines_drawn(server, output, instances=4) == 12
    server.call("bind_shader_state", cso=program)
    begin(server, program, dict(resource=buffer), mode=LINES, output=output)
    server.call("end_stream_output", stream_output=output)
    assert lines_drawn(server, output) == 0


def test_a_query_of_the_programs_and_a_captured_number(server: Server):
    program, buffer, counter = scene(server, "one"), server.buffer(bytes(64)), server.handle("query")
    server.call("query_create", query=counter, target=WRITTEN)
    server.call("query_begin", query=counter, target=WRITTEN)
    output = begin(server, program, dict(resource=buffer), mode=LINES)
    server.draw(4, LINES)
    server.call("end_stream_output", stream_output=output)
    server.call("query_end", query=counter, target=WRITTEN)
    assert server.call("query_result", query=counter, wait=1)[2][1] == 2
    known = server.driver == "gl"
    assert lines_drawn(server, output) == (2 if known else 0)
    assert any("while a query counted" in text for text in server.log()) != known


@pytest.mark.parametrize("names", [b"one", b"one\0two", b"o;ne\0", b"\xff\0", b"x\0" * 257])
def test_names_that_are_no_list_end_the_session(server: Server, names):
    server.context()
    with pytest.raises(SessionFault, match="ValueOutOfRange: create_shader_state.feedback"):
        server.call("create_shader_state", cso=server.handle("shader"), group=server.group, feedback=server.blob(names),
                    feedback_mode=0x8C8C)


@pytest.mark.parametrize("misuse, family", [
    (lambda s, program, output: begin(s, program, output=output), "WrongObject"),
    (lambda s, program, output: begin(s, program), "WrongObject"),
    (lambda s, program, output: begin(s, program, mode=3), "WrongObject"),
    (lambda s, program, output: (s.program(VERTEX), s.draw(1, POINTS)), "WrongObject"),
    (lambda s, program, output: (s.context(group=s.group), s.call("end_stream_output", stream_output=output)), "WrongObject"),
])
def test_misuse_of_an_active_capture_ends_the_session(server: Server, misuse, family):
    program, buffer = scene(server, "one"), server.buffer(bytes(64))
    output = begin(server, program, dict(resource=buffer))
    with pytest.raises(SessionFault, match=family):
        misuse(server, program, output)


@pytest.mark.parametrize("ranges, mode, family", [
    ([], LINES + 2, "ValueOutOfRange"), ([dict(resource=(0, 0))], POINTS, "NotSupplied"), ([], POINTS, "NotSupplied"),
])
def test_a_capture_that_cannot_begin_ends_the_session(server: Server, ranges, mode, family):
    program = scene(server, "one")
    with pytest.raises(SessionFault, match=family):
        begin(server, program, *ranges, mode=mode)


def test_a_context_may_end_in_the_middle_of_a_capture(server: Server):
    program, buffer = scene(server, "one"), server.buffer(bytes(64))
    begin(server, program, dict(resource=buffer))
    server.call("destroy_context", context=(server.slots["context"], 1))
    server.context(group=server.group)
    server.vertices(struct.pack("<4f", *VALUES), (0, 1, 0), stride=4)
    server.call("bind_shader_state", cso=program)
    server.draw(1, POINTS)
    assert server.log() == []


def test_state_that_a_generated_stage_stands_for_is_refused_by_name_while_capturing(server: Server):
    """OpenGL ES: before the capture begins, and in the middle of it, which then ends as if that draw had not been."""
    program, buffer = scene(server, "one"), server.buffer(bytes(48))
    LINE = 0x1B01
    server.pipeline(polygon_mode=LINE)
    output = begin(server, program, dict(resource=buffer), mode=TRIANGLES)
    server.call("end_stream_output", stream_output=output)
    server.pipeline()
    output = begin(server, program, dict(resource=buffer), mode=TRIANGLES)
    server.draw(3)
    server.pipeline(polygon_mode=LINE)
    server.draw(3, first=1)
    server.pipeline()
    server.draw(3)
    server.call("end_stream_output", stream_output=output)
    if server.driver == "gl":
        assert server.log() == [] and floats(server, buffer, 9) == (1, 2, 3, 2, 3, 4, 1, 2, 3)
        return
    assert server.log() == [
        "Unimplemented: begin_stream_output: polygon modes and first provoking vertices while capturing on OpenGL ES",
        "Unimplemented: draw_vbo: state that changes a program's text while it is captured from"]
    assert floats(server, buffer, 9) == (1, 2, 3, 1, 2, 3, 0, 0, 0)
