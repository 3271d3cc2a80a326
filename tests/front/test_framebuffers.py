"""Framebuffer objects: completeness, attachments, buffer selection, and the errors of verbs on them."""

import ctypes

import pytest


@pytest.fixture
def framebuffer(gl):
    name = gl.gen("Framebuffers")
    gl.BindFramebuffer(gl.FRAMEBUFFER, name)
    yield name
    gl.delete("Framebuffers", name)


STATUS = ("COMPLETE", "UNDEFINED", "UNSUPPORTED", "INCOMPLETE_ATTACHMENT", "INCOMPLETE_MISSING_ATTACHMENT",
          "INCOMPLETE_MULTISAMPLE", "INCOMPLETE_LAYER_TARGETS")


def renderbuffer(gl, internal="RGBA8", width=4, height=4, samples=0) -> int:
    name = gl.gen("Renderbuffers")
    gl.BindRenderbuffer(gl.RENDERBUFFER, name)
    gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, getattr(gl, internal), width, height)
    return name


def attach(gl, name, point="COLOR_ATTACHMENT0") -> int:
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, getattr(gl, point), gl.RENDERBUFFER, name)
    return name


def status(gl) -> str:
    value = gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
    return next(name for name in STATUS if getattr(gl, f"FRAMEBUFFER_{name}") == value)


def texture(gl, target, internal="RGBA8", width=4, height=4, depth=None) -> int:
    name = gl.gen("Textures")
    gl.BindTexture(target, name)
    if depth is None:
        gl.TexImage2D(target, 0, getattr(gl, internal), width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    else:
        gl.TexImage3D(target, 0, getattr(gl, internal), width, height, depth, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    return name


def test_without_a_surface_the_default_one_is_undefined(gl):
    assert status(gl) == "UNDEFINED"
    gl.Clear(gl.COLOR_BUFFER_BIT)
    assert gl.error() == "INVALID_FRAMEBUFFER_OPERATION"


def test_an_empty_one_is_missing_attachments(gl, framebuffer):
    assert status(gl) == "INCOMPLETE_MISSING_ATTACHMENT"


def test_colour_and_depth_are_complete(gl, framebuffer):
    attach(gl, renderbuffer(gl))
    attach(gl, renderbuffer(gl, "DEPTH24_STENCIL8"), "DEPTH_STENCIL_ATTACHMENT")
    assert status(gl) == "COMPLETE"
    gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)


def test_depth_alone_is_complete(gl, framebuffer):
    attach(gl, renderbuffer(gl, "DEPTH_COMPONENT24"), "DEPTH_ATTACHMENT")
    assert status(gl) == "COMPLETE"


@pytest.mark.parametrize("internal, point", [
    ("DEPTH_COMPONENT16", "COLOR_ATTACHMENT0"), ("RGBA8", "DEPTH_ATTACHMENT"), ("DEPTH_COMPONENT16",
                                                                                "STENCIL_ATTACHMENT"),
    ("STENCIL_INDEX8", "DEPTH_ATTACHMENT"),
])
def test_formats_must_fit_their_point(gl, framebuffer, internal, point):
    attach(gl, renderbuffer(gl, internal), point)
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_images_of_no_size_are_incomplete(gl, framebuffer):
    attach(gl, renderbuffer(gl, width=0))
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_redefining_an_attachment_is_noticed(gl, framebuffer):
    name = attach(gl, renderbuffer(gl))
    assert status(gl) == "COMPLETE"
    gl.BindRenderbuffer(gl.RENDERBUFFER, name)
    gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, 4, 4)
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_redefining_an_attached_texture_is_noticed(gl, framebuffer):
    name = texture(gl, gl.TEXTURE_2D)
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    assert status(gl) == "COMPLETE"
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGB9_E5, 4, 4, 0, gl.RGB, gl.UNSIGNED_BYTE, None)
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_a_level_without_image_is_incomplete(gl, framebuffer):
    name = texture(gl, gl.TEXTURE_2D)
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 1)
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_samples_must_agree(gl, framebuffer):
    attach(gl, renderbuffer(gl, samples=2))
    attach(gl, renderbuffer(gl), "COLOR_ATTACHMENT1")
    assert status(gl) == "INCOMPLETE_MULTISAMPLE"


def test_sizes_may_differ(gl, framebuffer):
    attach(gl, renderbuffer(gl))
    attach(gl, renderbuffer(gl, width=9), "COLOR_ATTACHMENT1")
    assert status(gl) == "COMPLETE"


def test_layered_and_flat_do_not_mix(gl, framebuffer):
    gl.FramebufferTexture(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture(gl, gl.TEXTURE_2D_ARRAY, depth=3), 0)
    assert status(gl) == "COMPLETE"
    attach(gl, renderbuffer(gl), "COLOR_ATTACHMENT1")
    assert status(gl) == "INCOMPLETE_LAYER_TARGETS"


def test_a_layer_beyond_the_last_is_incomplete(gl, framebuffer):
    name = texture(gl, gl.TEXTURE_2D_ARRAY, depth=3)
    gl.FramebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, name, 0, 2)
    assert status(gl) == "COMPLETE"
    gl.FramebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, name, 0, 3)
    assert status(gl) == "INCOMPLETE_ATTACHMENT"


def test_deleting_detaches_from_the_bound_one_only(gl, framebuffer):
    name = attach(gl, renderbuffer(gl))
    other = gl.gen("Framebuffers")
    gl.BindFramebuffer(gl.FRAMEBUFFER, other)
    gl.delete("Renderbuffers", name)
    gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    assert status(gl) == "COMPLETE"                     # the attachment keeps the renderbuffer alive
    second = attach(gl, renderbuffer(gl))
    gl.delete("Renderbuffers", second)
    assert status(gl) == "INCOMPLETE_MISSING_ATTACHMENT"
    gl.delete("Framebuffers", other)


def test_attachments_tell_what_they_are(gl, framebuffer):
    name = texture(gl, gl.TEXTURE_2D_ARRAY, depth=3)
    gl.FramebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, name, 0, 2)
    query = lambda what, point=gl.COLOR_ATTACHMENT0: gl.get_int(  # noqa: E731
        "GetFramebufferAttachmentParameteriv", gl.FRAMEBUFFER, point, getattr(gl, f"FRAMEBUFFER_ATTACHMENT_{what}"))
    assert query("OBJECT_TYPE") == gl.TEXTURE and query("OBJECT_NAME") == name
    assert query("TEXTURE_LAYER") == 2 and query("RED_SIZE") == 8
    assert query("COMPONENT_TYPE") == gl.UNSIGNED_NORMALIZED and query("COLOR_ENCODING") == gl.LINEAR
    assert query("OBJECT_TYPE", gl.COLOR_ATTACHMENT1) == gl.NONE
    query("TEXTURE_LEVEL", gl.COLOR_ATTACHMENT1)
    assert gl.error() == "INVALID_OPERATION"


@pytest.mark.parametrize("buffers, error", [
    (["COLOR_ATTACHMENT0", "NONE", "COLOR_ATTACHMENT3"], "NO_ERROR"),
    (["COLOR_ATTACHMENT0", "COLOR_ATTACHMENT0"], "INVALID_OPERATION"),
    (["BACK"], "INVALID_OPERATION"), (["FRONT"], "INVALID_ENUM"), (["COLOR_ATTACHMENT9"], "INVALID_OPERATION"),
    (["RGBA"], "INVALID_ENUM"), (["NONE"] * 9, "INVALID_VALUE"),
])
def test_draw_buffers(gl, framebuffer, buffers, error):
    values = [getattr(gl, b) for b in buffers]
    gl.DrawBuffers(len(values), (ctypes.c_uint * len(values))(*values))
    assert gl.error() == error
    if error == "NO_ERROR":
        assert gl.get_int("GetIntegerv", gl.DRAW_BUFFER0 + 2) == gl.COLOR_ATTACHMENT3


def test_attaching_to_the_default_one_is_refused(gl):
    attach(gl, renderbuffer(gl))
    assert gl.error() == "INVALID_OPERATION"


@pytest.mark.parametrize("format, type, error", [
    ("RGBA", "UNSIGNED_BYTE", "NO_ERROR"), ("DEPTH_COMPONENT", "FLOAT", "INVALID_OPERATION"),
    ("RGBA_INTEGER", "INT", "INVALID_OPERATION"), ("LUMINANCE", "UNSIGNED_BYTE", "INVALID_ENUM"),
])
def test_reads_of_what_is_not_there(gl, framebuffer, format, type, error):
    attach(gl, renderbuffer(gl))
    gl.ReadPixels(0, 0, 1, 1, getattr(gl, format), getattr(gl, type), (ctypes.c_ubyte * 16)())
    assert gl.error() == error


def test_multisampled_ones_cannot_be_read_but_resolved(gl, framebuffer):
    attach(gl, renderbuffer(gl, samples=2))
    gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, (ctypes.c_ubyte * 16)())
    assert gl.error() == "INVALID_OPERATION"
    target = gl.gen("Framebuffers")
    gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, target)
    gl.FramebufferRenderbuffer(gl.DRAW_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer(gl))
    gl.BlitFramebuffer(0, 0, 4, 4, 0, 0, 2, 2, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    assert gl.error() == "INVALID_OPERATION"
    gl.BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    assert gl.error() == "NO_ERROR"
    gl.BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.DEPTH_BUFFER_BIT, gl.LINEAR)
    assert gl.error() == "INVALID_OPERATION"
    gl.delete("Framebuffers", target)


def test_clears_of_buffers_check_their_arguments(gl, framebuffer):
    attach(gl, renderbuffer(gl))
    four = (ctypes.c_float * 4)()
    gl.ClearBufferfv(gl.COLOR, 8, four)
    assert gl.error() == "INVALID_VALUE"
    gl.ClearBufferfv(gl.STENCIL, 0, four)
    assert gl.error() == "INVALID_ENUM"
    gl.ClearBufferuiv(gl.DEPTH, 0, four)
    assert gl.error() == "INVALID_ENUM"
    gl.Clear(0x8000)
    assert gl.error() == "INVALID_VALUE"
    gl.ClearBufferfv(gl.COLOR, 0, four)
