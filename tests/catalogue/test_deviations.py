"""The table of what OpenGL ES shows otherwise agrees with what the back end says, and with what is promised."""

import re
from pathlib import Path

from mgpipe.catalogue.deviations import DEVIATIONS, VERSIONS, Effect, promised_on_es

EVERYTHING = {row.unless for row in DEVIATIONS if row.unless}
SOURCES = Path(__file__).parents[2] / "src/mgpipe/backends/espryt"


def test_names_are_single_and_extensions_are_extensions():
    assert len({row.name for row in DEVIATIONS}) == len(DEVIATIONS)
    assert all(re.fullmatch(r"(GL_(EXT|OES|NV)_\w+)?", row.unless) for row in DEVIATIONS)


def test_what_the_back_end_says_deviates_is_a_row():
    said = {name for source in SOURCES.glob("*.pyx") for name in re.findall(r'deviates\(es, \w+, b"(\w+)"\)', source.read_text())}
    pictures = {row.name for row in DEVIATIONS if row.effect is Effect.PICTURE}
    assert said and said <= pictures


def test_a_missing_feature_lowers_the_promise_below_its_version():
    assert promised_on_es(EVERYTHING) == (3, 3)                 # doubles that cannot be had begin at 4.0
    assert promised_on_es(()) == VERSIONS[0]
    lowest = min(row.since for row in DEVIATIONS if row.effect is Effect.MISSING and not row.unless)
    assert promised_on_es(EVERYTHING) < lowest
