"""A record that cannot be latches its own session, with a name, and no other."""

import struct

import pytest

from mgpipe.catalogue.calls import CALLS

from .conftest import alive, eventually

OPERATIONS = {call.name: number for number, call in enumerate(CALLS, 1)}


def record(operation: int, payload: bytes = b"", size: int | None = None) -> bytes:
    return struct.pack("<HHI", operation, 0, 8 + len(payload) if size is None else size) + payload


HOSTILE = {
    "UnknownOperation": record(60000),
    "RecordSize": record(OPERATIONS["create_share_group"]),
    "NullHandle": record(OPERATIONS["create_share_group"], struct.pack("<II", 0, 0)),
    "UnknownHandle": record(OPERATIONS["destroy_share_group"], struct.pack("<II", 5, 1)),
    "BlobOutside": record(OPERATIONS["get_caps"], struct.pack("<QQII", 1 << 62, 1 << 62, 3, 0)),
    "RingCorrupt": record(OPERATIONS["flush"], size=12),
}


@pytest.mark.parametrize("topology", ["inproc", "spawn"])
@pytest.mark.parametrize("family", HOSTILE)
def test_a_bad_record_latches_its_session_by_name(session, topology, family, capfd):
    handle = session(topology)
    handle.exercise(100)
    handle.emit(HOSTILE[family])
    assert eventually(lambda: not handle.ping())
    assert family in handle.loss
    assert capfd.readouterr().err.count(family) == 1


def test_other_sessions_and_the_supervisor_do_not_notice(session):
    victim, other = session("spawn"), session("spawn", shadow_limit_mb=100)
    victim.emit(HOSTILE["UnknownOperation"])
    assert not victim.ping()
    assert other.ping()
    assert session("spawn", shadow_limit_mb=101).ping()


def test_a_latched_session_drops_what_comes_after(session):
    handle = session("spawn")
    handle.emit(HOSTILE["UnknownOperation"])
    while not handle.lost:
        handle.exercise(100_000)
    assert alive(handle.server_pid)
    assert "UnknownOperation" in handle.loss
