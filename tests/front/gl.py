"""Bare OpenGL: `gl.TexImage2D(gl.TEXTURE_2D, …)`, straight to the entry points of a context.

Commands have the registry's signatures; bytes, ctypes arrays and offsets go where it wants pointers.
"""

import ctypes
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import glad
import mgpipe
from mgpipe import testing
from mgpipe.client import connect
from registry import function


@cache
def enumerants() -> dict[str, int]:
    registry = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml")
    return {e.get("name").removeprefix("GL_"): int(e.get("value"), 0) for e in registry.iter("enum")
            if e.get("value", "").lower().startswith("0x") or e.get("value", "").isdigit()}


@contextmanager
def fresh(**options) -> Iterator["GL"]:
    """Bare OpenGL of a fresh context. Leaves no error behind, nor anything that lived in it."""
    connect.connect(topology="monolith", **options)
    before = testing.living()
    with mgpipe.context(topology="monolith", **options) as loader:
        gl = GL(loader)
        yield gl
        assert gl.error() == "NO_ERROR"
    loader.release()
    assert (left := testing.changed(before)) == {}, left


ERRORS = ("NO_ERROR", "INVALID_ENUM", "INVALID_VALUE", "INVALID_OPERATION", "INVALID_FRAMEBUFFER_OPERATION",
          "OUT_OF_MEMORY", "STACK_OVERFLOW", "STACK_UNDERFLOW")


class GL:
    f = ctypes.c_float
    offset = ctypes.c_void_p

    def __init__(self, loader) -> None:
        self.loader = loader

    def __getattr__(self, name: str):
        if name[0].isupper() and not name.isupper() and name not in enumerants():
            value = function("gl" + name)
        else:
            value = enumerants()[name]
        setattr(self, name, value)
        return value

    def error(self) -> str:
        code = self.GetError()
        return next((name for name in ERRORS if getattr(self, name) == code), hex(code))

    def gen(self, kind: str, count: int = 1):
        names = (ctypes.c_uint * count)()
        getattr(self, f"Gen{kind}")(count, names)
        return names[0] if count == 1 else list(names)

    def delete(self, kind: str, *names: int) -> None:
        getattr(self, f"Delete{kind}")(len(names), (ctypes.c_uint * len(names))(*names))

    def get_int(self, function: str, *arguments: int) -> int:
        value = (ctypes.c_int * 16)(*[-77] * 16)
        getattr(self, function)(*arguments, value)
        return value[0]

    def pixel(self, x: int, y: int) -> tuple[int, ...]:
        """Of the framebuffer that is read from."""
        texel = (ctypes.c_ubyte * 4)()
        self.ReadPixels(x, y, 1, 1, self.RGBA, self.UNSIGNED_BYTE, texel)
        return tuple(texel)


def program_of(gl: GL, *shaders: tuple[int, bytes]) -> int:
    """Of (kind, source), in use."""
    program = gl.CreateProgram()
    for kind, text in shaders:
        shader = gl.CreateShader(kind)
        gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 1
    gl.UseProgram(program)
    return program
