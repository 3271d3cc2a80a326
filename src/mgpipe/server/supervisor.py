"""Accepts clients and gives each a process of its own, forked before any thread or driver exists here.

A driver that crashes takes one session with it. The supervisor of a spawned server ends when the process that started
it has ended and no session is left; children which that process forked may dial it too.
"""

import os
import select
import signal
import socket
import struct
import sys
import time

from mgpipe.server.session import serve_session

# A session sees its client's end itself and is gone within milliseconds; one that is frozen (SIGSTOP) cannot. The kernel
# continues it only where the process group is orphaned, which in a container it need not be.
GRACE_S = 2.0


class Supervisor:
    def __init__(self, listen_fd: int, client_pidfd: int, nonce: bytes) -> None:
        self.listener = socket.socket(fileno=listen_fd)
        self.client = client_pidfd
        self.nonce = nonce
        self.sessions: dict[int, int] = {}  # pidfd → pid
        self.clients: dict[int, int] = {}  # pidfd of a session's client → pidfd of the session
        self.doomed: dict[int, float] = {}  # pidfd of a session whose client is gone → when to end it
        self.client_alive = True

    def serve(self) -> int:
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the program; its end is ours
        self.poll = select.poll()
        self.poll.register(self.listener, select.POLLIN)
        self.poll.register(self.client, select.POLLIN)
        while self.client_alive or self.sessions:
            for descriptor, _events in self.poll.poll(GRACE_S * 500 if self.doomed else None):
                if descriptor == self.listener.fileno():
                    self._accept()
                elif descriptor in self.clients:
                    self.doomed[self._forget_client(descriptor)] = time.monotonic() + GRACE_S
                elif descriptor == self.client:
                    self.client_alive = False
                    self.poll.unregister(self.client)
                else:
                    self._reap(descriptor)
            for session, deadline in self.doomed.items():
                if time.monotonic() >= deadline:
                    signal.pidfd_send_signal(session, signal.SIGKILL)
        return 0

    def _forget_client(self, client: int) -> int:
        """The session it was the client of."""
        self.poll.unregister(client)
        os.close(client)
        return self.clients.pop(client)

    def _stop(self, *_: object) -> None:
        for pidfd in self.sessions:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)  # they have nothing to save, and may be frozen
        os._exit(0)  # poll() would be resumed after this handler

    def _accept(self) -> None:
        try:
            stream, _ = self.listener.accept()
        except OSError as error:  # out of descriptors, or a client that gave up: the sessions there are go on
            self._complain(f"could not take a connection: {error.strerror}")
            time.sleep(0.1)
            return
        try:
            pid = os.fork()
        except OSError as error:
            stream.close()
            self._complain(f"could not start a session: {error.strerror}")
            return
        if pid:
            pidfd = os.pidfd_open(pid)
            self.sessions[pidfd] = pid
            self.poll.register(pidfd, select.POLLIN)
            self._watch_client(stream, pidfd)
            stream.close()
            return
        status = 70
        try:
            self.listener.close()
            for pidfd in (self.client, *self.sessions, *self.clients):
                os.close(pidfd)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            serve_session(stream, self.nonce)
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)  # the supervisor's frames below this one belong to the parent

    def _watch_client(self, stream: socket.socket, session: int) -> None:
        pid, _, _ = struct.unpack("3i", stream.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        try:
            client = os.pidfd_open(pid)
        except OSError:  # gone already
            self.doomed[session] = time.monotonic() + GRACE_S
            return
        self.clients[client] = session
        self.poll.register(client, select.POLLIN)

    def _reap(self, pidfd: int) -> None:
        pid = self.sessions.pop(pidfd)
        self.poll.unregister(pidfd)
        os.close(pidfd)
        for client in [client for client, session in self.clients.items() if session == pidfd]:
            self._forget_client(client)
        expected = self.doomed.pop(pidfd, None) is not None
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status) and not expected:
            name = signal.Signals(os.WTERMSIG(status)).name
            self._complain(f"the process of a session (pid {pid}) ended by {name}")

    def _complain(self, sentence: str) -> None:
        os.write(2, f"mgpipe: {sentence}\n".encode())
