"""Opening and closing sessions: what they tell about themselves, whom they let in, what they leave behind."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from mgpipe.catalogue.options import InvalidOption
from mgpipe.client import connect, errors, handshake, launch
from mgpipe.client.session import identity
from mgpipe.control.framing import Connection
from mgpipe.control.messages import REVISION, Hello, Refuse

from .conftest import PROMPTLY_S, alive, descriptors, eventually

TOPOLOGIES = ["monolith", "inproc", "spawn"]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_session_says_what_it_is(session, topology):
    handle = session(topology)
    told = handle.stats()
    assert (told["topology"], told["driver"], told["lost"]) == (topology, "null", False)
    assert told["renderer"]
    assert (told["server_pid"] not in (0, os.getpid())) == (topology == "spawn")


def test_the_driver_runs_in_the_process_that_the_session_names(session):
    pid = session("spawn").server_pid
    with open(f"/proc/{pid}/comm") as comm, open(f"/proc/{pid}/status") as status:
        assert "python" in comm.read()
        assert f"PPid:\t{connect._supervisor.pid}\n" in status.read()
    names = [open(f"/proc/{pid}/task/{task}/comm").read().strip() for task in os.listdir(f"/proc/{pid}/task")]
    assert "mgpipe-apply" in names


def test_the_client_of_a_spawned_server_opens_no_driver():
    # In a process of its own: other tests draw in this one.
    program = (
        "import mgpipe; context = mgpipe.context(topology='spawn')\n"
        "print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libEGL' in line})"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert not [library for library in ran.stdout.split() if "mgpipe" not in library]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_records_are_counted_alike(session, topology):
    handle = session(topology)
    before = handle.stats()
    handle.exercise(1000)
    assert handle.ping()
    after = handle.stats()
    assert after["records"] - before["records"] == 2001
    assert after["round_trips"] - before["round_trips"] == 1
    assert after["record_bytes"] - before["record_bytes"] == 2000 * 16 + 32


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_one_session_serves_equal_options(session, topology):
    handle = session(topology)
    assert session(topology) is handle
    connect.close(handle)
    assert session(topology) is not handle


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_twenty_sessions_leave_nothing(session, topology):
    session(topology)
    connect.close_all()
    before = descriptors()
    for _ in range(20):
        handle = session(topology)
        handle.exercise(10)
        assert handle.ping()
        pid = handle.server_pid
        connect.close(handle)
        assert pid == 0 or eventually(lambda: not alive(pid))
    assert len(descriptors()) <= len(before) + 1  # the pidfd of the supervisor, which lives on for the next session


def test_twenty_sessions_at_once(session):
    handles = [session("spawn", shadow_limit_mb=64 + i) for i in range(20)]
    assert len({handle.server_pid for handle in handles}) == 20
    assert all(handle.ping() for handle in handles)


def test_a_closed_session_is_harmless(session):
    for topology in TOPOLOGIES:
        handle = session(topology)
        connect.close(handle)
        handle.exercise(10)
        assert not handle.ping()
        assert handle.lost


def test_statistics_are_written_when_the_session_ends(session, tmp_path):
    handle = session("spawn", stats=str(tmp_path / "stats.json"))
    handle.end_frame()
    connect.close(handle)
    told = json.loads((tmp_path / "stats.json").read_text())
    expected = {
        "topology", "link", "driver", "renderer", "server_pid", "frames", "draws", "records", "record_bytes",
        "staging_bytes", "round_trips", "waits", "parks", "uploads", "cso_hits", "cso_mints",
    }  # fmt: skip
    assert expected <= told.keys()
    assert (told["topology"], told["frames"], told["lost"]) == ("spawn", 1, False)
    assert os.listdir(tmp_path) == ["stats.json"]


def test_statistics_are_written_at_exit(tmp_path):
    program = "from mgpipe.client import connect; connect.connect().exercise(7)"
    path = tmp_path / "stats.json"
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"MGPIPE_STATS": str(path), "MGPIPE_DRIVER": "null"}, check=True)
    assert json.loads(path.read_text())["records"] >= 14


def test_the_server_inherits_nothing_that_leads_back_to_us(session, monkeypatch):
    for name in ("MGPIPE_DRIVER", "MGPIPE_PRELOAD", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "null")
    monkeypatch.setenv("LIBGL_ALWAYS_SOFTWARE", "1")
    pid = session("spawn").server_pid
    with open(f"/proc/{pid}/environ") as file:
        names = {entry.partition("=")[0] for entry in file.read().split("\0")}
    assert not {name for name in names if name.startswith("MGPIPE_") or name in launch.SCRUBBED}
    assert "LIBGL_ALWAYS_SOFTWARE" in names


def test_the_server_keeps_no_descriptor_of_the_program(session, tmp_path):
    file = open(tmp_path / "left open", "w")
    os.set_inheritable(file.fileno(), True)
    supervisor = session("spawn") and connect._supervisor.pid
    assert not [target for target in descriptors(supervisor) if "left open" in target]


def test_the_output_of_a_server_is_not_the_programs(session):
    program = "from mgpipe.client import connect; print(connect.connect(driver='null').server_pid)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().isdecimal()


def test_a_program_without_standard_streams_gets_a_session(tmp_path):
    program = f"import os; os.closerange(0, 3); from mgpipe.client import connect; s = connect.connect(driver='null'); open({str(tmp_path / 'told')!r}, 'w').write(str(s.ping()))"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)
    assert (tmp_path / "told").read_text() == "True"


def greet(**changes) -> object:
    """What the running supervisor answers to a Hello with these changes."""
    version, fingerprint = identity()
    fields = {
        "revision": REVISION, "fingerprint": fingerprint, "version": version, "nonce": connect._supervisor.nonce,
        "pid": os.getpid(), "driver": "null",
    }  # fmt: skip
    connection = Connection(connect._supervisor.dial())
    pidfd = os.pidfd_open(os.getpid())
    try:
        connection.send(Hello(**fields | changes), (pidfd,))
        message, received = connection.receive(5)
        for descriptor in received:
            os.close(descriptor)
        return message
    finally:
        os.close(pidfd)
        connection.close()


def test_a_client_without_the_nonce_is_refused(session):
    session("spawn")
    match greet(nonce=b"x" * 16):
        case Refuse(code="authentication"):
            return
    pytest.fail("it was let in")


@pytest.mark.parametrize("changes", [{"fingerprint": "0" * 64}, {"revision": REVISION + 1}], ids=str)
def test_a_client_of_another_build_is_refused_with_both_versions(session, changes):
    session("spawn")
    refusal = greet(version="9.9.9 (catalogue abcdef)", **changes)
    assert isinstance(refusal, Refuse) and refusal.code == "version_skew"
    error = errors.from_refusal(refusal, "9.9.9 (catalogue abcdef)")
    assert isinstance(error, errors.VersionSkew)
    assert "9.9.9" in str(error) and identity()[0] in str(error) and "pip install" in str(error)


@pytest.mark.parametrize("bytes_sent", [b"", b"\0" * 8, b"GET / HTTP/1.1\r\n\r\n", b"MGPC\xff\xff\xff\xff"], ids=repr)
def test_a_stranger_on_the_address_costs_the_session_nothing(session, bytes_sent):
    handle = session("spawn")
    with connect._supervisor.dial() as stranger:
        stranger.sendall(bytes_sent)
        stranger.shutdown(socket.SHUT_WR)
        stranger.settimeout(5)
        with contextlib.suppress(ConnectionResetError):  # what it sent was not read to the end
            while stranger.recv(4096):
                pass
    assert handle.ping()


def test_a_server_refuses_to_open_sessions(session, monkeypatch):
    monkeypatch.setattr("mgpipe.control.in_server", True)
    monkeypatch.setattr(connect, "_prepared", False)
    with pytest.raises(errors.SessionError, match="process of an mgpipe server"):
        session("spawn")


def test_an_interpreter_that_is_none_is_named(session, tmp_path):
    with pytest.raises(errors.ServerFailed, match=f"MGPIPE_PYTHON names {tmp_path}"):
        session("spawn", python=str(tmp_path / "python"))


def test_an_interpreter_that_ends_at_once_is_an_error_not_a_wait(session):
    started = time.monotonic()
    with pytest.raises(errors.ServerFailed, match="ended before the session stood"):
        session("spawn", python="/bin/true")
    assert time.monotonic() - started < PROMPTLY_S


def test_sys_executable_is_not_trusted(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/usr/bin/blender")
    assert "python" in os.path.basename(launch.interpreter(""))


def test_a_silent_server_is_given_up(session, monkeypatch):
    session("spawn")
    monkeypatch.setattr(handshake, "SILENCE_S", 0.2)
    os.kill(connect._supervisor.pid, signal.SIGSTOP)
    try:
        with pytest.raises(errors.ServerSilent, match="said nothing for"):
            session("spawn", shadow_limit_mb=100)
    finally:
        os.kill(connect._supervisor.pid, signal.SIGCONT)


def test_a_misspelt_value_is_refused_with_the_nearest(session):
    with pytest.raises(InvalidOption, match="Did you mean monolith"):
        session("monolit")


def test_sigterm_ends_the_supervisor_and_its_sessions(session):
    handle = session("spawn")
    os.kill(connect._supervisor.pid, signal.SIGTERM)
    assert eventually(lambda: not alive(handle.server_pid))
    assert not handle.ping()


def test_a_server_starts_before_the_client_is_loaded():
    """And is greeted: its driver starts meanwhile. What nobody asks for after that goes with the program."""
    program = ("import sys; from mgpipe.client import connect; connect.begin(topology='spawn', driver='null')\n"
               "assert 'mgpipe.front._gl' not in sys.modules and 'moderngl' not in sys.modules\n"
               "pid = connect._supervisor.pid; print(pid, flush=True)\n"
               "if sys.argv[1] == 'ask':\n"
               "    session = connect.connect(topology='spawn', driver='null')\n"
               "    assert session.ping() and connect._supervisor.pid == pid and not connect._begun\n")
    for asked in ("ask", "leave"):
        ran = subprocess.run([sys.executable, "-c", program, asked], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr
        assert not os.path.exists(f"/proc/{int(ran.stdout)}")
