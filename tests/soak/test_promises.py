"""More is promised on OpenGL ES when it is asked for: moderngl's suite then passes what the direct driver passes."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "suites"))

from suites import expectations, judge, run  # noqa: E402

pytestmark = pytest.mark.soak


def test_moderngl_at_a_version_whose_deviations_are_named(tmp_path):
    direct = run("moderngl", "direct", "", tmp_path / "direct")
    report = run("moderngl", "spawn", "gles", tmp_path / "gles", gl_version="4.3")
    assert report.version == "4.3"
    assert not (surprises := judge(direct, report, expectations("moderngl", "gles", "4.3"))), "\n".join(surprises)
    assert len(report.passed) >= 0.98 * len(direct.passed)
