"""record.pxi, by_name.pxi: a back end that only notes what reached it, and calls by name. For tests and goldens.

The including module defines `note_call(void* self, uint32_t op)` and `note_bytes(void* self, const void* at, uint64_t size)`,
both noexcept nogil: a call is noted, then its payload, then each tail.
"""

from c_header import BANNER, back_end_params, c_type
from mgpipe.catalogue.declare import Class
from mgpipe.catalogue.layout import Boundary, Row


def recorder(row: Row) -> str:
    params = ", ".join(["void* self", *map(str, back_end_params(row))])
    lines = [f"cdef void record_{row.name}({params}) noexcept nogil:", f"    note_call(self, PIPE_OP_{row.name.upper()})"]
    if row.payload:
        lines.append(f"    note_bytes(self, p, sizeof(pipe_{row.name}))")
    lines += [f"    note_bytes(self, {t.param}, p.{t.count} * sizeof({c_type(t.element)}))" for t in row.tails]
    if row.has_reply:
        lines.append("    reply.status = PIPE_REPLY_OK")
    return "\n".join(lines) + "\n"


def record_pxi(boundary: Boundary) -> str:
    live = [r for r in boundary.rows if not r.call.retired]
    install = ["cdef void install_recorder(BackEnd* back) noexcept nogil:", *(f"    back.{r.name} = record_{r.name}" for r in live)]
    return f"# {BANNER}\n\n" + "\n\n".join([*map(recorder, live), "\n".join(install) + "\n"])


def by_name_pxi(boundary: Boundary) -> str:
    """call_table: any call by its name, from plain bytes."""
    lines = [f"# {BANNER}\n", "cdef int call_table(str name, PipeScreen* screen, PipeContext* context, void* self, const uint8_t* payload,",
             "                    const uint8_t** tails, pipe_reply* reply) except -1:"]
    for i, row in enumerate(r for r in boundary.rows if not r.call.retired):
        args = ["self"] + ([f"<const pipe_{row.name}*>payload"] if row.payload else [])
        args += [f"<const {c_type(t.element)}*>tails[{n}]" for n, t in enumerate(row.tails)] + ["reply"] * row.has_reply
        table = "screen" if row.call.cls is Class.SCREEN else "context"
        lines += [f'    {"el" * bool(i)}if name == "{row.name}":', f"        {table}.{row.name}({', '.join(args)})"]
    return "\n".join([*lines, "    else:", "        raise KeyError(name)", "    return 0", ""])
