"""Value state: initial values, what a setter writes, what a wrong call leaves, and how values convert."""

import ctypes
from math import inf, nan

import pytest

from gl import enumerants
from registry import error_of, floats, integers, typed_gl  # noqa: F401
from mgpipe.catalogue import gets, limits
from mgpipe.client.connect import connect


def enum(name: str) -> int:
    return enumerants()[name.removeprefix("GL_")]


def named(*names: str) -> list[int]:
    return [enum(f"GL_{name}") for name in names]


# What specification 3.3, section 6.2, calls initial.
INITIAL = [
    ("BLEND_SRC_RGB", [1]), ("BLEND_DST_ALPHA", [0]), ("BLEND_EQUATION_RGB", named("FUNC_ADD")),
    ("BLEND_COLOR", [0, 0, 0, 0]), ("COLOR_WRITEMASK", [1, 1, 1, 1]), ("COLOR_CLEAR_VALUE", [0, 0, 0, 0]),
    ("LOGIC_OP_MODE", named("COPY")), ("DEPTH_FUNC", named("LESS")), ("DEPTH_WRITEMASK", [1]), ("STENCIL_REF", [0]),
    ("STENCIL_FUNC", named("ALWAYS")), ("STENCIL_BACK_PASS_DEPTH_PASS", named("KEEP")), ("STENCIL_WRITEMASK", [-1]),
    ("STENCIL_BACK_VALUE_MASK", [-1]), ("CULL_FACE_MODE", named("BACK")), ("FRONT_FACE", named("CCW")),
    ("POLYGON_MODE", named("FILL", "FILL")), ("LINE_WIDTH", [1]), ("POINT_SIZE", [1]),
    ("POINT_FADE_THRESHOLD_SIZE", [1]), ("POINT_SPRITE_COORD_ORIGIN", named("UPPER_LEFT")),
    ("PROVOKING_VERTEX", named("LAST_VERTEX_CONVENTION")), ("PRIMITIVE_RESTART_INDEX", [0]),
    ("SAMPLE_COVERAGE_VALUE", [1]), ("SAMPLE_COVERAGE_INVERT", [0]), ("MULTISAMPLE", [1]), ("DITHER", [1]),
    ("DEPTH_TEST", [0]), ("BLEND", [0]), ("SCISSOR_TEST", [0]), ("PROGRAM_POINT_SIZE", [0]),
    ("UNPACK_ALIGNMENT", [4]), ("PACK_ALIGNMENT", [4]), ("PACK_ROW_LENGTH", [0]), ("ACTIVE_TEXTURE", named("TEXTURE0")),
    ("CLAMP_READ_COLOR", named("FIXED_ONLY")), ("LINE_SMOOTH_HINT", named("DONT_CARE")), ("CURRENT_PROGRAM", [0]),
    ("VERTEX_ARRAY_BINDING", [0]), ("DRAW_FRAMEBUFFER_BINDING", [0]), ("DRAW_BUFFER", [0]), ("MAJOR_VERSION", [3]),
    ("MINOR_VERSION", [3]), ("CONTEXT_PROFILE_MASK", [1]), ("SCISSOR_BOX", [0, 0, 0, 0]), ("VIEWPORT", [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("name", "value"), INITIAL, ids=[name for name, _ in INITIAL])
def test_initial_value(gl, name, value):
    assert integers(enum(f"GL_{name}"), len(value)) == value


ALL_VALUES = [get.name for get in gets.VALUES] + [limit.gl_name for limit in limits.LIMITS if not limit.indexed]


@pytest.mark.parametrize("name", ALL_VALUES)
def test_every_entry_of_the_table_is_answered_in_every_type(gl, name):
    raw = (ctypes.c_ubyte * 64)
    for get in (gl.GetIntegerv, gl.GetFloatv, gl.GetDoublev, gl.GetBooleanv, gl.GetInteger64v):
        buffer = raw()
        get(enum(name), buffer)
    assert gl.GetError() == 0


def test_limits_are_at_least_what_the_version_promises(gl):
    for limit in limits.LIMITS:
        if limit.minimum > 0 and "ALIGNMENT" not in limit.gl_name and "RANGE" not in limit.gl_name and limit.source and not limit.indexed:
            assert all(value >= limit.minimum for value in floats(limit.gl_enum, limit.count)), limit.gl_name


@pytest.mark.parametrize("name", [*gets.CAPABILITIES, "GL_BLEND", "GL_CLIP_DISTANCE0", "GL_CLIP_DISTANCE7", "GL_DEBUG_OUTPUT"])
def test_a_capability_is_what_was_set_last(gl, name):
    cap = enum(name)
    for call, expected in ((gl.Enable, 1), (gl.Enable, 1), (gl.Disable, 0), (gl.Enable, 1)):
        call(cap)
        assert (gl.IsEnabled(cap), *integers(cap)) == (expected, expected)


def test_blending_is_a_capability_of_each_draw_buffer(gl):
    blend = enum("GL_BLEND")
    gl.Enablei(blend, 3)
    assert [gl.IsEnabledi(blend, i) for i in range(8)] == [0, 0, 0, 1, 0, 0, 0, 0] and not gl.IsEnabled(blend)
    gl.Enable(blend)
    gl.Disablei(blend, 0)
    assert [gl.IsEnabledi(blend, i) for i in range(8)] == [0, 1, 1, 1, 1, 1, 1, 1]
    assert error_of(gl.Enablei, blend, 8) == "invalid value"
    assert error_of(gl.IsEnabledi, blend, 8) == "invalid value"
    assert error_of(gl.Enablei, enum("GL_DEPTH_TEST"), 0) == "invalid enum"


def fa(*values):
    return (ctypes.c_float * len(values))(*values)


SETTERS = [  # command, arguments, what to get, what it is then
    ("BlendFuncSeparate", named("SRC_ALPHA", "ONE", "ZERO", "DST_ALPHA"), "BLEND_SRC_RGB", named("SRC_ALPHA")),
    ("BlendFuncSeparate", named("SRC_ALPHA", "ONE", "ZERO", "DST_ALPHA"), "BLEND_DST_ALPHA", named("DST_ALPHA")),
    ("BlendFunc", named("SRC1_COLOR", "SRC_ALPHA_SATURATE"), "BLEND_DST_RGB", named("SRC_ALPHA_SATURATE")),
    ("BlendEquationSeparate", named("MIN", "FUNC_REVERSE_SUBTRACT"), "BLEND_EQUATION_ALPHA", named("FUNC_REVERSE_SUBTRACT")),
    ("LogicOp", named("XOR"), "LOGIC_OP_MODE", named("XOR")),
    ("ColorMask", [1, 0, 7, 0], "COLOR_WRITEMASK", [1, 0, 1, 0]),
    ("DepthFunc", named("GEQUAL"), "DEPTH_FUNC", named("GEQUAL")),
    ("DepthMask", [0], "DEPTH_WRITEMASK", [0]),
    ("StencilFuncSeparate", [*named("BACK", "LEQUAL"), -3, 0xF0], "STENCIL_BACK_REF", [-3]),
    ("StencilFuncSeparate", [*named("BACK", "LEQUAL"), -3, 0xF0], "STENCIL_REF", [0]),
    ("StencilOpSeparate", named("FRONT", "INCR_WRAP", "INVERT", "DECR"), "STENCIL_PASS_DEPTH_FAIL", named("INVERT")),
    ("StencilMask", [0xFFFF0000], "STENCIL_BACK_WRITEMASK", [-65536]),
    ("Scissor", [-5, 6, 70, 80], "SCISSOR_BOX", [-5, 6, 70, 80]),
    ("Viewport", [-1, 2, 30, 40], "VIEWPORT", [-1, 2, 30, 40]),
    ("ClearStencil", [-9], "STENCIL_CLEAR_VALUE", [-9]),
    ("CullFace", named("FRONT_AND_BACK"), "CULL_FACE_MODE", named("FRONT_AND_BACK")),
    ("FrontFace", named("CW"), "FRONT_FACE", named("CW")),
    ("PolygonMode", named("FRONT_AND_BACK", "LINE"), "POLYGON_MODE", named("LINE", "LINE")),
    ("LineWidth", [2.5], "LINE_WIDTH", [2]),    # rounds half to even
    ("PointSize", [7.0], "POINT_SIZE", [7]),
    ("PointParameteri", named("POINT_SPRITE_COORD_ORIGIN", "LOWER_LEFT"), "POINT_SPRITE_COORD_ORIGIN", named("LOWER_LEFT")),
    ("PointParameterf", [enum("GL_POINT_FADE_THRESHOLD_SIZE"), 3.0], "POINT_FADE_THRESHOLD_SIZE", [3]),
    ("PrimitiveRestartIndex", [0xFFFFFFFF], "PRIMITIVE_RESTART_INDEX", [-1]),
    ("ProvokingVertex", named("FIRST_VERTEX_CONVENTION"), "PROVOKING_VERTEX", named("FIRST_VERTEX_CONVENTION")),
    ("SampleMaski", [0, 0x55], "SAMPLE_MASK_VALUE", [0x55]),
    ("SampleCoverage", [0.25, 1], "SAMPLE_COVERAGE_INVERT", [1]),
    ("ClampColor", named("CLAMP_READ_COLOR") + [0], "CLAMP_READ_COLOR", [0]),
    ("Hint", named("TEXTURE_COMPRESSION_HINT", "NICEST"), "TEXTURE_COMPRESSION_HINT", named("NICEST")),
    ("PixelStorei", [*named("UNPACK_ALIGNMENT"), 1], "UNPACK_ALIGNMENT", [1]),
    ("PixelStorei", [*named("PACK_SWAP_BYTES"), 5], "PACK_SWAP_BYTES", [1]),
    ("PixelStoref", [*named("PACK_SKIP_ROWS"), 2.6], "PACK_SKIP_ROWS", [3]),
]


@pytest.mark.parametrize(("command", "arguments", "name", "value"), SETTERS, ids=[f"{s[0]}-{s[2]}" for s in SETTERS])
def test_a_setter_is_seen_by_a_get(gl, command, arguments, name, value):
    getattr(gl, command)(*arguments)
    assert integers(enum(f"GL_{name}"), len(value)) == value


BAD = 0x7777
WRONG = [  # command, arguments, error
    ("Enable", [BAD], "invalid enum"), ("Disable", [BAD], "invalid enum"), ("IsEnabled", [BAD], "invalid enum"),
    ("Enable", [enum("GL_CLIP_DISTANCE0") + 8], "invalid enum"), ("Enable", [0x0DE1], "invalid enum"),  # GL_TEXTURE_2D
    ("BlendFunc", [1, BAD], "invalid enum"), ("BlendFunci", [8, 1, 1], "invalid value"), ("BlendEquation", [BAD], "invalid enum"),
    ("BlendEquationi", [8, enum("GL_FUNC_ADD")], "invalid value"), ("LogicOp", [1], "invalid enum"),
    ("ColorMaski", [8, 1, 1, 1, 1], "invalid value"), ("DepthFunc", [BAD], "invalid enum"),
    ("StencilFunc", [BAD, 0, 0], "invalid enum"), ("StencilFuncSeparate", [BAD, 0x0200, 0, 0], "invalid enum"),
    ("StencilOp", [BAD, 0, 0], "invalid enum"), ("StencilMaskSeparate", [BAD, 0], "invalid enum"),
    ("Scissor", [0, 0, -1, 1], "invalid value"), ("Viewport", [0, 0, 1, -1], "invalid value"),
    ("CullFace", [BAD], "invalid enum"), ("FrontFace", [BAD], "invalid enum"),
    ("PolygonMode", named("FRONT", "LINE"), "invalid enum"), ("PolygonMode", [0x0408, BAD], "invalid enum"),
    ("LineWidth", [0.0], "invalid value"), ("LineWidth", [-inf], "invalid value"), ("LineWidth", [nan], "invalid value"),
    ("PointSize", [0.0], "invalid value"), ("PointParameterf", [BAD, 1.0], "invalid enum"),
    ("PointParameterf", [enum("GL_POINT_FADE_THRESHOLD_SIZE"), -1.0], "invalid value"),
    ("PointParameteri", [enum("GL_POINT_SPRITE_COORD_ORIGIN"), 3], "invalid value"), ("SampleMaski", [1, 0], "invalid value"),
    ("ProvokingVertex", [BAD], "invalid enum"), ("ClampColor", [0x891A, 1], "invalid enum"),
    ("ClampColor", [enum("GL_CLAMP_READ_COLOR"), 2], "invalid enum"), ("Hint", [BAD, 0x1100], "invalid enum"),
    ("Hint", [enum("GL_LINE_SMOOTH_HINT"), BAD], "invalid enum"), ("PixelStorei", [BAD, 0], "invalid enum"),
    ("PixelStorei", [enum("GL_PACK_ALIGNMENT"), 3], "invalid value"),
    ("PixelStorei", [enum("GL_UNPACK_ROW_LENGTH"), -1], "invalid value"),
    ("GetString", [enum("GL_EXTENSIONS")], "invalid enum"), ("GetStringi", [enum("GL_EXTENSIONS"), 1000], "invalid value"),
    ("GetIntegerv", [BAD, fa(0)], "invalid enum"), ("GetIntegeri_v", [BAD, 0, fa(0)], "invalid enum"),
    ("GetIntegeri_v", [enum("GL_UNIFORM_BUFFER_BINDING"), 84, fa(0)], "invalid value"),
]


@pytest.mark.parametrize(("command", "arguments", "error"), WRONG, ids=[f"{w[0]}-{i}" for i, w in enumerate(WRONG)])
def test_a_wrong_call_leaves_its_error(gl, command, arguments, error):
    assert error_of(getattr(gl, command), *arguments) == error


def test_a_wrong_call_changes_nothing(gl):
    names = [enum(f"GL_{name}") for name, value in INITIAL if len(value) == 1]
    before = [integers(name) for name in names]
    for command, arguments, _ in WRONG:
        getattr(gl, command)(*arguments)
    gl.GetError()
    assert [integers(name) for name in names] == before


def test_the_first_error_stays_until_it_is_asked_for(gl):
    gl.Enable(BAD)
    gl.LineWidth(-1.0)
    assert [gl.GetError(), gl.GetError()] == [0x0500, 0]


def test_colours_and_depths_scale_to_the_range_of_an_integer(gl):
    gl.ClearColor(0.0, 1.0, -1.0, 2.0)
    assert integers(enum("GL_COLOR_CLEAR_VALUE"), 4) == [0, 2**31 - 1, -(2**31 - 1), 2**31 - 1]
    assert floats(enum("GL_COLOR_CLEAR_VALUE"), 4) == [0.0, 1.0, -1.0, 2.0]
    gl.DepthRange(-3.0, 0.5)
    assert floats(enum("GL_DEPTH_RANGE"), 2) == [0.0, 0.5]
    assert integers(enum("GL_DEPTH_RANGE"), 2) == [0, 2**30]


def test_a_mask_keeps_its_bits_as_an_int_and_its_value_as_a_long(gl):
    wide = (ctypes.c_int64 * 1)()
    gl.GetInteger64v(enum("GL_STENCIL_WRITEMASK"), wide)
    assert wide[0] == 0xFFFFFFFF and integers(enum("GL_STENCIL_WRITEMASK")) == [-1]


def test_a_scissor_box_may_reach_beyond_an_int(gl):
    gl.Scissor(2**31 - 2, 0, 2**31 - 1, 1)
    assert integers(enum("GL_SCISSOR_BOX"), 4)[:2] == [2**31 - 2, 0]


def test_strings_say_what_this_is(gl):
    version, renderer, glsl = (gl.GetString(enum(f"GL_{n}")).decode() for n in ("VERSION", "RENDERER", "SHADING_LANGUAGE_VERSION"))
    assert version.startswith("3.3 (Core Profile) mgpipe ") and renderer == "mgpipe on null" and glsl == "3.30"


def test_extensions_are_counted_as_they_are_listed(gl):
    count = integers(enum("GL_NUM_EXTENSIONS"))[0]
    names = [gl.GetStringi(enum("GL_EXTENSIONS"), i).decode() for i in range(count)]
    core = {version: {f"GL_{name}" for name in listed.split()} for version, listed in gets.CORE_EXTENSIONS.items()}
    assert len(set(names)) == count > 0
    assert set(names) - core[33] <= {name for name, _ in gets.EXTENSIONS} and core[33] <= set(names)


def test_extensions_of_newer_versions_come_with_the_version(gl46):
    count = gl46.get_int("GetIntegerv", gl46.NUM_EXTENSIONS)
    names = {gl46.GetStringi(gl46.EXTENSIONS, i).decode() for i in range(count)}
    assert {f"GL_{name}" for listed in gets.CORE_EXTENSIONS.values() for name in listed.split()} <= names


def test_no_get_is_a_round_trip(gl):
    session = connect(topology="monolith", driver="null")
    before = session.stats()["round_trips"]
    for name in ALL_VALUES:
        gl.GetIntegerv(enum(name), (ctypes.c_int * 16)())
    assert session.stats()["round_trips"] == before
