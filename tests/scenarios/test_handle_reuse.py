"""Objects deleted and made again between draws, with the same GL name and in the same slot: the picture is the new one's."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from scenario import clean_environment

DRAWS = """
import ctypes, itertools, struct, sys
from pathlib import Path

TOPOLOGY, LIE, OUT = sys.argv[1:]

import moderngl
if TOPOLOGY == "direct":
    ctx = moderngl.create_context(standalone=True, backend="egl")
    loader = None
else:
    import mgpipe
    loader = mgpipe.context(topology=TOPOLOGY, driver="gl")
    ctx = moderngl.create_context(context=loader)

VERTEX = '''#version 330
    in vec2 place; out vec2 at; void main() { at = place * 0.5 + 0.5; gl_Position = vec4(place, 0, 1); }'''
FRAGMENT = '''#version 330
    uniform sampler2D image; uniform Colours { vec4 tint; }; in vec2 at; out vec4 colour;
    void main() { colour = %s * tint * texture(image, at * 2.0 - 0.25); }'''
HALVES = [struct.pack("6f", -1, -1, 3, -1, -1, 3), struct.pack("6f", -1, -1, 0, -1, 0, 1)]
TINTS = [struct.pack("4f", *c) for c in ((1, 1, 1, 1), (1, 0.5, 0.25, 1), (0.25, 1, 0.5, 1))]
TEXELS = [bytes((i * k) % 256 for i in range(64)) for k in (37, 91, 53)]
FACTORS = ["1.0", "vec4(0.5, 1, 1, 1)", "vec4(1, 0.5, 1, 1)"]
kinds = ("vertices", "colours", "image", "sampler", "program", "target")

if LIE:                                 # as a client would that ignores generations
    from mgpipe.catalogue.layout import boundary
    from mgpipe.client._probe import Tap
    ROWS = {row.op: row for row in boundary().rows}
    def first_generation(op, payload, tails):
        if ROWS[op].name == LIE:
            payload[4:8] = struct.pack("<I", 1)
    tap = Tap(loader.session, first_generation)

picture = bytearray()
for pair in itertools.combinations_with_replacement(kinds, 2):
    made = {}
    names = {}
    def make(kind, n):
        if kind in made:
            names[kind] = made[kind]._glo
            made.pop(kind).release()
        if kind == "vertices":
            made[kind] = ctx.buffer(HALVES[n % 2])
        elif kind == "colours":
            made[kind] = ctx.buffer(TINTS[n % 3])
        elif kind == "image":
            made[kind] = ctx.texture((4, 4), 4, TEXELS[n % 3])
        elif kind == "sampler":
            made[kind] = ctx.sampler(repeat_x=n % 2 == 0, repeat_y=n % 2 == 0, filter=(moderngl.NEAREST,) * 2)
        elif kind == "program":
            made[kind] = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT % FACTORS[n % 3])
        else:
            if "color" in made:
                made.pop("color").release()
            made["color"] = ctx.texture((16, 16), 4)
            made[kind] = ctx.framebuffer([made["color"]])
        assert loader is None or kind == "program" or kind not in names or made[kind]._glo == names[kind], f"{kind}: another name, so the test would test nothing"
    for kind in kinds:
        make(kind, 0)
    for n in range(4):
        array = ctx.vertex_array(made["program"], [(made["vertices"], "2f", "place")])
        made["target"].use(); made["target"].clear(0.1, 0.2, 0.3, 1)
        made["image"].use(0); made["sampler"].use(0); made["colours"].bind_to_uniform_block(0)
        array.render()
        if n % 2:                       # now and then nothing is read in between, so that draws are in flight
            picture += made["target"].read(components=4)
        array.release()
        for kind in pair:
            make(kind, n + 1)
    for kind in reversed(list(made)):
        made[kind].release()
Path(OUT).write_bytes(picture)
if loader is not None:
    print(loader.session.loss or "whole")
"""


def start(topology: str, out: Path, lie: str = "") -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", textwrap.dedent(DRAWS), topology, lie, str(out)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean_environment())


def run(topology: str, out: Path) -> bytes:
    result = start(topology, out)
    assert result.returncode == 0, result.stderr
    assert topology == "direct" or result.stdout == "whole\n", result.stdout
    return out.read_bytes()


@pytest.fixture(scope="module")
def direct(tmp_path_factory) -> bytes:
    return run("direct", tmp_path_factory.mktemp("direct") / "pixels")


@pytest.mark.parametrize("topology", ["monolith", "inproc", "spawn"])
def test_what_is_drawn_is_the_newest_owner_of_a_name(direct, tmp_path, topology):
    pixels = run(topology, tmp_path / "pixels")
    assert len(pixels) == len(direct) > 0
    assert pixels == direct


@pytest.mark.parametrize("call", ["resource_create", "create_shader_state"])
def test_a_client_that_ignores_generations_is_found(tmp_path, call):
    assert f"HandleInUse: {call}." in start("monolith", tmp_path / "pixels", call).stderr
