"""Bare OpenGL of whatever libEGL this process finds: the machine's driver, or mgpipe when it was preloaded.

usage: bare.py OUT WALK…

Runs `walk(gl)` of each walks/WALK.py in a context of its own and pickles what they return: {walk: {question: answer}}.
With WALK_DROPS=SEED, on mgpipe, the server mirror is dropped before random commands.
"""

import ctypes
import os
import pickle
import random
import sys
import xml.etree.ElementTree as ET
from functools import cache
from importlib import import_module
from pathlib import Path

import glad

sys.path.insert(0, str(Path(__file__).parents[2] / "generator"))
import entry_points  # noqa: E402

SCALARS = {
    "void": None, "GLenum": ctypes.c_uint, "GLuint": ctypes.c_uint, "GLint": ctypes.c_int, "GLsizei": ctypes.c_int,
    "GLbitfield": ctypes.c_uint, "GLboolean": ctypes.c_ubyte, "GLfloat": ctypes.c_float, "GLdouble": ctypes.c_double,
    "GLubyte": ctypes.c_ubyte, "GLbyte": ctypes.c_byte, "GLshort": ctypes.c_short, "GLushort": ctypes.c_ushort,
    "GLintptr": ctypes.c_ssize_t, "GLsizeiptr": ctypes.c_ssize_t, "GLint64": ctypes.c_int64, "GLuint64": ctypes.c_uint64,
    "int": ctypes.c_int, "unsigned int": ctypes.c_uint, "uint64_t": ctypes.c_uint64,
}
ERRORS = {0: "", 0x0500: "INVALID_ENUM", 0x0501: "INVALID_VALUE", 0x0502: "INVALID_OPERATION", 0x0505: "OUT_OF_MEMORY",
          0x0506: "INVALID_FRAMEBUFFER_OPERATION", 0x0507: "CONTEXT_LOST"}
SURFACELESS, OPENGL_API = 0x31DD, 0x30A2
MAJOR, MINOR, PROFILE, CORE, NONE = 0x3098, 0x30FB, 0x30FD, 1, 0x3038


def kind(text: str):
    if text.count("*"):
        return ctypes.c_char_p if text == "const GLubyte*" else ctypes.c_void_p
    return SCALARS[text]


@cache
def registry() -> entry_points.Registry:
    return entry_points.Registry.read("gl.xml", "gl")


@cache
def enumerants() -> dict[str, int]:
    root = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml").getroot()
    return {e.get("name").removeprefix("GL_"): int(e.get("value"), 0) for e in root.iter("enum")
            if e.get("value", "").lower().startswith("0x") or e.get("value", "").isdigit()}


class GL:
    """`gl.TexImage2D(gl.TEXTURE_2D, …)`: commands by name with the registry's signatures, and enumerants."""

    def __init__(self, version: tuple[int, int]) -> None:
        self.chance, self.drops = random.Random(os.environ.get("WALK_DROPS")), 0
        self.egl = egl = ctypes.CDLL("libEGL.so.1")
        for name in ("eglGetPlatformDisplay", "eglCreateContext", "eglGetProcAddress"):
            getattr(egl, name).restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(egl.eglGetPlatformDisplay(SURFACELESS, None, None))
        assert egl.eglInitialize(self.display, None, None) and egl.eglBindAPI(OPENGL_API)
        attributes = (ctypes.c_int * 7)(MAJOR, version[0], MINOR, version[1], PROFILE, CORE, NONE)
        self.context = ctypes.c_void_p(egl.eglCreateContext(self.display, None, None, attributes))
        assert self.context, f"no OpenGL {version[0]}.{version[1]}"
        assert egl.eglMakeCurrent(self.display, None, None, self.context)

    def close(self) -> None:
        self.egl.eglMakeCurrent(self.display, None, None, None)
        self.egl.eglDestroyContext(self.display, self.context)

    def __getattr__(self, name: str):
        if name in enumerants():
            value = enumerants()[name]
        else:
            command = registry().commands["gl" + name]
            kinds = [kind(text) for text in (command.result, *(text for text, _ in command.params))]
            value = ctypes.CFUNCTYPE(*kinds)(self.egl.eglGetProcAddress(b"gl" + name.encode()))
            if "WALK_DROPS" in os.environ:
                value = self.dropping(value)
        setattr(self, name, value)
        return value

    def dropping(self, command):
        """The command, now and then after the mirror was dropped."""
        from mgpipe.testing import drop_mirror

        def call(*arguments):
            if self.chance.random() < 0.2:
                drop_mirror()
                self.drops += 1
            return command(*arguments)
        return call

    def error(self) -> str:
        """The errors since the last question, in one word: an implementation may keep several flags."""
        first = self.GetError()
        while self.GetError():
            pass
        return ERRORS.get(first, hex(first))

    def gen(self, kind: str) -> int:
        name = ctypes.c_uint()
        getattr(self, f"Gen{kind}")(1, ctypes.byref(name))
        return name.value

    def delete(self, kind: str, *names: int) -> None:
        getattr(self, f"Delete{kind}")(len(names), (ctypes.c_uint * len(names))(*names))

    def ints(self, function: str, *arguments: int, count: int = 1) -> list[int]:
        values = (ctypes.c_int * 64)(*[-77] * 64)
        getattr(self, function)(*arguments, values)
        return list(values[:count])

    def floats(self, function: str, *arguments: int, count: int = 1) -> list[float]:
        values = (ctypes.c_float * 64)(*[-77.0] * 64)
        getattr(self, function)(*arguments, values)
        return list(values[:count])

    def program(self, vertex: str, fragment: str, geometry: str = "") -> int:
        program = self.CreateProgram()
        for stage, source in ((self.VERTEX_SHADER, vertex), (self.GEOMETRY_SHADER, geometry),
                              (self.FRAGMENT_SHADER, fragment)):
            if source:
                shader = self.CreateShader(stage)
                text = ctypes.c_char_p(source.encode())
                self.ShaderSource(shader, 1, ctypes.byref(text), None)
                self.CompileShader(shader)
                self.AttachShader(program, shader)
        self.LinkProgram(program)
        log = ctypes.create_string_buffer(4096)
        self.GetProgramInfoLog(program, 4096, None, log)
        assert self.ints("GetProgramiv", program, self.LINK_STATUS) == [1], log.value.decode()
        return program

    def target(self, width: int, height: int, internal: str = "RGBA8") -> int:
        """A renderbuffer in a framebuffer, bound and as large as the viewport; its name."""
        renderbuffer, framebuffer = self.gen("Renderbuffers"), self.gen("Framebuffers")
        self.BindRenderbuffer(self.RENDERBUFFER, renderbuffer)
        self.RenderbufferStorage(self.RENDERBUFFER, getattr(self, internal), width, height)
        self.BindFramebuffer(self.FRAMEBUFFER, framebuffer)
        self.FramebufferRenderbuffer(self.FRAMEBUFFER, self.COLOR_ATTACHMENT0, self.RENDERBUFFER, renderbuffer)
        self.Viewport(0, 0, width, height)
        return framebuffer

    def pixels(self, width: int, height: int, format: str = "RGBA", type: str = "UNSIGNED_BYTE", texel: int = 4) -> bytes:
        into = ctypes.create_string_buffer(width * height * texel)
        self.PixelStorei(self.PACK_ALIGNMENT, 1)
        self.ReadPixels(0, 0, width, height, getattr(self, format), getattr(self, type), into)
        return into.raw


def main(out: str, version: str, *walks: str) -> None:
    major, minor = version.split(".")
    answers = {}
    for name in walks:
        gl = GL((int(major), int(minor)))
        answers[name] = import_module(f"walks.{name}").walk(gl)
        assert gl.drops or "WALK_DROPS" not in os.environ
        gl.close()
    Path(out).write_bytes(pickle.dumps(answers))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main(*sys.argv[1:])
