"""What a server has done since it started, all sessions together: what is left of a session when it has ended."""

import os
import time
from collections import Counter

from mgpipe.catalogue.faults import FAULTS
from mgpipe.server import tally

FAMILIES = frozenset(name for name, _ in FAULTS)


class Ledger:
    def __init__(self) -> None:
        self.started = time.time()
        self.restarts = count_restarts()
        self.refused: Counter[str] = Counter()      # by code
        self.ended: Counter[str] = Counter()        # by stage; "killed": by a signal
        self.faults: Counter[str] = Counter()       # by family
        self.counted: Counter[str] = Counter()      # tally.COUNTERS, of sessions that ended

    def refuse(self, code: str) -> None:
        self.refused[code if code in REFUSALS else "other"] += 1

    def end(self, page: tally.Tally, killed: str) -> None:
        self.ended["killed" if killed else tally.STAGES[page.stage]] += 1
        self.counted.update(page.counted())
        if page.stage == tally.FAULTED:
            self.faults[known_family(page)] += 1


REFUSALS = ("authentication", "back_off", "chaos", "data_plane", "driver_failed", "full", "malformed", "no_driver", "silent",
            "version_skew")


def known_family(page: tally.Tally) -> str:
    """A session's process says what it likes; a metric has only names that we know."""
    code = page.text("code")
    return code if code in FAMILIES else "other"


def count_restarts() -> int:
    """Starts before this one that a service manager made without forgetting the service: systemd keeps its RUNTIME_DIRECTORY
    when the unit asks for it (RuntimeDirectoryPreserve=restart)."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if not folder:
        return 0
    path = os.path.join(folder, "starts")
    try:
        with open(path) as file:
            starts = int(file.read())
    except (OSError, ValueError):
        starts = 0
    try:
        with open(path, "w") as file:
            file.write(str(starts + 1))
    except OSError:
        pass        # not ours to write: then nobody counts
    return starts
