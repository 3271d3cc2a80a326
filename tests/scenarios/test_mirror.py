"""The server mirror may be dropped at any verb: the next one rebuilds the server, and the picture stays the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from scenario import EXAMPLES, PROGRAMS, clean_environment, picture

MODERNGL = [name for name in PROGRAMS if not name.startswith(("zengl", "pyopengl"))]


# Each on one of them, in turn; `make soak` has all, with more seeds.
TOPOLOGIES = ("monolith", "spawn")


@pytest.mark.parametrize(("topology", "program"), [(TOPOLOGIES[n % 2], name) for n, name in enumerate(MODERNGL)])
def test_the_mirror_dropped_at_random_verbs_changes_no_pixel(scenario, topology, program):
    out = scenario.folder / f"{program}-dropped.png"
    command = [sys.executable, str(Path(__file__).with_name("dropping.py")), "1", str(EXAMPLES / f"{program}.py"), str(out),
               topology, "gl"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[-1]) > 0, "nothing was dropped: the test tested nothing"
    assert picture(out).pixels == scenario.direct(program).pixels
