"""`mgpipe top`: what every mgpipe session on this machine does, live, or once for scripts."""

import argparse
import json
import os
import sys
import time
from typing import Any

from mgpipe.tools import sessions
from mgpipe.tools.screen import draw

FIRST_S = 0.5       # until the first picture, however long the later ones take
SORTED_BY = {"frames": lambda one: one["per_second"]["frames"], "cpu": lambda one: cpu_percent(one)}


def main(asked: argparse.Namespace) -> int:
    before = sessions.take()
    live = not (asked.once or asked.json) and sys.stdout.isatty()
    if not asked.json and not wanted(sessions.compare(before, before), asked.pid):
        print(nothing(asked.pid))
        tell_unreadable(before)
        return 0
    if live:
        return watch(before, asked)
    time.sleep(asked.interval)
    after = sessions.take()
    seen = arranged(sessions.compare(before, after), asked.pid, asked.sort)
    if asked.json:
        json.dump({"interval_s": asked.interval, "sessions": seen,
                   "unreadable": [dict(zip(("pid", "name", "why"), one)) for one in after.unreadable]}, sys.stdout, indent=1)
        print()
    else:
        from rich.console import Console

        console = Console(highlight=False)
        console.print(draw(seen, after.unreadable, console.width, 0, asked.sort, nothing(asked.pid)), crop=False)
    return 0


def wanted(seen: list[dict[str, Any]], pid: int) -> list[dict[str, Any]]:
    """Those that the process has a side of; 0: all."""
    return [one for one in seen if not pid or pid in (one[side]["pid"] for side in ("client", "server") if one[side])]


def arranged(seen: list[dict[str, Any]], pid: int, sort: str) -> list[dict[str, Any]]:
    """The busiest first; those alike stay where they were."""
    return sorted(wanted(seen, pid), key=lambda one: (-(SORTED_BY[sort](one) or 0), one["age_s"] is None, -(one["age_s"] or 0)))


def cpu_percent(one: dict[str, Any]) -> float:
    """Of both sides, which may be one process."""
    of = {one[side]["pid"]: one[side]["cpu_percent"] or 0.0 for side in ("client", "server") if one[side]}
    return sum(of.values())


def nothing(pid: int) -> str:
    if pid:
        return f"Process {pid} has no mgpipe session."
    if os.geteuid() == 0:
        return "No mgpipe session is running on this machine."
    return "No mgpipe session of yours is running on this machine."


def tell_unreadable(seen: sessions.Snapshot) -> None:
    for pid, name, why in seen.unreadable:
        print(f"mgpipe top: could not look into process {pid} ({name}): {why}", file=sys.stderr)


# -- live

def watch(before: sessions.Snapshot, asked: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.live import Live

    console, sort = Console(highlight=False), asked.sort
    first = True
    with Keys() as keys, Live(console=console, screen=True, auto_refresh=False) as screen:
        try:
            while True:
                until = time.monotonic() + (min(FIRST_S, asked.interval) if first else asked.interval)
                while (left := until - time.monotonic()) > 0:
                    match keys.wait(left):
                        case "q" | "Q":
                            return 0
                        case "f" | "c" as key:
                            sort = {"f": "frames", "c": "cpu"}[key]
                            break       # the order changes at once
                        case "\x0c" | " ":
                            break
                after, first = sessions.take(), False
                seen = arranged(sessions.compare(before, after), asked.pid, sort)
                screen.update(draw(seen, after.unreadable, console.width, console.height, sort, nothing(asked.pid)), refresh=True)
                before = after
        except KeyboardInterrupt:
            return 0


class Keys:
    """Keys of the terminal, each at once; where there is none, only time passes."""

    def __enter__(self) -> "Keys":
        import termios
        import tty

        self.terminal = sys.stdin.fileno() if sys.stdin is not None and sys.stdin.isatty() else -1
        if self.terminal >= 0:
            self.before = termios.tcgetattr(self.terminal)
            tty.setcbreak(self.terminal)
        return self

    def __exit__(self, *_: object) -> None:
        import termios

        if self.terminal >= 0:
            termios.tcsetattr(self.terminal, termios.TCSADRAIN, self.before)

    def wait(self, seconds: float) -> str:
        """The key that came; empty: none did, for so long."""
        import select

        if self.terminal < 0:
            time.sleep(seconds)
        elif select.select([self.terminal], [], [], seconds)[0]:
            return os.read(self.terminal, 1).decode(errors="replace") or "q"       # the terminal is gone
        return ""
