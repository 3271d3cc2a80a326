"""Every pair of pixel format and type that 3.3 core allows becomes what the specification says, both ways."""

import zlib

import numpy as np
import pytest

pytest.importorskip("mgpipe.front._probe")

from mgpipe.catalogue.formats import FORMATS, PIXEL_FORMATS, PIXEL_TYPES, READ_LAYOUTS, Kind  # noqa: E402
from mgpipe.front import _probe  # noqa: E402
from pixel_model import DTYPE, FORMAT, TYPE, convert, group_bytes, read_groups  # noqa: E402

PAIRS = [(f, t) for f in PIXEL_FORMATS for t in PIXEL_TYPES if _probe.check(f.value, t.value) == 0]
INTERNAL = {f.name: f for f in FORMATS}


def some_pixels(format_name: str, type_name: str, count: int = 67) -> bytes:
    """Every kind of bit pattern for integers; floats that a program could mean, and a few it should not."""
    random = np.random.default_rng(zlib.crc32(f"{format_name} {type_name}".encode()))
    t = TYPE[type_name]
    if t.special == "D32FS8":
        words = np.zeros((count, 2), "<u4")
        words[:, 0] = random.uniform(0, 1, count).astype("<f4").view("<u4")
        words[:, 1] = random.integers(0, 256, count)
        return words.tobytes()
    if t.kind is Kind.FLOAT and not t.fields:
        top = 300 if format_name == "STENCIL_INDEX" else 2
        values = random.uniform(-top, top, count * len(FORMAT[format_name].components))
        values[:5] = [0, 1, -1, 0.5, 1e-3]
        return values.astype("<f4" if type_name == "FLOAT" else "<f2").tobytes()
    data = random.integers(0, 256, count * group_bytes(format_name, type_name)).astype("u1")
    data[:group_bytes(format_name, type_name)] = 0
    data[-group_bytes(format_name, type_name):] = 255
    if t.special == "R11G11B10F":           # no infinities: they are converted exactly, NaN patterns are not
        data = (data.view("<u4") & ~np.uint32((1 << 10) | (1 << 21) | (1 << 31))).view("u1")
    return data.tobytes()


def differences(got: bytes, want: bytes, target: tuple[str, str]) -> int:
    """How many values differ. Two patterns may mean one value: -128 and -127 of a signed byte, shared exponents."""
    t = TYPE[target[1]]
    if got == want:
        return 0
    if t.special == "RGB9E5":
        return int(np.sum(read_groups(got, *target) != read_groups(want, *target)))
    if t.fields or t.special:
        return int(np.sum(np.frombuffer(got, "u1") != np.frombuffer(want, "u1")))
    got_values, want_values = np.frombuffer(got, DTYPE[target[1]]), np.frombuffer(want, DTYPE[target[1]])
    if t.kind is Kind.FLOAT:        # the model's doubles take another way to a float: its last bit may differ
        return int(np.sum(~np.isclose(got_values, want_values, rtol=1e-6, equal_nan=True)))
    if t.kind is Kind.SNORM and not FORMAT[target[0]].integer:
        got_values, want_values = (np.maximum(v, -np.iinfo(v.dtype).max) for v in (got_values, want_values))
    return int(np.sum(got_values != want_values))


@pytest.mark.parametrize("internal", FORMATS, ids=lambda f: f.name)
def test_every_pair_unpacks_as_the_model_says(internal):
    target = (internal.upload, internal.type)
    bits = internal.depth_bits if internal.base == "DEPTH_COMPONENT" else 0
    for f, t in PAIRS:
        if _probe.check(f.value, t.value, internal.value):
            continue
        data = some_pixels(f.name, t.name)
        count = len(data) // group_bytes(f.name, t.name)
        got = _probe.unpack(data, f.value, t.value, internal.value, (count, 1, 1))
        assert differences(got, convert(data, (f.name, t.name), target, depth_bits=bits), target) == 0, (f.name, t.name)


@pytest.mark.parametrize("layout", READ_LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("clamp", [False, True])
def test_every_pair_packs_as_the_model_says(layout, clamp):
    source = READ_LAYOUTS[layout]
    data = some_pixels(*source)
    count = len(data) // group_bytes(*source)
    held = set(FORMAT[source[0]].components)
    tried = 0
    for f, t in PAIRS:
        if f.integer != FORMAT[source[0]].integer or not set(f.components) <= held:
            continue
        into = bytearray(count * group_bytes(f.name, t.name))
        _probe.pack(data, f.value, t.value, (count, 1, 1), into, layout=layout, clamp=clamp, alignment=1)
        want = convert(data, source, (f.name, t.name), clamp)
        assert differences(bytes(into), want, (f.name, t.name)) == 0, (f.name, t.name)
        tried += 1
    assert tried


def test_what_a_level_holds_comes_back_unchanged():
    for internal in FORMATS:
        if internal.name == "DEPTH_COMPONENT24":    # 8 of its 32 bits do not count: see the next test
            continue
        f, t = FORMAT[internal.upload], TYPE[internal.type]
        data = some_pixels(f.name, t.name)
        count = len(data) // group_bytes(f.name, t.name)
        texels = _probe.unpack(data, f.value, t.value, internal.value, (count, 1, 1))
        into = bytearray(len(data))
        _probe.pack(texels, f.value, t.value, (count, 1, 1), into, internal=internal.value, alignment=1)
        assert into == data, internal.name


def test_depth_of_24_bits_reads_as_24_bits():
    values = np.random.default_rng(4).uniform(0, 1, 4096).astype("<f4")
    depth, real, word = FORMAT["DEPTH_COMPONENT"].value, TYPE["FLOAT"].value, TYPE["UNSIGNED_INT"].value
    internal = INTERNAL["DEPTH_COMPONENT24"].value
    cut = np.floor(values.astype(float) * 0xFFFFFF).astype(np.uint32)
    texels = _probe.unpack(values.tobytes(), depth, real, internal, (64, 64, 1))
    floats, words = bytearray(4 * 4096), bytearray(4 * 4096)
    _probe.pack(texels, depth, real, (64, 64, 1), floats, internal=internal)
    _probe.pack(texels, depth, word, (64, 64, 1), words, internal=internal)
    assert np.array_equal(np.frombuffer(floats, "<f4"), (cut / 0xFFFFFF).astype("<f4"))
    assert np.array_equal(np.frombuffer(words, "<u4"), cut << 8 | cut >> 16)


@pytest.mark.parametrize("value, half", [(0.0, 0), (-0.0, 0x8000), (1.0, 0x3C00), (65504.0, 0x7BFF), (65520.0, 0x7C00),
                                         (2.0**-24, 1), (2.0**-25, 0), (3 * 2.0**-25, 2), (np.inf, 0x7C00),
                                         (-np.inf, 0xFC00),
                                         (1 + 2.0**-11, 0x3C00), (1 + 3 * 2.0**-11, 0x3C02)])
def test_floats_become_halves_as_ieee_says(value, half):
    data = np.array([value], "<f4").tobytes()
    got = _probe.unpack(data, FORMAT["RED"].value, TYPE["FLOAT"].value, INTERNAL["R16F"].value, (1, 1, 1))
    assert np.frombuffer(got, "<u2")[0] == half


def test_every_half_survives_a_float():
    halves = np.arange(65536).astype("<u2")
    floats = bytearray(4 * 65536)
    _probe.pack(halves.tobytes(), FORMAT["RED"].value, TYPE["FLOAT"].value, (256, 256, 1), floats,
                internal=INTERNAL["R16F"].value)
    assert np.array_equal(np.frombuffer(floats, "<f4"), halves.view("<f2").astype("<f4"), equal_nan=True)
    narrowed = _probe.unpack(floats, FORMAT["RED"].value, TYPE["FLOAT"].value, INTERNAL["R16F"].value, (256, 256, 1))
    back = np.frombuffer(narrowed, "<u2")
    numbers = ~np.isnan(halves.view("<f2"))
    assert np.array_equal(back[numbers], halves[numbers])
    assert np.isnan(back[~numbers].view("<f2")).all()


def test_negative_and_huge_values_of_packed_floats():
    data = np.array([[-1, 1e9, np.inf]], "<f4").tobytes()
    got = np.frombuffer(_probe.unpack(data, FORMAT["RGB"].value, TYPE["FLOAT"].value, INTERNAL["R11F_G11F_B10F"].value,
                                      (1, 1, 1)), "<u4")[0]
    assert (got & 0x7FF, (got >> 11) & 0x7FF, got >> 22) == (0, 0x7BF, 0x3E0)
