"""Every entry point as a ctypes function with the registry's signature, and a context to call them in."""

import ctypes
import sys
from functools import cache
from pathlib import Path

import mgpipe
import pytest
from mgpipe.front import _gl

sys.path.insert(0, str(Path(__file__).parents[2] / "generator"))
import entry_points  # noqa: E402

NO_ERROR, INVALID_ENUM, INVALID_VALUE, INVALID_OPERATION = 0, 0x0500, 0x0501, 0x0502
ERRORS = {NO_ERROR: "no error", INVALID_ENUM: "invalid enum", INVALID_VALUE: "invalid value",
          INVALID_OPERATION: "invalid operation", 0x0505: "out of memory", 0x0506: "invalid framebuffer operation",
          0x0507: "context lost"}

SCALARS = {
    "void": None, "GLenum": ctypes.c_uint, "GLuint": ctypes.c_uint, "GLint": ctypes.c_int, "GLsizei": ctypes.c_int,
    "GLbitfield": ctypes.c_uint, "GLboolean": ctypes.c_ubyte, "GLfloat": ctypes.c_float, "GLdouble": ctypes.c_double,
    "GLubyte": ctypes.c_ubyte, "GLbyte": ctypes.c_byte, "GLshort": ctypes.c_short, "GLushort": ctypes.c_ushort,
    "GLintptr": ctypes.c_ssize_t, "GLsizeiptr": ctypes.c_ssize_t, "GLint64": ctypes.c_int64, "GLuint64": ctypes.c_uint64,
    "int": ctypes.c_int, "unsigned int": ctypes.c_uint, "uint64_t": ctypes.c_uint64, "Py_ssize_t": ctypes.c_ssize_t,
    "unsigned long": ctypes.c_ulong,
}


@cache
def registry(api: str) -> entry_points.Registry:
    """gl, egl or glx; read when first asked for, since gl.xml takes a second."""
    return entry_points.Registry.read(f"{api}.xml", api)


def function(name: str):
    command = registry(next(api for api in ("egl", "glX", "gl") if name.startswith(api)).lower()).commands[name]
    kinds = [kind(text) for text in (command.result, *(text for text, _ in command.params))]
    return ctypes.CFUNCTYPE(*kinds)(_gl.address(name))


def kind(text: str):
    if text.count("*"):
        return ctypes.c_char_p if text in ("const GLubyte*", "const char*") else ctypes.c_void_p
    return SCALARS[text]


class Functions:
    """`gl.Enable(cap)`: one attribute for each command of the prefix."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __getattr__(self, name: str):
        found = function(self.prefix + name)
        setattr(self, name, found)
        return found


gl, egl = Functions("gl"), Functions("egl")


@pytest.fixture(name="gl")
def typed_gl():
    """A current context on the null driver, for commands with their real signatures. No error may be left."""
    context = mgpipe.context(topology="monolith", driver="null")
    yield gl
    left = gl.GetError()
    context.release()
    assert left == NO_ERROR, ERRORS[left]


def integers(name: int, count: int = 1) -> list[int]:
    values = (ctypes.c_int * count)(*[-77] * count)
    gl.GetIntegerv(name, values)
    return list(values)


def floats(name: int, count: int = 1) -> list[float]:
    values = (ctypes.c_float * count)(*[-77.0] * count)
    gl.GetFloatv(name, values)
    return list(values)


def error_of(call, *arguments) -> str:
    """The error this one call leaves, by name."""
    assert gl.GetError() == NO_ERROR
    call(*arguments)
    return ERRORS[gl.GetError()]
