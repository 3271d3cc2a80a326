"""A pytest plugin for a suite's own process: writes what became of each test to the file that SUITE_REPORT names."""

import json
import os
from pathlib import Path

outcomes: dict[str, str] = {}
reasons: dict[str, str] = {}


def pytest_runtest_logreport(report) -> None:
    """A test has passed when set-up, call and tear-down have; anything else said about it is worse."""
    if report.passed:
        outcomes.setdefault(report.nodeid, "passed")
        return
    outcomes[report.nodeid] = report.outcome if outcomes.get(report.nodeid) != "failed" else "failed"
    reasons[report.nodeid] = str(report.longrepr)


def pytest_collectreport(report) -> None:
    if report.failed:
        outcomes[report.nodeid], reasons[report.nodeid] = "failed", str(report.longrepr)


def pytest_sessionfinish() -> None:
    Path(os.environ["SUITE_REPORT"]).write_text(json.dumps({"outcomes": outcomes, "reasons": reasons}))
