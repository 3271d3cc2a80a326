"""Where the corpus begins: what programs of the tests and examples sent, and the shaders of the tests.

A recorder stands between client and server, as a proxy does, and keeps what the client says: on the control connection its
frames, on the data connection a stream. Blobs are moved together, since a fuzzed session has little memory.
"""

import os
import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
for folder in (TESTS, TESTS / "shaders"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from serving import Server  # noqa: E402

from mgpipe.catalogue.layout import HEADER_SIZE, Layout, boundary  # noqa: E402

EXAMPLES = TESTS.parent / "examples"
PROGRAMS = ("triangle", "textures", "uniform_blocks", "transform_feedback", "postprocess", "conditional", "compute_particles", "pack_ring")
SEGMENT_BYTES = 65536           # of a fuzzed session, bench.pxi
FRAME_RECORDS, FRAME_BYTES = 1, 2       # links/stream.pxd
SHADOW = 1
FRAME = struct.Struct("<HHIQ")
CONTROL = struct.Struct("<II")          # control/framing.py
MOST_BYTES = 48 << 10           # of one input


class Recorder:
    """Listens, forwards to a server, keeps what each connection's client said."""

    def __init__(self, server: str) -> None:
        host, _, port = server.removeprefix("tcp://").rpartition(":")
        self.target = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.said: list[bytearray] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            kept = bytearray()
            self.said.append(kept)
            threading.Thread(target=self._forward, args=(client, socket.create_connection(self.target), kept), daemon=True).start()

    @staticmethod
    def _forward(client: socket.socket, server: socket.socket, kept: bytearray) -> None:
        with client, server:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    try:
                        part = source.recv(1 << 16)
                        (server if source is client else client).sendall(part)
                    except OSError:
                        return
                    if not part:
                        return
                    if source is client:
                        kept += part

    def close(self) -> None:
        self.listener.close()


def record(programs: tuple[str, ...] = PROGRAMS, driver: str = "null") -> list[bytes]:
    """What the clients of some programs said, connection by connection."""
    server = Server("tcp://127.0.0.1:0", "--data", "stream")
    recorder = Recorder(server.address)
    try:
        for program in programs:
            subprocess.run([sys.executable, "-m", "mgpipe", "run", "--server", recorder.address, "--", sys.executable,
                            str(EXAMPLES / f"{program}.py"), os.devnull + ".png", "--size", "32"],
                           env=os.environ | {"MGPIPE_DRIVER": driver, "MGPIPE_DATA": "stream"}, capture_output=True, timeout=60)
        return [bytes(said) for said in recorder.said]
    finally:
        recorder.close()
        server.end()


def split(said: bytes) -> tuple[bytes, bytes]:
    """The first frame of a connection, a Hello or a Join, and what followed it."""
    _, length = CONTROL.unpack_from(said)
    return said[:CONTROL.size + length], said[CONTROL.size + length:]


def blob_offsets(layout: Layout, base: int = HEADER_SIZE) -> list[tuple[int, bool]]:
    """Where the blobs of a record lie, and whether an answer is written there."""
    found = []
    for m in layout.members:
        for i in range(m.count):
            at = base + m.offset + i * m.element_size
            if m.type == "Blob":
                found.append((at, m.name == "into"))
            elif m.struct:
                found += blob_offsets(m.struct, at)
    return found


BLOBS = {row.op: blob_offsets(row.payload) for row in boundary().rows if row.payload}


class Moved:
    """A client's stream, record by record, with its blobs moved into a small segment."""

    def __init__(self, stream: bytes) -> None:
        self.stream, self.shadow, self.top = stream, bytearray(), 0

    def __iter__(self) -> Iterator[tuple[bytes, list[tuple[int, bytes]]]]:
        """(record, the bytes that its blobs name as (offset, bytes))"""
        at = 0
        while at + FRAME.size <= len(self.stream):
            kind, _, size, value = FRAME.unpack_from(self.stream, at)
            at += FRAME.size
            body = self.stream[at:at + size]
            at += (size + 7) & ~7
            if kind == FRAME_BYTES:
                self.shadow.extend(bytes(max(0, value + size - len(self.shadow))))
                self.shadow[value:value + size] = body
            while kind == FRAME_RECORDS and len(body) >= HEADER_SIZE:
                op, _, length = struct.unpack_from("<HHI", body)
                yield self.move(op, bytearray(body[:length]))
                body = body[length:]

    def move(self, op: int, record: bytearray) -> tuple[bytes, list[tuple[int, bytes]]]:
        moved = []
        for place, into in BLOBS.get(op, []):
            offset, size, segment, _ = struct.unpack_from("<QQII", record, place)
            if segment == 0:
                continue
            size = min(size, SEGMENT_BYTES // 4)
            if self.top + size > SEGMENT_BYTES:
                self.top = 0
            if not into:
                moved.append((self.top, bytes(self.shadow[offset:offset + size])))
            struct.pack_into("<QQI", record, place, self.top, size, segment if into else SHADOW)
            self.top = (self.top + size + 63) & ~63
        return bytes(record), moved


def frame(kind: int, segment: int, value: int, body: bytes) -> bytes:
    return FRAME.pack(kind, segment, len(body), value) + body + bytes(-len(body) % 8)


def inputs(stream: bytes) -> dict[str, bytes]:
    """Inputs of the targets that take what a client says, from one client's stream."""
    records, frames = bytearray(), bytearray(b"\xff")
    for one, moved in Moved(stream):
        if len(frames) + len(one) > MOST_BYTES:
            break
        records += one
        for offset, body in moved:
            frames += frame(FRAME_BYTES, SHADOW, offset, body)
        frames += frame(FRAME_RECORDS, 0, 0, one)
    actions = b"".join(bytes((3, len(part) - 8)) + part for part in (records[i:i + 256] for i in range(0, min(len(records), 16384), 256)))
    return {"records": bytes(records), "stream": bytes(frames), "ring": actions}


def shaders() -> list[bytes]:
    """Inputs of the translator: the corpus of the shader tests, for both dialects."""
    from hostile_modules import modules

    return [bytes((stage, dialect, options, options & 1)) + words
            for stage, words in modules() for dialect, options in ((0, 0), (3, 0x43)) if len(words) < MOST_BYTES]


def seed_driver(corpus: Path, driver: str, programs: tuple[str, ...] = PROGRAMS) -> None:
    """The same for sessions that a driver draws, whose capabilities their clients have seen."""
    (corpus / driver).mkdir(parents=True, exist_ok=True)
    for number, said in enumerate(record(programs, driver)):
        first, stream = split(said)
        if b"join" in first[:32]:
            (corpus / driver / f"seed-{number}").write_bytes(inputs(stream)["stream"])


def seed(corpus: Path, programs: tuple[str, ...] = PROGRAMS) -> list[bytes]:
    """Writes what every target begins with; the handshakes' frames are returned."""
    frames = []
    found: dict[str, list[bytes]] = {"spirv": shaders()}
    for said in record(programs):
        first, stream = split(said)
        frames.append(first)
        found.setdefault("control", []).append(b"\0" + first)
        if b"join" in first[:32]:
            for target, data in inputs(stream).items():
                found.setdefault(target, []).append(data)
    for target, datas in found.items():
        (corpus / target).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(datas):
            (corpus / target / f"seed-{number}").write_bytes(data)
    return frames
