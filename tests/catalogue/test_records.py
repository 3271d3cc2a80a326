"""Decoder battery. The threat: a peer, or memory that it still writes, puts any bytes at all into a record.

Each gate is a function that takes the decoder it judges; the controls at the end hand it a decoder with the fault that the
gate exists for and must see it.
"""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import BOUNDARY, ROWS, all_places, assemble, illegal, sample

from mgpipe.catalogue import _codec, faults
from mgpipe.catalogue.layout import HEADER_SIZE, MAX_RECORD

FAULT = {name: i for i, (name, _) in enumerate(faults.FAULTS, 1)}
KIND = {name: i for i, name in enumerate(BOUNDARY.handle_kinds, 1)}
NAMES = [r.name for r in ROWS]
row_of = {r.name: r for r in ROWS}
every_row = pytest.mark.parametrize("name", NAMES)
SEEDS = range(8)


def refused(decode, record: bytes, **options) -> tuple[int, str] | None:
    try:
        decode(record, **options)
    except _codec.Refused as refusal:
        return refusal.family, refusal.where
    return None


def made(name: str, seed: int = 0, counts=(3, 2)):
    row = row_of[name]
    payload, tails = sample(row, random.Random(f"{name} {seed}"), counts)
    return row, payload, tails, assemble(row, payload, tails)


# -- gates

def truncations_taken(decode, record: bytes) -> list[int]:
    """Sizes below the real one at which the decoder takes the record, as it is or with the size field made to match."""
    taken = []
    for size in range(len(record)):
        short = record[:size]
        honest = short[:4] + struct.pack("=I", size) + short[8:] if size >= HEADER_SIZE else short
        if not refused(decode, short) or not refused(decode, honest):
            taken.append(size)
    return taken


def bytes_without_meaning(decode, record: bytes) -> list[int]:
    """Bytes that can change without the record being refused or meaning something else."""
    before = decode(record)
    silent = []
    for at in range(len(record)):
        for flip in (0x01, 0x80, 0xFF):
            changed = bytearray(record)
            changed[at] ^= flip
            if not refused(decode, bytes(changed)) and decode(bytes(changed)) == before:
                silent.append(at)
                break
    return silent


def unchecked_values(decode, row, record: bytes, tails: list[bytes]) -> list[str]:
    """Checks of the declaration that the decoder does not make, or blames on another field."""
    missed = []
    for path, at, member in all_places(row, lambda m: m.check is not None, tails):
        for value in illegal(member.check):
            changed = bytearray(record)
            struct.pack_into("=i" if value < 0 else "=I", changed, at, value)
            if refused(decode, bytes(changed)) != (FAULT["ValueOutOfRange"], f"{row.name}.{path}"):
                missed.append(f"{path} = {value}")
    for path, at, _ in all_places(row, lambda m: m.is_pad, tails):
        changed = bytearray(record)
        changed[at] = 1
        if refused(decode, bytes(changed)) != (FAULT["PaddingNotZero"], f"{row.name}.{path}"):
            missed.append(path)
    for path, at, member in all_places(row, lambda m: m.type == "handle", tails):
        changed = bytearray(record)
        changed[at:at + 8] = bytes(8)
        if (refused(decode, bytes(changed)) == (FAULT["NullHandle"], f"{row.name}.{path}")) == member.nullable:
            missed.append(path)
    return missed


# -- what every record must pass

@every_row
def test_encoding_then_decoding_is_the_identity(name):
    for seed in SEEDS:
        row, payload, tails, record = made(name, seed, ())
        encoded, _, _ = _codec.encode(name, payload, tails)
        assert encoded == record
        op, parts, _, _ = _codec.decode(encoded)
        assert (op, parts) == (row.op, [payload, *tails] if row.payload else [])


@every_row
def test_the_longest_record_passes_and_one_element_more_does_not(name):
    row = row_of[name]
    payload, tails = sample(row, random.Random(name), tuple(t.at_most for t in row.tails))
    record = _codec.encode(name, payload, tails)[0]
    assert len(record) == row.largest <= MAX_RECORD
    assert refused(_codec.decode, record) is None
    for tail in row.tails:
        member = next(m for m in row.payload.members if m.name == tail.count)
        for count in (tail.at_most + 1, 0x80000000, 0xFFFFFFFF):
            changed = bytearray(record)
            struct.pack_into("=I", changed, HEADER_SIZE + member.offset, count)
            assert refused(_codec.decode, bytes(changed)) == (FAULT["CountTooLarge"], f"{name}.{tail.count}")


@every_row
def test_every_truncation_fails_closed(name):
    _, _, _, record = made(name)
    assert truncations_taken(_codec.decode, record) == []


@every_row
def test_a_record_that_is_too_long_is_refused(name):
    _, _, _, record = made(name)
    for more in (1, 4, 8, 64):
        longer = record + bytes(more)
        assert refused(_codec.decode, longer)
        assert refused(_codec.decode, longer[:4] + struct.pack("=I", len(longer)) + longer[8:])


@every_row
def test_each_byte_matters(name):
    _, _, _, record = made(name)
    assert bytes_without_meaning(_codec.decode, record) == []


@every_row
def test_every_declared_check_is_made_and_blames_its_field(name):
    row, _, tails, record = made(name)
    assert unchecked_values(_codec.decode, row, record, tails) == []


@every_row
def test_every_word_corrupted_never_crashes(name):
    for seed in range(2):
        _, _, _, record = made(name, seed)
        for at in range(0, len(record), 4):
            for value in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xDEADBEEF):
                changed = bytearray(record)
                struct.pack_into("=I", changed, at, value)
                refused(_codec.decode, bytes(changed))


@given(op=st.integers(0, len(ROWS) + 2), body=st.binary(max_size=600))
@settings(max_examples=600, deadline=None)
def test_bytes_of_no_sense_are_taken_or_refused_by_name(op, body):
    body = body[: len(body) & ~7]
    found = refused(_codec.decode, struct.pack("=HHI", op, 0, HEADER_SIZE + len(body)) + body)
    if found:
        assert 1 <= found[0] <= len(FAULT)
        assert found[1]


def test_unknown_operations_are_refused():
    for op in (0, len(BOUNDARY.rows) + 1, 0xFFFF):
        assert refused(_codec.decode, struct.pack("=HHI", op, 0, 8)) == (FAULT["UnknownOperation"], "header")


@every_row
def test_a_handle_that_names_nothing_is_refused(name):
    row, _, tails, record = made(name)
    for path, _, member in all_places(row, lambda m: m.type == "handle", tails):
        begins = member.role in ("new", "ensure")
        family, where = refused(_codec.decode, record, refuse_kind=KIND[member.handle_kind])
        assert family == FAULT["HandleInUse" if begins and where == f"{name}.{path}" else "UnknownHandle"]
        assert where.startswith(f"{name}.")


@every_row
def test_a_blob_outside_its_segment_is_refused(name):
    row, _, tails, record = made(name)
    for path, at, _ in all_places(row, lambda m: m.name == "segment", tails):
        changed = bytearray(record)
        struct.pack_into("=QI", changed, at - 8, 64, 0)     # 64 bytes of no segment
        family, where = refused(_codec.decode, bytes(changed))
        assert (family, where) == (FAULT["BlobOutside"], f"{name}.{path.removesuffix('.segment').replace('.', '_')}")


@every_row
def test_objects_begin_and_end_with_the_records_that_say_so(name):
    row, _, _, record = made(name)
    members = row.payload.members if row.payload else ()
    begun = [KIND[m.handle_kind] for m in members if m.role == "new"]
    ended = [KIND[m.handle_kind] for m in members if m.role == "old"]
    _, _, admitted, dismissed = _codec.decode(record)
    assert (admitted, dismissed) == ((begun or [0])[0], (ended or [0])[0])


@every_row
def test_a_call_that_the_back_end_lacks_is_refused_by_name(name):
    assert refused(_codec.decode, made(name)[3], back_end_is_empty=True) == (FAULT["Unimplemented"], name)


@every_row
def test_only_rows_that_wait_wait_and_what_waits_is_published(name):
    row, payload, tails, _ = made(name)
    _, published, waited = _codec.encode(name, payload, tails)
    assert waited == row.has_reply == (row.call.wait.value == "reply") == ("reply" in row.flags)
    assert published == (row.call.wait.value != "none" or name == "flush")


# -- events

@pytest.mark.parametrize("event", [e for e in BOUNDARY.events if not e.call.retired], ids=lambda e: e.name)
def test_events_pass_the_same_battery(event):
    def decode(record):
        _codec.check_event_record(record)
        return record

    payload, tails = sample(event, random.Random(event.name), (5,))
    record = assemble(event, payload, tails)
    assert refused(decode, record) is None
    assert truncations_taken(decode, record) == []
    assert bytes_without_meaning(decode, record) == []
    assert unchecked_values(decode, event, record, tails) == []


# -- controls: each gate sees the fault that it is there for

def test_control_a_decoder_that_ignores_missing_bytes_is_seen():
    _, _, _, record = made("set_vertex_buffers")

    def lenient(short):
        return _codec.decode(record) if len(short) > len(record) - 8 else _codec.decode(short)

    assert truncations_taken(lenient, record) == [len(record) - n for n in range(7, 0, -1)]


def test_control_a_decoder_that_ignores_a_byte_is_seen():
    _, _, _, record = made("draw_vbo")
    blind = HEADER_SIZE + 9

    def decode(changed):
        return _codec.decode(changed[:blind] + record[blind:blind + 1] + changed[blind + 1:])

    assert bytes_without_meaning(decode, record) == [blind]


def test_control_a_decoder_that_skips_a_check_is_seen():
    row, _, tails, record = made("clear")
    at = HEADER_SIZE + next(m.offset for m in row.payload.members if m.name == "kind")

    def decode(changed):
        return _codec.decode(changed[:at] + record[at:at + 4] + changed[at + 4:])

    missed = unchecked_values(decode, row, record, tails)
    assert missed
    assert all(m.startswith("kind = ") for m in missed)


def test_control_an_encoder_that_leaves_bytes_unset_is_seen():
    _, payload, tails, record = made("set_dynamic_state", counts=(1, 3))
    forgetful = record[:-1] + b"\xdd"           # what the test sink fills a reservation with
    assert _codec.encode("set_dynamic_state", payload, tails)[0] == record
    assert refused(_codec.decode, forgetful) == (FAULT["PaddingNotZero"], "set_dynamic_state.data")
