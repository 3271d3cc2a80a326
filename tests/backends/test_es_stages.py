"""OpenGL ES has to show what OpenGL shows where shaders stand in for state that it lacks: the same records, both drivers."""

import struct
from collections.abc import Callable

import pytest
from server import POINTS, TRIANGLE_STRIP, Handle, Server
from wire import enum

PLACE = "#version 330\nlayout(location = 0) in vec2 place; "
VERTEX = PLACE + "void main() { gl_Position = vec4(place, 0, 1); }"
WHITE = "#version 330\nout vec4 color; void main() { color = vec4(1); }"
TINTED = "#version 330\nflat in vec3 tint; out vec4 color; void main() { color = vec4(tint, 1); }"
# A colour for each vertex, not interpolated.
FLAT = (PLACE + "flat out vec3 tint; void main() { gl_Position = vec4(place, 0, 1);"
        "tint = vec3(gl_VertexID % 3 == 0, gl_VertexID % 3 == 1, gl_VertexID % 3 == 2); }")
WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
TRIANGLE = struct.pack("<6f", -0.52, -0.52, 0.52, -0.52, -0.52, 0.52)
FIRST, LAST = 0x8E4D, 0x8E4E
LINE, POINT = 0x1B01, 0x1B00


@pytest.fixture
def both(monkeypatch) -> Callable[[Callable[[Server], bytes]], tuple[bytes, bytes]]:
    """What a scene reads back on OpenGL and on OpenGL ES; neither may refuse a thing or report an error."""
    monkeypatch.setenv("MGPIPE_DRIVER_ERRORS", "1")

    def run(scene: Callable[[Server], bytes]) -> tuple[bytes, bytes]:
        pictures = []
        for driver in ("gl", "gles"):
            server = Server(driver)
            server.context()
            pictures.append(scene(server))
            assert server.log() == []
            server.call("session_reset")
            server.close()
        return pictures[0], pictures[1]

    return run


def lit(picture: bytes) -> int:
    return sum(picture[i:i + 3] != b"\0\0\0" for i in range(0, len(picture), 4))


def vertices(server: Server, data: bytes = TRIANGLE) -> Handle:
    return server.vertices(data, (0, 2, 0), stride=8)


def test_a_program_without_a_fragment_stage_draws_depth(both):
    def scene(server):
        vertices(server, WHOLE)
        server.program(VERTEX)
        server.pipeline(depth_test=1, blend=[dict(rgb_func=0x8006, alpha_func=0x8006, write_mask=0)] * 8)
        server.draw(3)
        return server.read(8, 8, attachment=-1, layout="DEPTH32F")

    gl, es = both(scene)
    assert gl == es and struct.unpack("<64f", gl) == pytest.approx([0.5] * 64)


@pytest.mark.parametrize("written", [False, True], ids=["not written", "written and not asked for"])
def test_points_have_the_size_of_the_state(both, written):
    def scene(server):
        vertices(server, struct.pack("<4f", 0, 0, 0.5, 0.5))
        server.program(PLACE + f"void main() {{ {'gl_PointSize = 3.0;' * written} gl_Position = vec4(place, 0, 1); }}", WHITE)
        server.dynamic("point_size", struct.pack("<f", 7))
        server.draw(2, POINTS)
        first = server.read()
        server.dynamic("point_size", struct.pack("<f", 2))
        server.draw(1, POINTS)
        return first + server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 2 * 98


def test_points_have_the_size_of_the_shader_when_asked_for(both):
    def scene(server):
        vertices(server, struct.pack("<2f", 0, 0))
        server.program(PLACE + "void main() { gl_PointSize = 5.0; gl_Position = vec4(place, 0, 1); }", WHITE)
        server.pipeline(program_point_size=1)
        server.draw(1, POINTS)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 25


def test_points_out_of_a_geometry_stage_have_the_size_of_the_state(both):
    def scene(server):
        vertices(server)
        server.program(VERTEX, WHITE, geometry="""#version 330
            layout(triangles) in; layout(points, max_vertices = 3) out;
            void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; EmitVertex(); } }""")
        server.dynamic("point_size", struct.pack("<f", 5))
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 75


EVALUATION = """#version 400
layout(triangles) in; in vec2 at[]; out vec3 shade;
void main() { shade = gl_TessCoord * float(gl_PatchVerticesIn) / 3.0; vec2 p = vec2(0);
              for (int i = 0; i < 3; i++) p += gl_TessCoord[i] * at[i]; gl_Position = vec4(p, 0, 1); }"""


def test_patches_without_a_control_stage_take_the_default_levels(both):
    def scene(server):
        vertices(server, WHOLE)
        server.program(PLACE + "out vec2 at; void main() { at = place; gl_Position = vec4(0); }",
                       "#version 330\nin vec3 shade; out vec4 color; void main() { color = vec4(shade, 1); }",
                       tess_evaluation=EVALUATION)
        server.call("set_patch_state", vertices=3, outer=[2.0, 3.0, 4.0, 1.0], inner=[3.0, 1.0])
        server.draw(3, enum("PRIMITIVE", "PATCHES"))
        return server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl) == 64 * 64


@pytest.mark.parametrize("which, tint", [(FIRST, (255, 0, 0, 255)), (LAST, (0, 0, 255, 255))], ids=["first", "last"])
def test_flat_values_come_from_the_provoking_vertex(both, which, tint):
    def scene(server):
        vertices(server, WHOLE)
        server.program(FLAT, TINTED)
        server.pipeline(provoking_vertex=which)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and gl[:4] == bytes(tint)


def test_flat_values_of_strips_and_lines_come_from_the_first_vertex(both):
    def scene(server):
        vertices(server, struct.pack("<10f", -1, -1, -1, 1, 0, -1, 0, 1, 1, -1))
        server.program(FLAT, TINTED)
        server.pipeline(provoking_vertex=FIRST)
        server.draw(5, TRIANGLE_STRIP)
        strip = server.read()
        server.clear(0, 0, 0, 0)
        server.draw(5, enum("PRIMITIVE", "TRIANGLE_FAN"))
        fan = server.read()
        server.clear(0, 0, 0, 0)
        server.draw(5, enum("PRIMITIVE", "LINE_STRIP"))
        return strip + fan + server.read()

    gl, es = both(scene)
    assert gl == es and lit(gl[:16384]) > 2000 and lit(gl[16384:32768]) > 1000 and lit(gl[32768:]) > 100


@pytest.mark.parametrize("mode", [LINE, POINT], ids=["lines", "points"])
def test_polygons_are_shown_as_lines_or_points(both, mode):
    def scene(server):
        vertices(server)
        server.program(PLACE + "out vec3 tint; void main() { tint = vec3(place + 0.52, 1); gl_Position = vec4(place, 0, 1); }",
                       "#version 330\nin vec3 tint; out vec4 color; void main() { color = vec4(tint, 1); }")
        server.pipeline(polygon_mode=mode)
        server.dynamic("point_size", struct.pack("<f", 3))
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and (lit(gl) == 27 if mode == POINT else 90 < lit(gl) < 110)


@pytest.mark.parametrize("front", [0x0900, 0x0901], ids=["clockwise", "counter-clockwise"])
@pytest.mark.parametrize("face", [0x0404, 0x0405, 0x0408], ids=["front", "back", "both"])
def test_polygons_shown_as_lines_are_culled_as_polygons(both, front, face):
    def scene(server):
        vertices(server)
        server.program(VERTEX, WHITE)
        server.pipeline(polygon_mode=LINE, cull_enable=1, cull_face=face, front_face=front)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert gl == es and (lit(gl) > 0) == ((front, face) in ((0x0900, 0x0404), (0x0901, 0x0405)))


def test_blocks_and_arrays_pass_a_generated_stage(both):
    def scene(server):
        vertices(server, WHOLE)
        server.program(
            PLACE + "out Shade { vec3 tint; float more[2]; } shade; flat out int which; out float list[2]; void main() {"
            "shade.tint = vec3(place, 0) * 0.3; shade.more[0] = 0.5; shade.more[1] = place.y; which = gl_VertexID; list[0] = place.x;"
            "list[1] = 0.25; gl_Position = vec4(place, 0, 1); }",
            "#version 330\nin Shade { vec3 tint; float more[2]; } shade; flat in int which; in float list[2]; out vec4 color;"
            "void main() { color = vec4(shade.tint.x + list[1], shade.more[0] + shade.more[1] * 0.1, list[0] * 0.1, 1) + float(which) * 0.2; }")
        server.pipeline(provoking_vertex=FIRST)
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and lit(gl) == 64 * 64


NESTED = """struct T { float x; vec2 y; float z[2]; };
struct S { vec3 a; T t[2]; mat2 m; };"""
FILL = """s.a = vec3(place, 0.5); s.t[0].x = place.x; s.t[1].y = place; s.t[0].y = vec2(0); s.t[1].x = 0.25;
s.t[0].z[0] = 0.1; s.t[0].z[1] = 0.2; s.t[1].z[0] = place.y; s.t[1].z[1] = 0.3; s.m = mat2(place, 0.5, 0.75);
more[1][2] = place.x; more[0][0] = 0.125;"""
SHOW = """color = vec4(s.a.x + s.t[0].x + s.t[1].y.y, s.t[0].z[1] + s.t[1].z[0] + s.m[1].y,
                      s.t[which].x + more[1][2] + more[0][0], 1);"""


def test_nested_structures_and_arrays_of_arrays_pass_between_stages(both):
    def scene(server):
        vertices(server, WHOLE)
        declared = f"#version 430\n{NESTED}\n"
        server.program(
            f"{declared}layout(location = 0) in vec2 place; out S s; out float more[2][3];\n"
            f"void main() {{ {FILL} gl_Position = vec4(place, 0, 1); }}",
            f"{declared}in S s; in float more[2][3]; out vec4 color;\n"
            f"void main() {{ int which = int(gl_FragCoord.x) & 1; {SHOW} }}")
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and lit(gl) > 2500


def test_nested_structures_pass_a_geometry_stage(both):
    def scene(server):
        vertices(server, WHOLE)
        declared = f"#version 430\n{NESTED}\n"
        server.program(
            f"{declared}layout(location = 0) in vec2 place; out S s; out float more[2][3];\n"
            f"void main() {{ {FILL} gl_Position = vec4(place, 0, 1); }}",
            f"{declared}in S g; out vec4 color;\n"
            "void main() { color = vec4(g.a.x + g.t[1].y.y, g.t[1].z[0] + g.m[1].y, g.t[0].x, 1); }",
            geometry=f"{declared}layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in S s[]; out S g;\n"
                     "void main() { for (int i = 0; i < 3; i++) { g = s[i]; g.t[0].x = s[2 - i].t[0].x;"
                     "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }")
        server.draw(3)
        return server.read()

    gl, es = both(scene)
    assert max(abs(a - b) for a, b in zip(gl, es, strict=True)) <= 1 and lit(gl) > 2500
