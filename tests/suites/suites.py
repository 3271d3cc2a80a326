"""Suites that nobody here wrote: where they are, how one runs on an arm, and how its outcome is judged.

A suite's tests come with its source distribution (`make` unpacks them, see sdists.txt), its fixtures and its own `utils`
are in this folder. A run is a process of its own under the preload, and the session proves which arm it was.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
SDISTS = HERE.parents[1] / "build" / "suites"
EXPECTATIONS = HERE.parent / "expectations"
sys.path.insert(0, str(HERE.parent / "scenarios"))

from scenario import clean_environment, prove_arm  # noqa: E402
from serving import DATA  # noqa: E402

# How many tests the direct driver passes at least: fewer, and there is nothing to compare with.
SUITES = {"moderngl": 511, "zengl": 101}
# Whole each time on the default topology, for both drivers, and in part wherever else records go; the long tier runs all
# of it there (tests/soak/test_places.py).
ARMS = ["spawn-gl", "spawn-gles"]
PLACES = ["monolith", "inproc", *DATA]
ARMS_IN_PART = [f"{place}-gl" for place in PLACES]
# The part: uploads, reads, and an error or two.
SAMPLE = {"moderngl": ("test_buffer.py", "test_framebuffer.py", "test_pbo.py", "test_texture.py", "test_uniform_block.py"),
          "zengl": ("test_image.py", "test_pixel_transfer.py", "test_render_blend.py", "test_invalid_pipeline.py")}


@dataclass(frozen=True)
class Report:
    """What became of each test of a suite: passed, failed or skipped; and why, unless it passed."""

    outcomes: dict[str, str]
    reasons: dict[str, str]
    stderr: str = ""
    stats: dict = field(default_factory=dict)   # of the session; none of the direct driver

    def of(self, files: tuple[str, ...]) -> "Report":
        """The part of it that is about these files."""
        def theirs(lines: dict[str, str]) -> dict[str, str]:
            return {test: line for test, line in lines.items() if test.startswith(files)}

        return Report(theirs(self.outcomes), theirs(self.reasons), self.stderr, self.stats)

    @property
    def version(self) -> str:
        """Of OpenGL that was promised."""
        return self.stats["gl_version"]

    @property
    def passed(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome == "passed"}

    def count(self, outcome: str) -> int:
        return sum(one == outcome for one in self.outcomes.values())


def folder(suite: str) -> Path:
    pinned = re.search(rf"^{suite}==(\S+)", (HERE / "sdists.txt").read_text(), re.M)[1]
    tests = SDISTS / f"{suite}-{pinned}" / "tests"
    assert tests.is_dir(), f"{tests} is missing: `make suites` fetches it"
    return tests


def run(suite: str, topology: str, driver: str, results: Path, files: tuple[str, ...] = (), **options: str) -> Report:
    """Run a suite, or some files of it; topology "direct": without mgpipe, or the kind of address that options["server"] is
    of. Options are mgpipe's, by name."""
    results.mkdir(parents=True, exist_ok=True)
    report, stats = results / "report.json", results / "stats.json"
    environment = clean_environment() | {"PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", "SUITE_REPORT": str(report)}
    if topology != "direct":
        place = {} if "server" in options else {"MGPIPE_TOPOLOGY": topology}
        environment |= {"MGPIPE_PRELOAD": "1", "MGPIPE_DRIVER": driver, "MGPIPE_STATS": str(stats)} | place
        environment |= {f"MGPIPE_{name.upper()}": value for name, value in options.items()}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", f"{suite}_fixtures", "-p", "suite_report",
               "--rootdir=.", "--tb=short", "-W", "ignore", *files]
    ended = subprocess.run(command, cwd=folder(suite), env=environment, capture_output=True, text=True, timeout=400)
    assert ended.returncode in (0, 1) and report.exists(), f"{ended.stdout[-4000:]}\n{ended.stderr[-4000:]}"
    counters = {}
    if topology != "direct":
        counters = json.loads(stats.read_text())
        prove_arm(counters, topology, driver)
    return Report(**json.loads(report.read_text()), stderr=ended.stderr, stats=counters)


def expectations(suite: str, driver: str, version: str) -> set[str]:
    """The tests that are known not to pass where `version` is promised, as `file.py::test[case]` lines.

    `#` begins a comment. What follows a line `[below 4.3]` counts below that version, what follows `[from 4.1]` from it on."""
    return read_expectations((EXPECTATIONS / f"{suite}-{driver}.txt").read_text(), version)


def read_expectations(text: str, version: str) -> set[str]:
    expected, counts = set(), True
    for line in text.splitlines():
        if section := re.fullmatch(r"\[(below|from) (\d\.\d)\]", line):
            counts = (version < section[2]) == (section[1] == "below")
        elif line and not line.startswith("#") and counts:
            expected.add(line)
    return expected


def judge(direct: Report, report: Report, expected: set[str]) -> list[str]:
    """A sentence for each surprise. A skip is not a pass, and what is expected to fail must."""
    surprises = [f"{test} {report.outcomes.get(test, 'did not run')}: {report.reasons.get(test, '')[-600:]}"
                 for test in sorted(direct.passed - report.passed - expected)]
    surprises += [f"{test} passes now: take it out of the expectations" for test in sorted(expected & report.passed)]
    surprises += [f"{test} is expected to fail, but no test is called so" for test in sorted(expected - direct.passed)]
    return surprises
