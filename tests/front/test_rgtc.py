"""RGTC in software: blocks are what the specification says, texels survive as far as eight values in a block allow."""

import random

import pytest


@pytest.fixture(scope="module")
def rgtc():
    from mgpipe.front import _probe

    return _probe


def numbers(*sixteen: int) -> bytes:
    return sum(n << 3 * i for i, n in enumerate(sixteen)).to_bytes(6, "little")


def signed(texels: bytes) -> list[int]:
    return [t - 256 if t > 127 else t for t in texels]


def test_the_first_value_above_the_second_makes_eight(rgtc):
    got = rgtc.rgtc_decode(bytes([210, 0]) + numbers(*range(8), *range(8)), 4, 4, 1, False)
    assert list(got) == [210, 0, 180, 150, 120, 90, 60, 30] * 2


def test_else_six_and_the_ends(rgtc):
    got = rgtc.rgtc_decode(bytes([0, 50]) + numbers(*range(8), *range(8)), 4, 4, 1, False)
    assert list(got) == [0, 50, 10, 20, 30, 40, 0, 255] * 2


def test_signed_values_go_both_ways(rgtc):
    got = rgtc.rgtc_decode(bytes([70, 0x80]) + numbers(0, 1, *[0] * 14), 4, 4, 1, True)
    assert signed(got)[:2] == [70, -127]
    got = rgtc.rgtc_decode(bytes([0x80, 70]) + numbers(6, 7, *[0] * 14), 4, 4, 1, True)
    assert signed(got)[:2] == [-127, 127]


@pytest.mark.parametrize("is_signed", [False, True])
@pytest.mark.parametrize("components", [1, 2])
@pytest.mark.parametrize("size", [(4, 4), (1, 1), (7, 5), (12, 3)])
def test_texels_stay_within_a_step(rgtc, size, components, is_signed):
    texels = random.Random(5).randbytes(size[0] * size[1] * components)
    blocks = rgtc.rgtc_encode(texels, *size, components, is_signed)
    back = rgtc.rgtc_decode(blocks, *size, components, is_signed)
    pairs = zip(signed(texels), signed(back), strict=True) if is_signed else zip(texels, back, strict=True)
    assert max(abs(a - b) for a, b in pairs) <= 19             # half of 255 / 7


def test_what_has_at_most_two_values_a_block_is_exact(rgtc):
    texels = bytes(random.Random(6).choices([3, 200], k=64))
    assert rgtc.rgtc_decode(rgtc.rgtc_encode(texels, 8, 8, 1, False), 8, 8, 1, False) == texels
