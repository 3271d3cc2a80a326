"""Opening a session: options in, a handle out. One session serves a process for each set of options."""

import atexit
import json
import logging
import os
import socket
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

import mgpipe.control
from mgpipe.catalogue import options as option_table
from mgpipe.client import errors, launch

if TYPE_CHECKING:
    from mgpipe.client.session import SessionHandle
    from mgpipe.control.framing import Connection

log = logging.getLogger("mgpipe")

SILENCE_S = 20.0  # a server that starts sends Progress each second; this long without a word ends the wait
END_MS = 1000  # for a supervisor that was asked to end

_sessions: "dict[tuple, SessionHandle]" = {}
_begun: "dict[tuple, Connection]" = {}     # Hello is said, and nobody has asked for the session yet
_supervisor: "Supervisor | None" = None
_prepared = False
_relays: list[int] = []     # processes that encrypt for this one, to be reaped


def begin(**keywords: Any) -> None:
    """A server of our own starts, with its driver, if these options want one, while the program loads the rest of us."""
    _prepare()
    chosen = option_table.resolve(keywords, os.environ)
    _check(chosen)
    key = _key(chosen)
    if chosen["topology"] == "spawn" and key not in _sessions and key not in _begun and not _supervise(chosen["python"]):
        _begun[key] = _call(_supervisor, chosen)


def connect(**keywords: Any) -> "SessionHandle":
    """The process's session with these options: opened now, or opened before. A lost one is replaced."""
    _prepare()
    _reap_relays(wait=False)
    chosen = option_table.resolve(keywords, os.environ)
    key = _key(chosen)
    handle = _sessions.get(key)
    if handle is not None and handle.lost:
        close(handle)
        handle = None
    if handle is None:
        handle = _sessions[key] = _open(chosen)
    return handle


def _check(chosen: dict[str, Any]) -> None:
    """What can be known to fail, before a server is started for nothing."""
    if chosen["chaos"]:
        check_chaos(chosen)
    if chosen["trace"]:
        from mgpipe.client import tracefile

        tracefile.check(chosen["trace"])


def _key(chosen: dict[str, Any]) -> tuple:
    return (os.getpid(), *sorted(chosen.items()))


def sessions() -> "list[SessionHandle]":
    """Those of this process that are open."""
    return [handle for (pid, *_), handle in _sessions.items() if pid == os.getpid()]


def close_all() -> None:
    """End every session of this process; at exit, and in tests."""
    _forget_begun()
    for (pid, *_), handle in list(_sessions.items()):
        if pid == os.getpid():
            close(handle)
    _sessions.clear()
    if _supervisor is not None:
        _supervisor.end()
    _reap_relays(wait=True)


def close(handle: "SessionHandle") -> None:
    """End one session: what was emitted is applied, statistics are written, and the server's process ends."""
    for key in [key for key, other in _sessions.items() if other is handle]:
        del _sessions[key]
    if handle.closed:
        return
    counters = handle.stats()
    handle.close()
    if path := handle.options["stats"]:
        write_stats(path, counters)


PER_FRAME = ("draws", "records", "record_bytes", "upload_bytes", "sent_bytes", "received_bytes", "round_trips", "reads", "waits")


def write_stats(path: str, counters: dict[str, Any]) -> None:
    """Whole or not at all: a reader never meets half a file. With the averages of a frame, the session's start included."""
    if counters["frames"]:
        counters = counters | {"per_frame": {name: round(counters[name] / counters["frames"], 2) for name in PER_FRAME}}
    partial = f"{path}.{os.getpid()}.part"
    try:
        with open(partial, "w") as file:
            json.dump(counters, file, indent=1)
            file.write("\n")
        os.replace(partial, path)
    except OSError as error:
        log.error("could not write the statistics to %s: %s", path, error.strerror)


def _reap_relays(wait: bool) -> None:
    """They end when their session hangs up."""
    for pid in list(_relays):
        try:
            ended = os.waitpid(pid, 0 if wait else os.WNOHANG)[0]
        except ChildProcessError:
            ended = pid     # the program's own os.wait() met it, or it is not our child: a fork's
        if ended:
            _relays.remove(pid)


def _prepare() -> None:
    global _prepared
    if _prepared:
        return
    if mgpipe.control.in_server:
        raise errors.SessionError("this is the process of an mgpipe server: it draws with a driver, never through another server")
    _prepared = True
    if not log.hasHandlers():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("mgpipe: %(message)s"))
        log.addHandler(handler)
        log.propagate = False
    for sentence in option_table.unknown_variables(os.environ):
        log.warning("%s", sentence)
    atexit.register(close_all)
    os.register_at_fork(after_in_child=_disown)


def _forget_begun() -> None:
    for connection in _begun.values():
        connection.close()
    _begun.clear()


def _disown() -> None:
    """In a forked child: the supervisor can be dialled, but is nobody's child here."""
    _relays.clear()
    _forget_begun()
    if _supervisor is not None and _supervisor.pidfd >= 0:
        os.close(_supervisor.pidfd)
        _supervisor.pidfd = -1


def _open(chosen: dict[str, Any]) -> "SessionHandle":
    log.setLevel(chosen["log"].upper())
    _check(chosen)
    match chosen["topology"]:
        case "monolith" | "inproc":
            from mgpipe.client import local

            return local.open_local(chosen)
        case "spawn":
            return _spawn(chosen)
        case "remote":
            return _greet(RemoteServer(chosen["server"], chosen["tls_pin"], chosen["python"], chosen["peer_timeout"]), chosen)
    raise AssertionError(chosen["topology"])


def _spawn(chosen: dict[str, Any]) -> "SessionHandle":
    global _supervisor
    for attempt in ("dial", "dial again"):
        inherited = _supervise(chosen["python"])
        try:
            return _greet(_supervisor, chosen)
        except (ConnectionError, errors.ServerFailed):
            # A supervisor that this process forked away from ends with the process that started it: then start our own.
            if not inherited or attempt == "dial again":
                raise
            _supervisor = None
    raise AssertionError


def _supervise(python: str) -> bool:
    """There is a supervisor from here on. True: it is that of the process which forked this one."""
    global _supervisor
    if _supervisor is not None and not _supervisor.accepts():
        _supervisor.end()
    if _supervisor is None:
        _supervisor = Supervisor(python)
    return _supervisor.owner != os.getpid()


class Supervisor:
    """A server that this process started, or inherited through fork: its address, its nonce, its process."""

    shares_processes = True

    def __init__(self, python: str) -> None:
        self.nonce = os.urandom(16)
        self.owner = os.getpid()
        # Abstract: nothing is left on a file system, whoever dies. The nonce, not the name, is what lets a client in.
        self.address = f"\0mgpipe-{os.getpid()}-{os.urandom(8).hex()}"
        own_pidfd = os.pidfd_open(os.getpid())
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(self.address)
            listener.listen(16)
            self.pid = launch.start(listener.fileno(), own_pidfd, self.nonce, python)
        finally:
            listener.close()
            os.close(own_pidfd)
        self.pidfd = os.pidfd_open(self.pid)

    def __str__(self) -> str:
        return f"the render server (pid {self.pid})"

    def dial(self) -> socket.socket:
        # It listens from the moment it was bound, here: no need to wait until the server's Python runs.
        stream = socket.socket(socket.AF_UNIX)
        try:
            stream.connect(self.address)
        except OSError as error:
            stream.close()
            raise errors.ServerFailed(
                f"{self} ended before the session stood ({error.strerror})"
            ) from error
        return stream

    def accepts(self) -> bool:
        """False: it ended. Of an inherited one only dialling tells."""
        return self.owner != os.getpid() or not self.reap()

    def reap(self) -> bool:
        """True: it ended, and leaves no zombie."""
        try:
            return os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED | os.WNOHANG) is not None
        except ChildProcessError:
            return True

    def end(self) -> None:
        """Stop it with its sessions and wait for its end, if it is ours. A frozen one is killed."""
        global _supervisor
        _supervisor = None
        if self.owner != os.getpid():
            return
        import select
        import signal

        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGTERM)
            ended = select.poll()  # not select(): it knows no descriptor above 1023
            ended.register(self.pidfd, select.POLLIN)
            if not ended.poll(END_MS):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED)
        except (ProcessLookupError, ChildProcessError):
            pass  # it ended before, or the program's own os.wait() met it
        os.close(self.pidfd)


class RenderServer(Protocol):
    """What a handshake needs to know of a server, spawned or remote."""

    nonce: bytes  # of a spawned one
    shares_processes: bool  # a pidfd of ours means something there

    def __str__(self) -> str: ...

    def dial(self) -> socket.socket: ...


class RemoteServer:
    """A server that somebody else runs, at an address."""

    nonce = bytes(16)

    @property
    def shares_processes(self) -> bool:
        return self.endpoint.kind == "unix"

    def __init__(self, address: str, pin: str, python: str, peer_timeout_s: int) -> None:
        from mgpipe.control import endpoints

        self.pin, self.python, self.peer_timeout_s = pin, python, peer_timeout_s
        try:
            self.endpoint = endpoints.parse(address)
        except endpoints.InvalidEndpoint as error:
            raise errors.ServerFailed(str(error)) from None

    def __str__(self) -> str:
        return f"the render server at {self.endpoint}"

    def dial(self) -> socket.socket:
        from mgpipe.control import endpoints

        try:
            stream = endpoints.dial(self.endpoint, self.peer_timeout_s)
        except OSError as error:
            raise errors.NoServer(str(self.endpoint), error.strerror or str(error)) from error
        return stream if self.endpoint.kind != "tls" else self._encrypted(stream)

    def _encrypted(self, stream: socket.socket) -> socket.socket:
        """Our end of the relay that encrypts for us. Its end is ours: it goes when we hang up."""
        ours, theirs = socket.socketpair()
        with stream, theirs:
            pid, complaint = launch.start_relay(stream.fileno(), theirs.fileno(), self.endpoint.host, self.pin, self.python)
        _relays.append(pid)
        if complaint:
            ours.close()
            raise errors.Untrusted(str(self.endpoint), complaint)
        return ours


def _greet(server: RenderServer, chosen: dict[str, Any]) -> "SessionHandle":
    from mgpipe.client.session import identity
    from mgpipe.control.framing import ConnectionEnded
    from mgpipe.control.messages import Fault, LogLine, MalformedFrame, Offer, Progress, Refuse, Welcome

    connection = _begun.pop(_key(chosen), None) or _call(server, chosen)
    plane = DataPlane()
    doing = ""
    try:
        while True:
            started = time.monotonic()
            message, descriptors = connection.receive(SILENCE_S)
            match message:
                case Progress():
                    doing = message.doing
                    log.debug("%s: %s, %d ms", server, doing, message.elapsed_ms)
                case LogLine():
                    log.log(message.level, "%s", message.text)
                case Offer():
                    plane = _take_offer(message, server, chosen["data"])
                case Refuse():
                    raise errors.from_refusal(message, identity()[0])
                case Fault():
                    raise errors.ServerFailed(f"the render server failed: {message.family}: {message.detail}")
                case Welcome():
                    plane.descriptors += descriptors
                    if message.device:
                        log.info("%s draws on device %s", server, message.device)
                    return _enter(connection, message, plane, server, chosen)
                case _:
                    raise errors.ServerFailed(f"the render server answered with {type(message).__name__}")
    except ConnectionEnded:
        raise errors.ServerFailed(f"{server} ended before the session stood") from None
    except TimeoutError:
        raise errors.ServerSilent(str(server), time.monotonic() - started, doing) from None
    except MalformedFrame as malformed:
        raise errors.ServerFailed(f"{server} speaks another language: {malformed}") from None
    finally:
        plane.close()
        connection.close()  # does nothing once the session has taken the socket


def _call(server: RenderServer, chosen: dict[str, Any]) -> "Connection":
    """Dial and say Hello: the server goes on by itself from there."""
    from mgpipe.client.session import identity
    from mgpipe.control.framing import Connection, ConnectionEnded
    from mgpipe.control.messages import REVISION, Hello

    version, fingerprint = identity()
    remote = chosen["topology"] == "remote"
    hello = Hello(
        revision=REVISION,
        fingerprint=fingerprint,
        version=version,
        nonce=server.nonce,
        pid=os.getpid(),
        driver=chosen["driver"],
        shadow_bytes=chosen["shadow_limit_mb"] << 20,
        token=token(chosen) if remote else b"",
        data=chosen["data"] if remote else "shm",
        chaos=chosen["chaos"],
        compress=wanted_compression(server, chosen) if remote else "never",
    )
    connection = Connection(server.dial())
    try:
        _send_hello(connection, hello, server.shares_processes)
    except BaseException as error:
        connection.close()
        if isinstance(error, ConnectionEnded):
            raise errors.ServerFailed(f"{server} ended before the session stood") from None
        raise
    return connection


def check_chaos(chosen: dict[str, Any]) -> None:
    """InvalidOption, before anything is started."""
    from mgpipe.catalogue import chaos

    if chosen["topology"] in ("inproc", "monolith"):
        raise option_table.InvalidOption(f"chaos is for a server of its own process, not for {chosen['topology']}: a kill would be yours")
    try:
        chaos.parse(chosen["chaos"])
    except chaos.InvalidChaos as error:
        raise option_table.InvalidOption(str(error)) from None


def wanted_compression(server: "RemoteServer", chosen: dict[str, Any]) -> str:
    """Within a machine no byte is worth compressing, unless the program says otherwise."""
    from mgpipe.client.session import can_compress

    if not can_compress():
        if chosen["compress"] == "always":
            log.warning("nothing is compressed: there is no libzstd.so.1 on this machine")
        return "never"
    return chosen["compress"] or ("never" if server.endpoint.is_guarded else "auto")


def token(chosen: dict[str, Any]) -> bytes:
    """The server's token; never from a command line."""
    from mgpipe.control.tokens import read_token

    try:
        return read_token(chosen["token_file"])
    except OSError as error:
        raise errors.Unauthenticated(f"could not read its token from {chosen['token_file']}: {error.strerror}") from None


def _send_hello(connection, hello, shares_processes: bool) -> None:
    if not shares_processes:
        connection.send(hello)
        return
    own_pidfd = os.pidfd_open(os.getpid())
    try:
        connection.send(hello, (own_pidfd,))
    finally:
        os.close(own_pidfd)


class DataPlane:
    """What the records will travel through: descriptors of memory, or a socket. Whatever is still here is closed."""

    def __init__(self, descriptors: Iterable[int] = (), stream: socket.socket | None = None) -> None:
        self.descriptors = list(descriptors)
        self.stream = stream

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []
        if self.stream is not None:
            self.stream.close()


def _take_offer(offer, server: RenderServer, wanted: str) -> DataPlane:
    """Memory if the session's own socket can be reached from here, which only a process of its machine can; else a stream."""
    from mgpipe.control.framing import Connection, ConnectionEnded
    from mgpipe.control.messages import Join, MalformedFrame, Memory

    join = Join(session=offer.session, nonce=offer.nonce)
    if wanted != "stream":
        with socket.socket(socket.AF_UNIX) as stream:
            try:
                stream.connect("\0" + offer.session)
                asking = Connection(stream)
                asking.send(join)
                answer, descriptors = asking.receive(SILENCE_S)
                if isinstance(answer, Memory) and descriptors:
                    log.info("%s: records travel through shared memory", server)
                    return DataPlane(descriptors)
                why = f"it answered with {type(answer).__name__}"
            except (OSError, ConnectionEnded, MalformedFrame) as error:
                why = str(error) or "it hung up"
        if wanted == "shm":
            raise errors.ServerFailed(f"{server} shares no memory with this process ({why}); leave MGPIPE_DATA out for a stream")
        log.debug("%s shares no memory with this process: %s", server, why)
    plane = DataPlane(stream=server.dial())
    Connection(plane.stream).send(join)
    log.info("%s: records travel as a stream", server)
    return plane


def _enter(connection, welcome, plane: DataPlane, server: RenderServer, chosen) -> "SessionHandle":
    """Enter the session of a Welcome, which takes what is the plane's."""
    from mgpipe.client.session import open_mapped, open_stream

    names = [segment.name for segment in welcome.segments]
    if names != ["commands", "events", "shadow", "reply"]:
        raise errors.ServerFailed(f"the Welcome of {server} names the segments {', '.join(names)}")
    if welcome.compress != "never":
        log.info("%s: bytes are compressed with zstd %s", server, {"auto": "where it pays"}.get(welcome.compress, welcome.compress))
    if plane.stream is not None:
        return open_stream(connection, welcome, plane, str(server), chosen)
    if len(plane.descriptors) != 1 + len(names):
        raise errors.ServerFailed(f"{len(plane.descriptors)} descriptors came for the segments {', '.join(names)}")
    return open_mapped(connection, welcome, plane, str(server), chosen)
