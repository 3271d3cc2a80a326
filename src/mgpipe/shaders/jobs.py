"""Work for a few threads that is awaited only when its result is asked for. glslang runs without the GIL.

Whoever asks for a result that no thread has begun computes it: a lone shader that is asked about at once, as most programs
do, costs no switch of threads. No thread is inside a job while the process forks, and at exit a job that runs is awaited;
those that nobody has begun are dropped.
"""

import atexit
import collections
import os
import threading
from collections.abc import Callable
from typing import Any

THREADS = min(4, os.cpu_count() or 1)


class Job:
    __slots__ = ("work", "_claim", "_done", "_value", "_error")

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work: Callable[[], Any] | None = work
        self._claim = threading.Lock()
        self._done = threading.Event()
        self._value: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Once, by whoever comes first."""
        if not self._claim.acquire(blocking=False):
            return
        try:
            assert self.work is not None
            self._value = self.work()
        except BaseException as error:  # noqa: BLE001: whoever asks for the result gets it
            self._error = error
        self.work = None
        self._done.set()

    def result(self) -> Any:
        self.run()
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._value


def done(value: Any) -> Job:
    """One that never had to run."""
    job = Job(lambda: value)
    job.run()
    return job


class Pool:
    """Threads that end while the process forks, so that it forks with one thread where the program has no others: from
    Python 3.12 on os.fork() warns of more."""

    def __init__(self) -> None:
        self._jobs: collections.deque[Job] = collections.deque()
        self._threads: list[threading.Thread] = []
        self._state = threading.Condition()
        self._held = False      # a fork is under way
        self._ended = False

    def submit(self, work: Callable[[], Any]) -> Job:
        job = Job(work)
        with self._state:
            if not self._ended:     # of a pool that ended: whoever asks computes it
                self._jobs.append(job)
                self._start(len(self._threads) + 1)
                self._state.notify()
        return job

    def _start(self, threads: int) -> None:
        while not self._held and len(self._threads) < min(threads, THREADS):
            thread = threading.Thread(target=self._serve, name="mgpipe shaders", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self) -> None:
        while True:
            with self._state:
                while not (self._jobs or self._held or self._ended):
                    self._state.wait()
                if self._held or self._ended:
                    return
                job = self._jobs.popleft()
            job.run()

    def _join(self) -> None:
        with self._state:
            self._state.notify_all()
            threads, self._threads = self._threads, []
        for thread in threads:
            thread.join()

    def hold(self) -> None:
        """No job begins, and no thread is left when this returns, until `release`."""
        with self._state:
            self._held = True
        self._join()

    def release(self) -> None:
        with self._state:
            self._held = False
            self._start(len(self._jobs))

    def end(self) -> None:
        """Drop what nobody has begun, await what runs."""
        with self._state:
            self._ended = True
        self._join()


_pool = Pool()


def submit(work: Callable[[], Any]) -> Job:
    return _pool.submit(work)


def _in_child() -> None:
    global _pool
    _pool = Pool()              # the threads stayed behind


os.register_at_fork(before=lambda: _pool.hold(), after_in_parent=lambda: _pool.release(), after_in_child=_in_child)
atexit.register(lambda: _pool.end())
