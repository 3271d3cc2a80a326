"""Views, copies and clears of textures: what a client answers by itself, and where the specification is stricter than drivers."""

import ctypes

import pytest


@pytest.fixture
def stored(gl46):
    """A texture of three levels and eight layers."""
    name = gl46.gen("Textures")
    gl46.BindTexture(gl46.TEXTURE_2D_ARRAY, name)
    gl46.TexStorage3D(gl46.TEXTURE_2D_ARRAY, 3, gl46.RGBA8, 8, 8, 8)
    return name


def parameters(gl, target) -> list[int]:
    return [gl.get_int("GetTexParameteriv", target, getattr(gl, f"TEXTURE_VIEW_{what}"))
            for what in ("MIN_LEVEL", "NUM_LEVELS", "MIN_LAYER", "NUM_LAYERS")]


def test_a_view_tells_which_part_of_the_storage_it_shows(gl46, stored):
    gl = gl46
    assert parameters(gl, gl.TEXTURE_2D_ARRAY) == [0, 3, 0, 8]
    first, second = gl.gen("Textures", 2)
    gl.TextureView(first, gl.TEXTURE_CUBE_MAP, stored, gl.RGBA8UI, 1, 7, 2, 6)
    gl.TextureView(second, gl.TEXTURE_2D, first, gl.R32F, 1, 7, 3, 1)
    assert gl.error() == "NO_ERROR"
    gl.BindTexture(gl.TEXTURE_CUBE_MAP, first)
    gl.BindTexture(gl.TEXTURE_2D, second)
    assert parameters(gl, gl.TEXTURE_CUBE_MAP) == [1, 2, 2, 6]
    assert parameters(gl, gl.TEXTURE_2D) == [2, 1, 5, 1]
    assert gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, 0, gl.TEXTURE_WIDTH) == 2
    assert gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, 0, gl.TEXTURE_INTERNAL_FORMAT) == gl.R32F


def test_a_view_that_is_refused_leaves_a_name_without_texture(gl46, stored):
    gl, name = gl46, gl46.gen("Textures")
    gl.TextureView(name, gl.TEXTURE_3D, stored, gl.RGBA8, 0, 1, 0, 1)
    assert gl.error() == "INVALID_OPERATION" and not gl.IsTexture(name) & 0xFF


def test_depth_is_not_cleared_as_depth_and_stencil(gl46):
    gl, name = gl46, gl46.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, name)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, 8, 8)
    gl.ClearTexImage(name, 0, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8, bytes(4))
    assert gl.error() == "INVALID_OPERATION"


def test_uploads_are_the_clients_until_a_view_shares_them(gl46):
    """Reads of what only the client has cost no round trip; of shared texels they do."""
    gl, name, view = gl46, *gl46.gen("Textures", 2)
    gl.BindTexture(gl.TEXTURE_2D, name)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 2)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, bytes(16))
    into = (ctypes.c_ubyte * 16)()
    reads = gl.loader.stats()["reads"]
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA, gl.UNSIGNED_BYTE, into)
    assert gl.loader.stats()["reads"] == reads
    gl.TextureView(view, gl.TEXTURE_2D, name, gl.RGBA8, 0, 1, 0, 1)
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA, gl.UNSIGNED_BYTE, into)
    assert gl.loader.stats()["reads"] > reads
    uploads = gl.loader.stats()["uploads"]
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
    assert gl.loader.stats()["uploads"] == uploads + 1, "an upload to shared texels waits for nobody"
