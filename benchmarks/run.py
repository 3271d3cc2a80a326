"""The direct driver, Mesa's virpipe and mgpipe's topologies side by side, with moderngl as the program.

    python benchmarks/run.py [--quick] [--gpu] [--driver gl|gles ...] [--arm ARM ...] [--scene SCENE ...] [--out FOLDER]

Each arm is a process. For each scene, repetitions go round the arms, so that what else the machine does meets all of
them; all of it is done with several starts of the processes. Figures are medians over the starts, with the tenth and the
ninetieth percentile of all samples. `submit` ends when the program's calls have returned, `finish` with glFinish.

Written into the folder: results.json, results.txt (what is printed) and results.svg.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import floor
import plot
import report
import timed_scenes     # noqa: F401, enters its scenes
from processes import HERE, Arm, Missing, Server, Virgl, environment
from ring import round_trip_us
from scenes import SCENES

ARMS = ("floor", "direct", "direct-malloc", "virpipe", "monolith", "inproc", "spawn", "tcp")
DIRECT = ("floor", "direct", "direct-malloc", "virpipe")       # what mgpipe's driver does not concern
DRIVERS = ("gl", "gles", "null")
FIRST = 3       # samples of a scene in a start, whatever they take
BURST_S = 1.0


class Effort(NamedTuple):
    """How much is repeated. A scene's repetitions in one start end early after `patience_s`."""

    starts: int
    repetitions: int
    patience_s: float
    cold_starts: int
    sessions: tuple[int, ...]


FULL = Effort(5, 15, 20.0, 7, (1, 4, 16))
GPU = Effort(3, 9, 3.0, 3, (1, 4, 16))         # about five minutes for both dialects
QUICK = Effort(1, 2, 0.0, 1, (1, 2))


class Run:
    def __init__(self, asked: argparse.Namespace, effort: Effort) -> None:
        self.gpu, self.effort = asked.gpu, effort
        self.scenes = [name for name in SCENES if not asked.scene or name in asked.scene]
        names = [name for name in ARMS if not asked.arm or name in asked.arm]
        if asked.gpu:
            names = [name for name in names if name not in ("virpipe", "direct-malloc")]    # Mesa's, and for Mesa
        self.arms = [(name if name in DIRECT or driver == asked.driver[0] else f"{name} {driver}", name, driver)
                     for driver in asked.driver for name in names if name not in DIRECT or driver == asked.driver[0]]
        self.missing: dict[str, str] = {}
        self.hellos: dict[str, dict] = {}
        self.folder = ""

    # -- arms

    def open(self, stack: ExitStack) -> list[Arm]:
        """Every arm that can be had; why one cannot is kept."""
        opened, server = [], None
        cache = f"{self.folder}/shaders"
        for label, name, driver in self.arms:
            arguments = ["--driver", driver]
            try:
                if name == "floor":
                    arguments += ["--library", floor.build(self.folder)]
                if name == "virpipe":
                    virgl = Virgl()
                    stack.callback(virgl.end)
                    arguments += ["--server-pid", str(virgl.process.pid)]
                if name == "tcp":
                    if server is None:
                        server = Server("tcp://127.0.0.1:0", self.gpu)
                        stack.callback(server.end)
                    arguments += ["--server", server.address]
                arm = Arm(label, name, environment(name, self.gpu, cache), *arguments)
                stack.callback(arm.close)
                opened.append(arm)
                self.hellos[label] = arm.hello
            except (Missing, OSError, subprocess.CalledProcessError) as why:
                self.missing[label] = str(why)
        return opened

    # -- scenes

    def measure(self) -> dict[str, dict[str, list[list[dict]]]]:
        """samples[scene][arm][start]"""
        samples: dict[str, dict[str, list[list[dict]]]] = {name: {} for name in self.scenes}
        self.unavailable: dict[str, dict[str, str]] = {}
        self.render_cost: dict[str, list[float]] = {}
        self.allocations: dict[str, dict] = {}
        for start in range(self.effort.starts):
            with ExitStack() as stack:
                arms = self.open(stack)
                for name in self.scenes:
                    self.say(f"start {start + 1} of {self.effort.starts}: {SCENES[name].title}")
                    for label, taken in self.sample(name, arms).items():
                        samples[name].setdefault(label, []).append(taken)
                for arm in arms:
                    if arm.name in ("floor", "spawn", "inproc"):
                        self.render_cost.setdefault(arm.label, []).append(
                            statistics.median(arm.ask("render_cost") for _ in range(self.effort.repetitions * 3)))
                        if start == 0:
                            self.allocations[arm.label] = arm.ask("allocations")
        return samples

    def sample(self, name: str, arms: list[Arm]) -> dict[str, list[dict]]:
        ready = []
        for arm in arms:
            refused = arm.ask("prepare", name).get("unavailable")
            if refused is None:
                ready.append(arm)
            else:
                self.unavailable.setdefault(name, {})[arm.label] = refused
        taken: dict[str, list[dict]] = {arm.label: [] for arm in ready}
        began = time.monotonic()
        for repetition in range(self.effort.repetitions):
            if repetition >= FIRST and time.monotonic() - began > self.effort.patience_s:
                break
            turn = repetition % max(1, len(ready))
            for arm in ready[turn:] + ready[:turn]:
                taken[arm.label].append(arm.ask("sample"))
        for arm in ready:
            arm.ask("drop")
        return taken

    # -- beside the scenes

    def cold_start(self, label: str, name: str, driver: str, cache: str) -> tuple[float, dict]:
        """Milliseconds to the first pixel, interpreter included; memory then."""
        started = time.monotonic()
        with ExitStack() as stack:
            if name == "virpipe":
                virgl = Virgl()
                stack.callback(virgl.end)
                started = time.monotonic()
            process = subprocess.Popen([sys.executable, HERE / "first_pixel.py", name, driver],
                                       env=environment(name, self.gpu, cache), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            with process:
                first = process.stdout.readline()
                took = (time.monotonic() - started) * 1000
                memory = process.stdout.readline()
        if first != b"pixel\n":
            raise Missing(f"{label}: no first pixel")
        return took, json.loads(memory) if memory else {}

    def starts(self) -> dict[str, dict[str, Any]]:
        """By arm: milliseconds with shaders never seen and seen before, memory of a session that waits. `bare`: of none."""
        arms = [("bare", "bare", "null")] + [(label, name, driver) for label, name, driver in self.arms if name not in ("floor", "direct-malloc", "tcp")
                and label in self.hellos]
        told: dict[str, dict[str, Any]] = {label: {"fresh": [], "seen": []} for label, _, _ in arms}
        for _ in range(self.effort.cold_starts):
            for label, name, driver in arms:
                with tempfile.TemporaryDirectory(dir=self.folder) as cache:
                    for kind in ("fresh", "seen"):
                        took, memory = self.cold_start(label, name, driver, cache)
                        told[label][kind].append(took)
                        told[label]["memory MiB"] = memory
        return {label: {what: report.spread(value) if isinstance(value, list) else value for what, value in row.items()}
                for label, row in told.items()}

    def sessions(self, driver: str) -> list[dict[str, Any]]:
        """So many programs at once on one server: draws a second of all together, memory of each while it waits."""
        told = []
        with ExitStack() as stack:
            server = Server(f"unix:{self.folder}/server-{driver}", self.gpu)
            stack.callback(server.end)
            arms: list[Arm] = []
            for count in self.effort.sessions:
                while len(arms) < count:
                    arms.append(Arm("remote", "remote", environment("remote", self.gpu, f"{self.folder}/shaders"),
                                    "--driver", driver, "--server", server.address))
                    stack.callback(arms[-1].close)
                    arms[-1].ask("prepare", "draw")
                memory = [arm.ask("memory") for arm in arms]
                for arm in arms:
                    arm.begin("burst", str(BURST_S))
                rates = [arm.answer()["rate"] for arm in arms]
                told.append({"sessions": count, "draws per second": sum(rates), "slowest": min(rates),
                             "server MiB each": statistics.median(sum(entry["servers"]) for entry in memory),
                             "client MiB each": statistics.median(entry["client"] for entry in memory)})
        return told

    def say(self, what: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)

    def everything(self) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as self.folder:
            began = time.monotonic()
            samples = self.measure()
            several = [driver for driver in dict.fromkeys(driver for _, name, driver in self.arms if name == "spawn")]
            results = {
                "machine": {"cpus": os.cpu_count(), "load": os.getloadavg()[0], "kernel": platform.release(),
                            "date": time.strftime("%Y-%m-%d %H:%M"), "command": " ".join(sys.argv)},
                "effort": self.effort._asdict(),
                "arms": self.hellos, "missing": self.missing, "unavailable": self.unavailable,
                "scenes": {name: {label: report.summary(starts) for label, starts in by_arm.items()}
                           for name, by_arm in samples.items()},
                "first pixel": self.starts(),
                "sessions": {driver: self.sessions(driver) for driver in several},
                "render us": {label: statistics.median(values) for label, values in self.render_cost.items()},
                "allocations": self.allocations,
                # A wake-up and an answer between two threads that both sleep: what no server can go below.
                "round trip us": round_trip_us(2000, 300)["round trip"],
            }
            self.say("")
            results["machine"]["took_s"] = round(time.monotonic() - began)
        return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions: does it run, not how fast")
    parser.add_argument("--gpu", action="store_true", help="the machine's own driver, without Mesa's arms, in about five minutes")
    parser.add_argument("--driver", nargs="+", default=["gl"], choices=DRIVERS, help="of mgpipe's arms; several: side by side")
    parser.add_argument("--arm", nargs="+", choices=ARMS, help="these arms only")
    parser.add_argument("--scene", nargs="+", choices=SCENES, metavar="SCENE", help=f"these only, of {', '.join(SCENES)}")
    parser.add_argument("--starts", type=int, help="of all arms, one after the other")
    parser.add_argument("--repetitions", type=int, help="of a scene in each start")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=HERE.parent / "build" / "bench")
    asked = parser.parse_args()
    effort = QUICK if asked.quick else GPU if asked.gpu else FULL
    if asked.starts:
        effort = effort._replace(starts=asked.starts)
    if asked.repetitions:
        effort = effort._replace(repetitions=asked.repetitions)
    try:
        results = Run(asked, effort).everything()
    except Missing as why:
        sys.exit(f"benchmarks/run.py: an arm ended in the middle of a run: {why}")
    asked.out.mkdir(parents=True, exist_ok=True)
    text = report.text(results)
    (asked.out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (asked.out / "results.txt").write_text(text)
    (asked.out / "results.svg").write_text(plot.svg(results))
    print(text, end="")
    print(f"\nwritten to {asked.out}: results.json, results.txt, results.svg")


if __name__ == "__main__":
    main()
