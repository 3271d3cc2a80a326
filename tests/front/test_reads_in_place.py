"""Bytes that come back are written where they are wanted: no answer has to hold them, so one record asks for any number."""

import ctypes
import random

import pytest
from gl import GL

import mgpipe

SIDE = 2304                 # 20 MiB of RGBA8: an answer holds 16
SIZE = SIDE * SIDE * 4


@pytest.fixture(params=["monolith", "inproc", "spawn"])
def gl(request):
    with mgpipe.context(topology=request.param, driver="gl", gl_version="4.6") as loader:
        made = GL(loader)
        made.topology = request.param
        yield made
        assert made.error() == "NO_ERROR"
    loader.release()


@pytest.fixture
def scene(gl):
    """A framebuffer of 20 MiB with four colours in it."""
    texture = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, SIDE, SIDE)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    gl.Enable(gl.SCISSOR_TEST)
    for i in range(4):
        gl.Scissor(0, i * SIDE // 4, SIDE, SIDE // 4)
        gl.ClearColor(gl.f(i / 255), gl.f(1), gl.f(0), gl.f(1))
        gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, ctypes.create_string_buffer(4))
    return gl


PICTURE = b"".join(bytes((i, 255, 0, 255)) * (SIDE * SIDE // 4) for i in range(4))


def records(gl, call) -> int:
    before = gl.loader.stats()["records"]
    call()
    return gl.loader.stats()["records"] - before


def test_pixels(scene):
    """On monolith, where nobody writes to the program's memory once the call is over; at words, and without gaps between rows."""
    gl, memory = scene, ctypes.create_string_buffer(SIZE + 16)
    for skew in (0, 4, 1):
        ctypes.memset(memory, 77, SIZE + 16)
        place = ctypes.addressof(memory) + skew
        count = records(gl, lambda place=place: gl.ReadPixels(0, 0, SIDE, SIDE, gl.RGBA, gl.UNSIGNED_BYTE, place))
        assert (count == 1) == (gl.topology == "monolith" and skew != 1)
        assert memory.raw[:skew] == b"M" * skew and memory.raw[skew + SIZE:-1] == b"M" * (15 - skew)
        assert memory.raw[skew:skew + SIZE] == PICTURE
    gl.PixelStorei(gl.PACK_ROW_LENGTH, 40)
    ctypes.memset(memory, 77, 40 * 4 * 4)
    gl.ReadPixels(0, SIDE // 4 - 2, 38, 4, gl.RGBA, gl.UNSIGNED_BYTE, memory)
    for row in range(4):
        assert memory.raw[row * 160:row * 160 + 160] == bytes((row // 2, 255, 0, 255)) * 38 + b"M" * 8


def into_a_buffer(gl) -> None:
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.PIXEL_PACK_BUFFER, SIZE, None, gl.STREAM_READ)
    gl.ReadPixels(0, 0, SIDE, SIDE, gl.RGBA, gl.UNSIGNED_BYTE, 0)


def test_a_mapped_pack_buffer(scene):
    gl = scene
    into_a_buffer(gl)
    mapped = []
    assert records(gl, lambda: mapped.append(gl.MapBufferRange(gl.PIXEL_PACK_BUFFER, 0, SIZE, gl.MAP_READ_BIT))) == 1
    assert ctypes.string_at(mapped[0], SIZE) == PICTURE
    gl.UnmapBuffer(gl.PIXEL_PACK_BUFFER)


def test_what_the_program_wrote_beside_it_stays(scene):
    """Three parts of a pack buffer: bytes that were sent, bytes that were not, and others that the GPU wrote last."""
    gl, noise = scene, random.Random(1).randbytes(4096)
    into_a_buffer(gl)
    expected = bytearray(PICTURE)
    gl.BufferSubData(gl.PIXEL_PACK_BUFFER, 100_000, 4096, noise)
    expected[100_000:104_096] = noise
    gl.ReadPixels(0, SIDE - 4, 8, 4, gl.RGBA, gl.UNSIGNED_BYTE, 160_000)
    expected[160_000:160_128] = bytes((3, 255, 0, 255)) * 32
    gl.BufferSubData(gl.PIXEL_PACK_BUFFER, SIZE - 5000, 4096, noise)
    expected[SIZE - 5000:SIZE - 904] = noise
    got = ctypes.create_string_buffer(SIZE)
    for low, high in ((0, 1000), (99_999, 200_001), (SIZE - 5001, SIZE), (0, SIZE)):
        gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, low, high - low, got)
        assert got.raw[:high - low] == expected[low:high]
    place = gl.MapBufferRange(gl.PIXEL_PACK_BUFFER, 0, SIZE, gl.MAP_READ_BIT)
    assert ctypes.string_at(place, SIZE) == expected
    gl.UnmapBuffer(gl.PIXEL_PACK_BUFFER)


def test_bytes_of_a_buffer(scene):
    """In one copy: to the program's memory on monolith, elsewhere out of answers."""
    gl, got = scene, ctypes.create_string_buffer(SIZE)
    into_a_buffer(gl)
    count = records(gl, lambda: gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, 0, SIZE, got))
    assert (count == 1) == (gl.topology == "monolith") and got.raw == PICTURE
