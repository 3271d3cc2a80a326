"""The handshake, the client's side: Hello, what the server says to that, the data plane, and the session at the end."""

import logging
import os
import socket
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mgpipe.client import errors

if TYPE_CHECKING:
    from mgpipe.client.servers import RemoteServer, RenderServer
    from mgpipe.client.session import SessionHandle
    from mgpipe.control.framing import Connection
    from mgpipe.control.messages import Hello, Offer, Welcome

log = logging.getLogger("mgpipe")

SILENCE_S = 20.0  # a server that starts sends Progress each second; this long without a word ends the wait


def call(server: "RenderServer", chosen: dict[str, Any]) -> "Connection":
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
        send_hello(connection, hello, server.shares_processes)
    except BaseException as error:
        connection.close()
        if isinstance(error, ConnectionEnded):
            raise errors.ServerFailed(f"{server} ended before the session stood") from None
        raise
    return connection


def greet(server: "RenderServer", connection: "Connection", chosen: dict[str, Any]) -> "SessionHandle":
    """Hear what comes of a Hello, until the session stands."""
    from mgpipe.client.session import identity
    from mgpipe.control.framing import ConnectionEnded
    from mgpipe.control.messages import Fault, LogLine, MalformedFrame, Offer, Progress, Refuse, Welcome

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
                    plane = take_offer(message, server, chosen["data"])
                case Refuse():
                    raise errors.from_refusal(message, identity()[0])
                case Fault():
                    raise errors.ServerFailed(f"the render server failed: {message.family}: {message.detail}")
                case Welcome():
                    plane.descriptors += descriptors
                    if message.device:
                        log.info("%s draws on device %s", server, message.device)
                    return enter(connection, message, plane, server, chosen)
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


def send_hello(connection: "Connection", hello: "Hello", shares_processes: bool) -> None:
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

    def __init__(self, descriptors: Iterable[int] = (), stream: socket.socket | None = None, near: bool = True) -> None:
        self.descriptors = list(descriptors)
        self.stream = stream
        self.near = near        # what we share a machine with

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []
        if self.stream is not None:
            self.stream.close()


def take_offer(offer: "Offer", server: "RenderServer", wanted: str) -> DataPlane:
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
    plane = DataPlane(stream=server.dial(), near=server.is_near)
    Connection(plane.stream).send(join)
    log.info("%s: records travel as a stream", server)
    return plane


def enter(connection: "Connection", welcome: "Welcome", plane: DataPlane, server: "RenderServer", chosen: dict[str, Any]) -> "SessionHandle":
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
