"""The long tier, `make soak`: what `make test` does a little of, done a lot. Not collected by `make test`.

Kill loops, hundreds of sessions, the mirror dropped with many seeds on every topology and in both dialects.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCENARIOS = Path(__file__).parents[1] / "scenarios"
sys.path.insert(0, str(SCENARIOS))

from scenario import EXAMPLES, PROGRAMS, Scenario, clean_environment, picture  # noqa: E402
from test_verify_programs import verify  # noqa: E402

pytestmark = pytest.mark.soak

MODERNGL = [name for name in PROGRAMS if not name.startswith(("zengl", "pyopengl"))]
RENDERER = """
import os, signal, sys, time
import mgpipe, moderngl
c = mgpipe.context(topology="spawn")
ctx = moderngl.create_context(context=c)
program = ctx.program(
    vertex_shader='#version 330\\nvoid main() { gl_Position = vec4(vec2[](vec2(-3, -1), vec2(3, -1), vec2(0, 3))[gl_VertexID], 0, 1); }',
    fragment_shader='#version 330\\nuniform float level; out vec4 c; void main() { c = vec4(level); }')
vao = ctx.vertex_array(program, [])
target = ctx.simple_framebuffer((64, 64)); target.use()
data = ctx.buffer(reserve=1 << 20); piece = bytes(1 << 20)
print(c.stats()["server_pid"], flush=True)
n = 0
while ctx.error == "GL_NO_ERROR":
    program["level"].value = n % 100 / 100
    vao.render(vertices=3)
    if n % 7 == 0: data.orphan(); data.write(piece)
    if n % 13 == 0: target.read()
    n += 1
"""


@pytest.fixture(scope="session")
def scenario(tmp_path_factory) -> Scenario:
    return Scenario(tmp_path_factory.mktemp("soak"))


def gone(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("victim", ["server", "client"])
def test_kill_at_random_moments(victim):
    chance = random.Random(1)
    for _ in range(60):
        client = subprocess.Popen([sys.executable, "-c", RENDERER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=clean_environment())
        server = int(client.stdout.readline())
        time.sleep(chance.random() * 0.3)
        os.kill(server if victim == "server" else client.pid, signal.SIGKILL)
        start = time.monotonic()
        _, errors = client.communicate(timeout=10)
        if victim == "server":
            assert client.returncode == 0 and time.monotonic() - start < 2, errors
            assert errors.count("is gone") == 1, errors
        assert gone(server, 2)


def test_three_hundred_sessions_leave_nothing():
    result = subprocess.run([sys.executable, "-c", """
import ctypes, gc, os
import mgpipe
from mgpipe.client import connect
def resident():
    ctypes.CDLL(None).malloc_trim(0)        # what was freed comes and goes by a megabyte
    return int(open("/proc/self/statm").read().split()[1]) * 4096
def once():
    c = mgpipe.context(topology="spawn", driver="null"); c.release(); connect.close(c.session)
for _ in range(40): once()
gc.collect(); before = len(os.listdir("/proc/self/fd")), resident(), len(open("/proc/self/maps").readlines())
for _ in range(300): once()
gc.collect(); after = len(os.listdir("/proc/self/fd")), resident(), len(open("/proc/self/maps").readlines())
print(after[0] - before[0], after[1] - before[1], after[2] - before[2])
"""], capture_output=True, text=True, timeout=600, env=clean_environment())
    assert result.returncode == 0, result.stderr
    descriptors, memory, mappings = map(int, result.stdout.split())
    assert descriptors == 0 and mappings <= 2 and memory < 300 * (4 << 10), result.stdout


@pytest.mark.parametrize("arm", ["monolith-gl", "inproc-gl", "spawn-gl", "monolith-gles", "spawn-gles"])
def test_mirror_dropped_with_many_seeds(scenario, arm):
    topology, driver = arm.split("-")
    for program in MODERNGL:
        whole = scenario.on(topology, driver, program).pixels
        for seed in range(3, 6):
            out = scenario.folder / f"{program}-{arm}-{seed}.png"
            subprocess.run([sys.executable, str(SCENARIOS / "dropping.py"), str(seed), str(EXAMPLES / f"{program}.py"), str(out),
                            topology, driver], check=True, capture_output=True, timeout=120, env=clean_environment())
            assert picture(out).pixels == whole, f"{program}, seed {seed}"


@pytest.mark.parametrize("arm", ["monolith-gl", "inproc-gl", "spawn-gl", "spawn-gles"])
def test_every_program_verifies(arm, tmp_path):
    topology, driver = arm.split("-")
    for program in PROGRAMS:
        verify(tmp_path, topology, driver, program)
