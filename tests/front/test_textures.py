"""Texture objects: names, definition, parameters, queries, and reads that the client answers itself."""

import ctypes
import random

import pytest

from gl import program_of


@pytest.fixture
def texture(gl):
    name = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, name)
    yield name
    gl.delete("Textures", name)


def define(gl, width=4, height=4, internal="RGBA8", format="RGBA", type="UNSIGNED_BYTE", pixels=None, level=0,
           target="TEXTURE_2D"):
    target, internal, format, type = (getattr(gl, name) for name in (target, internal, format, type))
    gl.TexImage2D(target, level, internal, width, height, 0, format, type, pixels)


def read(gl, size, format="RGBA", type="UNSIGNED_BYTE", target="TEXTURE_2D", level=0) -> bytes:
    into = (ctypes.c_ubyte * size)()
    gl.GetTexImage(getattr(gl, target), level, getattr(gl, format), getattr(gl, type), into)
    return bytes(into)


def test_a_generated_name_is_an_object_once_bound(gl):
    name = gl.gen("Textures")
    assert not gl.IsTexture(name) & 0xFF
    gl.BindTexture(gl.TEXTURE_2D, name)
    assert gl.IsTexture(name) & 0xFF
    gl.delete("Textures", name)
    assert not gl.IsTexture(name) & 0xFF
    assert gl.get_int("GetIntegerv", gl.TEXTURE_BINDING_2D) == 0


def test_a_name_that_was_never_generated_is_refused(gl):
    gl.BindTexture(gl.TEXTURE_2D, 1234)
    assert gl.error() == "INVALID_OPERATION"


def test_a_texture_keeps_its_first_target(gl, texture):
    gl.BindTexture(gl.TEXTURE_3D, texture)
    assert gl.error() == "INVALID_OPERATION"


def test_what_was_given_is_read_back_without_a_round_trip(gl, texture):
    pixels = bytes(range(64))
    define(gl, pixels=pixels)
    assert read(gl, 64) == pixels
    assert read(gl, 64, "BGRA") == bytes(b for i in range(0, 64, 4) for b in (pixels[i + 2], pixels[i + 1], pixels[i],
                                                                              pixels[i + 3]))
    assert read(gl, 16, "GREEN") == pixels[1::4]


def test_a_part_is_written_into_the_whole(gl, texture):
    define(gl, pixels=bytes(64))
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 1, 2, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, b"\1\2\3\4\5\6\7\x08")
    got = read(gl, 64)
    assert got[36:44] == b"\1\2\3\4\5\6\7\x08"
    assert not any(got[:36]) and not any(got[44:])


def test_rows_of_a_one_dimensional_array_are_layers(gl):
    name = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_1D_ARRAY, name)
    define(gl, 2, 3, pixels=bytes(range(24)), target="TEXTURE_1D_ARRAY")
    assert gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_1D_ARRAY, 0, gl.TEXTURE_HEIGHT) == 3
    gl.TexSubImage2D(gl.TEXTURE_1D_ARRAY, 0, 1, 1, 1, 2, gl.RGBA, gl.UNSIGNED_BYTE, b"\xAA" * 8)
    want = bytearray(range(24))
    want[12:16] = want[20:24] = b"\xAA" * 4
    assert read(gl, 24, target="TEXTURE_1D_ARRAY") == want
    gl.delete("Textures", name)


def test_pixels_come_from_an_unpack_buffer(gl, texture):
    buffer = gl.gen("Buffers")
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
    gl.BufferData(gl.PIXEL_UNPACK_BUFFER, 80, bytes(range(80)), gl.STATIC_DRAW)
    define(gl, pixels=gl.offset(16))
    assert gl.error() == "NO_ERROR"
    define(gl, pixels=gl.offset(20))                        # reaches beyond its end
    assert gl.error() == "INVALID_OPERATION"
    define(gl, internal="R16F", format="RED", type="HALF_FLOAT", pixels=gl.offset(1))
    assert gl.error() == "INVALID_OPERATION"
    gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    assert read(gl, 64) == bytes(range(16, 80))
    gl.delete("Buffers", buffer)


def test_pixels_go_to_a_pack_buffer(gl, texture):
    define(gl, pixels=bytes(range(64)))
    buffer = gl.gen("Buffers")
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
    gl.BufferData(gl.PIXEL_PACK_BUFFER, 70, bytes(70), gl.STREAM_READ)
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA, gl.UNSIGNED_BYTE, gl.offset(5))
    into = (ctypes.c_ubyte * 70)()
    gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, 0, 70, into)
    assert bytes(into) == bytes(5) + bytes(range(64)) + bytes(1)
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    gl.delete("Buffers", buffer)


@pytest.mark.parametrize("change, error", [
    ({"width": -1}, "INVALID_VALUE"),
    ({"width": 1 << 20}, "INVALID_VALUE"),
    ({"level": -1}, "INVALID_VALUE"),
    ({"level": 40}, "INVALID_VALUE"),
    ({"internal": "LUMINANCE"}, "INVALID_VALUE"),
    ({"format": "LUMINANCE"}, "INVALID_ENUM"),
    ({"type": "DOUBLE"}, "INVALID_ENUM"),
    ({"format": "DEPTH_COMPONENT"}, "INVALID_OPERATION"),
    ({"internal": "RGBA8UI"}, "INVALID_OPERATION"),
    ({"format": "RGB", "type": "UNSIGNED_INT_8_8_8_8"}, "INVALID_OPERATION"),
    ({"target": "TEXTURE_3D"}, "INVALID_ENUM"),
])
def test_wrong_images_are_refused_and_change_nothing(gl, texture, change, error):
    define(gl, 8, 8)
    define(gl, **change)
    assert gl.error() == error
    assert gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, 0, gl.TEXTURE_WIDTH) == 8


def test_faces_of_a_cube_are_square(gl):
    name = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_CUBE_MAP, name)
    define(gl, 4, 2, target="TEXTURE_CUBE_MAP_POSITIVE_X")
    assert gl.error() == "INVALID_VALUE"
    gl.delete("Textures", name)


@pytest.mark.parametrize("box", [(-1, 0, 1, 1), (0, 0, 5, 1), (3, 3, 1, 2), (0, 0, -1, 1)])
def test_parts_outside_are_refused(gl, texture, box):
    define(gl)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, *box, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
    assert gl.error() == "INVALID_VALUE"


def test_a_part_of_nothing_is_refused(gl, texture):
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
    assert gl.error() == "INVALID_OPERATION"


@pytest.mark.parametrize("internal, reported, bits", [("RGBA", "RGBA", 8), ("RGB16F", "RGB16F", 16), ("R32UI", "R32UI",
                                                                                                      32)])
def test_levels_tell_what_they_are(gl, texture, internal, reported, bits):
    define(gl, 8, 4, internal, "RED_INTEGER" if internal == "R32UI" else "RGBA")
    query = lambda name: gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, 0, getattr(gl, name))  # noqa: E731
    assert (query("TEXTURE_WIDTH"), query("TEXTURE_HEIGHT"), query("TEXTURE_RED_SIZE")) == (8, 4, bits)
    assert query("TEXTURE_INTERNAL_FORMAT") == getattr(gl, reported)


@pytest.mark.parametrize("parameter, value, error", [
    ("TEXTURE_MIN_FILTER", "LINEAR", "NO_ERROR"), ("TEXTURE_MIN_FILTER", "REPEAT", "INVALID_ENUM"),
    ("TEXTURE_MAG_FILTER", "LINEAR_MIPMAP_LINEAR", "INVALID_ENUM"), ("TEXTURE_WRAP_S", "CLAMP_TO_BORDER", "NO_ERROR"),
    ("TEXTURE_SWIZZLE_R", "ZERO", "NO_ERROR"), ("TEXTURE_SWIZZLE_R", "RGBA", "INVALID_ENUM"),
    ("TEXTURE_COMPARE_MODE", "COMPARE_REF_TO_TEXTURE", "NO_ERROR"), ("TEXTURE_WIDTH", "ONE", "INVALID_ENUM"),
])
def test_parameters(gl, texture, parameter, value, error):
    before = gl.get_int("GetTexParameteriv", gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER)
    gl.TexParameteri(gl.TEXTURE_2D, getattr(gl, parameter), getattr(gl, value))
    assert gl.error() == error
    if error == "NO_ERROR":
        assert gl.get_int("GetTexParameteriv", gl.TEXTURE_2D, getattr(gl, parameter)) == getattr(gl, value)
    else:
        assert gl.get_int("GetTexParameteriv", gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER) == before


def test_border_colours_come_back_in_every_kind(gl, texture):
    gl.TexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, (ctypes.c_float * 4)(0, 0.5, 1, -1))
    ints, floats = (ctypes.c_int * 4)(), (ctypes.c_float * 4)()
    gl.GetTexParameteriv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, ints)
    gl.GetTexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, floats)
    assert list(floats) == [0, 0.5, 1, -1]
    assert list(ints) == [0, 1073741824, 2147483647, -2147483647]


def test_samplers_have_state_of_their_own(gl):
    name = gl.gen("Samplers")
    gl.SamplerParameteri(name, gl.TEXTURE_WRAP_T, gl.MIRRORED_REPEAT)
    gl.SamplerParameterf(name, gl.TEXTURE_MAX_LOD, gl.f(3.5))
    assert gl.get_int("GetSamplerParameteriv", name, gl.TEXTURE_WRAP_T) == gl.MIRRORED_REPEAT
    assert gl.get_int("GetSamplerParameteriv", name, gl.TEXTURE_WRAP_S) == gl.REPEAT
    gl.SamplerParameteri(name, gl.TEXTURE_BASE_LEVEL, 1)
    assert gl.error() == "INVALID_ENUM"
    gl.SamplerParameteri(999, gl.TEXTURE_WRAP_T, gl.REPEAT)
    assert gl.error() == "INVALID_OPERATION"
    gl.BindSampler(3, name)
    gl.delete("Samplers", name)
    assert not gl.IsSampler(name) & 0xFF


def test_mipmaps_take_their_sizes_from_the_base(gl, texture):
    define(gl, 8, 2, pixels=bytes(64))
    gl.GenerateMipmap(gl.TEXTURE_2D)
    sizes = [(gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, i, gl.TEXTURE_WIDTH),
              gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, i, gl.TEXTURE_HEIGHT)) for i in range(5)]
    assert sizes == [(8, 2), (4, 1), (2, 1), (1, 1), (0, 0)]


def test_mipmaps_of_nothing_and_of_integers_are_refused(gl, texture):
    gl.GenerateMipmap(gl.TEXTURE_2D)
    assert gl.error() == "INVALID_OPERATION"
    define(gl, internal="RGBA8UI", format="RGBA_INTEGER")
    gl.GenerateMipmap(gl.TEXTURE_2D)
    assert gl.error() == "INVALID_OPERATION"


def test_immutable_storage_is_not_redefined(gl, texture):
    gl.TexStorage2D(gl.TEXTURE_2D, 3, gl.RGBA8, 4, 4)
    assert gl.get_int("GetTexParameteriv", gl.TEXTURE_2D, gl.TEXTURE_IMMUTABLE_FORMAT) == 1
    assert gl.get_int("GetTexLevelParameteriv", gl.TEXTURE_2D, 2, gl.TEXTURE_WIDTH) == 1
    define(gl)
    assert gl.error() == "INVALID_OPERATION"
    gl.TexSubImage2D(gl.TEXTURE_2D, 1, 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, bytes(range(16)))
    assert read(gl, 16, level=1) == bytes(range(16))


def test_contents_that_nobody_gave_are_zeros(gl, texture):
    define(gl)
    assert read(gl, 64) == bytes(64)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 3, 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, b"\1\2\3\4")
    assert read(gl, 64) == bytes(60) + b"\1\2\3\4"


def test_the_texture_named_zero_is_a_texture(gl):
    gl.BindTexture(gl.TEXTURE_2D, 0)
    define(gl, pixels=bytes(range(64)))
    assert read(gl, 64) == bytes(range(64))
    assert gl.get_int("GetIntegerv", gl.TEXTURE_BINDING_2D) == 0


def seen_by_the_server(gl, texture: int, width: int, height: int) -> bytes:
    """A copy that only the server makes."""
    copy = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, copy)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height)
    gl.CopyImageSubData(texture, gl.TEXTURE_2D, 0, 0, 0, 0, copy, gl.TEXTURE_2D, 0, 0, 0, 0, width, height, 1)
    out = ctypes.create_string_buffer(4 * width * height)
    gl.GetTexImage(gl.TEXTURE_2D, 0, gl.RGBA, gl.UNSIGNED_BYTE, out)
    gl.delete("Textures", copy)
    gl.BindTexture(gl.TEXTURE_2D, texture)
    return out.raw


@pytest.mark.parametrize("seed", range(4))
def test_rectangles_in_any_order_arrive_as_they_were_written(drawing, seed):
    """Those that make up a larger one are sent as that."""
    gl, choose, width, height, unit = drawing, random.Random(seed), 96, 80, 16
    texture, model = gl.gen("Textures"), bytearray(4 * width * height)
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height)
    for round_ in range(4):
        tiles = [(x, y, unit, unit) for y in range(0, height, unit) for x in range(0, width, unit)]
        if round_ % 2:
            choose.shuffle(tiles)
        for x, y, w, h in tiles[:choose.randrange(5, len(tiles))]:
            if seed % 2:
                x, y = choose.randrange(width - w), choose.randrange(height - h)
            shade = choose.randbytes(4)
            gl.TexSubImage2D(gl.TEXTURE_2D, 0, x, y, w, h, gl.RGBA, gl.UNSIGNED_BYTE, shade * (w * h))
            for row in range(y, y + h):
                model[4 * (row * width + x):4 * (row * width + x + w)] = shade * w
        if round_ or not seed % 2:
            assert seen_by_the_server(gl, texture, width, height) == model


def test_tiles_written_row_by_row_leave_as_one_piece_and_each_byte_once(gl):
    gl.BindTexture(gl.TEXTURE_2D, gl.gen("Textures"))
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64 * 64 * 4))
    gl.GenerateMipmap(gl.TEXTURE_2D)
    before = gl.loader.stats()
    for i in range(10):
        gl.TexSubImage2D(gl.TEXTURE_2D, 0, 16 * (i % 4), 16 * (i // 4), 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, bytes(1024))
    gl.GenerateMipmap(gl.TEXTURE_2D)
    after = gl.loader.stats()
    assert after["upload_bytes"] - before["upload_bytes"] == 10 * 1024
    assert after["record_bytes"] - before["record_bytes"] < 400        # two regions of 48 bytes, not ten


COVER = b"""#version 330
void main() { gl_Position = vec4((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1, 0, 1); }
"""
SAMPLED = b"""#version 330
uniform %s image; out vec4 color;
void main() { color = texture(image, %s(0.5)); }
"""


def test_a_unit_without_texture_is_sampled_as_black(drawing):
    """Also where another kind of texture was bound to it meanwhile: a unit keeps one of each."""
    gl = drawing
    gl.BindVertexArray(gl.gen("VertexArrays"))
    flat, layered = (program_of(gl, (gl.VERTEX_SHADER, COVER), (gl.FRAGMENT_SHADER, SAMPLED % of))
                     for of in ((b"sampler2D", b"vec2"), (b"sampler2DArray", b"vec3")))

    def drawn(program) -> tuple[int, ...]:
        gl.UseProgram(program)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        return gl.pixel(3, 3)

    black, white = (0, 0, 0, 255), (255, 255, 255, 255)
    assert drawn(flat) == drawn(layered) == black
    one, other = gl.gen("Textures", 2)
    gl.BindTexture(gl.TEXTURE_2D, one)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(white))
    gl.BindTexture(gl.TEXTURE_2D_ARRAY, other)
    gl.TexImage3D(gl.TEXTURE_2D_ARRAY, 0, gl.RGBA8, 1, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(white))
    for target in (gl.TEXTURE_2D, gl.TEXTURE_2D_ARRAY):
        gl.TexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    assert drawn(flat) == drawn(layered) == white
    gl.BindTexture(gl.TEXTURE_2D, 0)
    assert drawn(layered) == white and drawn(flat) == black
    gl.BindTexture(gl.TEXTURE_2D_ARRAY, 0)
    assert drawn(flat) == drawn(layered) == black
    assert gl.error() == "NO_ERROR"
