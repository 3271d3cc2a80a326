"""docs/catalogue.md: every row, readable."""

from mgpipe.catalogue import calls, faults, limits
from mgpipe.catalogue.declare import Class
from mgpipe.catalogue.fingerprint import fingerprint
from mgpipe.catalogue.layout import HEADER_SIZE, MAX_RECORD, Boundary, Check, Layout, Member, Row

INTRODUCTION = """\
# The boundary, row by row

Generated from `src/mgpipe/catalogue/` by `make catalogue`; do not edit. A test compares this page with a fresh run.

A record is `{{op u16, flags u16, size u32}}`, a payload, then each tail from the next multiple of 8; its size is a multiple
of 8 and at most {max_record} bytes. No byte is left unset, no pointer travels, nothing but the answer of a *reply* row is
waited for. A handle is `{{slot u32, gen u32}}`; `?` marks those that may be null, `new`, `ensure` and `old` those that begin
or end with the record. Offsets count from the start of the payload.

Fingerprint: `{fingerprint}`
"""
CLASSES = {
    Class.SCREEN: "Screen: capabilities, contexts, surfaces, resources, fences", Class.QUERY: "Queries",
    Class.CSO: "Constant state objects", Class.STATE: "State for the next verb", Class.OBJECT: "Contents of resources",
    Class.VERB: "Verbs",
}


def check_text(check: Check | None) -> str:
    if check is None:
        return ""
    match check.kind:
        case "bool":
            return ", 0 or 1"
        case "max":
            return f", at most {check.value}"
        case "mask":
            return f", bits of {check.value:#x}"
        case "range":
            return f", {check.low} to {check.value}"
        case "flags":
            return f", flags of {check.enum}"
        case _:
            return f", one of {check.enum}"


def member_text(member: Member) -> str:
    if member.type == "handle":
        role = "" if member.role == "names" else f"{member.role} "
        spelled = f"{role}{member.handle_kind}{'?' * member.nullable}"
    else:
        spelled = member.type
    array = f"[{member.count}]" if member.is_array else ""
    return f"{member.offset} `{member.name}` {spelled}{array}{check_text(member.check)}"


def members_text(layout: Layout | None) -> str:
    if layout is None:
        return "none"
    shown = [m for m in layout.members if not m.is_pad]
    return "; ".join(map(member_text, shown))


def row_text(row: Row) -> str:
    size = row.payload.size if row.payload else 0
    facts = [f"wait *{row.call.wait.value}*"] + ([f"flags {', '.join(row.flags)}"] if row.flags else [])
    if row.call.reference:
        facts.append("answers reference row" + "s" * (len(row.call.reference) > 1) + " " + ", ".join(map(str, row.call.reference)))
    lines = [f"### {row.op} `{row.name}`" + (" (retired)" if row.call.retired else ""), ""]
    if row.call.doc:
        lines += [row.call.doc, ""]
    lines += ["; ".join(facts) + ".", "", f"- payload, {size} bytes: {members_text(row.payload)}"]
    lines += [f"- tail `{t.param}`: `{t.count}` × {t.element} of {t.element_size} bytes, at most {t.at_most}" for t in row.tails]
    return "\n".join(lines) + "\n"


def page(boundary: Boundary) -> str:
    parts = [INTRODUCTION.format(max_record=f"{MAX_RECORD:,}", fingerprint=fingerprint(boundary))]
    for cls, title in CLASSES.items():
        parts.append(f"## {title}\n")
        parts += [row_text(r) for r in boundary.rows if r.call.cls is cls]
    parts.append("## Events, from server to client\n\nNumbered on their own, with the same header.\n")
    parts += [row_text(e) for e in boundary.events]
    parts.append("## Structs\n")
    for s in boundary.structs:
        if s.name != "Caps":
            parts.append(f"- **{s.name}**, {s.size} bytes{': ' + s.doc if s.doc else ''} {members_text(s)}")
    parts.append("\n## Limits\n\nWhat OpenGL 3.3 core lets a program ask; members of `Caps`.\n\n"
                 "| limit | least | who decides |\n|---|---:|---|")
    decides = {limits.Source.DRIVER: "driver", limits.Source.FIXED: "we: {0:g}", limits.Source.SMALLER: "driver, at most {0:g}"}
    for limit in limits.LIMITS:
        parts.append(f"| `{limit.gl_name}` | {limit.minimum:g} | {decides[limit.source].format(limit.promise)} |")
    parts.append("\nFeature bits: " + ", ".join(f"`{n}` ({d})" for n, d in limits.FEATURES) + ".")
    parts.append("\n## Enum sets\n")
    for name, members in boundary.enums.items():
        if name != "FAULT":
            kind = " (flags)" if name in boundary.flag_sets else ""
            parts.append(f"- **{name}**{kind}: " + ", ".join(f"{m} {v if v < 16 else hex(v)}" for m, v in members.items()))
    parts.append("\n## Faults\n")
    parts += [f"{i}. **{name}**: {meaning}." for i, (name, meaning) in enumerate(faults.FAULTS, 1)]
    parts.append("\n## Rows of the reference that have none here\n")
    parts += [f"- {number}: {reason}." for number, reason in sorted(calls.NOT_CARRIED.items())]
    parts.append(f"\nThe record header is {HEADER_SIZE} bytes.")
    return "\n".join(parts) + "\n"
