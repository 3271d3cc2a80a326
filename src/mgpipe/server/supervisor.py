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
from collections.abc import Callable

from mgpipe.control import endpoints
from mgpipe.server.session import Admission, serve_session

# A session sees its client's end itself and is gone within milliseconds; one that is frozen (SIGSTOP) cannot. The kernel
# continues it only where the process group is orphaned, which in a container it need not be.
GRACE_S = 2.0


class Supervisor:
    """`client`: pidfd of the process whose end, with no session left, is ours; -1: serve until SIGTERM."""

    def __init__(self, listener: socket.socket, client: int, admission: Admission, max_sessions: int = 1 << 16,
                 reload: Callable[[], Admission] | None = None) -> None:
        self.listener = listener
        self.client = client
        self.admission = admission
        self.max_sessions = max_sessions
        self.read_again = reload
        self.sessions: dict[int, int] = {}  # pidfd → pid
        self.clients: dict[int, int] = {}  # pidfd of a session's client → pidfd of the session
        self.doomed: dict[int, float] = {}  # pidfd of a session whose client is gone → when to end it
        self.client_alive = True
        self.draining = False
        self.woken = -1  # wakes poll() once, when draining begins

    def serve(self, ready: Callable[[], None] = lambda: None) -> int:
        """Until it is told to end. `ready` is called once signals and connections are looked after."""
        self.poll = select.poll()
        if self.client >= 0:
            signal.signal(signal.SIGTERM, self._stop)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the program; its end is ours
        else:
            signal.signal(signal.SIGTERM, self._drain)
            signal.signal(signal.SIGHUP, lambda *_: self._reload())
            signal.signal(signal.SIGINT, self._stop)
        self.poll.register(self.listener, select.POLLIN)
        if self.client >= 0:
            self.poll.register(self.client, select.POLLIN)
        ready()
        while (self.client_alive and not self.draining) or self.sessions:
            for descriptor, _events in self.poll.poll(GRACE_S * 500 if self.doomed else None):
                if descriptor == self.woken:
                    self.poll.unregister(self.woken)
                    os.close(self.woken)
                    self.woken = -1
                elif descriptor == self.listener.fileno():
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

    def _reload(self) -> None:
        """SIGHUP: the token and certificate are read again; sessions there go on. What cannot be read leaves the old ones."""
        try:
            if self.read_again is not None:
                self.admission = self.read_again()
                self._complain("read the token and certificate again")
        except ValueError as error:
            self._complain(f"kept the old token and certificate: {error}")

    def _drain(self, *_: object) -> None:
        """No new sessions; those there go on to their end. Asked again: they end now."""
        if self.draining:
            self._stop()
        self.draining = True
        self.poll.unregister(self.listener)
        self.listener.close()
        self._complain(f"no new sessions from here on; waiting for {len(self.sessions)} to end (SIGTERM again ends them now)")
        # The poll() that this interrupted is resumed, so something must wake it: there may be no session to wait for.
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.close(writing)
        self.woken = reading
        self.poll.register(reading, select.POLLHUP)

    def _accept(self) -> None:
        try:
            stream, _ = self.listener.accept()
        except OSError as error:  # out of descriptors, or a client that gave up: the sessions there are go on
            self._complain(f"could not take a connection: {error.strerror}")
            time.sleep(0.1)
            return
        endpoints.prepare(stream)
        try:
            pid = os.fork()
        except OSError as error:
            stream.close()
            self._complain(f"could not start a session: {error.strerror}")
            return
        if pid:
            # (a connection that only brings a stream to its session is a short-lived one of these, too)
            pidfd = os.pidfd_open(pid)
            self.sessions[pidfd] = pid
            self.poll.register(pidfd, select.POLLIN)
            self._watch_client(stream, pidfd)
            stream.close()
            return
        status = 70
        try:
            self.listener.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a server's terminal is for the supervisor
            for pidfd in (self.client, *self.sessions, *self.clients):
                if pidfd >= 0:
                    os.close(pidfd)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            serve_session(stream, self.admission, full=len(self.sessions) >= self.max_sessions)
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)  # the supervisor's frames below this one belong to the parent

    def _watch_client(self, stream: socket.socket, session: int) -> None:
        if stream.family != socket.AF_UNIX:
            return  # elsewhere: its hang-up is its death
        pid, _, _ = struct.unpack("3i", stream.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        if pid == 0:
            return  # in a process namespace that is not seen from here
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
