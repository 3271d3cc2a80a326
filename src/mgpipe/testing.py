"""What tests may do to mgpipe, the project's own and those of its users. docs/testing.md shows it at work."""

import itertools
import os
import time
from collections import Counter

_runs = itertools.count(1)


class Chaos(dict[str, str]):
    """Options of `mgpipe.context()`; in a `with`, what sessions opened within it ask for, also in programs started there."""

    def __enter__(self) -> "Chaos":
        self._before = os.environ.get("MGPIPE_CHAOS")
        os.environ["MGPIPE_CHAOS"] = self["chaos"]
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is None:
            del os.environ["MGPIPE_CHAOS"]
        else:
            os.environ["MGPIPE_CHAOS"] = self._before


def chaos(*, fail: "int | tuple[int, str] | None" = None, delay: "tuple[int, int] | None" = None, freeze: "int | None" = None,
          drop: "int | None" = None, kill: "int | None" = None, corrupt: "int | None" = None, refuse: "str | None" = None,
          silent: bool = False) -> Chaos:
    """Failures of the server, for the sessions of a test: `mgpipe.context(**chaos(kill=200))`, or `with chaos(kill=200): …`.

    Numbers are records of the session, counted from 1; `context.stats()["records"]` tells how many a program has sent.
    `fail`: at that record the driver fails, `(record, family)` names another fault than DriverError. `delay`: `(record,
    milliseconds)`. `freeze`, `drop`, `kill`: the session's process is stopped, hangs up, or ends. `corrupt`: a seed; one
    bit in about a thousand records is flipped. `refuse`: a code, with which no session is opened. `silent`: the server
    never answers.

    Spawned servers do it; others only when they were started with `mgpipe serve --chaos`. Each call asks for a session of
    its own. `mgpipe.catalogue.chaos.InvalidChaos`: there is no such failure.
    """
    from mgpipe.catalogue.chaos import compose

    return Chaos(chaos=compose({"fail": fail, "delay": delay, "freeze": freeze, "drop": drop, "kill": kill, "corrupt": corrupt,
                                "refuse": refuse, "silent": silent, "run": next(_runs)}))


def drop_mirror() -> None:
    """Forget what the server holds for the session of the current context.

    The next verb deletes what the client owns there and makes it anew; contents that only the GPU has keep their place.
    A picture drawn around such a moment must not change.
    """
    from mgpipe.front import _gl

    _gl.drop_mirror()


def track_pages(on: bool) -> None:
    """Whether persistent mappings made from now on ask the kernel which pages were written, or compare their bytes."""
    from mgpipe.links import written

    written.allow(on)


def pin_memory(on: bool) -> None:
    """Whether buffers made from now on may be memory that this process and the driver share, or are copied as if no driver could."""
    from mgpipe.front import _gl

    _gl.pin_memory(on)


def living() -> dict[str, int]:
    """What is alive in this process's sessions, by name; what is not there is left out.

    Contexts and their objects, handles on both sides, names of the drivers', bytes of shadow and staging; descriptors of this
    process and of the servers on this machine that it talks to, child processes. Two answers are equal if nothing between
    them leaked. One round trip a session.
    """
    from mgpipe.client import connect
    from mgpipe.front import egl
    from mgpipe.links import written

    counts: Counter[str] = Counter()
    for handle in connect.sessions():
        counts["sessions"] += 1
        counts.update(egl.living(handle))
        counts.update(handle.living())
        if handle.server_pid:
            counts["descriptors of servers"] += descriptors(handle.server_pid)
    counts["descriptors"] = descriptors("self") - written.kept_descriptors()
    counts["child processes"] = children()
    return {name: count for name, count in counts.items() if count}


def changed(before: dict[str, int], patience_s: float = 2.0) -> dict[str, tuple[int, int]]:
    """What is alive now that was not, or the other way round, after `before` was taken: name → (then, now). Empty: nothing leaked.

    Asked again for `patience_s` while something differs: a driver's own threads hold files open for moments, writing the
    shaders that they have compiled.
    """
    deadline = time.monotonic() + patience_s
    while True:
        now = living()
        different = {name: (before.get(name, 0), now.get(name, 0)) for name in sorted(before | now)
                     if before.get(name, 0) != now.get(name, 0)}
        if not different or time.monotonic() > deadline:
            return different
        time.sleep(0.05)


def descriptors(process: int | str) -> int:
    """0: it is on another machine, or another user's."""
    try:
        return len(os.listdir(f"/proc/{process}/fd"))
    except OSError:
        return 0


def children() -> int:
    count = 0
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            count += len(file.read().split())
    return count


def limit_replies(size_bytes: int) -> None:
    """At most so many bytes in an answer for the session of the current context, until 0 lifts the limit. Larger reads come
    in parts. What a program reads must not change."""
    from mgpipe.front import _gl

    _gl.limit_replies(size_bytes)
