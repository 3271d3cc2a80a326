"""Work for a few threads that is awaited only when its result is asked for. glslang runs without the GIL.

Whoever asks for a result that no thread has begun computes it: a lone shader that is asked about at once, as most programs
do, costs no switch of threads. No thread is inside a job while the process forks, and at exit a job that runs is awaited;
those that nobody has begun are dropped.
"""

import atexit
import os
import queue
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


class Pool:
    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._state = threading.Condition()
        self._running = 0
        self._held = False      # a fork is under way
        self._ended = False

    def submit(self, work: Callable[[], Any]) -> Job:
        job = Job(work)
        if not self._ended:
            if len(self._threads) < THREADS:
                thread = threading.Thread(target=self._serve, name="mgpipe shaders", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._jobs.put(job)
        return job              # of a pool that ended: whoever asks computes it

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            with self._state:
                while self._held:
                    self._state.wait()
                if self._ended:
                    return
                self._running += 1
            job.run()
            with self._state:
                self._running -= 1
                self._state.notify_all()

    def hold(self) -> None:
        """No job begins, and none runs when this returns, until `release`."""
        with self._state:
            self._held = True
            while self._running:
                self._state.wait()

    def release(self) -> None:
        with self._state:
            self._held = False
            self._state.notify_all()

    def end(self) -> None:
        """Drop what nobody has begun, await what runs."""
        with self._state:
            self._ended = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()


_pool = Pool()


def submit(work: Callable[[], Any]) -> Job:
    return _pool.submit(work)


def _in_child() -> None:
    global _pool
    _pool = Pool()              # the threads stayed behind


os.register_at_fork(before=lambda: _pool.hold(), after_in_parent=lambda: _pool.release(), after_in_child=_in_child)
atexit.register(lambda: _pool.end())
