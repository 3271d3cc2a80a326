"""The generator refuses what contradicts itself, and says which row it is. Each line here is its own negative control."""

import dataclasses

import pytest

from mgpipe.catalogue import calls, enums, layout
from mgpipe.catalogue.calls import call
from mgpipe.catalogue.declare import Catalogue, Class, Struct, Tail, Wait
from mgpipe.catalogue.layout import CatalogueError

BLOB = Struct("Blob", ("offset u64", "size u64", "segment u32 in SEGMENT", "pad0 u32"))
PAIR = Struct("Pair", ("a u32", "b u32"))
ONE = call("one", Class.VERB, fields=("count u32 <= 4", "pad0 u32"), tails=(Tail("Pair", "count", 4),))


def read(*rows, structs=(BLOB, PAIR), kinds=("resource", "query"), events=(), sets=enums.ENUMS):
    return layout.read(Catalogue(kinds, list(structs), list(rows), list(events)), sets, enums.FLAGS)


def verb(*fields, **more):
    return call("two", Class.VERB, more.pop("wait", Wait.NONE), fields=fields, **more)


def test_the_rows_that_the_refusals_start_from_are_taken():
    boundary = read(ONE, verb("at u64", "bytes Blob", flags=("blob",)), events=(ONE,))
    assert [r.op for r in boundary.rows] == [1, 2]
    assert boundary.rows[1].payload.size == 32


@pytest.mark.parametrize("row, complaint", [
    (verb("x u33"), r"two\.x: u33 is not declared"),
    (verb("x Pear"), r"two\.x: Pear is not declared"),
    (verb("x u32[0]"), "an array of nothing"),
    (verb("x u32 in COLOURS"), "no enum set COLOURS"),
    (verb("x f32 <= 3"), "needs an unsigned integer"),
    (verb("x i32 <= 3"), "needs an unsigned integer"),
    (verb("x u32 roughly 3"), "is no check"),
    (verb("x Pair bool"), "a struct takes no check"),
    (verb("x handle<texture>"), "no handle kind texture"),
    (verb("x handle<query> bool"), "a handle takes no check"),
    (verb("x new<query>?"), "cannot be null"),
    (verb("x old<query>?"), "cannot be null"),
    (verb("x"), "is no field"),
    (verb("X u32"), "lower case"),
    (verb("from u32"), "a word of C or Cython"),
    (verb("x u32", "x u32"), "stands there twice"),
    (verb("x u32", "y u64"), r"two\.y: lies at 4.*4 bytes missing"),
    (verb("x u64", "y u32"), "no multiple of its alignment 8"),
    (verb("x u8", "y u32"), "3 bytes missing"),
    (verb("bytes Blob"), "the blob flag and a Blob member go together"),
    (verb("x u32", flags=("blob",)), "the blob flag and a Blob member go together"),
    (verb("x u32", flags=("reply",)), "flag reply, but nothing waits"),
    (verb("x u32", flags=("tail",)), "flag tail, but it has none"),
    (verb("x u32", flags=("urgent",)), "unknown flags"),
    (verb("n u32 <= 4", tails=(Tail("Pair", "m", 4),)), "no field m to count"),
    (verb("n u32", tails=(Tail("Pair", "n", 4),)), "must be declared `<= 4`"),
    (verb("n u32 <= 5", tails=(Tail("Pair", "n", 4),)), "must be declared `<= 4`"),
    (verb("n u64 <= 4", tails=(Tail("Pair", "n", 4),)), "a count is one u32"),
    (verb("n u32 <= 4", tails=(Tail("Pear", "n", 4),)), "Pear is not declared"),
    (verb("n u32 <= 4", "m u32 <= 4", tails=(Tail("Pair", "n", 4), Tail("Pair", "m", 4))), "two tails of one element, and no names"),
    (verb("n u32 <= 20000", tails=(Tail("Pair", "n", 20000),)), "half of the smallest ring"),
    (verb("x new<query>", "y new<resource>"), "begins or ends one object"),
    (verb("x new<query>", "y old<query>"), "begins or ends one object"),
    (call("Two", Class.VERB, fields=("x u32",)), "lower case"),
    (ONE, "call declared twice: one"),
])
def test_a_contradicting_row_is_refused(row, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        read(ONE, row)


@pytest.mark.parametrize("struct, complaint", [
    (Struct("Gap", ("x u32", "y f64")), "4 bytes missing"),
    (Struct("Short", ("x f64", "y u32")), "no multiple of its alignment"),
    (Struct("lower", ("x u32",)), "CamelCase"),
    (Struct("Early", ("x Later",)), "not declared before"),
    (Struct("Pair", ("x u32",)), "struct declared twice: Pair"),
])
def test_a_contradicting_struct_is_refused(struct, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        read(structs=(BLOB, PAIR, struct, Struct("Later", ("x u32",))))


def test_an_object_cannot_begin_inside_a_struct():
    with pytest.raises(CatalogueError, match="begin and end in the payload itself"):
        read(verb("x Holder"), structs=(Struct("Holder", ("q new<query>",)),))


def test_handles_in_arrays_of_arrays_are_refused():
    structs = (Struct("Inner", ("q handle<query>",)), Struct("Outer", ("inner Inner[2]",)))
    with pytest.raises(CatalogueError, match="array of arrays"):
        layout.handles(read(verb("x Outer[2]"), structs=structs).rows[0].payload)


def test_nobody_answers_an_event():
    with pytest.raises(CatalogueError, match="nobody answers an event"):
        read(events=(verb("x u32", wait=Wait.REPLY),))


def test_a_handle_kind_stands_once():
    with pytest.raises(CatalogueError, match="handle kind declared twice: query"):
        read(kinds=("query", "query"))


@pytest.mark.parametrize("members, complaint", [({}, "is empty"), ({"A": 1, "B": 1}, "two members have the value 1")])
def test_a_contradicting_enum_set_is_refused(members, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        read(sets=enums.ENUMS | {"BAD": members})


@pytest.mark.parametrize("change, reasons, complaint", [
    ((), {}, "reference row 2 is answered by no row"),
    ((2, 2), {}, "reference row 2 is answered by another row already"),
    ((2,), {2: "no need"}, "both answered and declared not carried"),
    ((2, 9), {}, "there is no reference row 9"),
    ((), {2: " "}, "reference row 2 has no reason"),
])
def test_each_row_of_the_reference_is_answered_once_or_has_a_reason(change, reasons, complaint):
    rows = [dataclasses.replace(ONE, reference=(1,)), dataclasses.replace(ONE, reference=change)]
    with pytest.raises(CatalogueError, match=complaint):
        layout.check_reference(rows, reasons, 2)


def test_the_catalogue_itself_covers_the_reference():
    layout.check_reference(calls.CALLS, calls.NOT_CARRIED, 85)
