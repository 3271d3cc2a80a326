"""The file of a trace, and what stands in it beside the slices: who was traced, how well the clocks agree, what is missing.

JSON of Chrome's trace event format, the array form, whose end may be missing: each event is one line.
"""

import errno
import fcntl
import json
import logging
import os
import stat
from typing import Any

from mgpipe.client.errors import TraceFailed

log = logging.getLogger("mgpipe")

PROGRAM, SERVER = 1, 2      # as in trace_events.pyx: processes of the file …
FRAMES, APPLY, GPU = 1, 2, 3    # … and tracks
MOST = 100                  # files of one name: sessions of one program, and programs at one time

_taken: set[str] = set()    # by this process


def take(path: str) -> tuple[str, int]:
    """Open the file, or the next of its name (trace.json, trace-2.json …) while one is another session's. TraceFailed."""
    stem, extension = os.path.splitext(path)
    for number in range(1, MOST + 1):
        name = path if number == 1 else f"{stem}-{number}{extension}"
        if os.path.realpath(name) in _taken:
            continue
        try:
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise TraceFailed(name, error.strerror or str(error)) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return name, descriptor
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                os.close(descriptor)
                continue
        os.ftruncate(descriptor, 0)
        _taken.add(os.path.realpath(name))
        return name, descriptor
    raise TraceFailed(path, f"{MOST} traces of that name are being written")


def check(path: str) -> None:
    """TraceFailed, before a server is started for nothing. A file that was not there is there then, empty."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666))
    except OSError as error:
        raise TraceFailed(path, error.strerror or str(error)) from None


def head(*, program: int, server: int, topology: str, link: str, driver: str, renderer: str, clock_offset_ns: int,
         clock_uncertainty_ns: int, times_gpu: bool, gpu_uncertainty_ns: int) -> bytes:
    """The beginning: names of the tracks, and an event that says what was traced."""
    gpu = f"GPU ({renderer})" if times_gpu else "GPU (no times: this driver has no timestamp queries)"
    where = f"server (pid {server})" if server else f"driver, in the program's process ({topology})"
    events = [
        named("process_name", PROGRAM, 0, f"program (pid {program})"), named("process_name", SERVER, 0, where),
        named("thread_name", PROGRAM, FRAMES, "frames"), named("thread_name", SERVER, APPLY, "apply"),
        named("thread_name", SERVER, GPU, gpu),
        instant("session", {
            "topology": topology, "link": link, "driver": driver, "renderer": renderer,
            "server clock ahead by (us)": clock_offset_ns / 1000, "uncertain by (us)": clock_uncertainty_ns / 1000,
            "clock": "one machine's" if not clock_uncertainty_ns else "compared by round trips",
            "GPU times": f"uncertain by {gpu_uncertainty_ns / 1000:g} us" if times_gpu else "none: this driver has no timestamp queries"}),
    ]
    return b"[\n" + b"".join(json.dumps(event).encode() + b",\n" for event in events)


def tail(*, dropped: int, dropped_by_server: int, refused: int, loss: str, whole: bool, clock_offset_ns: int,
         clock_uncertainty_ns: int) -> bytes:
    ends = instant("trace ends", {
        "dropped by the program": dropped, "dropped by the server": dropped_by_server, "refused of the server's": refused,
        "server clock ahead by (us)": clock_offset_ns / 1000, "uncertain by (us)": clock_uncertainty_ns / 1000,
        "missing": "" if whole else loss or "the server's last slices did not come"})
    return json.dumps(ends).encode() + b"\n]\n"


def told(path: str, summary: dict[str, Any]) -> None:
    if summary["errno"]:
        log.error("the trace %s is not whole: %s", path, os.strerror(summary["errno"]))
    elif summary["dropped"]:
        log.warning("the trace %s lacks %d events that found no room", path, summary["dropped"])
    else:
        log.info("the trace is in %s", path)


def named(what: str, process: int, track: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "pid": process, "tid": track, "ts": 0, "name": what, "args": {"name": name}}


def instant(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Where the session's frames are, at its beginning: an event for the whole file has no time that matters."""
    return {"ph": "i", "s": "g", "pid": PROGRAM, "tid": FRAMES, "ts": 0, "name": name, "cat": "mgpipe", "args": arguments}
