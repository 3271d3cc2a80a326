"""Feeds damaged SPIR-V to the dialect translator, in the process of its own that test_shader_hostile.py gives it.

Arguments: seed, count. Prints how many were refused and how many were translated anyway.
"""

import faulthandler
import random
import struct
import sys

from mgpipe.shaders import compiler
from mgpipe.shaders._spirv_cross import DialectError, to_dialect
from shader_corpus import CORPUS
from shader_driver import STAGE_ENUMS


def modules() -> list[tuple[int, bytes]]:
    found = []
    for program in CORPUS.values():
        linked = compiler.link([(STAGE_ENUMS[stage], [text.encode()]) for stage, text in program.items()])
        found += linked.spirv.items()
    return found


def damaged(words: list[int], dice: random.Random) -> list[int]:
    """A word overwritten, a bit flipped, an id exchanged, some words doubled or dropped, or the end cut off."""
    at = dice.randrange(len(words))
    match dice.randrange(6):
        case 0:
            words[at] = dice.getrandbits(32)
        case 1:
            words[at] ^= 1 << dice.randrange(32)
        case 2:
            words[at] = dice.randrange(words[3])
        case 3:
            words[at:at] = words[at:at + dice.randrange(1, 6)]
        case 4:
            del words[at:at + dice.randrange(1, 6)]
        case 5:
            del words[at:]
    return words


def main(seed: int, count: int) -> None:
    faulthandler.enable()
    dice = random.Random(seed)
    sound = modules()
    outcomes = {"refused": 0, "translated": 0}
    for i in range(count):
        stage, spirv = dice.choice(sound)
        words = damaged(list(struct.unpack(f"<{len(spirv) // 4}I", spirv)), dice)
        try:
            to_dialect(struct.pack(f"<{len(words)}I", *words), stage, bool(i & 1))
            outcomes["translated"] += 1
        except DialectError as error:
            assert str(error), "a refusal says why"
            outcomes["refused"] += 1
    print(outcomes["refused"], outcomes["translated"])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
