"""A server's log: one line an event on standard error, for people, or with `--log json` for programs."""

import os
import select
import time
from typing import Any

LEVELS = {10: "debug", 20: "info", 30: "warning", 40: "error"}
DEBUG, INFO, WARNING, ERROR = LEVELS
STYLES = ("plain", "json")
LINE_BYTES = 4000       # less than PIPE_BUF: lines of several processes do not mix


class Journal:
    """`least`: the least severe level written."""

    def __init__(self, prefix: str, style: str = "plain", least: int = INFO) -> None:
        self.prefix, self.style, self.least = prefix, style, least
        self.writable = select.poll()
        self.writable.register(2, select.POLLOUT)

    def tell(self, level: int, event: str, sentence: str, session: int = 0, **fields: Any) -> None:
        """`event` names the kind of line; `session` is the pid of the process that serves it."""
        if level < self.least:
            return
        if self.style == "json":
            line = as_json(level, event, sentence, session, fields)
        else:
            line = f"{self.prefix}: {f'session {session} ' if session else ''}{sentence}"
        # A reader that has gone to sleep must not stop the server: what it has no room for is dropped.
        if self.writable.poll(0):
            os.write(2, line.encode(errors="replace")[:LINE_BYTES].rstrip(b"\n") + b"\n")


def as_json(level: int, event: str, sentence: str, session: int, fields: dict[str, Any]) -> str:
    import json

    now = time.time()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03}Z"
    return json.dumps({"time": stamp, "level": LEVELS[level], "event": event, "session": session or None, "sentence": sentence,
                       "fields": fields}, ensure_ascii=False)
