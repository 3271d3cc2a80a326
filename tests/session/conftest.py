"""Sessions over the null back end, and proof after each test that nothing of them is left."""

import os
import signal
import time
from pathlib import Path

import pytest

from mgpipe.client import connect

PROMPTLY_S = 4.0    # milliseconds, on a machine that does nothing else; what hangs takes longer than this


def children() -> set[int]:
    """Every living descendant of this process."""
    found: set[int] = set()
    todo = [os.getpid()]
    while todo:
        for task in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
            try:
                pids = {int(pid) for pid in task.read_text().split()} - found
            except OSError:
                continue
            found |= pids
            todo += pids
    return found


def descriptors(pid: int | str = "self") -> list[str]:
    """What each open descriptor of a process leads to."""
    folder = Path(f"/proc/{pid}/fd")
    targets = []
    for entry in folder.iterdir():
        try:
            targets.append(os.readlink(entry))
        except OSError:
            pass
    return sorted(targets)


def memory_files() -> list[str]:
    """Memfds of sessions, in this process or one of its descendants."""
    found = []
    for pid in {os.getpid(), *children()}:
        try:
            found += [f"{pid}: {target}" for target in descriptors(pid) if "memfd:mgpipe" in target]
        except OSError:
            pass
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def freeze(pid: int) -> None:
    """SIGSTOP, and wait until it has stopped."""
    os.kill(pid, signal.SIGSTOP)
    assert eventually(lambda: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")


def eventually(condition, within_s: float = PROMPTLY_S) -> bool:
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@pytest.fixture
def nothing_left():
    """Asserts that a test leaves no process, descriptor, mapping or shared memory behind."""
    connect.close_all()
    before = children(), descriptors(), mappings()
    yield
    connect.close_all()
    assert eventually(lambda: children() == before[0]), f"processes left: {children() - before[0]}"
    assert descriptors() == before[1]
    assert mappings() == before[2]
    assert eventually(lambda: not memory_files()), memory_files()


def mappings() -> list[str]:
    return [line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "mgpipe-" in line]


@pytest.fixture
def session(nothing_left):
    """Opens sessions over the null back end: `session("spawn")`."""
    return lambda topology="spawn", **options: connect.connect(topology=topology, driver="null", **options)
