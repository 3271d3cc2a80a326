"""The process of one session: handshake, shared memory, then the apply thread works and this thread keeps watch.

Nothing here is on the way of a record. The watch is a poll() over the control connection, the client's pidfd and the
apply thread's eventfd; whichever side ends, the process is gone at once, and with it driver and memory.
"""

import os
import select
import signal
import socket
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ssl

import mgpipe
from mgpipe.catalogue.options import COMPRESSION, DATA_PLANES, DRIVERS, PEER_TIMEOUT_S
from mgpipe.control.framing import Connection, ConnectionEnded
from mgpipe.control.messages import (NONCE_BYTES, REVISION, Bye, Fault, Hello, Join, MalformedFrame, Memory, Offer, Progress, Refuse,
                                     Segment, Welcome)
from mgpipe.links.memory import create_memory
from mgpipe.server import journal, tally
from mgpipe.server.apply_loop import COMMAND_CEILING_BYTES, EVENT_BYTES, ApplyThread, identity, map_segment, page_bytes
from mgpipe.server.budget import MIB, Budget, Limits
from mgpipe.server.devices import Device
from mgpipe.server.tally import Tally

REPLY_BYTES, REPLY_CEILING = 1 * MIB, 16 * MIB
SHADOW_BYTES, SHADOW_CEILING = 1 * MIB, 8192 * MIB

SESSION_NAME = "mgpipe-session-"    # how the name of its abstract Unix socket begins

HELLO_TIMEOUT_S = 2.0   # for all of it
HELLO_BYTES = 1 << 16  # of the first frame, whose sender nobody knows yet
LABEL_BYTES = 6         # random: by it a look from outside finds both sides of one session
JOIN_TIMEOUT_S = 10.0  # for the data plane, after the Offer
PROGRESS_EVERY_MS = 1000
LAST_RECORDS_MS = 2000  # a client that said Bye: what it published is still applied, for so long
DRIVER_START_S = 120.0  # where --verb-timeout bounds the driver's calls, its start may take so long, or as long as a call
IDLE_EVERY_MS = 1000  # a look at whether anything came
IDLE_S = 1.0
STOP_MS = 300  # driver clean-up of a session whose client is gone


class Refused(Exception):
    def __init__(self, code: str, detail: str, peer: str = "") -> None:
        self.refusal = Refuse(code=code, detail=detail, peer=peer)


class Link(NamedTuple):
    """How this session's records travel. `data` is the socket of a stream, or -1: memory that the client maps, too."""

    name: str
    segments: list[Segment]
    descriptors: list[int]  # of the memory; the Welcome brings them unless they were `delivered`
    delivered: bool = False
    data: int = -1


class Admission(NamedTuple):
    """Whom a server lets in."""

    nonce: bytes = b""  # of a spawned server: its client's own
    token: bytes = b""  # of a listening one; empty: the socket's permissions are enough
    data: str = "auto"  # the data planes it offers
    tls: "ssl.SSLContext | None" = None  # connections are encrypted
    limits: Limits = Limits()
    devices: tuple[Device, ...] = ()    # of EGL, that sessions are spread over; none: the driver decides
    confined: bool = False  # the process may do no more than a driver needs
    peer_timeout_s: int = PEER_TIMEOUT_S  # a client that vanished without a word is given up; 0: never
    chaos: bool = False  # sessions may ask for failures: a spawned server's, and one that was started for tests

    def admits(self, hello: Hello) -> bool:
        if self.nonce:
            return same_secret(hello.nonce, self.nonce)
        return not self.token or same_secret(hello.token, self.token)


class Visit(NamedTuple):
    """What a session's process was given beside its connection."""

    admission: Admission
    tally: Tally        # where the supervisor reads what became of it
    log: journal.Journal
    peer: str           # as the log names it
    device: str         # the EGL device chosen for it, in words; empty: the driver decides
    seats: int          # eventfd that counts the sessions there still may be


def serve_session(stream: socket.socket, visit: Visit) -> None:
    """Serve one client until either side is done. Returns when the process may end."""
    admission = visit.admission
    if admission.tls is not None:
        stream = decrypted(stream, admission.tls, visit.tally)
    connection = Connection(stream)
    try:
        try:
            first, descriptors = connection.receive(HELLO_TIMEOUT_S, HELLO_BYTES)
            if isinstance(first, Join):
                visit.tally.reach(tally.JOINING)
                close_all(descriptors)
                hand_over(stream, first)
                return
            hello, client = greet(first, descriptors, admission)
            take_seat(visit)
            visit.tally.reach(tally.STARTING, client=hello.version, driver=hello.driver, peer=visit.peer)
            failures = planned_failures(hello)
            if "silent" in failures:
                connection.receive(None)  # until it hangs up
            if "refuse" in failures:
                raise Refused(failures["refuse"], "chaos: a test asked for it", identity()[0])
            link = choose_link(connection, hello, client, admission)
            serve_client(connection, hello, client, link, visit, failures)
        except Refused as refused:
            refuse(connection, visit.tally, refused.refusal)
        except MalformedFrame as malformed:
            refuse(connection, visit.tally, Refuse(code="malformed", detail=str(malformed)))
        except TimeoutError:
            refuse(connection, visit.tally, Refuse(code="malformed", detail=f"no whole Hello came within {HELLO_TIMEOUT_S:g} s"))
    except ConnectionEnded:
        pass  # a client that is gone needs no answer
    if visit.tally.stage in (tally.STARTING, tally.STANDING):
        visit.tally.reach(tally.GONE)


def take_seat(visit: Visit) -> None:
    visit.tally.seated = True       # before: a seat too many is better than one that nobody gives back
    try:
        os.eventfd_read(visit.seats)
    except BlockingIOError:
        visit.tally.seated = False
        raise Refused("full", "this server has as many sessions as it may; try again when one has ended") from None
    finally:
        os.close(visit.seats)


def refuse(connection: Connection, page: Tally, refusal: Refuse) -> None:
    page.reach(tally.REFUSED, code=refusal.code, detail=refusal.detail)
    connection.send(refusal)


def decrypted(stream: socket.socket, context: "ssl.SSLContext", page: Tally) -> socket.socket:
    """Our end of a relay that encrypts for this connection: a process of its own, forked before anything else runs here."""
    from mgpipe.control import relay

    ours, theirs = socket.socketpair()
    if os.fork():
        stream.close()
        theirs.close()
        return ours
    ours.close()
    page.close()
    try:
        signal.alarm(int(HELLO_TIMEOUT_S))      # for the whole handshake, however it is spread
        encrypted = context.wrap_socket(stream, server_side=True)
        signal.alarm(0)
        relay.run(encrypted, theirs)
    except OSError:
        pass  # it spoke no TLS, or hung up
    finally:
        os._exit(0)


def greet(hello: object, descriptors: tuple[int, ...], admission: Admission) -> tuple[Hello, int]:
    """The client's Hello, checked, and the pidfd of its process; -1: it is on another machine."""
    if not isinstance(hello, Hello) or len(descriptors) > 1:
        raise Refused("malformed", "the first frame must be a Hello with at most one descriptor, the client's pidfd")
    if not admission.admits(hello):
        wanted = "its nonce is not the one this server was started with" if admission.nonce else (
            "its token is not the server's" if hello.token else "this server asks for a token; set MGPIPE_TOKEN_FILE")
        raise Refused("authentication", wanted)
    version, fingerprint = identity()
    if hello.revision != REVISION or hello.fingerprint != fingerprint:
        raise Refused("version_skew", f"client is {hello.version}", version)
    if hello.driver not in DRIVERS:
        raise Refused("malformed", f"no driver is called {hello.driver!r}", ", ".join(DRIVERS))
    if hello.data not in DATA_PLANES:
        raise Refused("malformed", f"no data plane is called {hello.data!r}", ", ".join(DATA_PLANES))
    if hello.chaos and not admission.chaos:
        raise Refused("chaos", "this server fails for nobody; one for tests is started with --chaos")
    if hello.compress not in COMPRESSION:
        raise Refused("malformed", f"no compression is called {hello.compress!r}", ", ".join(COMPRESSION))
    return hello, descriptors[0] if descriptors else -1


def same_secret(one: bytes, other: bytes) -> bool:
    """In a time that does not tell where they differ. (hmac would load OpenSSL, 3 ms of every start.)"""
    return len(one) == len(other) and sum(x ^ y for x, y in zip(one, other)) == 0


def planned_failures(hello: Hello) -> dict:
    """Of a session that asks for chaos; no other pays for its import."""
    if not hello.chaos:
        return {}
    from mgpipe.catalogue import chaos

    try:
        return chaos.parse(hello.chaos)
    except chaos.InvalidChaos as error:
        raise Refused("malformed", str(error)) from None


def plan_segments(hello: Hello, limits: Limits = Limits()) -> list[Segment]:
    most = min(limits.shadow_mb * MIB or SHADOW_CEILING, SHADOW_CEILING)
    shadow = min(hello.shadow_bytes or most, most)
    commands, events = page_bytes + COMMAND_CEILING_BYTES, page_bytes + EVENT_BYTES  # untouched pages are not backed
    return [
        Segment(name="commands", size_bytes=commands, ceiling_bytes=commands),
        Segment(name="events", size_bytes=events, ceiling_bytes=events),
        Segment(name="shadow", size_bytes=SHADOW_BYTES, ceiling_bytes=max(shadow, SHADOW_BYTES)),
        Segment(name="reply", size_bytes=REPLY_BYTES, ceiling_bytes=REPLY_CEILING),
    ]


def make_memory(segments: list[Segment]) -> list[int]:
    """Memory that both sides map, as files that cannot shrink under their reader."""
    return [create_memory(segment.name, segment.size_bytes) for segment in segments]


def mapped(link: Link) -> list[tuple[int, int, int, int]]:
    """Each segment as the apply thread wants it: address, bytes backed, ceiling, descriptor. Of a stream: private memory."""
    out = []
    for segment, descriptor in zip(link.segments, link.descriptors):
        if link.data >= 0 and segment.name in ("commands", "events"):
            out.append((0, 0, 0, -1))
            continue
        backed = segment.size_bytes if descriptor >= 0 else segment.ceiling_bytes
        out.append((map_segment(segment.ceiling_bytes, descriptor), backed, segment.ceiling_bytes, descriptor))
    return out


def choose_link(connection: Connection, hello: Hello, client: int, admission: Admission) -> Link:
    planes = {hello.data, admission.data} - {"auto"}
    if len(planes) > 1:
        raise Refused("data_plane", f"the client wants {hello.data}, this server offers {admission.data} only")
    wanted = planes.pop() if planes else "auto"
    segments = plan_segments(hello, admission.limits)
    if client >= 0 and wanted != "stream":
        return Link("shared memory", segments, make_memory(segments))
    return offer_link(connection, wanted, segments)


def offer_link(connection: Connection, wanted: str, segments: list[Segment]) -> Link:
    """Let the client choose by what it can reach: a Unix socket of this machine, or another connection to the server."""
    name, nonce = f"{SESSION_NAME}{os.getpid()}-{os.urandom(6).hex()}", os.urandom(NONCE_BYTES)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + name)
        listener.listen(4)
        connection.send(Offer(session=name, nonce=nonce))
        deadline = time.monotonic() + JOIN_TIMEOUT_S
        while (left := deadline - time.monotonic()) > 0:
            ready = select.select([listener, connection], [], [], left)[0]
            if connection in ready:
                raise ConnectionEnded  # a client says nothing now, or hangs up
            if listener in ready and (link := take_joined(listener.accept()[0], nonce, wanted, segments)):
                return link
    raise Refused("data_plane", f"no data connection came within {JOIN_TIMEOUT_S:.0f} s")


def take_joined(stream: socket.socket, nonce: bytes, wanted: str, segments: list[Segment]) -> Link | None:
    """A Join at the session's own socket. With a descriptor: the stream that the server was handed; else it wants memory."""
    descriptors: tuple[int, ...] = ()
    with stream:
        asking = Connection(stream)
        try:
            join, descriptors = asking.receive(HELLO_TIMEOUT_S, HELLO_BYTES)
            if not isinstance(join, Join) or not same_secret(join.nonce, nonce) or len(descriptors) > 1:
                close_all(descriptors)
                return None
            if descriptors:
                return Link("stream", segments, [-1] * len(segments), data=descriptors[0])
            if wanted == "stream":
                return None
            memory = make_memory(segments)
            asking.send(Memory(server_pid=os.getpid()), (os.pidfd_open(os.getpid()), *memory))
            return Link("shared memory", segments, memory, delivered=True)
        except (ConnectionEnded, MalformedFrame, TimeoutError):
            return None


def hand_over(stream: socket.socket, join: Join) -> None:
    """Give a connection that came to the server to the session it belongs to. Who may join is for that one to say; that it
    is a session, and not another program's socket, is for us."""
    if not join.session.startswith(SESSION_NAME) or not join.session.removeprefix(SESSION_NAME).replace("-", "").isalnum():
        return
    with socket.socket(socket.AF_UNIX) as session:
        try:
            session.connect("\0" + join.session)
            Connection(session).send(join, (stream.fileno(),))
        except (OSError, ConnectionEnded):
            pass  # no such session, or no longer: the client hears it from the hang-up


def serve_client(connection: Connection, hello: Hello, client: int, link: Link, visit: Visit, failures: dict) -> None:
    started = time.monotonic()
    limits = visit.admission.limits
    visit.tally.label = int.from_bytes(os.urandom(LABEL_BYTES), "little")
    data = f"encrypted {link.name}" if link.data >= 0 and visit.admission.tls else link.name
    worker = ApplyThread(DRIVERS.index(hello.driver), mapped(link), own_process=True, data=link.data, most_objects=limits.objects,
                         tally=visit.tally)
    compress = hello.compress if worker.compress(COMPRESSION.index(hello.compress)) else "never"
    if failures:
        worker.fail_on_purpose(failures, connection.fileno())
    worker.start()
    watch = Watch(connection, client, worker)
    while worker.starting:
        elapsed_s = time.monotonic() - started
        if not watch.wait(PROGRESS_EVERY_MS):
            connection.send(Progress(doing=f"starting the {hello.driver} driver", elapsed_ms=int(elapsed_s * 1000)))
        if limits.verb_s and elapsed_s > max(limits.verb_s, DRIVER_START_S):
            raise Refused("driver_failed", f"the driver did not start within {elapsed_s:.0f} s")
        if watch.client_gone:
            return
    if worker.error:
        code, _, detail = worker.error.partition(": ")
        raise Refused({"NoDriver": "no_driver"}.get(code, "driver_failed"), detail or code)
    refuse_our_own_libraries()
    if exceeded := Budget(limits, worker).memory():     # from here on a driver that is refused memory may end at any moment
        raise Refused("driver_failed", ": ".join(exceeded))
    if visit.admission.confined:
        from mgpipe.server.confine import confine

        if complaint := confine(limits.memory_mb * MIB):
            visit.log.tell(journal.WARNING, "not_confined", f"is not wholly confined ({complaint})", os.getpid())
    visit.tally.reach(tally.STANDING, renderer=worker.renderer, link=data)
    visit.log.tell(
        journal.INFO, "session_started",
        f"started: {visit.peer}, {hello.driver}{f' on device {visit.device}' if visit.device else ''} ({worker.renderer}), {data}",
        os.getpid(), peer=visit.peer, driver=hello.driver, renderer=worker.renderer, device=visit.device, data=data,
        client=hello.version, start_ms=round((time.monotonic() - started) * 1000))
    brought = () if link.delivered or link.data >= 0 else (os.pidfd_open(os.getpid()), *link.descriptors)
    connection.send(
        Welcome(
            server_pid=os.getpid(),
            version=identity()[0],
            driver=hello.driver,
            link=data,
            segments=link.segments,
            driver_start_ms=(time.monotonic() - started) * 1000,
            device=visit.device[:64],
            compress=compress,
            label=visit.tally.label,
        ),
        brought,
    )
    keep_watch(watch, link, visit)


def keep_watch(watch: "Watch", link: Link, visit: Visit) -> None:
    """Until the client is done, or gone, or has taken more than it may."""
    worker, connection = watch.worker, watch.connection
    shadow = next(n for n, segment in enumerate(link.segments) if segment.name == "shadow")
    budget = Budget(visit.admission.limits, worker, (link.descriptors[shadow], link.segments[shadow].ceiling_bytes))
    idle = Idle(worker)
    look_every_ms = budget.look_every_ms() if visit.admission.confined else IDLE_EVERY_MS
    fault = None
    while not watch.client_gone and not watch.bye:
        watch.wait(look_every_ms)
        idle.look()
        exceeded = budget.exceeded()
        if fault is None and (exceeded or worker.error):
            family, detail = fault = exceeded or tuple(worker.error.split(": ", 1))
            visit.tally.reach(tally.FAULTED, code=family, detail=detail)
            connection.send(Fault(family=family, detail=detail))
        if exceeded:
            break
    visit.tally.reach(tally.LEFT if watch.bye else tally.GONE)
    drain = watch.bye and not watch.client_gone
    worker.stop(drain)
    watch.ends(LAST_RECORDS_MS if drain else STOP_MS)


class Idle:
    """Gives back what the driver has freed, once a session has been idle for a second."""

    def __init__(self, worker: ApplyThread) -> None:
        self.worker, self.applied, self.since, self.kept = worker, 0, time.monotonic(), True

    def look(self) -> None:
        if self.worker.applied != self.applied:
            self.applied, self.since, self.kept = self.worker.applied, time.monotonic(), True
        elif self.kept and time.monotonic() - self.since >= IDLE_S * 0.9:
            self.worker.give_back()
            self.kept = False


class Watch:
    """Waits for whatever can happen to a session beside records."""

    def __init__(self, connection: Connection, client: int, worker: ApplyThread) -> None:
        self.connection, self.client, self.worker = connection, client, worker
        self.client_gone = False
        self.bye = False
        self.poll = select.poll()
        for descriptor in (connection.fileno(), client, worker.fileno()):
            if descriptor >= 0:  # a client elsewhere has no pidfd: its hang-up is its death
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
