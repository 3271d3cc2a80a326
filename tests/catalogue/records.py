"""Records made from the declarations alone: an independent, slow reading of what the generated code does fast."""

import random
import struct
from collections.abc import Callable, Iterator

from mgpipe.catalogue.layout import HEADER_SIZE, Boundary, Check, Layout, Member, Row, boundary, round8

CODES = {"u8": "B", "char": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "u64": "Q", "i64": "q", "f64": "d"}
SIZES = {"u8": 8, "char": 8, "u16": 16, "u32": 32, "u64": 64}
BOUNDARY = boundary()
ROWS = [r for r in BOUNDARY.rows if not r.call.retired]


def legal(check: Check | None, type_: str, rng: random.Random, catalogue: Boundary = BOUNDARY):
    if check is None:
        if type_ in ("f32", "f64"):
            return rng.choice([0.0, 1.5, -2.25, 1024.0])
        return rng.getrandbits(31) if type_ in ("i32", "i64") else rng.getrandbits(SIZES[type_])
    match check.kind:
        case "bool":
            return rng.randint(0, 1)
        case "max":
            return rng.randint(0, check.value)
        case "mask" | "flags":
            return rng.getrandbits(32) & check.value
        case "range":
            return rng.randint(check.low, check.value)
        case _:
            return rng.choice(list(catalogue.enums[check.enum].values()))


def illegal(check: Check, catalogue: Boundary = BOUNDARY) -> list[int]:
    """Values just outside what the check allows, and far outside."""
    match check.kind:
        case "bool":
            return [2, 0xFFFFFFFF]
        case "max":
            return [check.value + 1, 0xFFFFFFFF]
        case "mask" | "flags":
            return [1 << bit for bit in range(32) if not check.value >> bit & 1]
        case "range":
            return [check.low - 1, check.value + 1]
        case _:
            members = set(catalogue.enums[check.enum].values())
            return sorted({v + d for v in members for d in (-1, 1)} - members - {-1}) + [0xFFFFFFFF]


def packed(layout: Layout, rng: random.Random, fixed: dict[str, int] | None = None) -> bytes:
    """One struct with legal random values; `fixed` sets top-level members."""
    out = b""
    for m in layout.members:
        for _ in range(m.count):
            if m.is_pad:
                out += bytes(m.element_size)
            elif m.type == "handle":
                out += struct.pack("=II", rng.randint(0, 9), rng.randint(1, 9))
            elif m.struct:
                out += packed(m.struct, rng)
            else:
                value = (fixed or {}).get(m.name)
                out += struct.pack("=" + CODES[m.type], legal(m.check, m.type, rng) if value is None else value)
    if layout.name == "Blob" and struct.unpack_from("=I", out, 16)[0] == 0:
        out = out[:8] + struct.pack("=QI", 0, 0) + out[20:]      # no segment: then no bytes either
    return out


def sample(row: Row, rng: random.Random, counts: tuple[int, ...] = ()) -> tuple[bytes, list[bytes]]:
    """Payload and tails of one legal record."""
    at_most = {t.count: t.at_most for t in row.tails}
    lengths = {count: min(counts[i] if i < len(counts) else rng.choice([0, 1, 2, 3, 7]), most)
               for i, (count, most) in enumerate(at_most.items())}
    payload = packed(row.payload, rng, lengths) if row.payload else b""
    tails = []
    for tail in row.tails:
        one = (lambda: packed(tail.struct, rng)) if tail.struct else (lambda: rng.randbytes(tail.element_size))
        tails.append(b"".join(one() for _ in range(lengths[tail.count])))
    return payload, tails


def assemble(row: Row, payload: bytes, tails: list[bytes]) -> bytes:
    """The record as its declaration says it lies in memory."""
    body = payload.ljust(round8(HEADER_SIZE + len(payload)) - HEADER_SIZE, b"\0")
    body += b"".join(t.ljust(round8(len(t)), b"\0") for t in tails)
    return struct.pack("=HHI", row.op, 0, HEADER_SIZE + len(body)) + body


def places(layout: Layout, want: Callable[[Member], bool], base: int = 0, path: str = "") -> Iterator[tuple[str, int, Member]]:
    """(path, offset, member) of every scalar and handle below a struct for which `want` holds; arrays: first and last."""
    for m in layout.members:
        for i in sorted({0, m.count - 1}):
            at = base + m.offset + i * m.element_size
            if m.struct:
                yield from places(m.struct, want, at, f"{path}{m.name}.")
            elif want(m):
                yield f"{path}{m.name}", at, m


def all_places(row: Row, want: Callable[[Member], bool], tails: list[bytes]) -> Iterator[tuple[str, int, Member]]:
    """The same for a whole record: offsets count from its start; the last element of each tail."""
    if row.payload:
        counted = {t.count for t in row.tails}
        yield from (place for place in places(row.payload, want, HEADER_SIZE) if place[0] not in counted)
    at = row.tail_offset
    for tail, data in zip(row.tails, tails, strict=True):
        if tail.struct and data:
            last = at + len(data) - tail.element_size
            yield from ((f"{tail.param}.{path}", offset, m) for path, offset, m in places(tail.struct, want, last))
        at += round8(len(data))
