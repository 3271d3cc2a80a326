"""`mgpipe doctor`: what drivers this machine offers, what works, and what each topology costs, in words."""

import os
import subprocess
import sys
import time

# Each check runs in a process of its own: a driver that crashes must not take the doctor along.
PROBES = {
    "driver": """
        import mgpipe
        with mgpipe.context(topology="monolith", driver={driver!r}) as c:
            s = c.stats()
            print(s["renderer"])
        c.release()
    """,
    "topology": """
        import statistics, time, mgpipe, ctypes
        c = mgpipe.context(topology={topology!r})
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
        print(median(finish, 200) * 1e6, size / median(upload, {repeat}) / 1e9, s["link"], s["server_pid"], sep="\\t")
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


def main(quick: bool = False) -> int:
    from rich.console import Console
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    failures = 0
    found = 0
    rows: list[tuple[str, str, bool]] = []
    for driver, what in (("gl", "desktop OpenGL"), ("gles", "OpenGL ES")):
        ok, text = probe("driver", driver=driver)
        found += ok
        rows.append((f"driver {driver}", f"{what}: {text}", ok))
    for topology in ("monolith", "inproc", "spawn"):
        ok, text = probe("topology", topology=topology, repeat=1 if quick else 7)
        if ok:
            round_trip, bandwidth, link, pid = text.split("\t")
            where = f", server pid {pid}" if topology == "spawn" else ""
            text = f"round trip {float(round_trip):.0f} µs, upload {float(bandwidth):.1f} GB/s, {link}{where}"
        rows.append((topology, text, ok))
    ok, text = probe("moderngl")
    if not ok and "No module named 'moderngl'" in text:
        rows.append(("moderngl", "not installed here (pip install moderngl)", True))
    else:
        rows.append(("moderngl", f"{text} draws a triangle through spawn" if ok else text, ok))
    rows.append(("vulkan", "not implemented yet", True))
    rows.append(("remote", "not looked at: mgpipe serve here, mgpipe run --server … where the program is", True))
    for name, text, ok in rows:
        failures += not ok
        table.add_row(name, text, "ok" if ok else "FAILED")
    console = Console(stderr=True, highlight=False, width=max(Console(stderr=True).width, 100))
    console.print(table)
    if not found:
        console.print("No OpenGL driver works here. Install one (Debian: libegl1 libgl1-mesa-dri).")
    return 1 if failures else 0


def probe(name: str, **values: object) -> tuple[bool, str]:
    """Whether it worked, and what it printed last: the answer, or the sentence of the error."""
    source = "\n".join(line[8:] for line in PROBES[name].format(**values).splitlines())
    environment = {k: v for k, v in os.environ.items() if k != "MGPIPE_PRELOAD"}
    start = time.monotonic()
    try:
        result = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, env=environment)
    except subprocess.TimeoutExpired:
        return False, f"no answer after {time.monotonic() - start:.0f} s"
    if result.returncode < 0:
        return False, f"ended by signal {-result.returncode}"
    lines = (result.stdout if result.returncode == 0 else result.stderr).strip().splitlines()
    return result.returncode == 0, lines[-1] if lines else f"status {result.returncode}, no output"
