"""Calls of the boundary from keywords, by the catalogue's own layout: call("clear", kind=…) → one record's bytes."""

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from mgpipe.catalogue.layout import HEADER_SIZE, Layout, Member, Row, boundary, round8

CODES = {"u8": "B", "char": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "u64": "Q", "i64": "q", "f64": "d"}


@cache
def rows() -> dict[str, Row]:
    return {row.name: row for row in boundary().rows}


@cache
def structs() -> dict[str, Layout]:
    return {layout.name: layout for layout in boundary().structs}


def enum(name: str, member: str) -> int:
    return boundary().enums[name][member]


def record(name: str, tails: Sequence[Sequence[Any]] = (), **fields: Any) -> bytes:
    """Fields not given are zero. A tail is bytes, a list of numbers, or of dicts of its struct's fields."""
    row = rows()[name]
    body = bytearray(pack(row.payload, fields) if row.payload else b"")
    assert row.payload or not fields
    for layout, tail in zip(row.tails, tails or [()] * len(row.tails), strict=True):
        body += bytes(round8(HEADER_SIZE + len(body)) - HEADER_SIZE - len(body))
        if layout.struct is None:
            body += struct.pack(f"<{len(tail)}{CODES[layout.element]}", *tail)
        else:
            body += b"".join(pack(layout.struct, item) for item in tail)
    body += bytes(round8(HEADER_SIZE + len(body)) - HEADER_SIZE - len(body))
    return struct.pack("<HHI", row.op, 0, HEADER_SIZE + len(body)) + bytes(body)


def pack(layout: Layout, fields: Mapping[str, Any]) -> bytes:
    known = {m.name for m in layout.members}
    assert set(fields) <= known, f"{layout.name} has no {set(fields) - known}"
    out = bytearray(layout.size)
    for member in layout.members:
        if member.name in fields:
            write(out, member, fields[member.name])
    return bytes(out)


def write(out: bytearray, member: Member, value: Any) -> None:
    values = value if member.is_array else [value]
    assert len(values) <= member.count
    for i, item in enumerate(values):
        at = member.offset + i * member.element_size
        if member.type == "handle":
            struct.pack_into("<II", out, at, *item)
        elif member.struct:
            out[at:at + member.element_size] = pack(member.struct, item)
        else:
            struct.pack_into("<" + CODES[member.type], out, at, item)


def unpack(layout: Layout, data: bytes) -> dict[str, Any]:
    """Scalars and arrays of scalars of a struct; char arrays as str."""
    found: dict[str, Any] = {}
    for member in layout.members:
        if member.type == "char":
            found[member.name] = data[member.offset:member.offset + member.count].split(b"\0")[0].decode()
        elif member.type in CODES:
            values = struct.unpack_from(f"<{member.count}{CODES[member.type]}", data, member.offset)
            found[member.name] = list(values) if member.is_array else values[0]
    return found
