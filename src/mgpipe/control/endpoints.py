"""Where a server listens and a client dials: unix:PATH, tcp://HOST:PORT, tls://HOST:PORT."""

import os
import socket
from typing import NamedTuple

from mgpipe.catalogue.options import PEER_TIMEOUT_S

DIAL_S = 10.0
# A peer that vanishes without a word (power, cable) is noticed by the kernel: when what was sent stays unacknowledged for so
# long (PEER_TIMEOUT_S, unless the option peer_timeout says otherwise; 0: never), or, on an idle connection, when probes do.
PROBES = 3
SOCKET_BUFFER_BYTES = 4 << 20


class InvalidEndpoint(ValueError):
    """An address that names no server."""


class Endpoint(NamedTuple):
    kind: str       # "unix", "tcp" or "tls"
    host: str       # of unix: the path
    port: int = 0

    def __str__(self) -> str:
        if self.kind == "unix":
            return f"unix:{self.host}"
        return f"{self.kind}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def is_guarded(self) -> bool:
        """Reached only by users of this machine: by file permission, or through the loopback device."""
        return self.kind == "unix" or self.host in ("localhost", "::1") or self.host.startswith("127.")


def parse(text: str) -> Endpoint:
    if text.startswith("unix:") and len(text) > 5:
        return Endpoint("unix", text[5:])
    if text.startswith(("tcp://", "tls://")):
        host, colon, port = text[6:].rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if colon and host and port.isdecimal() and int(port) < 65536:
            return Endpoint(text[:3], host, int(port))
    raise InvalidEndpoint(f"{text!r} is no address of a server; it can be unix:PATH, tcp://HOST:PORT or tls://HOST:PORT")


def prepare(stream: socket.socket, peer_timeout_s: int) -> socket.socket:
    """What a TCP connection needs so that small frames leave at once and a vanished peer is noticed."""
    if stream.family in (socket.AF_INET, socket.AF_INET6):
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if stream.family in (socket.AF_INET, socket.AF_INET6) and peer_timeout_s:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, max(1, peer_timeout_s // 2))
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, max(1, peer_timeout_s // (2 * PROBES)))
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, peer_timeout_s * 1000)
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        stream.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER_BYTES)
    return stream


def dial(endpoint: Endpoint, peer_timeout_s: int = PEER_TIMEOUT_S) -> socket.socket:
    """A connected socket, of tls:// not yet encrypted; OSError when nobody answers."""
    if endpoint.kind == "unix":
        stream = socket.socket(socket.AF_UNIX)
        try:
            stream.settimeout(DIAL_S)
            stream.connect(endpoint.host)
        except OSError:
            stream.close()
            raise
    else:
        stream = socket.create_connection((endpoint.host, endpoint.port), DIAL_S)
    stream.settimeout(None)
    return prepare(stream, peer_timeout_s)


def listen(endpoint: Endpoint) -> socket.socket:
    """A listening socket. A Unix path that a dead server left behind is taken over; a living one's is not."""
    if endpoint.kind != "unix":
        family = socket.AF_INET6 if ":" in endpoint.host else socket.AF_INET
        return socket.create_server((endpoint.host, endpoint.port), family=family, backlog=128)
    try:
        dial(endpoint).close()
    except OSError:
        try:
            os.unlink(endpoint.host)
        except FileNotFoundError:
            pass
    stream = socket.socket(socket.AF_UNIX)
    try:
        before = os.umask(0o177)        # for the user who started the server, unless they open it to others
        try:
            stream.bind(endpoint.host)
        finally:
            os.umask(before)
        stream.listen(128)
    except OSError:
        stream.close()
        raise
    return stream
