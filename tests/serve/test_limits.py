"""A session that takes more than its operator allows ends by name; its program hears the name, and the others go on."""

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mgpipe
from mgpipe.client import connect, errors
from mgpipe.server.budget import Budget, Limits


@pytest.fixture(scope="session")
def nasty(tmp_path_factory) -> str:
    """The library of nasty_egl.c."""
    library = tmp_path_factory.mktemp("nasty") / "libEGL.so"
    source = Path(__file__).with_name("nasty_egl.c")
    subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return str(library)


def until_lost(handle, within_s: float = 5.0) -> str:
    deadline = time.monotonic() + within_s
    while handle.ping():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return handle.loss


def program(server, text: str) -> subprocess.CompletedProcess:
    """Runs with `link`, a context on the server, and `ctx`, moderngl's."""
    prelude = ("import sys, moderngl, mgpipe\nlink = mgpipe.context(server=sys.argv[1])\n"
               "ctx = moderngl.create_context(context=link)\n")
    return subprocess.run([sys.executable, "-c", prelude + text, server.address], capture_output=True, text=True, timeout=60)


def test_memory_that_a_program_takes_ends_its_session_by_name(serve):
    server = serve("tcp", "--session-memory", "400")
    other = connect.connect(server=server.address, driver="null")
    ran = program(server, "kept = []\n"
                          "while not link.session.lost:\n"
                          "    kept.append(ctx.texture((2048, 2048), 4)); kept[-1].use(); ctx.finish()\n"
                          "print(link.session.loss)\n")
    assert "MemoryLimit: the session holds" in ran.stdout or "its process ended" in server.says("ended after"), ran
    assert other.ping()


def test_memory_that_is_asked_for_at_once_is_refused_by_the_kernel(serve):
    """Looking at what is resident comes too late for 8 GiB in one call."""
    server = serve("tcp", "--session-memory", "300")
    handle = connect.connect(server=server.address, driver="null")
    limits = Path(f"/proc/{handle.server_pid}/limits").read_text()
    soft = next(line for line in limits.splitlines() if line.startswith("Max data size")).split()[3]
    data_kb = next(int(line.split()[1]) for line in Path(f"/proc/{handle.server_pid}/status").read_text().splitlines()
                   if line.startswith("VmData"))
    assert (data_kb << 10) <= int(soft) <= (data_kb << 10) + (300 << 20)


def test_a_shadow_segment_is_as_large_as_the_server_says(serve, capfd):
    server = serve("tcp", "--session-shadow", "8")
    ran = program(server, "buffers = [ctx.buffer(bytes(1 << 20)) for _ in range(4)]\n"
                          "print(link.stats()['lost'])\n"
                          "try:\n    ctx.buffer(bytes(16 << 20))\nexcept Exception as error: pass\n"
                          "print(ctx.error, link.stats()['lost'])\n")
    assert ran.stdout == "False\nGL_OUT_OF_MEMORY False\n", ran.stderr


def test_a_client_that_grows_its_shadow_segment_is_ended_by_name(serve, capfd):
    server = serve("tcp", "--session-shadow", "8")
    handle = connect.connect(server=server.address, driver="null", data="shm")
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if "memfd:mgpipe-shadow" in os.readlink(entry):
                os.truncate(entry, 64 << 20)
        except OSError:
            pass
    assert "ShadowLimit: the client made its shadow segment 64 MiB large; 8 are allowed" in until_lost(handle)
    server.says("ShadowLimit")


def test_one_object_too_many_ends_a_session_by_name(serve, capfd):
    server = serve("tcp", "--session-objects", "200")
    other = connect.connect(server=server.address, driver="null", frames_in_flight=4)
    ran = program(server, "kept = [ctx.buffer(reserve=16) for _ in range(150)]\n"
                          "ctx.finish(); print(link.session.lost)\n"
                          "more = [ctx.texture((1, 1), 4, bytes(4)) for _ in range(100)]\n"
                          "for texture in more: texture.use(); texture.build_mipmaps()\n"
                          "ctx.finish(); print(link.session.loss)\n")
    assert ran.stdout.startswith("False\n") and "ObjectLimit" in ran.stdout, (ran.stdout, ran.stderr)
    assert other.ping()


def test_objects_that_are_deleted_count_no_more(serve, capfd):
    handle = connect.connect(server=serve("tcp", "--session-objects", "20").address, driver="null")
    handle.exercise(1000)
    assert handle.ping()


@pytest.mark.parametrize("data", ["stream", "shm"])
def test_a_driver_that_does_not_return_ends_its_session_by_name(serve, nasty, tmp_path, capfd, data):
    stuck = tmp_path / "stuck"
    server = serve("tcp", "--verb-timeout", "0.5", MGPIPE_LIBEGL=nasty, NASTY_SLEEP=str(stuck))
    victim = connect.connect(server=server.address, data=data)
    other = connect.connect(server=server.address, driver="null", data=data)
    ctx = mgpipe.context(server=server.address, data=data)
    stuck.touch()
    started = time.monotonic()
    ctypes.CFUNCTYPE(None)(ctx.load("glFinish"))()
    assert victim.lost and "VerbTimeout: finish has kept the driver busy for more than 0.5 s" in victim.loss
    assert 0.4 < time.monotonic() - started < 3
    assert other.ping()
    with pytest.raises(errors.SessionLost) as lost:
        ctx.check()
    assert lost.value.family == "VerbTimeout"
    ctx.release()


def test_a_slow_driver_within_its_time_is_only_slow(serve, nasty, tmp_path):
    stuck = tmp_path / "stuck"
    server = serve("tcp", "--verb-timeout", "5", MGPIPE_LIBEGL=nasty, NASTY_SLEEP=str(stuck))
    ran = subprocess.Popen([sys.executable, "-c", "import sys, moderngl, mgpipe\n"
                            "ctx = moderngl.create_context(context=mgpipe.context(server=sys.argv[1]))\n"
                            "print('ready', flush=True); sys.stdin.readline(); ctx.finish(); print(ctx.error)\n", server.address],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert ran.stdout.readline() == "ready\n"
    stuck.touch()       # only now: a driver's start may finish, too
    ran.stdin.write("go\n")
    ran.stdin.flush()
    time.sleep(1)
    assert ran.poll() is None
    stuck.unlink()
    assert ran.communicate(timeout=30)[0] == "GL_NO_ERROR\n"


def test_a_client_that_takes_no_events_is_told_from_a_driver_that_hangs():
    class Worker:
        busy_with, pushing, operation, applied = 7, True, 1, 7

    budget = Budget(Limits(verb_s=0.01), Worker())
    assert budget.exceeded() is None
    time.sleep(0.02)
    assert budget.exceeded()[0] == "EventsNotDrained"
    Worker.pushing = False
    assert budget.exceeded() == ("VerbTimeout", "get_caps has kept the driver busy for more than 0.01 s")
    Worker.busy_with = 8
    assert budget.exceeded() is None


def test_a_reset_of_the_driver_is_a_lost_device(serve, nasty, tmp_path, capfd):
    reset = tmp_path / "reset"
    server = serve("tcp", MGPIPE_LIBEGL=nasty, NASTY_RESET=str(reset))
    ran = subprocess.Popen([sys.executable, "-c", "import sys, moderngl, mgpipe\n"
                            "link = mgpipe.context(server=sys.argv[1])\nctx = moderngl.create_context(context=link)\n"
                            "ctx.finish(); print('drawing', flush=True); sys.stdin.readline()\n"
                            "for _ in range(3): ctx.finish()\n"
                            "print(ctx.error, link.session.loss)\n", server.address], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
    assert ran.stdout.readline() == "drawing\n"
    reset.touch()
    out, _ = ran.communicate("\n", timeout=30)
    assert out.startswith("GL_CONTEXT_LOST") and "DeviceLost: the driver reset its context" in out


@pytest.mark.parametrize("driver", ["gl", "gles"])
def test_contexts_are_robust_and_tell_of_resets(serve, nasty, tmp_path, driver):
    made = tmp_path / "contexts"
    server = serve("tcp", MGPIPE_LIBEGL=nasty, NASTY_CONTEXTS=str(made))
    connect.connect(server=server.address, driver=driver)
    for line in made.read_text().splitlines():
        assert "31b2=1" in line.split()         # EGL_CONTEXT_OPENGL_ROBUST_ACCESS
        assert "31bd=31bf" in line.split()      # EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY: LOSE_CONTEXT_ON_RESET


def test_a_driver_that_makes_no_context_is_named(serve, nasty, tmp_path, capfd):
    """It made one when it started, which the first context takes; and no other."""
    from test_faults_told import GROUP, new_group, record

    server = serve("tcp", MGPIPE_LIBEGL=nasty, NASTY_CONTEXTS=str(tmp_path / "contexts"), NASTY_MOST_CONTEXTS="1")
    handle = connect.connect(server=server.address)
    for one in (new_group, record("create_context", context=(5, 1), group=GROUP)):
        handle.emit(one)
    assert handle.ping()
    handle.emit(record("create_context", context=(6, 1), group=GROUP))
    assert "DriverError: create_context: the driver made none" in until_lost(handle)
