"""One arm of benchmarks/run.py: a process with one OpenGL below it, which runs the scenes that standard input names.

    python arm.py direct|virpipe|floor|monolith|inproc|spawn|tcp [--driver gl|gles] [--server-pid PID]
"""

import argparse
import ctypes
import gc
import json
import sys
import time
import tracemalloc
from pathlib import Path

import moderngl
from scenes import SCENES, Program


class Floor:
    """The loader of empty_gl.c, whose path the environment does not need to know."""

    def __init__(self, library: str) -> None:
        self.address = ctypes.CDLL(library).empty_address
        self.address.argtypes, self.address.restype = [ctypes.c_char_p], ctypes.c_void_p

    def load_opengl_function(self, name: str) -> int:
        return self.address(name.encode())

    load = load_opengl_function

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def release(self) -> None:
        pass


def cpu_ns(pid: int) -> int:
    """Of all its threads ever. /proc counts in clock ticks; every process has a clock of its own that does not (the
    kernel's encoding of clock_getcpuclockid, which Python lacks)."""
    try:
        return time.clock_gettime_ns(~pid << 3 | 2)
    except OSError:
        return 0    # ended meanwhile


def family(pid: int) -> list[int]:
    """The process and all below it."""
    members = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            members += family(int(child))
    return members


class Arm:
    def __init__(self, name: str, options: argparse.Namespace) -> None:
        self.link = None
        if name in ("direct", "virpipe"):
            self.ctx = moderngl.create_context(standalone=True, backend="egl")
        elif name == "floor":
            self.ctx = moderngl.create_context(context=Floor(options.library))
        else:
            import mgpipe

            # Where the server of `tcp` listens, the environment says.
            self.link = mgpipe.context(driver=options.driver, **({} if name == "tcp" else {"topology": name}))
            self.ctx = moderngl.create_context(context=self.link)
        self.program = Program(self.ctx)
        self.ctx.finish()
        self.servers = [options.server_pid] if options.server_pid else []
        if name in ("spawn", "tcp"):
            self.servers = [self.link.stats()["server_pid"]]
        self.runs = {}

    def server_cpu_ns(self) -> int:
        return sum(cpu_ns(pid) for server in self.servers for pid in family(server))

    def stats(self) -> dict:
        return self.link.stats() if self.link else {}

    def hello(self) -> dict:
        return {"renderer": self.ctx.info["GL_RENDERER"]} | {what: self.stats().get(what) for what in ("topology", "link")}

    def scene(self, name: str) -> dict:
        count = SCENES[name].count
        run = self.runs.get(name)
        if run is None:
            run = self.runs[name] = self.program.prepare(name)
            run(count)
            self.ctx.finish()
        before = self.stats()
        gc.disable()
        client, server = time.process_time_ns(), self.server_cpu_ns()
        started = time.perf_counter_ns()
        run(count)
        submitted = time.perf_counter_ns()
        self.ctx.finish()
        finished = time.perf_counter_ns()
        sample = {"submit": submitted - started, "finish": finished - started,
                  "client cpu": time.process_time_ns() - client, "server cpu": self.server_cpu_ns() - server}
        gc.enable()
        after = self.stats()
        sample = {what: value / count / 1000 for what, value in sample.items()}
        for counter in ("upload_bytes", "client_copy_bytes", "round_trips", "parks"):
            if counter in after:
                sample[counter] = (after[counter] - before[counter]) / count
        return sample

    def render_cost(self) -> float:
        """Microseconds of this thread's own CPU for one `vao.render()` with nothing changed: what the server does meanwhile
        on the same CPU is not the client's cost, the wakes of the server are."""
        render = self.program.triangle.render
        self.program.target.use()
        render()
        self.ctx.finish()
        started = time.thread_time_ns()
        for _ in range(500):
            render()
        took = time.thread_time_ns() - started
        started = time.thread_time_ns()
        for _ in range(500):
            pass
        return (took - (time.thread_time_ns() - started)) / 500 / 1000

    def allocations(self) -> dict:
        """Python memory blocks that 100,000 draws leave behind, and the most that one draw ever held (bytes)."""
        render, count = self.program.triangle.render, 100_000
        self.program.target.use()
        render()
        gc.collect()
        gc.disable()
        before = sys.getallocatedblocks()
        for _ in range(count):
            render()
        left = sys.getallocatedblocks() - before
        self.ctx.finish()
        tracemalloc.start()
        render()
        tracemalloc.reset_peak()
        now, _ = tracemalloc.get_traced_memory()
        for _ in range(1000):
            render()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        gc.enable()
        return {"blocks left": left, "peak bytes": peak - now}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--driver", default="gl")
    parser.add_argument("--library")
    parser.add_argument("--server-pid", type=int)
    options = parser.parse_args()
    arm = Arm(options.name, options)
    print(json.dumps(arm.hello()), flush=True)
    for line in sys.stdin:
        what, *arguments = line.split()
        print(json.dumps(getattr(arm, what)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
