"""`mgpipe top` beside programs that draw: what it tells of each topology, and what a hostile page cannot make it tell."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time

import pytest
from serving import TRIANGLE

from mgpipe.tools import screen, sessions

# Draws frames until its standard input ends; says its process and its server's.
PROGRAM = """
import os, select, sys, mgpipe, moderngl
from mgpipe.client import connect
link = mgpipe.context(**dict(word.split("=", 1) for word in sys.argv[1:]))
ctx = moderngl.create_context(context=link)
""" + TRIANGLE + """print(os.getpid(), link.stats()["server_pid"], flush=True)
while not select.select([sys.stdin], [], [], 0.005)[0]:
    buffer.write(bytes(24))
    for _ in range(3):
        shape.render()
    target.read()
connect.close_all()
print("closed", flush=True)
sys.stdin.read()
"""


class Program:
    def __init__(self, source: str = PROGRAM, **options: str) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", source, *(f"{name}={value}" for name, value in options.items())],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def says(self) -> list[str]:
        return self.process.stdout.readline().split()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def run():
    started = []

    def start(*source: str, **options: str) -> Program:
        started.append(Program(*source, **options))
        return started[-1]

    yield start
    for program in started:
        program.end()


def top(*flags: str, interval: float = 0.4, **more) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "mgpipe", "top", "--interval", str(interval), *flags], capture_output=True,
                          text=True, timeout=60, **more)


def seen(*flags: str) -> dict[int, dict]:
    """Program's process, or where it is not seen the server's → its session."""
    told = json.loads(top("--json", *flags).stdout)
    return {(one["client"] or one["server"])["pid"]: one for one in told["sessions"]}


def roles(side: dict) -> set[str]:
    return {thread["role"] for thread in side["threads"]} - {""}


def test_every_topology_is_told_with_its_processes_and_growing_counters(serve, run):
    server, other = serve("tcp"), serve("unix")
    options = {
        "monolith": {"topology": "monolith"}, "inproc": {"topology": "inproc"}, "spawn": {"driver": "null"},
        "stream": {"server": server.address, "data": "stream"}, "shm": {"server": other.address, "data": "shm"},
    }
    programs = {name: run(**chosen) for name, chosen in options.items()}
    pids = {name: [int(word) for word in program.says()] for name, program in programs.items()}
    first, second = seen(), seen()
    for name, (pid, server_pid) in pids.items():
        one, again = first[pid], second[pid]
        assert one["topology"] == (name if name in ("monolith", "inproc", "spawn") else "remote")
        assert (one["driver"], one["state"]) == ("null" if name == "spawn" else "gl", "standing")
        assert "-c" in one["client"]["command"] and roles(one["client"]) >= {"draws"}
        rate = one["per_second"]
        assert 1 < rate["frames"] < 250 and rate["draws"] == pytest.approx(3 * rate["frames"], rel=0.5)
        assert rate["upload_bytes"] >= 20 * rate["frames"] and rate["answer_bytes"] >= 100 * rate["frames"]
        assert rate["records"] > rate["draws"] and rate["round_trips"] == 0 and rate["reads"] > 0
        assert one["shadow_bytes"] > 0 and one["client"]["resident_bytes"] > 1 << 20 and 0 < one["age_s"] < again["age_s"]
        assert again["client"]["counted"]["draws"] > one["client"]["counted"]["draws"] > 0
        if name == "monolith":
            assert one["server"] is one["behind_records"] is one["frames_in_flight"] is None
            continue
        assert 0 <= one["behind_records"] < 100 and 0 <= one["frames_in_flight"] <= one["frames_in_flight_limit"] == 3
        assert one["server"]["pid"] == (server_pid or pid) and roles(one["server"]) >= {"applies"}
        assert again["server"]["counted"]["draws"] > one["server"]["counted"]["draws"] > 0
        assert rate["server_parks"] > 0 and (rate["sent_bytes"] > 0) == (name == "stream")
    assert pids["stream"][1] in server.sessions() and pids["shm"][1] in other.sessions()
    # By its server's process it is found, too; and it goes when it is closed, though its process stays.
    assert list(seen("--pid", str(pids["shm"][1]))) == [pids["shm"][0]]
    for name in ("shm", "inproc", "monolith"):
        programs[name].process.stdin.write("\n")
        programs[name].process.stdin.flush()
        assert programs[name].says() == ["closed"]
    gone = {pid for name in ("shm", "inproc", "monolith") for pid in pids[name]}
    deadline = time.monotonic() + 10
    while (now := seen()).keys() & gone:
        assert time.monotonic() < deadline, now.keys()
    assert now.keys() >= {pids["spawn"][0], pids["stream"][0]}
    done = top("--once", "--pid", str(pids["inproc"][0]))
    assert (done.stdout, done.returncode) == (f"Process {pids['inproc'][0]} has no mgpipe session.\n", 0)


def test_a_client_that_is_not_seen_leaves_the_servers_side(serve, run):
    """As of a program on another machine: here its page is another user's."""
    if os.geteuid() != 0:
        pytest.skip("only root has another user to be")
    program = run(driver="null", server=serve("tcp").address, data="stream")
    pid, server_pid = map(int, program.says())
    before, after = (sessions.take() for _ in range(2))
    (one,) = (one for one in sessions.compare(*(moment._replace(clients={}) for moment in (before, after)))
              if one["server"]["pid"] == server_pid)
    assert (one["topology"], one["client"], one["behind_records"], one["link"]) == ("served", None, None, "stream")
    assert one["peer"].startswith("127.0.0.1:") and one["per_second"]["frames"] >= 0
    assert f"for {one['peer']}" in str(screen.draw([one], [], 160, 0, "frames", ""))


FORKING = """
import ctypes, os, platform, signal, sys, mgpipe
link = mgpipe.context(topology="inproc", driver="null")
libc = ctypes.CDLL(None)
child = os.fork()
if child == 0:
    libc.prctl(1, signal.SIGKILL)       # it ends with its parent
    os.write(1, b"detached\\n")        # at once: the parent writes beside it
    libc.pause()
# As a library may that knows no handlers of forks: such a child keeps every descriptor.
unheard = libc.syscall({"x86_64": 56, "aarch64": 220}[platform.machine()], signal.SIGCHLD, 0, 0, 0, 0)
if unheard == 0:
    libc.prctl(1, signal.SIGKILL)
    libc.pause()
os.write(1, f"{os.getpid()} {child} {unheard}\\n".encode())
sys.stdin.read()
"""


def test_a_fork_is_no_session_of_its_own(run):
    program = run(FORKING)
    first, second = program.says(), program.says()
    pid, child, unheard = map(int, second if first == ["detached"] else first)
    assert len(page_of(unheard, "mgpipe-client")) == 4096
    found = seen()
    assert pid in found and not {child, unheard} & found.keys() and found[pid]["server"]["pid"] == pid
    program.process.communicate()
    assert not seen().keys() & {pid, child, unheard}


def test_a_child_that_was_forked_keeps_no_page(run):
    program = run(FORKING)
    _, child, _ = map(int, sorted((program.says(), program.says()), key=len)[1])
    assert not [fd for fd in os.listdir(f"/proc/{child}/fd") if "mgpipe-" in os.readlink(f"/proc/{child}/fd/{fd}")]
    program.process.communicate()


# Shows pages that a hostile program would: each argument is the content of one, in hexadecimal.
HOSTILE = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(15, b"\\x1b[2Jname")
files = []
for name, content in (word.split("=") for word in sys.argv[1:] if word[0] == "m"):
    files.append(os.memfd_create(name))
    os.write(files[-1], bytes.fromhex(content))
print(os.getpid(), flush=True)
sys.stdin.read()
"""


def page_of(pid: int, name: str) -> bytes:
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        if os.readlink(f"/proc/{pid}/fd/{descriptor}") == f"/memfd:{name} (deleted)":
            with open(f"/proc/{pid}/fd/{descriptor}", "rb") as file:
                return file.read()
    raise AssertionError


def test_a_hostile_page_misleads_about_its_own_session_only(run):
    honest = run(driver="null")
    pid, server_pid = map(int, honest.says())
    real = page_of(pid, "mgpipe-client")
    # A page that is well formed: the honest session's label, every number as large as it can be, texts that a terminal obeys.
    claimed = real[:32] + b"\xff" * (real.index(b"null") - 32) + b"\x1b[2Jnull\n" * ((4096 - real.index(b"null")) // 9)
    claimed += bytes(4096 - len(claimed))
    lies = [("mgpipe-client", claimed), ("mgpipe-client", bytes(range(256)) * 16), ("mgpipe-client", b"short"),
            ("mgpipe-session", bytes(4096)), ("mgpipe-session", real)]
    liars = [run(HOSTILE, **{"\x1b[2J": "\x1b[31m", name: content.hex()}) for name, content in lies]
    liars = [int(liar.says()[0]) for liar in liars]
    found, shown = seen(), top("--once").stdout
    assert found[pid]["server"]["pid"] == server_pid and found[pid]["client"]["pid"] == pid
    assert 0 < found[pid]["per_second"]["frames"] < 250
    assert "\x1b" not in shown and str(pid) in shown
    for liar, (name, content) in zip(liars, lies):
        told = found[liar]
        process = told["client" if name == "mgpipe-client" else "server"]
        assert process["pid"] == liar and told["client" if name == "mgpipe-session" else "server"] is None and str(liar) in shown
        assert all(text.isprintable() for text in (process["command"], *(thread["name"] for thread in process["threads"])))
        assert "?[31m" in process["command"] and "?[2Jname" in process["threads"][0]["name"]
        if content is claimed:
            assert told["driver"].startswith("?[2Jnull?") and told["topology"] == "unknown" and told["state"] == "lost"
            assert not roles(process)
        else:
            assert told["state"] == "of another build" and told["per_second"]["frames"] is None


def test_the_honest_page_cannot_be_written_by_others(run):
    pid, _ = map(int, run(driver="null").says())
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        if os.readlink(f"/proc/{pid}/fd/{descriptor}") == "/memfd:mgpipe-client (deleted)":
            with open(f"/proc/{pid}/fd/{descriptor}", "r+b", buffering=0) as file, pytest.raises(PermissionError):
                file.write(bytes(8))
            return
    raise AssertionError


GUARDED = """
import ctypes, os, sys
os.setgid(65534); os.setuid(65534)
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
print(os.getpid(), flush=True)
sys.stdin.read()
"""


def test_what_may_not_be_looked_into_is_named(run):
    """PR_SET_DUMPABLE 0: the kernel shows that process to nobody but root."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    (pid,) = map(int, run(GUARDED).says())
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.setgid(65534)
        os.setuid(65534)
        os.write(writing, json.dumps(sessions.take().unreadable).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as told:
        unreadable = json.loads(told.read())
    os.waitpid(child, 0)
    assert [why for number, _, why in unreadable if number == pid] == ["Permission denied"]
    assert f"{pid}" in str(screen.draw([], [(pid, "guarded", "Permission denied")], 80, 0, "frames", "nothing"))


def test_a_terminal_gets_a_live_table_until_q(run):
    pid, _ = map(int, run(driver="null").says())
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = subprocess.Popen([sys.executable, "-m", "mgpipe", "top", "--interval", "0.2"], stdin=slave, stdout=slave,
                               stderr=slave, env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "24"})
    try:
        shown = b""
        deadline = time.monotonic() + 30
        while shown.count(b"FRAMES/s") < 3 or str(pid).encode() not in shown:
            assert time.monotonic() < deadline and process.poll() is None, shown
            if select.select([master], [], [], 1)[0]:
                shown += os.read(master, 1 << 16)
        assert b"by frames" in shown
        os.write(master, b"c")
        while b"by cpu" not in shown:
            assert time.monotonic() < deadline and process.poll() is None, shown
            if select.select([master], [], [], 1)[0]:
                shown += os.read(master, 1 << 16)
        os.write(master, b"q")
        assert process.wait(10) == 0
        assert termios.tcgetattr(slave) == before
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("width", [40, 80, 100, 160, 250])
def test_lines_fit_the_terminal(width, run):
    pid, _ = map(int, run(driver="null").says())
    before = sessions.take()
    found = sessions.compare(before, sessions.take())
    for one in found:       # what does not happen has no words, and between two looks at once little does
        one["behind_records"], one["shadow_bytes"] = 7, 1 << 20
        one["per_second"] |= {name: 3.0 for name, rate in one["per_second"].items() if not rate}
    lines = str(screen.draw(found, [], width, 0, "frames", "")).split("\n")
    assert all(len(line) <= width for line in lines), lines
    words = " ".join(lines)
    for what in ("frames", "draws", "up", "parks", "trips", "behind", "shadow"):     # over a column or in words, but there
        assert re.search(what, words, re.IGNORECASE), (what, lines)
    few = str(screen.draw(found * 9, [], width, 12, "frames", "")).split("\n")
    assert len(few) <= 12 and re.fullmatch(r"… and \d+ more", few[-1])
