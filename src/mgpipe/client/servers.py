"""Servers to dial: one of this process's own, or one that somebody else runs at an address."""

import os
import socket
from typing import Protocol

from mgpipe.client import errors, launch

END_MS = 1000  # for a supervisor that was asked to end

relays: list[int] = []     # processes that encrypt for this one, to be reaped


class RenderServer(Protocol):
    """What a handshake needs to know of a server, spawned or remote."""

    nonce: bytes  # of a spawned one
    shares_processes: bool  # a pidfd of ours means something there
    is_near: bool  # it runs on this machine's CPUs

    def __str__(self) -> str: ...

    def dial(self) -> socket.socket: ...


class Supervisor:
    """A server that this process started, or inherited through fork: its address, its nonce, its process."""

    shares_processes = is_near = True

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
            raise errors.ServerFailed(f"{self} ended before the session stood ({error.strerror})") from error
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

    def disown(self) -> None:
        """In a forked child: it can be dialled, but is nobody's child here."""
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1

    def end(self) -> None:
        """Stop it with its sessions and wait for its end, if it is ours. A frozen one is killed."""
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


class RemoteServer:
    """A server that somebody else runs, at an address."""

    nonce = bytes(16)

    @property
    def shares_processes(self) -> bool:
        return self.endpoint.kind == "unix"

    @property
    def is_near(self) -> bool:
        return self.endpoint.is_guarded

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
        relays.append(pid)
        if complaint:
            ours.close()
            raise errors.Untrusted(str(self.endpoint), complaint)
        return ours


def reap_relays(wait: bool) -> None:
    """They end when their session hangs up."""
    for pid in list(relays):
        try:
            ended = os.waitpid(pid, 0 if wait else os.WNOHANG)[0]
        except ChildProcessError:
            ended = pid     # the program's own os.wait() met it, or it is not our child: a fork's
        if ended:
            relays.remove(pid)
