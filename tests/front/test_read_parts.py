"""Reads larger than an answer may be come in parts, bands of rows or parts of a row, and are the same bytes."""

import ctypes
import random

import pytest
from mgpipe import testing

WIDTH, HEIGHT = 32, 32
VERTEX = """#version 330
void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }"""
FRAGMENT = """#version 330
out vec4 color;
void main() { ivec2 p = ivec2(gl_FragCoord.xy); color = vec4(p.x * 7 % 256, p.y * 5 % 256, (p.x ^ p.y) * 8 % 256, 255 - p.x) / 255.0; }"""
READS = {   # answers of at most so many bytes: bands, one row each, parts of a row
    "ReadPixels": (8192, 256, 64), "ReadPixels float": (8192, 512, 256), "GetTexImage": (8192, 256, 64),
    "GetTexImage 3D": (8192, 64), "GetTexImage 1D array": (512, 64), "GetCompressedTexImage": (128, 64), "GetBufferSubData": (1024, 64),
}


@pytest.fixture
def scene(drawing):
    gl = drawing
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    program = gl.CreateProgram()
    for kind, text in ((gl.VERTEX_SHADER, VERTEX), (gl.FRAGMENT_SHADER, FRAGMENT)):
        shader = gl.CreateShader(kind)
        source = ctypes.c_char_p(text.encode())
        gl.ShaderSource(shader, 1, ctypes.byref(source), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    gl.UseProgram(program)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    yield gl
    testing.limit_replies(0)


def on_the_gpu(gl, target, *size) -> None:
    """A texture of noise whose bytes the client has no copy of, since a view shares them."""
    name, view = gl.gen("Textures", 2)
    gl.BindTexture(target, name)
    storage, part = (gl.TexStorage3D, gl.TexSubImage3D) if len(size) == 3 else (gl.TexStorage2D, gl.TexSubImage2D)
    storage(target, 1, gl.RGBA8, *size)
    count = 4 * size[0] * size[1] * (size[2] if len(size) == 3 else 1)
    part(target, 0, *[0] * len(size), *size, gl.RGBA, gl.UNSIGNED_BYTE, random.Random(1).randbytes(count))
    gl.TextureView(view, target, name, gl.RGBA8, 0, 1, 0, size[-1] if target in (gl.TEXTURE_1D_ARRAY, gl.TEXTURE_2D_ARRAY) else 1)


def read(gl, what: str) -> bytes:
    into = ctypes.create_string_buffer(WIDTH * HEIGHT * 16)
    if what == "ReadPixels":
        gl.ReadPixels(0, 0, WIDTH, HEIGHT, gl.BGRA, gl.UNSIGNED_BYTE, into)
    elif what == "ReadPixels float":
        color, framebuffer = gl.gen("Renderbuffers"), gl.gen("Framebuffers")
        gl.BindRenderbuffer(gl.RENDERBUFFER, color)
        gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA32F, WIDTH, HEIGHT)
        gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        gl.ReadPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.FLOAT, into)
    elif what == "GetTexImage":
        on_the_gpu(gl, gl.TEXTURE_2D, WIDTH, HEIGHT)
        gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGB, gl.UNSIGNED_BYTE, into)
    elif what == "GetTexImage 3D":
        on_the_gpu(gl, gl.TEXTURE_3D, 20, 16, 8)
        gl.GetTexImage(gl.TEXTURE_3D, 0, gl.RGBA, gl.UNSIGNED_BYTE, into)
    elif what == "GetTexImage 1D array":
        on_the_gpu(gl, gl.TEXTURE_1D_ARRAY, 20, 16)
        gl.GetTexImage(gl.TEXTURE_1D_ARRAY, 0, gl.RGBA, gl.UNSIGNED_BYTE, into)
    elif what == "GetCompressedTexImage":
        gl.BindTexture(gl.TEXTURE_2D, gl.gen("Textures"))
        gl.TexImage2D(gl.TEXTURE_2D, 0, gl.COMPRESSED_RG_RGTC2, 30, 18, 0, gl.RGBA, gl.UNSIGNED_BYTE, random.Random(2).randbytes(2160))
        gl.GetCompressedTexImage(gl.TEXTURE_2D, 0, into)
    else:
        source, target = gl.gen("Buffers", 2)
        gl.BindBuffer(gl.COPY_READ_BUFFER, source)
        gl.BufferData(gl.COPY_READ_BUFFER, 5000, random.Random(3).randbytes(5000), gl.STATIC_DRAW)
        gl.BindBuffer(gl.COPY_WRITE_BUFFER, target)
        gl.BufferData(gl.COPY_WRITE_BUFFER, 5000, None, gl.STATIC_DRAW)
        gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, 5000)
        gl.GetBufferSubData(gl.COPY_WRITE_BUFFER, 0, 5000, into)
    assert gl.error() == "NO_ERROR"
    return into.raw


@pytest.mark.parametrize("what", READS)
def test_reads_in_parts_are_the_whole_ones(scene, what):
    gl = scene
    whole = read(gl, what)
    assert len(set(whole)) > 16
    framebuffer = gl.get_int("GetIntegerv", gl.FRAMEBUFFER_BINDING)
    for most in READS[what]:
        testing.limit_replies(most)
        gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        assert read(gl, what) == whole, f"in answers of {most} bytes"


def test_texels_that_the_gpu_left_in_a_buffer_are_not_fetched_to_go_into_a_texture(scene):
    gl = scene
    buffer, texture = gl.gen("Buffers"), gl.gen("Textures")
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
    gl.BufferData(gl.PIXEL_PACK_BUFFER, WIDTH * HEIGHT * 4, None, gl.STREAM_COPY)
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    gl.BindTexture(gl.TEXTURE_2D, texture)
    before = gl.loader.stats()
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, WIDTH, HEIGHT, 0, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, 64)
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    after = gl.loader.stats()
    assert [after[name] - before[name] for name in ("reads", "round_trips", "waits", "upload_bytes")] == [0, 0, 0, 0]
    pixels, got = ctypes.create_string_buffer(WIDTH * HEIGHT * 4), ctypes.create_string_buffer(WIDTH * HEIGHT * 4)
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA, gl.UNSIGNED_BYTE, got)
    rows = [pixels.raw[64 + i * 16:80 + i * 16] for i in range(4)]
    for i, row in enumerate(rows):
        assert got.raw[i * WIDTH * 4:i * WIDTH * 4 + 16] == row
    assert got.raw[4 * WIDTH * 4:] == pixels.raw[4 * WIDTH * 4:]
