"""What transform feedback captures is found by OpenGL's names and sent by the SPIR-V's."""

import pytest

from mgpipe.shaders import compiler
from mgpipe.shaders.feedback import INTERLEAVED, SEPARATE, Request

VERTEX, GEOMETRY, FRAGMENT = 0x8B31, 0x8DD9, 0x8B30
SOURCE = b"""#version 330
struct Light { vec3 place; float powers[2]; };
out Named { vec2 v; mat2 m[2]; } named;
out Anonymous { float inside; };
out float list[3];
out Light light;
out vec4 one, two;
out ivec3 texture2D;
void main() {
    named.v = vec2(1); named.m[0] = mat2(1); named.m[1] = mat2(2); inside = 3.0; list = float[3](1, 2, 3);
    light = Light(vec3(1), float[2](1, 2)); one = two = vec4(1); texture2D = ivec3(1); gl_Position = vec4(0);
}"""


def link(*names: str, mode: int = INTERLEAVED, source: bytes = SOURCE, **limits: int):
    return compiler.link([(VERTEX, [source])], feedback=Request(names, mode, **limits))


@pytest.mark.parametrize("name, spirv, gl_type, size, components", [
    ("one", "mgpipe_capture_0", 0x8B52, 1, 4),
    ("list", "mgpipe_capture_0", 0x1406, 3, 3),
    ("list[2]", "mgpipe_capture_0[2]", 0x1406, 1, 1),
    ("Named.v", "Named.v", 0x8B50, 1, 2),
    ("Named.m", "Named.m", 0x8B5A, 2, 8),
    ("Named.m[1]", "Named.m[1]", 0x8B5A, 1, 4),
    ("inside", "Anonymous.inside", 0x1406, 1, 1),
    ("light.place", "mgpipe_capture_0.place", 0x8B51, 1, 3),
    ("light.powers[1]", "mgpipe_capture_0.powers[1]", 0x1406, 1, 1),
    ("gl_Position", "gl_Position", 0x8B52, 1, 4),
    ("gl_NextBuffer", "gl_NextBuffer", 0, 0, 0),
    ("gl_SkipComponents3", "gl_SkipComponents3", 0, 3, 3),
])
def test_a_name_and_what_it_means(name, spirv, gl_type, size, components):
    linked = link(name)
    assert linked.ok, linked.log
    found = linked.feedback_varyings[0]
    assert (found.name, found.spirv_name, found.gl_type, found.size, found.components) == (name, spirv, gl_type, size, components)


def test_variables_get_names_that_no_dialect_keeps_for_itself():
    linked = link("texture2D", "Named.v", "list[1]", "list[0]")
    assert [(found.name, found.spirv_name) for found in linked.feedback_varyings] == [
        ("texture2D", "mgpipe_capture_1"), ("Named.v", "Named.v"), ("list[1]", "mgpipe_capture_0[1]"),
        ("list[0]", "mgpipe_capture_0[0]")]
    assert b"mgpipe_capture_1\0" in linked.spirv[0] and b"Named\0" in linked.spirv[0]
    assert link().spirv[0] != linked.spirv[0] and b"mgpipe_capture" not in link().spirv[0]


@pytest.mark.parametrize("name", ["nothing", "list[3]", "list[x]", "Anonymous.inside", "light", "named.v", "one[0]", "list["])
def test_a_name_that_is_no_output_does_not_link(name):
    linked = link(name)
    assert not linked.ok and f"'{name}' is not an output of the vertex shader" in linked.log


def test_the_last_stage_before_rasterization_is_captured():
    geometry = b"""#version 330
        layout(points) in; layout(points, max_vertices = 1) out; in vec4 one[]; out vec4 made;
        void main() { made = one[0]; EmitVertex(); }"""
    shaders = [(VERTEX, [SOURCE]), (GEOMETRY, [geometry])]
    assert compiler.link(shaders, feedback=Request(("made",))).ok
    assert "is not an output of the geometry shader" in compiler.link(shaders, feedback=Request(("one",))).log


@pytest.mark.parametrize("names, mode, limits, complaint", [
    (("one", "two", "one"), INTERLEAVED, {}, "named twice"),
    (("one", "two"), INTERLEAVED, {"interleaved_components": 7}, "have 8 components"),
    (("one", "gl_SkipComponents4"), INTERLEAVED, {"interleaved_components": 8}, None),
    (("one", "gl_NextBuffer", "two"), INTERLEAVED, {"interleaved_components": 4}, None),
    (("one", "two"), SEPARATE, {"separate_components": 4}, None),
    (("Named.m",), SEPARATE, {"separate_components": 4}, "has 8 components"),
])
def test_limits(names, mode, limits, complaint):
    linked = link(*names, mode=mode, **limits)
    assert linked.ok == (complaint is None), linked.log
    assert complaint is None or complaint in linked.log


@pytest.mark.parametrize("names, mode, mask", [
    (("one", "two"), INTERLEAVED, 0b1), (("one", "two"), SEPARATE, 0b11),
    (("one", "gl_NextBuffer", "gl_NextBuffer", "two"), INTERLEAVED, 0b101),
])
def test_which_buffers_are_needed(names, mode, mask):
    assert link(*names, mode=mode).feedback_buffers == mask


def test_a_program_that_rasterizes_nothing_captures_nothing():
    fragment = b"#version 330\nout vec4 color; void main() { color = vec4(1); }"
    linked = compiler.link([(FRAGMENT, [fragment])], separable=True, feedback=Request(("color",)))
    assert not linked.ok and "needs a vertex" in linked.log
