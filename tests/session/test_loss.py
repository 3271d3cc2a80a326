"""Either side dies, freezes or is interrupted: the other ends its waits within a second and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mgpipe.client import connect

from .conftest import PROMPTLY_S, alive, children, descriptors, eventually, freeze, memory_files

PRELUDE = """
import os, signal, sys, threading, time
from mgpipe.client import connect
from tests.session.conftest import freeze
s = connect.connect(topology='spawn', driver='null')
print(s.server_pid, connect._supervisor.pid, flush=True)
"""
ROOT = Path(__file__).parents[2]


def program(text: str, **options) -> subprocess.Popen:
    """A program with a session `s`; its first line of output is its server's pid."""
    command = [sys.executable, "-c", PRELUDE + text]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, **options)


def pids(running: subprocess.Popen) -> tuple[int, int]:
    server, supervisor = running.stdout.readline().split()
    return int(server), int(supervisor)


def interrupted(text: str) -> tuple[str, str]:
    """Output and errors of a program that gets Ctrl-C a moment after it has printed `waiting`."""
    running = program(text)
    pids(running)
    assert running.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    return running.communicate(timeout=10)


def test_the_server_killed_while_nothing_is_awaited(session, capfd):
    handle = session("spawn")
    os.kill(handle.server_pid, signal.SIGKILL)
    started = time.monotonic()
    while not handle.lost and time.monotonic() - started < PROMPTLY_S:
        handle.exercise(1)
    assert handle.lost
    assert f"the render server (pid {handle.server_pid}) is gone" in handle.loss
    assert capfd.readouterr().err.count("is gone") == 1


@pytest.mark.parametrize("delay_s", [0.0, 0.001, 0.02, 0.2])
def test_the_server_killed_in_the_middle_of_a_stream(session, delay_s):
    handle = session("spawn")
    threading.Timer(delay_s, os.kill, (handle.server_pid, signal.SIGKILL)).start()
    started = time.monotonic()
    while not handle.lost and time.monotonic() - started < 3:
        handle.exercise(10000)
    assert handle.lost
    assert time.monotonic() - started < delay_s + 1


def test_the_server_killed_while_we_wait_for_its_answer(session):
    handle = session("spawn")
    freeze(handle.server_pid)
    threading.Timer(0.3, os.kill, (handle.server_pid, signal.SIGKILL)).start()
    started = time.monotonic()
    assert not handle.ping()
    assert time.monotonic() - started < 0.3 + PROMPTLY_S
    assert handle.lost


def test_the_server_killed_while_the_ring_is_full(session):
    handle = session("spawn")
    freeze(handle.server_pid)
    threading.Timer(0.5, os.kill, (handle.server_pid, signal.SIGKILL)).start()
    started = time.monotonic()
    handle.exercise(2_000_000)  # more than the ring can ever hold
    assert handle.lost
    assert time.monotonic() - started < 0.5 + PROMPTLY_S  # two million no-ops included


def test_calls_after_a_loss_do_nothing_and_a_new_session_works(session):
    handle = session("spawn")
    os.kill(handle.server_pid, signal.SIGKILL)
    assert not handle.ping()
    told = handle.stats()
    handle.exercise(1000)
    handle.end_frame()
    assert handle.stats()["records"] == told["records"]
    connect.close(handle)
    again = session("spawn")
    assert again is not handle and again.ping()


def test_a_lost_session_is_replaced(session):
    handle = session("spawn")
    os.kill(handle.server_pid, signal.SIGKILL)
    assert not handle.ping()
    assert session("spawn").ping()


def test_other_sessions_of_the_supervisor_go_on(session):
    one, other = session("spawn"), session("spawn", shadow_limit_mb=100)
    os.kill(one.server_pid, signal.SIGKILL)
    assert not one.ping()
    assert other.ping()


def test_the_supervisor_killed_leaves_running_sessions_alone(session):
    handle = session("spawn")
    os.kill(connect._supervisor.pid, signal.SIGKILL)
    assert eventually(lambda: connect._supervisor.reap())
    assert handle.ping()
    assert session("spawn", shadow_limit_mb=100).ping()  # by a new supervisor


@pytest.mark.parametrize(
    "doing",
    ["time.sleep(60)", "while True: s.exercise(1000)", "while True: s.ping()", "while True: s.exercise(100); s.end_frame()"],
)
def test_the_client_killed_takes_its_server_with_it(nothing_left, doing):
    running = program(doing)
    ours = pids(running)
    time.sleep(0.1)
    running.kill()
    running.communicate()
    assert eventually(lambda: not any(map(alive, ours))), [pid for pid in ours if alive(pid)]


def test_the_client_killed_while_its_server_is_frozen(nothing_left):
    running = program("s.exercise(1 << 30)")
    server, supervisor = pids(running)
    freeze(server)
    running.kill()
    assert eventually(lambda: not alive(server) and not alive(supervisor), 5)
    running.communicate()


def test_a_program_that_ends_takes_its_server_with_it(nothing_left):
    running = program("")
    ours = pids(running)
    assert running.wait(5) == 0
    running.communicate()
    assert eventually(lambda: not any(map(alive, ours)))


def test_a_program_that_execs_takes_its_server_with_it(nothing_left):
    running = program("os.execv('/bin/sleep', ['sleep', '5'])")
    server, supervisor = pids(running)
    assert eventually(lambda: not alive(server))
    running.kill()
    running.communicate()
    assert eventually(lambda: not alive(supervisor))


def test_ctrl_c_ends_a_program_whose_server_is_frozen(nothing_left):
    """One that waits for an answer, and one for room in the ring."""
    running = [program(f"freeze(s.server_pid); print('waiting', flush=True); {waiting}") for waiting in ("s.ping()", "s.exercise(1 << 30)")]
    ours = [pid for one in running for pid in pids(one)]
    assert [one.stdout.readline() for one in running] == ["waiting\n"] * 2
    time.sleep(0.3)
    started = time.monotonic()
    for one in running:
        one.send_signal(signal.SIGINT)
    for one in running:
        _, errors = one.communicate(timeout=10)
        assert 1.5 < time.monotonic() - started < 4
        assert "KeyboardInterrupt" in errors
        assert "interrupted while waiting for the render server" in errors
        assert one.returncode in (-signal.SIGINT, 1, 130)
    assert eventually(lambda: not any(map(alive, ours)))  # the frozen ones too


def test_ctrl_c_reaches_a_thread_that_waits_through_another_that_holds_the_lock(nothing_left):
    text = (
        "s.thread_attached(); s.thread_attached(); freeze(s.server_pid)\n"
        "threading.Thread(target=s.exercise, args=(1 << 30,)).start()\n"
        "time.sleep(1); print('waiting', flush=True); s.exercise(1)\n"
    )
    assert "KeyboardInterrupt" in interrupted(text)[1]


def test_ctrl_c_during_a_wait_that_ends_by_itself_loses_nothing(nothing_left):
    text = (
        "freeze(s.server_pid)\n"
        "threading.Timer(1.0, os.kill, (s.server_pid, signal.SIGCONT)).start()\n"
        "try:\n    print('waiting', flush=True); s.ping(); time.sleep(0.1)\n"
        "except KeyboardInterrupt:\n    print(s.lost, s.ping())\n"
    )
    assert interrupted(text)[0] == "False True\n"


def test_other_signals_do_not_interrupt(nothing_left):
    text = (
        "signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)\n"
        "freeze(s.server_pid)\n"
        "threading.Timer(2.6, os.kill, (s.server_pid, signal.SIGCONT)).start()\n"
        "print(s.ping())\n"
    )
    running = program(text)
    pids(running)
    assert running.communicate(timeout=10)[0] == "True\n"


def test_a_waiting_thread_lets_others_run(session):
    handle = session("spawn")
    freeze(handle.server_pid)
    waiting = threading.Thread(target=handle.ping)
    waiting.start()
    started = time.monotonic()
    for _ in range(100):
        time.sleep(0.0001)
    assert time.monotonic() - started < PROMPTLY_S
    os.kill(handle.server_pid, signal.SIGCONT)
    waiting.join(5)
    assert not waiting.is_alive()


@pytest.mark.parametrize("topology", ["monolith", "inproc", "spawn"])
def test_threads_share_a_session(session, topology):
    handle = session(topology)
    handle.thread_attached()
    results = []

    def work() -> None:
        handle.thread_attached()
        for _ in range(50):
            handle.exercise(100)
            results.append(handle.ping())
        handle.thread_detached()

    before = handle.stats()["records"]
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        handle.exercise(100)
        results.append(handle.ping())
    for thread in threads:
        thread.join(30)
    assert results == [True] * 250
    assert handle.stats()["records"] - before == 250 * 201


def test_nothing_of_a_killed_pair_is_left(nothing_left):
    before = children(), descriptors()
    for _ in range(3):
        running = program("time.sleep(60)")
        server, supervisor = pids(running)
        os.kill(server, signal.SIGKILL)
        os.kill(supervisor, signal.SIGKILL)
        running.kill()
        running.communicate()
    assert eventually(lambda: not memory_files())
    assert (children(), descriptors()) == before
