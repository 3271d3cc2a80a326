"""Vertex attribute bindings: formats and buffers apart, what queries answer, what is drawn, errors; many bindings at once."""

import ctypes
import struct

VERTEX = """#version 430
layout(location = 0) in vec2 place; layout(location = 1) in vec3 tint; layout(location = 2) in ivec2 whole; layout(location = 3) in dvec2 wide;
out vec4 colour;
void main() { gl_Position = vec4(place, 0, 1); gl_PointSize = 1.0;
    colour = vec4(tint + vec3(whole, 0) / 8.0, 1) + vec4(vec2(wide), 0, 0); }"""
FRAGMENT = "#version 430\nin vec4 colour; out vec4 color; void main() { color = colour; }"
ATTRIBUTE = ("ARRAY_ENABLED", "ARRAY_SIZE", "ARRAY_STRIDE", "ARRAY_TYPE", "ARRAY_NORMALIZED", "ARRAY_INTEGER", "ARRAY_LONG", "ARRAY_DIVISOR",
             "ARRAY_BUFFER_BINDING", "BINDING", "RELATIVE_OFFSET")
SIZE = 8


def buffer(gl, data: bytes) -> int:
    name = gl.gen("Buffers")
    gl.BindBuffer(gl.ARRAY_BUFFER, name)
    gl.BufferData(gl.ARRAY_BUFFER, len(data), data, gl.STATIC_DRAW)
    return name


def state(gl, attributes: int = 4) -> list:
    said = [[gl.ints("GetVertexAttribiv", i, getattr(gl, f"VERTEX_ATTRIB_{q}"))[0] for q in ATTRIBUTE] for i in range(attributes)]
    pointer = ctypes.c_void_p()
    for i in range(attributes):
        gl.GetVertexAttribPointerv(i, gl.VERTEX_ATTRIB_ARRAY_POINTER, ctypes.byref(pointer))
        said.append(pointer.value)
    for i in range(attributes):
        said.append([gl.ints("GetIntegeri_v", getattr(gl, f"VERTEX_BINDING_{q}"), i)[0] for q in ("OFFSET", "STRIDE", "DIVISOR", "BUFFER")])
    return [*said, gl.error()]


def drawn(gl, instances: int = 1) -> bytes:
    gl.ClearColor(0, 0, 0, 0)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.DrawArraysInstanced(gl.POINTS, 0, 4, instances)
    return gl.error(), gl.pixels(SIZE, SIZE, "RGBA", "FLOAT", 16)


def errors(gl, array: int, name: int) -> dict:
    most = {q: gl.ints("GetIntegerv", getattr(gl, f"MAX_VERTEX_ATTRIB_{q}"))[0] for q in ("RELATIVE_OFFSET", "STRIDE", "BINDINGS")}
    said = {}
    calls = {
        "relative offset": ("VertexAttribFormat", 0, 4, gl.FLOAT, 0, 1 << 30), "size": ("VertexAttribFormat", 0, 5, gl.FLOAT, 0, 0),
        "type": ("VertexAttribFormat", 0, 4, gl.RGBA, 0, 0), "integer type": ("VertexAttribIFormat", 0, 4, gl.FLOAT, 0),
        "long type": ("VertexAttribLFormat", 0, 4, gl.FLOAT, 0), "long size": ("VertexAttribLFormat", 0, 0, gl.DOUBLE, 0),
        "bgra": ("VertexAttribFormat", 0, gl.BGRA, gl.UNSIGNED_BYTE, 0, 0), "integer bgra": ("VertexAttribIFormat", 0, gl.BGRA, gl.UNSIGNED_BYTE, 0),
        "packed": ("VertexAttribFormat", 0, 3, gl.INT_2_10_10_10_REV, 0, 0), "packed floats": ("VertexAttribFormat", 0, 4, gl.UNSIGNED_INT_10F_11F_11F_REV, 0, 0),
        "packed floats of three": ("VertexAttribFormat", 0, 3, gl.UNSIGNED_INT_10F_11F_11F_REV, 0, 0),
        "attribute": ("VertexAttribBinding", 200, 0), "binding": ("VertexAttribBinding", 0, 200), "divisor": ("VertexBindingDivisor", 200, 0),
        "buffer binding": ("BindVertexBuffer", 200, name, 0, 16), "stride": ("BindVertexBuffer", 0, name, 0, most["STRIDE"] + 1),
        "negative stride": ("BindVertexBuffer", 0, name, 0, -1), "negative offset": ("BindVertexBuffer", 0, name, -4, 16),
        "no such buffer": ("BindVertexBuffer", 0, 9999, 0, 16), "pointer stride": ("VertexAttribPointer", 0, 4, gl.FLOAT, 0, most["STRIDE"] + 1, None),
        "query": ("GetIntegeri_v", gl.VERTEX_BINDING_STRIDE, 200, (ctypes.c_int * 4)()), "first": ("BindVertexBuffers", 200, 1, None, None, None),
        "count": ("BindVertexBuffers", 0, -1, None, None, None),
    }
    for what, (function, *arguments) in calls.items():
        getattr(gl, function)(*arguments)
        said[what] = gl.error()
    three = (ctypes.c_uint * 3)(name, 9999, name), (ctypes.c_ssize_t * 3)(4, 0, -8), (ctypes.c_int * 3)(8, 8, 8)
    gl.BindVertexBuffers(4, 3, *three)
    said["some of many"] = gl.error(), [gl.ints("GetIntegeri_v", gl.VERTEX_BINDING_OFFSET, i)[0] for i in (4, 5, 6)]
    gl.BindVertexArray(0)
    for function, *arguments in (("VertexAttribFormat", 0, 4, gl.FLOAT, 0, 0), ("VertexAttribBinding", 0, 0), ("BindVertexBuffer", 0, name, 0, 16),
                                 ("VertexBindingDivisor", 0, 1)):
        getattr(gl, function)(*arguments)
        said[f"{function} without an array"] = gl.error()
    gl.BindVertexArray(array)
    return said


def walk(gl) -> dict:
    said = {}
    gl.target(SIZE, SIZE, "RGBA32F")
    gl.UseProgram(gl.program(VERTEX, FRAGMENT))
    gl.Enable(gl.PROGRAM_POINT_SIZE)
    array = gl.gen("VertexArrays")
    gl.BindVertexArray(array)
    said["in the beginning"] = state(gl)
    places = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
    vertices = buffer(gl, bytes(8) + b"".join(struct.pack("2f3f", *p, i / 4, 0.5, 1) for i, p in enumerate(places)))
    wholes = buffer(gl, struct.pack("16h", *range(16)))
    wide = buffer(gl, struct.pack("8d", *(i / 16 for i in range(8))))
    names = (vertices, wholes, wide)
    gl.BindVertexBuffer(5, vertices, 8, 20)
    gl.VertexAttribFormat(0, 2, gl.FLOAT, 0, 0)
    gl.VertexAttribFormat(1, 3, gl.FLOAT, 0, 8)
    gl.VertexAttribIFormat(2, 2, gl.SHORT, 4)
    gl.VertexAttribLFormat(3, 2, gl.DOUBLE, 0)
    for attribute, binding in ((0, 5), (1, 5), (2, 6), (3, 7)):
        gl.VertexAttribBinding(attribute, binding)
        gl.EnableVertexAttribArray(attribute)
    gl.BindVertexBuffer(6, wholes, 0, 4)
    gl.BindVertexBuffer(7, wide, 0, 16)
    rename = lambda found: [[names.index(v) if v in names else v for v in row] if isinstance(row, list) else row for row in found]  # noqa: E731
    said["described"] = rename(state(gl))
    said["one binding for two"] = drawn(gl)
    gl.BindVertexBuffer(6, wholes, 4, 0)
    said["stride zero"] = drawn(gl)
    gl.VertexBindingDivisor(7, 2)
    said["a divisor"] = rename(state(gl)), drawn(gl, 3)
    gl.BindBuffer(gl.ARRAY_BUFFER, vertices)
    gl.VertexAttribPointer(1, 3, gl.FLOAT, 0, 20, ctypes.c_void_p(16))
    said["a pointer after that"] = rename(state(gl)), drawn(gl)
    gl.VertexAttribDivisor(0, 0)
    said["a divisor of an attribute takes its own binding"] = rename(state(gl))
    gl.VertexAttribBinding(0, 5)
    three = (ctypes.c_uint * 3)(vertices, wholes, wide), (ctypes.c_ssize_t * 3)(28, 8, 16), (ctypes.c_int * 3)(20, 4, 16)
    gl.BindVertexBuffers(5, 3, *three)
    said["many"] = rename(state(gl)), drawn(gl)
    gl.BindVertexBuffers(5, 1, None, None, None)
    said["none"] = gl.ints("GetIntegeri_v", gl.VERTEX_BINDING_BUFFER, 5), gl.ints("GetIntegeri_v", gl.VERTEX_BINDING_STRIDE, 5), gl.error()
    gl.delete("Buffers", wide)
    said["deleted"] = gl.ints("GetIntegeri_v", gl.VERTEX_BINDING_BUFFER, 7), gl.error()
    return said | errors(gl, array, vertices)
