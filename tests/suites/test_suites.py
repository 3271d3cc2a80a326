"""moderngl's and zengl's own tests: what passes on the direct driver passes here."""

import pytest
from ahead import Ahead
from serving import DATA
from suites import ARMS, ARMS_IN_PART, SAMPLE, SUITES, Report, expectations, judge, read_expectations, run

DIRECT = "direct-"


@pytest.fixture(scope="session")
def reports(tmp_path_factory, servers):
    """reports(suite, arm, files): of a suite, or of a part of it; "direct-": on this machine's driver, without mgpipe."""
    def report(suite: str, arm: str, files: tuple[str, ...] = ()) -> Report:
        place, driver = arm.split("-")
        options = servers.options(place) if place in DATA else {}
        return run(suite, place, driver, tmp_path_factory.mktemp(f"{suite}-{arm}"), files, **options)

    runs = Ahead(report)
    for suite in SUITES:
        for arm in (DIRECT, *ARMS):
            runs.begin(suite, arm)
        for arm in ARMS_IN_PART:
            runs.begin(suite, arm, SAMPLE[suite])
    yield runs
    runs.close()


@pytest.mark.parametrize("suite", SUITES)
def test_the_direct_driver_passes_what_it_is_known_to_pass(reports, suite):
    direct = reports(suite, DIRECT)
    assert len(direct.passed) >= SUITES[suite], direct.reasons


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("arm", ARMS)
def test_suite(reports, suite, arm):
    report = reports(suite, arm)
    surprises = judge(reports(suite, DIRECT), report, expectations(suite, arm.split("-")[1], report.version))
    assert not surprises, "\n".join(surprises)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("arm", ARMS_IN_PART)
def test_a_part_of_a_suite(reports, suite, arm):
    files = SAMPLE[suite]
    report = reports(suite, arm, files)
    expected = {test for test in expectations(suite, arm.split("-")[1], report.version) if test.startswith(files)}
    surprises = judge(reports(suite, DIRECT).of(files), report, expected)
    assert not surprises, "\n".join(surprises)
    assert len(report.passed) > 10


def test_every_kind_of_surprise_is_told():
    direct = Report({"fails": "passed", "skips": "passed", "is gone": "passed", "fine": "passed", "broken": "failed"}, {})
    here = Report({"fails": "failed", "skips": "skipped", "fine": "passed", "broken": "failed"}, {"fails": "a reason"})
    told = judge(direct, here, {"fine", "never was"})
    assert told == ["fails failed: a reason", "is gone did not run: ", "skips skipped: ",
                    "fine passes now: take it out of the expectations",
                    "never was is expected to fail, but no test is called so"]
    assert judge(direct, here, {"fails", "skips", "is gone"}) == []


def test_expectations_follow_the_version_that_is_promised():
    text = "# why\nalways\n\n[below 4.3]\nskipped\n[from 4.1]\nwrong\n"
    assert read_expectations(text, "3.3") == {"always", "skipped"}
    assert read_expectations(text, "4.1") == {"always", "skipped", "wrong"}
    assert read_expectations(text, "4.6") == {"always", "wrong"}
