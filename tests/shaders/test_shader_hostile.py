"""Damaged SPIR-V is refused in words or translated, and never ends the process."""

import os
import struct
import subprocess
import sys

import pytest
from hostile_modules import modules
from mgpipe.shaders._spirv_cross import DialectError, to_dialect


@pytest.mark.parametrize("seed", range(4))
def test_no_damage_crashes_the_translator(seed):
    """Unchecked, SPIRV-Cross ended the process for one damaged module in eight: by assertion or by fault."""
    script = os.path.join(os.path.dirname(__file__), "hostile_modules.py")
    done = subprocess.run([sys.executable, script, str(seed), "1000"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    refused, translated = map(int, done.stdout.split())
    assert refused > 500 and translated > 20  # the damage was damage, and the check lets sound modules through


def test_every_truncation_is_refused():
    stage, spirv = min(modules(), key=lambda module: len(module[1]))
    for length in range(0, len(spirv) - 4, 4):
        with pytest.raises(DialectError):
            to_dialect(spirv[:length], stage, False)


def instruction(opcode: int, *operands: int) -> list[int]:
    return [(len(operands) + 1) << 16 | opcode, *operands]


@pytest.mark.parametrize(("code", "words"), [
    ([], "no entry point"),
    ([0], "runs over the end"),
    (instruction(19, 1)[:1], "runs over the end"),
    (instruction(30, 1, 1), "declared above"),                                  # a structure that holds itself
    (instruction(30, 1, 2) + instruction(30, 2, 1), "declared above"),
    (instruction(19, 900), "out of bounds"),
    (instruction(19, 1) + instruction(19, 1), "defined twice"),
    (instruction(274, 1, 2, 3, 4, 5, 6), "none of OpenGL's"),                   # OpReadPipe
    (instruction(22, 1, 32) + instruction(30, 2, *[1] * 1000)
     + sum((instruction(30, n, *[n - 1] * 100) for n in range(3, 9)), []), "too many members"),
])
def test_modules_made_to_recurse_or_unfold(code, words):
    header = [0x07230203, 0x00010300, 0, 100, 0]
    with pytest.raises(DialectError, match=words):
        to_dialect(struct.pack(f"<{len(header) + len(code)}I", *header, *code), 0, False)


def test_a_module_of_another_stage_is_refused():
    stage, spirv = modules()[0]
    with pytest.raises(DialectError, match="stage"):
        to_dialect(spirv, (stage + 4) % 6, False)


def test_what_the_dialect_cannot_say_is_refused_by_name():
    from mgpipe.shaders import compiler
    linked = compiler.link([(0x8B31, [b"#version 410\nuniform B { double d; }; void main() { gl_Position = vec4(float(d)); "
                                      b"}"])])
    with pytest.raises(DialectError, match="doubles in a uniform or storage block"):
        to_dialect(linked.spirv[0], 0, True)
    assert "double" in to_dialect(linked.spirv[0], 0, False)
