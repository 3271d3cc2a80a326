"""Both upstream suites, whole, on servers elsewhere: the same outcome over each kind of link as on spawn."""

import sys
from pathlib import Path

import pytest
from serving import DATA, Servers

sys.path.insert(0, str(Path(__file__).parents[1] / "suites"))

from suites import SUITES, Report, expectations, judge, run  # noqa: E402

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.end()


@pytest.fixture(scope="module")
def spawned(tmp_path_factory) -> dict[str, Report]:
    return {suite: run(suite, "spawn", "gl", tmp_path_factory.mktemp(suite)) for suite in SUITES}


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("kind", DATA)
def test_a_suite_comes_out_as_on_spawn(spawned, servers, tmp_path, suite, kind):
    report = run(suite, kind, "gl", tmp_path, **servers.options(kind))
    assert report.version == spawned[suite].version
    assert judge(spawned[suite], report, set()) == []
    assert report.outcomes == spawned[suite].outcomes
    assert len(report.passed) >= SUITES[suite] - len(expectations(suite, "gl", report.version))
