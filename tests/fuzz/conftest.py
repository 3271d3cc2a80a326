"""What a fuzzing run says goes into the report only when it found something."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fuzzing  # noqa: E402
import traffic  # noqa: E402


def pytest_collection_finish(session) -> None:
    first = next((n for n, item in enumerate(session.items) if "built" in getattr(item, "fixturenames", ())), 0)
    if first and not session.config.option.collectonly:
        fuzzing.build_beside()


@pytest.fixture(scope="session")
def built() -> None:
    """The instrumented build stands."""
    fuzzing.build()


@pytest.fixture(scope="session")
def recorded(built) -> list[bytes]:
    """The corpus has its beginning: what programs sent, just now, by this build. The first frames of their connections."""
    return traffic.seed(fuzzing.SEEDS, traffic.PROGRAMS[:3])
