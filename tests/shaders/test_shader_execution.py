"""Translated programs read their constants, blocks and attributes from where the reflection says they are."""

import struct
from itertools import count

from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import to_dialect
from mgpipe.shaders.feedback import Request
from mgpipe.shaders.reflection import FRAGMENT, VERTEX

COLUMNS_ROWS = {0x1406: (1, 1), 0x1404: (1, 1), 0x1405: (1, 1), 0x8B56: (1, 1), 0x8B50: (1, 2), 0x8B51: (1, 3),
                0x8B52: (1, 4), 0x8B54: (1, 3), 0x8B5B: (3, 3), 0x8B65: (2, 3)}
PACKING = {0x1404: "i", 0x8B54: "i", 0x1405: "I", 0x8B56: "I"}


def translate(source: bytes, dialect: str, feedback: list[str]):
    linked = compiler.link([(0x8B31, [source])], feedback=Request(tuple(feedback)))
    assert linked.ok, linked.log
    texts = {VERTEX: to_dialect(linked.spirv[VERTEX], VERTEX, dialect == "gles")}
    if dialect == "gles":
        texts[FRAGMENT] = "#version 320 es\nvoid main() {}\n"
    return linked, texts


def captured(linked) -> list[str]:
    """The names that the text has for what is captured."""
    return [varying.spirv_name for varying in linked.feedback_varyings]


def fill(uniforms, offset_of, contents: dict[str, list[list[list[float]]]]) -> dict[str, list]:
    """Write 1, 2, 3 … into every component, element by element and column by column. Returns the numbers by name."""
    numbers = count(1)
    written = {}
    for uniform in uniforms:
        columns, rows = COLUMNS_ROWS[uniform.gl_type]
        block, offset = offset_of(uniform)
        elements = written[uniform.name.removesuffix("[0]")] = []
        for element in range(uniform.size):
            matrix = [[next(numbers) for _ in range(rows)] for _ in range(columns)]
            elements.append(matrix)
            for column, values in enumerate(matrix):
                for row, value in enumerate(values):
                    steps = (row, column) if not uniform.row_major else (column, row)
                    at = offset + element * uniform.array_stride + steps[1] * uniform.matrix_stride + steps[0] * 4
                    struct.pack_into(PACKING.get(uniform.gl_type, "f"), contents[block], at, value)
    return written


def test_constants_are_read_from_the_offsets_told(driver, dialect):
    source = b"""#version 330
        struct S { vec3 a; float b[3]; mat2x3 m; };
        uniform float f; uniform vec3 v; uniform S s[2]; uniform ivec3 i[2]; uniform bool flag; uniform mat3 m;
            uniform uint u;
        uniform vec2 list[4];
        out vec4 one, two, three, four;
        void main() {
            one = vec4(f, v); two = vec4(s[1].b[2], s[1].m[1][2], s[0].m[0][1], s[1].a.y);
            three = vec4(vec3(i[1]), flag ? 1.0 : 0.0); four = vec4(m[2][1], float(u), list[3]);
            gl_Position = vec4(0);
        }"""
    linked, texts = translate(source, dialect, ["one", "two", "three", "four"])
    contents = {VERTEX: bytearray(linked.constants_size[VERTEX])}
    n = fill(linked.uniforms, lambda uniform: (VERTEX, uniform.stage_offsets[VERTEX]), contents)
    raw = driver.run(dialect, texts, captured(linked), {VERTEX: bytes(contents[VERTEX])}, {}, 1, 1, 64)
    expected = [n["f"][0][0][0], *n["v"][0][0],
                n["s[1].b"][2][0][0], n["s[1].m"][0][1][2], n["s[0].m"][0][0][1], n["s[1].a"][0][0][1],
                *n["i"][1][0], 1, n["m"][0][2][1], n["u"][0][0][0], *n["list"][3][0]]
    assert list(struct.unpack("16f", raw)) == expected


def test_user_blocks_are_read_from_their_slots_and_offsets(driver, dialect):
    source = b"""#version 330
        struct L { vec3 place; float power; };
        layout(std140) uniform First { float f; vec3 v; L lights[2]; }; layout(std140, row_major) uniform Second {
            mat3 m; vec2 w; } x;
        out vec4 one, two;
        void main() { one = vec4(f, v.z, lights[1].power, lights[1].place.y); two = vec4(x.m[2][0], x.m[0][2], x.w);
                      gl_Position = vec4(0); }"""
    linked, texts = translate(source, dialect, ["one", "two"])
    contents = {block.slot: bytearray(block.size_bytes) for block in linked.uniform_blocks}
    n = fill(linked.uniforms, lambda uniform: (linked.uniform_blocks[uniform.block].slot, uniform.offset), contents)
    blocks = {slot: bytes(data) for slot, data in contents.items()}
    raw = driver.run(dialect, texts, captured(linked), blocks, {}, 1, 1, 32)
    expected = [n["f"][0][0][0], n["v"][0][0][2], n["lights[1].power"][0][0][0], n["lights[1].place"][0][0][1],
                n["Second.m"][0][2][0], n["Second.m"][0][0][2], *n["Second.w"][0][0]]
    assert list(struct.unpack("8f", raw)) == expected


def test_vertices_and_instances_count_as_in_gl(driver, dialect):
    source = (b"#version 330\nout float n;\n"
              b"void main() { n = float(gl_InstanceID * 10 + gl_VertexID); gl_Position = vec4(0); }")
    linked, texts = translate(source, dialect, ["n"])
    raw = driver.run(dialect, texts, captured(linked), {}, {}, 3, 2, 24)
    assert struct.unpack("6f", raw) == (0, 1, 2, 10, 11, 12)


def test_arrays_of_attributes_keep_their_elements(driver, dialect):
    source = b"""#version 330
        in float a[3]; in float b; uniform int which; out vec4 r;
        void main() { r = vec4(a[0], a[which], a[2], b); gl_Position = vec4(0); }"""
    linked, texts = translate(source, dialect, ["r"])
    constants = struct.pack("i", 1).ljust(linked.constants_size[VERTEX], b"\0")
    raw = driver.run(dialect, texts, captured(linked), {VERTEX: constants}, {0: [1, 2], 1: [3, 4], 2: [5, 6], 3: [7, 8]}, 2, 1, 32)
    assert struct.unpack("8f", raw) == (1, 3, 5, 7, 2, 4, 6, 8)
