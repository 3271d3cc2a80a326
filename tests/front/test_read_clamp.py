"""glClampColor(GL_CLAMP_READ_COLOR): what is read is clamped by the client alone, whatever the server last did for another read."""

import ctypes

import pytest
from mgpipe import testing

COLOR = (0.25, -2.0, 4.0, 0.5)
CLAMPED = (0.25, 0.0, 1.0, 0.5)


def framebuffer(gl, format) -> None:
    color = gl.gen("Renderbuffers")
    gl.BindRenderbuffer(gl.RENDERBUFFER, color)
    gl.RenderbufferStorage(gl.RENDERBUFFER, format, 8, 8)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
    gl.ClearColor(*map(gl.f, COLOR))
    gl.Clear(gl.COLOR_BUFFER_BIT)


def pixel(gl) -> tuple[float, ...]:
    into = (ctypes.c_float * 4)()
    gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, into)
    return tuple(into)


@pytest.mark.parametrize("dropped", [False, True])
@pytest.mark.parametrize(("clamp", "read"), [("FIXED_ONLY", COLOR), ("FALSE", COLOR), ("TRUE", CLAMPED)])
def test_floats_are_clamped_when_asked_for_only(drawing, clamp, read, dropped):
    gl = drawing
    framebuffer(gl, gl.RGBA8)
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.PIXEL_PACK_BUFFER, 256, None, gl.STREAM_READ)
    gl.ReadPixels(0, 0, 8, 8, gl.RGBA, gl.UNSIGNED_BYTE, None)     # of a fixed-point format: the server's driver clamps
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    framebuffer(gl, gl.RGBA32F)
    gl.ClampColor(gl.CLAMP_READ_COLOR, {"FIXED_ONLY": gl.FIXED_ONLY, "FALSE": 0, "TRUE": 1}[clamp])
    if dropped:
        testing.drop_mirror()
    assert pixel(gl) == read
