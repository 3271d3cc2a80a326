"""fuzz_grammar.h and fuzz_grammar.pxd: the declarations as tables that a fuzzer walks to make records. Of no normal build.

usage: grammar.py HEADER PXD
"""

import sys
from pathlib import Path

if __name__ == "__main__":  # the declarations of this tree, never those of an installed mgpipe
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from c_header import BANNER  # noqa: E402
from mgpipe.catalogue.layout import HEADER_SIZE, Boundary, Layout, Member, Row, boundary  # noqa: E402
from snapshot import layouts_below  # noqa: E402

KINDS = ("PAD", "SCALAR", "COUNT", "HANDLE", "STRUCT", "BLOB")
CHECKS = ("ANY", "MOST", "MASK", "RANGE", "SET")
ROLES = ("NAMES", "NEW", "ENSURE", "OLD")

HEADER = f"""\
/* {BANNER} */
#pragma once
#include <stdint.h>

enum {{ {", ".join(f"FUZZ_{name}" for name in KINDS)} }};           /* what a member is; COUNT: the length of a tail */
enum {{ {", ".join(f"FUZZ_{name}" for name in CHECKS)} }};          /* what a scalar must satisfy */
enum {{ {", ".join(f"FUZZ_{name}" for name in ROLES)} }};           /* what a handle does */

typedef struct fuzz_member {{
    uint32_t offset, size, count;       /* size: of one element in bytes; count: elements */
    uint32_t kind, check, most;         /* most: the largest value, or the bits that may be set; of a COUNT: which tail; of a BLOB: an answer goes there */
    int32_t low;                        /* of a RANGE */
    uint32_t set_count;
    const uint32_t* set;
    uint32_t handle, role, nullable;    /* handle: PIPE_HANDLE_* */
    const struct fuzz_struct* below;
}} fuzz_member;
typedef struct fuzz_struct {{ uint32_t size, member_count; const fuzz_member* members; }} fuzz_struct;
typedef struct fuzz_tail {{ uint32_t element_size, most, count_at; const fuzz_struct* below; }} fuzz_tail;     /* count_at: in the payload */
typedef struct fuzz_row {{ const char* name; uint32_t payload_size, tail_count; const fuzz_struct* payload; fuzz_tail tails[3]; }} fuzz_row;
"""
PXD = f"""\
# {BANNER}

from libc.stdint cimport int32_t, uint32_t

cdef extern from "fuzz_grammar.h" nogil:
    enum:
        {", ".join(f"FUZZ_{name}" for name in (*KINDS, *CHECKS, *ROLES))}
    ctypedef struct fuzz_member:
        uint32_t offset, size, count, kind, check, most
        int32_t low
        uint32_t set_count
        const uint32_t* set
        uint32_t handle, role, nullable
        const fuzz_struct* below
    ctypedef struct fuzz_struct:
        uint32_t size, member_count
        const fuzz_member* members
    ctypedef struct fuzz_tail:
        uint32_t element_size, most, count_at
        const fuzz_struct* below
    ctypedef struct fuzz_row:
        const char* name
        uint32_t payload_size, tail_count
        const fuzz_struct* payload
        const fuzz_tail* tails
    const fuzz_row* fuzz_rows           # by opcode; name NULL: there is no such call
"""


def kind_of(member: Member, tails: dict[str, int]) -> str:
    if member.is_pad:
        return "PAD"
    if member.type == "handle":
        return "HANDLE"
    if member.struct:
        return "BLOB" if member.struct.name == "Blob" else "STRUCT"
    return "COUNT" if member.name in tails else "SCALAR"


def member(m: Member, catalogue: Boundary, tails: dict[str, int]) -> str:
    kind = kind_of(m, tails)
    values = [f".offset = {m.offset}, .size = {m.element_size}, .count = {m.count}, .kind = FUZZ_{kind}"]
    if kind == "COUNT":
        values.append(f".most = {tails[m.name]}")
    elif kind == "HANDLE":
        handle = catalogue.handle_kinds.index(m.handle_kind) + 1
        values.append(f".handle = {handle}, .role = FUZZ_{m.role.upper()}, .nullable = {int(m.nullable)}")
    elif kind == "STRUCT":
        values.append(f".below = &fuzz_struct_{m.struct.name}")
    elif kind == "BLOB":
        values.append(f".most = {int(m.name == 'into')}")
    elif m.check:
        match m.check.kind:
            case "bool":
                values.append(".check = FUZZ_MOST, .most = 1")
            case "max":
                values.append(f".check = FUZZ_MOST, .most = {m.check.value}u")
            case "mask" | "flags":
                values.append(f".check = FUZZ_MASK, .most = {m.check.value:#x}u")
            case "range":
                values.append(f".check = FUZZ_RANGE, .low = {m.check.low}, .most = {m.check.value}")
            case _:
                values.append(f".check = FUZZ_SET, .set = fuzz_set_{m.check.enum}, .set_count = {len(catalogue.enums[m.check.enum])}")
    return f"    {{{', '.join(values)}}},"


def struct(layout: Layout, name: str, catalogue: Boundary, tails: dict[str, int]) -> str:
    members = "\n".join(member(m, catalogue, tails) for m in layout.members)
    return (f"static const fuzz_member fuzz_members_{name}[] = {{\n{members}\n}};\n"
            f"static const fuzz_struct fuzz_struct_{name} = {{{layout.size}, {len(layout.members)}, fuzz_members_{name}}};\n")


def row(r: Row) -> str:
    offsets = {m.name: m.offset for m in r.payload.members} if r.payload else {}
    tails = ", ".join(f"{{{t.element_size}, {t.at_most}, {offsets[t.count]}, {f'&fuzz_struct_{t.struct.name}' if t.struct else '0'}}}"
                      for t in r.tails)
    payload = f"&fuzz_struct_{r.name}" if r.payload else "0"
    size = r.payload.size if r.payload else 0
    return f'    [{r.op}] = {{"{r.name}", {size}, {len(r.tails)}, {payload}, {{{tails or "{0}"}}}}},'


def header(catalogue: Boundary) -> str:
    rows = [r for r in catalogue.rows if not r.call.retired]
    roots = [r.payload for r in rows if r.payload] + [t.struct for r in rows for t in r.tails if t.struct]
    inner: list[Layout] = []
    for root in roots:
        inner += [layout for layout in layouts_below(root) if layout not in inner]
    payloads = [r.payload for r in rows if r.payload]
    sets = {m.check.enum for layout in inner for m in layout.members if m.check and m.check.kind == "set"}
    parts = [HEADER]
    parts += [f"static const uint32_t fuzz_set_{name}[] = {{{', '.join(f'{v}u' for v in catalogue.enums[name].values())}}};" for name in sorted(sets)]
    parts += [struct(layout, layout.name, catalogue, {}) for layout in inner if layout not in payloads]
    parts += [struct(r.payload, r.name, catalogue, {t.count: i for i, t in enumerate(r.tails)}) for r in rows if r.payload]
    parts.append("\n".join([f"static const fuzz_row fuzz_rows[{len(catalogue.rows) + 1}] = {{", *map(row, rows), "};"]))
    return "\n".join(parts) + "\n"


def main(out_header: str, out_pxd: str) -> None:
    assert HEADER_SIZE == 8
    Path(out_header).write_text(header(boundary()))
    Path(out_pxd).write_text(PXD)


if __name__ == "__main__":
    main(*sys.argv[1:])
