"""One arm of benchmarks/run.py: a process with one OpenGL below it, which does what the lines of standard input name.

    python arm.py ARM [--driver gl|gles] [--server ADDRESS] [--server-pid PID] [--library FILE]

Each line names a method of Arm and is answered by one of JSON.
"""

import argparse
import gc
import json
import statistics
import sys
import time
import tracemalloc
from typing import Any

import glcontext
import moderngl
import timed_scenes     # noqa: F401, enters its scenes
from floor import Floor
from processes import cpu_ns, family, memory_mib, threads_ns
from scenes import SCENES, Stage, Unavailable

COUNTERS = ("records", "record_bytes", "staging_bytes", "upload_bytes", "client_copy_bytes", "round_trips", "reads", "finishes",
            "waits", "parks")
SINGLES = 5


class Arm:
    def __init__(self, options: argparse.Namespace) -> None:
        self.link: Any = None
        loader = self.open(options)
        self.ctx = moderngl.create_context(context=loader)
        self.servers = [options.server_pid] if options.server_pid else []
        if options.name in ("spawn", "tcp", "remote"):
            self.servers = [self.link.stats()["server_pid"]]
        self.stage = Stage(self.ctx, loader.load_opengl_function)
        self.ctx.finish()
        self.scene, self.run = None, None

    def open(self, options: argparse.Namespace):
        """The loader that moderngl takes its OpenGL from."""
        if options.name == "floor":
            return Floor(options.library)
        if options.name in ("direct", "direct-malloc", "virpipe"):
            return glcontext.get_backend_by_name("egl")(mode="standalone", glversion=330)
        import mgpipe

        where = {"tcp": {"server": options.server, "data": "stream"}, "remote": {"server": options.server}}
        self.link = mgpipe.context(driver=options.driver, **where.get(options.name, {"topology": options.name}))
        return self.link

    def server_pids(self) -> list[int]:
        return [pid for server in self.servers for pid in family(server)]

    def stats(self) -> dict:
        return self.link.stats() if self.link else {}

    def hello(self) -> dict:
        told = self.stats()
        return {"renderer": self.ctx.info["GL_RENDERER"]} | {what: told[what] for what in ("topology", "link", "driver", "gl_version")
                                                             if what in told}

    def prepare(self, name: str) -> dict:
        """Makes a scene's objects and runs it once. {"unavailable": why} when this OpenGL lacks what it needs."""
        self.scene = SCENES[name]
        try:
            self.stage.target.use()
            self.run = self.scene.prepare(self.stage)
            self.run(self.scene.count)
            self.ctx.finish()
        except Unavailable as why:
            self.run = None
            return {"unavailable": str(why)}
        return {}

    def drop(self) -> dict:
        self.run = None
        gc.collect()
        self.ctx.finish()
        return {}

    def threads(self) -> dict[str, int]:
        took: dict[str, int] = {}
        for where, pids in (("client", ["self"]), ("server", self.server_pids())):
            for pid in pids:
                for name, ns in threads_ns(pid):
                    took[f"{where} {name}"] = took.get(f"{where} {name}", 0) + ns
        return took

    def sample(self) -> dict:
        """Microseconds of one repetition; counters, too, of one repetition."""
        count, servers = self.scene.count, self.server_pids()
        stats, threads = self.stats(), self.threads()
        gc.disable()
        client, server = time.process_time_ns(), sum(map(cpu_ns, servers))
        started = time.perf_counter_ns()
        own = self.run(count)
        submitted = time.perf_counter_ns()
        self.ctx.finish()
        finished = time.perf_counter_ns()
        took = {"submit": submitted - started, "finish": finished - started, "client cpu": time.process_time_ns() - client,
                "server cpu": sum(map(cpu_ns, servers)) - server}
        gc.enable()
        after, threads_after = self.stats(), self.threads()
        figures = {what: ns / count / 1000 for what, ns in took.items()}
        figures |= {what: ns / 1000 for what, ns in (own or {}).items()}
        figures |= {what: (after[what] - stats[what]) / count for what in COUNTERS if what in after}
        if after:
            figures["finishes"] -= 1 / count        # our own
        if self.scene.single:
            figures["single"] = self.single_us()
        figures["threads"] = {name: (ns - threads.get(name, 0)) / count / 1000 for name, ns in threads_after.items()}
        return figures

    def single_us(self) -> float:
        took = []
        for _ in range(SINGLES):
            started = time.perf_counter_ns()
            self.run(1)
            self.ctx.finish()
            took.append(time.perf_counter_ns() - started)
        return statistics.median(took) / 1000

    def burst(self, seconds: str) -> dict:
        """The scene over and over for so long: repetitions a second. For several sessions at once."""
        done, started = 0, time.perf_counter()
        while (took := time.perf_counter() - started) < float(seconds):
            self.run(self.scene.count)
            self.ctx.finish()
            done += self.scene.count
        return {"rate": done / took}

    def render_cost(self) -> float:
        """Microseconds of this thread's own CPU for one `vao.render()` with nothing changed: what the server does meanwhile
        on the same CPU is not the client's cost, the wakes of the server are."""
        render = self.stage.triangle.render
        self.stage.target.use()
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
        render, count = self.stage.triangle.render, 100_000
        self.stage.target.use()
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

    def memory(self) -> dict:
        """Proportional set sizes in MiB, of this process and of each that serves it."""
        return {"client": memory_mib("self"), "servers": [memory_mib(pid) for pid in self.server_pids()]}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--driver", default="gl")
    parser.add_argument("--library", default="")
    parser.add_argument("--server", default="")
    parser.add_argument("--server-pid", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    arm = Arm(parse())
    print(json.dumps(arm.hello()), flush=True)
    for line in sys.stdin:
        what, *arguments = line.split()
        print(json.dumps(getattr(arm, what)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
