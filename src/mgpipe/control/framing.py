"""Frames on the control connection: `[magic u32][length u32][payload]`, little-endian, descriptors riding with the magic.

A peer may send anything. Every length is checked before a byte is allocated for it, and descriptors that no message
asked for are closed rather than kept.
"""

import os
import socket
import struct
import time

from mgpipe.control.messages import MalformedFrame, Message, decode, encode

MAGIC = 0x4350474D  # "MGPC"
MAX_PAYLOAD_BYTES = 64 << 20
MAX_DESCRIPTORS = 16
DESCRIPTOR_SPACE = socket.CMSG_SPACE(4 * MAX_DESCRIPTORS)
HEADER = struct.Struct("<II")
CHUNK_BYTES = 1 << 16  # what is allocated before its bytes have really come


class ConnectionEnded(Exception):
    """The peer closed the connection, or died."""


class Connection:
    """One end of a control connection over a stream socket. Descriptors ride only over Unix sockets."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream

    def fileno(self) -> int:
        return self.stream.fileno()

    def close(self) -> None:
        self.stream.close()

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        payload = encode(message)
        frame = HEADER.pack(MAGIC, len(payload)) + payload
        try:
            # Descriptors belong to the first byte that is sent; the rest of a frame may need more than one write.
            sent = socket.send_fds(self.stream, [frame], descriptors) if descriptors else self.stream.send(frame)
            if sent < len(frame):  # a peer that has all of it may be gone already
                self.stream.sendall(memoryview(frame)[sent:])
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ConnectionEnded from error

    def receive(self, timeout_s: float | None = None, most_bytes: int = MAX_PAYLOAD_BYTES) -> tuple[Message, tuple[int, ...]]:
        """The next message and the descriptors that came with it, which now belong to the caller.

        TimeoutError when it is not there, whole, after `timeout_s`: a peer that sends a byte now and then gains nothing. A
        payload of more than `most_bytes` is malformed.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        descriptors: list[int] = []
        try:
            magic, length = HEADER.unpack(self._exactly(HEADER.size, descriptors, deadline))
            if magic != MAGIC:
                raise MalformedFrame(f"frame starts with {magic:#010x}, not with {MAGIC:#010x}")
            if length > most_bytes:
                raise MalformedFrame(f"frame of {length} bytes; at most {most_bytes} are allowed")
            message = decode(self._exactly(length, descriptors, deadline))
            if len(descriptors) > MAX_DESCRIPTORS:
                raise MalformedFrame(f"{len(descriptors)} descriptors in one frame; at most {MAX_DESCRIPTORS} are allowed")
        except BaseException:
            for descriptor in descriptors:
                os.close(descriptor)
            raise
        return message, tuple(descriptors)

    def _exactly(self, count: int, descriptors: list[int], deadline: float | None) -> bytes:
        received = bytearray()
        while len(received) < count:
            left_s = None if deadline is None else deadline - time.monotonic()
            if left_s is not None and left_s <= 0:
                raise TimeoutError
            self.stream.settimeout(left_s)
            want = min(count - len(received), CHUNK_BYTES)
            try:
                # Not socket.recv_fds: it drops the flags, and a program's children would inherit the descriptors.
                chunk, ancillary, flags, _ = self.stream.recvmsg(want, DESCRIPTOR_SPACE, socket.MSG_CMSG_CLOEXEC)
            except ConnectionResetError as error:
                raise ConnectionEnded from error
            for level, kind, data in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                    descriptors += struct.unpack(f"{len(data) // 4}i", data[: len(data) // 4 * 4])
            if flags & socket.MSG_CTRUNC:
                raise MalformedFrame(f"more than {MAX_DESCRIPTORS} descriptors in one frame")
            if not chunk:
                raise ConnectionEnded
            received += chunk
        return bytes(received)
