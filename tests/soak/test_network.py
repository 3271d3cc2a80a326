"""Whole programs over a bad network: what they draw is what they draw over a good one."""

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "scenarios"), str(TESTS / "session")]

from proxy import Proxy  # noqa: E402
from scenario import EXAMPLES, clean_environment, picture  # noqa: E402
from serving import Server  # noqa: E402

pytestmark = pytest.mark.soak
PROGRAMS = ("thousand_draws", "textures", "readback", "pack_ring", "uniform_blocks")


@pytest.fixture(scope="module")
def server():
    started = Server()
    yield started
    started.end()


def start(address: str, program: str, out: Path, frames: int, *flags: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "mgpipe", "run", "--server", address, "--data", "stream", *flags, "--",
               sys.executable, str(EXAMPLES / f"{program}.py"), str(out), "--frames", str(frames)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())


def finish(running: subprocess.Popen, seconds: float) -> None:
    output = running.communicate(timeout=seconds)
    assert running.returncode == 0, output


def through(server: Server, **network) -> Proxy:
    host, port = server.address.removeprefix("tcp://").split(":")
    return Proxy((host, int(port)), **network)


@pytest.mark.parametrize("compress", ["never", "auto"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_delay_loss_and_a_narrow_link_change_no_picture(server, tmp_path, program, compress):
    """30 ms there and back, 1 % of the packets lost, 20 Mbit/s."""
    finish(start(server.address, program, tmp_path / "good.png", 5), 120)
    proxy = through(server, delay_s=0.015, bytes_per_s=20e6 / 8, loss=0.01)
    try:
        finish(start(proxy.address, program, tmp_path / "bad.png", 5, "--compress", compress), 300)
    finally:
        proxy.close()
    assert proxy.lost > 0
    assert picture(tmp_path / "bad.png").pixels == picture(tmp_path / "good.png").pixels


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_cut_of_ten_seconds_changes_no_picture(server, tmp_path, program):
    finish(start(server.address, program, tmp_path / "good.png", 60), 120)
    proxy = through(server)
    running = start(proxy.address, program, tmp_path / "bad.png", 60)
    try:
        while not proxy.passed:
            time.sleep(0.01)
        time.sleep(random.Random(program).random())
        proxy.cut = True
        threading.Timer(10.0, setattr, (proxy, "cut", False)).start()
        finish(running, 120)
    finally:
        proxy.close()
    assert picture(tmp_path / "bad.png").pixels == picture(tmp_path / "good.png").pixels
