"""The small language in which the boundary is declared: structs, calls, handle kinds.

A field is written `"name type"` or `"name type check"`:

    u8 u16 u32 u64 i32 i64 f32 f64      a scalar; `f32[4]` an array of them
    handle<kind>                        {slot u32, gen u32}; null is refused unless written `handle<kind>?`
    new<kind>                           a handle that this record brings into being
    ensure<kind>                        the same, if it is not in being already; null as above
    old<kind>                           a handle that ends with this record
    Name                                a struct declared before

    check:  `bool`  `<= N`  `< N`  `A..B` (both included, i32)  `in NAME` (an enum set of catalogue/enums.py)
            `mask 0x…` (no other bit may be set)

Padding is never implied: a struct whose fields do not lie naturally aligned, or whose size is no multiple of its
alignment, is refused by the generator; write `pad0 u32` fields (they travel as zero and are checked to be).
"""

from dataclasses import dataclass, field
from enum import Enum


class Class(Enum):
    """Which of the two tables a call stands in, and when it may be sent."""

    SCREEN = "screen"    # objects and services that belong to no context
    QUERY = "query"
    CSO = "cso"          # constant state objects: create, bind, delete
    STATE = "state"      # set_*: consumed by the next verb
    OBJECT = "object"    # contents of resources
    VERB = "verb"        # does something


class Wait(Enum):
    """What the client does after publishing the record."""

    NONE = "none"
    REPLY = "reply"        # block until the answer of this ordinal
    PRESENT = "present"    # take a present credit before encoding (tracker/presents)


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[str, ...]
    doc: str = ""


@dataclass(frozen=True)
class Tail:
    """An array that follows the payload: `count` names the payload field that holds its length, perhaps one that other tails
    have, too. `name`: what functions call it, where the element's name does not tell tails apart."""

    element: str
    count: str
    at_most: int
    name: str = ""


@dataclass(frozen=True)
class Call:
    """One row of the catalogue. The opcode is the row's position, counted from 1; rows are only ever appended."""

    name: str
    cls: Class
    wait: Wait
    fields: tuple[str, ...]
    tails: tuple[Tail, ...] = ()
    flags: frozenset[str] = frozenset()    # blob: owns bytes in a segment; ack; optional: a back end may lack it
    reference: tuple[int, ...] = ()        # rows of the documents' catalogue that this row answers
    doc: str = ""
    retired: bool = False


@dataclass
class Catalogue:
    handle_kinds: tuple[str, ...]
    structs: list[Struct] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    events: list[Call] = field(default_factory=list)
