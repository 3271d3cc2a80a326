"""The process of one session: handshake, shared memory, then the apply thread works and this thread keeps watch.

Nothing here is on the way of a record. The watch is a poll() over the control connection, the client's pidfd and the
apply thread's eventfd; whichever side ends, the process is gone at once, and with it driver and memory.
"""

import os
import select
import socket
import time
from collections.abc import Iterable

import mgpipe
from mgpipe.catalogue.options import DRIVERS
from mgpipe.control.framing import Connection, ConnectionEnded
from mgpipe.control.messages import REVISION, Bye, Fault, Hello, MalformedFrame, Progress, Refuse, Segment, Welcome
from mgpipe.links.memory import create_memory
from mgpipe.server.apply_loop import COMMAND_CEILING_BYTES, EVENT_BYTES, ApplyThread, identity, map_segment, page_bytes

MIB = 1 << 20
REPLY_BYTES, REPLY_CEILING = 1 * MIB, 16 * MIB
SHADOW_BYTES, SHADOW_CEILING = 1 * MIB, 8192 * MIB

HELLO_TIMEOUT_S = 2.0
PROGRESS_EVERY_MS = 1000
LAST_RECORDS_MS = 2000  # a client that said Bye: what it published is still applied, for so long
STOP_MS = 300  # driver clean-up of a session whose client is gone


class Refused(Exception):
    def __init__(self, code: str, detail: str, peer: str = "") -> None:
        self.refusal = Refuse(code=code, detail=detail, peer=peer)


def serve_session(stream: socket.socket, nonce: bytes) -> None:
    """Serve one client until either side is done. Returns when the process may end."""
    connection = Connection(stream)
    try:
        try:
            hello, client = greet(connection, nonce)
            serve_client(connection, hello, client)
        except Refused as refused:
            connection.send(refused.refusal)
        except MalformedFrame as malformed:
            connection.send(Refuse(code="malformed", detail=str(malformed)))
    except (ConnectionEnded, TimeoutError):
        pass  # a client that is gone needs no answer


def greet(connection: Connection, nonce: bytes) -> tuple[Hello, int]:
    """The client's Hello, checked, and the pidfd of its process."""
    hello, descriptors = connection.receive(HELLO_TIMEOUT_S)
    if not isinstance(hello, Hello) or len(descriptors) != 1:
        raise Refused("malformed", "the first frame must be a Hello with one descriptor, the client's pidfd")
    if not same_secret(hello.nonce, nonce):
        raise Refused("authentication", "its nonce is not the one this server was started with")
    version, fingerprint = identity()
    if hello.revision != REVISION or hello.fingerprint != fingerprint:
        raise Refused("version_skew", f"client is {hello.version}", version)
    if hello.driver not in DRIVERS:
        raise Refused("malformed", f"no driver is called {hello.driver!r}", ", ".join(DRIVERS))
    return hello, descriptors[0]


def same_secret(one: bytes, other: bytes) -> bool:
    """In a time that does not tell where they differ. (hmac would load OpenSSL, 3 ms of every start.)"""
    return len(one) == len(other) and sum(x ^ y for x, y in zip(one, other)) == 0


def make_segments(hello: Hello) -> tuple[list[Segment], list[int]]:
    """Memory that both sides map, as files that cannot shrink under their reader."""
    shadow = min(hello.shadow_bytes or SHADOW_CEILING, SHADOW_CEILING)
    commands, events = page_bytes + COMMAND_CEILING_BYTES, page_bytes + EVENT_BYTES  # untouched pages are not backed
    plan = (
        Segment(name="commands", size_bytes=commands, ceiling_bytes=commands),
        Segment(name="events", size_bytes=events, ceiling_bytes=events),
        Segment(name="shadow", size_bytes=SHADOW_BYTES, ceiling_bytes=max(shadow, SHADOW_BYTES)),
        Segment(name="reply", size_bytes=REPLY_BYTES, ceiling_bytes=REPLY_CEILING),
    )
    return list(plan), [create_memory(segment.name, segment.size_bytes) for segment in plan]


def mapped(plan: list[Segment], descriptors: list[int]) -> list[tuple[int, int, int, int]]:
    """Each segment as the apply thread wants it: address, bytes backed, ceiling, descriptor."""
    return [
        (map_segment(segment.ceiling_bytes, descriptor), segment.size_bytes, segment.ceiling_bytes, descriptor)
        for segment, descriptor in zip(plan, descriptors)
    ]


def serve_client(connection: Connection, hello: Hello, client: int) -> None:
    started = time.monotonic()
    plan, descriptors = make_segments(hello)
    worker = ApplyThread(DRIVERS.index(hello.driver), mapped(plan, descriptors), own_process=True)
    worker.start()
    watch = Watch(connection, client, worker)
    while worker.starting:
        if not watch.wait(PROGRESS_EVERY_MS):
            elapsed_ms = int((time.monotonic() - started) * 1000)
            connection.send(Progress(doing=f"starting the {hello.driver} driver", elapsed_ms=elapsed_ms))
        if watch.client_gone:
            return
    if worker.error:
        code, _, detail = worker.error.partition(": ")
        raise Refused({"NoDriver": "no_driver"}.get(code, "driver_failed"), detail or code)
    refuse_our_own_libraries()
    connection.send(
        Welcome(
            server_pid=os.getpid(),
            version=identity()[0],
            driver=hello.driver,
            link="shared memory",
            segments=plan,
            driver_start_ms=(time.monotonic() - started) * 1000,
        ),
        (os.pidfd_open(os.getpid()), *descriptors),
    )
    told = False
    while not watch.client_gone and not watch.bye:
        watch.wait(None)
        if worker.error and not told and not watch.client_gone:
            family, _, detail = worker.error.partition(": ")
            connection.send(Fault(family=family, detail=detail))
            told = True
    drain = watch.bye and not watch.client_gone
    worker.stop(drain)
    watch.ends(LAST_RECORDS_MS if drain else STOP_MS)


class Watch:
    """Waits for whatever can happen to a session beside records."""

    def __init__(self, connection: Connection, client: int, worker: ApplyThread) -> None:
        self.connection, self.client, self.worker = connection, client, worker
        self.client_gone = False
        self.bye = False
        self.poll = select.poll()
        for descriptor in (connection.fileno(), client, worker.fileno()):
            self.poll.register(descriptor, select.POLLIN)

    def wait(self, timeout_ms: int | None) -> bool:
        """True: something happened, and is recorded in the fields. False: `timeout_ms` passed."""
        ready = [descriptor for descriptor, _ in self.poll.poll(timeout_ms)]
        if self.client in ready:
            self.client_gone = True
        if self.worker.fileno() in ready:
            self.worker.acknowledge()
        if self.connection.fileno() in ready and not self.client_gone:
            self._hear()
        return bool(ready)

    def ends(self, timeout_ms: int) -> None:
        """Give the apply thread time to end. It may be deep inside the driver; the process ends all the same."""
        deadline = time.monotonic() + timeout_ms / 1000
        self.poll.unregister(self.connection.fileno())
        while not self.worker.ended and not self.client_gone and (left := deadline - time.monotonic()) > 0:
            self.wait(int(left * 1000) + 1)

    def _hear(self) -> None:
        try:
            message, descriptors = self.connection.receive(HELLO_TIMEOUT_S)
        except (ConnectionEnded, MalformedFrame, TimeoutError):
            self.client_gone = True
            return
        close_all(descriptors)
        self.bye = isinstance(message, Bye)


def close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def refuse_our_own_libraries() -> None:
    """A server whose libEGL is ours would wait for itself."""
    ours = os.path.join(os.path.dirname(mgpipe.__file__), "front") + os.sep
    with open("/proc/self/maps") as maps:
        if any(ours in line for line in maps):
            raise Refused("driver_failed", "the server's own libEGL is mgpipe's; a real libEGL must be found before it")
