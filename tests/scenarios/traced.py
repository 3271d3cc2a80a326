"""A program that is traced, and its trace as tests look at it."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

PROGRAM = '''\
import struct, sys, time
import moderngl

FRAMES = int(sys.argv[1])
ctx = moderngl.create_context(standalone=True, backend="egl")
program = ctx.program(
    vertex_shader="#version 330\\nin vec2 at; uniform vec2 by; void main() { gl_Position = vec4(at + by, 0, 1); }",
    fragment_shader="#version 330\\nout vec4 colour; void main() { colour = vec4(1, 0.5, 0, 1); }")
corners = ctx.buffer(struct.pack("6f", -1, -1, 1, -1, 0, 1))
triangle = ctx.vertex_array(program, [(corners, "2f", "at")])
target = ctx.simple_framebuffer((256, 256))
target.use()
for frame in range(FRAMES):
    target.clear(0, 0, 0, 1)
    for n in range(20):
        program["by"] = n / 20, frame / 100
        triangle.render()
    corners.write(struct.pack("6f", -1, -1, 1, -1, 0, 1))
    assert target.read()[:3] != b"xxx"      # line of the read
large = ctx.simple_framebuffer((4096, 4096), 4, dtype="f4")
large.clear(1, 0, 0, 1)                     # milliseconds, which the next line waits for
ctx.finish()                                # line of the finish
if len(sys.argv) > 2:                       # what was noted is in the file by the end of a frame, a quarter of a second later
    time.sleep(0.3)
    target.read()
print("drawn", flush=True)
if len(sys.argv) > 2:
    time.sleep(60)
'''

LINES = {name: number for number, line in enumerate(PROGRAM.splitlines(), 1)
         for name in ("read", "finish") if f"# line of the {name}" in line}


def command(folder: Path, trace: Path, options: dict[str, str], *arguments: object) -> list[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    flags = [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), value)]
    return [sys.executable, "-m", "mgpipe", "run", "--trace", str(trace), *flags, "--", sys.executable, str(program),
            *map(str, arguments)]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("MGPIPE_") or name == "MGPIPE_DRIVER_WITHOUT"}


def run(folder: Path, options: dict[str, str], frames: int = 3) -> "Trace":
    trace = folder / "trace.json"
    done = subprocess.run(command(folder, trace, options, frames), env=environment(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "drawn\n", done.stderr
    assert done.stderr == ""
    return Trace(strictly(trace.read_text()))


def strictly(text: str) -> list[dict]:
    """Python reads NaN and Infinity, viewers do not."""
    return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def torn(path: Path) -> "Trace":
    """Of a program that was killed: the array has no end, and the last line may be half there."""
    whole = path.read_text().rpartition(",\n")[0]
    return Trace(strictly(whole + "]"))


class Trace:
    def __init__(self, events: list[dict]) -> None:
        self.events = events
        self.tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.slices = defaultdict(list)     # by the name of the track
        for event in events:
            if event["ph"] == "X":
                self.slices[self.tracks[event["pid"], event["tid"]]].append(event)

    def of(self, category: str) -> list[dict]:
        return [event for event in self.events if event["ph"] == "X" and event["cat"] == category]

    def args(self, name: str) -> dict:
        return next(event["args"] for event in self.events if event["ph"] == "i" and event["name"] == name)

    def gpu(self) -> list[dict]:
        return [event for name, events in self.slices.items() if name.startswith("GPU") for event in events]
