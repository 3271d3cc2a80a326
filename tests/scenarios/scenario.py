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

from ahead import Ahead
from PIL import Image
from serving import DATA, Servers

EXAMPLES = Path(__file__).parents[2] / "examples"
HELPERS = {"run_all", "stage", "surfaces"}
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in HELPERS)
ARMS = [(topology, driver) for driver in ("gl", "gles") for topology in ("monolith", "inproc", "spawn")]
ARMS += [(kind, "gl") for kind in DATA]
ALONE = ("zengl", "pyopengl", "compute")
FRAMES = 3                  # that each program draws
NEWER = "compute"           # programs that need more than OpenGL 3.3
# Arm → the topology and link that its statistics must show. The last three are servers of the tests' own.
LINKS = {"monolith": ("monolith", "direct calls"), "inproc": ("inproc", "memory of this process"),
         "spawn": ("spawn", "shared memory"), "unix": ("remote", "shared memory"), "tcp": ("remote", "stream"),
         "tls": ("remote", "encrypted stream")}


@dataclass
class Run:
    size: tuple[int, int]
    pixels: bytes
    stats: dict = field(default_factory=dict)


def clean_environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}


def picture(path: Path, stats: dict | None = None) -> Run:
    image = Image.open(path)
    return Run(image.size, image.tobytes(), stats or {})


class Scenario:
    """Runs programs, and remembers what they drew.

    moderngl's examples run one after the other in one process, for time; zengl and PyOpenGL keep a context for the
    process, and compute programs need a newer OpenGL, so theirs run alone. On spawn with the GL driver, the default, every program runs alone: unmodified, as a user
    starts it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = Ahead(self._start)
        self.servers = Servers(folder)

    def close(self) -> None:
        self.runs.close()
        self.servers.end()

    def direct(self, program: str) -> Run:
        """The same program on this machine's driver, without mgpipe."""
        return self._run("direct", "", program)

    def on(self, topology: str, driver: str, program: str) -> Run:
        run = self._run(topology, driver, program)
        prove_arm(run.stats, topology, driver)
        return run

    def _run(self, topology: str, driver: str, program: str) -> Run:
        alone = [name for name in PROGRAMS if name.startswith(ALONE) or (topology, driver) == ("spawn", "gl")]
        together = tuple(name for name in PROGRAMS if name not in alone)
        processes = [*([together] if together else []), *((name,) for name in alone)]
        for programs in processes:
            self.runs.begin(topology, driver, programs)
        return self.runs(topology, driver, next(programs for programs in processes if program in programs))[program]

    def _start(self, topology: str, driver: str, programs: tuple[str, ...]) -> dict[str, Run]:
        folder = self.folder / f"{topology}-{driver}"
        folder.mkdir(exist_ok=True)
        stats = folder / f"{programs[0]}.json"
        options = self.servers.options(topology) if topology in DATA else {"topology": topology}
        place = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        version = ["--gl-version", "4.3"] if programs[0].startswith(NEWER) else []
        prefix = [sys.executable, "-m", "mgpipe", "run", *place, *version, "--driver", driver, "--stats", str(stats), "--"]
        paths = [str(EXAMPLES / f"{name}.py") for name in programs]
        if len(programs) == 1:
            program = [paths[0], str(folder / f"{programs[0]}.png"), "--frames", str(FRAMES)]
        else:
            program = [str(Path(__file__).with_name("several.py")), str(folder), str(FRAMES), *paths]
        command = [*(prefix if driver else []), sys.executable, *program]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=clean_environment())
        assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}{result.stderr}"
        assert "not implemented" not in result.stderr, result.stderr
        counters = json.loads(stats.read_text()) if driver else {}
        return {name: picture(folder / f"{name}.png", counters) for name in programs}


def prove_arm(stats: dict, topology: str, driver: str) -> None:
    assert (stats["topology"], stats["link"], stats["driver"]) == (*LINKS[topology], driver)
    assert stats["draws"] > 0 and stats["lost"] in (0, False)
    assert stats["server"].partition(":")[0] == (topology if topology in DATA else "")
    if topology in ("spawn", *DATA):
        assert stats["server_pid"] not in (0, None, os.getpid())
