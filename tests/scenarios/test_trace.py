"""`--trace`: what a program, the link, the server and the GPU did, as a file that Chrome and Perfetto open."""

import json
import os
import re
import signal
import struct
import subprocess
import sys
import time

import pytest
from mgpipe.catalogue.calls import EVENTS
from mgpipe.client import _probe, connect
from traced import LINES, Trace, command, environment, run, torn

ARMS = ("monolith", "inproc", "spawn", "tcp", "spawn-gles")


def options(scenario, arm: str) -> dict[str, str]:
    topology, _, driver = arm.partition("-")
    where = scenario.servers.options("tcp") if topology == "tcp" else {"topology": topology}
    return where | {"driver": driver or "gl"}


@pytest.fixture(scope="module")
def traces(scenario, tmp_path_factory):
    made: dict[str, Trace] = {}

    def of(arm: str) -> Trace:
        if arm not in made:
            made[arm] = run(tmp_path_factory.mktemp(arm), options(scenario, arm))
        return made[arm]

    return of


@pytest.fixture(params=ARMS)
def arm(request) -> str:
    return request.param


@pytest.fixture
def trace(traces, arm) -> Trace:
    return traces(arm)


def test_every_track_is_there_and_used(trace, arm):
    tracks = {re.split(r"[ ,]", name)[0] for name in trace.slices}
    wanted = {"frames", "client", "apply", "GPU"} | ({"link"} if arm != "monolith" else set())
    assert wanted <= tracks
    if arm == "monolith":
        assert "link (none: calls are direct)" in trace.tracks.values()
    ends = trace.args("trace ends")
    assert (ends["missing"], ends["dropped by the program"], ends["dropped by the server"]) == ("", 0, 0)


# Trace event format: what each phase must have beside name, ph, pid, tid and ts.
PHASES = {"X": {"cat": str, "dur": (int, float)}, "M": {"args": dict}, "i": {"cat": str, "s": str, "args": dict}, "C": {"args": dict}}
METADATA = {"process_name", "thread_name"}


def test_events_are_as_the_format_asks(trace):
    for event in trace.events:
        assert isinstance(event["name"], str) and event["name"] and isinstance(event["pid"], int) and isinstance(event["tid"], int)
        assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0, event
        assert all(isinstance(event[member], kind) for member, kind in PHASES[event["ph"]].items()), event
        assert event["ph"] != "M" or event["name"] in METADATA and isinstance(event["args"]["name"], str)
        assert event["ph"] != "i" or event["s"] in ("g", "p", "t")
        assert event["ph"] != "C" or event["args"] and all(type(value) in (int, float) for value in event["args"].values())
    named = {(e["name"], e["pid"], e["tid"] if e["name"] == "thread_name" else 0) for e in trace.events if e["ph"] == "M"}
    assert len(named) == sum(e["ph"] == "M" for e in trace.events)
    for event in trace.events:
        assert {("process_name", event["pid"], 0), ("thread_name", event["pid"], event["tid"])} <= named or event["ph"] == "M", event


def test_slices_of_a_track_are_beside_or_within_each_other(trace):
    for name, slices in trace.slices.items():
        open_until: list[float] = []
        for event in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
            begin, end = event["ts"], event["ts"] + event["dur"]
            assert begin >= 0 and event["dur"] >= 0
            while open_until and open_until[-1] <= begin + 1e-3:        # sums of decimal fractions
                open_until.pop()
            assert not open_until or end <= open_until[-1] + 1e-3, f"{name}: {event}"
            open_until.append(end)


def test_every_record_is_applied_once_after_it_was_emitted(trace):
    emitted = {e["bind_id"]: e for e in trace.of("emit")}
    applied = {e["bind_id"]: e for e in trace.of("apply")}
    assert len(emitted) == len(trace.of("emit")) and len(applied) == len(trace.of("apply"))
    assert len(emitted) > 100 and applied.keys() - emitted.keys() == set()
    assert set(emitted) - set(applied) <= {max(emitted, key=int)}       # the row that ends the trace is not told of
    for number, event in applied.items():
        assert event["name"] == emitted[number]["name"] and event["ts"] >= emitted[number]["ts"]
        assert event["flow_in"] is True and emitted[number]["flow_out"] is True
    assert [e["args"]["ordinal"] for e in trace.of("apply")] == sorted(e["args"]["ordinal"] for e in trace.of("apply"))
    assert sum(e["name"] == "draw_vbo" for e in applied.values()) == 60


def test_waits_are_named_by_their_call_and_the_programs_line(trace, arm):
    waits = trace.of("wait")
    reads = [e for e in waits if e["name"] == "wait: glReadPixels" and e["args"]["for"] in ("an answer", "the driver")]
    finishes = [e for e in waits if e["name"] == "wait: glFinish" and e["args"]["for"] in ("an answer", "the driver")]
    assert 1 <= len(reads) <= 3 and len(finishes) == 1      # an answer that is there already is not waited for
    for event, line in ((reads[0], "read"), (finishes[0], "finish")):
        assert event["args"]["line"].endswith(f"/program.py:{LINES[line]}")
        assert "/moderngl/" in event["args"]["through"]
    assert all("line" in e["args"] for e in waits)
    if arm != "monolith":
        assert sum(e["name"] == "waits for an answer" for e in trace.of("link")) >= 2


def test_calls_that_emit_are_slices_around_what_they_emit(trace):
    draws = [e for e in trace.of("call") if e["name"] == "glDrawArraysInstanced"]
    assert len(draws) == 60
    first = draws[0]
    within = [e for e in trace.of("emit") if first["ts"] <= e["ts"] and e["ts"] + e["dur"] <= first["ts"] + first["dur"] + 1e-3]
    assert "draw_vbo" in {e["name"] for e in within}
    uploads = [e for e in trace.of("emit") if e["name"] == "resource_subdata"]
    assert uploads and all(e["args"]["bytes"] == 24 for e in uploads)


def test_the_gpus_times_are_of_the_same_records_and_lie_where_those_were_applied(trace):
    applied = {e["args"]["ordinal"]: e for e in trace.of("apply")}
    draws = [e for e in trace.gpu() if e["name"] == "draw_vbo"]
    assert len(draws) == 60 and sum(e["dur"] > 0 for e in draws) >= 50
    for event in draws:
        assert applied[event["args"]["ordinal"]]["name"] == "draw_vbo"
    first, last = min(e["ts"] for e in draws), max(e["ts"] + e["dur"] for e in draws)
    begin, end = min(e["ts"] for e in trace.of("apply")), max(e["ts"] + e["dur"] for e in trace.of("apply"))
    assert begin <= first < last <= end + 1000


def test_the_trace_says_what_was_traced_and_how_well_clocks_agree(trace, arm):
    said = trace.args("session")
    topology = {"tcp": "remote", "spawn-gles": "spawn"}.get(arm, arm)
    assert said["topology"] == topology and "llvmpipe" in said["renderer"]
    assert said["server clock ahead by (us)"] == 0 and said["clock"] == "one machine's"     # loopback, too: it is one clock
    assert re.fullmatch(r"uncertain by [\d.]+ us", said["GPU times"])


def test_a_driver_without_timestamps_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "MGPIPE_DRIVER_WITHOUT", "GL_EXT_disjoint_timer_query")
    trace = run(tmp_path, {"topology": "spawn", "driver": "gles"})
    assert "GPU (no times: this driver has no timestamp queries)" in trace.tracks.values()
    assert trace.gpu() == [] and len(trace.of("apply")) > 100


def test_waiting_for_memory_is_named(tmp_path):
    """A server that stands still for a moment, and more bytes than may be in flight."""
    program = tmp_path / "uploads.py"
    program.write_text(
        "import mgpipe, moderngl\nfrom mgpipe import testing\n"
        f"context = mgpipe.context(trace={str(tmp_path / 'memory.json')!r}, driver='null', **testing.chaos(delay=(40, 300)))\n"
        "ctx = moderngl.create_context(context=context)\n"
        "buffer = ctx.buffer(reserve=3 << 20)\nother = ctx.buffer(reserve=16)\n"
        "for _ in range(40):\n"
        "    buffer.orphan()\n    buffer.write(bytes(3 << 20))\n    ctx.copy_buffer(other, buffer, 16)\n")
    subprocess.run([sys.executable, program], env=environment(), check=True, timeout=60)
    trace = Trace(json.loads((tmp_path / "memory.json").read_text()))
    waits = [e for e in trace.of("wait") if e["args"]["for"].startswith("memory")]
    assert waits and {e["name"] for e in waits} <= {"wait: glBufferSubData", "wait: glBufferData"}
    assert any(e["dur"] > 100_000 for e in waits) and all("uploads.py:" in e["args"]["line"] for e in waits)


@pytest.mark.parametrize("who", ["program", "server"])
def test_a_kill_leaves_a_trace_that_can_be_read(tmp_path, who):
    file = tmp_path / "trace.json"
    program = subprocess.Popen(command(tmp_path, file, {"topology": "spawn"}, 3, "stay"), env=environment(),
                               stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout.readline() == "drawn\n"
        head = torn(file)
        pid = int(re.search(r"pid (\d+)", next(e["args"]["name"] for e in head.events if e["name"] == "process_name"
                                               and e["pid"] == (1 if who == "program" else 2)))[1])
        os.kill(pid, signal.SIGKILL)
        if who == "server":
            time.sleep(0.3)
            program.terminate()
    finally:
        program.terminate()
        program.wait(20)
        program.stdout.close()
    trace = torn(file)
    assert trace.of("emit") and trace.of("apply")


def test_a_file_that_cannot_be_written_is_an_error_at_the_start(tmp_path):
    missing = tmp_path / "nowhere/trace.json"
    result = subprocess.run(command(tmp_path, missing, {}, 1), env=environment(), capture_output=True, text=True)
    assert result.returncode == 2 and result.stdout == ""
    assert result.stderr == f"mgpipe run: cannot write the trace to {missing}: No such file or directory\n"
    made = subprocess.run([sys.executable, "-c", f"import mgpipe; mgpipe.context(trace={str(missing)!r})"],
                          env=environment(), capture_output=True, text=True)
    assert made.stderr.splitlines()[-1].endswith(f"TraceFailed: cannot write the trace to {missing}: No such file or directory")


def test_a_second_session_writes_beside_the_first(tmp_path):
    program = (
        "import sys, mgpipe\n"
        "a = mgpipe.context(trace=sys.argv[1], driver='null')\nb = mgpipe.context(trace=sys.argv[1], driver='null', topology='inproc')\n")
    subprocess.run([sys.executable, "-c", program, tmp_path / "t.json"], env=environment(), check=True, timeout=60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t-2.json", "t.json"]


def test_slices_that_cannot_be_are_refused_one_by_one(tmp_path):
    """What a server tells is bytes: times that run backwards, records never sent, operations that there are not, fewer slices
    than it says."""
    file = tmp_path / "t.json"
    handle = connect.connect(topology="inproc", driver="null", trace=str(file))
    try:
        now = time.monotonic_ns()
        sound = (now, now + 1000, 1, 1, 0)
        wrong = [(now + 1000, now, 1, 1, 0), (now, now + 1000, 1 << 40, 1, 0), (now, now + 1000, 1, 0, 0),
                 (now, now + 1000, 1, 0xFFFFFFFF, 0), (now, now + 1000, 1, 1, 7), (5, 6, 1, 1, 0)]
        slices = b"".join(struct.pack("=QQQII", *slice) for slice in [sound, *wrong])
        number = 1 + [event.name for event in EVENTS].index("trace_slices")
        _probe.hear(handle, number, struct.pack("=II", 100, 0) + slices)
        _probe.hear(handle, number, b"\1")
        _probe.hear(handle, number, struct.pack("=II", 0xFFFFFFFF, 0))
    finally:
        connect.close(handle)
    trace = Trace(json.loads(file.read_text()))
    assert trace.args("trace ends")["refused of the server's"] == len(wrong)
    assert [e["dur"] for e in trace.of("apply") if e["args"]["ordinal"] == 1] == [1.0]
