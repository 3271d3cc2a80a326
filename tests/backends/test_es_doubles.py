"""OpenGL ES has no doubles: programs with some show what they show on OpenGL, in the precision of floats."""

import struct

import pytest
from server import Server
from test_es_stages import both, lit, vertices  # noqa: F401
from wire import enum

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
