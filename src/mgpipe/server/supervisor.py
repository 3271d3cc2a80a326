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
from mgpipe.server import journal, tally
from mgpipe.server.ledger import Ledger
from mgpipe.server.session import Admission, Visit, serve_session

# A session sees its client's end itself and is gone within milliseconds; one that is frozen (SIGSTOP) cannot. The kernel
# continues it only where the process group is orphaned, which in a container it need not be.
GRACE_S = 2.0
PAUSE_MS = 50           # between two looks at a queue of strangers that is full
SCRAPES = 4             # processes that answer one scrape each, at one time


class Child:
    """A process for one connection."""

    def __init__(self, pid: int, peer: str, address: str, page: tally.Tally, device: int) -> None:
        self.pid = pid
        self.pidfd = os.pidfd_open(pid)
        self.peer = peer            # as the log names it
        self.address = address      # that back-off goes by; empty: none
        self.tally = page
        self.device = device        # of EGL; -1: the driver decides
        self.since = time.monotonic()
        self.client = -1            # pidfd of the client, where the kernel tells who it is
        self.doomed = 0.0           # when to end it: its client is gone

    @property
    def is_waiting(self) -> bool:
        """It has not said who it is."""
        return self.tally.stage == tally.GREETING


class Supervisor:
    """`client`: pidfd of the process whose end, with no session left, is ours; -1: serve until SIGTERM."""

    def __init__(self, listener: socket.socket, client: int, admission: Admission, max_sessions: int = 1 << 16,
                 reload: Callable[[], Admission] | None = None, log: journal.Journal | None = None,
                 metrics: socket.socket | None = None) -> None:
        self.listener = listener
        self.client = client
        self.admission = admission
        # As many as there may be sessions: a process takes one once it knows its client, and its end gives it back.
        self.seats = os.eventfd(max_sessions, os.EFD_CLOEXEC | os.EFD_NONBLOCK | os.EFD_SEMAPHORE)
        self.read_again = reload
        self.log = log or journal.Journal("mgpipe", least=journal.ERROR)   # a client is told of its own refusals and faults
        self.metrics = metrics
        self.ledger = Ledger()
        self.children: dict[int, Child] = {}    # by pidfd
        self.scrapes: dict[int, int] = {}       # pidfd → pid
        self.back_off = None
        if client < 0:
            from mgpipe.server.doorman import BackOff

            self.back_off = BackOff()
        self.client_alive = True
        self.draining = False
        self.paused = False     # too many strangers wait: the next ones stay in the kernel's queue
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
        if self.metrics is not None:
            self.poll.register(self.metrics, select.POLLIN)
        if self.client >= 0:
            self.poll.register(self.client, select.POLLIN)
        ready()
        while (self.client_alive and not self.draining) or self.children:
            for descriptor, _events in self.poll.poll(self._patience_ms()):
                self._attend(descriptor)
            if self.paused:
                self.paused = False
                if not self.draining:
                    self.poll.register(self.listener, select.POLLIN)
            for child in self.children.values():
                if child.doomed and time.monotonic() >= child.doomed:
                    signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
        return 0

    def _patience_ms(self) -> int | None:
        if self.paused:
            return PAUSE_MS
        return int(GRACE_S * 500) if any(child.doomed for child in self.children.values()) else None

    def _attend(self, descriptor: int) -> None:
        if descriptor == self.woken:
            self.poll.unregister(self.woken)
            os.close(self.woken)
            self.woken = -1
        elif descriptor == self.listener.fileno():
            self._accept()
        elif self.metrics is not None and descriptor == self.metrics.fileno():
            self._answer_scrape()
        elif descriptor == self.client:
            self.client_alive = False
            self.poll.unregister(self.client)
        elif descriptor in self.children:
            self._reap(self.children.pop(descriptor))
        elif descriptor in self.scrapes:
            self._reap_scrape(descriptor)
        else:
            for child in self.children.values():
                if child.client == descriptor:
                    self._forget_client(child)
                    child.doomed = time.monotonic() + GRACE_S

    # -- connections

    def _accept(self) -> None:
        if self.back_off is not None and not self._has_room():
            return
        try:
            stream, address = self.listener.accept()
        except OSError as error:  # out of descriptors, or a client that gave up: the sessions there are go on
            self._complain(f"could not take a connection: {error.strerror}")
            time.sleep(0.1)
            return
        peer, owner, pid = identify(stream, address)
        if self._turns_away(stream, peer, owner):
            return
        endpoints.prepare(stream, self.admission.peer_timeout_s)
        self._start(stream, peer, owner, pid)

    def _turns_away(self, stream: socket.socket, peer: str, owner: str) -> bool:
        """An address that failed too often is hung up on, before a process is spent on it. Only where there is a token to be
        guessed: a server for this machine has one address for all its users."""
        if not self.admission.token or not owner or not (wait_s := self.back_off.wait_s(owner)):
            return False
        self.ledger.refused["back_off"] += 1
        self.log.tell(journal.DEBUG, "refused", f"{peer} refused (back_off): not listened to for another {wait_s:.0f} s", peer=peer)
        with stream:
            return True

    def _has_room(self) -> bool:
        """For a connection that has not said who it is; one that has kept us waiting for long makes some."""
        from mgpipe.server.doorman import overdue

        full, slowest = overdue(((c.since, c.pid) for c in self.children.values() if c.is_waiting), time.monotonic())
        if slowest is not None:
            os.kill(slowest, signal.SIGKILL)
        elif full:
            self.paused = True
            self.poll.unregister(self.listener)
            return False
        return True

    def _start(self, stream: socket.socket, peer: str, owner: str, client: int) -> None:
        from mgpipe.server.devices import least_loaded

        page = tally.Tally()
        device = least_loaded(self.admission.devices, (c.device for c in self.children.values() if c.tally.stage != tally.JOINING))
        number = device.number if device is not None else -1
        try:
            pid = os.fork()
        except OSError as error:
            stream.close()
            page.close()
            self._complain(f"could not start a session: {error.strerror}")
            return
        if pid:
            page.hide()
            # (a connection that only brings a stream to its session is a short-lived one of these, too)
            child = Child(pid, peer, owner, page, number)
            self.children[child.pidfd] = child
            self.poll.register(child.pidfd, select.POLLIN)
            self._watch_client(child, client)
            stream.close()
            return
        status = 70
        try:
            self._become_a_child()
            for child in self.children.values():
                child.tally.close()
            if number >= 0:
                os.environ["MGPIPE_DEVICE"] = str(number)
            serve_session(stream, Visit(self.admission, page, self.log, peer, str(device) if device is not None else "", self.seats))
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)  # the supervisor's frames below this one belong to the parent

    def _become_a_child(self) -> None:
        self.listener.close()
        if self.metrics is not None:
            self.metrics.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a server's terminal is for the supervisor
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for descriptor in (self.client, *self.children, *self.scrapes, *(c.client for c in self.children.values())):
            if descriptor >= 0:
                os.close(descriptor)

    def _watch_client(self, child: Child, pid: int) -> None:
        if pid == 0:
            return  # elsewhere, or in a process namespace that is not seen from here: its hang-up is its death
        try:
            child.client = os.pidfd_open(pid)
        except OSError:  # gone already
            child.doomed = time.monotonic() + GRACE_S
            return
        self.poll.register(child.client, select.POLLIN)

    def _forget_client(self, child: Child) -> None:
        self.poll.unregister(child.client)
        os.close(child.client)
        child.client = -1

    def _reap(self, child: Child) -> None:
        self.poll.unregister(child.pidfd)
        os.close(child.pidfd)
        if child.client >= 0:
            self._forget_client(child)
        _, status = os.waitpid(child.pid, 0)
        killed = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) and not child.doomed else ""
        self._note_end(child, killed, os.waitstatus_to_exitcode(status))
        if child.tally.seated:
            os.eventfd_write(self.seats, 1)
        child.tally.close()

    def _note_end(self, child: Child, killed: str, status: int) -> None:
        """What became of it: counted, told, and held against its address."""
        stage, code, detail = child.tally.stage, child.tally.text("code"), child.tally.text("detail")
        if stage == tally.JOINING:
            return
        if stage == tally.GREETING or stage == tally.REFUSED:
            code = code or "silent"
            self.ledger.refuse(code)
            if self.back_off is not None and child.address and (code in ("authentication", "malformed") or code == "silent" and killed):
                self.back_off.failed(child.address)
            level = journal.DEBUG if code == "silent" else journal.WARNING
            self.log.tell(level, "refused", f"{child.peer} refused ({code}): {detail or 'it never said who it is'}",
                          peer=child.peer, code=code)
            return
        if self.back_off is not None and child.address:
            self.back_off.succeeded(child.address)
        why = f"its process ended by {killed}" if killed else f"{code}: {detail}" if stage == tally.FAULTED else (
            "its client left" if stage == tally.LEFT else f"its process ended with status {status}" if status > 0
            else "its client is gone")
        self.ledger.end(child.tally, killed)
        counted, lasted_s = child.tally.counted(), time.monotonic() - child.since
        self.log.tell(
            journal.ERROR if killed else journal.WARNING if stage == tally.FAULTED else journal.INFO, "session_ended",
            f"ended after {lasted_s:.1f} s: {why} ({counted['frames']} frames, {counted['draws']} draws, {counted['records']} records)",
            child.pid, peer=child.peer, why="killed" if killed else tally.STAGES[stage], fault=code if stage == tally.FAULTED else "",
            lasted_s=round(lasted_s, 3), driver=child.tally.text("driver"), data=child.tally.text("link"), **counted)

    # -- scrapes

    def _answer_scrape(self) -> None:
        """By a process of its own, so that a slow reader keeps nobody waiting."""
        stream, address = self.metrics.accept()
        with stream:
            if len(self.scrapes) >= SCRAPES or (pid := os.fork()) > 0:
                if len(self.scrapes) < SCRAPES:
                    pidfd = os.pidfd_open(pid)
                    self.scrapes[pidfd] = pid
                    self.poll.register(pidfd, select.POLLIN)
                return
            try:
                from mgpipe.server import metrics

                self._become_a_child()
                os.close(self.seats)
                metrics.answer(stream, address, self.ledger, [(c.tally, c.pid, c.device) for c in self.children.values()])
            finally:
                os._exit(0)

    def _reap_scrape(self, pidfd: int) -> None:
        self.poll.unregister(pidfd)
        os.close(pidfd)
        os.waitpid(self.scrapes.pop(pidfd), 0)

    # -- signals

    def _stop(self, *_: object) -> None:
        for pidfd in self.children:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)  # they have nothing to save, and may be frozen
        os._exit(0)  # poll() would be resumed after this handler

    def _reload(self) -> None:
        """SIGHUP: the token and certificate are read again; sessions there go on. What cannot be read leaves the old ones."""
        try:
            if self.read_again is not None:
                self.admission = self.read_again()
                self.log.tell(journal.INFO, "reloaded", "read the token and certificate again")
        except ValueError as error:
            self._complain(f"kept the old token and certificate: {error}")

    def _drain(self, *_: object) -> None:
        """No new sessions; those there go on to their end. Asked again: they end now."""
        if self.draining:
            self._stop()
        self.draining = True
        if not self.paused:
            self.poll.unregister(self.listener)
        self.listener.close()
        left = sum(child.tally.stage != tally.JOINING for child in self.children.values())
        self.log.tell(journal.INFO, "draining", f"no new sessions from here on; waiting for {left} to end (SIGTERM again ends them now)")
        # The poll() that this interrupted is resumed, so something must wake it: there may be no session to wait for.
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.close(writing)
        self.woken = reading
        self.poll.register(reading, select.POLLHUP)

    def _complain(self, sentence: str) -> None:
        self.log.tell(journal.ERROR, "trouble", sentence)


def identify(stream: socket.socket, address: object) -> tuple[str, str, int]:
    """A peer as the log names it, the address that back-off goes by, and its pid; empty, 0: not known, or of no use."""
    if stream.family != socket.AF_UNIX:
        host, port = address[:2]
        return f"{f'[{host}]' if ':' in host else host}:{port}", host, 0
    pid, user, _ = struct.unpack("3i", stream.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return f"process {pid} of user {user}", "", pid
