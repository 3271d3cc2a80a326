"""Handshakes of a hostile client: real frames, recorded or made, with something wrong, against a server that runs.

Nothing that is said to a server may end it, keep it busy after its client has gone, or take what is not given back.
"""

import os
import random
import socket
from collections import Counter
from pathlib import Path

import msgspec

from mgpipe.control.framing import HEADER, MAGIC, MAX_PAYLOAD_BYTES, Connection, ConnectionEnded
from mgpipe.control.messages import REVISION, Bye, Hello, Join, LogLine, encode
from mgpipe.server.apply_loop import identity

AT_ONCE = 12            # connections open at a time: a server handles them side by side
SILENT = 500            # one in so many says nothing more, and nothing of its end
ANSWER_S = 20.0         # a server that is silent for longer hangs


def sound(dice: random.Random) -> list[bytes]:
    """Payloads as they should be."""
    hello = Hello(revision=REVISION, fingerprint=identity()[1], version="fuzz", nonce=bytes(16), pid=os.getpid(), driver="null",
                  data=dice.choice(("shm", "stream", "auto")), shadow_bytes=dice.choice((0, 1 << 20)))
    return [encode(hello), encode(Join(session=f"mgpipe-session-{dice.randrange(1 << 16)}", nonce=dice.randbytes(16))),
            encode(Bye()), encode(LogLine(level=20, text="x"))]


def value(dice: random.Random, depth: int = 0) -> object:
    match dice.randrange(10 if depth < 3 else 8):
        case 0:
            return dice.choice((0, 1, -1, (1 << 32) - 1, 1 << 32, (1 << 48) - 1, 1 << 48, (1 << 63) - 1, (1 << 64) - 1, -(1 << 63)))
        case 1:
            return dice.randbytes(dice.choice((0, 1, 15, 16, 17, 64, 65, 1024, 1025, 70000)))
        case 2:
            return "x" * dice.choice((0, 1, 64, 65, 4096, 4097, 70000))
        case 3:
            return dice.choice((None, True, False, 1.5, float("nan"), float("inf")))
        case 4:
            return dice.choice(("", "\0", "../../etc", "gl", "null", "shm", "hello", "join", "\U0001F600" * 20))
        case 8:
            return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
        case 9:
            return {str(i): value(dice, depth + 1) for i in range(dice.randrange(4))}
        case _:
            return dice.randrange(1 << dice.randrange(1, 64))


def changed_fields(payload: bytes, dice: random.Random) -> bytes:
    fields = msgspec.msgpack.decode(payload)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        name = dice.choice([*fields, "unknown"])
        match dice.randrange(4):
            case 0:
                fields.pop(name, None)
            case 1:
                fields[name] = fields.get(dice.choice(list(fields) or ["type"]))
            case _:
                fields[name] = value(dice)
        if not fields:
            break
    return msgspec.msgpack.encode(fields)


def changed_bytes(data: bytes, dice: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(len(out)) if out else 0
        match dice.randrange(5):
            case 0 if out:
                out[at] ^= 1 << dice.randrange(8)
            case 1 if out:
                out[at] = dice.choice((0, 0x7F, 0x80, 0xC1, 0xDD, 0xDF, 0xFF))
            case 2:
                out[at:at] = dice.randbytes(dice.randrange(1, 9))
            case 3:
                del out[at:at + dice.randrange(1, 9)]
            case _:
                del out[at:]
    return bytes(out)


def said(dice: random.Random, recorded: list[bytes]) -> bytes:
    """All that one client says."""
    payload = dice.choice(sound(dice) if dice.randrange(2) or not recorded else [frame[HEADER.size:] for frame in recorded])
    length = None
    match dice.randrange(10):
        case 0 | 1 | 2 | 3:
            payload = changed_fields(payload, dice)
        case 4 | 5 | 6:
            payload = changed_bytes(payload, dice)
        case 7:
            length = dice.choice((0, 1, len(payload) - 1, len(payload) + 1, 1 << 16, MAX_PAYLOAD_BYTES, 0xFFFFFFFF))
        case 8:
            return dice.randbytes(dice.randrange(64))
    frame = HEADER.pack(MAGIC, len(payload) if length is None else length) + payload
    return changed_bytes(frame, dice) if dice.randrange(8) == 0 else frame * dice.choice((1, 1, 1, 2))


def begin(address: str, dice: random.Random, recorded: list[bytes], null: int) -> tuple[socket.socket, bool]:
    """A connection on which everything is said, with up to twenty descriptors; and whether its client says that it ends."""
    stream = socket.socket(socket.AF_UNIX)
    stream.settimeout(ANSWER_S)
    stream.connect(address.removeprefix("unix:"))
    ends = dice.randrange(SILENT) != 0
    try:
        data = said(dice, recorded)
        descriptors = [null] * dice.choice((0, 0, 0, 0, 1, 1, 2, 16, 20))
        sent = socket.send_fds(stream, [data], descriptors) if descriptors and data else 0
        stream.sendall(data[sent:])
        if ends:
            stream.shutdown(socket.SHUT_WR)
    except OSError:
        pass            # refused before it was all said
    return stream, ends


def end(stream: socket.socket, ends: bool) -> str:
    """What the server answered, in a word. TimeoutError: nothing, and it does not hang up."""
    with stream:
        if not ends:
            return "left alone"
        answer = ""
        try:
            while True:
                message, descriptors = Connection(stream).receive(ANSWER_S)
                for descriptor in descriptors:
                    os.close(descriptor)
                answer = answer or getattr(message, "code", type(message).__name__.lower())
        except ConnectionEnded:
            return answer or "hung up"


def run(address: str, count: int, seed: int, recorded: list[bytes] = ()) -> Counter[str]:
    """So many handshakes; how often each answer came. Every answer must be a message of the protocol."""
    dice = random.Random(seed)
    answers: Counter[str] = Counter()
    null = os.open(os.devnull, os.O_RDONLY)
    try:
        while count:
            open_now = [begin(address, dice, list(recorded), null) for _ in range(min(AT_ONCE, count))]
            count -= len(open_now)
            answers.update(end(stream, ends) for stream, ends in open_now)
    finally:
        os.close(null)
    return answers


def serve_batches(path: str, batches: int, each: int) -> None:
    """The sessions' side alone, many in each process, one after the other. Ends this process with 1 if one of them ended badly.

    A server forks for each connection, which is most of what a refusal costs; here it forks for `each` connections.
    """
    from mgpipe.server.journal import ERROR, Journal
    from mgpipe.server.session import Admission, Visit, serve_session
    from mgpipe.server.tally import Tally

    log = Journal("mgpipe", least=ERROR)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(2 * AT_ONCE)
        for _ in range(batches):
            pid = os.fork()
            if pid == 0:
                status = 1
                try:
                    seats = os.eventfd(each, os.EFD_CLOEXEC | os.EFD_NONBLOCK | os.EFD_SEMAPHORE)
                    for _ in range(each):
                        serve_session(listener.accept()[0], Visit(Admission(), Tally(), log, "fuzz", "", os.dup(seats)))
                    status = 0
                finally:
                    os._exit(status)
            if os.waitpid(pid, 0)[1] != 0:
                os._exit(1)
    os._exit(0)


def resident_mb(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
