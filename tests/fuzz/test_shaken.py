"""Memory that a client still writes while the server reads it: nothing is checked there and used from there."""

import json
from pathlib import Path

import fuzzing

SHAKEN = (Path(__file__).parent / "shaken.py").read_text()


def test_sessions_whose_ring_and_blobs_change_under_them_only_fault(built):
    ran = fuzzing.python(SHAKEN, "4", "1", timeout_s=90)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-6000:]
    out = json.loads(ran.stdout)
    assert out["sessions"] > 20 and out["records"] > 5_000 and out["changed"] > 1_000, out
