"""The format tables agree with themselves and with the specification, and their generator refuses what does not."""

import dataclasses
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

from mgpipe.catalogue import formats
from mgpipe.catalogue.formats import FORMATS, PIXEL_FORMATS, PIXEL_TYPES, READ_LAYOUTS, STORED_AS, Kind, ReadLayout

BY_NAME = {f.name: f for f in FORMATS}


@pytest.fixture(scope="module")
def generator():
    path = Path(__file__).parents[1] / "generator" / "formats.py"
    spec = importlib.util.spec_from_file_location("generator_formats", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(**columns) -> SimpleNamespace:
    return SimpleNamespace(**{**vars(formats), **columns})


def test_declaration_is_consistent(generator):
    generator.check(formats)


@pytest.mark.parametrize("name, change, complaint", [
    ("R8", {"upload": "RG"}, "components"),
    ("R8", {"upload": "RED_INTEGER"}, "contradict"),
    ("R8", {"type": "UNSIGNED_SHORT_5_6_5"}, "does not go with"),
    ("R8", {"read": ReadLayout.DEPTH32F}, "components"),
    ("R8", {"value": BY_NAME["RG8"].value}, "twice"),
    ("RGB16F", {"es_render": "RGBA16FF"}, "does not exist"),
])
def test_generator_refuses_a_wrong_format(generator, name, change, complaint):
    rows = [dataclasses.replace(f, **change) if f.name == name else f for f in FORMATS]
    with pytest.raises(generator.Inconsistent, match=complaint):
        generator.check(changed(FORMATS=rows))


def test_generator_refuses_a_packed_type_with_holes(generator):
    rows = [dataclasses.replace(t, fields=((0, 3), (3, 3), (6, 1))) if t.name == "UNSIGNED_BYTE_2_3_3_REV" else t
            for t in PIXEL_TYPES]
    with pytest.raises(generator.Inconsistent, match="do not fill"):
        generator.check(changed(PIXEL_TYPES=rows))


def test_a_format_keeps_its_bits_in_its_canonical_layout(generator):
    for f in FORMATS:
        if not f.shared_bits:
            bits = sum(f.bits) + f.depth_bits + f.stencil_bits
            assert 8 * generator.texel_bytes(formats, f.upload, f.type) >= bits, f.name


def test_every_internal_format_of_core_3_3_is_known():
    known = set(BY_NAME) | {name for name, _ in STORED_AS}
    colors = {f"{base}{bits}{kind}" for base in ("R", "RG", "RGB", "RGBA") for bits, kind in
              [(8, ""), (8, "_SNORM"), (16, ""), (16, "_SNORM"), (16, "F"), (32, "F"), (8, "I"), (8, "UI"), (16, "I"),
               (16, "UI"), (32, "I"), (32, "UI")]}
    others = {"R3_G3_B2", "RGB4", "RGB5", "RGB10", "RGB12", "RGBA2", "RGBA4", "RGB5_A1", "RGB10_A2", "RGB10_A2UI", "RGBA12",
              "SRGB8", "SRGB8_ALPHA8", "R11F_G11F_B10F", "RGB9_E5", "DEPTH_COMPONENT16", "DEPTH_COMPONENT24",
              "DEPTH_COMPONENT32", "DEPTH_COMPONENT32F", "DEPTH24_STENCIL8", "DEPTH32F_STENCIL8", "STENCIL_INDEX8",
              "COMPRESSED_RED_RGTC1", "COMPRESSED_SIGNED_RED_RGTC1", "COMPRESSED_RG_RGTC2", "COMPRESSED_SIGNED_RG_RGTC2"}
    assert colors | others <= known


def test_values_are_those_of_the_registry():
    glad = pytest.importorskip("glad")
    import xml.etree.ElementTree as ET
    registry = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml")
    enums = [e for e in registry.iter("enum") if e.get("value", "").startswith("0x")]
    values = {e.get("name"): int(e.get("value"), 0) for e in enums}
    rows = [(r.name, r.value) for r in (*FORMATS, *PIXEL_FORMATS, *PIXEL_TYPES)]
    rows += STORED_AS
    assert [(n, hex(v)) for n, v in rows if values["GL_" + n] != v] == []


def test_reads_lose_nothing():
    for f in FORMATS:
        if f.kind is Kind.UNORM:
            most = {ReadLayout.RGBA8: 255, ReadLayout.RGBA16: 65535}.get(f.read)
            exact = most and all(most % (2**bits - 1) == 0 for bits in f.bits if bits)
            assert exact or f.read is ReadLayout.RGBA32F and not all(65535 % (2**bits - 1) == 0 for bits in f.bits if bits), f.name
        if f.kind in (Kind.FLOAT, Kind.SNORM):
            assert f.read is ReadLayout.RGBA32F, f.name
    assert set(READ_LAYOUTS) == set(ReadLayout)


def test_read_layouts_are_those_of_the_boundary():
    from mgpipe.catalogue import enums
    assert {k: int(v) for k, v in enums.ENUMS["READ_LAYOUT"].items()} == {layout.name: int(layout) for layout in ReadLayout}
