"""What is fixed about the catalogue: positions, sizes, waits, the fingerprint, the generated page and the Caps struct."""

import dataclasses
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import catalogue as generator
import glad
import pytest
from records import BOUNDARY

from mgpipe.catalogue import _codec, calls, enums, layout, limits, snapshot
from mgpipe.catalogue.declare import Catalogue, Struct, Wait
from mgpipe.catalogue.fingerprint import description, fingerprint

ROOT = Path(__file__).parents[2]
PINNED = Path(__file__).with_name("positions.txt")
STRUCTS = [*calls.STRUCTS, *snapshot.STRUCTS, Struct("Caps", limits.CAPS_FIELDS)]


def read(rows=calls.CALLS, structs=STRUCTS, events=calls.EVENTS, kinds=calls.HANDLE_KINDS):
    return layout.read(Catalogue(kinds, list(structs), list(rows), list(events)), BOUNDARY.enums, enums.FLAGS)


def positions(boundary) -> list[str]:
    rows = [f"{r.op} {r.name} {r.payload.size if r.payload else 0} {r.call.wait.value}" for r in boundary.rows]
    return rows + [f"event {e.op} {e.name} {e.payload.size if e.payload else 0}" for e in boundary.events]


def moved(boundary) -> list[str]:
    """Pinned lines that are no longer what they were. New rows at the end are no move."""
    return [line for line in PINNED.read_text().splitlines() if line not in positions(boundary)]


def test_rows_stay_where_they_are_and_keep_their_size():
    assert moved(BOUNDARY) == []


def test_every_row_is_pinned():
    assert set(positions(BOUNDARY)) == set(PINNED.read_text().splitlines())


@pytest.mark.parametrize("rows", [
    (calls.CALLS[1], calls.CALLS[0], *calls.CALLS[2:]),
    (calls.call("first", calls.Class.VERB), *calls.CALLS),
    (*calls.CALLS[:5], *calls.CALLS[6:]),
    (*calls.CALLS[:-1], dataclasses.replace(calls.CALLS[-1], fields=(*calls.CALLS[-1].fields, "more u64"))),
], ids=["swapped", "inserted", "removed", "widened"])
def test_control_a_row_that_moves_or_grows_is_seen(rows):
    assert moved(read(rows))


def test_appending_a_row_moves_nothing():
    assert moved(read((*calls.CALLS, calls.call("last", calls.Class.VERB)))) == []


def test_a_retired_row_keeps_its_place_and_leaves_the_tables():
    retired = dataclasses.replace(calls.CALLS[3], retired=True)
    boundary = read((*calls.CALLS[:3], retired, *calls.CALLS[4:]))
    assert moved(boundary) == []
    sources = generator.sources(boundary)
    assert f"(*{retired.name})" not in sources["pipe.h"]
    assert f"PIPE_OP_{retired.name.upper()}" not in sources["decode.pxi"]


def test_only_what_cannot_be_known_without_the_server_waits():
    waiting = {r.name for r in BOUNDARY.rows if r.call.wait is Wait.REPLY}
    assert waiting == {
        "get_caps", "map_persistent", "fence_wait", "shared_image", "query_result", "timestamp", "resource_readback",
        "get_texture_image", "read_pixels", "get_sample_positions", "finish", "count_living", "await_present", "trace",
    }
    assert [r.name for r in BOUNDARY.rows if r.call.wait is Wait.PRESENT] == ["present"]


# -- fingerprint

def test_the_fingerprint_compiled_in_is_that_of_the_declarations():
    assert _codec.fingerprint() == fingerprint()


def with_call(index, **change):
    return (*calls.CALLS[:index], dataclasses.replace(calls.CALLS[index], **change), *calls.CALLS[index + 1:])


DRAW = next(i for i, c in enumerate(calls.CALLS) if c.name == "draw_vbo")


@pytest.mark.parametrize("other", [
    lambda: read(with_call(DRAW, fields=tuple(f.replace("base_vertex", "base_index") for f in calls.CALLS[DRAW].fields))),
    lambda: read(with_call(DRAW, fields=(calls.CALLS[DRAW].fields[1], calls.CALLS[DRAW].fields[0], *calls.CALLS[DRAW].fields[2:]))),
    lambda: read(with_call(DRAW, fields=tuple(f.replace("first u32", "first i32") for f in calls.CALLS[DRAW].fields))),
    lambda: read(with_call(DRAW, fields=tuple(f.replace(" in PRIMITIVE", "") for f in calls.CALLS[DRAW].fields))),
    lambda: read(with_call(DRAW, flags=frozenset({"optional"}))),
    lambda: read(with_call(DRAW, cls=calls.Class.STATE)),
    lambda: read(with_call(0, wait=Wait.NONE)),
    lambda: read(structs=[dataclasses.replace(s, fields=(*s.fields, "more u64")) if s.name == "Blob" else s for s in STRUCTS]),
    lambda: read(kinds=(*calls.HANDLE_KINDS, "more")),
    lambda: read(events=calls.EVENTS[:-1]),
], ids=["renamed", "reordered", "retyped", "unchecked", "flag", "class", "wait", "struct", "kind", "event"])
def test_any_change_of_what_travels_changes_the_fingerprint(other):
    assert fingerprint(other()) != fingerprint()


def test_a_change_of_words_does_not():
    assert fingerprint(read(with_call(DRAW, doc="Draws."))) == fingerprint()
    assert "Draws." not in description(read(with_call(DRAW, doc="Draws.")))


# -- the page

def test_the_committed_page_is_that_of_the_declarations(tmp_path):
    fresh = tmp_path / "catalogue.md"
    subprocess.run([sys.executable, "-B", ROOT / "generator/catalogue.py", "--page", fresh], check=True)
    assert fresh.read_text() == (ROOT / "docs/catalogue.md").read_text(), "run `make catalogue` and look at the difference"


def test_control_the_page_shows_every_row_and_a_changed_one_differently():
    from reference_page import page

    committed = (ROOT / "docs/catalogue.md").read_text()
    for row in (*BOUNDARY.rows, *BOUNDARY.events):
        assert f"### {row.op} `{row.name}`" in committed
    for number in calls.NOT_CARRIED:
        assert f"- {number}: " in committed
    assert page(read(with_call(DRAW, doc="Draws."))) != committed


# -- Caps

CAPS = {m.name: m for s in BOUNDARY.structs if s.name == "Caps" for m in s.members}


def test_limits_lie_in_caps_where_the_compiled_table_says():
    assert len(_codec.limits()) == len(limits.LIMITS)
    kinds = {0: "i32", 1: "i64", 2: "f32"}
    for limit, row in zip(limits.LIMITS, _codec.limits(), strict=True):
        member = CAPS[limit.field]
        assert (row["gl_enum"], kinds[row["type"]]) == (limit.gl_enum, member.type)
        assert (row["count"], row["offset"]) == (member.count, member.offset)
        assert (row["source"], row["minimum"], row["promise"]) == (limit.source.value, limit.minimum, limit.promise)


def test_limits_have_the_registrys_numbers():
    registry = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml")
    numbers = {e.get("name"): int(e.get("value"), 0) for e in registry.iter("enum") if e.get("value")}
    assert {limit.gl_name: limit.gl_enum for limit in limits.LIMITS} == {x.gl_name: numbers[x.gl_name] for x in limits.LIMITS}
    known = set(numbers.values())
    assert all(limit.gles_enum in known for limit in limits.LIMITS if limit.gles_enum > 0)


def test_what_we_promise_is_enough_for_opengl_3_3():
    for limit in limits.LIMITS:
        if limit.source is not limits.Source.DRIVER:
            assert limit.promise >= limit.minimum, limit.gl_name


def test_features_and_formats_fit_their_bits():
    assert len(limits.FEATURES) <= 64
    assert len(limits.FORMAT_BITS) <= 32
    assert len({name for name, _ in limits.FEATURES}) == len(limits.FEATURES)


def test_enum_sets_of_opengl_have_the_registrys_numbers():
    registry = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml")
    names: dict[int, set[str]] = {}
    for e in registry.iter("enum"):
        if e.get("value"):
            names.setdefault(int(e.get("value"), 0), set()).add(e.get("name"))
    for set_name in ("BLEND_FACTOR", "BLEND_FUNC", "COMPARE_FUNC", "STENCIL_OP", "CULL_FACE", "FRONT_FACE", "LOGIC_OP", "WRAP",
                     "MIN_FILTER", "MAG_FILTER", "SWIZZLE", "VERTEX_TYPE", "ACCESS", "PRIMITIVE", "POLYGON_MODE"):
        for member, value in enums.ENUMS[set_name].items():
            spelled = {f"GL_{member}", f"GL_FUNC_{member}", f"GL_INT_{member}", f"GL_{member}_REV"}
            assert spelled & names[value], f"{set_name}.{member}"
