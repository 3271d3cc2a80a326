"""The scenario base: programs, the arms they run on, and what a run leaves behind.

An arm is a topology and a driver. Nothing is trusted about it: every run asserts from the session's own statistics
that it really ran there.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

EXAMPLES = Path(__file__).parents[2] / "examples"
HELPERS = {"run_all", "stage", "surfaces"}
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in HELPERS)
ARMS = [(topology, driver) for driver in ("gl", "gles") for topology in ("monolith", "inproc", "spawn")]
LINKS = {"monolith": "direct calls", "inproc": "memory of this process", "spawn": "shared memory"}


@dataclass
class Run:
    size: tuple[int, int]
    pixels: bytes
    stats: dict = field(default_factory=dict)


def clean_environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}


def picture(path: Path) -> Run:
    image = Image.open(path)
    return Run(image.size, image.tobytes())


class Scenario:
    """Runs programs, and remembers what the driver itself draws."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.direct_runs: dict[tuple, Run] = {}

    def direct(self, program: str, frames: int = 3) -> Run:
        """The same program on this machine's driver, without mgpipe."""
        key = (program, frames)
        if key not in self.direct_runs:
            out = self.folder / f"{program}-{frames}.png"
            self._call([], program, out, frames)
            self.direct_runs[key] = picture(out)
        return self.direct_runs[key]

    def on(self, topology: str, driver: str, program: str, frames: int = 3) -> Run:
        out = self.folder / f"{program}-{topology}-{driver}.png"
        stats = self.folder / f"{program}-{topology}-{driver}.json"
        stats.unlink(missing_ok=True)
        prefix = [sys.executable, "-m", "mgpipe", "run", "--topology", topology, "--driver", driver, "--stats", str(stats), "--"]
        self._call(prefix, program, out, frames)
        run = picture(out)
        run.stats = json.loads(stats.read_text())
        prove_arm(run.stats, topology, driver)
        return run

    def _call(self, prefix: list[str], program: str, out: Path, frames: int) -> None:
        command = [*prefix, sys.executable, str(EXAMPLES / f"{program}.py"), str(out), "--frames", str(frames)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())
        assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}{result.stderr}"
        assert "not implemented" not in result.stderr, result.stderr


def prove_arm(stats: dict, topology: str, driver: str) -> None:
    assert (stats["topology"], stats["driver"], stats["link"]) == (topology, driver, LINKS[topology])
    assert stats["draws"] > 0 and stats["lost"] in (0, False)
    if topology == "spawn":
        assert stats["server_pid"] not in (0, None, os.getpid())
