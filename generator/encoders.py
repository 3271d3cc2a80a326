"""encode.pxi: functions of table shape that write each call as one record. direct.pxi: that hand it on at once.

The module that includes it defines, for its own `self`:

    cdef inline uint8_t* emit_reserve(void* self, uint32_t size) noexcept nogil     NULL: the session is lost
    cdef inline void emit_commit(void* self, uint32_t size, bint publish) noexcept nogil
    cdef inline void emit_wait(void* self, pipe_reply* reply) noexcept nogil        of the record committed last

A record is written payload first, header last; every byte of it is written. No tail may be longer than PIPE_MAX_<CALL>_<TAIL>:
the caller splits.
"""

from c_header import BANNER, c_type, table_params
from mgpipe.catalogue.declare import Class, Wait
from mgpipe.catalogue.layout import HEADER_SIZE, Boundary, Row, round8

HELPERS = f'''\
# {BANNER} What the including module must define: generator/encoders.py.

cdef inline void write_header(uint8_t* at, uint16_t op, uint32_t size) noexcept nogil:
    (<pipe_record*>at).flags = 0
    (<pipe_record*>at).size = size
    (<pipe_record*>at).op = op


cdef inline uint32_t round8(uint32_t size) noexcept nogil:
    return (size + 7) & ~<uint32_t>7

'''

SHORT = 64      # bytes


def published(row: Row) -> bool:
    """Records after which the client looks for an answer, or the program asked that they leave."""
    return row.call.wait is not Wait.NONE or row.name == "flush"


def encoder(row: Row) -> str:
    params = ", ".join(["void* self", *map(str, table_params(row))])
    fixed = HEADER_SIZE + (row.payload.size if row.payload else 0)
    lines = [f"cdef void encode_{row.name}({params}) noexcept nogil:"]
    if row.tails:
        for i, t in enumerate(row.tails):
            lines.append(f"    cdef uint32_t length{i} = p.{t.count} * <uint32_t>sizeof({c_type(t.element)})")
        lengths = " + ".join(f"round8(length{i})" for i in range(len(row.tails)))
        lines.append(f"    cdef uint32_t size = {round8(fixed)} + {lengths}")
        size = "size"
    else:
        size = str(round8(fixed))
    lines.append(f"    cdef uint8_t* at = emit_reserve(self, {size})")
    if row.tails:
        lines.append(f"    cdef uint8_t* tail = at + {round8(fixed)}")
    lines.append("    if at == NULL:")
    if row.has_reply:
        lines.append("        reply.status = PIPE_REPLY_LOST")
    lines.append("        return")
    if fixed % 8:
        lines.append(f"    memset(at + {fixed}, 0, {round8(fixed) - fixed})")
    if row.payload:
        lines.append(f"    memcpy(at + {HEADER_SIZE}, p, sizeof(pipe_{row.name}))")
    for i, t in enumerate(row.tails):
        if t.struct and t.element_size <= SHORT:    # one element, as often: a copy of known size is no function call
            pad = f"        (<uint64_t*>(tail + {round8(t.element_size) - 8}))[0] = 0" if t.element_size % 8 else None
            lines += [f"    if length{i} == {t.element_size}:", *([pad] if pad else []),
                      f"        memcpy(tail, {t.param}, {t.element_size})", f"    elif length{i}:"]
        else:
            lines.append(f"    if length{i}:")
        if t.element_size % 8:
            lines.append(f"        (<uint64_t*>(tail + round8(length{i}) - 8))[0] = 0")
        lines.append(f"        memcpy(tail, {t.param}, length{i})")
        if i + 1 < len(row.tails):
            lines.append(f"    tail += round8(length{i})")
    lines.append(f"    write_header(at, PIPE_OP_{row.name.upper()}, {size})")
    lines.append(f"    emit_commit(self, {size}, {published(row)})")
    if row.has_reply:
        lines.append("    emit_wait(self, reply)")
    return "\n".join(lines) + "\n"


def installer(name: str, prefix: str, boundary: Boundary) -> str:
    lines = [f"cdef void {name}(PipeScreen* screen, PipeContext* context) noexcept nogil:"]
    for row in boundary.rows:
        if not row.call.retired:
            table = "screen" if row.call.cls is Class.SCREEN else "context"
            lines.append(f"    {table}.{row.name} = {prefix}_{row.name}")
    return "\n".join(lines) + "\n"


def record_size(row: Row) -> str:
    """What the call's record would take, as an expression over its parameters."""
    fixed = round8(HEADER_SIZE + (row.payload.size if row.payload else 0))
    return " + ".join([str(fixed), *(f"round8(p.{t.count} * <uint32_t>sizeof({c_type(t.element)}))" for t in row.tails)])


def direct(row: Row) -> str:
    """A counting function in front of the applier's own, for the topology without a ring."""
    params = table_params(row)
    table = "screen" if row.call.cls is Class.SCREEN else "context"
    lines = [f"cdef void direct_{row.name}({', '.join(['void* self', *map(str, params)])}) noexcept nogil:"]
    lines.append(f"    if not direct_enter(self, {record_size(row)}):")
    if row.has_reply:
        lines.append("        reply.status = PIPE_REPLY_LOST")
    lines.append("        return")
    passed = ", ".join(["direct_self(self)", *(p.name for p in params)])
    lines.append(f"    direct_{table}(self).{row.name}({passed})")
    lines.append(f"    direct_leave(self, PIPE_OP_{row.name.upper()}, {'reply' if row.has_reply else 'NULL'})")
    return "\n".join(lines) + "\n"


def direct_installer(boundary: Boundary) -> str:
    """What the applier has no function for stays null here too, in tables that were null before."""
    lines = ["cdef void install_direct_calls(PipeScreen* screen, PipeContext* context, const PipeScreen* to_screen,",
             "                               const PipeContext* to_context) noexcept nogil:"]
    for row in boundary.rows:
        if not row.call.retired:
            table = "screen" if row.call.cls is Class.SCREEN else "context"
            lines += [f"    if to_{table}.{row.name} != NULL:", f"        {table}.{row.name} = direct_{row.name}"]
    return "\n".join(lines) + "\n"


def direct_pxi(boundary: Boundary) -> str:
    """The including module has encode.pxi too, and defines, all inline and noexcept nogil:

    bint direct_enter(void* self, uint32_t size)        False: the session is lost, nothing is called
    PipeScreen* direct_screen(void* self)               … and direct_context: the applier's tables
    void* direct_self(void* self)                       their first argument
    void direct_leave(void* self, uint32_t op, pipe_reply* reply)       reply NULL: nobody waits for this call
    """
    live = [r for r in boundary.rows if not r.call.retired]
    return f"# {BANNER} What the including module must define: generator/encoders.py.\n\n" + "\n\n".join(
        [*map(direct, live), direct_installer(boundary)])


def encode_pxi(boundary: Boundary) -> str:
    live = [r for r in boundary.rows if not r.call.retired]
    return HELPERS + "\n\n" + "\n\n".join([*map(encoder, live), installer("install_encoders", "encode", boundary)])
