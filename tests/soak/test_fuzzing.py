"""Hostile clients for long: 10 million records, 100,000 handshakes, minutes of coverage-guided fuzzing. 15 minutes on two cores."""

import multiprocessing
import os
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

import fuzzing  # noqa: E402
import handshakes  # noqa: E402
import traffic  # noqa: E402
from serving import Server  # noqa: E402

pytestmark = pytest.mark.soak

SHAKEN = (Path(__file__).parents[1] / "fuzz/shaken.py").read_text()
RECORDS = 10_000_000
APPLIED_OF_EACH = 10_000
HANDSHAKES, OF_A_SERVER = 100_000, 10_000       # the rest without the fork that a server makes for each
BATCH = 300


@pytest.fixture
def seed() -> int:
    """Another one each time. What a test prints stands in the report of its failure."""
    chosen = int(time.time())
    print(f"seed {chosen}")
    return chosen


@pytest.fixture(scope="module")
def recorded() -> list[bytes]:
    fuzzing.build()
    return traffic.seed(fuzzing.SEEDS)


def test_ten_million_records(recorded, seed):
    """A minute or two at 100,000 records a second, under the sanitizers. `records` counts what the applier was given."""
    out = fuzzing.soak("session", seed=seed, records=RECORDS, timeout_s=1800)
    print(out)
    assert out["applied"] > RECORDS / 2
    assert min(out["applied_of"].values()) >= APPLIED_OF_EACH, out["applied_of"]
    assert out["peak_mb"] < fuzzing.MEMORY_MB


def test_a_million_records_over_streams(recorded, seed):
    out = fuzzing.soak("stream_session", seed=seed, records=1_000_000, timeout_s=1800)
    print(out)
    assert out["applied"] > out["records"] / 2
    assert out["peak_mb"] < fuzzing.MEMORY_MB


@pytest.mark.parametrize("target", fuzzing.TARGETS)
def test_a_minute_of_coverage_guided_fuzzing(target, recorded):
    ran = fuzzing.fuzz(target, 60)
    assert ran.returncode == 0, fuzzing.told(ran)


def test_a_minute_of_coverage_guided_handshakes(recorded):
    pytest.importorskip("atheris")
    ran = fuzzing.fuzz_control(60)
    assert ran.returncode == 0, fuzzing.told(ran)


def test_memory_that_changes_for_a_minute(recorded, seed):
    ran = fuzzing.python(SHAKEN, "60", str(seed), timeout_s=200)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-6000:]


def test_handshakes_with_a_server(recorded, seed, tmp_path):
    server = Server(f"unix:{tmp_path}/socket")
    try:
        before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        answers = handshakes.run(server.address, OF_A_SERVER, seed=seed, recorded=recorded)
        end = time.monotonic() + 15
        while server.sessions() and time.monotonic() < end:
            time.sleep(0.1)
        assert not server.sessions() and server.process.poll() is None
        assert len(os.listdir(f"/proc/{server.process.pid}/fd")) == before
        assert handshakes.resident_mb(server.process.pid) < 64
        assert answers.total() == OF_A_SERVER and answers["malformed"] > OF_A_SERVER / 2, answers
    finally:
        server.end()


def test_a_hundred_thousand_handshakes(recorded, seed, tmp_path):
    path, batches = f"{tmp_path}/socket", (HANDSHAKES - OF_A_SERVER) // BATCH
    serving = multiprocessing.get_context("fork").Process(target=handshakes.serve_batches, args=(path, batches, BATCH))
    serving.start()
    while not os.path.exists(path):
        time.sleep(0.01)
    answers = handshakes.run(f"unix:{path}", batches * BATCH, seed=seed, recorded=recorded)
    serving.join(60)
    assert serving.exitcode == 0
    assert answers.total() == batches * BATCH and answers["malformed"] > HANDSHAKES / 2, answers
