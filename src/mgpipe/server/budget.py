"""What one session may take. Looked at beside the records, never on their way."""

import os
import time
from typing import NamedTuple

from mgpipe.server.apply_loop import ApplyThread

LOOK_EVERY_MS = 1000
LOOK_OFTEN_MS = 100         # at memory, of which a second can bring much
MIB = 1 << 20


class Limits(NamedTuple):
    """0: as much as it likes."""

    memory_mb: int = 0      # resident, the driver's included
    shadow_mb: int = 0      # the client's copies of buffers and textures
    objects: int = 0        # alive at one time, of all kinds
    idle_s: int = 0         # without a record
    verb_s: float = 0.0     # in one call of the driver


class Budget:
    """Whether a session stays within its limits. (Objects are counted where they are made, by the applier.)"""

    def __init__(self, limits: Limits, worker: ApplyThread, shadow: tuple[int, int] = (-1, 0)) -> None:
        """`shadow`: descriptor of the shadow segment, or -1, and the most that it was agreed to hold."""
        self.limits, self.worker, self.shadow = limits, worker, shadow
        self.applied, self.since = 0, time.monotonic()
        self.busy_with, self.busy_since = 0, 0.0

    def look_every_ms(self) -> int:
        every = LOOK_OFTEN_MS if self.limits.memory_mb else LOOK_EVERY_MS
        return min(every, max(10, int(self.limits.verb_s * 250))) if self.limits.verb_s else every

    def exceeded(self) -> tuple[str, str] | None:
        """Family and sentence of the fault."""
        return self.memory() or self._shadow() or self._verb() or self._idle()

    def memory(self) -> tuple[str, str] | None:
        if not self.limits.memory_mb or resident_bytes("self") // MIB <= self.limits.memory_mb:
            return None
        self.worker.give_back()     # what the driver has freed, and keeps for its next frame, does not count
        if (used_mb := resident_bytes("self") // MIB) > self.limits.memory_mb:
            return "MemoryLimit", f"the session holds {used_mb} MiB; {self.limits.memory_mb} are allowed"
        return None

    def _shadow(self) -> tuple[str, str] | None:
        """The client keeps the file's descriptor: it can make it larger than agreed, which nobody maps but the machine pays."""
        descriptor, most = self.shadow
        if descriptor >= 0 and (size := os.fstat(descriptor).st_size) > most:
            return "ShadowLimit", f"the client made its shadow segment {size // MIB} MiB large; {most // MIB} are allowed"
        return None

    def _verb(self) -> tuple[str, str] | None:
        if not self.limits.verb_s:
            return None
        now, ordinal = time.monotonic(), self.worker.busy_with
        if ordinal == 0 or ordinal != self.busy_with:
            self.busy_with, self.busy_since = ordinal, now
        elif now - self.busy_since > self.limits.verb_s:
            if self.worker.pushing:
                return "EventsNotDrained", f"the client has taken no event for {self.limits.verb_s:g} s"
            from mgpipe.catalogue.calls import CALLS

            name = CALLS[self.worker.operation - 1].name
            return "VerbTimeout", f"{name} has kept the driver busy for more than {self.limits.verb_s:g} s"
        return None

    def _idle(self) -> tuple[str, str] | None:
        if self.worker.applied != self.applied:
            self.applied, self.since = self.worker.applied, time.monotonic()
        elif self.limits.idle_s and time.monotonic() - self.since > self.limits.idle_s:
            return "IdleLimit", f"nothing came for {self.limits.idle_s} s"
        return None


def resident_bytes(pid: int | str) -> int:
    """0: it has ended."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
