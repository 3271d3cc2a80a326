"""The server mirror may be dropped at any verb: the next one rebuilds the server, and the picture stays the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from scenario import EXAMPLES, PROGRAMS, clean_environment, picture

MODERNGL = [name for name in PROGRAMS if not name.startswith(("zengl", "pyopengl"))]


@pytest.mark.parametrize("program", MODERNGL)
def test_the_mirror_dropped_at_random_verbs_changes_no_pixel(scenario, program):
    drops = 0
    for seed, topology, driver in ((1, "monolith", "gl"), (2, "spawn", "gl")):
        out = scenario.folder / f"{program}-dropped-{seed}.png"
        command = [sys.executable, str(Path(__file__).with_name("dropping.py")), str(seed), str(EXAMPLES / f"{program}.py"),
                   str(out), topology, driver]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())
        assert result.returncode == 0, result.stderr
        drops += int(result.stdout.split()[-1])
        assert picture(out).pixels == scenario.direct(program).pixels, f"seed {seed} on {topology}"
    assert drops > 0, "nothing was dropped: the test tested nothing"
