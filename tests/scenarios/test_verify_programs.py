"""Whole programs in verify mode: every verb's state and, at each read, every content is what was sent; nothing else differs."""

import json
import os
import subprocess
import sys

import pytest
from scenario import EXAMPLES, NEWER, PROGRAMS, clean_environment, picture, prove_arm

TOPOLOGIES = ("monolith", "inproc", "spawn")
SAMPLE = PROGRAMS[::3]          # each on one topology, in turn; `make soak` runs all on all, and the suites


@pytest.mark.parametrize(("topology", "program"), [(TOPOLOGIES[n % 3], name) for n, name in enumerate(SAMPLE)])
def test_a_program_verifies(tmp_path, topology, program):
    verify(tmp_path, topology, "gl", program)


def verify(folder, topology: str, driver: str, program: str) -> None:
    stats, out = folder / "stats.json", folder / "picture.png"
    version = ["--gl-version", "4.3"] if program.startswith(NEWER) else []
    command = [sys.executable, "-m", "mgpipe", "run", "--topology", topology, "--driver", driver, "--verify", "2", "--stats", str(stats),
               *version, "--", sys.executable, str(EXAMPLES / f"{program}.py"), str(out), "--frames", "3"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())
    assert result.returncode == 0 and "VerifyMismatch" not in result.stderr, result.stderr
    counters = json.loads(stats.read_text())
    prove_arm(counters, topology, driver)
    assert counters["records"] > 2 * counters["verbs"], "no snapshot travelled: the test tested nothing"
    assert os.path.exists(out) and picture(out).size[0] > 0
