"""What fixed sequences of OpenGL send, one line a record. `make goldens` writes the texts anew: read their diff."""

import ctypes
import difflib
import hashlib
import os
import struct
from pathlib import Path

import mgpipe
import pytest
from gl import GL
from mgpipe.catalogue.formats import FORMATS
from mgpipe.catalogue.layout import Layout, Member, boundary
from sequences import SEQUENCES, Prepared

TEXTS = Path(__file__).parent
ROWS = {row.op: row for row in boundary().rows}
CODES = {"u32": "I", "i32": "i", "f32": "f", "u64": "Q", "f64": "d"}
HASHED = 200            # bytes from which a struct is only told apart
REFRESH = "MGPIPE_WRITE_GOLDENS"


class Recording:
    def __init__(self, session) -> None:
        from mgpipe.client._probe import Tap

        self.lines: list[str] = []
        self.tap = Tap(session, self.look)

    def look(self, op: int, payload: bytearray, tails: list[bytes]) -> None:
        row = ROWS[op]
        words = [f"{len(self.lines) + 1:3} {row.name}"]
        if row.payload:
            words += self.members(row.payload, bytes(payload), {t.count for t in row.tails})
        for layout, data in zip(row.tails, tails, strict=True):
            words.append(f"{layout.param}={self.tail(layout, data)}")
        self.lines.append(" ".join(words))

    def members(self, layout: Layout, data: bytes, skip: set[str] = frozenset()) -> list[str]:
        """Every member that is not zero."""
        return [f"{m.name}={text}" for m in layout.members if not m.is_pad and m.name not in skip and m.name != "content_hash"
                and (text := self.value(m, data[m.offset:m.offset + m.size]))]

    def value(self, member: Member, data: bytes) -> str:
        if not any(data):
            return ""
        if member.type == "Blob":
            offset, size = struct.unpack_from("<QQ", data)
            return f"<{size} bytes {digest(self.tap.bytes(offset, size))}>" if data[16] == 1 and member.name != "into" else f"<{size} bytes>"
        if len(data) > HASHED:
            return digest(data)
        if member.name.endswith("format") and member.type == "u32":
            return FORMATS[int.from_bytes(data, "little") - 1].name      # their numbers move when one is added
        if member.type == "handle":
            return "{}.{}".format(*struct.unpack("<II", data))
        if member.struct:
            step = member.element_size
            parts = ["{" + " ".join(self.members(member.struct, data[i:i + step])) + "}" for i in range(0, len(data), step)]
        else:
            parts = [f"{x:g}" if "f" in member.type else str(x) for x in struct.unpack(f"<{member.count}{CODES[member.type]}", data)]
        return "[" + " ".join(parts) + "]" if member.is_array else parts[0]

    def tail(self, layout, data: bytes) -> str:
        if layout.struct is None and (layout.element == "u8" or len(data) > HASHED):
            return f"<{len(data)} bytes {digest(data)}>"
        if layout.struct is None:
            return str([number for number, in struct.iter_unpack(f"<{CODES[layout.element]}", data)])
        step = layout.element_size
        return "[" + " ".join("{" + " ".join(self.members(layout.struct, data[i:i + step])) + "}" for i in range(0, len(data), step)) + "]"


def digest(data: bytes) -> str:
    return "#" + hashlib.sha256(data).hexdigest()[:8]


def record(sequence, look=None) -> list[str]:
    with mgpipe.context(topology="monolith", driver="null", log="error") as loader:
        gl = GL(loader)
        prepared = Prepared(gl)
        recording = Recording(loader.session)
        with recording.tap:
            sequence(gl, prepared)
        assert gl.error() == "NO_ERROR"
    loader.release()
    from mgpipe.client import connect

    connect.close(loader.session)           # handles count from the beginning again
    return recording.lines


def compare(name: str, lines: list[str]) -> str:
    """A readable difference; empty: there is none."""
    path = TEXTS / f"{name}.txt"
    expected = path.read_text().splitlines() if path.exists() else []
    return "\n".join(difflib.unified_diff(expected, lines, f"{path.name}, as it is", "what was sent", lineterm="", n=2))


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_sequence_sends_what_it_sent_before(name):
    lines = record(SEQUENCES[name])
    if os.environ.get(REFRESH):
        changed = compare(name, lines)
        (TEXTS / f"{name}.txt").write_text("\n".join(lines) + "\n")
        assert not changed, f"written anew:\n{changed}"
    difference = compare(name, lines)
    assert not difference, f"{difference}\n\nIf that is what should be sent: make goldens"


def test_every_text_has_its_sequence():
    assert sorted(path.stem for path in TEXTS.glob("*.txt")) == sorted(SEQUENCES)


def test_recording_twice_gives_the_same_lines():
    assert record(SEQUENCES["texture_upload"]) == record(SEQUENCES["texture_upload"])


def test_a_multi_draw_larger_than_a_record_goes_in_two():
    def many(gl, prepared):
        gl.MultiDrawArrays(gl.POINTS, (ctypes.c_int * 9000)(), (ctypes.c_int * 9000)(*[1] * 9000), 9000)

    lines = [line.split(" firsts=")[0] for line in record(many)]
    assert lines == ["  1 multi_draw_arrays", "  2 multi_draw_arrays draw_id=8192"]


def test_another_value_shows_as_its_line():
    def other(gl, p):
        gl.Uniform2f(p.shift, 0.5, 0.75)
        p.draw()
        gl.Uniform2f(p.shift, 0.5, 0.5)
        p.draw()

    changed = [line for line in compare("uniform_change", record(other)).splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert len(changed) == 2 and all("set_constants" in line for line in changed)


def test_one_record_more_shows():
    def other(gl, p):
        gl.Enable(gl.BLEND)
        p.draw()
        p.draw()

    assert "+  1 create_render_state" in compare("same_state_draw", record(other))
