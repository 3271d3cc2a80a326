"""The direct driver, Mesa's virpipe and mgpipe's topologies side by side, with moderngl as the program.

    python benchmarks/run.py [--quick] [--driver gl|gles] [--only ARM ...] [--json FILE]

Each arm is a process that stays for the whole run; repetitions go round the arms, so that what else the machine does
meets all of them. Figures are medians. `submit` ends when the program's calls have returned, `finish` with glFinish.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scenes import SCENES

HERE = Path(__file__).parent
ARMS = ("direct", "virpipe", "monolith", "inproc", "spawn", "tcp")
VIRGL_SOCKET = Path("/tmp/.virgl_test")     # Mesa 22 looks nowhere else, so there is one such server at a time
ALLOWED_US = 0.1                            # of our own, in a draw with nothing changed


VARIABLES: dict[str, dict[str, str]] = {}   # arm → what leads it to its server


class Missing(Exception):
    """An arm that this machine cannot run; the message says why."""


def environment(name: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MGPIPE_", "GALLIUM_"))}
    if name == "virpipe":
        kept |= {"GALLIUM_DRIVER": "virpipe", "LIBGL_ALWAYS_SOFTWARE": "true"}
    return kept | {"EGL_PLATFORM": "surfaceless"} | VARIABLES.get(name, {})


def start_virgl() -> subprocess.Popen:
    if shutil.which("virgl_test_server") is None:
        raise Missing("virgl_test_server is not installed (Debian: virgl-server)")
    with socket.socket(socket.AF_UNIX) as probe:
        if probe.connect_ex(str(VIRGL_SOCKET)) == 0:
            raise Missing(f"another virgl_test_server listens at {VIRGL_SOCKET}")
    VIRGL_SOCKET.unlink(missing_ok=True)        # left behind by one that was killed
    server = subprocess.Popen(["virgl_test_server", "--use-egl-surfaceless"], env=environment("server"),
                              start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 10
    while not VIRGL_SOCKET.exists():
        if server.poll() is not None or time.monotonic() > deadline:
            stop_virgl(server)
            raise Missing("virgl_test_server did not start")
        time.sleep(0.02)
    return server


def stop_virgl(server: subprocess.Popen) -> None:
    try:
        os.killpg(server.pid, signal.SIGKILL)       # it forks for every client
    except ProcessLookupError:
        pass
    server.wait()
    VIRGL_SOCKET.unlink(missing_ok=True)


def start_server() -> subprocess.Popen:
    """A render server on loopback, which the arm `tcp` reaches as a stream, as if it were on another machine."""
    server = subprocess.Popen([sys.executable, "-m", "mgpipe", "serve", "--listen", "tcp://127.0.0.1:0"], text=True,
                              env=environment("server"), stderr=subprocess.PIPE)
    address = server.stderr.readline().partition("listening on ")[2].split(" ")[0]
    if not address:
        raise Missing("mgpipe serve did not start")
    VARIABLES["tcp"] = {"MGPIPE_SERVER": address, "MGPIPE_DATA": "stream"}
    return server


class Arm:
    def __init__(self, name: str, *arguments: str) -> None:
        self.name = name
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([sys.executable, HERE / "arm.py", name, *arguments], env=environment(name),
                                        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.hello = self._answer()

    def _answer(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            last = self.errors.read().strip().splitlines()[-1:] or ["said nothing"]
            raise Missing(f"ended with status {self.process.returncode}: {last[0]}")
        return json.loads(line)

    def ask(self, *words: str):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def build_floor(folder: str) -> str:
    library = f"{folder}/empty_gl.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, HERE / "empty_gl.c"], check=True)
    return library


def cold_start_ms(name: str, driver: str) -> float:
    started = time.monotonic()
    subprocess.run([sys.executable, HERE / "first_pixel.py", name, driver], env=environment(name), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    return (time.monotonic() - started) * 1000


def medians(samples: list[dict[str, float]]) -> dict[str, float]:
    return {what: statistics.median(sample[what] for sample in samples) for what in samples[0]}


def measure(arms: list[Arm], repetitions: int) -> dict[str, dict[str, dict[str, float]]]:
    """results[scene][arm][what]"""
    samples = {scene: {arm.name: [] for arm in arms} for scene in SCENES}
    for repetition in range(repetitions):
        for scene in SCENES:
            for arm in arms[repetition % len(arms):] + arms[:repetition % len(arms)]:
                if arm.name != "floor" or SCENES[scene].on_floor:
                    samples[scene][arm.name].append(arm.ask("scene", scene))
    return {scene: {name: medians(of_arm) for name, of_arm in by_arm.items() if of_arm}
            for scene, by_arm in samples.items()}


def table(title: str, names: list[str], rows: list[tuple[str, dict[str, float]]], digits: int) -> None:
    print(f"\n{title}")
    print(" " * 14 + "".join(f"{name:>11}" for name in names))
    for what, row in rows:
        print(f"  {what:12}" + "".join(f"{row[name]:11.{digits}f}" if name in row else f"{'-':>11}" for name in names))


def ratios(row: dict[str, float], to: str) -> dict[str, float]:
    return {name: value / row[to] for name, value in row.items()} if row.get(to) else {}


def tell(results: dict, names: list[str]) -> None:
    for scene, by_arm in results["scenes"].items():
        rows = [(what, {name: figures[what] for name, figures in by_arm.items()})
                for what in ("submit", "finish", "client cpu", "server cpu")]
        finish = rows[1][1]
        rows += [(f"x {to}", ratios(finish, to)) for to in ("direct", "virpipe") if to in finish]
        table(f"{SCENES[scene].title} [us each; x: finish as a multiple]", names, rows, 2)
    cold = results["cold start ms"]
    table("cold start to the first pixel, interpreter included [ms]", names,
          [("total", cold)] + [(f"x {to}", ratios(cold, to)) for to in ("direct", "virpipe") if to in cold], 2)


def tell_acceptance(results: dict) -> None:
    if "spawn" not in results["arms"]:
        return
    floor, spawn = (results["acceptance"][name] for name in ("floor", "spawn"))

    def tell_one(holds: bool, what: str) -> None:
        print(f"  {'yes' if holds else 'NO ':3} {what}")

    print("\nWhat the first slice promises, on spawn")
    above = spawn["render us"] - floor["render us"]
    tell_one(above <= ALLOWED_US, f"vao.render() with nothing changed: {spawn['render us']:.3f} us, {above:.3f} above "
                                  f"moderngl's own {floor['render us']:.3f} (at most {ALLOWED_US})")
    left, peak = (spawn[what] - floor[what] for what in ("blocks left", "peak bytes"))
    tell_one(left <= 0 and peak <= 0, f"Python memory on the draw path: {left} blocks left by 100,000 draws and {peak} bytes "
                                      "held during one, beyond moderngl's own (0)")
    for name, scene in SCENES.items():
        figures = results["scenes"][name]["spawn"]
        if scene.upload_bytes:
            copied, sent = (figures[counter] / scene.upload_bytes for counter in ("client_copy_bytes", "upload_bytes"))
            tell_one(copied <= 1.01 and sent <= 1.01, f"{scene.title}: each byte is copied {copied:.3f} times by the client "
                                                      f"and sent {sent:.3f} times (1)")
        tell_one(figures["round_trips"] == 0, f"{scene.title}: {figures['round_trips'] * scene.count:.0f} round trips (0)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions: does it run, not how fast")
    parser.add_argument("--driver", default="gl", choices=["gl", "gles", "null"], help="of mgpipe's arms")
    parser.add_argument("--only", nargs="*", choices=ARMS, help="these arms")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    repetitions, cold_starts = (3, 2) if options.quick else (31, 7)
    virgl, server, arms, missing = None, None, [], {}
    folder = tempfile.TemporaryDirectory()
    try:
        wanted = [name for name in ARMS if not options.only or name in options.only]
        for name in ["floor", *wanted]:
            extra = ["--driver", options.driver]
            try:
                if name == "floor":
                    extra += ["--library", build_floor(folder.name)]
                if name == "virpipe":
                    virgl = start_virgl()
                    extra += ["--server-pid", str(virgl.pid)]
                if name == "tcp":
                    server = start_server()
                arms.append(Arm(name, *extra))
            except Missing as why:
                missing[name] = str(why)
        present = [arm.name for arm in arms if arm.name != "floor"]
        results = {
            "machine": {"cpus": os.cpu_count(), "load": os.getloadavg()[0]},
            "arms": {arm.name: arm.hello for arm in arms}, "missing": missing,
            "scenes": measure(arms, repetitions),
            "cold start ms": {name: statistics.median(cold_start_ms(name, options.driver) for _ in range(cold_starts))
                              for name in present},
        }
        costs = {arm.name: [] for arm in arms}
        for _ in range(repetitions * 3):
            for arm in arms:
                costs[arm.name].append(arm.ask("render_cost"))
        results["acceptance"] = {
            arm.name: {"render us": statistics.median(costs[arm.name])} | arm.ask("allocations")
            for arm in arms if arm.name in ("floor", "spawn")}
    finally:
        for arm in arms:
            arm.close()
        if virgl:
            stop_virgl(virgl)
        if server:
            server.kill()
            server.wait()
    print(f"{results['machine']['cpus']} CPUs, load {results['machine']['load']:.1f}; medians of {repetitions}")
    for name, hello in results["arms"].items():
        print(f"  {name:10} {hello['renderer']}")
    for name, why in missing.items():
        print(f"  {name:10} not measured: {why}")
    tell(results, ["floor", *present])
    tell_acceptance(results)
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
