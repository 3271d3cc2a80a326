"""Dispatches and what they write: storage blocks, counters, images; who sees it, and when; indirect and base instance draws."""

import ctypes
import struct

SIZE = 16
DOUBLE = """#version 430
layout(local_size_x = 4) in;
layout(std430, binding = 1) readonly buffer From { uint from[]; };
layout(std430, binding = 2) buffer To { uint to[]; } target;
layout(binding = 0, offset = 4) uniform atomic_uint done;
uniform uint factor;
void main() {
    target.to[gl_GlobalInvocationID.x] += from[gl_GlobalInvocationID.x] * factor;
    atomicCounterIncrement(done);
}"""
PAINT = """#version 430
layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba8, binding = 0) uniform image2D picture;
layout(r32ui, binding = 1) uniform uimage2DArray layers;
layout(r32f, binding = 2) writeonly uniform imageBuffer line;
layout(rgba32f, binding = 3) readonly uniform imageCube sky;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(picture, at, imageLoad(picture, imageSize(picture) - 1 - at).bgra + vec4(imageLoad(sky, ivec3(0, 0, at.x % 6)).r));
    imageAtomicAdd(layers, ivec3(at / 4, at.x % imageSize(layers).z), uint(at.y + 1));
    imageStore(line, at.x, vec4(at.x * 2));
}"""
ONE_LAYER = """#version 430
layout(local_size_x = 1) in; layout(r32ui) uniform uimage2D layer; void main() { imageStore(layer, ivec2(1, 0), uvec4(99)); }"""
VERTEX = """#version 430
layout(location = 0) in vec2 at; layout(location = 1) in float shift; flat out int which;
layout(std430, binding = 3) buffer Seen { uint seen[]; };
void main() { which = gl_InstanceID; atomicOr(seen[gl_VertexID], 1u << gl_InstanceID);
              gl_Position = vec4(at + vec2(shift, 0), 0, 1); }"""
FRAGMENT = """#version 430
flat in int which; out vec4 color;
layout(binding = 0) uniform atomic_uint fragments; layout(rgba8, binding = 0) writeonly uniform image2D copy;
void main() { color = vec4(1, float(which) * 0.5, float(atomicCounterIncrement(fragments) < 100000u), 1);
              imageStore(copy, ivec2(gl_FragCoord.xy), color); }"""


def compute(gl, source: str) -> int:
    shader, text = gl.CreateShader(gl.COMPUTE_SHADER), ctypes.c_char_p(source.encode())
    gl.ShaderSource(shader, 1, ctypes.byref(text), None)
    gl.CompileShader(shader)
    program = gl.CreateProgram()
    gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    assert gl.ints("GetProgramiv", program, gl.LINK_STATUS) == [1], source
    return program


def buffer(gl, target: int, data: bytes) -> int:
    name = gl.gen("Buffers")
    gl.BindBuffer(target, name)
    gl.BufferData(target, len(data), data, gl.DYNAMIC_COPY)
    return name


def held(gl, name: int, size: int) -> bytes:
    into = ctypes.create_string_buffer(size)
    gl.BindBuffer(gl.COPY_READ_BUFFER, name)
    gl.GetBufferSubData(gl.COPY_READ_BUFFER, 0, size, into)
    return into.raw


def mapped(gl, name: int, offset: int, size: int) -> bytes:
    gl.BindBuffer(gl.COPY_READ_BUFFER, name)
    function = gl.MapBufferRange
    data = ctypes.string_at(function(gl.COPY_READ_BUFFER, offset, size, gl.MAP_READ_BIT), size)
    gl.UnmapBuffer(gl.COPY_READ_BUFFER)
    return data


def image_of(gl, target: int, format: int, type: int, size: int, level: int = 0) -> bytes:
    into = ctypes.create_string_buffer(size)
    gl.GetTexImage(target, level, format, type, into)
    return into.raw


def storage(gl, said: dict) -> None:
    program = compute(gl, DOUBLE)
    source = buffer(gl, gl.SHADER_STORAGE_BUFFER, struct.pack("<16I", *range(16)))
    target = buffer(gl, gl.SHADER_STORAGE_BUFFER, bytes(64))
    counters = buffer(gl, gl.ATOMIC_COUNTER_BUFFER, struct.pack("<3I", 7, 0, 7))
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, source)
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 2, target)
    gl.BindBufferBase(gl.ATOMIC_COUNTER_BUFFER, 0, counters)
    gl.UseProgram(program)
    gl.Uniform1ui(gl.GetUniformLocation(program, b"factor"), 3)
    gl.DispatchCompute(4, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["first dispatch"] = held(gl, target, 64)
    gl.DispatchCompute(2, 1, 1)                     # nothing changed but what the shader itself wrote
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["second, mapped"] = mapped(gl, target, 16, 32)
    gl.DispatchCompute(1, 1, 1)                     # after a read that made the client's copy whole
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["third, in part"] = mapped(gl, target, 0, 20)
    gl.BindBuffer(gl.COPY_WRITE_BUFFER, target)
    gl.BufferSubData(gl.COPY_WRITE_BUFFER, 4, 4, struct.pack("<I", 1000))
    said["a write between the shader's"] = held(gl, target, 64)
    gl.DispatchCompute(4, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["on top of both"] = held(gl, target, 64)
    said["counters"] = held(gl, counters, 12)
    gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 2, target, 0, 32)
    gl.ShaderStorageBlockBinding(program, gl.GetProgramResourceIndex(program, gl.SHADER_STORAGE_BLOCK, b"From"), 4)
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 4, target)
    gl.DispatchCompute(2, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["another binding"] = held(gl, target, 64)
    buffer(gl, gl.DISPATCH_INDIRECT_BUFFER, struct.pack("<4I", 0, 2, 1, 1))
    gl.DispatchComputeIndirect(4)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["indirect"] = held(gl, counters, 12), held(gl, target, 64)
    gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, target)
    gl.BufferData(gl.SHADER_STORAGE_BUFFER, 128, bytes(range(128)), gl.STATIC_DRAW)
    said["new storage"] = held(gl, target, 128)
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 2, target)
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 4, source)
    gl.DispatchCompute(4, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["into new storage"] = held(gl, target, 128)


def images(gl, said: dict) -> None:
    picture, layers, line, sky, texels = (gl.gen("Textures") for _ in range(5))
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.BindTexture(gl.TEXTURE_2D, picture)          # mutable
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(i % 256 for i in range(4 * SIZE * SIZE)))
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0)
    gl.BindTexture(gl.TEXTURE_2D_ARRAY, layers)     # immutable, level 1 of it is the image
    gl.TexStorage3D(gl.TEXTURE_2D_ARRAY, 2, gl.R32UI, 8, 8, 3)
    gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, 1, 0, 0, 0, 4, 4, 3, gl.RED_INTEGER, gl.UNSIGNED_INT, bytes(4 * 4 * 3 * 4))
    bytes_of_line = buffer(gl, gl.TEXTURE_BUFFER, bytes(4 * SIZE))
    gl.BindTexture(gl.TEXTURE_BUFFER, line)
    gl.TexBuffer(gl.TEXTURE_BUFFER, gl.R32F, bytes_of_line)
    gl.BindTexture(gl.TEXTURE_CUBE_MAP, sky)
    gl.TexStorage2D(gl.TEXTURE_CUBE_MAP, 1, gl.RGBA32F, 1, 1)
    for face in range(6):
        gl.TexSubImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 0, 0, 1, 1, gl.RGBA, gl.FLOAT, struct.pack("<4f", face / 16, 0, 0, 0))
    gl.BindImageTexture(0, picture, 0, 0, 0, gl.READ_WRITE, gl.RGBA8)
    gl.BindImageTexture(1, layers, 1, 1, 0, gl.READ_WRITE, gl.R32UI)
    gl.BindImageTexture(2, line, 0, 0, 0, gl.WRITE_ONLY, gl.R32F)
    gl.BindImageTexture(3, sky, 0, 1, 0, gl.READ_ONLY, gl.RGBA32F)
    program = compute(gl, PAINT.replace("picture, at, imageLoad(picture, imageSize(picture) - 1 - at).bgra",
                                        "picture, at, imageLoad(picture, at).bgra"))
    gl.UseProgram(program)
    gl.DispatchCompute(SIZE // 4, SIZE // 4, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["picture"] = image_of(gl, gl.TEXTURE_2D, gl.RGBA, gl.UNSIGNED_BYTE, 4 * SIZE * SIZE)
    said["layers"] = image_of(gl, gl.TEXTURE_2D_ARRAY, gl.RED_INTEGER, gl.UNSIGNED_INT, 4 * 4 * 4 * 3, 1)
    said["line"] = held(gl, bytes_of_line, 4 * SIZE)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 2, 2, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, bytes([200] * 64))
    gl.DispatchCompute(1, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["picture, uploads and stores mixed"] = image_of(gl, gl.TEXTURE_2D, gl.RGBA, gl.UNSIGNED_BYTE, 4 * SIZE * SIZE)
    one = compute(gl, ONE_LAYER)
    gl.UseProgram(one)
    gl.Uniform1i(gl.GetUniformLocation(one, b"layer"), 5)
    gl.BindImageTexture(5, layers, 1, 0, 2, gl.WRITE_ONLY, gl.R32UI)
    gl.DispatchCompute(1, 1, 1)
    gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
    said["one layer"] = image_of(gl, gl.TEXTURE_2D_ARRAY, gl.RED_INTEGER, gl.UNSIGNED_INT, 4 * 4 * 4 * 3, 1)
    gl.BindTexture(gl.TEXTURE_2D, texels)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4 * SIZE * SIZE))
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0)
    gl.BindImageTexture(0, texels, 0, 0, 0, gl.WRITE_ONLY, gl.RGBA8)


def draws(gl, said: dict) -> None:
    gl.target(SIZE, SIZE)
    array = gl.gen("VertexArrays")
    gl.BindVertexArray(array)
    buffer(gl, gl.ARRAY_BUFFER, struct.pack("<12f", -1, -1, -0.5, -1, -1, 1, -1, -1, 0, -1, -1, 0.5))
    gl.EnableVertexAttribArray(0)
    gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)
    buffer(gl, gl.ARRAY_BUFFER, struct.pack("<4f", 0, 0.5, 1.0, 1.5))
    gl.EnableVertexAttribArray(1)
    gl.VertexAttribPointer(1, 1, gl.FLOAT, 0, 0, None)
    gl.VertexAttribDivisor(1, 1)
    buffer(gl, gl.ELEMENT_ARRAY_BUFFER, struct.pack("<8H", 9, 0, 1, 2, 0, 1, 2, 9))
    seen = buffer(gl, gl.SHADER_STORAGE_BUFFER, bytes(32))
    counters = buffer(gl, gl.ATOMIC_COUNTER_BUFFER, bytes(4))
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 3, seen)
    gl.BindBufferBase(gl.ATOMIC_COUNTER_BUFFER, 0, counters)
    gl.UseProgram(gl.program(VERTEX, FRAGMENT))
    elements = struct.pack("<3IiI", 3, 2, 1, 0, 1) + struct.pack("<3IiI", 3, 1, 4, 3, 0)
    arrays = struct.pack("<4I", 3, 1, 0, 2) + struct.pack("<4I", 3, 2, 3, 1) + bytes(16) + struct.pack("<4I", 3, 1, 0, 0)
    buffer(gl, gl.DRAW_INDIRECT_BUFFER, elements + bytes(24) + arrays)

    def drawn(name: str, function: str, *arguments) -> None:
        gl.Clear(gl.COLOR_BUFFER_BIT)
        getattr(gl, function)(gl.TRIANGLES, *arguments)
        gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
        said[name] = gl.pixels(SIZE, SIZE), held(gl, seen, 32), held(gl, counters, 4), gl.error()

    at = ctypes.c_void_p
    drawn("base instance", "DrawArraysInstancedBaseInstance", 0, 3, 2, 1)
    drawn("base instance, elements", "DrawElementsInstancedBaseInstance", 3, gl.UNSIGNED_SHORT, at(2), 2, 2)
    drawn("base vertex, base instance", "DrawElementsInstancedBaseVertexBaseInstance", 3, gl.UNSIGNED_SHORT, at(2), 1, 3, 2)
    drawn("arrays", "DrawArraysIndirect", at(64))
    drawn("elements", "DrawElementsIndirect", gl.UNSIGNED_SHORT, at(20))
    drawn("several arrays", "MultiDrawArraysIndirect", at(64), 2, 0)
    drawn("several arrays apart", "MultiDrawArraysIndirect", at(64), 2, 48)
    drawn("several elements", "MultiDrawElementsIndirect", gl.UNSIGNED_SHORT, at(0), 2, 0)
    drawn("too many", "MultiDrawArraysIndirect", at(64), 5, 0)
    image = image_of(gl, gl.TEXTURE_2D, gl.RGBA, gl.UNSIGNED_BYTE, 4 * SIZE * SIZE)
    said["stored by fragments"] = image


def walk(gl) -> dict:
    said: dict = {}
    storage(gl, said)
    images(gl, said)
    draws(gl, said)
    said["errors"] = gl.error()
    return said
