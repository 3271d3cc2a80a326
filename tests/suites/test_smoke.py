"""Programs over libraries as people use them: PyOpenGL, pyglet, pyrender, moderngl-window; each as the direct driver draws it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from ahead import Ahead
from suites import ARMS, HERE, clean_environment, prove_arm
from scenario import FRAMES, Run, picture

APART = {"manim_scene"}     # in an environment of their own: tests/soak/test_libraries.py
PROGRAMS = sorted(path.stem for path in (HERE / "programs").glob("*.py") if path.stem not in APART)
# Of 255. A window's own framebuffer rounds by one where a framebuffer object does not, and a shader may where it comes to
# the driver in other words; on OpenGL ES an edge may fall on the other side of a pixel centre.
ROUNDED, ES, ES_OUTLIERS = 1, 2, 0.001
ROUNDS = {"pyglet_shapes", "pyrender_scene"}
# pyrender reads each frame and asks for a context of OpenGL 4.1; what ES lacks of it, it does not use.
OPTIONS = {"pyrender_scene": {"MGPIPE_GL_VERSION": "4.1"}}


def run(program: str, folder: Path, arm: str = "", python: str = sys.executable) -> Run:
    """Run one, on an arm or, without, on the driver itself."""
    out, stats = folder / f"{program}-{arm}.png", folder / f"{program}-{arm}.json"
    environment = clean_environment() | {"EGL_PLATFORM": "surfaceless", "PYTHONDONTWRITEBYTECODE": "1"}
    if arm:
        topology, driver = arm.split("-")
        environment |= {"MGPIPE_PRELOAD": "1", "MGPIPE_TOPOLOGY": topology, "MGPIPE_DRIVER": driver, "MGPIPE_STATS": str(stats),
                        **OPTIONS.get(program, {})}
    ended = subprocess.run([python, str(HERE / "programs" / f"{program}.py"), str(out), str(FRAMES)], env=environment,
                           capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Exception ignored" not in ended.stderr and "not implemented" not in ended.stderr, ended.stderr
    counters = json.loads(stats.read_text()) if arm else {}
    if arm:
        prove_arm(counters, topology, driver)
    return picture(out, counters)


@pytest.fixture(scope="session")
def drawn(tmp_path_factory):
    """drawn(program, arm): once for all tests that ask; with "" for an arm on the driver itself."""
    runs = Ahead(lambda program, arm: run(program, tmp_path_factory.mktemp(program), arm))
    for arm in (*ARMS, ""):
        for program in PROGRAMS:
            runs.begin(program, arm)
    yield runs
    runs.close()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("arm", ARMS)
def test_the_picture_is_the_direct_driver_s(drawn, program, arm):
    compare(drawn(program, arm), drawn(program, ""), program, arm)


def compare(mine: Run, its: Run, program: str, arm: str) -> None:
    assert mine.size == its.size and len(set(its.pixels)) > 8
    allowed = ES if arm.endswith("gles") else ROUNDED if program in ROUNDS else 0
    far = sum(abs(a - b) > allowed for a, b in zip(mine.pixels, its.pixels, strict=True))
    assert far <= (ES_OUTLIERS * len(its.pixels) if arm.endswith("gles") else 0), f"{far} channels differ"


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_frame_makes_a_round_trip(drawn, program):
    """With glGetError after every call, as PyOpenGL and pyglet have it by default."""
    stats = drawn(program, "spawn-gl").stats
    assert stats["round_trips"] == 1            # for the driver's limits, when the session starts
    assert stats["draws"] >= FRAMES
