"""A loader whose OpenGL does nothing: the price of moderngl, and of the scenes' own Python, which no arm can go below.

Entry points are the empty ones of empty_gl.c. What a program consists of moderngl asks once, when it is made; these few
answers are made here, from the text of the shaders.
"""

import ctypes
import re
import subprocess
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_uint, c_void_p
from pathlib import Path
from typing import NamedTuple

LINK_STATUS, ACTIVE_ATTRIBUTES, ACTIVE_UNIFORMS, ACTIVE_UNIFORM_BLOCKS = 0x8B82, 0x8B89, 0x8B86, 0x8A36
UNIFORM_BLOCK_DATA_SIZE = 0x8A40
TYPES = {"float": 0x1406, "vec2": 0x8B50, "vec4": 0x8B52, "int": 0x1404, "sampler2D": 0x8B5E}

MEMBER = re.compile(r"^\s*(in|uniform)\s+(\w+)\s+(\w+);", re.MULTILINE)
BLOCK = re.compile(r"uniform\s+(\w+)\s*\{")


class Declared(NamedTuple):
    """What the shaders of one program declare; a place in a list is a location."""

    attributes: list[tuple[str, int]]
    uniforms: list[tuple[str, int]]
    blocks: list[str]


def declared(sources: list[str]) -> Declared:
    vertex = sources[:1]
    found = [match for source in sources for match in MEMBER.findall(source)]
    attributes = [(name, TYPES[kind]) for source in vertex for where, kind, name in MEMBER.findall(source) if where == "in"]
    uniforms = [(name, TYPES[kind]) for where, kind, name in found if where == "uniform"]
    return Declared(attributes, uniforms, [name for source in sources for name in BLOCK.findall(source)])


class Floor:
    """Takes the place of a loader for moderngl."""

    def __init__(self, library: str) -> None:
        self.address = ctypes.CDLL(library).empty_address
        self.address.argtypes, self.address.restype = [c_char_p], c_void_p
        self.shaders: list[str] = []
        self.attached: dict[int, list[str]] = {}
        self.programs: dict[int, Declared] = {}
        self.answers = {name: kind(method) for name, kind, method in self._answers()}

    def _answers(self) -> list[tuple[str, Callable, Callable]]:
        text, describe = POINTER(c_char_p), CFUNCTYPE(None, c_uint, c_uint, c_int, POINTER(c_int), POINTER(c_int),
                                                      POINTER(c_uint), c_void_p)
        by_name = CFUNCTYPE(c_int, c_uint, c_char_p)
        return [
            ("glCreateShader", CFUNCTYPE(c_uint, c_uint), self.create_shader),
            ("glShaderSource", CFUNCTYPE(None, c_uint, c_int, text, c_void_p), self.shader_source),
            ("glCreateProgram", CFUNCTYPE(c_uint), self.create_program),
            ("glAttachShader", CFUNCTYPE(None, c_uint, c_uint), self.attach_shader),
            ("glLinkProgram", CFUNCTYPE(None, c_uint), self.link_program),
            ("glGetProgramiv", CFUNCTYPE(None, c_uint, c_uint, POINTER(c_int)), self.get_program),
            ("glGetActiveAttrib", describe, lambda *asked: self.describe("attributes", *asked)),
            ("glGetActiveUniform", describe, lambda *asked: self.describe("uniforms", *asked)),
            ("glGetAttribLocation", by_name, lambda *asked: self.place("attributes", *asked)),
            ("glGetUniformLocation", by_name, lambda *asked: self.place("uniforms", *asked)),
            ("glGetUniformBlockIndex", by_name, lambda program, name: self.programs[program].blocks.index(name.decode())),
            ("glGetActiveUniformBlockName", CFUNCTYPE(None, c_uint, c_uint, c_int, POINTER(c_int), c_void_p), self.block_name),
            ("glGetActiveUniformBlockiv", CFUNCTYPE(None, c_uint, c_uint, c_uint, POINTER(c_int)), self.get_block),
        ]

    def load_opengl_function(self, name: str) -> int:
        if name in self.answers:
            return ctypes.cast(self.answers[name], c_void_p).value
        return self.address(name.encode())

    load = load_opengl_function

    def create_shader(self, kind: int) -> int:
        self.shaders.append("")
        return len(self.shaders)

    def shader_source(self, shader: int, count: int, texts, lengths) -> None:
        self.shaders[shader - 1] = b"".join(texts[i] for i in range(count)).decode()

    def create_program(self) -> int:
        self.attached[len(self.attached) + 1] = []
        return len(self.attached)

    def attach_shader(self, program: int, shader: int) -> None:
        self.attached[program].append(self.shaders[shader - 1])

    def link_program(self, program: int) -> None:
        self.programs[program] = declared(self.attached[program])

    def get_program(self, program: int, what: int, value) -> None:
        made = self.programs[program]
        value[0] = {LINK_STATUS: 1, ACTIVE_ATTRIBUTES: len(made.attributes), ACTIVE_UNIFORMS: len(made.uniforms),
                    ACTIVE_UNIFORM_BLOCKS: len(made.blocks)}.get(what, 0)

    def describe(self, which: str, program: int, index: int, room: int, length, size, kind, text) -> None:
        name, kind[0] = getattr(self.programs[program], which)[index]
        length[0], size[0] = len(name), 1
        ctypes.memmove(text, name.encode() + b"\0", len(name) + 1)

    def place(self, which: str, program: int, name: bytes) -> int:
        names = [known for known, _ in getattr(self.programs[program], which)]
        return names.index(name.decode()) if name.decode() in names else -1

    def block_name(self, program: int, index: int, room: int, length, text) -> None:
        name = self.programs[program].blocks[index]
        length[0] = len(name)
        ctypes.memmove(text, name.encode() + b"\0", len(name) + 1)

    def get_block(self, program: int, index: int, what: int, value) -> None:
        value[0] = 64 if what == UNIFORM_BLOCK_DATA_SIZE else 0

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def release(self) -> None:
        pass


def build(folder: str) -> str:
    """Compiles empty_gl.c into `folder`; the library's path."""
    library = f"{folder}/empty_gl.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, Path(__file__).parent / "empty_gl.c"], check=True)
    return library
