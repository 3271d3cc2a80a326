"""Row length, skips, alignment and byte order say where pixels lie; what lies between stays as it is."""

import numpy as np
import pytest

pytest.importorskip("mgpipe.front._probe")

from mgpipe.catalogue.formats import FORMATS  # noqa: E402
from mgpipe.front import _probe  # noqa: E402
from pixel_model import FORMAT, TYPE, group_bytes  # noqa: E402

INTERNAL = {f.name: f.value for f in FORMATS}
STORES = [
    {}, {"alignment": 1}, {"alignment": 8}, {"row_length": 9}, {"row_length": 9, "skip_pixels": 2, "skip_rows": 1},
    {"image_height": 7, "skip_images": 1}, {"row_length": 11, "image_height": 6, "skip_images": 2, "skip_rows": 1,
                                            "skip_pixels": 3, "alignment": 2},
]
KINDS = [("RGB", "UNSIGNED_BYTE"), ("RED", "UNSIGNED_BYTE"), ("RGBA", "FLOAT"), ("RGB", "UNSIGNED_SHORT_5_6_5"),
         ("BGRA", "UNSIGNED_BYTE"), ("RG", "HALF_FLOAT")]
SIZE = 5, 4, 3


def addresses(kind, store) -> np.ndarray:
    """Where each texel starts, by the formulas of specification 8.4.4.1."""
    group = group_bytes(*kind)
    width, height, depth = SIZE
    unit = store.get("alignment", 4)
    row = -(-group * (store.get("row_length") or width) // unit) * unit
    image = row * (store.get("image_height") or height)
    z, y, x = np.mgrid[0:depth, 0:height, 0:width]
    return ((z + store.get("skip_images", 0)) * image + (y + store.get("skip_rows", 0)) * row
            + (x + store.get("skip_pixels", 0)) * group)


def gather(memory: bytes, kind, store) -> bytes:
    group = group_bytes(*kind)
    return b"".join(memory[at:at + group] for at in addresses(kind, store).ravel())


@pytest.mark.parametrize("store", STORES, ids=str)
@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_unpacking_reads_the_right_bytes(kind, store):
    format_value, type_value = FORMAT[kind[0]].value, TYPE[kind[1]].value
    first, size = _probe.extent(format_value, type_value, SIZE, **store)
    memory = np.random.default_rng(1).integers(0, 64, first + size).astype("u1").tobytes()
    internal = {"RED": "R8", "RG": "RG16F", "RGB": "RGB8", "RGBA": "RGBA32F", "BGRA": "RGBA8"}[kind[0]]
    tight = gather(memory, kind, store)
    expected = _probe.unpack(tight, format_value, type_value, INTERNAL[internal], SIZE, alignment=1)
    assert _probe.unpack(memory, format_value, type_value, INTERNAL[internal], SIZE, **store) == expected


@pytest.mark.parametrize("store", STORES, ids=str)
@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_packing_writes_the_right_bytes_and_no_other(kind, store):
    format_value, type_value = FORMAT[kind[0]].value, TYPE[kind[1]].value
    texels = np.random.default_rng(2).integers(0, 256, 5 * 4 * 3 * 4).astype("u1").tobytes()
    first, size = _probe.extent(format_value, type_value, SIZE, **store)
    memory = bytearray(b"\xA5" * (first + size + 16))
    tight = bytearray(len(addresses(kind, store).ravel()) * group_bytes(*kind))
    _probe.pack(texels, format_value, type_value, SIZE, memory, internal=INTERNAL["RGBA8"], **store)
    _probe.pack(texels, format_value, type_value, SIZE, tight, internal=INTERNAL["RGBA8"], alignment=1)
    assert gather(memory, kind, store) == tight
    touched = np.zeros(len(memory), bool)
    for offset in range(group_bytes(*kind)):
        touched[addresses(kind, store).ravel() + offset] = True
    assert set(np.frombuffer(memory, "u1")[~touched]) <= {0xA5}


@pytest.mark.parametrize("type_name, unit", [("UNSIGNED_SHORT", 2), ("FLOAT", 4), ("UNSIGNED_BYTE", 1), ("HALF_FLOAT",
                                                                                                         2)])
def test_swapped_bytes_are_swapped_back(type_name, unit):
    kind = FORMAT["RGBA"].value, TYPE[type_name].value
    data = np.random.default_rng(3).integers(0, 60, 4 * 3 * 4 * unit).astype("u1")
    swapped = data.reshape(-1, unit)[:, ::-1].tobytes()
    size = 3, 4, 1
    native = _probe.unpack(data.tobytes(), *kind, INTERNAL["RGBA32F"], size)
    assert _probe.unpack(swapped, *kind, INTERNAL["RGBA32F"], size, swap_bytes=1) == native
    into, plain = bytearray(len(data)), bytearray(len(data))
    _probe.pack(native, *kind, size, into, internal=INTERNAL["RGBA32F"], swap_bytes=1)
    _probe.pack(native, *kind, size, plain, internal=INTERNAL["RGBA32F"])
    assert np.array_equal(np.frombuffer(into, "u1").reshape(-1, unit)[:, ::-1].ravel(), np.frombuffer(plain, "u1"))


def test_depth_stencil_floats_swap_by_words():
    kind = FORMAT["DEPTH_STENCIL"].value, TYPE["FLOAT_32_UNSIGNED_INT_24_8_REV"].value
    words = np.zeros((6, 2), "<u4")
    words[:, 0] = np.linspace(0, 1, 6).astype("<f4").view("<u4")
    words[:, 1] = range(6)
    got = _probe.unpack(words.byteswap().tobytes(), *kind, INTERNAL["DEPTH32F_STENCIL8"], (6, 1, 1), swap_bytes=1)
    assert got == words.tobytes()


def test_a_part_of_a_level_leaves_the_rest_alone():
    data = bytes(range(1, 2 * 2 * 4 + 1))
    kind = FORMAT["RGBA"].value, TYPE["UNSIGNED_BYTE"].value
    texels = _probe.unpack(data, *kind, INTERNAL["RGBA8"], (2, 2, 1), row_texels=5, offset_texels=1)
    got = np.frombuffer(texels, "u1")
    assert got[4:12].tobytes() == data[:8] and got[24:32].tobytes() == data[8:]
    assert not got[:4].any() and not got[12:24].any() and not got[32:].any()
