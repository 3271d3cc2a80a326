"""Stages of separate links put together: numbers and names in SPIR-V, in both dialects, linked by the driver."""

import pytest
from mgpipe.shaders import compiler, pipelines
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.numbering import LinkError
from shader_corpus import FRAGMENT, GEOMETRY, VERTEX
from shader_driver import STAGE_ENUMS

WRITER = """#version 410
layout(std140) uniform Same { vec4 a; }; uniform sampler2D map; uniform float scale;
out vec4 zebra; flat out int apple; out vec2 middle; layout(location = 2) out vec3 fixed_place;
void main() { zebra = a + textureLod(map, vec2(0), 0.0) * scale; apple = 3; middle = vec2(1); fixed_place = vec3(2);
              gl_Position = vec4(0); }
"""
READER = """#version 410
layout(std140) uniform Same { vec2 b[3]; }; uniform isampler2D map; uniform vec3 scale;
in vec4 zebra; noperspective in vec2 middle; layout(location = 2) in vec3 fixed_place; out vec4 color;
void main() { color = zebra + vec4(middle, b[1]) + vec4(fixed_place * scale, texture(map, vec2(0)).x); }
"""
BETWEEN = """#version 410
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
in vec2 middle[]; in vec4 zebra[]; out vec2 middle_out; out vec3 another; uniform sampler2D map;
void main() { for (int i = 0; i < 3; i++) { middle_out = middle[i]; another = zebra[i].xyz * texture(map, vec2(0)).x;
              gl_Position = vec4(0); EmitVertex(); } }
"""
LAST = "#version 410\nin vec3 another; in vec2 middle_out; out vec4 color; void main() { color = vec4(another, middle_out.x); }\n"


def alone(stage: int, text: str):
    linked = compiler.link([(STAGE_ENUMS[stage], [text.encode()])], separable=True)
    assert linked.ok, linked.log
    return linked


def combined(**texts: str):
    stages = {"vertex": VERTEX, "geometry": GEOMETRY, "fragment": FRAGMENT}
    return pipelines.combine([(alone(stages[name], text), [stages[name]]) for name, text in texts.items()])


PROGRAMS = {"two stages": dict(vertex=WRITER, fragment=READER), "three stages": dict(vertex=WRITER, geometry=BETWEEN, fragment=LAST)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_driver_links_the_stages(driver, dialect, name):
    linked, _ = combined(**PROGRAMS[name])
    texts = {stage: to_dialect(spirv, stage, dialect == "gles") for stage, spirv in linked.spirv.items()}
    report = driver.link(dialect, texts)
    assert report.ok, (report.log, texts)


def test_separate_links_alone_would_not_meet():
    """The negative control: without new numbers the reader finds another's value where it looks for its own."""
    writer, reader = alone(VERTEX, WRITER), alone(FRAGMENT, READER)
    place = {stage: {item["name"]: item["placed"] for item in linked.interface} for stage, linked in ((0, writer), (4, reader))}
    assert any(place[0][name] != place[4][name] for name in ("zebra", "middle"))


def test_bindings_of_the_second_program_move_behind_the_first_s():
    linked, offsets = combined(vertex=WRITER, fragment=READER)
    assert [block.slot for block in linked.uniform_blocks] == [6, 7]
    assert [(uniform.name, uniform.slot) for uniform in linked.uniforms] == [("map", 0), ("map", 1)]
    assert offsets[0] == dict.fromkeys(range(4), 0) and (offsets[1][0], offsets[1][1]) == (1, 1)


def test_a_reader_without_a_writer_is_named():
    with pytest.raises(LinkError, match="'another'"):
        combined(vertex=WRITER, fragment=LAST)


def test_a_pipeline_needs_a_vertex_stage():
    with pytest.raises(LinkError, match="no program"):
        combined(fragment=LAST)
