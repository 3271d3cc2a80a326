"""Which version of OpenGL is promised."""

import pytest
from mgpipe.catalogue import limits, versions
from mgpipe.catalogue.refused import REFUSED

NUMBERS = [version.number for version in versions.VERSIONS]


def capable(**changes) -> dict:
    """The capabilities of a driver that lacks nothing."""
    caps = {"features": (1 << len(limits.FEATURES)) - 1, "dialect": 1}
    for version in versions.VERSIONS:
        for field, least in version.minimums.items():
            caps[field] = least
    return caps | changes


@pytest.fixture
def nothing_refused(monkeypatch):
    for number in REFUSED:
        monkeypatch.setitem(REFUSED, number, ())


def without(feature: str) -> int:
    return capable()["features"] & ~(1 << [name for name, _ in limits.FEATURES].index(feature))


def test_all_of_it_is_promised_where_nothing_lacks(nothing_refused):
    assert versions.promise(capable(), "") == (46, ())


@pytest.mark.parametrize("number", NUMBERS)
def test_a_refused_command_bounds_the_promise(nothing_refused, monkeypatch, number):
    monkeypatch.setitem(REFUSED, number, ("glNothing",))
    promised = versions.whole(capable())
    assert promised == ([33, *NUMBERS])[NUMBERS.index(number)]
    assert versions.promise(capable(), f"{number / 10}") == (number, ["glNothing"])


@pytest.mark.parametrize(("feature", "promised"), [("tessellation", 33), ("compute", 42), ("clip_control", 44)])
def test_a_feature_that_the_driver_lacks_bounds_the_promise(nothing_refused, feature, promised):
    assert versions.whole(capable(features=without(feature))) == promised


@pytest.mark.parametrize(("limit", "value", "promised"), [
    ("max_texture_size", 8192, 40), ("max_viewport_dims", [16384, 8192], 40), ("max_viewport_dims", [16384, 16384], 46),
    ("max_vertex_uniform_blocks", 13, 42), ("min_program_texture_gather_offset", -7, 33)])
def test_a_limit_below_the_minimum_bounds_the_promise(nothing_refused, limit, value, promised):
    assert versions.whole(capable(**{limit: value})) == promised


def test_a_limit_that_nothing_answers_bounds_the_promise(nothing_refused):
    caps = capable()
    del caps["max_vertex_streams"]
    assert versions.whole(caps) == 33
    assert versions.promise(caps, "4.0") == (40, ["an answer to max_vertex_streams"])


def test_on_opengl_es_what_cannot_be_made_up_for_bounds_the_promise(nothing_refused):
    assert versions.whole(capable(dialect=versions.DIALECT_ES)) < 46
    _, lacking = versions.promise(capable(dialect=versions.DIALECT_ES), "4.6")
    assert all("OpenGL ES" in name for name in lacking) and lacking


def test_rows_name_limits_and_features_that_there_are():
    assert NUMBERS == sorted(NUMBERS) and set(NUMBERS) | {33} == set(REFUSED)
    features = {name for name, _ in limits.FEATURES}
    assert all(feature in features for version in versions.VERSIONS for feature in version.features)
    fields = {limit.field for limit in limits.LIMITS}
    assert {field for version in versions.VERSIONS for field in version.minimums} - fields == NOT_ASKED_YET


# Limits of commands that are refused so far: a version that needs them cannot be promised anyway.
NOT_ASKED_YET: set[str] = set()

