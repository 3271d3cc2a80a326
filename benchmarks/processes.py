"""The processes of a run: arms, what serves them, and what the kernel says about both."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VIRGL_SOCKET = Path("/tmp/.virgl_test")     # Mesa 22 looks nowhere else, so there is one such server at a time

# What mgpipe's server sets for itself (server/apply_loop.pyx, tune_malloc), as glibc takes it from the environment.
MALLOC = {"MALLOC_TRIM_THRESHOLD_": str(256 << 20), "MALLOC_MMAP_THRESHOLD_": str(256 << 20), "MALLOC_TOP_PAD_": str(64 << 20),
          "MALLOC_ARENA_MAX": "1"}


class Missing(Exception):
    """An arm that this machine cannot run; the message says why."""


# -- what the kernel says ----------------------------------------------------------------------------------------------

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


def threads_ns(pid: int | str) -> Iterator[tuple[str, int]]:
    """Name and CPU time of each thread; those that share a name but for digits are one (llvmpipe-0, llvmpipe-1)."""
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            name = (task / "comm").read_text().strip().rstrip("0123456789-")
            yield name, int((task / "schedstat").read_text().split()[0])
        except (OSError, IndexError):
            pass    # ended meanwhile, or a kernel without schedstat


def memory_mib(pid: int | str) -> float:
    """Proportional set size: shared pages count by how many share them."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


# -- processes ---------------------------------------------------------------------------------------------------------

def environment(name: str, gpu: bool, cache: str = "") -> dict[str, str]:
    """Of an arm. Without a GPU, software drivers are made sure of; with one, the machine's own choice stands."""
    kept = {key: value for key, value in os.environ.items()
            if key in ("MGPIPE_LIBEGL", "MGPIPE_DEVICE") or not key.startswith(("MGPIPE_", "GALLIUM_", "MALLOC_", "GLIBC_TUNABLES"))}
    if name == "virpipe":
        kept |= {"GALLIUM_DRIVER": "virpipe", "LIBGL_ALWAYS_SOFTWARE": "true"}
    if name == "direct-malloc":
        kept |= MALLOC
    if cache:
        kept["MGPIPE_SHADER_CACHE"] = cache
    return kept if gpu else kept | {"EGL_PLATFORM": "surfaceless"}


class Virgl:
    """virgl_test_server, which serves virpipe."""

    def __init__(self) -> None:
        if shutil.which("virgl_test_server") is None:
            raise Missing("virgl_test_server is not installed (Debian: virgl-server)")
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(VIRGL_SOCKET)) == 0:
                raise Missing(f"another virgl_test_server listens at {VIRGL_SOCKET}")
        VIRGL_SOCKET.unlink(missing_ok=True)        # left behind by one that was killed
        self.process = subprocess.Popen(["virgl_test_server", "--use-egl-surfaceless"], env=environment("server", False),
                                        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not VIRGL_SOCKET.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise Missing("virgl_test_server did not start")
            time.sleep(0.02)

    def end(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)     # it forks for every client
        except ProcessLookupError:
            pass
        self.process.wait()
        VIRGL_SOCKET.unlink(missing_ok=True)


class Server:
    """`mgpipe serve` at an address of its own choice: `address` is what a client names."""

    def __init__(self, listen: str, gpu: bool) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "mgpipe", "serve", "--listen", listen], text=True,
                                        env=environment("server", gpu), stderr=subprocess.PIPE)
        first = self.process.stderr.readline()
        self.address = first.partition("listening on ")[2].split(" ")[0]
        if not self.address:
            raise Missing(f"mgpipe serve: {first.strip() or 'said nothing'}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Arm:
    """A process of arm.py. `ask` sends it a line and waits for the answer; `begin` and `answer` are its two halves."""

    def __init__(self, label: str, name: str, surroundings: dict[str, str], *arguments: str) -> None:
        self.label, self.name = label, name
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([sys.executable, HERE / "arm.py", name, *arguments], env=surroundings,
                                        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        try:
            self.hello = self.answer()
        except Missing:
            self.close()
            raise

    def begin(self, *words: str) -> None:
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            last = self.errors.read().strip().splitlines()[-1:] or ["said nothing"]
            raise Missing(f"ended with status {self.process.returncode}: {last[0]}")
        return json.loads(line)

    def ask(self, *words: str) -> Any:
        self.begin(*words)
        return self.answer()

    def close(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()
