"""The benchmark suite runs and reports. How fast anything is, is no matter for a test."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    ran = subprocess.run(
        [sys.executable, BENCHMARKS / "run.py", "--quick", "--arm", "floor", "direct", "spawn", "--scene", "draw", "buffer_4k", "idle_finish",
         "--out", folder], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return folder


def test_results_hold_every_arm_and_scene(written):
    results = json.loads((written / "results.json").read_text())
    assert set(results["arms"]) == {"floor", "direct", "spawn"} and not results["missing"]
    assert set(results["scenes"]) == {"draw", "buffer_4k", "idle_finish"}
    for by_arm in results["scenes"].values():
        assert set(by_arm) == set(results["arms"])
        for figures in by_arm.values():
            assert 0 < figures["submit"]["p10"] <= figures["submit"]["p90"]
            assert 0 < figures["submit"]["median"] <= figures["finish"]["p90"]
    sent = results["scenes"]["buffer_4k"]["spawn"]
    assert sent["round_trips"]["median"] == 0 and sent["client_copy_bytes"]["median"] == 4096
    assert any(name.startswith("server mgpipe-apply") for name in sent["threads"])
    assert results["first pixel"]["spawn"]["seen"]["median"] > 0 and results["first pixel"]["spawn"]["memory MiB"]["servers"]
    assert [row["sessions"] for row in results["sessions"]["gl"]] == [1, 2]


def test_the_table_and_the_picture_show_them(written):
    text = (written / "results.txt").read_text()
    for part in ("until glFinish", "what crossed, each, on spawn", "CPU by thread", "starting", "sessions on one server", "what is promised"):
        assert part in text
    picture = ElementTree.parse(written / "results.svg").getroot()
    assert "buffer orphan + write 4 KiB + draw" in [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_a_promise_is_told_as_kept_or_broken(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from acceptance import Judge

    def finish(us):
        return {"finish": {"median": us}}

    results = {"arms": {"direct": {"renderer": "llvmpipe"}}, "scenes": {"draw": {"direct": finish(1.0), "monolith": finish(1.2)}}}
    assert [line.split()[0] for line in Judge(results).monolith_and_tcp()] == ["NO"]
    results["scenes"]["draw"]["direct"] = finish(1.15)
    assert [line.split()[0] for line in Judge(results).monolith_and_tcp()] == ["yes"]
