"""Contents that a program gives up: what may be named, and what stays."""

import ctypes

import pytest


def names(*values: int):
    return (ctypes.c_uint * len(values))(*values)


@pytest.fixture
def target(gl46):
    gl = gl46
    renderbuffer = gl.gen("Renderbuffers")
    gl.BindRenderbuffer(gl.RENDERBUFFER, renderbuffer)
    gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer)
    return gl


@pytest.mark.parametrize(("attachments", "error"), [
    (("COLOR_ATTACHMENT0", "DEPTH_ATTACHMENT", "STENCIL_ATTACHMENT", "DEPTH_STENCIL_ATTACHMENT"), "NO_ERROR"), ((), "NO_ERROR"),
    (("COLOR",), "INVALID_ENUM"), (("COLOR_ATTACHMENT9",), "INVALID_OPERATION"), (("BACK_LEFT",), "INVALID_ENUM")])
def test_attachments_of_a_framebuffer_object(target, attachments, error):
    gl = target
    gl.InvalidateFramebuffer(gl.FRAMEBUFFER, len(attachments), names(*(getattr(gl, a) for a in attachments)))
    assert gl.error() == error
    gl.InvalidateSubFramebuffer(gl.READ_FRAMEBUFFER, len(attachments), names(*(getattr(gl, a) for a in attachments)), 1, 1, 4, 4)
    assert gl.error() == error


@pytest.mark.parametrize(("attachment", "error"), [
    ("COLOR", "NO_ERROR"), ("DEPTH", "NO_ERROR"), ("STENCIL", "NO_ERROR"), ("BACK_LEFT", "NO_ERROR"), ("COLOR_ATTACHMENT0", "INVALID_ENUM")])
def test_buffers_of_the_default_framebuffer(target, attachment, error):
    gl = target
    gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
    gl.InvalidateFramebuffer(gl.FRAMEBUFFER, 1, names(getattr(gl, attachment)))
    assert gl.error() == error


def test_sizes_counts_and_targets(target):
    gl = target
    gl.InvalidateSubFramebuffer(gl.FRAMEBUFFER, 1, names(gl.COLOR_ATTACHMENT0), 0, 0, -1, 4)
    assert gl.error() == "INVALID_VALUE"
    gl.InvalidateFramebuffer(gl.FRAMEBUFFER, -1, names(gl.COLOR_ATTACHMENT0))
    assert gl.error() == "INVALID_VALUE"
    gl.InvalidateFramebuffer(gl.TEXTURE_2D, 1, names(gl.COLOR_ATTACHMENT0))
    assert gl.error() == "INVALID_ENUM"


@pytest.mark.parametrize(("level", "box", "error"), [
    (0, (0, 0, 0, 8, 4, 1), "NO_ERROR"), (0, (4, 0, 0, 8, 4, 1), "INVALID_VALUE"), (0, (-1, 0, 0, 1, 1, 1), "INVALID_VALUE"),
    (0, (0, 0, 0, 8, 4, 2), "INVALID_VALUE"), (1, (0, 0, 0, 0, 0, 0), "NO_ERROR"), (-1, (0, 0, 0, 0, 0, 0), "INVALID_VALUE")])
def test_parts_of_a_texture(gl46, level, box, error):
    gl = gl46
    texture = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 8, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    gl.InvalidateTexSubImage(texture, level, *box)
    assert gl.error() == error
    gl.InvalidateTexImage(texture, level)
    assert gl.error() == ("INVALID_VALUE" if level < 0 else "NO_ERROR")
    gl.InvalidateTexImage(0, 0)
    assert gl.error() == "INVALID_VALUE"
