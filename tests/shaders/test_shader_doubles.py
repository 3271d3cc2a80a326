"""What becomes of doubles in GLSL ES, on the text: types, literals, and where the loose uniforms lie."""

from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.reflection import VERTEX

SOURCE = b"""#version 410
uniform float f; uniform dvec3 v; uniform double list[2]; uniform dmat2 m;
void main() { gl_Position = vec4(vec3(v), float(list[1]) + f) * float(1.5lf + m[1].y); }"""


def translated(source: bytes) -> tuple[str, list[tuple[int, int, int, bool]], compiler.Linked]:
    linked = compiler.link([(0x8B31, [source])])
    assert linked.ok, linked.log
    moves = []
    return to_dialect(linked.spirv[VERTEX], VERTEX, True, moves=moves), moves, linked


def test_no_double_is_left():
    text, _, _ = translated(SOURCE)
    assert "double" not in text and "dvec" not in text and "dmat" not in text and "lf" not in text
    assert "vec3 v;" in text and "float list[2];" in text and "mat2 m;" in text


def test_moves_say_where_each_run_of_uniforms_goes():
    _, moves, linked = translated(SOURCE)
    offsets = {u.name: u.stage_offsets[VERTEX] for u in linked.uniforms}
    places = {source: (to, components, narrows) for source, to, components, narrows in moves}
    assert places[offsets["f"]] == (0, 1, False)
    assert places[offsets["v"]] == (16, 3, True)
    stride = next(u.array_stride for u in linked.uniforms if u.name == "list[0]")
    assert [places[offsets["list[0]"] + i * stride][0] for i in range(2)] == [32, 48]
    assert places[offsets["m"]] == (64, 2, True)


def test_a_program_without_doubles_moves_nothing():
    _, moves, _ = translated(b"#version 410\nuniform float f; void main() { gl_Position = vec4(f); }")
    assert moves == []
