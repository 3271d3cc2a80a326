"""What is measured: moderngl programs that know nothing of mgpipe.

A scene is a function of a Stage that makes what it needs and returns `run(count)`, which does the thing `count` times. Most
draw to a few pixels of a small target: the cost of a call, not of filling. What moderngl has no method for goes through
ctypes, at the same price in every arm.
"""

import ctypes
import struct
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int, c_ssize_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any

KIB, MIB = 1 << 10, 1 << 20

VERTEX = """
    #version 330 core
    in vec2 corner;
    uniform float shift;
    void main() { gl_Position = vec4(corner + vec2(shift, 0.0), 0.0, 1.0); }
"""
PLACED = VERTEX.replace("uniform float shift;", "const float shift = 0.0;")
FRAGMENT = """
    #version 330 core
    uniform vec4 colour;
    out vec4 pixel;
    void main() { pixel = colour; }
"""
TEXTURED = """
    #version 330 core
    uniform sampler2D image;
    out vec4 pixel;
    void main() { pixel = texture(image, gl_FragCoord.xy / 64.0); }
"""

DRAWS, UPLOADS, MAPS, READS, OTHERS = GROUPS = (
    "draws", "uploads", "persistent maps", "reads", "uniforms, waits, programs, frames")


class Unavailable(Exception):
    """This implementation lacks what a scene needs; the message says what."""


@dataclass(frozen=True)
class Scene:
    """`count` repetitions are one sample; what is told is the cost of one."""

    name: str
    title: str
    group: str
    prepare: Callable[["Stage"], Callable[[int], dict | None]]
    count: int
    upload_bytes: int = 0       # that the program gives in one repetition
    single: bool = False        # also measured as one repetition and glFinish, with nothing before and after it
    reads: bool = False         # the program waits for an answer in each repetition
    paced: bool = False         # repetitions are frames, whose latency it tells


SCENES: dict[str, Scene] = {}


def scene(title: str, group: str, count: int, name: str = "", **more: Any):
    def enter(prepare):
        key = name or prepare.__name__
        SCENES[key] = Scene(key, title, group, prepare, count, **more)
        return prepare
    return enter


class Raw:
    """OpenGL commands by name, through ctypes."""

    TYPES = {
        "glGenBuffers": (None, c_int, c_void_p), "glBindBuffer": (None, c_uint, c_uint),
        "glBufferStorage": (None, c_uint, c_ssize_t, c_void_p, c_uint),
        "glMapBufferRange": (c_void_p, c_uint, c_ssize_t, c_ssize_t, c_uint), "glUnmapBuffer": (c_int, c_uint),
        "glDeleteBuffers": (None, c_int, c_void_p),
        "glMultiDrawArrays": (None, c_uint, c_void_p, c_void_p, c_int),
        "glFenceSync": (c_void_p, c_uint, c_uint), "glClientWaitSync": (c_uint, c_void_p, c_uint, c_uint64),
        "glDeleteSync": (None, c_void_p), "glFlush": (None,),
    }

    def __init__(self, load: Callable[[str], int]) -> None:
        self.load = load

    def __getattr__(self, name: str):
        address = self.load(name)
        if not address:
            raise Unavailable(f"no {name}")
        function = CFUNCTYPE(*self.TYPES[name])(address)
        setattr(self, name, function)
        return function


class Stage:
    """What most scenes share."""

    def __init__(self, ctx, load: Callable[[str], int]) -> None:
        self.ctx, self.gl = ctx, Raw(load)
        ctx.gc_mode = "auto"        # a scene's objects go with its function
        self.program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self.corners = self.new_corners()
        self.triangle = self.triangle_of(self.corners)
        self.target = ctx.simple_framebuffer((64, 64))
        self.shift, self.colour = self.program["shift"], self.program["colour"]
        self.colour.value = (0.9, 0.5, 0.1, 1.0)
        self.target.use()

    def new_corners(self):
        return self.ctx.buffer(struct.pack("6f", 0.0, 0.0, 0.02, 0.0, 0.0, 0.02))

    def triangle_of(self, buffer, program=None):
        return self.ctx.vertex_array(program or self.program, [(buffer, "2f", "corner")])

    def textured(self):
        return self.ctx.program(vertex_shader=PLACED, fragment_shader=TEXTURED)


# -- draws -------------------------------------------------------------------------------------------------------------

@scene("draw, nothing changed", DRAWS, 1000)
def draw(stage):
    render = stage.triangle.render

    def run(count):
        for _ in range(count):
            render()

    return run


@scene("draw, vertex uniform changed", DRAWS, 1000)
def vertex_uniform(stage):
    render, shift = stage.triangle.render, stage.shift

    def run(count):
        for i in range(count):
            shift.value = i * 0.0005
            render()

    return run


@scene("draw, fragment uniform changed", DRAWS, 500)
def fragment_uniform(stage):
    render, colour = stage.triangle.render, stage.colour

    def run(count):
        for i in range(count):
            colour.value = (i * 0.001, 0.5, 0.1, 1.0)
            render()

    return run


@scene("draw, vertex array changed", DRAWS, 1000)
def vertex_array(stage):
    one, other = (stage.triangle_of(stage.new_corners()).render for _ in range(2))

    def run(count):
        for _ in range(count // 2):
            one()
            other()

    return run


@scene("draw, texture and vertex array changed", DRAWS, 500)
def texture_and_vertex_array(stage):
    program = stage.textured()
    one, other = (stage.triangle_of(stage.new_corners(), program).render for _ in range(2))
    first, second = (stage.ctx.texture((16, 16), 4, bytes([shade]) * 1024).use for shade in (80, 160))

    def run(count):
        for _ in range(count // 2):
            first(0)
            one()
            second(0)
            other()

    return run


@scene("draw, blending enabled and disabled around it", DRAWS, 1000)
def blend_toggle(stage):
    render, enable, disable = stage.triangle.render, stage.ctx.enable, stage.ctx.disable

    def run(count):
        for _ in range(count):
            enable(1)               # moderngl.BLEND
            render()
            disable(1)

    return run


@scene("draw, blending switched for every other", DRAWS, 500)
def blend_alternates(stage):
    render, enable, disable = stage.triangle.render, stage.ctx.enable, stage.ctx.disable

    def run(count):
        for _ in range(count // 2):
            enable(1)
            render()
            disable(1)
            render()

    return run


@scene("draw, another 64 bytes of a uniform block", DRAWS, 1000)
def block_range(stage):
    vertex = VERTEX.replace("uniform float shift;", "layout(std140) uniform Place { mat4 place; };")
    vertex = vertex.replace("vec4(corner + vec2(shift, 0.0), 0.0, 1.0)", "place * vec4(corner, 0.0, 1.0)")
    program = stage.ctx.program(vertex_shader=vertex, fragment_shader=FRAGMENT)
    program["colour"].value = (0.1, 0.5, 0.9, 1.0)
    program["Place"].binding = 1
    matrix = struct.pack("16f", *(float(i % 5 == 0) for i in range(16)))
    places = stage.ctx.buffer(matrix.ljust(256, b"\0") * 256)
    render, bind = stage.triangle_of(stage.corners, program).render, places.bind_to_uniform_block

    def run(count):
        for i in range(count):
            bind(1, offset=(i & 255) * 256, size=64)
            render()

    return run


@scene("draw of 16 instances", DRAWS, 500)
def instanced(stage):
    vertex = VERTEX.replace("uniform float shift;", "in float shift;")
    program = stage.ctx.program(vertex_shader=vertex, fragment_shader=FRAGMENT)
    program["colour"].value = (0.1, 0.5, 0.9, 1.0)
    shifts = stage.ctx.buffer(struct.pack("16f", *(i * 0.01 for i in range(16))))
    render = stage.ctx.vertex_array(program, [(stage.corners, "2f", "corner"), (shifts, "f/i", "shift")]).render

    def run(count):
        for _ in range(count):
            render(instances=16)

    return run


@scene("multi-draw of 16", DRAWS, 500)
def multi_draw(stage):
    firsts, counts = (c_int * 16)(), (c_int * 16)(*[3] * 16)
    multi, render = stage.gl.glMultiDrawArrays, stage.triangle.render

    def run(count):
        render()                    # binds program and vertex array, which then stay
        for _ in range(count):
            multi(4, firsts, counts, 16)

    return run


# -- uploads: with a draw that uses the bytes, for what nothing uses need not be sent, and mgpipe does not send it -------

def orphan_and_write(size: int, count: int, name: str):
    def prepare(stage):
        contents = [bytes([i]) * size for i in range(2)]
        buffer = stage.ctx.buffer(reserve=size)
        render = stage.triangle_of(buffer).render

        def run(count):
            for i in range(count):
                buffer.orphan()
                buffer.write(contents[i & 1])
                render(vertices=3)

        return run

    title = f"buffer orphan + write {size // MIB} MiB + draw" if size >= MIB else f"buffer orphan + write {size // KIB} KiB + draw"
    scene(title, UPLOADS, count, name, upload_bytes=size, single=True)(prepare)


orphan_and_write(4 * KIB, 200, "buffer_4k")
orphan_and_write(MIB, 20, "buffer_1m")
orphan_and_write(64 * MIB, 3, "buffer_64m")


@scene("texture sub-image 64x64, a hundred, + draw", UPLOADS, 4, upload_bytes=100 * 64 * 64 * 4, single=True)
def texture_100(stage):
    contents = [bytes([i]) * (64 * 64 * 4) for i in range(7)]
    texture = stage.ctx.texture((1024, 1024), 4)
    render = stage.triangle_of(stage.corners, stage.textured()).render
    places = [(64 * (i % 16), 64 * (i // 16), 64, 64) for i in range(100)]
    write = texture.write

    def run(count):
        texture.use(0)
        for _ in range(count):
            for i, place in enumerate(places):
                write(contents[i % 7], place)
            render()

    return run


@scene("texture sub-image 1024x1024 + draw", UPLOADS, 10, upload_bytes=4 * MIB, single=True)
def texture_1024(stage):
    contents = [bytes([i]) * (4 * MIB) for i in range(2)]
    texture = stage.ctx.texture((1024, 1024), 4)
    render = stage.triangle_of(stage.corners, stage.textured()).render

    def run(count):
        texture.use(0)
        for i in range(count):
            texture.write(contents[i & 1])
            render()

    return run


# -- persistent maps -----------------------------------------------------------------------------------------------------

WRITE_PERSISTENT_COHERENT = 0x02 | 0x40 | 0x80


class PersistentBuffer:
    def __init__(self, stage, size: int) -> None:
        self.gl, self.name = stage.gl, c_uint()
        stage.gl.glGenBuffers(1, ctypes.byref(self.name))
        stage.gl.glBindBuffer(0x8892, self.name)                            # GL_ARRAY_BUFFER
        stage.gl.glBufferStorage(0x8892, size, None, WRITE_PERSISTENT_COHERENT)
        self.address = stage.gl.glMapBufferRange(0x8892, 0, size, WRITE_PERSISTENT_COHERENT)
        if not self.address:
            stage.ctx.error     # taken, so that no later call reports it
            raise Unavailable("no persistent mapping")
        self.places = range(self.address, self.address + size - 4 * KIB, 400 * KIB)     # a page of every hundred
        self.vertices = stage.triangle_of(stage.ctx.external_buffer(self.name.value, size))

    def __del__(self) -> None:
        self.gl.glDeleteBuffers(1, ctypes.byref(self.name))


def persistent_map(size: int, count: int, name: str):
    def prepare(stage):
        buffer = PersistentBuffer(stage, size)
        contents, move, render = [bytes([i]) * (4 * KIB) for i in range(7)], ctypes.memmove, buffer.vertices.render

        def run(count):
            for i in range(count):
                page = contents[i % 7]
                for place in buffer.places:
                    move(place, page, 4 * KIB)
                render(vertices=3)

        return run

    scene(f"persistent map of {size // MIB} MiB, 1 % written, + draw", MAPS, count, name, single=True)(prepare)


persistent_map(MIB, 100, "map_1m")
persistent_map(16 * MIB, 20, "map_16m")
persistent_map(256 * MIB, 4, "map_256m")


# -- reads ----------------------------------------------------------------------------------------------------------------

def readback(size: int, count: int, name: str):
    def blocking(stage):
        target, into = stage.ctx.simple_framebuffer((size, size)), bytearray(size * size * 4)
        render = stage.triangle.render

        def run(count):
            target.use()
            for _ in range(count):
                target.clear(0.1, 0.2, 0.3, 1.0)
                render()
                target.read_into(into, components=4)
            stage.target.use()

        return run

    def through_buffers(stage):
        target = stage.ctx.simple_framebuffer((size, size))
        packs = [stage.ctx.buffer(reserve=size * size * 4) for _ in range(3)]
        render = stage.triangle.render

        def run(count):
            target.use()
            for i in range(count):
                target.clear(0.1, 0.2, 0.3, 1.0)
                render()
                target.read_into(packs[i % 3], components=4)
            stage.target.use()

        return run

    scene(f"clear, draw, read {size}x{size}", READS, count, f"read_{name}", reads=True)(blocking)
    scene(f"clear, draw, read {size}x{size} into a pack buffer", READS, count, f"pack_{name}")(through_buffers)


readback(512, 20, "512")
readback(4096, 2, "4096")


@scene("read 512x512 through three pack buffers, two frames later", READS, 20, reads=True)
def pack_512_used(stage):
    target, into = stage.ctx.simple_framebuffer((512, 512)), bytearray(512 * 512 * 4)
    packs = [stage.ctx.buffer(reserve=512 * 512 * 4) for _ in range(3)]
    render = stage.triangle.render

    def run(count):
        target.use()
        for i in range(count):
            target.clear(0.1, 0.2, 0.3, 1.0)
            render()
            target.read_into(packs[i % 3], components=4)
            packs[(i + 1) % 3].read_into(into)
        stage.target.use()

    return run
