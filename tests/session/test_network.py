"""A network that really fails: server and client in a network namespace, whose loopback device is taken down under them."""

import json
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEER_TIMEOUT_S = 2
SCRIPT = """
import json, os, subprocess, sys, time
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
from mgpipe.client import connect
from serving import Server

def link(state): subprocess.run(["ip", "link", "set", "lo", state], check=True)

server = Server("tcp://127.0.0.1:0", "--peer-timeout", "{timeout}")
handle = connect.connect(server=server.address, driver="null", data="stream", peer_timeout={timeout})
assert handle.ping()
told = {{}}
try:
{body}
    print(json.dumps(told))
finally:
    link("up")
    connect.close_all()
    server.end()
"""


@pytest.fixture
def namespace() -> Iterator[str]:
    name = f"mgpipe-{time.monotonic_ns() & 0xFFFFFF:x}"
    if shutil.which("ip") is None or subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        pytest.skip("network namespaces cannot be made here")
    try:
        subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


def run(namespace: str, body: str) -> dict:
    script = SCRIPT.format(root=str(ROOT), timeout=PEER_TIMEOUT_S, body=textwrap.indent(textwrap.dedent(body), "    "))
    ran = subprocess.run(["ip", "netns", "exec", namespace, sys.executable, "-c", script], capture_output=True, text=True,
                         timeout=60)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_peer_that_vanishes_is_given_up_in_its_time(namespace):
    """Half-open: no packet arrives any more, and nobody says so. Both sides end, the waiting one and the idle one."""
    told = run(namespace, """
        pid = handle.server_pid
        link("down")
        started = time.monotonic()
        assert not handle.ping()
        told["client_s"], told["loss"] = time.monotonic() - started, handle.loss
        while server.sessions() and time.monotonic() - started < 20: time.sleep(0.05)
        told["server_s"], told["sessions"] = time.monotonic() - started, server.sessions()
    """)
    assert "is gone" in told["loss"] and told["sessions"] == []
    assert PEER_TIMEOUT_S / 2 < told["client_s"] < PEER_TIMEOUT_S + 2
    assert PEER_TIMEOUT_S / 2 < told["server_s"] < PEER_TIMEOUT_S + 4


def test_a_link_that_comes_back_in_time_is_only_late(namespace):
    told = run(namespace, """
        import threading
        link("down")
        threading.Timer(0.8, link, ["up"]).start()
        started = time.monotonic()
        handle.exercise(1000)
        told["ping"] = handle.ping()
        told["took_s"] = time.monotonic() - started
    """)
    assert told["ping"] and 0.7 < told["took_s"] < 10
