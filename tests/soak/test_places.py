"""Both upstream suites, whole, and the programs over libraries, wherever records go: the same outcome as on spawn."""

import sys
from pathlib import Path

import pytest
from serving import DATA

sys.path.insert(0, str(Path(__file__).parents[1] / "suites"))

from suites import PLACES, SUITES, Report, expectations, judge, run  # noqa: E402
from test_smoke import PROGRAMS, compare  # noqa: E402
from test_smoke import run as draw  # noqa: E402

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def spawned(tmp_path_factory) -> dict[str, Report]:
    return {suite: run(suite, "spawn", "gl", tmp_path_factory.mktemp(suite)) for suite in SUITES}


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("place", PLACES)
def test_a_suite_comes_out_as_on_spawn(spawned, servers, tmp_path, suite, place):
    report = run(suite, place, "gl", tmp_path, **(servers.options(place) if place in DATA else {}))
    assert report.version == spawned[suite].version
    assert judge(spawned[suite], report, set()) == []
    assert report.outcomes == spawned[suite].outcomes
    assert len(report.passed) >= SUITES[suite] - len(expectations(suite, "gl", report.version))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_draws_as_on_spawn(tmp_path, program):
    spawned = draw(program, tmp_path, "spawn-gl")
    for arm in ("monolith-gl", "inproc-gl"):
        compare(draw(program, tmp_path, arm), spawned, program, arm)
