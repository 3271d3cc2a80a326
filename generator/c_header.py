"""pipe.h and pipe.pxd: the structs, enums and function tables, once for C and once for Cython."""

from dataclasses import dataclass

from mgpipe.catalogue import faults, limits
from mgpipe.catalogue.declare import Class
from mgpipe.catalogue.fingerprint import fingerprint
from mgpipe.catalogue.layout import (HEADER_SIZE, MAX_EVENT, MAX_RECORD, Boundary, CatalogueError, HandleSlot, Layout, Member, Row,
                                     handles)

C_TYPES = {
    "u8": "uint8_t", "char": "char", "u16": "uint16_t", "u32": "uint32_t", "i32": "int32_t", "f32": "float",
    "u64": "uint64_t", "i64": "int64_t", "f64": "double", "handle": "pipe_handle",
}
REPLY_STATUS = ("OK", "REFUSED", "ERROR", "LOST")
BANNER = "Generated from mgpipe/catalogue. Do not edit."

BASE = """\
typedef struct pipe_handle { uint32_t slot, gen; } pipe_handle;                  /* {0, 0}: null */
typedef struct pipe_record { uint16_t op, flags; uint32_t size; } pipe_record;   /* size: with header and padding */
typedef struct pipe_reply { int32_t status; uint32_t size; uint64_t value[4]; } pipe_reply;
_Static_assert(sizeof(pipe_handle) == 8 && sizeof(pipe_record) == 8 && sizeof(pipe_reply) == 40, "sizes that travel");
"""
BASE_PXD = """\
    ctypedef struct pipe_handle:
        uint32_t slot, gen
    ctypedef struct pipe_record:
        uint16_t op, flags
        uint32_t size
    ctypedef struct pipe_reply:
        int32_t status
        uint32_t size
        uint64_t value[4]
"""
LIMIT = """\
/* Rows of limits.py: how a back end fills pipe_Caps, and where the front end finds an answer. */
typedef struct pipe_limit {
    uint32_t gl_enum, gles_enum;    /* what to ask; gles_enum 0: the minimum holds there */
    uint32_t type, count, offset;   /* PIPE_LIMIT_I32 …, components, offset in pipe_Caps */
    uint32_t source;                /* PIPE_SOURCE_* */
    uint32_t beside, indexed;       /* how many are ours; whether each component is asked for by its index */
    double minimum, promise;
} pipe_limit;
"""
LIMIT_PXD = """\
    ctypedef struct pipe_limit:
        uint32_t gl_enum, gles_enum, type, count, offset, source, beside, indexed
        double minimum, promise
    const pipe_limit* pipe_limits
"""
LIMIT_TYPES = {"i32": 0, "i64": 1, "f32": 2}


@dataclass(frozen=True)
class Param:
    """One parameter of a generated function; `kind`: payload, tail, item (a resolved handle), bytes (of a blob), reply."""

    type: str
    name: str
    kind: str
    slot: HandleSlot | None = None

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def c_type(type_: str) -> str:
    return C_TYPES.get(type_) or f"pipe_{type_}"


def table_params(row: Row) -> list[Param]:
    """Parameters after `self` of the functions in PipeScreen and PipeContext."""
    params = [Param(f"const pipe_{row.name}*", "p", "payload")] if row.payload else []
    params += [Param(f"const {c_type(t.element)}*", t.param, "tail") for t in row.tails]
    return params + ([Param("pipe_reply*", "reply", "reply")] if row.has_reply else [])


def back_end_params(row: Row) -> list[Param]:
    """The same, with every handle's item and every blob's bytes behind the struct that names them."""
    params: list[Param] = []
    if row.payload:
        params.append(Param(f"const pipe_{row.name}*", "p", "payload"))
        params += items(row.payload, "")
    for tail in row.tails:
        params.append(Param(f"const {c_type(tail.element)}*", tail.param, "tail"))
        if tail.struct:
            params += [Param("void**", f"{tail.param}_{h.param}", "item", h) for h in handles(tail.struct)]
    return params + ([Param("pipe_reply*", "reply", "reply")] if row.has_reply else [])


def items(layout: Layout, prefix: str) -> list[Param]:
    params = [Param("void*" if h.count == 1 else "void**", prefix + h.param, "item", h) for h in handles(layout)]
    return params + [Param("uint8_t*" if count == 1 else "uint8_t**", f"{path}_at", "bytes") for path, _, count in blobs(layout)]


def blobs(layout: Layout, path: str = "", access: str = "", count: int = 1) -> list[tuple[str, str, int]]:
    """(name, C expression below the struct, elements) of every Blob below a struct."""
    found = []
    for m in layout.members:
        step = f"{access}{m.name}" + ("[{i}]" if m.is_array else "")
        if m.type == "Blob":
            found.append((f"{path}{m.name}", step, count * m.count))
        elif m.struct:
            found += blobs(m.struct, f"{path}{m.name}_", f"{step}.", count * m.count)
    return found


def enums(boundary: Boundary) -> list[tuple[str, dict[str, int]]]:
    """Every group of constants, named without PIPE_."""
    live = [r for r in boundary.rows if not r.call.retired]
    tails = {f"{r.name.upper()}_{t.param.upper()}": t.at_most for r in boundary.rows for t in r.tails}
    return [
        ("OP", {r.name.upper(): r.op for r in live} | {"COUNT": len(boundary.rows)}),
        ("EVENT", {r.name.upper(): r.op for r in boundary.events if not r.call.retired} | {"COUNT": len(boundary.events)}),
        ("HANDLE", {k.upper(): i for i, k in enumerate(boundary.handle_kinds, 1)} | {"KINDS": len(boundary.handle_kinds) + 1}),
        ("REPLY", {name: i for i, name in enumerate(REPLY_STATUS)}),
        ("MAX", {"RECORD": MAX_RECORD, "EVENT": MAX_EVENT} | tails),
        ("FEATURE", {name.upper(): 1 << i for i, (name, _) in enumerate(limits.FEATURES)}),
        ("FORMAT", {name.upper(): 1 << i for i, name in enumerate(limits.FORMAT_BITS)}),
        ("LIMIT", {name.upper(): value for name, value in LIMIT_TYPES.items()} | {"COUNT": len(limits.LIMITS)}),
        ("SOURCE", {s.name: s.value for s in limits.Source}),
        *boundary.enums.items(),
    ]


def struct_members(layout: Layout) -> list[str]:
    return [f"{c_type(m.type)} {m.name}{f'[{m.count}]' if m.is_array else ''}" for m in layout.members]


def header_struct(layout: Layout) -> str:
    name = f"pipe_{layout.name}"
    lines = [f"/* {layout.doc} */"] if layout.doc else []
    lines += [f"typedef struct {name} {{", *(f"    {m};" for m in struct_members(layout)), f"}} {name};"]
    lines.append(f'_Static_assert(sizeof({name}) == {layout.size}, "{name}");')
    lines += [f'_Static_assert(offsetof({name}, {m.name}) == {m.offset}, "{name}.{m.name}");' for m in layout.members]
    return "\n".join(lines) + "\n"


def limit_row(limit: limits.Limit, caps: dict[str, Member]) -> str:
    gles = limit.gl_enum if limit.gles_enum == -1 else limit.gles_enum
    return (f"    {{0x{limit.gl_enum:04X}, 0x{gles:04X}, {LIMIT_TYPES[limit.type]}, {limit.count}, {caps[limit.field].offset}, "
            f"{limit.source.value}, {limit.beside}, {int(limit.indexed)}, {float(limit.minimum)}, {float(limit.promise)}}},  /* {limit.gl_name} */")


BLOB_PLACES_MOST = 8
BLOB_PLACE = f"""\
/* Where a record's blobs lie: bytes from its header. `into`: there is one, and the answer's bytes go there. */
typedef struct pipe_blob_place {{ uint16_t count, into, offsets[{BLOB_PLACES_MOST}]; }} pipe_blob_place;
"""
BLOB_PLACE_PXD = f"""\
    ctypedef struct pipe_blob_place:
        uint16_t count, into
        uint16_t offsets[{BLOB_PLACES_MOST}]
    const pipe_blob_place* pipe_blob_places
"""


def blob_offsets(members: tuple[Member, ...], base: int) -> list[tuple[int, str]]:
    """Offset and name of every Blob among these members and below them, elements of arrays each."""
    found = []
    for member in members:
        if member.type == "Blob":
            found += [(base + member.offset + i * member.element_size, member.name) for i in range(member.count)]
        elif member.struct:
            for i in range(member.count):
                found += blob_offsets(member.struct.members, base + member.offset + i * member.element_size)
    return found


def blob_place(row: Row) -> str:
    """The initializer of a pipe_blob_place; empty: the call has no blob."""
    found = blob_offsets(row.payload.members, HEADER_SIZE) if row.payload else []
    into = any(name == "into" for _, name in found)
    if len(found) > BLOB_PLACES_MOST or into and len(found) > 1:
        raise CatalogueError(f"{row.name}: {len(found)} blobs; a record has at most {BLOB_PLACES_MOST}, or one that is filled")
    return f"{{{len(found)}, {int(into)}, {{{', '.join(str(offset) for offset, _ in found)}}}}}" if found else ""


def blob_places(boundary: Boundary) -> str:
    rows = [(row.op, place) for row in boundary.rows if not row.call.retired and (place := blob_place(row))]
    body = "\n".join(f"    [{op}] = {place}," for op, place in rows)
    return f"{BLOB_PLACE}static const pipe_blob_place pipe_blob_places[{len(boundary.rows) + 1}] = {{  /* by opcode */\n{body}\n}};\n"


def table(name: str, rows: list[Row], params: list[list[Param]]) -> list[str]:
    return [f"void (*{r.name})({', '.join(['void* self', *map(str, ps)])})" for r, ps in zip(rows, params, strict=True)]


def tables(boundary: Boundary) -> list[tuple[str, str, list[str]]]:
    live = [r for r in boundary.rows if not r.call.retired]
    screen = [r for r in live if r.call.cls is Class.SCREEN]
    context = [r for r in live if r.call.cls is not Class.SCREEN]
    return [
        ("PipeScreen", "Objects and services that belong to no context. Null: not implemented.",
         table("PipeScreen", screen, [table_params(r) for r in screen])),
        ("PipeContext", "State, objects and verbs of the context bound last.",
         table("PipeContext", context, [table_params(r) for r in context])),
        ("BackEnd", "What a back end fills: each call, with resolved items and bytes; `self` is the first argument.",
         ["void* self", *table("BackEnd", live, [back_end_params(r) for r in live])]),
    ]


def payloads(boundary: Boundary) -> list[Layout]:
    rows = [r.payload for r in boundary.rows if r.payload and not r.call.retired]
    events = [Layout(f"event_{e.name}", e.payload.members, e.payload.size, e.payload.align) for e in boundary.events if e.payload and not e.call.retired]
    return rows + events


def header(boundary: Boundary) -> str:
    caps = {m.name: m for s in boundary.structs if s.name == "Caps" for m in s.members}
    parts = [f"/* {BANNER} */\n#pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n",
             f'#define PIPE_FINGERPRINT "{fingerprint(boundary)}"\n', BASE]
    for group, members in enums(boundary):
        body = "\n".join(f"    PIPE_{group}_{name} = {value}," for name, value in members.items())
        parts.append(f"enum {{\n{body}\n}};\n")
    parts += [header_struct(s) for s in (*boundary.structs, *payloads(boundary))]
    rows = "\n".join(limit_row(limit, caps) for limit in limits.LIMITS)
    parts.append(f"{LIMIT}static const pipe_limit pipe_limits[{len(limits.LIMITS)}] = {{\n{rows}\n}};\n")
    names = "\n".join(f'    "{name}",' for name, _ in faults.FAULTS)
    parts.append(f'static const char* const pipe_fault_names[] = {{  /* by PIPE_FAULT_* */\n    "",\n{names}\n}};\n')
    parts.append(blob_places(boundary))
    for name, doc, members in tables(boundary):
        body = "\n".join(f"    {m};" for m in members)
        parts.append(f"/* {doc} */\ntypedef struct {name} {{\n{body}\n}} {name};\n")
    parts.append(f'_Static_assert(sizeof(pipe_record) == {HEADER_SIZE}, "record header");\n')
    return "\n".join(parts)


def pxd(boundary: Boundary) -> str:
    parts = [f"# {BANNER}\n\nfrom libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t\n",
             'cdef extern from "pipe.h" nogil:', "    const char* PIPE_FINGERPRINT", BASE_PXD]
    for group, members in enums(boundary):
        parts.append("    enum:\n" + "\n".join(f"        PIPE_{group}_{name}" for name in members))
    for layout in (*boundary.structs, *payloads(boundary)):
        parts.append(f"    ctypedef struct pipe_{layout.name}:\n" + "\n".join(f"        {m}" for m in struct_members(layout)))
    parts.append(LIMIT_PXD)
    parts.append("    const char* const* pipe_fault_names")
    parts.append(BLOB_PLACE_PXD.rstrip())
    for name, _, members in tables(boundary):
        body = "\n".join(f"        {m}{' noexcept nogil' if '(' in m else ''}" for m in members)
        parts.append(f"    ctypedef struct {name}:\n{body}")
    return "\n".join(parts) + "\n"
