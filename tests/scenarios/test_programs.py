"""Every example draws the direct driver's pixels on every topology and in both dialects."""

import pytest
from scenario import ARMS, FRAMES, PROGRAMS, prove_arm

# Desktop OpenGL on one driver is exact, but for programs that draw to a window-system framebuffer: the driver's own is
# BGRA, which rounds by one where the RGBA8 of a framebuffer object does not. OpenGL ES draws through other shader text
# and another API, so that a rounding of the last bit may differ, and an edge may fall on the other side of a pixel centre.
ES_CHANNEL = 2          # of 255, for 99.9 % of the channels
ES_OUTLIERS = 0.001
WINDOW_PROGRAMS = {"pyopengl_stencil"}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(("topology", "driver"), ARMS, ids=map("-".join, ARMS))
def test_pixels_equal_those_of_the_direct_driver(scenario, topology, driver, program):
    direct = scenario.direct(program)
    run = scenario.on(topology, driver, program)
    assert run.size == direct.size
    if driver == "gl" and program in WINDOW_PROGRAMS:
        assert max(abs(a - b) for a, b in zip(run.pixels, direct.pixels, strict=True)) <= 1
        return
    if driver == "gl":
        assert run.pixels == direct.pixels, f"{difference(run.pixels, direct.pixels)} channels differ"
        return
    far = sum(abs(a - b) > ES_CHANNEL for a, b in zip(run.pixels, direct.pixels, strict=True))
    assert far <= ES_OUTLIERS * len(direct.pixels), f"{far} of {len(direct.pixels)} channels are further than {ES_CHANNEL} away"


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_frame_makes_a_round_trip(scenario, program):
    stats = scenario.on("spawn", "gl", program).stats
    assert stats["round_trips"] == 1            # for the driver's limits, when the session starts
    assert stats["draws"] >= FRAMES


def test_the_comparison_sees_one_wrong_pixel(scenario):
    direct = scenario.direct("triangle")
    wrong = bytearray(direct.pixels)
    wrong[len(wrong) // 2] ^= 1
    assert difference(bytes(wrong), direct.pixels) == 1


@pytest.mark.parametrize("lie", [{"topology": "monolith"}, {"driver": "gles"}, {"link": "direct calls"}, {"draws": 0},
                                 {"server": "tcp://127.0.0.1:1"}], ids=str)
def test_a_run_on_another_arm_is_noticed(lie):
    honest = {"topology": "spawn", "driver": "gl", "link": "shared memory", "server": "", "draws": 1, "lost": 0,
              "server_pid": 1}
    prove_arm(honest, "spawn", "gl")
    with pytest.raises(AssertionError):
        prove_arm(honest | lie, "spawn", "gl")


def difference(a: bytes, b: bytes) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))
