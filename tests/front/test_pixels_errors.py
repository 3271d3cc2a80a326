"""Formats, types and internal formats that do not go together are the error the specification names."""

import pytest

pytest.importorskip("mgpipe.front._probe")

from mgpipe.catalogue.formats import FORMATS, PIXEL_FORMATS, PIXEL_TYPES  # noqa: E402
from mgpipe.front import _probe  # noqa: E402

FORMAT = {f.name: f.value for f in PIXEL_FORMATS}
TYPE = {t.name: t.value for t in PIXEL_TYPES}
INTERNAL = {f.name: f.value for f in FORMATS}
NO_ERROR, INVALID_ENUM, INVALID_OPERATION = 0, 0x0500, 0x0502


@pytest.mark.parametrize("format_name, type_name, error", [
    ("RGBA", "UNSIGNED_BYTE", NO_ERROR),
    ("RGB", "UNSIGNED_SHORT_5_6_5", NO_ERROR),
    ("RGBA", "UNSIGNED_SHORT_5_6_5", INVALID_OPERATION),
    ("BGR", "UNSIGNED_BYTE_3_3_2", INVALID_OPERATION),
    ("RGB", "UNSIGNED_INT_8_8_8_8", INVALID_OPERATION),
    ("BGRA", "UNSIGNED_INT_8_8_8_8_REV", NO_ERROR),
    ("RGB", "UNSIGNED_INT_10F_11F_11F_REV", NO_ERROR),
    ("RGBA", "UNSIGNED_INT_5_9_9_9_REV", INVALID_OPERATION),
    ("DEPTH_STENCIL", "UNSIGNED_INT_24_8", NO_ERROR),
    ("DEPTH_STENCIL", "FLOAT", INVALID_ENUM),
    ("DEPTH_COMPONENT", "UNSIGNED_INT_24_8", INVALID_OPERATION),
    ("RGBA_INTEGER", "FLOAT", INVALID_ENUM),
    ("RGBA_INTEGER", "HALF_FLOAT", INVALID_ENUM),
    ("RGBA_INTEGER", "UNSIGNED_INT_2_10_10_10_REV", NO_ERROR),
])
def test_format_and_type(format_name, type_name, error):
    assert _probe.check(FORMAT[format_name], TYPE[type_name]) == error


def test_names_that_are_none():
    assert _probe.check(0x1909, TYPE["UNSIGNED_BYTE"]) == INVALID_ENUM      # GL_LUMINANCE: not in core
    assert _probe.check(FORMAT["RGBA"], 0x140A) == INVALID_ENUM             # GL_DOUBLE


@pytest.mark.parametrize("format_name, type_name, internal, reading, error", [
    ("RGBA", "UNSIGNED_BYTE", "R8", False, NO_ERROR),
    ("RED", "FLOAT", "RGBA32F", False, NO_ERROR),
    ("RGBA", "UNSIGNED_BYTE", "RGBA8UI", False, INVALID_OPERATION),
    ("RGBA_INTEGER", "UNSIGNED_BYTE", "RGBA8", False, INVALID_OPERATION),
    ("RGBA_INTEGER", "INT", "R8UI", False, NO_ERROR),
    ("DEPTH_COMPONENT", "FLOAT", "RGBA8", False, INVALID_OPERATION),
    ("RGBA", "UNSIGNED_BYTE", "DEPTH_COMPONENT24", False, INVALID_OPERATION),
    ("DEPTH_COMPONENT", "FLOAT", "DEPTH24_STENCIL8", False, NO_ERROR),
    ("DEPTH_STENCIL", "UNSIGNED_INT_24_8", "DEPTH_COMPONENT24", False, NO_ERROR),
    ("DEPTH_STENCIL", "UNSIGNED_INT_24_8", "DEPTH_COMPONENT24", True, INVALID_OPERATION),
    ("STENCIL_INDEX", "UNSIGNED_BYTE", "DEPTH24_STENCIL8", True, NO_ERROR),
    ("STENCIL_INDEX", "UNSIGNED_BYTE", "RGBA8", True, INVALID_OPERATION),
])
def test_data_and_internal_format(format_name, type_name, internal, reading, error):
    assert _probe.check(FORMAT[format_name], TYPE[type_name], INTERNAL[internal], reading) == error
