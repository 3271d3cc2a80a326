"""More is promised when it is asked for: moderngl's suite then passes what the direct driver passes, on both dialects."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "suites"))

from suites import Report, expectations, judge, run  # noqa: E402

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def direct(tmp_path_factory) -> Report:
    return run("moderngl", "direct", "", tmp_path_factory.mktemp("direct"))


@pytest.mark.parametrize("version", ["4.3", "4.5"])
@pytest.mark.parametrize("driver", ["gl", "gles"])
def test_moderngl_at_a_version_whose_gaps_are_named(direct, tmp_path, driver, version):
    report = run("moderngl", "spawn", driver, tmp_path, gl_version=version)
    assert report.version == version
    assert not (surprises := judge(direct, report, expectations("moderngl", driver, version))), "\n".join(surprises)
    assert len(report.passed) >= 0.98 * len(direct.passed)
