"""One hash of everything that both ends must agree on before a record may travel."""

import hashlib
import sys

from mgpipe.catalogue import limits
from mgpipe.catalogue.layout import HEADER_SIZE, MAX_EVENT, MAX_RECORD, Boundary, Layout, Row, boundary

BLOB_CODECS = {"shader": 1, "texels": 1}     # versions of what lies inside blobs: SPIR-V per stage, canonical texel layouts


def _members(layout: Layout | None) -> str:
    if layout is None:
        return "-"
    return ",".join(f"{m.name}:{m.type}{m.handle_kind}{m.role}{'?' * m.nullable}[{m.count}]@{m.offset}+{m.size}{m.check or ''}"
                    for m in layout.members) + f"={layout.size}"


def _row(row: Row) -> str:
    tails = ",".join(f"{t.param} {t.element}[{t.count}<={t.at_most}]" for t in row.tails)
    return (f"{row.op} {row.name} {row.call.cls.value} {row.call.wait.value} {'+'.join(row.flags)} "
            f"{'retired ' if row.call.retired else ''}{_members(row.payload)} {tails}")


def description(catalogue: Boundary) -> str:
    """The text that is hashed: one line for each thing, so that two builds can be compared by eye."""
    return "\n".join([
        f"byte order {sys.byteorder}, header {HEADER_SIZE}, limits {MAX_RECORD} {MAX_EVENT}",
        f"codecs {BLOB_CODECS}",
        "handles " + " ".join(catalogue.handle_kinds),
        *(f"enum {name} {members} {name in catalogue.flag_sets}" for name, members in catalogue.enums.items()),
        *(f"struct {s.name} {_members(s)}" for s in catalogue.structs),
        *(f"call {_row(r)}" for r in catalogue.rows),
        *(f"event {_row(r)}" for r in catalogue.events),
        *(f"feature {name}" for name, _ in limits.FEATURES),
        "format " + " ".join(limits.FORMAT_BITS),
    ])


def fingerprint(catalogue: Boundary | None = None) -> str:
    return hashlib.sha256(description(catalogue or boundary()).encode()).hexdigest()
