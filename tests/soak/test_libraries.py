"""Programs over libraries that have an environment of their own: manim; each as the direct driver draws it."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/suites"))

from suites import ARMS  # noqa: E402
from test_smoke import APART, compare, run  # noqa: E402

pytestmark = pytest.mark.soak

PYTHON = ROOT / "build/libraries/bin/python"


@pytest.fixture(scope="module")
def direct(tmp_path_factory):
    assert PYTHON.exists(), f"{PYTHON} is missing: `make build/libraries/ready` makes it"
    folder = tmp_path_factory.mktemp("direct")
    return {program: run(program, folder, python=str(PYTHON)) for program in APART}


@pytest.mark.parametrize("program", sorted(APART))
@pytest.mark.parametrize("arm", [*ARMS, "monolith-gl", "inproc-gl"])
def test_the_picture_is_the_direct_driver_s(direct, tmp_path, program, arm):
    compare(run(program, tmp_path, arm, python=str(PYTHON)), direct[program], program, arm)
