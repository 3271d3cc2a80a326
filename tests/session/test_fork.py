"""Children made by fork: what they inherited is inert, what they open is theirs, and the parent never notices."""

import gc
import os
import signal
import subprocess
import sys
import traceback

import pytest

from mgpipe.client import connect

from .conftest import alive, descriptors, eventually

TOPOLOGIES = ["monolith", "inproc", "spawn"]


def in_child(work) -> int:
    """Run `work` in a forked child that exits with 0 when it returns; the child's exit status."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_child_that_exits_changes_nothing(session, topology):
    handle = session(topology)
    handle.exercise(10)
    assert in_child(lambda: None) == 0
    assert handle.ping()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_an_inherited_session_is_inert(session, topology, capfd):
    handle = session(topology)

    def work() -> None:
        assert handle.lost
        handle.exercise(100_000)
        handle.end_frame()
        assert not handle.ping()
        handle.close()
        gc.collect()

    before = handle.stats()["records"]
    assert in_child(work) == 0
    assert handle.ping()
    assert handle.stats()["records"] == before + 1
    assert "lost" not in capfd.readouterr().err


def test_a_child_keeps_no_descriptor_of_the_session(session):
    session("spawn")

    def work() -> None:
        kept = [target for target in descriptors() if "memfd:mgpipe" in target or "pidfd" in target]
        assert kept == [], kept

    assert in_child(work) == 0


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_child_opens_a_session_of_its_own(session, topology):
    handle = session(topology)

    def work() -> None:
        own = connect.connect(topology=topology, driver="null")
        assert own is not handle
        own.exercise(1000)
        assert own.ping()
        connect.close_all()

    assert in_child(work) == 0
    assert handle.ping()


def test_a_child_dials_its_parents_supervisor(session):
    session("spawn")
    supervisor = connect._supervisor.pid

    def work() -> None:
        own = connect.connect(topology="spawn", driver="null")
        with open(f"/proc/{own.server_pid}/status") as status:
            assert f"PPid:\t{supervisor}\n" in status.read()
        connect.close_all()

    assert in_child(work) == 0
    assert alive(supervisor)


def test_children_draw_while_the_parent_does(session):
    handle = session("spawn")
    pids = []
    for _ in range(4):
        if (pid := os.fork()) == 0:
            own = connect.connect(topology="spawn", driver="null")
            for _ in range(100):
                own.exercise(100)
                if not own.ping():
                    os._exit(1)
            connect.close_all()
            os._exit(0)
        pids.append(pid)
    for _ in range(100):
        handle.exercise(100)
        assert handle.ping()
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4


def test_a_childs_session_outlives_its_parent_and_then_ends(nothing_left):
    text = (
        "import os, time; from mgpipe.client import connect\n"
        "connect.connect(driver='null')\n"
        "if os.fork(): os._exit(0)\n"
        "time.sleep(0.2); s = connect.connect(driver='null')\n"
        "print(s.server_pid, connect._supervisor.pid, s.ping(), flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=20)
    server, supervisor, answered = done.stdout.split()
    assert answered == "True", done.stderr
    assert eventually(lambda: not alive(int(server)) and not alive(int(supervisor)))


def test_a_child_that_ends_normally_runs_its_exit_handlers_in_peace(nothing_left, tmp_path):
    text = (
        "import os, sys; from mgpipe.client import connect\n"
        "s = connect.connect(driver='null')\n"
        "pid = os.fork()\n"
        "if pid == 0: sys.exit(3)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3\n"
        "print(s.ping())\n"
    )
    environment = os.environ | {"MGPIPE_STATS": str(tmp_path / "stats.json")}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=20, env=environment)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_parents_death_is_noticed_although_a_child_lives_on(nothing_left):
    text = (
        "import os, time; from mgpipe.client import connect\n"
        "s = connect.connect(driver='null')\n"
        "if os.fork() == 0: time.sleep(30)\n"
        "print(s.server_pid, connect._supervisor.pid, flush=True); time.sleep(30)\n"
    )
    running = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, start_new_session=True)
    ours = [int(pid) for pid in running.stdout.readline().split()]
    running.kill()
    running.wait()
    assert eventually(lambda: not any(map(alive, ours)))
    os.killpg(running.pid, signal.SIGKILL)
    running.stdout.close()
