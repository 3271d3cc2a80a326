"""Present credit: how far a program that swaps may be ahead of what the driver has really finished."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mgpipe.testing import chaos

from serving import Server

from .conftest import alive, eventually

AT = 3              # a record after those that open a session, before any present
FRONT = Path(__file__).parents[1] / "front"

PROGRAM = """
import ctypes, os, signal, sys, threading, time
from mgpipe.client import connect
from registry import egl, gl
def ints(*values): return (ctypes.c_int * (len(values) + 1))(*values, 0x3038)
display = egl.GetPlatformDisplay(0x31DD, None, None)
assert egl.Initialize(display, None, None) and egl.BindAPI(0x30A2)
config, count = ctypes.c_void_p(), ctypes.c_int()
assert egl.ChooseConfig(display, ints(0x3033, 1), ctypes.byref(config), 1, ctypes.byref(count)) and count.value
surface = egl.CreatePbufferSurface(display, config, ints(0x3057, 256, 0x3056, 256))
context = egl.CreateContext(display, config, None, ints(0x3098, 3, 0x30FB, 3, 0x30FD, 1))
assert egl.MakeCurrent(display, surface, surface, context)
session, = connect.sessions()
def swap():
    "Whether it went well, and seconds."
    started = time.monotonic()
    return egl.SwapBuffers(display, surface), time.monotonic() - started
"""

SLOW_FRAMES = """
def shader(kind, text):
    it, lines = gl.CreateShader(kind), ctypes.c_char_p(text)
    gl.ShaderSource(it, 1, ctypes.byref(lines), None)
    gl.CompileShader(it)
    return it
program, array = gl.CreateProgram(), ctypes.c_uint()
gl.AttachShader(program, shader(0x8B31, b'''#version 330
    void main() { gl_Position = vec4(vec2[](vec2(-3, -1), vec2(3, -1), vec2(0, 3))[gl_VertexID], 0, 1); }'''))
gl.AttachShader(program, shader(0x8B30, b'''#version 330
    out vec4 c; void main() { float x = gl_FragCoord.x; for (int i = 0; i < 150; i++) x = sin(x + float(i)); c = vec4(x); }'''))
gl.LinkProgram(program)
gl.UseProgram(program)
gl.GenVertexArrays(1, ctypes.byref(array))
gl.BindVertexArray(array)
fences = []
def frame():
    gl.DrawArrays(4, 0, 3)
    fences.append(gl.FenceSync(0x9117, 0))
    assert swap()[0]
def finished(fence, within_ns=1):
    return gl.ClientWaitSync(fence, 0, within_ns) in (0x911A, 0x911C)       # the driver is asked, whatever the client believes
"""


@pytest.fixture
def place(request, nothing_left):
    """The environment in which a program finds its server: of a topology, or over a stream."""
    if request.param != "tcp":
        yield {"MGPIPE_TOPOLOGY": request.param}
        return
    server = Server("tcp://127.0.0.1:0", "--chaos")
    yield {"MGPIPE_SERVER": server.address, "MGPIPE_DATA": "stream"}
    server.end()


elsewhere = pytest.mark.parametrize("place", ["spawn", "tcp"], indirect=True)
everywhere = pytest.mark.parametrize("place", ["monolith", "inproc", "spawn", "tcp"], indirect=True)


def run(program: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MGPIPE_")}
    done = subprocess.run([sys.executable, "-c", PROGRAM + program], capture_output=True, text=True, timeout=120,
                          env=clean | {"PYTHONPATH": str(FRONT)} | environment)
    assert done.returncode == 0, done.stderr
    return done


def credit(frames_in_flight: int) -> int:
    return max(1, frames_in_flight - 2)


@elsewhere
@pytest.mark.parametrize("in_flight", [1, 3, 6])
def test_a_program_is_never_more_presents_ahead_than_its_credit(place, in_flight):
    """Of a server that is held before the first present, exactly the credit can be taken; then everything goes on."""
    done = run("""
took = [swap() for _ in range(20)]
assert all(ok for ok, _ in took)
print(next(i for i, (_, seconds) in enumerate(took) if seconds > 0.7), session.stats()["present_waits"] > 0)
""", MGPIPE_DRIVER="null", MGPIPE_FRAMES_IN_FLIGHT=str(in_flight), MGPIPE_CHAOS=chaos(delay=(AT, 1500))["chaos"], **place)
    assert done.stdout == f"{credit(in_flight)} True\n"


@everywhere
def test_a_credit_comes_back_when_the_driver_has_finished_the_frame(place):
    """Not when it has taken the frame's commands: that it has done long before."""
    done = run(SLOW_FRAMES + """
ahead = 0
for n in range(6):
    frame()
    if n >= 3:
        assert finished(fences[n - 3]), f"frame {n - 3} is not drawn, after swap {n}"
    ahead = max(ahead, sum(not finished(fence) for fence in fences[-3:]))
stats = session.stats()
print(ahead, stats["round_trips"] <= 1, stats["present_waits"] > 0)
gl.Finish()
""", MGPIPE_DRIVER="gl", MGPIPE_FRAMES_IN_FLIGHT="5", **place)
    ahead, *told = done.stdout.split()
    assert int(ahead) <= 3 and told == ["True", "True"], done.stdout


@elsewhere
def test_a_server_killed_while_a_program_waits_for_a_credit_ends_the_wait(place):
    done = run("""
threading.Timer(0.7, os.kill, (session.stats()["server_pid"], signal.SIGKILL)).start()
started = time.monotonic()
while swap()[0]: pass
print(0.5 < time.monotonic() - started < 3, hex(egl.GetError()), session.lost, session.stats()["server_pid"])
assert not swap()[0] and swap()[1] < 0.5
""", MGPIPE_DRIVER="null", MGPIPE_CHAOS=chaos(delay=(AT, 60_000))["chaos"], **place)
    within, error, lost, pid = done.stdout.split()
    assert (within, error, lost) == ("True", "0x300e", "True")         # EGL_CONTEXT_LOST
    assert done.stderr.count("is gone") == 1
    assert eventually(lambda: not alive(int(pid)), 3)


def test_an_interval_needs_a_surface_and_changes_nothing(nothing_left):
    """Without a display there is no refresh: swaps go on as before."""
    run("""
for interval in (-1, 0, 1, 60, 1 << 30):
    assert egl.SwapInterval(display, interval) and swap()[0] and swap()[1] < 1.0
assert egl.MakeCurrent(display, None, None, context)
assert not egl.SwapInterval(display, 1) and egl.GetError() == 0x300D           # EGL_BAD_SURFACE
assert egl.MakeCurrent(display, None, None, None)
assert not egl.SwapInterval(display, 1) and egl.GetError() == 0x3006           # EGL_BAD_CONTEXT
""", MGPIPE_DRIVER="null", MGPIPE_TOPOLOGY="monolith")
