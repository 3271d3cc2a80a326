"""decode.pxi: from bytes of a peer to calls of a back end that only sees checked values and resolved objects.

Three layers, each a function per call:

    check_<call>   is this record well formed? Sizes, counts, padding, every value, nulls. Looks at nothing but the record.
    apply_<call>   of table shape: resolves handles and blobs, calls the back end. Monolith installs these as its tables.
    decode_record  one whole record, from a copy that nobody else can write: check, then apply.

The module that includes it defines, for its own `self`:

    cdef inline const BackEnd* back_end(void* self) noexcept nogil      NULL: latched, nothing is applied any more
    cdef inline void* resolve(void* self, uint32_t kind, pipe_handle handle) noexcept nogil     NULL: no such object
    cdef inline void* admit(void* self, uint32_t kind, pipe_handle handle) noexcept nogil       makes the object's place; NULL:
                                                            slot too high or in use, generation not above the last one's
    cdef inline void dismiss(void* self, uint32_t kind, pipe_handle handle, void* item) noexcept nogil      after the call
    cdef inline uint8_t* blob_bytes(void* self, const pipe_Blob* blob) noexcept nogil           NULL: outside its segment
    cdef inline uint8_t* blob_words(void* self, const pipe_Blob* blob) noexcept nogil           the same; NULL also: no multiple of 8
    cdef inline void fault(void* self, uint32_t family, const char* where) noexcept nogil       latches
    cdef inline void unimplemented(void* self, uint32_t op, const char* name) noexcept nogil    the back end has no such entry
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from c_header import BANNER, Param, back_end_params, blobs, c_type, table_params
from encoders import installer
from mgpipe.catalogue.layout import HEADER_SIZE, Boundary, HandleSlot, Layout, Member, Row, handles, round8

HELPERS = f'''\
# {BANNER} What the including module must define: generator/decoders.py.

cdef inline bint is_null(pipe_handle handle) noexcept nogil:
    return handle.slot == 0 and handle.gen == 0


cdef inline bint padding_clear(const uint8_t* at, uint64_t low, uint64_t high) noexcept nogil:
    while low < high:
        if at[low] != 0:
            return False
        low += 1
    return True


cdef inline uint64_t round8_wide(uint64_t size) noexcept nogil:
    return (size + 7) & ~<uint64_t>7

'''


def set_function(name: str, members: dict[str, int]) -> str:
    values = sorted(members.values())
    if values == list(range(len(values))):
        test = f"value < {len(values)}"
    else:
        test = " or ".join(f"value == {v}" for v in values)
    return f"cdef inline bint in_{name}(uint32_t value) noexcept nogil:\n    return {test}\n"


class Lines:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.depth = 1

    def add(self, line: str) -> None:
        self.text.append("    " * self.depth + line)

    def function(self, head: str) -> str:
        """The whole function, with the loop variables that it turned out to need."""
        used = [i for i in "ijk" if any(line.lstrip().startswith(f"for {i} ") for line in self.text)]
        declared = [f"    cdef uint32_t {', '.join(used)}"] if used else []
        return "\n".join([head, *declared, *self.text]) + "\n"

    @contextmanager
    def each(self, of: str) -> Iterator[str]:
        """The lines within stand in a loop over `of`, if there is any; yields the subscript."""
        if of:
            self.add(f"for i in {of}:")
        self.depth += bool(of)
        yield "[i]" if of else ""
        self.depth -= bool(of)

    def refuse_if(self, condition: str, family: str, where: str) -> None:
        self.add(f"if {condition}:")
        self.add(f'    where[0] = b"{where}"')
        self.add(f"    return PIPE_FAULT_{family}")


def value_test(member: Member, value: str) -> str | None:
    """The condition under which a scalar is refused."""
    check = member.check
    if check is None:
        return None
    match check.kind:
        case "bool":
            return f"{value} > 1"
        case "max":
            return f"{value} > <uint32_t>{check.value}"
        case "mask" | "flags":
            return f"{value} & ~<uint32_t>{check.value}"
        case "range":
            return f"{value} < {check.low} or {value} > {check.value}"
        case _:
            return f"not in_{check.enum}({value})"


def check_members(out: Lines, layout: Layout, at: str, where: str, level: int = 0, done: frozenset[str] = frozenset()) -> None:
    for m in layout.members:
        if m.name in done:
            continue
        value, path = f"{at}{m.name}", f"{where}.{m.name}"
        needs_loop = m.is_array and (m.check or m.is_pad or m.type == "handle" or (m.struct and checked(m.struct)))
        if needs_loop:
            index = "ijk"[level]
            out.add(f"for {index} in range({m.count}):")
            out.depth += 1
            value += f"[{index}]"
        if m.is_pad:
            out.refuse_if(f"{value} != 0", "PADDING_NOT_ZERO", path)
        elif m.type == "handle":
            if not m.nullable:
                out.refuse_if(f"is_null({value})", "NULL_HANDLE", path)
        elif m.struct:
            if checked(m.struct):
                check_members(out, m.struct, f"{value}.", path, level + m.is_array)
        elif test := value_test(m, value):
            out.refuse_if(test, "VALUE_OUT_OF_RANGE", path)
        if needs_loop:
            out.depth -= 1


def checked(layout: Layout) -> bool:
    """Whether a struct has anything that could be refused."""
    return any(m.check or m.is_pad or (m.type == "handle" and not m.nullable) or (m.struct and checked(m.struct))
               for m in layout.members)


def checker(row: Row, prefix: str = "", payload_type: str = "") -> str:
    """check_<call>: 0 or the fault's number; `where` then names call and field."""
    out = Lines()
    fixed = HEADER_SIZE + (row.payload.size if row.payload else 0)
    name = f"{prefix}{row.name}"
    head = f"cdef int check_{name}(const uint8_t* record, uint32_t size, const char** where) noexcept nogil:"
    if row.payload:
        out.add(f"cdef const pipe_{payload_type or row.name}* p = <const pipe_{payload_type or row.name}*>(record + {HEADER_SIZE})")
    for i, t in enumerate(row.tails):
        if t.struct and checked(t.struct):
            out.add(f"cdef const {c_type(t.element)}* tail{i}")
    if row.tails:
        out.add("cdef uint64_t at, length")
    if not row.tails:
        out.refuse_if(f"size != {round8(fixed)}", "RECORD_SIZE", row.name)
        if fixed % 8:
            out.refuse_if(f"not padding_clear(record, {fixed}, {round8(fixed)})", "PADDING_NOT_ZERO", row.name)
    else:
        out.refuse_if(f"size < {round8(fixed)}", "RECORD_SIZE", row.name)
        for count, at_most in {t.count: t.at_most for t in row.tails}.items():
            out.refuse_if(f"p.{count} > {at_most}", "COUNT_TOO_LARGE", f"{row.name}.{count}")
        total = " + ".join(f"round8_wide(<uint64_t>p.{t.count} * {t.element_size})" for t in row.tails)
        out.refuse_if(f"size != {round8(fixed)} + {total}", "RECORD_SIZE", row.name)
        if fixed % 8:
            out.refuse_if(f"not padding_clear(record, {fixed}, {round8(fixed)})", "PADDING_NOT_ZERO", row.name)
    if row.payload:
        check_members(out, row.payload, "p.", row.name, done=frozenset(t.count for t in row.tails))
    if row.tails:
        out.add(f"at = {round8(fixed)}")
        for i, t in enumerate(row.tails):
            out.add(f"length = <uint64_t>p.{t.count} * {t.element_size}")
            if t.element_size % 8:
                out.refuse_if("not padding_clear(record, at + length, at + round8_wide(length))", "PADDING_NOT_ZERO",
                              f"{row.name}.{t.param}")
            if t.struct and checked(t.struct):
                out.add(f"tail{i} = <const {c_type(t.element)}*>(record + at)")
                out.add(f"for i in range(p.{t.count}):")
                out.depth += 1
                check_members(out, t.struct, f"tail{i}[i].", f"{row.name}.{t.param}", 1)
                out.depth -= 1
            out.add("at += round8_wide(length)")
    out.add("return 0")
    return out.function(head)


def give_up(out: Lines, condition: str, family: str, where: str, failed: list[str]) -> None:
    out.add(f"if {condition}:")
    for line in (f'fault(self, PIPE_FAULT_{family}, b"{where}")', *failed, "return"):
        out.add(f"    {line}")


def resolution(out: Lines, slot: HandleSlot, target: str, handle: str, where: str, failed: list[str]) -> None:
    """Set `target` to the object that one handle names."""
    kind = f"PIPE_HANDLE_{slot.kind.upper()}"
    if slot.nullable:
        out.add(f"{target} = NULL")
        out.add(f"if not is_null({handle}):")
        out.depth += 1
    if slot.role == "new":
        out.add(f"{target} = admit(self, {kind}, {handle})")
    else:
        out.add(f"{target} = resolve(self, {kind}, {handle})")
    if slot.role == "ensure":
        out.add(f"if {target} == NULL:")
        out.add(f"    {target} = admit(self, {kind}, {handle})")
    family = "HANDLE_IN_USE" if slot.role in ("new", "ensure") else "UNKNOWN_HANDLE"
    give_up(out, f"{target} == NULL", family, where, failed)
    out.depth -= slot.nullable


def resolve_below(out: Lines, layout: Layout, base: str, prefix: str, where: str, failed: list[str], loop: str = "") -> None:
    """Find the object of every handle in one struct; existing ones first, so that a refused record has begun nothing."""
    for slot in sorted(handles(layout), key=lambda h: h.role in ("new", "ensure")):
        target, handle = f"{prefix}{slot.param}", f"{base}{slot.access.format(i='i')}"
        with out.each(loop or (f"range({slot.count})" if slot.count > 1 else "")) as index:
            resolution(out, slot, target + index, handle, f"{where}.{slot.path}", failed)


def find_bytes(out: Lines, layout: Layout, call: str, failed: list[str]) -> None:
    """Find the bytes of every blob in the payload; an empty one has none. What an answer is written to holds words."""
    for name, access, count in blobs(layout):
        blob = f"p.{access.format(i='i')}"
        with out.each(f"range({count})" if count > 1 else "") as index:
            out.add(f"{name}_at{index} = NULL")
            out.add(f"if {blob}.size:")
            out.depth += 1
            out.add(f"{name}_at{index} = blob_{'words' if name == 'into' else 'bytes'}(self, &{blob})")
            give_up(out, f"{name}_at{index} == NULL", "BLOB_OUTSIDE", f"{call}.{name}", failed)
            out.depth -= 1


def applier(row: Row) -> str:
    """apply_<call>: resolve, call, forget what ended."""
    out = Lines()
    params = ", ".join(["void* self", *map(str, table_params(row))])
    head = f"cdef void apply_{row.name}({params}) noexcept nogil:"
    failed, lost, refused = (
        [f"reply.status = PIPE_REPLY_{status}"] if row.has_reply else [] for status in ("ERROR", "LOST", "REFUSED"))
    refused = [f'unimplemented(self, PIPE_OP_{row.name.upper()}, b"{row.name}")', *refused]

    out.add("cdef const BackEnd* back = back_end(self)")
    at_most = {t.param: t.at_most for t in row.tails}
    for param in back_end_params(row):
        if param.kind in ("item", "bytes"):
            array = ""
            if param.type.endswith("**"):
                tail = next((t for t in row.tails if param.name.startswith(f"{t.param}_") and param.slot), None)
                count = at_most[tail.param] if tail else element_count(row, param)
                array = f"[{count}]"
            out.add(f"cdef {param.type.removesuffix('*') if array else param.type} {param.name}{array}")
    for condition, then in (("back == NULL", lost), (f"back.{row.name} == NULL", refused)):
        out.add(f"if {condition}:")
        for line in (*then, "return"):
            out.add(f"    {line}")

    for t in row.tails:
        if t.struct and handles(t.struct):
            give_up(out, f"p.{t.count} > {t.at_most}", "COUNT_TOO_LARGE", f"{row.name}.{t.count}", failed)
            resolve_below(out, t.struct, f"{t.param}[i].", f"{t.param}_", f"{row.name}.{t.param}", failed, f"range(p.{t.count})")
    if row.payload:
        find_bytes(out, row.payload, row.name, failed)
        resolve_below(out, row.payload, "p.", "", row.name, failed)
    passed = ", ".join(["back.self", *(p.name for p in back_end_params(row))])
    out.add(f"back.{row.name}({passed})")
    for m in row.payload.members if row.payload else ():
        if m.role == "old":
            out.add(f"dismiss(self, PIPE_HANDLE_{m.handle_kind.upper()}, p.{m.name}, {m.name})")
    return out.function(head)


def element_count(row: Row, param: Param) -> int:
    if param.slot:
        return param.slot.count
    return next(count for name, _, count in blobs(row.payload) if f"{name}_at" == param.name)


def dispatch(row: Row) -> list[str]:
    """Call apply_<call> with pointers into the record."""
    fixed = HEADER_SIZE + (row.payload.size if row.payload else 0)
    args = ["self"]
    if row.payload:
        args.append(f"<const pipe_{row.name}*>(record + {HEADER_SIZE})")
    at = f"record + {round8(fixed)}"
    for i, t in enumerate(row.tails):
        args.append(f"<const {c_type(t.element)}*>({at})")
        if i + 1 < len(row.tails):
            at += f" + round8_wide(<uint64_t>(<const pipe_{row.name}*>(record + {HEADER_SIZE})).{t.count} * {t.element_size})"
    if row.has_reply:
        args.append("reply")
    return [f"apply_{row.name}({', '.join(args)})"]


def choice(rows: list[Row], group: str, body: Callable[[Row], list[str]]) -> str:
    lines = []
    for i, row in enumerate(rows):
        lines.append(f"    {'el' * bool(i)}if op == PIPE_{group}_{row.name.upper()}:")
        lines += [f"        {line}" for line in body(row)]
    return "\n".join(lines)


def check_switch(name: str, group: str, prefix: str, rows: list[Row], limit: str) -> str:
    body = choice(rows, group, lambda r: [f"return check_{prefix}{r.name}(record, size, where)"])
    return f'''\
# 0, or a PIPE_FAULT_*: then `where` names call and field. `record` is 8-aligned and holds `size` bytes.
cdef int {name}(const uint8_t* record, uint32_t size, const char** where) noexcept nogil:
    cdef uint16_t op
    where[0] = b"header"
    if size < {HEADER_SIZE} or size > {limit} or (<const pipe_record*>record).size != size or size % 8:
        return PIPE_FAULT_RECORD_SIZE
    if (<const pipe_record*>record).flags != 0:
        return PIPE_FAULT_VALUE_OUT_OF_RANGE
    op = (<const pipe_record*>record).op
{body}
    return PIPE_FAULT_UNKNOWN_OPERATION
'''


def decode_pxi(boundary: Boundary) -> str:
    live = [r for r in boundary.rows if not r.call.retired]
    events = [e for e in boundary.events if not e.call.retired]
    used = sorted({m.check.enum for layout in all_layouts(boundary) for m in layout.members if m.check and m.check.kind == "set"})
    parts = [set_function(name, boundary.enums[name]) for name in used]
    parts += [checker(r) for r in live]
    parts += [checker(e, "event_", f"event_{e.name}") for e in events]
    parts.append(check_switch("check_record", "OP", "", live, "PIPE_MAX_RECORD"))
    parts.append(check_switch("check_event", "EVENT", "event_", events, "PIPE_MAX_EVENT"))
    parts += [applier(r) for r in live]
    parts.append(f'''\
cdef void apply_record(void* self, const uint8_t* record, pipe_reply* reply) noexcept nogil:
    cdef uint16_t op = (<const pipe_record*>record).op
{choice(live, "OP", dispatch)}
''')
    parts.append('''\
# 0: applied, or at least taken (the back end may have latched). 1: refused, nothing was done.
cdef int decode_record(void* self, const uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil:
    cdef const char* where = NULL
    cdef int family = check_record(record, size, &where)
    if family:
        fault(self, family, where)
        return 1
    apply_record(self, record, reply)
    return 0
''')
    parts.append(installer("install_applier", "apply", boundary))
    return HELPERS + "\n\n" + "\n\n".join(parts)


def all_layouts(boundary: Boundary) -> list[Layout]:
    return [*boundary.structs, *(r.payload for r in (*boundary.rows, *boundary.events) if r.payload)]
