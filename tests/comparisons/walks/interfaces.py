"""The program interface query, interface by interface and property by property, of programs that have a bit of everything."""

import ctypes

from walks.compute import DOUBLE, PAINT, compute

VERTEX = """#version 430
layout(location = 1) in vec4 place; layout(location = 3) in mat2 turn[2]; in float weight;
struct Light { vec3 color; float power[2]; };
layout(std140, binding = 2) uniform Lights { Light lights[2]; mat3 basis; layout(row_major) mat2x3 other; } shining;
uniform Material { vec4 tint; } materials[2];
uniform Light loose; uniform float scales[3];
out vec4 passed; out Extra { vec2 uv; } extra;
void main() {
    passed = place * shining.lights[1].power[1] * vec4(shining.basis[0] + shining.other[0], 1) + materials[0].tint + materials[1].tint;
    passed += vec4(loose.color * loose.power[1] + scales[2], weight); extra.uv = turn[1][0];
    gl_Position = place + float(gl_VertexID);
}"""
FRAGMENT = """#version 430
in vec4 passed; in Extra { vec2 uv; } extra;
struct Node { vec4 key; uint next[2]; };
layout(std430, binding = 4) buffer Nodes { uint count; Node nodes[3]; mat4 view; float depth[5]; Node rest[]; } tree;
layout(std430) readonly buffer Plain { int a; float b[]; };
uniform sampler2D map; uniform samplerCube skies[2];
layout(location = 2) out vec4 color; layout(location = 0) out ivec2 id;
void main() {
    color = passed + texture(map, extra.uv) + texture(skies[0], passed.xyz) + texture(skies[1], passed.xyz) + b[1] + float(a);
    tree.nodes[1].next[0] = tree.count + tree.nodes[0].next[1]; tree.rest[2].key = tree.view[0] * tree.depth[3]; id = ivec2(1);
}"""
INTERFACES = ("UNIFORM UNIFORM_BLOCK PROGRAM_INPUT PROGRAM_OUTPUT BUFFER_VARIABLE SHADER_STORAGE_BLOCK ATOMIC_COUNTER_BUFFER "
              "TRANSFORM_FEEDBACK_VARYING VERTEX_SUBROUTINE FRAGMENT_SUBROUTINE_UNIFORM").split()
PROPERTIES = ("TYPE ARRAY_SIZE OFFSET ARRAY_STRIDE MATRIX_STRIDE IS_ROW_MAJOR BUFFER_BINDING BUFFER_DATA_SIZE "
              "NUM_ACTIVE_VARIABLES REFERENCED_BY_VERTEX_SHADER REFERENCED_BY_FRAGMENT_SHADER REFERENCED_BY_GEOMETRY_SHADER "
              "REFERENCED_BY_COMPUTE_SHADER TOP_LEVEL_ARRAY_SIZE TOP_LEVEL_ARRAY_STRIDE LOCATION_INDEX IS_PER_PATCH "
              "NAME_LENGTH LOCATION_COMPONENT").split()


def name_of(gl, program: int, interface: int, index: int) -> str:
    text = ctypes.create_string_buffer(128)
    gl.GetProgramResourceName(program, interface, index, 128, None, text)
    return text.value.decode()


def value(gl, program: int, interface: int, index: int, prop: int) -> list[int]:
    values, length = (ctypes.c_int * 64)(), ctypes.c_int(0)
    gl.GetProgramResourceiv(program, interface, index, 1, (ctypes.c_uint * 1)(prop), 64, ctypes.byref(length), values)
    return list(values[:length.value])


def describe(gl, said: dict, title: str, program: int) -> None:
    """By name: the order of resources is the implementation's own."""
    for interface_name in INTERFACES:
        interface = getattr(gl, interface_name)
        count = gl.ints("GetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)[0]
        named = interface_name != "ATOMIC_COUNTER_BUFFER"
        names = {i: name_of(gl, program, interface, i) if named else str(i) for i in range(count)}
        said[f"{title} {interface_name}"] = sorted(names.values())
        gl.error()
        for index, name in names.items():
            where = f"{title} {interface_name} {name}"
            for prop in PROPERTIES:
                said[f"{where} {prop}"] = value(gl, program, interface, index, getattr(gl, prop)), gl.error()
            if named:
                found = gl.GetProgramResourceIndex(program, interface, name.encode())
                said[f"{where} found"] = found == index, gl.GetProgramResourceIndex(program, interface, name.removesuffix("[0]").encode()) == index
            if interface_name in ("UNIFORM", "PROGRAM_INPUT", "PROGRAM_OUTPUT"):
                at = gl.GetProgramResourceLocation(program, interface, name.encode())
                fixed = interface_name != "UNIFORM" and name != "weight"
                said[f"{where} location"] = at if fixed else at >= 0, value(gl, program, interface, index, gl.LOCATION) == [at]
                second = name.removesuffix("[0]") + "[1]"
                other = gl.GetProgramResourceLocation(program, interface, second.encode())
                said[f"{where} second"] = other - at if other >= 0 else None
            if interface_name == "UNIFORM":
                block = value(gl, program, interface, index, gl.BLOCK_INDEX)[0]
                said[f"{where} block"] = name_of(gl, program, gl.UNIFORM_BLOCK, block) if block >= 0 else None
            if interface_name in ("UNIFORM_BLOCK", "SHADER_STORAGE_BLOCK"):
                of = gl.UNIFORM if interface_name == "UNIFORM_BLOCK" else gl.BUFFER_VARIABLE
                said[f"{where} members"] = sorted(name_of(gl, program, of, i) for i in value(gl, program, interface, index, gl.ACTIVE_VARIABLES))
            gl.error()


def walk(gl) -> dict:
    said: dict = {}
    describe(gl, said, "draws", gl.program(VERTEX, FRAGMENT))
    describe(gl, said, "storage", compute(gl, DOUBLE))
    describe(gl, said, "images", compute(gl, PAINT))
    return said
