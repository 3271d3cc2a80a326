"""Loose uniforms of fragments, on the text of desktop OpenGL: an array of vec4 where nothing stands against it."""

import pytest

from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.reflection import FRAGMENT

VERTEX = b"#version 330\nvoid main() { gl_Position = vec4(0.0); }"
HEAD = "#version 330\nout vec4 color; vec4 sum(vec4 l[3]) { return l[0] + l[1] + l[2]; }\n"


def text_of(body: str) -> str:
    linked = compiler.link([(0x8B31, [VERTEX]), (0x8B30, [(HEAD + body).encode()])])
    assert linked.ok, linked.log
    return to_dialect(linked.spirv[FRAGMENT], FRAGMENT, False, moves=[])


def test_floats_leave_their_block():
    text = text_of("uniform float f; uniform vec3 v; uniform mat4 m; void main() { color = m * vec4(v, f); }")
    assert "uniform vec4 mgpipe_fragment_constants[6];" in text and "std140" not in text


@pytest.mark.parametrize("body", [
    "uniform float f; uniform int i; void main() { color = vec4(f, i, 0, 1); }",
    "uniform vec4 list[3]; void main() { color = sum(list); }",
    "uniform vec4 list[300]; uniform float f; void main() { color = list[int(f)]; }",
], ids=["mixed", "read as a whole", "larger than every driver takes"])
def test_what_cannot_leave_stays(body):
    text = text_of(body)
    assert "std140" in text and "mgpipe_fragment_constants" not in text


def test_blocks_of_the_program_stay():
    text = text_of("layout(std140) uniform Own { vec4 tint; }; void main() { color = tint; }")
    assert "std140" in text and "mgpipe_fragment_constants" not in text
