"""moderngl's and zengl's own tests: what passes on the direct driver passes here."""

import pytest
from serving import DATA
from suites import ARMS, ARMS_IN_PART, SAMPLE, SUITES, Report, expectations, judge, read_expectations, run


@pytest.fixture(scope="session")
def direct(tmp_path_factory):
    """The same tests on this machine's driver, without mgpipe, once for each suite."""
    reports: dict[str, Report] = {}

    def report(suite: str) -> Report:
        if suite not in reports:
            reports[suite] = run(suite, "direct", "", tmp_path_factory.mktemp(f"{suite}-direct"))
        return reports[suite]

    return report


@pytest.mark.parametrize("suite", SUITES)
def test_the_direct_driver_passes_what_it_is_known_to_pass(direct, suite):
    assert len(direct(suite).passed) >= SUITES[suite], direct(suite).reasons


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("arm", ARMS)
def test_suite(direct, tmp_path, suite, arm):
    topology, driver = arm.split("-")
    report = run(suite, topology, driver, tmp_path)
    surprises = judge(direct(suite), report, expectations(suite, driver, report.version))
    assert not surprises, "\n".join(surprises)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("arm", ARMS_IN_PART)
def test_a_part_of_a_suite(direct, servers, tmp_path, suite, arm):
    place, driver = arm.split("-")
    files = SAMPLE[suite]
    report = run(suite, place, driver, tmp_path, files, **(servers.options(place) if place in DATA else {}))
    expected = {test for test in expectations(suite, driver, report.version) if test.startswith(files)}
    surprises = judge(direct(suite).of(files), report, expected)
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
