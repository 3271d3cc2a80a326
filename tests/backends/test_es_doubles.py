"""OpenGL ES has no doubles: programs with some show what they show on OpenGL, in the precision of floats."""

import math
import struct

import pytest
from server import POINTS, TRIANGLES, Server
from test_es_stages import both, lit, vertices  # noqa: F401
from test_espryt_compute import ALL_BARRIERS, compute, storage
from wire import enum

from mgpipe.shaders.feedback import INTERLEAVED, SEPARATE, Request

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
VERTEX = "#version 400\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
FRAGMENT = """#version 400
uniform double d; uniform float f; uniform dvec3 v; uniform dmat2x3 m; uniform double list[3]; uniform vec3 plain;
uniform dmat3 many[2];
struct S { float a; dvec4 b; int c; }; uniform S s;
out vec4 color;
void main() {
    dvec3 sum = v * d + m * dvec2(0.5lf, list[2]) + many[1][2];
    color = vec4(vec3(sum) + plain * f + vec3(s.b.w * s.a, float(s.c), 0.0), 1.0);
}"""
VALUES = {"d": ("d", [0.25]), "f": ("f", [0.5]), "v": ("d", [0.4, 0.8, 1.2]), "m": ("d", [0.1, 0.2, 0.3, 0, 0.4, 0.5, 0.6, 0]),
          "list[0]": ("d", [9, 9, 9, 9, 0.25, 9]), "plain": ("f", [0.1, 0.2, 0.3]), "s.a": ("f", [0.5]),
          "s.b": ("d", [9, 9, 9, 0.25]), "s.c": ("i", [0]), "many[0]": ("d", [0] * 20 + [0.125, 0.0625, 0.25, 0])}


def test_loose_uniforms_of_doubles_reach_the_shader(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        vertices(server, WHOLE)
        program = server.program(VERTEX, FRAGMENT)
        for name, (code, values) in VALUES.items():
            server.uniform(program, name, struct.pack(f"<{len(values)}{code}", *values))
        server.draw(3)
        first = server.read()
        server.uniform(program, "d", struct.pack("<d", 0.75))   # one span alone
        server.draw(3)
        return first + server.read()

    gl, es = both(scene)
    assert gl == es and len(set(gl[:3])) > 1 and gl[:4] != gl[-4:]


def test_doubles_pass_between_stages_and_are_computed_with(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        vertices(server, WHOLE)
        server.program(
            "#version 400\nlayout(location = 0) in vec2 place; flat out dvec3 half_; out vec2 at;"
            "void main() { half_ = dvec3(0.5lf, sqrt(0.25lf), floor(1.75lf) * 0.5lf); at = place; gl_Position = vec4(place, 0, 1); }",
            "#version 400\nflat in dvec3 half_; in vec2 at; out vec4 color; double twice(double x) { return x + x; }"
            "void main() { dmat2 m = dmat2(half_.x, 0, 0, half_.y); dvec2 r = m * dvec2(at); double q = r.x > 0.1lf ? twice(r.x) : 0.0lf;"
            "color = vec4(float(q), vec2(r), float(mix(0.0lf, 1.0lf, half_.z))); }")
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) > 2000


def double_vertices(server: Server, kind: str, stride: int, data: bytes, offset: int = 0) -> tuple[int, int]:
    buffer, elements = server.buffer(data), server.handle("vertex_elements")
    attribs = [dict(location=0, binding=3, size=2, type=0x140A, kind=enum("ATTRIB_KIND", kind)),
               dict(location=1, binding=3, size=3, type=0x1406, relative_offset=16)]
    server.call("create_vertex_elements", [attribs, [dict(binding=3)]], cso=elements, attrib_count=2, binding_count=1)
    server.call("bind_vertex_elements", cso=elements)
    server.call("set_vertex_buffers", [[dict(resource=buffer, stride=stride, binding=3, offset=offset)]], count=1)
    return buffer


CORNERS = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)]
TINTED = "#version 400\nin vec3 tint; out vec4 color; void main() { color = vec4(tint, 1); }"


@pytest.mark.parametrize("kind, declared", [("FLOAT", "vec2"), ("DOUBLE", "dvec2")])
def test_attributes_of_doubles_are_read(both, kind, declared):  # noqa: F811
    def scene(server: Server) -> bytes:
        record = b"".join(struct.pack("<2d3f4x", x, y, 0.5, x > 0, y > 0) for x, y in CORNERS)
        buffer = double_vertices(server, kind, 32, bytes(64) + record, 64)
        server.program(f"#version 410\nlayout(location = 0) in {declared} place; layout(location = 1) in vec3 t; out vec3 tint;"
                       "void main() { tint = t; gl_Position = vec4(place, 0, 1); }", TINTED)
        server.draw(3)
        first = server.read()
        server.clear(0, 0, 0, 0)
        server.call("resource_subdata", resource=buffer, offset=64, bytes=server.blob(struct.pack("<2d", 0, 0)))
        server.draw(3)                                           # nothing but the bytes changed
        return first + server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl[:16384]) == 4096 and 0 < lit(gl[16384:]) < 4096


def test_attributes_in_the_order_blue_green_red_are_read(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        data = b"".join(struct.pack("<2f4B", x, y, 10, 20, 30, 255) for x, y in CORNERS)
        buffer, elements = server.buffer(data), server.handle("vertex_elements")
        attribs = [dict(location=0, binding=0, size=2, type=0x1406),
                   dict(location=1, binding=0, size=4, type=0x1401, relative_offset=8, kind=enum("ATTRIB_KIND", "BGRA"))]
        server.call("create_vertex_elements", [attribs, [dict(binding=0)]], cso=elements, attrib_count=2, binding_count=1)
        server.call("bind_vertex_elements", cso=elements)
        server.call("set_vertex_buffers", [[dict(resource=buffer, stride=12, binding=0)]], count=1)
        server.program("#version 330\nlayout(location = 0) in vec2 place; layout(location = 1) in vec4 t; out vec3 tint;"
                       "void main() { tint = t.rgb; gl_Position = vec4(place, 0, 1); }", TINTED)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and gl[:4] == bytes((30, 20, 10, 255))


@pytest.mark.parametrize("size, code", [(1, "B"), (2, "H"), (4, "I")])
def test_primitives_restart_at_any_index(both, size, code):  # noqa: F811
    def scene(server: Server) -> bytes:
        server.vertices(struct.pack("<18f", -1, -1, -.5, -1, -1, 1, -.5, 1, 9, 9, .5, -1, 1, -1, .5, 1, 1, 1), (0, 2, 0), stride=8)
        server.program(VERTEX, "#version 330\nout vec4 color; void main() { color = vec4(1); }")
        server.pipeline(primitive_restart=1, restart_index=4)
        indices = server.buffer(struct.pack(f"<11{code}", 7, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8))
        server.call("set_index_buffer", resource=indices)
        server.draw(9, mode=5, first=2, index_size=size)
        first = server.read()
        server.call("resource_subdata", resource=indices, offset=6 * size, bytes=server.blob(struct.pack("<" + code, 3)))
        server.draw(9, mode=5, first=2, index_size=size)         # one strip now
        return first + server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl[:16384]) == 2048 and lit(gl[16384:]) > 2048


# -- transform feedback of doubles

FLOATS = (0.0, -0.0, 1.0, -2.5, 0.1, 3.4028234663852886e38, 2.0 ** -126, 2.0 ** -149, 2.0 ** -127 * 1.5, math.inf, -math.inf,
          math.nan)


def captured(server: Server, names: tuple[str, ...], count: int, mode: int = POINTS, draw: int = POINTS, data: tuple = FLOATS,
             separate: bool = False, vertices: int = 0, **stages: str) -> list[tuple[float, ...]]:
    """The doubles in each of the buffers that the names need."""
    server.vertices(struct.pack(f"<{len(data)}f", *data), (0, 1, 0), stride=4)
    program = server.program(stages.pop("vertex"), feedback=Request(names, SEPARATE if separate else INTERLEAVED), **stages)
    buffers = [server.buffer(bytes(8 * count)) for _ in names[:len(names) if separate else 1]]
    output = server.handle("stream_output")
    server.call("begin_stream_output", [[dict(resource=buffer, size=2**64 - 1) for buffer in buffers]], stream_output=output,
                shader=program, mode=mode, count=len(buffers))
    server.draw(vertices or len(data), draw)
    server.call("end_stream_output", stream_output=output)
    assert server.log() == []
    return [struct.unpack(f"<{count}d", server.answer("resource_readback", 8 * count, resource=buffer)) for buffer in buffers]


def bits(values) -> list[str]:
    return ["nan" if math.isnan(value) else value.hex() for value in values]


def test_every_kind_of_float_is_captured_as_the_same_double(server: Server):
    server.context()
    got, = captured(server, ("wide",), len(FLOATS), vertex="""#version 410
        layout(location = 0) in float a; out double wide; void main() { wide = a; gl_Position = vec4(0); }""")
    floats = struct.unpack(f"<{len(FLOATS)}f", struct.pack(f"<{len(FLOATS)}f", *FLOATS))
    wanted = [0.0 if server.driver == "gl" and 0 < abs(f) < 2.0 ** -126 and g == 0.0 else f for f, g in zip(floats, got)]
    assert bits(got) == bits(wanted)


SHAPES = """#version 410
layout(location = 0) in float a;
struct Pair { double x; dvec3 yz; };
out Block { dvec2 inside; double list[3]; float plain; } named;
out dmat2x3 m; out Pair pair; out float single; out dvec4 both[2];
void main() {
    double d = a; gl_Position = vec4(0);
    m = dmat2x3(d + 1, d + 2, d + 3, d + 4, d + 5, d + 6); pair.x = d + 7; pair.yz = dvec3(d + 8, d + 9, d + 10);
    named.inside = dvec2(d + 11, d + 12); named.list = double[3](d + 13, d + 14, d + 15); named.plain = a; single = a;
    both[0] = dvec4(d + 16, d + 17, d + 18, d + 19); both[1] = dvec4(d + 20, d + 21, d + 22, d + 23);
}"""


def test_doubles_of_every_shape_are_captured(server: Server):
    server.context()
    names = ("m", "pair.x", "pair.yz", "Block.inside", "Block.list", "both")
    got, = captured(server, names, 2 * 23, data=(0.5, 100.0), vertex=SHAPES)
    assert list(got) == [each + add for add in (0.5, 100.0) for each in range(1, 24)]


def test_elements_of_arrays_of_doubles_are_captured(server: Server):
    if server.driver == "gl":
        return      # Mesa 22.3 looks for element n of an array of doubles where element 2 n is
    server.context()
    got, = captured(server, ("both[1]", "Block.list[2]", "Block.list[0]"), 12, data=(0.5, 100.0), vertex=SHAPES)
    assert list(got) == [each + add for add in (0.5, 100.0) for each in (20, 21, 22, 23, 15, 13)]


def test_doubles_are_captured_into_buffers_of_their_own(server: Server):
    server.context()
    first, second, third = captured(server, ("Block.inside", "pair.x", "single"), 4, data=(0.5, 100.0), separate=True,
                                    vertex=SHAPES)
    assert first == (11.5, 12.5, 111.0, 112.0) and second == (7.5, 107.0, 0, 0) and struct.unpack("<2f", struct.pack("<d", third[0])) == (0.5, 100)


def test_doubles_beside_floats(server: Server):
    server.context()
    got, = captured(server, ("single", "Block.plain", "pair.x"), 4, data=(0.5, 100.0), vertex=SHAPES)
    assert struct.unpack("<2fd2fd", struct.pack("<4d", *got)) == (0.5, 0.5, 7.5, 100.0, 100.0, 107.0)


def test_a_geometry_shaders_doubles_are_captured(server: Server):
    server.context()
    got, = captured(server, ("made",), 8, data=(0.5, 100.0), vertex="""#version 410
        layout(location = 0) in float a; out double given; void main() { given = a; gl_Position = vec4(0); }""", geometry="""#version 410
        layout(points) in; layout(points, max_vertices = 2) out; in double given[]; out dvec2 made;
        void give(double x) { made = dvec2(given[0], x); EmitVertex(); }
        void main() { give(1.0LF); give(2.0LF); }""")
    assert got == (0.5, 1, 0.5, 2, 100, 1, 100, 2)


def test_captured_doubles_still_reach_the_fragments_and_stand_behind_a_pause(server: Server):
    server.context()
    vertices(server, WHOLE)
    program = server.program("#version 410\nlayout(location = 0) in vec2 place; flat out dvec2 kept;"
                             "void main() { kept = place; gl_Position = vec4(place, 0, 1); }",
                             "#version 410\nflat in dvec2 kept; out vec4 color; void main() { color = vec4(kept, 0, 1); }",
                             feedback=Request(("kept",)))
    buffer, output = server.buffer(bytes(96)), server.handle("stream_output")
    server.call("begin_stream_output", [[dict(resource=buffer, size=2**64 - 1)]], stream_output=output, shader=program,
                mode=TRIANGLES, count=1)
    server.draw(3)
    server.call("pause_stream_output", stream_output=output)
    server.draw(3)
    server.call("resume_stream_output", stream_output=output)
    server.draw(3)
    server.call("end_stream_output", stream_output=output)
    assert struct.unpack("<12d", server.answer("resource_readback", 96, resource=buffer)) == (-1, -1, 3, -1, -1, 3) * 2
    assert server.log() == [] and server.pixel(10, 10)[3] == 255


# -- copies of buffers whose bytes the GPU changed

GREEN = "#version 410\nout vec4 color; void main() { color = vec4(0, 1, 0, 1); }"
MADE = "vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))"


def feedback_writes(server: Server, buffer) -> None:
    program = server.program(f"#version 410\nout dvec2 made; void main() {{ made = {MADE}[gl_VertexID]; gl_Position = vec4(9); }}",
                             feedback=Request(("made",)))
    output = server.handle("stream_output")
    server.call("begin_stream_output", [[dict(resource=buffer, size=2**64 - 1)]], stream_output=output, shader=program,
                mode=POINTS, count=1)
    server.draw(3, POINTS)
    server.call("end_stream_output", stream_output=output)


def dispatch_writes(server: Server, buffer) -> None:
    words = ", ".join(f"{word}u" for word in struct.unpack("<12I", struct.pack("<6d", *sum(CORNERS, ()))))
    compute(server, "layout(local_size_x = 12) in; layout(std430) buffer B { uint b[]; };"
                    f"void main() {{ b[gl_LocalInvocationID.x] = uint[]({words})[gl_LocalInvocationID.x]; }}")
    storage(server, buffer, writable_mask=1)
    server.call("launch_grid", grid=[1, 1, 1])
    server.call("memory_barrier", bits=ALL_BARRIERS)


@pytest.mark.parametrize("write", [feedback_writes, dispatch_writes])
def test_vertices_that_the_gpu_wrote_are_copied_again(both, write):  # noqa: F811
    def scene(server: Server) -> bytes:
        buffer = double_vertices(server, "DOUBLE", 16, bytes(64))
        draws = server.program("#version 410\nlayout(location = 0) in dvec2 place; void main() { gl_Position = vec4(place, 0, 1); }",
                               GREEN)
        server.draw(3)
        assert lit(server.read()) == 0                           # all corners in one place
        write(server, buffer)
        server.call("bind_shader_state", cso=draws)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 4096


def test_indices_that_the_gpu_wrote_are_copied_again(both):  # noqa: F811
    def scene(server: Server) -> bytes:
        vertices(server, WHOLE)
        draws = server.program(VERTEX, GREEN)
        server.pipeline(primitive_restart=1, restart_index=7)
        indices = server.buffer(bytes(12))
        server.call("set_index_buffer", resource=indices)
        server.draw(3, index_size=4)
        assert lit(server.read()) == 0
        program = server.program("#version 330\nflat out int index; void main() { index = gl_VertexID; gl_Position = vec4(9); }",
                                 feedback=Request(("index",)))
        output = server.handle("stream_output")
        server.call("begin_stream_output", [[dict(resource=indices, size=2**64 - 1)]], stream_output=output, shader=program,
                    mode=POINTS, count=1)
        server.draw(3, POINTS)
        server.call("end_stream_output", stream_output=output)
        server.call("bind_shader_state", cso=draws)
        server.draw(3, index_size=4)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 4096
