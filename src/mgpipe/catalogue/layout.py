"""The declarations, read and checked: every member's offset and size, every check, every handle.

Generator, fingerprint, reference page and tests all stand on this one reading. Anything inconsistent raises
`CatalogueError` with the row and what is wrong with it: nothing is guessed, nothing is padded silently.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from mgpipe.catalogue.declare import Call, Catalogue, Struct, Wait

HEADER_SIZE = 8                     # {op u16, flags u16, size u32}
SMALLEST_COMMAND_RING = 256 * 1024
SMALLEST_EVENT_RING = 64 * 1024
MAX_RECORD = SMALLEST_COMMAND_RING // 2
MAX_EVENT = SMALLEST_EVENT_RING // 2

SCALARS = {"u8": 1, "char": 1, "u16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8}
FLAGS = {"ack", "blob", "tail", "reply", "optional"}
RESERVED = {  # names that C, Cython or the generated code cannot use for a member
    "from", "to", "in", "is", "pass", "def", "class", "import", "with", "global", "lambda", "raise", "return", "yield",
    "int", "float", "double", "long", "short", "char", "struct", "union", "enum", "register", "const", "default", "self", "p",
}


class CatalogueError(ValueError):
    """The declarations contradict themselves; the build stops here."""


@dataclass(frozen=True)
class Check:
    """What a scalar must satisfy.

    kind: bool, max, mask, range (low to value), set (a member of the enum set) or flags (any of its bits).
    """

    kind: str
    value: int = 0
    enum: str = ""
    low: int = 0


@dataclass(frozen=True)
class Member:
    name: str
    type: str                   # a scalar, "handle", or the name of a struct
    count: int                  # 1 for what is no array
    is_array: bool
    offset: int
    element_size: int
    align: int
    check: Check | None = None
    handle_kind: str = ""
    role: str = ""              # of a handle: "names", "new", "ensure" or "old"
    nullable: bool = False
    struct: "Layout | None" = None

    @property
    def size(self) -> int:
        return self.element_size * self.count

    @property
    def is_pad(self) -> bool:
        return re.fullmatch(r"pad\d+", self.name) is not None


@dataclass(frozen=True)
class Layout:
    """A plain struct as C lays it out, without one byte that no member owns."""

    name: str
    members: tuple[Member, ...]
    size: int
    align: int
    doc: str = ""


@dataclass(frozen=True)
class TailLayout:
    """`param` is what the generated functions call the array; it starts at the next multiple of 8."""

    element: str
    param: str
    count: str
    at_most: int
    element_size: int
    struct: Layout | None


@dataclass(frozen=True)
class Row:
    op: int
    call: Call
    payload: Layout | None
    tails: tuple[TailLayout, ...]

    @property
    def name(self) -> str:
        return self.call.name

    @property
    def has_reply(self) -> bool:
        return self.call.wait is Wait.REPLY

    @property
    def flags(self) -> tuple[str, ...]:
        derived = {"tail"} if self.tails else set()
        return tuple(sorted(self.call.flags | derived | ({"reply"} if self.has_reply else set())))

    @property
    def tail_offset(self) -> int:
        """Where the first tail begins in the record."""
        return round8(HEADER_SIZE + (self.payload.size if self.payload else 0))

    @property
    def largest(self) -> int:
        return self.tail_offset + sum(round8(t.at_most * t.element_size) for t in self.tails)


@dataclass(frozen=True)
class HandleSlot:
    """One handle that a call names, seen from the call: `path` spells it in errors, `index` its place per element."""

    param: str                  # of the resolved item in the back end's function
    path: str                   # "color.resource"
    access: str                 # C expression below the struct pointer: "color[{i}].resource"
    kind: str
    role: str
    nullable: bool
    count: int                  # elements: 1 for what is no array


@dataclass(frozen=True)
class Boundary:
    """The whole catalogue, read."""

    handle_kinds: tuple[str, ...]
    enums: dict[str, dict[str, int]]
    flag_sets: frozenset[str]
    structs: tuple[Layout, ...]
    rows: tuple[Row, ...]
    events: tuple[Row, ...]


def round8(size: int) -> int:
    return (size + 7) & ~7


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def tail_param(element: str) -> str:
    """DrawRange → draw_ranges; bytes are `data`."""
    return "data" if element == "u8" else snake(element) + "s"


class _Reader:
    def __init__(self, kinds: Sequence[str], enums: dict[str, dict[str, int]], flag_sets: Iterable[str]) -> None:
        self.kinds, self.enums, self.flag_sets = kinds, enums, frozenset(flag_sets)
        self.structs: dict[str, Layout] = {}

    def check(self, where: str, type_: str, words: list[str]) -> Check:
        text = " ".join(words)
        if type_ == "i32" and (found := re.fullmatch(r"(-?\d+)\.\.(\d+)", text)):
            return Check("range", int(found[2]), low=int(found[1]))
        if type_ not in ("u8", "u16", "u32", "u64"):
            raise CatalogueError(f"{where}: a check ({text}) needs an unsigned integer, not {type_}")
        match words:
            case ["bool"]:
                return Check("bool")
            case ["<=", number]:
                return Check("max", int(number, 0))
            case ["<", number]:
                return Check("max", int(number, 0) - 1)
            case ["mask", number]:
                return Check("mask", int(number, 0))
            case ["in", name]:
                if name not in self.enums:
                    raise CatalogueError(f"{where}: there is no enum set {name}")
                if name in self.flag_sets:
                    bits = 0
                    for value in self.enums[name].values():
                        bits |= value
                    return Check("flags", bits, name)
                return Check("set", 0, name)
        raise CatalogueError(f"{where}: {text!r} is no check")

    def member(self, where: str, text: str, offset: int) -> Member:
        words = text.split()
        if len(words) < 2:
            raise CatalogueError(f"{where}: {text!r} is no field: name, type, check")
        name, spelled, *rest = words
        where = f"{where}.{name}"
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise CatalogueError(f"{where}: a field's name is lower case")
        if name in RESERVED:
            raise CatalogueError(f"{where}: {name} is a word of C or Cython")

        if found := re.fullmatch(r"(handle|new|ensure|old)<(\w+)>(\?)?", spelled):
            role, kind, optional = found.groups()
            if kind not in self.kinds:
                raise CatalogueError(f"{where}: there is no handle kind {kind}")
            if optional and role in ("new", "old"):
                raise CatalogueError(f"{where}: a handle that begins or ends here cannot be null")
            if rest:
                raise CatalogueError(f"{where}: a handle takes no check")
            return self.place(where, Member(name, "handle", 1, False, offset, 8, 4, None, kind,
                                            "names" if role == "handle" else role, bool(optional)))

        found = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", spelled)
        if not found:
            raise CatalogueError(f"{where}: {spelled} is no type")
        type_, count = found[1], int(found[2] or 1)
        if count < 1:
            raise CatalogueError(f"{where}: an array of nothing")
        if type_ in SCALARS:
            check = self.check(where, type_, rest) if rest else None
            return self.place(where, Member(name, type_, count, bool(found[2]), offset, SCALARS[type_], SCALARS[type_], check))
        if type_ not in self.structs:
            raise CatalogueError(f"{where}: {type_} is not declared before this")
        if rest:
            raise CatalogueError(f"{where}: a struct takes no check")
        struct = self.structs[type_]
        return self.place(where, Member(name, type_, count, bool(found[2]), offset, struct.size, struct.align, struct=struct))

    @staticmethod
    def place(where: str, member: Member) -> Member:
        if gap := -member.offset % member.align:
            raise CatalogueError(f"{where}: lies at {member.offset}, which {member.type} is not aligned to: {gap} bytes missing")
        return member

    def layout(self, name: str, fields: Sequence[str], doc: str = "") -> Layout:
        members: list[Member] = []
        offset = 0
        for text in fields:
            member = self.member(name, text, offset)
            if any(m.name == member.name for m in members):
                raise CatalogueError(f"{name}: {member.name} stands there twice")
            members.append(member)
            offset += member.size
        align = max((m.align for m in members), default=1)
        if offset % align:
            raise CatalogueError(f"{name}: {offset} bytes are no multiple of its alignment {align}; add a pad field")
        return Layout(name, tuple(members), offset, align, doc)

    def row(self, op: int, call: Call, limit: int) -> Row:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", call.name):
            raise CatalogueError(f"{call.name}: a call's name is lower case")
        if unknown := call.flags - FLAGS:
            raise CatalogueError(f"{call.name}: unknown flags {sorted(unknown)}")
        payload = self.layout(call.name, call.fields) if call.fields else None
        by_name = {m.name: m for m in payload.members} if payload else {}
        tails = []
        for tail in call.tails:
            count = by_name.get(tail.count)
            if count is None:
                raise CatalogueError(f"{call.name}: no field {tail.count} to count the {tail.element}")
            if count.type != "u32" or count.is_array:
                raise CatalogueError(f"{call.name}.{tail.count}: a count is one u32")
            if count.check != Check("max", tail.at_most):
                raise CatalogueError(f"{call.name}.{tail.count}: must be declared `<= {tail.at_most}`, as its tail is")
            struct = self.structs.get(tail.element)
            if struct is None and tail.element not in SCALARS:
                raise CatalogueError(f"{call.name}: {tail.element} is not declared")
            tails.append(TailLayout(tail.element, tail.name or tail_param(tail.element), tail.count, tail.at_most,
                                    struct.size if struct else SCALARS[tail.element], struct))
        if duplicates(t.param for t in tails):
            raise CatalogueError(f"{call.name}: two tails of one element, and no names")
        row = Row(op, call, payload, tuple(tails))

        if ("reply" in call.flags) > row.has_reply:
            raise CatalogueError(f"{call.name}: flag reply, but nothing waits for it")
        if ("tail" in call.flags) > bool(tails):
            raise CatalogueError(f"{call.name}: flag tail, but it has none")
        owns_blob = payload is not None and any(has_blob(m) for m in payload.members)
        if ("blob" in call.flags) != owns_blob:
            raise CatalogueError(f"{call.name}: the blob flag and a Blob member go together, always")
        if row.largest > limit:
            raise CatalogueError(f"{call.name}: up to {row.largest} bytes; half of the smallest ring is {limit}")
        if payload:
            new = [m for m in payload.members if m.role in ("new", "ensure")]
            old = [m for m in payload.members if m.role == "old"]
            if len(new) > 1 or len(old) > 1 or (new and old):
                raise CatalogueError(f"{call.name}: one record begins or ends one object")
        for nested in [m.struct for m in (payload.members if payload else ()) if m.struct] + [t.struct for t in tails if t.struct]:
            if any(h.role != "names" for h in handles(nested)):
                raise CatalogueError(f"{call.name}: objects begin and end in the payload itself, not inside {nested.name}")
        return row


def has_blob(member: Member) -> bool:
    return member.type == "Blob" or (member.struct is not None and any(has_blob(m) for m in member.struct.members))


def handles(layout: Layout, prefix: str = "", path: str = "", access: str = "", count: int = 1) -> list[HandleSlot]:
    """Every handle below a struct, in order. At most one array may lie on the way to it."""
    found: list[HandleSlot] = []
    for m in layout.members:
        param, spelled = f"{prefix}{m.name}", f"{path}{m.name}"
        step = f"{access}{m.name}" + ("[{i}]" if m.is_array else "")
        if m.is_array and count > 1 and (m.type == "handle" or (m.struct and handles(m.struct))):
            raise CatalogueError(f"{layout.name}.{m.name}: handles in an array of arrays")
        many = count * m.count
        if m.type == "handle":
            found.append(HandleSlot(param, spelled, step, m.handle_kind, m.role, m.nullable, many))
        elif m.struct:
            found += handles(m.struct, f"{param}_", f"{spelled}.", f"{step}.", many)
    return found


def duplicates(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return sorted({n for n in names if n in seen or seen.add(n)})  # type: ignore[func-returns-value]


def read(catalogue: Catalogue, enums: dict[str, dict[str, int]], flag_sets: Iterable[str] = ()) -> Boundary:
    """Check everything that can be wrong with the declarations, and lay them out."""
    for what, names in (("handle kind", catalogue.handle_kinds), ("struct", [s.name for s in catalogue.structs]),
                        ("call", [c.name for c in catalogue.calls]), ("event", [e.name for e in catalogue.events])):
        if twice := duplicates(names):
            raise CatalogueError(f"{what} declared twice: {', '.join(twice)}")
    for name, members in enums.items():
        if not members:
            raise CatalogueError(f"enum set {name} is empty")
        if twice := duplicates(str(v) for v in members.values()):
            raise CatalogueError(f"enum set {name}: two members have the value {twice[0]}")

    reader = _Reader(catalogue.handle_kinds, enums, flag_sets)
    for struct in catalogue.structs:
        if struct.name in SCALARS or not re.fullmatch(r"[A-Z][A-Za-z0-9]*", struct.name):
            raise CatalogueError(f"{struct.name}: a struct's name is in CamelCase")
        reader.structs[struct.name] = reader.layout(struct.name, struct.fields, struct.doc)
    rows = tuple(reader.row(i, c, MAX_RECORD) for i, c in enumerate(catalogue.calls, 1))
    events = tuple(reader.row(i, c, MAX_EVENT) for i, c in enumerate(catalogue.events, 1))
    for event in events:
        if event.has_reply or event.call.wait is not Wait.NONE:
            raise CatalogueError(f"event {event.name}: nobody answers an event")
    return Boundary(catalogue.handle_kinds, enums, reader.flag_sets, tuple(reader.structs.values()), rows, events)


def check_reference(calls: Iterable[Call], not_carried: dict[int, str], last: int) -> None:
    """Each row of the reference is answered by a row here, or has a reason for having none."""
    answered: set[int] = set()
    for call in calls:
        for number in call.reference:
            if number in answered:
                raise CatalogueError(f"{call.name}: reference row {number} is answered by another row already")
            answered.add(number)
    for number in range(1, last + 1):
        if number in answered and number in not_carried:
            raise CatalogueError(f"reference row {number} is both answered and declared not carried")
        if number not in answered and number not in not_carried:
            raise CatalogueError(f"reference row {number} is answered by no row and has no reason for that")
    if strays := sorted(n for n in answered | set(not_carried) if not 1 <= n <= last):
        raise CatalogueError(f"there is no reference row {strays[0]}")
    if empty := sorted(n for n, reason in not_carried.items() if not reason.strip()):
        raise CatalogueError(f"reference row {empty[0]} has no reason")


@cache
def boundary() -> Boundary:
    """The catalogue of this package."""
    from mgpipe.catalogue import calls, enums, faults, limits, snapshot

    sets = enums.ENUMS | {"FAULT": {snake(name).upper(): i for i, (name, _) in enumerate(faults.FAULTS, 1)}}
    structs = [*calls.STRUCTS, *snapshot.STRUCTS, Struct("Caps", limits.CAPS_FIELDS, "What the driver can do; get_caps fills one.")]
    check_reference(calls.CALLS, calls.NOT_CARRIED, calls.REFERENCE_ROWS)
    return read(Catalogue(calls.HANDLE_KINDS, structs, list(calls.CALLS), list(calls.EVENTS)), sets, enums.FLAGS)
