"""gl_BaseVertexARB, gl_BaseInstanceARB and gl_DrawIDARB in every kind of draw (ARB_shader_draw_parameters, GLSL 4.60)."""

import ctypes
import struct

from walks.compute import buffer, held

VERTEX = """#version 430
#extension GL_ARB_shader_draw_parameters : require
layout(std430, binding = 0) buffer Seen { uvec4 seen[]; };
layout(std430, binding = 1) buffer Next { uint next; };
void main() {
    seen[atomicAdd(next, 1u)] = uvec4(gl_VertexID, gl_BaseVertexARB, gl_BaseInstanceARB, gl_DrawIDARB * 16 + gl_InstanceID);
    gl_Position = vec4(0, 0, 0, 1);
}"""
FRAGMENT = """#version 430
out vec4 color; void main() { color = vec4(1); }"""


def walk(gl) -> dict:
    said: dict = {}
    gl.target(4, 4)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    gl.UseProgram(gl.program(VERTEX, FRAGMENT))
    buffer(gl, gl.ELEMENT_ARRAY_BUFFER, struct.pack("<8I", *range(8)))
    buffer(gl, gl.DRAW_INDIRECT_BUFFER, struct.pack("<8I", 1, 1, 3, 2, 2, 1, 1, 0) + struct.pack("<3IiI", 1, 2, 2, 5, 3) * 2)
    seen, following = buffer(gl, gl.SHADER_STORAGE_BUFFER, bytes(256)), buffer(gl, gl.SHADER_STORAGE_BUFFER, bytes(4))

    def drawn(name: str, function: str, *arguments) -> None:
        for index, (target, size) in enumerate(((seen, 256), (following, 4))):
            gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, index, target)
            gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, size, bytes(size))
        getattr(gl, function)(gl.POINTS, *arguments)
        gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
        held_now = held(gl, seen, 256)
        said[name] = sorted(struct.unpack_from("<4I", held_now, at) for at in range(0, 256, 16)), gl.error()

    at, two = ctypes.c_void_p, ctypes.c_int * 2
    drawn("arrays", "DrawArrays", 3, 2)
    drawn("base instance", "DrawArraysInstancedBaseInstance", 3, 1, 2, 7)
    drawn("base vertex", "DrawElementsBaseVertex", 2, gl.UNSIGNED_INT, at(4), -1)
    drawn("both", "DrawElementsInstancedBaseVertexBaseInstance", 1, gl.UNSIGNED_INT, at(4), 2, 3, 4)
    drawn("several arrays", "MultiDrawArrays", two(1, 5), two(2, 1), 2)
    drawn("several arrays, one empty", "MultiDrawArrays", (ctypes.c_int * 3)(1, 2, 5), (ctypes.c_int * 3)(1, 0, 1), 3)
    drawn("several elements", "MultiDrawElementsBaseVertex", two(1, 2), gl.UNSIGNED_INT, (ctypes.c_void_p * 2)(4, 8), 2, two(3, -2))
    drawn("indirect", "DrawArraysIndirect", at(0))
    drawn("several indirect", "MultiDrawArraysIndirect", at(0), 2, 0)
    drawn("several indirect elements", "MultiDrawElementsIndirect", gl.UNSIGNED_INT, at(32), 2, 0)
    return said
