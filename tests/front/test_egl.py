"""EGL as programs use it: devices, configs, contexts without a surface, pbuffers, threads, errors.

Each test runs in a process of its own, since displays and what is current are the process's.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import ctypes, os, threading
from mgpipe.front import _gl
from registry import egl
class gl:
    "The commands these programs use; ints, floats and pointers as C has them. Reading gl.xml would take each a second."
    def declare(name, *kinds): return ctypes.CFUNCTYPE(ctypes.c_uint, *kinds)(_gl.address("gl" + name))
    U, F, P = ctypes.c_uint, ctypes.c_float, ctypes.c_void_p
    GetError, GetGraphicsResetStatus, Flush, Finish = map(declare, ("GetError", "GetGraphicsResetStatus", "Flush", "Finish"))
    GetIntegerv, LineWidth, Enable = declare("GetIntegerv", U, P), declare("LineWidth", F), declare("Enable", U)
    ClearColor, PrimitiveRestartIndex = declare("ClearColor", F, F, F, F), declare("PrimitiveRestartIndex", U)
    GenBuffers, BindBuffer, IsBuffer = declare("GenBuffers", U, P), declare("BindBuffer", U, U), declare("IsBuffer", U)
def integers(name, count=1):
    values = (ctypes.c_int * count)(*[-77] * count)
    gl.GetIntegerv(name, values)
    return list(values)
SUCCESS, NOT_INITIALIZED, BAD_ACCESS, BAD_ATTRIBUTE, BAD_CONFIG, BAD_CONTEXT = 0x3000, 0x3001, 0x3002, 0x3004, 0x3005, 0x3006
BAD_DISPLAY, BAD_MATCH, BAD_NATIVE_WINDOW, BAD_PARAMETER, BAD_SURFACE = 0x3008, 0x3009, 0x300B, 0x300C, 0x300D
def ints(*values): return (ctypes.c_int * (len(values) + 1))(*values, 0x3038)
def begin():
    display = egl.GetPlatformDisplay(0x31DD, None, None)
    assert egl.Initialize(display, None, None) and egl.BindAPI(0x30A2)
    return display
def choose(display, *wanted):
    found, count = (ctypes.c_void_p * 64)(), ctypes.c_int()
    assert egl.ChooseConfig(display, ints(*wanted), found, 64, ctypes.byref(count)), hex(egl.GetError())
    return list(found)[:count.value]
def attribute(display, config, name):
    value = ctypes.c_int()
    assert egl.GetConfigAttrib(display, config, name, ctypes.byref(value))
    return value.value
CORE = (0x3098, 3, 0x30FB, 3, 0x30FD, 1)
def context(display, share=None, *wanted):
    return egl.CreateContext(display, None, share, ints(*(wanted or CORE)))
def pbuffer(display, width, height):
    return egl.CreatePbufferSurface(display, choose(display, 0x3033, 1)[0], ints(0x3057, width, 0x3056, height))
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(Path(__file__).parent)])
    return subprocess.run([sys.executable, "-c", PRELUDE + program], capture_output=True, text=True, timeout=180, env={
        **{k: v for k, v in os.environ.items() if not k.startswith("MGPIPE_")}, "PYTHONPATH": path,
        "MGPIPE_TOPOLOGY": "monolith", "MGPIPE_DRIVER": "null", **environment})


def succeeds(program: str, **environment: str) -> str:
    result = run(program, **environment)
    assert result.returncode == 0, result.stderr
    return result.stderr


def test_there_is_one_device_and_it_makes_a_display():
    succeeds("""
count, device = ctypes.c_int(), (ctypes.c_void_p * 4)()
assert egl.QueryDevicesEXT(0, None, ctypes.byref(count)) and count.value == 1
assert egl.QueryDevicesEXT(4, device, ctypes.byref(count)) and count.value == 1
display = egl.GetPlatformDisplayEXT(0x313F, device[0], None)
major, minor = ctypes.c_int(), ctypes.c_int()
assert egl.Initialize(display, ctypes.byref(major), ctypes.byref(minor)) and (major.value, minor.value) == (1, 5)
assert b"EGL_KHR_surfaceless_context" in egl.QueryString(display, 0x3055)
assert b"EGL_EXT_platform_device" in egl.QueryString(None, 0x3055)
assert egl.QueryString(display, 0x308D) == b"OpenGL"
back = ctypes.c_ssize_t()
assert egl.QueryDisplayAttribEXT(display, 0x322C, ctypes.byref(back)) and back.value == device[0]
""")


def test_a_window_systems_display_is_refused_and_the_default_one_is_not():
    succeeds("""
assert not egl.GetPlatformDisplay(0x31D5, None, None) and egl.GetError() == BAD_PARAMETER
assert egl.Initialize(egl.GetDisplay(None), None, None)
""")


def test_the_display_must_be_one_and_initialised():
    succeeds("""
display = egl.GetDisplay(None)
assert not egl.QueryString(display, 0x3053) and egl.GetError() == NOT_INITIALIZED
assert not egl.Initialize(0x1234, None, None) and egl.GetError() == BAD_DISPLAY
assert egl.GetError() == SUCCESS
""")


def test_no_driver_is_said_in_a_sentence_and_initialize_fails():
    complaint = succeeds("""
import mgpipe.front.egl as own
def refuse(): raise RuntimeError("no OpenGL driver on this machine")
own.connector = refuse
assert not egl.Initialize(egl.GetDisplay(None), None, None) and egl.GetError() == NOT_INITIALIZED
""")
    assert complaint == "mgpipe: no OpenGL driver on this machine\n"


def test_glcontexts_request_finds_a_config_with_depth():
    succeeds("""
display = begin()
found = choose(display, 0x3033, 1, 0x3022, 8, 0x3023, 8, 0x3024, 8, 0x3025, 8, 0x3040, 8)
assert found and attribute(display, found[0], 0x3025) == 24 and attribute(display, found[0], 0x3031) == 0
""")


def test_configs_are_sorted_and_filtered_as_the_specification_says():
    succeeds("""
display = begin()
assert [attribute(display, c, 0x3021) for c in choose(display, 0x3021, 8)] == [8] * 4
assert attribute(display, choose(display, 0x3031, 2)[0], 0x3031) == 4
assert choose(display, 0x3033, 4) == []                        # windows
assert choose(display, 0x3040, 4) == []                        # OpenGL ES 2
assert choose(display, 0x3021, 16) == []
assert len(choose(display)) == 8 and choose(display, 0x3028, 3) == [3]
assert not egl.ChooseConfig(display, ints(0x9999, 1), None, 0, ctypes.byref(ctypes.c_int())) and egl.GetError() == BAD_ATTRIBUTE
assert not egl.GetConfigAttrib(display, 99, 0x3021, ctypes.byref(ctypes.c_int())) and egl.GetError() == BAD_CONFIG
""")


@pytest.mark.parametrize(("wanted", "made", "said"), [
    ((0x3098, 3, 0x30FB, 3, 0x30FD, 1), True, ""),
    ((0x3098, 3, 0x30FB, 2), True, ""),
    ((0x3098, 3, 0x30FB, 1, 0x30FC, 2), True, ""),
    ((0x3098, 3, 0x30FB, 3, 0x31B1, 1, 0x31B0, 1), True, ""),
    ((0x3098, 4, 0x30FB, 6), False, "a context of OpenGL 4.6 was asked for; mgpipe has 3.3 core here"),
    ((0x3098, 3, 0x30FB, 3, 0x30FD, 2), False, "a compatibility-profile context of OpenGL 3.3 was asked for"),
    ((0x3098, 2, 0x30FB, 1), False, "a context of OpenGL 2.1 was asked for"),
], ids=["core 3.3", "3.2", "forward 3.1", "forward debug 3.3", "4.6", "compatibility", "2.1"])
def test_contexts_that_can_be_promised_are_made_and_others_refused_in_words(wanted, made, said):
    complaint = succeeds(f"""
display = begin()
made = context(display, None, *{wanted})
assert bool(made) == {made} and egl.GetError() == (SUCCESS if {made} else BAD_MATCH)
assert not made or made & 0xFFFFFFFF
""")
    assert said in complaint and bool(said) == bool(complaint)


def test_an_unknown_attribute_is_bad():
    succeeds("assert not context(begin(), None, 0x9999, 1) and egl.GetError() == BAD_ATTRIBUTE")


def test_opengl_es_is_not_offered():
    complaint = succeeds("""
display = egl.GetDisplay(None)
egl.Initialize(display, None, None)
assert not egl.BindAPI(0x30A0) and egl.GetError() == BAD_PARAMETER
assert egl.QueryAPI() == 0x3038 and not context(display) and egl.GetError() == BAD_MATCH
""")
    assert "eglBindAPI" in complaint


def test_a_context_without_a_surface_draws_nowhere_and_is_current():
    succeeds("""
display = begin()
made = context(display)
assert egl.MakeCurrent(display, None, None, made)
assert egl.GetCurrentContext() == made and egl.GetCurrentDisplay() == display and not egl.GetCurrentSurface(0x3059)
assert integers(0x0C10, 4) == [0, 0, 0, 0] and integers(0x0C01) == [0]         # scissor box, draw buffer
assert egl.MakeCurrent(display, None, None, None) and not egl.GetCurrentContext()
""")


def test_the_first_surface_sizes_viewport_and_scissor_box_and_later_ones_do_not():
    succeeds("""
display = begin()
made, small, large = context(display), pbuffer(display, 30, 20), pbuffer(display, 300, 200)
assert egl.MakeCurrent(display, small, small, made)
assert integers(0x0BA2, 4) == [0, 0, 30, 20] and integers(0x0C10, 4) == [0, 0, 30, 20] and integers(0x0C01) == [0x0405]
assert egl.MakeCurrent(display, large, large, made)
assert integers(0x0BA2, 4) == [0, 0, 30, 20] and egl.GetCurrentSurface(0x3059) == large
size = ctypes.c_int()
assert egl.QuerySurface(display, large, 0x3057, ctypes.byref(size)) and size.value == 300
assert egl.SwapBuffers(display, large)
assert not egl.SwapBuffers(display, small) and egl.GetError() == BAD_SURFACE
""")


def test_wrong_combinations_cannot_be_made_current():
    succeeds("""
display = begin()
made, surface = context(display), pbuffer(display, 4, 4)
for arguments, error in (((surface, None, made), BAD_MATCH), ((surface, surface, None), BAD_MATCH), ((None, None, 0x1234), BAD_CONTEXT),
                         ((0x1234, 0x1234, made), BAD_SURFACE)):
    assert not egl.MakeCurrent(display, *arguments) and egl.GetError() == error
assert not egl.GetCurrentContext()
""")


def test_a_surface_too_large_or_negative_is_refused():
    succeeds("""
display = begin()
assert not pbuffer(display, -1, 4) and egl.GetError() == BAD_PARAMETER
assert not pbuffer(display, 16385, 4) and egl.GetError() == 0x3003
""")


def test_windows_are_refused_by_name():
    complaint = succeeds("""
display = begin()
assert not egl.CreateWindowSurface(display, 1, None, None) and egl.GetError() == BAD_NATIVE_WINDOW
""")
    assert "eglCreateWindowSurface" in complaint


def test_each_context_has_its_own_state_and_error():
    succeeds("""
display = begin()
one, two = context(display), context(display)
egl.MakeCurrent(display, None, None, one); gl.LineWidth(3.0); gl.Enable(0x7777)
egl.MakeCurrent(display, None, None, two); assert integers(0x0B21) == [1] and gl.GetError() == 0
egl.MakeCurrent(display, None, None, one); assert integers(0x0B21) == [3] and gl.GetError() == 0x0500
""")


def test_contexts_of_a_share_group_see_each_others_buffers_and_others_do_not():
    succeeds("""
display = begin()
one = context(display)
two, stranger = context(display, one), context(display)
name = ctypes.c_uint()
egl.MakeCurrent(display, None, None, one); gl.GenBuffers(1, ctypes.byref(name)); gl.BindBuffer(0x8892, name.value)
egl.MakeCurrent(display, None, None, two); assert gl.IsBuffer(name.value) & 1
egl.MakeCurrent(display, None, None, stranger); assert not gl.IsBuffer(name.value) & 1
""")


def test_a_context_destroyed_while_current_lives_until_it_is_released():
    succeeds("""
display = begin()
made = context(display)
egl.MakeCurrent(display, None, None, made)
assert egl.DestroyContext(display, made)
gl.LineWidth(2.0); assert integers(0x0B21) == [2] and egl.GetCurrentContext() == made
assert not egl.DestroyContext(display, made) and egl.GetError() == BAD_CONTEXT
assert egl.MakeCurrent(display, None, None, None) and not egl.MakeCurrent(display, None, None, made)
""")


def test_terminate_ends_what_the_display_made_and_nothing_else():
    succeeds("""
display, other = begin(), egl.GetDisplay(None)
egl.Initialize(other, None, None)
mine, others = context(display), context(other)
assert egl.Terminate(display) and not egl.MakeCurrent(display, None, None, mine) and egl.GetError() == NOT_INITIALIZED
assert egl.MakeCurrent(other, None, None, others)
assert egl.Initialize(display, None, None) and not egl.DestroyContext(display, mine) and egl.GetError() == BAD_CONTEXT
assert context(display)
""")


def test_a_context_is_current_in_one_thread_only_and_errors_belong_to_threads():
    succeeds("""
display = begin()
made = context(display)
egl.MakeCurrent(display, None, None, made)
seen = []
def other():
    seen.append(egl.MakeCurrent(display, None, None, made)); seen.append(egl.GetError()); seen.append(egl.GetCurrentContext())
thread = threading.Thread(target=other); thread.start(); thread.join()
assert seen == [0, BAD_ACCESS, None] and egl.GetError() == SUCCESS
egl.ReleaseThread()
thread = threading.Thread(target=lambda: seen.append(egl.MakeCurrent(display, None, None, made))); thread.start(); thread.join()
assert seen[-1] == 1
""")


def test_threads_with_contexts_of_their_own_keep_their_state_apart():
    succeeds("""
display = begin()
wrong = []
def work(number):
    egl.BindAPI(0x30A2)
    made = context(display)
    assert egl.MakeCurrent(display, None, None, made)
    for i in range(3000):
        gl.PrimitiveRestartIndex(number * 10000 + i)
        if integers(0x8F9E) != [number * 10000 + i]: wrong.append((number, i))
    egl.ReleaseThread()
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not wrong
""")


@pytest.mark.parametrize("topology", ["monolith", "spawn"])
def test_a_forked_child_may_do_as_it_likes_with_what_it_inherited(topology):
    succeeds("""
display = begin()
made = context(display)
egl.MakeCurrent(display, None, None, made)
child = os.fork()
if child == 0:
    gl.Enable(0x7777); gl.ClearColor(1, 1, 1, 1); gl.Flush()
    assert gl.GetError() == 0 and not egl.MakeCurrent(display, None, None, made) and egl.GetError() == NOT_INITIALIZED
    assert egl.DestroyContext(display, made) and egl.MakeCurrent(display, None, None, None)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
gl.LineWidth(2.0); assert integers(0x0B21) == [2] and gl.GetError() == 0
""", MGPIPE_TOPOLOGY=topology)


def test_a_lost_server_is_told_once_and_calls_do_nothing_from_then_on():
    succeeds("""
import signal
display = begin()
made = context(display)
egl.MakeCurrent(display, None, None, made)
import mgpipe.front.egl as own
handle, = set(own.keepers.values())
os.kill(handle.server_pid, signal.SIGKILL)
import time
deadline = time.monotonic() + 10
while not gl.GetGraphicsResetStatus() and time.monotonic() < deadline:
    gl.Finish()
assert gl.GetGraphicsResetStatus() == 0x8255
assert gl.GetError() == 0x0507 and gl.GetError() == 0
gl.Flush(); assert gl.GetError() == 0x0507 and gl.GetError() == 0
assert integers(0x821B) == [3]                                  # what the client knows it still says
assert not context(display) and egl.GetError() == 0x300E        # EGL_CONTEXT_LOST
assert not egl.MakeCurrent(display, None, None, made) and egl.GetError() == 0x300E
assert egl.MakeCurrent(display, None, None, None) and egl.DestroyContext(display, made)
""", MGPIPE_TOPOLOGY="spawn")
