"""Both upstream suites in verify mode: before each verb of theirs, what was sent is what the program's state says."""

import sys
from pathlib import Path

import pytest
from serving import DATA

sys.path.insert(0, str(Path(__file__).parents[1] / "suites"))

from suites import ARMS, ARMS_IN_PART, SUITES, expectations, run  # noqa: E402

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("arm", [*ARMS, *ARMS_IN_PART])
def test_a_suite_verifies(servers, tmp_path, suite, arm):
    place, driver = arm.split("-")
    report = run(suite, place, driver, tmp_path, verify="2", **(servers.options(place) if place in DATA else {}))
    told = report.stderr + "".join(report.reasons.values())
    assert "VerifyMismatch" not in told and "NotSupplied" not in told, told[-4000:]
    assert report.stats["records"] > 2 * report.stats["verbs"], "no snapshot travelled: the test tested nothing"
    assert len(report.passed) >= SUITES[suite] - len(expectations(suite, driver, report.version))
