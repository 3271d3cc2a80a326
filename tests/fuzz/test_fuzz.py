"""Hostile clients, a little of them each time: `make soak` does the same for long, `make fuzz` for as long as one likes.

The build is instrumented: a byte read or written outside of its block, arithmetic that C does not define, a leak or an input
that takes seconds ends the process, and the input lies in build/fuzz-corpus.
"""

import re

import fuzzing
import handshakes
import pytest
from serving import Server

SECONDS = 1
STATISTIC = re.compile(r"stat::number_of_executed_units: (\d+)")


@pytest.mark.parametrize("target", fuzzing.TARGETS)
def test_coverage_guided_inputs_find_nothing(target, recorded, tmp_path):
    ran = fuzzing.fuzz(target, SECONDS, tmp_path, seed=1)       # from the seeds, or each run would begin with more to read
    assert ran.returncode == 0, fuzzing.told(ran)
    assert int(STATISTIC.search(ran.stderr)[1]) > 100, ran.stderr


@pytest.mark.parametrize("target, records", [("session", 60_000), ("stream_session", 20_000)])
def test_most_records_of_valid_looking_sessions_are_applied(target, records, built):
    """The declarations and the generated decoder agree: a record that nobody damaged is applied, or this ends by a fault."""
    out = fuzzing.soak(target, seed=1, records=records)
    assert out["applied"] > out["records"] / 2
    assert min(out["applied_of"].values()) > records / 1500, out["applied_of"]
    assert out["damaged"] > records / 100
    assert out["peak_mb"] < fuzzing.MEMORY_MB


def test_no_handshake_ends_or_holds_a_server(recorded, tmp_path):
    server = Server(f"unix:{tmp_path}/socket")
    try:
        answers = handshakes.run(server.address, 150, seed=1, recorded=recorded)
        assert answers["malformed"] > 50 and answers["offer"] + answers["welcome"] > 0, answers
        assert handshakes.run(server.address, 150, seed=2, recorded=recorded)["malformed"] > 50
        assert server.process.poll() is None
    finally:
        server.end()
