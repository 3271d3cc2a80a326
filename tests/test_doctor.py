"""`mgpipe doctor`, as its reader meets it: what works here, or what a server elsewhere answers."""

import os
import subprocess
import sys

import pytest
from serving import Server


NO_DRIVER = {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}


def doctor(*flags: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}
    return subprocess.run([sys.executable, "-m", "mgpipe", "doctor", "--quick", *flags], env=clean | environment, capture_output=True,
                          text=True, timeout=120)


@pytest.fixture
def server():
    running = Server()
    yield running
    running.end()


def test_every_driver_and_topology_of_this_machine_is_looked_at():
    told = doctor()
    assert told.returncode == 0, told.stderr
    rows = {line.split("  ")[1].strip() if line.startswith("  ") else line.split("  ")[0]: line for line in told.stderr.splitlines()}
    for name in ("driver gl", "driver gles", "monolith", "inproc", "spawn", "moderngl"):
        assert rows[name].rstrip().endswith("ok"), told.stderr
    assert "server pid" in rows["spawn"] and "draws a triangle through spawn" in rows["moderngl"]


def test_a_machine_without_a_driver_is_told_of_servers():
    told = doctor(**NO_DRIVER)
    assert told.returncode == 1
    assert told.stderr.count("FAILED") == 6 and told.stderr.count("no OpenGL driver on this machine") == 1, told.stderr
    assert told.stderr.count("the same as driver gl ") == 5 and "mgpipe doctor --server ADDRESS" in told.stderr


@pytest.mark.parametrize("data", ["shared memory", "stream"])
def test_a_server_elsewhere_is_looked_at_without_a_driver_here(server, data):
    told = doctor("--server", server.address, **NO_DRIVER, **({"MGPIPE_DATA": "stream"} if data == "stream" else {}))
    assert told.returncode == 0, told.stderr
    link, driver, moderngl = told.stderr.splitlines()
    assert link.startswith(server.address) and data in link and "llvmpipe" in driver
    assert f"draws a triangle through {server.address}" in moderngl
    assert all(line.rstrip().endswith("ok") for line in (link, driver, moderngl))


@pytest.mark.parametrize(("address", "why"), [("tcp://127.0.0.1:1", "no render server answers at"),
                                              ("gpu:7400", "'gpu:7400' is no address of a server")])
def test_a_server_that_cannot_be_reached_is_one_sentence(address, why):
    told = doctor(MGPIPE_SERVER=address)
    assert told.returncode == 1 and told.stderr.count("FAILED") == 1
    assert told.stderr.startswith(f"{address}  {why}"), told.stderr


def test_an_option_that_cannot_be_is_a_mistake_of_usage():
    told = doctor("--data", "pigeon")
    assert told.returncode == 2 and "pigeon" in told.stderr and told.stderr.count("\n") == 1
