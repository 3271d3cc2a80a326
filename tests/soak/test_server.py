"""One server for many programs, for a long time: pictures stay those of a lone run, and nothing piles up."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

SCENARIOS = Path(__file__).parents[1] / "scenarios"
sys.path.insert(0, str(SCENARIOS))

from scenario import EXAMPLES, NEWER, PROGRAMS, clean_environment, picture  # noqa: E402
from serving import Server  # noqa: E402

pytestmark = pytest.mark.soak
WORKERS = 16


class WatchedServer(Server):
    def settles(self, sessions: int) -> None:
        """Waits until it has so many for half a second: a connection that only brings a stream is a process for a moment."""
        since = time.monotonic()
        end = since + 30
        while time.monotonic() - since < 0.5:
            assert time.monotonic() < end, f"{len(self.sessions())} sessions, not {sessions}"
            if len(self.sessions()) != sessions:
                since = time.monotonic()
            time.sleep(0.01)

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident_kb(self) -> int:
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1])


@pytest.fixture(scope="module")
def server():
    started = WatchedServer("tcp://127.0.0.1:0", "--max-sessions", "64")
    yield started
    started.end()


def worker(server: WatchedServer, program: str, out: Path, data: str, frames: int = 3) -> subprocess.Popen:
    command = [sys.executable, "-m", "mgpipe", "run", "--server", server.address, "--data", data, "--",
               sys.executable, str(EXAMPLES / f"{program}.py"), str(out), "--frames", str(frames)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())


@pytest.fixture(scope="module")
def solo(server, tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("solo")
    pictures = {}
    for program in [name for name in PROGRAMS if not name.startswith(NEWER)][:WORKERS]:
        running = worker(server, program, folder / f"{program}.png", "auto")
        assert running.wait(120) == 0, running.stderr.read()
        pictures[program] = picture(folder / f"{program}.png").pixels
    return pictures


def test_sixteen_workers_at_once_draw_what_each_draws_alone(server, solo, tmp_path):
    running = {program: worker(server, program, tmp_path / f"{program}.png", ("stream", "shm")[n % 2])
               for n, program in enumerate(solo)}
    for program, process in running.items():
        output = process.communicate(timeout=300)
        assert process.returncode == 0, f"{program}: {output}"
        assert picture(tmp_path / f"{program}.png").pixels == solo[program], program


def test_a_killed_session_and_a_stranger_change_nothing_for_the_others(server, solo, tmp_path):
    victim = worker(server, "triangle", tmp_path / "victim.png", "stream", frames=100_000)
    server.settles(1)
    (doomed,) = server.sessions()
    running = {program: worker(server, program, tmp_path / f"{program}.png", ("stream", "shm")[n % 2])
               for n, program in enumerate(list(solo)[:8])}
    host, port = server.address.removeprefix("tcp://").split(":")
    stop = threading.Event()

    def pester():
        noise = random.Random(1)
        while not stop.is_set():
            with socket.create_connection((host, int(port))) as stranger:
                try:
                    stranger.sendall(noise.randbytes(noise.randrange(1, 5000)))
                except OSError:
                    pass
            time.sleep(0.01)

    stranger = threading.Thread(target=pester)
    stranger.start()
    time.sleep(0.5)
    os.kill(doomed, signal.SIGKILL)
    try:
        for program, process in running.items():
            output = process.communicate(timeout=300)
            assert process.returncode == 0, f"{program}: {output}"
            assert picture(tmp_path / f"{program}.png").pixels == solo[program], program
    finally:
        stop.set()
        stranger.join()
        victim.kill()
        victim.communicate()


def test_five_hundred_sessions_leave_nothing_on_the_server(server):
    loop = f"""
from mgpipe.client import connect
for n in range(250):
    for data in ("stream", "shm"):
        assert connect.connect(server={server.address!r}, driver="null", data=data).ping()
    connect.close_all()
"""
    server.settles(0)
    before = server.descriptors(), server.resident_kb()
    subprocess.run([sys.executable, "-c", loop], check=True, timeout=600, env=clean_environment())
    server.settles(0)
    assert server.descriptors() == before[0]
    assert server.resident_kb() - before[1] < 1024
    assert not [name for name in os.listdir("/dev/shm") if "mgpipe" in name]
