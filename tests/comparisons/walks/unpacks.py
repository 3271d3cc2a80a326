"""Texels out of a buffer that the GPU wrote: by formats and types, strides, targets, swapped bytes, and what a shader left there."""

import ctypes
import random

from walks.texture_views import SIZE, texels

PAIRS = (("RGBA8", "RGBA", "UNSIGNED_BYTE", 4), ("RGBA8", "BGRA", "UNSIGNED_BYTE", 4), ("RGBA8", "RGB", "UNSIGNED_BYTE", 3),
         ("RGBA8", "RGBA", "UNSIGNED_SHORT_4_4_4_4", 2), ("RGB8", "RGB", "UNSIGNED_BYTE", 3), ("R8", "RED", "UNSIGNED_BYTE", 1),
         ("RG16", "RG", "UNSIGNED_SHORT", 4), ("RGBA8UI", "RGBA_INTEGER", "UNSIGNED_BYTE", 4), ("R32UI", "RED_INTEGER", "UNSIGNED_SHORT", 2),
         ("RGBA32I", "RGBA_INTEGER", "INT", 16), ("RGB10_A2", "RGBA", "UNSIGNED_INT_2_10_10_10_REV", 4), ("SRGB8_ALPHA8", "RGBA", "UNSIGNED_BYTE", 4))
COMPUTE = """#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Texels { uint texels[]; };
void main() { texels[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 0x9E3779B1u; }"""


def written(gl, size: int, seed: int) -> int:
    """A buffer for unpacking whose bytes were copied there by the GPU."""
    source, target = gl.gen("Buffers"), gl.gen("Buffers")
    gl.BindBuffer(gl.COPY_READ_BUFFER, source)
    gl.BufferData(gl.COPY_READ_BUFFER, size, random.Random(seed).randbytes(size), gl.STATIC_DRAW)
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, target)
    gl.BufferData(gl.PIXEL_UNPACK_BUFFER, size, None, gl.STREAM_COPY)
    gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.PIXEL_UNPACK_BUFFER, 0, 0, size)
    return target


def bits(gl, internal: str) -> tuple:
    """The texels of level 0, as exactly as they can be asked for."""
    into = ctypes.create_string_buffer(SIZE * SIZE * 16)
    integer = internal.endswith("I")
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA_INTEGER if integer else gl.RGBA, gl.UNSIGNED_INT if integer else gl.UNSIGNED_SHORT, into)
    return gl.error(), into.raw


def formats(gl) -> dict:
    said = {}
    for internal, format, type, group in PAIRS:
        for what, store in {"tight": {}, "in rows": {"ROW_LENGTH": 11, "SKIP_PIXELS": 2, "SKIP_ROWS": 1},
                            "aligned": {"ALIGNMENT": 8, "ROW_LENGTH": 9}, "swapped": {"SWAP_BYTES": 1}}.items():
            gl.BindTexture(gl.TEXTURE_2D, gl.gen("Textures"))
            gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
            gl.TexImage2D(gl.TEXTURE_2D, 0, getattr(gl, internal), SIZE, SIZE, 0, getattr(gl, format), getattr(gl, type),
                          random.Random(1).randbytes(SIZE * SIZE * 16))
            written(gl, 4096, 2)
            for name, value in store.items():
                gl.PixelStorei(getattr(gl, f"UNPACK_{name}"), value)
            gl.TexSubImage2D(gl.TEXTURE_2D, 0, 1, 2, 5, 4, getattr(gl, format), getattr(gl, type), group * 4)
            for name in store:
                gl.PixelStorei(getattr(gl, f"UNPACK_{name}"), 0 if name != "ALIGNMENT" else 1)
            said[f"{internal} of {format} {type} {what}"] = gl.error(), bits(gl, internal)
    return said


def targets(gl) -> dict:
    said = {}
    gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
    for target, deep in (("TEXTURE_1D", 0), ("TEXTURE_1D_ARRAY", 6), ("TEXTURE_2D", 8), ("TEXTURE_RECTANGLE", 8), ("TEXTURE_CUBE_MAP", 8),
                         ("TEXTURE_2D_ARRAY", 4), ("TEXTURE_3D", 4), ("TEXTURE_CUBE_MAP_ARRAY", 6)):
        it = getattr(gl, target)
        gl.BindTexture(it, gl.gen("Textures"))
        written(gl, 8192, it)                           # its own, so that no other target's texels are right
        face = gl.TEXTURE_CUBE_MAP_NEGATIVE_X if target == "TEXTURE_CUBE_MAP" else it
        if target == "TEXTURE_1D":
            gl.TexImage1D(it, 0, gl.RGBA8, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, 16)
            gl.TexSubImage1D(it, 0, 2, 3, gl.RGBA, gl.UNSIGNED_BYTE, 1000)
        elif target in ("TEXTURE_2D_ARRAY", "TEXTURE_3D", "TEXTURE_CUBE_MAP_ARRAY"):
            gl.TexImage3D(it, 0, gl.RGBA8, SIZE, SIZE, deep, 0, gl.RGBA, gl.UNSIGNED_BYTE, 16)
            gl.PixelStorei(gl.UNPACK_IMAGE_HEIGHT, 5)
            gl.TexSubImage3D(it, 0, 1, 2, 1, 3, 4, 3, gl.RGBA, gl.UNSIGNED_BYTE, 1000)
            gl.PixelStorei(gl.UNPACK_IMAGE_HEIGHT, 0)
        else:
            gl.TexImage2D(face, 0, gl.RGBA8, SIZE, deep, 0, gl.RGBA, gl.UNSIGNED_BYTE, 16)
            gl.TexSubImage2D(face, 0, 1, 2, 3, 4, gl.RGBA, gl.UNSIGNED_BYTE, 1000)
        failed = gl.error()
        gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
        said[target] = failed, texels(gl, target, 0, 1 if target == "TEXTURE_CUBE_MAP" else None)
    return said


def producers(gl) -> dict:
    """What a shader stored, and what was read into the buffer."""
    said = {}
    program, shader = gl.CreateProgram(), gl.CreateShader(gl.COMPUTE_SHADER)
    source = ctypes.c_char_p(COMPUTE.encode())
    gl.ShaderSource(shader, 1, ctypes.byref(source), None)
    gl.CompileShader(shader)
    gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    buffer = gl.gen("Buffers")
    gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
    gl.BufferData(gl.SHADER_STORAGE_BUFFER, 256, bytes(256), gl.STREAM_COPY)
    gl.UseProgram(program)
    gl.DispatchCompute(1, 1, 1)
    gl.MemoryBarrier(gl.PIXEL_BUFFER_BARRIER_BIT)
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
    gl.BindTexture(gl.TEXTURE_2D, gl.gen("Textures"))
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    said["stored"] = gl.error(), bits(gl, "RGBA8")
    gl.target(SIZE, SIZE)
    gl.ClearColor(0.1, 0.5, 0.9, 0.3)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
    gl.ReadPixels(0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, 64)
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
    gl.BufferSubData(gl.PIXEL_UNPACK_BUFFER, 100, 8, b"by hand!")
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIZE, 4, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    said["read, and written by hand"] = gl.error(), bits(gl, "RGBA8")
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, 4)
    said["beyond"] = gl.error()
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_INT_8_8_8_8, 2)
    said["off an element"] = gl.error()
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    return said


def walk(gl) -> dict:
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    said = {}
    for part in (formats, targets, producers):
        said |= {f"{part.__name__}: {question}": answer for question, answer in part(gl).items()}
    return said
