"""The machine's own OpenGL through ctypes: links programs and reports what it makes of them.

It runs in a process of its own: a real libEGL in the test's process would be in the way of mgpipe's.
"""

import ctypes as c
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

EGL_PLATFORM_SURFACELESS = 0x31DD
STAGE_ENUMS = (0x8B31, 0x8E88, 0x8E87, 0x8DD9, 0x8B30, 0x91B9)
u, i, p = c.c_uint, c.c_int, c.c_void_p


@cache
def display():
    egl = c.CDLL("libEGL.so.1", mode=c.RTLD_LOCAL)
    for name, result, arguments in (
            ("eglGetProcAddress", p, [c.c_char_p]), ("eglInitialize", i, [p, p, p]), ("eglBindAPI", i, [u]),
            ("eglCreateContext", p, [p, p, p, p]), ("eglMakeCurrent", i, [p, p, p, p])):
        function = getattr(egl, name)
        function.restype, function.argtypes = result, arguments
    get = c.CFUNCTYPE(p, u, p, p)(egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT"))
    shown = get(EGL_PLATFORM_SURFACELESS, None, None)
    assert egl.eglInitialize(shown, None, None), "no surfaceless EGL display on this machine"
    return egl, shown


class Driver:
    """One context. dialect: 'gl' (4.5 core) or 'gles' (3.2)."""

    def __init__(self, dialect: str) -> None:
        self.egl, self.display = display()
        self.api = 0x30A0 if dialect == "gles" else 0x30A2
        attributes = [0x3098, 3, 0x30FB, 2] if dialect == "gles" else [0x3098, 4, 0x30FB, 5, 0x30FD, 1]
        array = (i * (len(attributes) + 1))(*attributes, 0x3038)
        self.egl.eglBindAPI(self.api)
        self.context = self.egl.eglCreateContext(self.display, None, None, array)
        assert self.context, f"no {dialect} context"
        self.make_current()
        self.give_framebuffer()

    def give_framebuffer(self) -> None:
        """There is no default one without a surface, and a draw wants one even when nothing is rasterised."""
        framebuffer, renderbuffer = u(), u()
        self.function("glGenFramebuffers", None, i, p)(1, c.byref(framebuffer))
        self.function("glGenRenderbuffers", None, i, p)(1, c.byref(renderbuffer))
        self.function("glBindRenderbuffer", None, u, u)(0x8D41, renderbuffer)
        self.function("glRenderbufferStorage", None, u, u, i, i)(0x8D41, 0x8058, 4, 4)
        self.function("glBindFramebuffer", None, u, u)(0x8D40, framebuffer)
        self.function("glFramebufferRenderbuffer", None, u, u, u, u)(0x8D40, 0x8CE0, 0x8D41, renderbuffer)

    def make_current(self) -> None:
        self.egl.eglBindAPI(self.api)
        assert self.egl.eglMakeCurrent(self.display, None, None, self.context)

    @cache
    def function(self, name, result, *arguments):
        address = self.egl.eglGetProcAddress(name.encode())
        assert address, name
        return c.CFUNCTYPE(result, *arguments)(address)

    def build(self, stages: dict[int, str], feedback: list[str]) -> tuple[int, str]:
        """A linked program and its log, which is empty when it linked."""
        self.make_current()
        create, source = self.function("glCreateShader", u, u), self.function("glShaderSource", None, u, i, p, p)
        compile_, attach = self.function("glCompileShader", None, u), self.function("glAttachShader", None, u, u)
        program = self.function("glCreateProgram", u)()
        log = ""
        for stage, text in stages.items():
            shader = create(STAGE_ENUMS[stage])
            encoded = text.encode()
            source(shader, 1, (c.c_char_p * 1)(encoded), (i * 1)(len(encoded)))
            compile_(shader)
            if not self.integer("glGetShaderiv", shader, 0x8B81):
                log += self.log("glGetShaderInfoLog", shader)
            attach(program, shader)
            self.function("glDeleteShader", None, u)(shader)
        if not log:
            if feedback:
                names = (c.c_char_p * len(feedback))(*[name.encode() for name in feedback])
                self.function("glTransformFeedbackVaryings", None, u, i, p, u)(program, len(feedback), names, 0x8C8C)
            self.function("glLinkProgram", None, u)(program)
            if not self.integer("glGetProgramiv", program, 0x8B82):
                log = self.log("glGetProgramInfoLog", program) or "does not link, no log"
        return program, log

    def link(self, stages: dict[int, str], outputs: list[str]) -> "Report":
        program, log = self.build(stages, [])
        report = Report(not log, log)
        if report.ok:
            Inspector(self, program).fill(report, outputs)
        self.function("glDeleteProgram", None, u)(program)
        return report

    def run(self, stages: dict[int, str], feedback: list[str], blocks: dict[int, bytes],
            attributes: dict[int, list[float]], vertices: int, instances: int, size_bytes: int) -> bytes:
        """Draw points through transform feedback. `blocks` by binding; `attributes`: floats by location, one a vertex."""
        program, log = self.build(stages, feedback)
        assert not log, log
        vertex_array, buffers = u(), (u * 16)()
        self.function("glGenVertexArrays", None, i, p)(1, c.byref(vertex_array))
        self.function("glBindVertexArray", None, u)(vertex_array)
        self.function("glGenBuffers", None, i, p)(16, buffers)
        unused = iter(buffers)
        bind = self.function("glBindBuffer", None, u, u)
        fill = self.function("glBufferData", None, u, c.c_ssize_t, p, u)
        bind_base = self.function("glBindBufferBase", None, u, u, u)
        for location, values in attributes.items():
            bind(0x8892, next(unused))
            fill(0x8892, 4 * len(values), (c.c_float * len(values))(*values), 0x88E4)
            self.function("glEnableVertexAttribArray", None, u)(location)
            self.function("glVertexAttribPointer", None, u, i, u, c.c_ubyte, i, p)(location, 1, 0x1406, 0, 0, None)
        for binding, contents in blocks.items():
            buffer = next(unused)
            bind(0x8A11, buffer)
            fill(0x8A11, len(contents), contents, 0x88E4)
            bind_base(0x8A11, binding, buffer)
        captured = next(unused)
        bind(0x8C8E, captured)
        fill(0x8C8E, size_bytes, None, 0x88E4)
        bind_base(0x8C8E, 0, captured)
        self.function("glUseProgram", None, u)(program)
        self.function("glEnable", None, u)(0x8C89)  # rasterizer discard
        self.function("glBeginTransformFeedback", None, u)(0)
        self.function("glDrawArraysInstanced", None, u, i, i, i)(0, 0, vertices, instances)
        self.function("glEndTransformFeedback", None)()
        mapped = self.function("glMapBufferRange", p, u, c.c_ssize_t, c.c_ssize_t, u)(0x8C8E, 0, size_bytes, 1)
        error = self.function("glGetError", u)()
        assert mapped and not error, hex(error)
        contents = c.string_at(mapped, size_bytes)
        self.function("glUnmapBuffer", c.c_ubyte, u)(0x8C8E)
        self.function("glDeleteBuffers", None, i, p)(16, buffers)
        self.function("glDeleteVertexArrays", None, i, p)(1, c.byref(vertex_array))
        self.function("glUseProgram", None, u)(0)
        self.function("glDeleteProgram", None, u)(program)
        return contents

    def integer(self, function: str, name: int, what: int) -> int:
        value = i()
        self.function(function, None, u, u, p)(name, what, c.byref(value))
        return value.value

    def log(self, function: str, name: int) -> str:
        text = c.create_string_buffer(16384)
        self.function(function, None, u, i, p, p)(name, len(text), None, text)
        return text.value.decode(errors="replace")


@dataclass
class Report:
    """What the driver says of a program; sets of (name, type, size), dicts by name."""

    ok: bool
    log: str
    uniforms: set[tuple[str, int, int]] = field(default_factory=set)
    attributes: set[tuple[str, int, int]] = field(default_factory=set)
    # Members of uniform blocks: offset, array stride, matrix stride, row major.
    layout: dict[str, tuple[int, ...]] = field(default_factory=dict)
    block_sizes: dict[str, int] = field(default_factory=dict)
    block_bindings: dict[str, int] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)  # loose uniforms: of samplers the unit
    attribute_locations: dict[str, int] = field(default_factory=dict)
    output_locations: dict[str, int] = field(default_factory=dict)


class Inspector:
    def __init__(self, driver: Driver, program: int) -> None:
        self.driver, self.program = driver, program

    def fill(self, report: Report, outputs: list[str]) -> None:
        report.uniforms = self.active("glGetActiveUniform", 0x8B86)
        report.attributes = self.active("glGetActiveAttrib", 0x8B89)
        report.layout = self.layout()
        self.blocks(report)
        get_value = self.driver.function("glGetUniformiv", None, u, i, p)
        for name, _, _ in report.uniforms:
            location = self.location("glGetUniformLocation", name)
            if location >= 0:
                value = (i * 16)()
                get_value(self.program, location, value)
                report.values[name] = value[0]
        report.attribute_locations = {name: self.location("glGetAttribLocation", name)
                                      for name, _, _ in report.attributes}
        if outputs:
            report.output_locations = {name: self.location("glGetFragDataLocation", name) for name in outputs}

    def active(self, function: str, count: int) -> set[tuple[str, int, int]]:
        get = self.driver.function(function, None, u, u, i, p, p, p, p)
        found = set()
        for index in range(self.driver.integer("glGetProgramiv", self.program, count)):
            size, gl_type, text = i(), u(), c.create_string_buffer(256)
            get(self.program, index, 256, None, c.byref(size), c.byref(gl_type), text)
            found.add((text.value.decode(), gl_type.value, size.value))
        return found

    def layout(self) -> dict[str, tuple[int, ...]]:
        get_name = self.driver.function("glGetActiveUniform", None, u, u, i, p, p, p, p)
        get = self.driver.function("glGetActiveUniformsiv", None, u, i, p, u, p)
        layout = {}
        for index in range(self.driver.integer("glGetProgramiv", self.program, 0x8B86)):
            size, gl_type, text = i(), u(), c.create_string_buffer(256)
            get_name(self.program, index, 256, None, c.byref(size), c.byref(gl_type), text)
            values = []  # block, offset, array stride, matrix stride, row major
            for what in (0x8A3A, 0x8A3B, 0x8A3C, 0x8A3D, 0x8A3E):
                value = i()
                get(self.program, 1, c.byref(u(index)), what, c.byref(value))
                values.append(value.value)
            if values[0] >= 0:
                layout[text.value.decode()] = tuple(values[1:])
        return layout

    def blocks(self, report: Report) -> None:
        get_name = self.driver.function("glGetActiveUniformBlockName", None, u, u, i, p, p)
        get = self.driver.function("glGetActiveUniformBlockiv", None, u, u, u, p)
        for index in range(self.driver.integer("glGetProgramiv", self.program, 0x8A36)):
            text, size, binding = c.create_string_buffer(256), i(), i()
            get_name(self.program, index, 256, None, text)
            get(self.program, index, 0x8A40, c.byref(size))
            get(self.program, index, 0x8A3F, c.byref(binding))
            report.block_sizes[text.value.decode()] = size.value
            report.block_bindings[text.value.decode()] = binding.value

    def location(self, function: str, name: str) -> int:
        return self.driver.function(function, i, u, c.c_char_p)(self.program, name.encode())


@cache
def _driver(dialect: str) -> Driver:
    return Driver(dialect)


def _link(dialect: str, stages: dict[int, str], outputs: list[str]) -> Report:
    return _driver(dialect).link(stages, outputs)


def _run(dialect: str, *arguments) -> bytes:
    return _driver(dialect).run(*arguments)


class DriverProcess:
    """Both dialects of the driver, in one child process."""

    def __init__(self) -> None:
        self.pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))

    def link(self, dialect: str, stages: dict[int, str], outputs: list[str] = []) -> Report:  # noqa: B006
        return self.pool.submit(_link, dialect, stages, outputs).result(timeout=60)

    def run(self, dialect: str, *arguments) -> bytes:
        return self.pool.submit(_run, dialect, *arguments).result(timeout=60)

    def close(self) -> None:
        self.pool.shutdown()
