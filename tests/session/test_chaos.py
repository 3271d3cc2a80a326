"""Failures on purpose: `mgpipe.testing.chaos`, and with it each error that a program can meet, in its time."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mgpipe.catalogue import chaos as failures
from mgpipe.catalogue.options import InvalidOption
from mgpipe.client import connect, errors, handshake
from mgpipe.testing import chaos

from serving import Server

from .conftest import alive, eventually

NOTICED_S = 1.0     # of a death, by whoever waits
AT = 3              # a record after those that open a session


@pytest.fixture(params=["spawn", "unix", "tcp"])
def fail(request, nothing_left, tmp_path):
    """Opens a session with chaos: `fail(kill=3)`; over each kind of link."""
    server = None
    place = {"topology": "spawn"}
    if request.param != "spawn":
        server = Server(f"unix:{tmp_path}/chaos.sock" if request.param == "unix" else "tcp://127.0.0.1:0", "--chaos")
        place = {"server": server.address, "data": "shm" if request.param == "unix" else "stream"}
    yield lambda **failures: connect.connect(driver="null", **place, **chaos(**failures))
    connect.close_all()
    if server:
        server.end()


def lost_within(handle, seconds: float) -> str:
    """What the first waiting call finds; the sentence of the loss."""
    started = time.monotonic()
    handle.exercise(20)
    assert not handle.ping()
    assert time.monotonic() - started < seconds
    return handle.loss


def test_without_chaos_nothing_fails(fail):
    handle = fail(fail=1 << 40)
    handle.exercise(1000)
    assert handle.ping() and not handle.lost


@pytest.mark.parametrize("family", failures.FAMILIES)
def test_each_family_of_faults_arrives_by_its_name(nothing_left, capfd, family):
    """Once, as a sentence; and as an exception that carries the name, whenever it is asked for."""
    handle = connect.connect(topology="spawn", driver="null", **chaos(fail=(AT, family)))
    assert f"{family}: chaos" in lost_within(handle, NOTICED_S)
    for _ in range(2):
        with pytest.raises(errors.SessionLost, match="chaos") as told:
            handle.check()
        assert told.value.family == family
    handle.exercise(20)
    assert capfd.readouterr().err.count("ended this session") == 1


def test_a_driver_that_fails_ends_one_session(fail, capfd):
    handle = fail(fail=AT)
    assert "DriverError: chaos" in lost_within(handle, NOTICED_S)
    with pytest.raises(errors.SessionLost) as told:
        handle.check()
    assert told.value.family == "DriverError"
    assert fail().ping()


@pytest.mark.parametrize("how", ["kill", "drop"])
def test_a_session_that_dies_is_noticed(fail, capfd, how):
    handle = fail(**{how: AT})
    assert "is gone" in lost_within(handle, NOTICED_S)
    with pytest.raises(errors.SessionLost) as told:
        handle.check()
    assert told.value.family == "ServerGone"
    assert eventually(lambda: not alive(handle.server_pid), 3)


def test_a_program_that_never_waits_hears_of_a_death(fail, capfd):
    handle = fail(kill=AT)
    started = time.monotonic()
    while not handle.lost and time.monotonic() - started < NOTICED_S:
        handle.exercise(1)
        handle.end_frame()
        time.sleep(0.001)
    assert handle.lost


def test_a_late_driver_is_waited_for(fail):
    handle = fail(delay=(AT, 700))
    started = time.monotonic()
    handle.exercise(20)
    assert handle.ping() and not handle.lost
    assert 0.6 < time.monotonic() - started < 5


def test_a_frozen_session_is_waited_for_and_goes_on(fail):
    handle = fail(freeze=AT)
    threading.Timer(1.0, os.kill, (handle.server_pid, signal.SIGCONT)).start()
    started = time.monotonic()
    handle.exercise(20)
    assert handle.ping() and not handle.lost
    assert time.monotonic() - started > 0.8


def test_corruption_ends_by_name_and_is_the_same_for_the_same_seed(nothing_left, capfd):
    """The server checks everything: whatever a bit was, a session either goes on or ends with the name of a fault."""
    def outcome(seed: int) -> str:
        handle = connect.connect(topology="spawn", driver="null", **chaos(corrupt=seed))
        for _ in range(60):
            handle.exercise(100)
            if not handle.ping():
                break
        return handle.loss

    outcomes = [outcome(seed) for seed in (1, 2, 3, 1, 2, 3)]
    assert outcomes[:3] == outcomes[3:]
    assert any(outcomes) and all(not loss or "ended this session: " in loss for loss in outcomes)


@pytest.mark.parametrize(("code", "error"), [
    ("no_driver", errors.NoDriver), ("driver_failed", errors.DriverFailed), ("version_skew", errors.VersionSkew),
    ("authentication", errors.Unauthenticated), ("full", errors.ServerFailed),
])
def test_a_refusal_is_an_error_of_its_own_type(fail, code, error):
    with pytest.raises(error):
        fail(refuse=code)


def test_a_silent_server_is_given_up(fail, monkeypatch):
    monkeypatch.setattr(handshake, "SILENCE_S", 0.5)
    started = time.monotonic()
    with pytest.raises(errors.ServerSilent, match="said nothing for"):
        fail(silent=True)
    assert 0.4 < time.monotonic() - started < 3


def test_a_server_that_was_not_started_for_tests_fails_for_nobody(nothing_left):
    server = Server()
    try:
        with pytest.raises(errors.ServerFailed, match="started with --chaos"):
            connect.connect(server=server.address, driver="null", **chaos(kill=1))
        assert connect.connect(server=server.address, driver="null").ping()
        connect.close_all()
    finally:
        server.end()


@pytest.mark.parametrize("text", ["explode=1", "kill", "kill=0", "kill=-1", "kill=x", "fail=1:Boredom", "delay=1", f"kill={1 << 64}"])
def test_a_failure_that_does_not_exist_is_refused(text):
    with pytest.raises(InvalidOption, match="chaos"):
        connect.connect(topology="spawn", driver="null", chaos=text)


@pytest.mark.parametrize("topology", ["inproc", "monolith"])
def test_the_program_s_own_process_is_not_failed(topology):
    with pytest.raises(InvalidOption, match="process of its own|server of its own process"):
        connect.connect(topology=topology, driver="null", **chaos(kill=1))


def test_the_pages_list_what_there_is():
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "testing.md").read_text()
    for failure in failures.FAILURES:
        assert f"| `{failure.name}` | {failure.value} | {failure.sentence} |" in page
    page = (docs / "faults.md").read_text()
    for error in ("NoServer", "Untrusted", "Unauthenticated", "VersionSkew", "NoDriver", "DriverFailed", "ServerFailed",
                  "ServerSilent", "TraceFailed", "SessionLost"):
        assert f"`{error}`" in page and issubclass(getattr(errors, error), errors.SessionError)


def test_what_is_composed_is_what_is_parsed():
    assert failures.parse(chaos(fail=(7, "DeviceLost"), delay=(1, 20), silent=True, refuse="full")["chaos"]) == {
        "fail": (7, "DeviceLost"), "delay": (1, 20), "silent": 1, "refuse": "full",
        "run": failures.parse(chaos()["chaos"])["run"] - 1}


def test_programs_started_within_fail_too(monkeypatch):
    """As a test of a user's: the program knows nothing of mgpipe, and draws with moderngl."""
    pytest.importorskip("moderngl")
    program = """
import moderngl
ctx = moderngl.create_context(standalone=True, backend="egl")
for n in range(500):
    ctx.clear(); ctx.finish()
print(ctx.error)
"""
    with chaos(kill=100) as asked:
        assert os.environ["MGPIPE_CHAOS"] == asked["chaos"]
        ran = subprocess.run([sys.executable, "-m", "mgpipe", "run", "--driver", "null", "--", sys.executable, "-c", program],
                             capture_output=True, text=True, timeout=60)
    assert "MGPIPE_CHAOS" not in os.environ
    assert ran.returncode == 0 and "is gone" in ran.stderr, ran.stderr
    assert "GL_NO_ERROR" not in ran.stdout
