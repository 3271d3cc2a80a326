"""Functions in front of others: interpose.pxi on the client's two tables, watch.pxi on a back end's.

interpose.pxi is for modules that look at calls before they are made, or change or drop them. The module that includes it
defines, all noexcept nogil:

    bint before_call(void* self, uint32_t op, void* payload, uint32_t size, const void** tails, uint64_t* sizes, uint32_t count)
                                                        `payload` is a copy and may be changed; False: the call is not made
    void after_call(void* self, uint32_t op, pipe_reply* reply)     of a call that was made; reply NULL: it has none
    PipeScreen* plain_screen(void* self)                … and plain_context: the tables behind

watch.pxi is for the applier's side. It stands before a back end, whose table is `inner` of a `Watch`, and calls

    note_<call>(Watch* watch, payload, tails, bytes of blobs)           for the calls of snapshot.TOLD
    bint verb_begins(Watch* watch, uint32_t op)                         for those of snapshot.VERBS; False: it is not made
    void verb_ends(Watch* watch)
"""

from c_header import BANNER, back_end_params, c_type, table_params
from mgpipe.catalogue import snapshot
from mgpipe.catalogue.declare import Class
from mgpipe.catalogue.layout import Boundary, Row


def live(boundary: Boundary) -> list[Row]:
    return [row for row in boundary.rows if not row.call.retired]


def table_of(row: Row) -> str:
    return "screen" if row.call.cls is Class.SCREEN else "context"


def interposed(row: Row) -> str:
    op = f"PIPE_OP_{row.name.upper()}"
    params = table_params(row)
    lines = [f"cdef void interposed_{row.name}({', '.join(['void* self', *map(str, params)])}) noexcept nogil:"]
    passed, payload, size = ["self"], "NULL", "0"
    if row.payload:
        lines += [f"    cdef pipe_{row.name} payload = p[0]"]
        passed, payload, size = ["self", "&payload"], "&payload", f"sizeof(pipe_{row.name})"
    if row.tails:
        lines += [f"    cdef const void* tails[{len(row.tails)}]", f"    cdef uint64_t sizes[{len(row.tails)}]"]
        for i, t in enumerate(row.tails):
            lines += [f"    tails[{i}] = {t.param}", f"    sizes[{i}] = p.{t.count} * sizeof({c_type(t.element)})"]
            passed.append(f"<const {c_type(t.element)}*>tails[{i}]")
    tails = "tails, sizes" if row.tails else "NULL, NULL"
    passed += ["reply"] * row.has_reply
    lines += [f"    if before_call(self, {op}, {payload}, {size}, {tails}, {len(row.tails)}):",
              f"        plain_{table_of(row)}(self).{row.name}({', '.join(passed)})",
              f"        after_call(self, {op}, {'reply' if row.has_reply else 'NULL'})"]
    if row.has_reply:
        lines += ["    else:", "        reply.status = PIPE_REPLY_REFUSED"]
    return "\n".join(lines) + "\n"


def interpose_pxi(boundary: Boundary) -> str:
    install = ["# Of each call for which `wanted`, by operation, is not 0; NULL: of all.",
               "cdef void install_interposed(PipeScreen* screen, PipeContext* context, const uint64_t* wanted) noexcept nogil:"]
    for row in live(boundary):
        install += [f"    if {table_of(row)}.{row.name} != NULL and (wanted == NULL or wanted[PIPE_OP_{row.name.upper()}]):",
                    f"        {table_of(row)}.{row.name} = interposed_{row.name}"]
    return f"# {BANNER}\n\n" + "\n\n".join([*map(interposed, live(boundary)), "\n".join(install) + "\n"])


def watched(row: Row) -> str:
    params = back_end_params(row)
    lines = [f"cdef void watched_{row.name}({', '.join(['void* self', *map(str, params)])}) noexcept nogil:",
             "    cdef Watch* watch = <Watch*>self"]
    if row.name in snapshot.TOLD:
        noted = ", ".join(["watch", *(p.name for p in params if p.kind in ("payload", "tail", "bytes"))])
        lines.append(f"    note_{row.name}({noted})")
    if row.name in snapshot.VERBS:
        lines.append(f"    if not verb_begins(watch, PIPE_OP_{row.name.upper()}):")
        if row.has_reply:
            lines.append("        reply.status = PIPE_REPLY_LOST")
        lines.append("        return")
    passed = ", ".join(["watch.inner.self", *(p.name for p in params)])
    lines.append(f"    watch.inner.{row.name}({passed})")
    if row.name in snapshot.VERBS:
        lines.append("    verb_ends(watch)")
    return "\n".join(lines) + "\n"


def watch_pxi(boundary: Boundary) -> str:
    install = ["cdef void install_watch(BackEnd* table, const BackEnd* inner) noexcept nogil:"]
    for row in live(boundary):
        install += [f"    if inner.{row.name} != NULL:", f"        table.{row.name} = watched_{row.name}"]
    return f"# {BANNER}\n\n" + "\n\n".join([*map(watched, live(boundary)), "\n".join(install) + "\n"])
