"""`mgpipe doctor`: what works here and what it costs, in words; or, of a server elsewhere, whether programs here can draw on it."""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from mgpipe.catalogue import options as option_table
from mgpipe.tools.cli import chosen_environment

USAGE = 2
OK, FAILED, NOTHING = "ok", "FAILED", ""    # nothing: it was not looked at


class Row(NamedTuple):
    name: str
    text: str
    verdict: str


# Each check runs in a process of its own: a driver that crashes must not take the doctor along.
PROBES = {
    "driver": """
        import mgpipe
        with mgpipe.context(topology="monolith", driver={driver!r}) as c:
            s = c.stats()
            print(s["renderer"])
        c.release()
    """,
    "session": """
        import statistics, time, mgpipe, ctypes
        c = mgpipe.context()
        call = lambda name, *types: ctypes.CFUNCTYPE(None, *types)(c.load(name))
        finish, gen, bind = call("glFinish"), call("glGenBuffers", ctypes.c_int, ctypes.c_void_p), call("glBindBuffer", ctypes.c_uint, ctypes.c_uint)
        data = call("glBufferData", ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_uint)
        finish(); finish()
        def median(f, n):
            t = []
            for _ in range(n):
                a = time.perf_counter(); f(); t.append(time.perf_counter() - a)
            return statistics.median(t)
        name = ctypes.c_uint(); gen(1, ctypes.byref(name)); bind(0x8892, name.value)
        size = 16 << 20; bytes_ = bytes(size)
        def upload():
            data(0x8892, size, bytes_, 0x88E8); finish()
        upload()
        s = c.stats()
        print(median(finish, 200) * 1e6, size / median(upload, {repeat}) / 1e9, s["link"], s["server_pid"], s["renderer"], sep="\\t")
        c.release()
    """,
    "moderngl": """
        import mgpipe, moderngl
        ctx = moderngl.create_context(context=mgpipe.context())
        p = ctx.program(vertex_shader="#version 330\\nvoid main() {{ gl_Position = vec4(vec2[](vec2(-3, -1), vec2(3, -1), vec2(0, 3))[gl_VertexID], 0, 1); }}",
                        fragment_shader="#version 330\\nout vec4 c; void main() {{ c = vec4(0, 1, 0, 1); }}")
        f = ctx.simple_framebuffer((4, 4)); f.use(); f.clear()
        ctx.vertex_array(p, []).render(vertices=3)
        if f.read() != bytes((0, 255, 0)) * 16: raise SystemExit("wrong pixels")
        print(moderngl.__version__)
    """,
}


def main(asked: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    given = chosen_environment(asked)
    try:
        server = option_table.resolve({}, os.environ | given)["server"]
    except option_table.InvalidOption as error:
        print(f"mgpipe doctor: {error}", file=sys.stderr)
        return USAGE
    rows = list(server_rows(server, asked.quick, given) if server else machine_rows(asked.quick, given))
    table = Table.grid(padding=(0, 2))
    told: dict[str, str] = {}
    for name, text, verdict in rows:
        said_by = told.setdefault(text, name)
        table.add_row(name, text if said_by == name or verdict != FAILED else f"the same as {said_by}", verdict)
    console = Console(stderr=True, highlight=False, width=max(Console(stderr=True).width, 100))
    console.print(table)
    return 1 if any(verdict == FAILED for _, _, verdict in rows) else 0


def machine_rows(quick: bool, given: dict[str, str]) -> Iterator[Row]:
    for driver, what in (("gl", "desktop OpenGL"), ("gles", "OpenGL ES")):
        ok, text = probe("driver", given, driver=driver)
        yield Row(f"driver {driver}", f"{what}: {text}" if ok else text, OK if ok else FAILED)
    for topology in ("monolith", "inproc", "spawn"):
        yield session_row(topology, quick, given | {"MGPIPE_TOPOLOGY": topology})
    yield moderngl_row("spawn", given | {"MGPIPE_TOPOLOGY": "spawn"})
    yield Row("vulkan", "not implemented yet", NOTHING)
    yield Row("remote", "mgpipe doctor --server ADDRESS looks at a server elsewhere", NOTHING)


def server_rows(server: str, quick: bool, given: dict[str, str]) -> Iterator[Row]:
    """Of this machine nothing is asked: it needs no driver."""
    ok, text = probe("session", given, repeat=1 if quick else 7)
    if not ok:
        yield Row(server, text, FAILED)
        return
    cost, _, renderer = session_costs(text)
    yield Row(server, cost, OK)
    yield Row("its driver", renderer, OK)
    yield moderngl_row(server, given)


def session_row(topology: str, quick: bool, given: dict[str, str]) -> Row:
    ok, text = probe("session", given, repeat=1 if quick else 7)
    if not ok:
        return Row(topology, text, FAILED)
    cost, pid, _ = session_costs(text)
    return Row(topology, f"{cost}, server pid {pid}" if topology == "spawn" else cost, OK)


def session_costs(answer: str) -> tuple[str, str, str]:
    """In words; the server's process and what it draws with."""
    round_trip, bandwidth, link, pid, renderer = answer.split("\t")
    return f"round trip {float(round_trip):.0f} µs, upload {float(bandwidth):.1f} GB/s, {link}", pid, renderer


def moderngl_row(through: str, given: dict[str, str]) -> Row:
    ok, text = probe("moderngl", given)
    if not ok and "No module named 'moderngl'" in text:
        return Row("moderngl", "not installed here (pip install moderngl)", NOTHING)
    return Row("moderngl", f"{text} draws a triangle through {through}" if ok else text, OK if ok else FAILED)


def probe(name: str, given: dict[str, str], **values: object) -> tuple[bool, str]:
    """Whether it worked, and what it printed last: the answer, or the sentence of the error."""
    source = "\n".join(line[8:] for line in PROBES[name].format(**values).splitlines())
    environment = {k: v for k, v in (os.environ | given).items() if k not in ("MGPIPE_PRELOAD", "MGPIPE_STATS")}
    start = time.monotonic()
    try:
        result = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, env=environment)
    except subprocess.TimeoutExpired:
        return False, f"no answer after {time.monotonic() - start:.0f} s"
    if result.returncode < 0:
        return False, f"ended by signal {-result.returncode}"
    lines = (result.stdout if result.returncode == 0 else result.stderr).strip().splitlines()
    if not lines:
        return False, f"status {result.returncode}, no output"
    return result.returncode == 0, re.sub(r"^mgpipe\.[\w.]+: ", "", lines[-1])     # an error's own sentence is enough
