"""Verify mode as a server meets it: nothing is believed, a hostile client ends its own session only."""

import pytest
from mgpipe.server._probe import SessionFault
from server import Server
from wire import rows, structs


@pytest.fixture
def watching():
    server = Server("null")
    group, context = server.handle("share_group"), server.handle("context")
    server.call("verify_snapshot", [b""])
    server.call("create_share_group", group=group)
    server.call("create_context", context=context, group=group)
    server.call("bind_context", context=context)
    yield server, context
    server.close()


def snapshot(server: Server, verb: str, data: bytes) -> None:
    server.call("verify_snapshot", [data], verb=rows()[verb].op, byte_count=len(data))


def state(context: tuple[int, int]) -> bytearray:
    """All zeros, as the records of the fixture leave it, but for the context."""
    layout = structs()["Snapshot"]
    at = next(m.offset for m in layout.members if m.name == "context")
    data = bytearray(layout.size)
    data[at:at + 8] = context[0].to_bytes(4, "little") + context[1].to_bytes(4, "little")
    return data


def test_a_verb_whose_snapshot_is_equal_is_applied(watching):
    server, context = watching
    snapshot(server, "clear", bytes(state(context)))
    server.call("clear", buffers=1)
    assert server.session.fault == ""


def test_a_verb_without_its_snapshot_is_found(watching):
    server, _ = watching
    with pytest.raises(SessionFault, match="VerifyMismatch: clear: no snapshot came for it"):
        server.call("clear", buffers=1)


def test_one_snapshot_serves_one_verb(watching):
    server, context = watching
    snapshot(server, "clear", bytes(state(context)))
    server.call("clear", buffers=1)
    with pytest.raises(SessionFault, match="clear: no snapshot came for it"):
        server.call("clear", buffers=1)


@pytest.mark.parametrize("name", ["pipeline", "dynamic", "clear_values", "draw_framebuffer", "context"])
def test_every_section_of_the_verb_is_compared(watching, name):
    server, context = watching
    member = next(m for m in structs()["Snapshot"].members if m.name == name)
    data = state(context)
    data[member.offset] ^= 1
    with pytest.raises(SessionFault, match=f"VerifyMismatch: clear: {name}"):
        snapshot(server, "clear", bytes(data))


def test_a_section_that_the_verb_does_not_consume_is_not(watching):
    server, context = watching
    member = next(m for m in structs()["Snapshot"].members if m.name == "attribs")
    data = state(context)
    data[member.offset] ^= 1
    snapshot(server, "clear", bytes(data))
    assert server.session.fault == ""


@pytest.mark.parametrize("verb", [5, 0xFFFF, 0xFFFFFFFF])
def test_a_snapshot_for_what_is_no_verb_is_refused(watching, verb):
    server, context = watching
    with pytest.raises(SessionFault, match="ValueOutOfRange: verify_snapshot.verb"):
        server.call("verify_snapshot", [bytes(state(context))], verb=verb, byte_count=len(state(context)))


def test_counts_beyond_the_tables_are_refused(watching):
    server, context = watching
    data = state(context)
    data[12:16] = (193).to_bytes(4, "little")       # counts.textures
    with pytest.raises(SessionFault, match="ValueOutOfRange: verify_snapshot.counts"):
        snapshot(server, "draw_vbo", bytes(data))
