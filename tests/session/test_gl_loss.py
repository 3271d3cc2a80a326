"""The same deaths and forks as real programs meet them: moderngl and PyOpenGL on a real driver through a spawned server."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .conftest import alive, eventually

pytest.importorskip("moderngl")

ROOT = Path(__file__).parents[2]
SCENE = """
import gc, os, signal, sys, threading, time
import moderngl, mgpipe
from tests.session.conftest import descriptors, freeze

def scene(**options):
    loader = mgpipe.context(**options)
    ctx = moderngl.create_context(context=loader)
    program = ctx.program(
        vertex_shader='#version 330\\nin vec2 place; uniform float size; void main() { gl_Position = vec4(place * size, 0, 1); }',
        fragment_shader='#version 330\\nuniform vec4 tint; out vec4 colour; void main() { colour = tint; }')
    program['size'].value = 2.0
    program['tint'].value = (1, 0, 1, 1)
    corners = ctx.buffer(b''.join(map(__import__('struct').Struct('2f').pack, (-1, -1, 3), (-1, 3, -1))))
    shape = ctx.vertex_array(program, [(corners, '2f', 'place')])
    target = ctx.simple_framebuffer((16, 16))
    target.use()
    return loader, ctx, program, corners, shape, target

def draw(made):
    loader, ctx, program, corners, shape, target = made
    ctx.clear()
    shape.render()
    return target.read(components=4)

made = scene()
loader, ctx, program, corners, shape, target = made
picture = draw(made)
assert picture == b'\\xff\\x00\\xff\\xff' * 256, picture[:16]
pid = loader.session.server_pid
print(pid, flush=True)
"""


def run(text: str, *, topology: str = "spawn", signals: list[tuple[float, int]] = ()) -> subprocess.CompletedProcess:
    """A program that has drawn the scene once; `signals` are sent to it, seconds after it has printed `go`."""
    environment = os.environ | {"MGPIPE_TOPOLOGY": topology, "MGPIPE_DRIVER": "gl"}
    program = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", SCENE + text],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
    )  # fmt: skip
    server = int(program.stdout.readline() or 0)
    if signals:
        assert program.stdout.readline() == "go\n"
    for delay_s, number in signals:
        time.sleep(delay_s)
        program.send_signal(number)
    out, err = program.communicate(timeout=60)
    if topology == "spawn":
        assert eventually(lambda: not alive(server), 2), "the server outlived its program"
    return subprocess.CompletedProcess(program.args, program.returncode, out, err)


@pytest.mark.parametrize("also", ["", "target.read()", "ctx.finish()", "corners.write(b'\\0' * 24)"])
def test_the_server_killed_in_the_middle_of_a_frame(also):
    done = run(
        "threading.Timer(0.2, os.kill, (pid, signal.SIGKILL)).start()\n"
        "started = time.monotonic()\n"
        "while not loader.session.lost and time.monotonic() - started < 5:\n"
        f"    ctx.clear(); shape.render(); {also}\n"
        "print(time.monotonic() - started < 1.5, ctx.error)\n"
        "for _ in range(1000): shape.render(); corners.write(b'\\1' * 24)\n"
        "draw(made); print('survived')\n"
    )
    assert done.stdout == "True GL_CONTEXT_LOST\nsurvived\n", done.stderr
    assert done.returncode == 0
    assert done.stderr.count("is gone") == 1


def test_a_lost_context_is_told_and_a_new_one_draws():
    done = run(
        "os.kill(pid, signal.SIGKILL)\n"
        "while not loader.session.lost: draw(made)\n"
        "again = scene()\n"
        "print(draw(again) == picture, again[0].session.server_pid != pid)\n"
    )
    assert done.stdout == "True True\n", done.stderr


def test_ctrl_c_in_a_program_whose_server_is_frozen():
    with ThreadPoolExecutor() as beside:        # the wait goes on for two seconds after the signal
        for done in beside.map(lambda waiting: run(f"freeze(pid); print('go', flush=True); {waiting}", signals=[(0.3, signal.SIGINT)]),
                               ["target.read()", "ctx.finish()"]):
            assert "KeyboardInterrupt" in done.stderr
            assert "interrupted while waiting" in done.stderr


@pytest.mark.parametrize("topology", ["spawn", "inproc", "monolith"])
def test_a_child_that_runs_finalisers_harms_nobody(topology):
    done = run(
        "if (child := os.fork()) == 0:\n"
        "    draw(made); corners.release(); shape.release(); target.release(); ctx.release(); loader.release()\n"
        "    del made, ctx, program, corners, shape, target, loader; gc.collect(); sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), draw(made) == picture)\n",
        topology=topology,
    )
    assert done.stdout == "7 True\n", done.stderr


def test_a_child_draws_in_a_session_of_its_own():
    done = run(
        "if (child := os.fork()) == 0:\n"
        "    own = scene(); same = draw(own) == picture; os._exit(0 if same and own[0].session.server_pid != pid else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), draw(made) == picture)\n"
    )
    assert done.stdout == "0 True\n", done.stderr


def test_children_of_multiprocessing_draw_beside_their_parent():
    done = run(
        "import multiprocessing\n"
        "def work(_): return draw(scene()) == picture\n"
        "with multiprocessing.get_context('fork').Pool(3) as pool:\n"
        "    results = pool.map_async(work, range(6))\n"
        "    while not results.ready(): assert draw(made) == picture\n"
        "    print(all(results.get()))\n"
    )
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("topology", ["spawn", "inproc", "monolith"])
def test_a_thread_that_holds_the_gil_and_one_that_does_not_draw_on_two_contexts(topology):
    """moderngl holds the GIL through every call, ctypes releases it; a third thread keeps it busy."""
    done = run(
        "import ctypes\n"
        "clear = ctypes.CFUNCTYPE(None, ctypes.c_uint)(loader.load_opengl_function('glClear'))\n"
        "finish = ctypes.CFUNCTYPE(None)(loader.load_opengl_function('glFinish'))\n"
        "stop, errors, rounds = threading.Event(), [], [0, 0]\n"
        "def spin():\n"
        "    while not stop.is_set(): sum(range(1000))\n"
        "def other():\n"
        "    try:\n"
        "        own = scene()\n"
        "        while not stop.is_set() or rounds[1] < 20:\n"
        "            for _ in range(20): clear(0x4000)\n"
        "            finish(); rounds[1] += 1\n"
        "            if draw(own) != picture: errors.append('other')\n"
        "    except BaseException as error: errors.append(repr(error))\n"
        "threads = [threading.Thread(target=spin), threading.Thread(target=other)]\n"
        "for t in threads: t.start()\n"
        "while rounds[0] < 50:\n"
        "    rounds[0] += 1\n"
        "    if draw(made) != picture: errors.append('main')\n"
        "stop.set()\n"
        "for t in threads: t.join(30)\n"
        "print(errors, min(rounds) >= 20, any(t.is_alive() for t in threads), loader.session.lost)\n",
        topology=topology,
    )
    assert done.stdout == "[] True False False\n", done.stderr


def test_no_driver_is_a_sentence():
    program = "import mgpipe\ntry: mgpipe.context()\nexcept Exception as error: print(type(error).__name__, error)"
    for topology in ("spawn", "inproc", "monolith"):
        environment = os.environ | {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent", "MGPIPE_TOPOLOGY": topology}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        assert done.stdout.startswith("NoDriver no OpenGL driver on this machine; install one (Debian: libegl1"), done
        assert done.stdout.count("Debian") == 1
        assert not done.stderr
