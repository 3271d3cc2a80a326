"""pipe_snapshot.h and .pxd: the members of a Snapshot as data, so that two of them can be compared and a difference named."""

from c_header import BANNER
from mgpipe.catalogue import snapshot
from mgpipe.catalogue.layout import Boundary, CatalogueError, Layout

TYPES = {"u32": "U32", "i32": "I32", "f32": "F32", "u64": "U64", "f64": "F64", "handle": "HANDLE"}

HEADER = """\
enum { PIPE_FIELD_U32, PIPE_FIELD_I32, PIPE_FIELD_F32, PIPE_FIELD_U64, PIPE_FIELD_F64, PIPE_FIELD_HANDLE, PIPE_FIELD_STRUCT };
typedef struct pipe_field {
    const char* name;               /* NULL ends a struct's list */
    uint32_t type, offset, size, count;     /* size: of one element; count: 0 for what is no array */
    const struct pipe_field* members;       /* of a struct */
} pipe_field;

/* Never 0. Both sides hash with it, so that bytes need not travel. */
static inline uint64_t pipe_snapshot_hash(const void* data, uint64_t size)
{
    const unsigned char* at = (const unsigned char*)data;
    uint64_t hash = 0xCBF29CE484222325u ^ size, word;
    for (; size >= 8; size -= 8, at += 8) {
        __builtin_memcpy(&word, at, 8);
        hash = (hash ^ word) * 0x9FB21C651E98DF25u;
        hash ^= hash >> 35;
    }
    for (; size; size--, at++)
        hash = (hash ^ *at) * 0x100000001B3u;
    return hash ? hash : 1;
}
"""
PXD = """\
from libc.stdint cimport uint32_t, uint64_t
from pipe cimport pipe_Snapshot

cdef extern from "pipe_snapshot.h" nogil:
    enum:
        PIPE_FIELD_U32, PIPE_FIELD_I32, PIPE_FIELD_F32, PIPE_FIELD_U64, PIPE_FIELD_F64, PIPE_FIELD_HANDLE, PIPE_FIELD_STRUCT
    ctypedef struct pipe_field:
        const char* name
        uint32_t type, offset, size, count
        const pipe_field* members
    const pipe_field* pipe_fields_Snapshot      # sections
    const uint64_t* pipe_verb_sections          # by operation: bit per section that it compares
    const char* const* pipe_op_names
    uint64_t pipe_snapshot_hash(const void* data, uint64_t size)
"""


def layouts_below(layout: Layout) -> list[Layout]:
    """The struct and all within it, the inner ones first, each once."""
    found: list[Layout] = []
    for member in layout.members:
        if member.struct:
            found += [inner for inner in layouts_below(member.struct) if inner not in found]
    return [*found, layout]


def fields(layout: Layout) -> str:
    lines = [f"static const pipe_field pipe_fields_{layout.name}[] = {{"]
    for m in layout.members:
        if m.is_pad:
            continue
        kind, members = ("STRUCT", f"pipe_fields_{m.struct.name}") if m.struct else (TYPES[m.type], "0")
        lines.append(f'    {{"{m.name}", PIPE_FIELD_{kind}, {m.offset}, {m.element_size}, {m.count * m.is_array}, {members}}},')
    return "\n".join([*lines, "    {0}", "};", ""])


def snapshot_header(boundary: Boundary) -> str:
    whole = next(s for s in boundary.structs if s.name == "Snapshot")
    sections = {m.name: i for i, m in enumerate(whole.members)}
    if len(sections) > 64:
        raise CatalogueError("Snapshot: more sections than a mask has bits")
    rows = {row.name: row for row in boundary.rows}
    limit = next(t.at_most for t in rows["verify_snapshot"].tails)
    if whole.size > limit:
        raise CatalogueError(f"Snapshot: {whole.size} bytes; a verify_snapshot carries {limit}")
    masks = [0] * (len(boundary.rows) + 1)
    for verb, names in snapshot.VERBS.items():
        if verb not in rows or (unknown := set(names.split()) - set(sections)):
            raise CatalogueError(f"snapshot.VERBS: {verb}: {f'no section {unknown}' if verb in rows else 'no such call'}")
        masks[rows[verb].op] = sum(1 << sections[name] for name in set(names.split()))
    if strays := sorted(set(snapshot.TOLD) - set(rows)):
        raise CatalogueError(f"snapshot.TOLD: there is no call {strays[0]}")
    bits = "".join(f"static const uint64_t PIPE_SECTION_{name.upper()} = {1 << i:#x}u;\n" for name, i in sections.items())
    names = ['    "",', *(f'    "{row.name}",' for row in boundary.rows)]
    return "\n".join([
        f"/* {BANNER} */\n#pragma once\n\n#include <stdint.h>\n", HEADER, bits, *map(fields, layouts_below(whole)),
        f"static const uint64_t pipe_verb_sections[] = {{{', '.join(f'{mask:#x}' for mask in masks)}}};\n",
        "static const char* const pipe_op_names[] = {", *names, "};", ""])


def snapshot_pxd(boundary: Boundary) -> str:
    whole = next(s for s in boundary.structs if s.name == "Snapshot")
    names = ", ".join(f"PIPE_SECTION_{m.name.upper()}" for m in whole.members)
    return f"# {BANNER}\n\n{PXD}    const uint64_t {names}\n"
