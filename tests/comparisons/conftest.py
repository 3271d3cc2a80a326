"""Walks of bare OpenGL, run on the direct driver and on mgpipe: one process for each arm."""

import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
VERSION = "4.5"                 # promised even where something of it is missing: the walks say what they ask for
WALKS = sorted(path.stem for path in (HERE / "walks").glob("*.py"))


@cache
def answers(topology: str, driver: str, *walks: str, **variables: str) -> dict[str, dict]:
    """Of every walk, or these. Without a driver's name: the machine's own OpenGL."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "answers")
        prefix = [sys.executable, "-m", "mgpipe", "run", "--topology", topology, "--driver", driver, "--"] if driver else []
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")} | {"MGPIPE_GL_VERSION": VERSION}
        run = subprocess.run([*prefix, sys.executable, str(HERE / "bare.py"), str(out), VERSION, *(walks or WALKS)],
                             capture_output=True, text=True, timeout=300, env=environment | variables)
        assert run.returncode == 0, run.stdout + run.stderr
        if driver == "gl":
            assert "not implemented" not in run.stderr, run.stderr
        return pickle.loads(out.read_bytes())


@pytest.fixture(params=[("monolith", "gl"), ("spawn", "gl")], ids="-".join)
def compare(request):
    """compare(walk, near=…): the answers of both are equal, or `near` says how far apart two may be."""
    def check(walk: str, near=lambda question, ours, theirs: False) -> None:
        ours, theirs = answers(*request.param)[walk], answers("direct", "")[walk]
        assert theirs and ours.keys() == theirs.keys()
        wrong = {q: (ours[q], theirs[q]) for q in theirs if ours[q] != theirs[q] and not near(q, ours[q], theirs[q])}
        assert not wrong, f"{len(wrong)} of {len(theirs)} answers differ, ours first:\n" + "\n".join(
            f"{question}: {mine!r:.300} / {yours!r:.300}" for question, (mine, yours) in list(wrong.items())[:20])
    return check


@pytest.fixture
def answers_of():
    return answers
