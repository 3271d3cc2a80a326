"""What an operator sees of a server: its log, and what Prometheus scrapes."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mgpipe.client import connect, errors
from mgpipe.control import endpoints

from serving import TRIANGLE, Server

SCENE = """
import sys, mgpipe, moderngl
from mgpipe.client import connect
link = mgpipe.context(server=sys.argv[1], data=sys.argv[2])
ctx = moderngl.create_context(context=link)
""" + TRIANGLE + """for n in range(25):
    buffer.write(bytes([n]) * 24)
    shape.render()
    shape.render()
    target.read()
stats = link.stats()
connect.close_all()
print(*(stats[name] for name in ("draws", "frames", "records", "record_bytes")))
"""


def scrape(server: Server) -> dict[str, float]:
    """`name` or `name{label}` → value."""
    url = server.says("metrics at ").rpartition(" ")[2]
    text = urllib.request.urlopen(url, timeout=10).read().decode()
    return {sample.name + "".join(f"{{{value}}}" for value in sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}


def until(server: Server, condition, within_s: float = 5.0) -> dict[str, float]:
    deadline = time.monotonic() + within_s
    while not condition(seen := scrape(server)):
        assert time.monotonic() < deadline, seen
        time.sleep(0.05)
    return seen


@pytest.mark.parametrize("data", ["stream", "shm"])
def test_a_scrape_says_what_a_session_did(serve, data):
    server = serve("tcp", "--metrics", "0")
    before = scrape(server)
    assert before["mgpipe_sessions"] == before["mgpipe_draws_total"] == 0
    ran = subprocess.run([sys.executable, "-c", SCENE, server.address, data], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    draws, frames, records, record_bytes = map(int, ran.stdout.split())
    seen = until(server, lambda seen: seen["mgpipe_sessions"] == 0 and seen["mgpipe_sessions_ended_total{left}"] == 1)
    assert (seen["mgpipe_draws_total"], seen["mgpipe_frames_total"]) == (draws, frames) == (50, 25)
    assert seen["mgpipe_records_total"] >= records     # and those that ended what was left at the close
    assert seen["mgpipe_record_bytes_total"] >= record_bytes
    assert seen["mgpipe_answers_total"] == 26           # the limits of the driver, and each read
    assert seen["mgpipe_blob_bytes_total"] >= 25 * (24 + 8 * 8 * 3)


def test_a_scrape_says_who_is_there_and_who_was_turned_away(serve, capfd):
    server = serve("tcp", "--metrics", "0")
    first, second = (connect.connect(server=server.address, driver="null", data="stream", frames_in_flight=n) for n in (3, 4))
    seen = scrape(server)
    assert seen["mgpipe_sessions"] == seen["mgpipe_sessions_started_total"] == 2
    resident = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in (first.server_pid, second.server_pid))
    assert sum(v for k, v in seen.items() if k.startswith("mgpipe_memory_bytes")) == pytest.approx(resident * 4096, rel=0.1)
    first.emit(struct.pack("<HHI", 60000, 0, 8))
    until(server, lambda seen: seen.get("mgpipe_faults_total{UnknownOperation}") == 1)
    os.kill(second.server_pid, signal.SIGKILL)
    with endpoints.dial(endpoints.parse(server.address)) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
        until(server, lambda seen: seen["mgpipe_refused_total{malformed}"] == 1 and seen["mgpipe_sessions_ended_total{killed}"] == 1)
    connect.close_all()
    seen = until(server, lambda seen: seen["mgpipe_sessions"] == 0)
    assert seen["mgpipe_sessions_ended_total{faulted}"] == seen["mgpipe_faults_total{UnknownOperation}"] == 1


def test_a_reader_that_does_not_read_keeps_nobody_waiting(serve):
    server = serve("tcp", "--metrics", "0")
    url = server.says("metrics at ").rpartition("//")[2].partition("/")[0].split(":")
    silent = [socket.create_connection((url[0], int(url[1]))) for _ in range(3)]
    assert connect.connect(server=server.address, driver="null").ping()
    assert scrape(server)["mgpipe_sessions"] == 1
    for stream in silent:
        stream.close()


def test_restarts_are_counted_where_a_service_manager_keeps_a_folder(serve, tmp_path):
    for restarts in range(2):
        server = serve("tcp", "--metrics", "0", RUNTIME_DIRECTORY=str(tmp_path))
        assert scrape(server)["mgpipe_supervisor_restarts_total"] == restarts
        server.end()


def test_each_line_of_a_json_log_is_an_object(serve, capfd):
    server = serve("tcp", "--log", "json")
    handle = connect.connect(server=server.address, driver="null", data="stream")
    pid = handle.server_pid
    handle.emit(struct.pack("<HHI", 60000, 0, 8))
    assert not handle.ping()
    connect.close_all()
    server.says('"event": "session_ended"')
    lines = [json.loads(line) for line in server.lines]
    for line in lines:
        assert list(line) == ["time", "level", "event", "session", "sentence", "fields"]
        time.strptime(line["time"].partition(".")[0], "%Y-%m-%dT%H:%M:%S")
    by_event = {line["event"]: line for line in lines}
    assert by_event["listening"]["fields"]["address"] == server.address
    started, ended = by_event["session_started"], by_event["session_ended"]
    assert started["session"] == ended["session"] == pid
    assert started["level"] == "info" and ended["level"] == "warning"
    assert started["fields"]["peer"].startswith("127.0.0.1:") and started["fields"]["peer"] == ended["fields"]["peer"]
    assert started["fields"]["data"] == "stream" and started["fields"]["driver"] == "null"
    assert (ended["fields"]["why"], ended["fields"]["fault"]) == ("faulted", "UnknownOperation")


def test_a_plain_log_says_who_came_and_why_they_went(serve, capfd):
    server = serve("unix")
    handle = connect.connect(server=server.address, driver="null")
    pid = handle.server_pid
    line = server.says(f"session {pid} started")
    assert f"process {os.getpid()} of user {os.getuid()}, null" in line and "shared memory" in line
    connect.close_all()
    assert "its client left" in server.says(f"session {pid} ended")
    handle = connect.connect(server=server.address, driver="null")
    os.kill(handle.server_pid, signal.SIGKILL)
    assert "its process ended by SIGKILL" in server.says(f"session {handle.server_pid} ended")


def test_a_log_that_nobody_reads_stops_no_server(tmp_path):
    """A pipe holds 64 KiB: what does not fit is dropped."""
    command = [sys.executable, "-m", "mgpipe", "serve", "--listen", f"unix:{tmp_path}/socket"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        address = process.stderr.readline().partition("listening on ")[2].split()[0]
        try:
            with open(f"/proc/{process.pid}/fd/2", "wb", buffering=0) as pipe:
                os.set_blocking(pipe.fileno(), False)
                while pipe.write(bytes(4096)) is not None:
                    pass
                assert connect.connect(server=address, driver="null").ping()
                connect.close_all()
        finally:
            process.kill()


def test_metrics_without_the_library_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "prometheus_client.py").write_text("raise ModuleNotFoundError('none', name='prometheus_client')")
    ran = subprocess.run([sys.executable, "-m", "mgpipe", "serve", "--metrics", "0"], capture_output=True, text=True, timeout=20,
                         env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert ran.returncode == 2
    assert ran.stderr == "mgpipe serve: --metrics needs prometheus_client: pip install 'mgpipe[serve]'\n"


def test_a_welcome_is_still_refused_with_words_when_there_is_no_driver(serve):
    server = serve("tcp", __EGL_VENDOR_LIBRARY_DIRS="/nonexistent")
    with pytest.raises(errors.NoDriver, match="no OpenGL driver on"):
        connect.connect(server=server.address)
    server.says("refused (no_driver)")
