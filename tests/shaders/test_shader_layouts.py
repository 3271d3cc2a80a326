"""Layouts of OpenGL 4.3 and 4.4: locations, components, offsets, arrays of arrays; each program is linked by the driver."""

import pytest
from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import DialectError, to_dialect
from mgpipe.shaders.reflection import Linked
from shader_corpus import FRAGMENT, VERTEX
from shader_driver import STAGE_ENUMS

PLAIN = "#version 430\nvoid main() { gl_Position = vec4(0); }\n"


def linked(fragment: str, vertex: str = PLAIN) -> Linked:
    result = compiler.link([(STAGE_ENUMS[VERTEX], [vertex.encode()]), (STAGE_ENUMS[FRAGMENT], [fragment.encode()])])
    assert result.ok, result.log
    return result


def links(driver, result: Linked, dialect: str = "gl") -> None:
    report = driver.link(dialect, {stage: to_dialect(spirv, stage, dialect == "gles") for stage, spirv in result.spirv.items()})
    assert report.ok, report.log


def test_uniforms_take_the_locations_that_the_source_gives(driver, dialect):
    result = linked("#version 430\nlayout(location = 5) uniform vec4 a[2]; layout(location = 1) uniform sampler2D s; uniform float z;"
                    "out vec4 c; void main() { c = a[1] + texture(s, vec2(z)); }")
    assert {uniform.name: uniform.location for uniform in result.uniforms} == {"a[0]": 5, "s": 1, "z": 0}
    links(driver, result, dialect)


def test_two_uniforms_cannot_have_one_location():
    result = compiler.link([(STAGE_ENUMS[VERTEX], [PLAIN.encode()]), (STAGE_ENUMS[FRAGMENT], [
        b"#version 430\nlayout(location = 5) uniform vec4 a[2]; layout(location = 6) uniform vec4 b; out vec4 c;"
        b"void main() { c = a[1] + b; }"])])
    assert not result.ok and "location 6" in result.log


def test_locations_end():
    text = "#version 430\nlayout(location = {}) uniform vec4 a[2]; out vec4 c; void main() {{ c = a[1]; }}"
    assert linked(text.format(4094)).uniforms[0].location == 4094
    for location in (4095, 2_000_000_000):
        result = compiler.link([(STAGE_ENUMS[VERTEX], [PLAIN.encode()]), (STAGE_ENUMS[FRAGMENT], [text.format(location).encode()])])
        assert not result.ok and "location" in result.log


def test_arrays_of_arrays(driver):
    result = linked("#version 430\nuniform vec4 a[2][3]; uniform sampler2D s[2][2]; in vec4 v[2][2]; out vec4 c;"
                    "void main() { c = a[1][2] + a[0][0] + texture(s[1][0], vec2(0)) + v[1][1]; }",
                    "#version 430\nout vec4 v[2][2]; void main() { v[0][0] = v[0][1] = v[1][0] = v[1][1] = vec4(1); gl_Position = vec4(0); }")
    assert [(uniform.name, uniform.size) for uniform in result.uniforms] == [
        ("a[0][0]", 3), ("a[1][0]", 3), ("s[0][0]", 2), ("s[1][0]", 2)]
    links(driver, result)


def test_arrays_of_arrays_of_blocks_have_names_for_each():
    result = linked("#version 430\nuniform B { vec4 a; } b[2][3]; out vec4 c; void main() { c = b[1][1].a; }")
    assert [block.name for block in result.uniform_blocks] == [f"B[{i}][{j}]" for i in range(2) for j in range(3)]


def test_offsets_and_alignments_in_blocks(driver):
    result = linked("#version 440\nlayout(std140) uniform B { layout(offset = 32) vec4 a; layout(align = 64) vec4 b; }; const int N = 2;"
                    "layout(location = N - 2) out vec4 c; void main() { c = a + b; }")
    assert [(uniform.name, uniform.offset) for uniform in result.uniforms] == [("a", 32), ("b", 64)]
    links(driver, result)


def test_components_share_a_location(driver):
    result = linked("#version 440\nlayout(location = 0) in vec2 a; layout(location = 0, component = 2) in vec2 b; out vec4 c;"
                    "void main() { c = vec4(a, b); }",
                    "#version 440\nlayout(location = 0) out vec2 a; layout(location = 0, component = 2) out vec2 b;"
                    "layout(location = 3) in float x; layout(location = 3, component = 1) in vec3 y;"
                    "void main() { a = vec2(x); b = y.xy; gl_Position = vec4(y, x); }")
    assert [(attribute.name, attribute.location) for attribute in result.attributes] == [("x", 3), ("y", 3)]
    links(driver, result)


def test_members_of_a_block_have_locations_of_their_own(driver):
    block = "B { layout(location = 3) vec4 a; layout(location = 1) vec4 b; };"
    links(driver, linked(f"#version 440\nin {block} out vec4 c; void main() {{ c = a + b; }}",
                         f"#version 440\nout {block} void main() {{ a = b = vec4(1); gl_Position = vec4(0); }}"))


@pytest.mark.parametrize("text", ["gl_FragColor = vec4(1);", "gl_FragData[0] = gl_FragData[1] = vec4(1);"])
def test_old_outputs_are_written(driver, dialect, text):
    links(driver, linked(f"#version 330\nvoid main() {{ {text} }}"), dialect)


@pytest.mark.parametrize("layout", ["origin_upper_left", "pixel_center_integer"])
def test_coordinates_that_opengl_es_has_not_are_refused_there(driver, layout):
    result = linked(f"#version 330\nlayout({layout}) in vec4 gl_FragCoord; out vec4 c; void main() {{ c = gl_FragCoord; }}")
    links(driver, result)
    with pytest.raises(DialectError, match=layout):
        to_dialect(result.spirv[FRAGMENT], FRAGMENT, True)
