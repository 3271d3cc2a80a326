"""Coverage-guided fuzzing of what reads a handshake: framing, messages, the first look at a Hello. Needs atheris.

    python tests/fuzz/control.py [libFuzzer's options] CORPUS
"""

import os
import socket
import sys

import atheris

with atheris.instrument_imports(include=["mgpipe.control", "mgpipe.server.session"]):
    from mgpipe.control.framing import Connection, ConnectionEnded
    from mgpipe.control.messages import MalformedFrame, encode
    from mgpipe.server.session import HELLO_BYTES, Admission, Refused, greet

TOKEN = b"a token of at least sixteen bytes"
SILENCE_S = 5.0


def one(data: bytes) -> None:
    """The first byte says how many descriptors come with the rest."""
    ours, theirs = socket.socketpair()
    descriptors: tuple[int, ...] = ()
    with ours, theirs:
        if len(data) > 1:
            count = data[0] % 20 if data[0] > 200 else 0
            sent = socket.send_fds(theirs, [data[1:]], [0] * count)
            theirs.sendall(data[1 + sent:])
        theirs.shutdown(socket.SHUT_WR)
        try:
            while True:
                message, descriptors = Connection(ours).receive(SILENCE_S, HELLO_BYTES)
                for admission in (Admission(), Admission(token=TOKEN), Admission(nonce=bytes(16))):
                    try:
                        greet(message, descriptors, admission)
                    except Refused as refused:
                        encode(refused.refusal)
                for descriptor in descriptors:
                    os.close(descriptor)
        except (ConnectionEnded, MalformedFrame):
            pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
