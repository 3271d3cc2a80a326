"""What client and server say to each other beside the records: handshake, start-up, faults, logs, farewell.

Nothing that must be ordered with records travels here. Fields are only ever appended, with a default; a field that
changes its meaning gets a new name and REVISION rises. `tests/session/test_messages.py` pins the schema per revision.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

REVISION = 5
NONCE_BYTES = 16
QUOTED = 200  # characters


class MalformedFrame(Exception):
    """The peer sent something that is no message of this protocol. The connection is of no further use."""


U32 = Annotated[int, Meta(ge=0, lt=1 << 32)]
Bytes = Annotated[int, Meta(ge=0, lt=1 << 48)]
Word = Annotated[str, Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=4096)]


class Hello(Struct, tag="hello", frozen=True, kw_only=True):
    """The first frame of a client. Over a Unix socket a pidfd of its process rides with it."""

    revision: U32
    fingerprint: Word  # of the catalogue: both sides must have been generated from the same one
    version: Word
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=64)]
    pid: U32
    driver: Word
    command_bytes: Bytes = 0  # wishes; 0: as the server likes
    shadow_bytes: Bytes = 0
    reply_bytes: Bytes = 0
    token: Annotated[bytes, Meta(max_length=1024)] = b""    # of a server that asks for one
    data: Word = "shm"      # how records may travel: shm, stream, or auto: shm where memory can be shared
    compress: Word = "never"    # bytes on a stream, with zstd: never, auto: where it pays, always
    chaos: Sentence = ""    # failures that a test asks for, as catalogue/chaos.py writes them


class Offer(Struct, tag="offer", frozen=True, kw_only=True):
    """Memory can be had here, if the client reaches this machine's sockets; a stream, by another connection.

    Whichever comes first, with a Join, becomes the session's data plane.
    """

    session: Word           # abstract Unix socket of the session's process
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=64)]


class Join(Struct, tag="join", frozen=True, kw_only=True):
    """The first frame of a second connection. At the session's own socket: give me the memory. At the server: be my stream."""

    session: Word
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=64)]


class Memory(Struct, tag="memory", frozen=True, kw_only=True):
    """The answer to a Join at the session's own socket; the Welcome's descriptors ride with it."""

    server_pid: U32


class Segment(Struct, frozen=True, kw_only=True):
    """One memfd of the Welcome, in the order in which the descriptors ride."""

    name: Word
    size_bytes: Bytes  # backed from the start
    ceiling_bytes: Bytes  # what to map: the file may grow so far, and never shrinks


class Welcome(Struct, tag="welcome", frozen=True, kw_only=True):
    """The session stands. Descriptors, unless the Memory brought them: a pidfd of the session process, then one memfd for
    each segment. A stream has neither; its segments say how large the private ones are to be."""

    server_pid: U32
    version: Word
    driver: Word
    link: Word
    segments: Annotated[list[Segment], Meta(min_length=1, max_length=8)]
    driver_start_ms: float = 0.0
    device: Word = ""   # of EGL, as the server chose and names it; empty: the driver decided
    label: Bytes = 0    # of the session, at random: what both sides show of it (links/pages) is known to belong together by that
    compress: Word = "never"    # both sides have what the Hello asked for: bytes may come compressed from here on


class Refuse(Struct, tag="refuse", frozen=True, kw_only=True):
    """No session. `code` is a name of client/errors.py; `peer` is the value that did not fit, as the server has it."""

    code: Word
    detail: Sentence
    peer: Sentence = ""


class Progress(Struct, tag="progress", frozen=True, kw_only=True):
    """Still starting. A server that is silent for 20 s is given up."""

    doing: Sentence
    elapsed_ms: U32


class Fault(Struct, tag="fault", frozen=True, kw_only=True):
    """The session is latched: nothing sent after this is applied."""

    family: Word
    detail: Sentence


class LogLine(Struct, tag="log", frozen=True, kw_only=True):
    level: Annotated[int, Meta(ge=0, le=50)]  # of the standard library's logging
    text: Sentence


class Bye(Struct, tag="bye", frozen=True, kw_only=True):
    """The client is done: apply what was published, then end."""

    reason: Word = ""


Message = Hello | Offer | Join | Memory | Welcome | Refuse | Progress | Fault | LogLine | Bye

encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Message)


def decode(payload: bytes) -> Message:
    try:
        return _decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise MalformedFrame(f"not a message: {shortened(str(error))}") from error


def shortened(text: str) -> str:
    """What a peer sent may be quoted, but not at any length: the quote has room in every Sentence."""
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
