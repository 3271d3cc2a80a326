"""Subroutines become a choice by number: what the rewritten text says, what is reflected, what is refused."""

import re

import pytest
from mgpipe.shaders import compiler, subroutines
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.sources import without_comments
from shader_corpus import FRAGMENT, PLAIN_VERTEX, VERTEX
from shader_driver import STAGE_ENUMS

SHADER = """#version 400
// subroutine in a comment is nobody's business
subroutine vec4 Paint(vec2 at);
subroutine float Scale(const in float x,
                       float[2] both);
subroutine(Paint) vec4 red(vec2 at) { return vec4(1, at, 1); }
layout(index = 3)
subroutine(Paint) vec4 green(vec2 at) { return vec4(0, 1, 0, 1); }
subroutine(Paint) vec4 blue(vec2 at) { return vec4(0, 0, 1, 1); }
subroutine(Scale) float twice(const in float x, float[2] both) { return x * 2 + both[0]; }
subroutine uniform Paint paint[2];
layout(location = 7) subroutine uniform Scale scale;
subroutine uniform Paint never;
in vec2 uv; out vec4 color; uniform float other;
void main() {
    color = paint[int(uv.x) /* any */ + 0](uv) * scale(paint[1](uv).x, float[2](1, 2)) * float(paint.length()) + other;
}
"""
VOID = """#version 400
subroutine void Act(); subroutine(Act) void first() { } subroutine(Act) void second() { gl_Position.x = 1; }
subroutine uniform Act act; void main() { gl_Position = vec4(0); act(); }
"""


def linked(vertex: str = PLAIN_VERTEX, fragment: str = SHADER):
    result = compiler.link([(STAGE_ENUMS[VERTEX], [vertex.encode()]), (STAGE_ENUMS[FRAGMENT], [fragment.encode()])])
    assert result.ok, result.log
    return result


def compiled(text: str) -> compiler.CompiledShader:
    return compiler.compile_shader(STAGE_ENUMS[FRAGMENT], [text.encode()])


def test_functions_are_numbered_and_uniforms_located():
    stage = linked().subroutines[FRAGMENT]
    assert stage.functions == [("red", 0), ("blue", 1), ("twice", 2), ("green", 3)]
    assert [(u.name, u.size, u.location, u.compatible) for u in stage.uniforms] == [
        ("paint[0]", 2, 0, [0, 1, 3]), ("scale", 1, 7, [2])]
    assert stage.locations == 8


def test_the_choice_is_a_number_in_the_stage_s_constants_and_no_uniform_of_the_program():
    result = linked()
    assert [uniform.name for uniform in result.uniforms] == ["other"]
    paint, scale = result.subroutines[FRAGMENT].uniforms
    places = {paint.offset, paint.offset + paint.array_stride, scale.offset}
    assert len(places) == 3 and max(places) + 4 <= result.constants_size[FRAGMENT]


def test_an_unread_subroutine_uniform_is_not_active():
    assert "never" not in {uniform.name for uniform in linked().subroutines[FRAGMENT].uniforms}


def test_each_stage_has_names_of_its_own():
    result = linked(VOID, VOID.replace("gl_Position = vec4(0); ", "").replace("gl_Position.x = 1;", "discard;"))
    assert {stage: found.functions for stage, found in result.subroutines.items()} == {
        VERTEX: [("first", 0), ("second", 1)], FRAGMENT: [("first", 0), ("second", 1)]}


@pytest.mark.parametrize("es", [False, True], ids=["gl", "gles"])
def test_the_dialects_get_plain_functions(es):
    text = to_dialect(linked().spirv[FRAGMENT], FRAGMENT, es)
    assert not re.search(r"\bsubroutine\b", text) and "switch" in text


def test_lines_keep_their_numbers():
    code = without_comments(SHADER.encode()).decode()
    rewritten, _ = subroutines.rewrite(SHADER, code, FRAGMENT)
    assert rewritten.split("\n")[14].startswith("void main()") and SHADER.split("\n")[14].startswith("void main()")
    broken = SHADER.replace("+ other;", "+ missing;")
    assert re.search(r"0:16:.*'missing'", compiled(broken).log), compiled(broken).log


def test_an_error_speaks_of_the_program_s_own_names():
    log = compiled(SHADER.replace("scale(paint[1](uv).x", "scale(paint[1](uv)")).log
    assert "mgpipe_" not in log and "Scale" in log


@pytest.mark.parametrize(("text", "line", "says"), [
    ("subroutine(Missing) void f() {}", 2, "type 'Missing' is not declared"),
    ("subroutine void T();\nsubroutine uniform T t;", 3, "no function has the subroutine type 'T'"),
    ("subroutine uniform Missing t;", 2, "type 'Missing' is not declared"),
    ("subroutine void T();\nsubroutine(T) void f() {}\nsubroutine uniform T t[2][2];", 4, "'t[2][2]'"),
    ("\nsubroutine int x = 3;", 3, "cannot rewrite"),
    ("subroutine void T();\nsubroutine(T) void f() {}\nsubroutine(T) void f() {}", 4, "'f' is overloaded"),
])
def test_what_cannot_be_rewritten_is_named_with_its_line(text, line, says):
    result = compiled(f"#version 400\n{text}\nvoid main() {{}}\n")
    assert not result.ok and f"0:{line}: 'subroutine'" in result.log and says in result.log


def test_the_extension_brings_subroutines_to_older_versions():
    assert compiled(SHADER.replace("#version 400", "#version 150\n#extension GL_ARB_shader_subroutine : require")).ok
    assert compiled("#version 330\nfloat subroutine() { return 1.0; } out float c; void main() { c = subroutine(); }").ok


def test_subroutines_in_two_shaders_of_a_stage_are_refused():
    other = SHADER.replace("void main()", "void other_main()").replace("in vec2 uv; out vec4 color;", "in vec2 uv; vec4 color;")
    result = compiler.link([(STAGE_ENUMS[VERTEX], [PLAIN_VERTEX.encode()]), (STAGE_ENUMS[FRAGMENT], [SHADER.encode()]),
                            (STAGE_ENUMS[FRAGMENT], [other.encode()])])
    assert not result.ok


def test_one_location_belongs_to_one_subroutine_uniform():
    result = compiler.link([(STAGE_ENUMS[VERTEX], [PLAIN_VERTEX.encode()]), (STAGE_ENUMS[FRAGMENT], [
        SHADER.replace("location = 7", "location = 1").replace("subroutine uniform Paint paint",
                                                               "layout(location = 0) subroutine uniform Paint paint").encode()])])
    assert not result.ok and "shares location 1" in result.log
