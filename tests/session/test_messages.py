"""The control connection against peers that err, lie or fall silent."""

import hashlib
import os
import socket
import struct

import msgspec
import pytest

from mgpipe.control import framing, messages
from mgpipe.control.framing import MAGIC, MAX_PAYLOAD_BYTES, Connection, ConnectionEnded
from mgpipe.control.messages import REVISION, Bye, Hello, LogLine, MalformedFrame, Progress

# A change here without a new REVISION means that two builds would misunderstand each other while shaking hands.
SCHEMAS = {
    1: "65d511b43eb4a54b42c4f09fad69fe193a780c88d2b518b4f12e2cf7639fe10e",
    2: "f906972354e3eff852f92a2b94c07d4c1b6c802d4c2959140696441e9da478d1",
    3: "8e096e50456b3b421f1947e4e4d3f3d3167c9915c2dcd357c917d061f9505354",
    4: "567b2206eaab0b45ece70f8dfb3b51691dbb123feb5a864160898a597071c3cb",
    5: "fbd561845eafde2d9e5238136bd80256448943a0d0eaa372873fa339b255bb5e",
}

HELLO = Hello(revision=REVISION, fingerprint="f" * 64, version="0", nonce=b"n" * 16, pid=1, driver="null")


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Connection(ours), theirs


def schema() -> str:
    return hashlib.sha256(msgspec.json.encode(msgspec.json.schema(messages.Message), order="sorted")).hexdigest()


def test_the_schema_is_that_of_its_revision():
    assert schema() == SCHEMAS[REVISION]


def test_a_message_and_its_descriptors_arrive_as_they_were_sent(pair):
    connection, theirs = pair
    reading, writing = os.pipe()
    Connection(theirs).send(HELLO, (writing,))
    os.close(writing)
    message, (received,) = connection.receive(1)
    assert message == HELLO
    assert not os.get_inheritable(received)
    os.write(received, b"x")
    assert os.read(reading, 1) == b"x"
    os.close(received)
    os.close(reading)


def test_messages_sent_together_stay_apart(pair):
    connection, theirs = pair
    for message in (HELLO, Bye(), Progress(doing="x", elapsed_ms=1)):
        Connection(theirs).send(message)
    assert [connection.receive(1)[0] for _ in range(3)] == [HELLO, Bye(), Progress(doing="x", elapsed_ms=1)]


@pytest.mark.parametrize(
    "sent",
    [
        struct.pack("<II", MAGIC ^ 1, 1) + b"\x80",
        struct.pack("<II", MAGIC, MAX_PAYLOAD_BYTES + 1),
        struct.pack("<II", MAGIC, 0xFFFFFFFF),
        struct.pack("<II", MAGIC, 0),
        struct.pack("<II", MAGIC, 1) + b"\xc1",
        struct.pack("<II", MAGIC, 5) + b"\xdf\xff\xff\xff\xff",
        struct.pack("<II", MAGIC, 4000) + b"\x91" * 4000,
    ],
    ids=["magic", "too long", "longest", "empty", "no MessagePack", "map of 4 billion", "nested 4000 deep"],
)
def test_a_frame_that_is_no_message_is_refused(pair, sent):
    connection, theirs = pair
    theirs.sendall(sent)
    with pytest.raises(MalformedFrame):
        connection.receive(1)


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "hello"},
        {"type": "nothing of ours"},
        msgspec.to_builtins(HELLO, builtin_types=(bytes,)) | {"type": "hello", "revision": -1},
        msgspec.to_builtins(HELLO, builtin_types=(bytes,)) | {"type": "hello", "nonce": b"short"},
        msgspec.to_builtins(HELLO, builtin_types=(bytes,)) | {"type": "hello", "driver": "x" * 65},
        msgspec.to_builtins(HELLO, builtin_types=(bytes,)) | {"type": "hello", "shadow_bytes": 1 << 60},
        {"type": "log", "level": 51, "text": ""},
        [1, 2, 3],
    ],
    ids=lambda payload: str(payload)[:40],
)
def test_a_message_that_breaks_its_schema_is_refused(payload):
    with pytest.raises(MalformedFrame):
        messages.decode(msgspec.msgpack.encode(payload))


@pytest.mark.parametrize("length", range(0, 80, 7))
def test_a_truncated_frame_is_an_end_not_a_message(pair, length):
    connection, theirs = pair
    payload = messages.encode(HELLO)
    theirs.sendall((struct.pack("<II", MAGIC, len(payload)) + payload)[:length])
    theirs.close()
    with pytest.raises(ConnectionEnded):
        connection.receive(1)


def test_silence_in_the_middle_of_a_frame_times_out(pair):
    connection, theirs = pair
    theirs.sendall(struct.pack("<II", MAGIC, 100) + b"x")
    with pytest.raises(TimeoutError):
        connection.receive(0.05)


def test_a_length_is_no_reason_to_allocate():
    class Stream:
        asked = []

        def settimeout(self, _):
            pass

        def recvmsg(self, size, *_):
            self.asked.append(size)
            return (struct.pack("<II", MAGIC, MAX_PAYLOAD_BYTES) if len(self.asked) == 1 else b""), [], 0, None

    with pytest.raises(ConnectionEnded):
        Connection(Stream()).receive(1)
    assert max(Stream.asked) <= framing.CHUNK_BYTES


def test_descriptors_of_a_refused_frame_are_closed(pair):
    connection, theirs = pair
    before = os.listdir("/proc/self/fd")
    null = os.open(os.devnull, os.O_RDWR)
    socket.send_fds(theirs, [struct.pack("<II", 0, 0)], [null] * 4)
    os.close(null)
    with pytest.raises(MalformedFrame):
        connection.receive(1)
    assert os.listdir("/proc/self/fd") == before


def test_more_descriptors_than_allowed_are_refused(pair):
    connection, theirs = pair
    before = os.listdir("/proc/self/fd")
    null = os.open(os.devnull, os.O_RDWR)
    socket.send_fds(theirs, [struct.pack("<II", MAGIC, 0)], [null] * (framing.MAX_DESCRIPTORS + 10))
    os.close(null)
    with pytest.raises(MalformedFrame, match="more than 16 descriptors"):
        connection.receive(1)
    assert os.listdir("/proc/self/fd") == before


def test_an_unknown_field_of_a_newer_peer_is_ignored():
    newer = msgspec.msgpack.encode({"type": "log", "level": 30, "text": "x", "colour": "red"})
    assert messages.decode(newer) == LogLine(level=30, text="x")
