"""Buffers that are memory of client and driver at once: nothing is sent, commands keep their order, blocks come back in time."""

import ctypes
import os
import random
import subprocess
import sys
from contextlib import contextmanager

import pytest
import serving
from gl import GL

import mgpipe
from mgpipe import testing

PERSISTENT = "READ WRITE PERSISTENT COHERENT"
LARGE = 1 << 20


@contextmanager
def context(topology: str = "", **options):
    """Desktop OpenGL of the machine's driver, which leaves nothing behind in this session."""
    if topology:
        options["topology"] = topology
    with mgpipe.context(driver="gl", gl_version="4.6", **options) as loader:
        gl = GL(loader)
        gl.Finish()
        before = held()
        yield gl
        gl.Finish()
        assert gl.error() == "NO_ERROR" and not loader.stats()["lost"]
        assert held() == before
    loader.release()


@pytest.fixture(params=["spawn", "inproc", "monolith"])
def gl(request):
    with context(request.param) as gl:
        yield gl


def held() -> dict[str, int]:
    """What buffers are made of, on both sides."""
    return {what: count for what, count in testing.living().items() if what.startswith(("shadow", "resource", "buffer"))}


def bits(gl, names: str) -> int:
    return sum(getattr(gl, f"MAP_{name}_BIT") for name in names.split())


class Buffer:
    def __init__(self, gl, size: int, data: bytes | None = None, names: str = "") -> None:
        self.gl, self.size, self.name = gl, size, gl.gen("Buffers")
        gl.BindBuffer(gl.ARRAY_BUFFER, self.name)
        if names:
            gl.BufferStorage(gl.ARRAY_BUFFER, size, data, bits(gl, names) | gl.DYNAMIC_STORAGE_BIT)
        else:
            gl.BufferData(gl.ARRAY_BUFFER, size, data, gl.STREAM_DRAW)

    def bind(self) -> "Buffer":
        self.gl.BindBuffer(self.gl.ARRAY_BUFFER, self.name)
        return self

    def write(self, offset: int, data: bytes) -> None:
        self.bind().gl.BufferSubData(self.gl.ARRAY_BUFFER, offset, len(data), data)

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        out = ctypes.create_string_buffer(size or self.size)
        self.bind().gl.GetBufferSubData(self.gl.ARRAY_BUFFER, offset, len(out), out)
        return out.raw

    def map(self, names: str = PERSISTENT, offset: int = 0, size: int | None = None) -> int:
        return self.bind().gl.MapBufferRange(self.gl.ARRAY_BUFFER, offset, size or self.size, bits(self.gl, names))

    def unmap(self) -> None:
        assert self.bind().gl.UnmapBuffer(self.gl.ARRAY_BUFFER)

    def copy_to(self, other: "Buffer", offset: int = 0, size: int | None = None, at: int = 0) -> None:
        """By the server, whenever it gets there."""
        self.gl.BindBuffer(self.gl.COPY_READ_BUFFER, self.name)
        self.gl.BindBuffer(self.gl.COPY_WRITE_BUFFER, other.name)
        self.gl.CopyBufferSubData(self.gl.COPY_READ_BUFFER, self.gl.COPY_WRITE_BUFFER, offset, at, size or self.size)

    def drop(self) -> None:
        self.gl.delete("Buffers", self.name)


def test_what_the_program_writes_is_neither_sent_nor_copied(gl):
    buffer, seen = Buffer(gl, LARGE, bytes(LARGE), PERSISTENT), Buffer(gl, 100)
    at = buffer.map()
    buffer.copy_to(seen, 0, 100)
    before = gl.loader.stats()
    ctypes.memmove(at + 500_000, b"changed", 7)
    buffer.copy_to(seen, 499_990, 100)
    after = gl.loader.stats()
    assert all(after[what] == before[what] for what in ("uploads", "upload_bytes", "staging_bytes", "client_copy_bytes"))
    assert seen.read(10, 7) == b"changed"
    buffer.unmap()
    buffer.drop()
    seen.drop()


def test_a_command_that_writes_keeps_its_place(gl):
    """Between two copies of the server's, which may run much later."""
    buffer, first, second = Buffer(gl, LARGE, b"A" * LARGE, PERSISTENT), Buffer(gl, LARGE), Buffer(gl, LARGE)
    at = buffer.map()
    for size in (16, 100_000, LARGE):
        ctypes.memset(at, ord("A"), LARGE)
        buffer.copy_to(first)
        buffer.write(0, b"B" * size)
        buffer.copy_to(second)
        assert first.read() == b"A" * LARGE
        assert second.read() == b"B" * size + b"A" * (LARGE - size)
        assert ctypes.string_at(at, LARGE) == second.read() == buffer.read()
    for it in (buffer, first, second):
        it.drop()


def test_after_a_fence_the_mapping_has_what_a_verb_wrote(gl):
    buffer, source = Buffer(gl, 5000, bytes(5000), PERSISTENT), Buffer(gl, 5000, bytes(range(250)) * 20)
    at = buffer.map(offset=100, size=4000)
    source.copy_to(buffer)
    fence = gl.FenceSync
    fence.restype = gl.ClientWaitSync.argtypes[0] if gl.ClientWaitSync.argtypes else ctypes.c_void_p
    sync = fence(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.ClientWaitSync(ctypes.c_void_p(sync), gl.SYNC_FLUSH_COMMANDS_BIT, ctypes.c_uint64(5_000_000_000))
    assert ctypes.string_at(at, 4000) == (bytes(range(250)) * 20)[100:4100]
    gl.DeleteSync(ctypes.c_void_p(sync))
    buffer.drop()
    source.drop()


def test_mapping_again_waits_for_what_still_reads():
    """The server gets to the copy after a fifth of a second; the program may write when the map returns, not before."""
    with context("spawn", **testing.chaos(delay=(40, 200))) as gl:
        buffer, seen = Buffer(gl, LARGE, b"A" * LARGE, PERSISTENT), Buffer(gl, LARGE, bytes(LARGE))
        for i in range(40):
            buffer.copy_to(seen)
        ctypes.memset(buffer.map("WRITE"), ord("B"), LARGE)
        buffer.unmap()
        assert seen.read() == b"A" * LARGE
        assert buffer.read() == b"B" * LARGE
        buffer.drop()
        seen.drop()


@pytest.mark.parametrize("names", ["", PERSISTENT])
def test_a_block_comes_back_only_when_the_driver_is_done(gl, names):
    """A draw that takes long reads the buffer at its end; meanwhile the program drops it, and fills as much memory anew."""
    side, texels = 128, LARGE // 4
    program = link(gl, "#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }",
                   f"""#version 330
                   uniform samplerBuffer bytes; out vec4 pixel;
                   void main() {{
                       float wait = 0.0;
                       for (int i = 0; i < 3000; i++) wait = fract(wait * 1.7 + sin(float(i) + gl_FragCoord.x));
                       pixel = texelFetch(bytes, int(gl_FragCoord.x * gl_FragCoord.y * 7.0 + wait * 3.0) % {texels});
                   }}""")
    colour, target, array = gl.gen("Renderbuffers"), gl.gen("Framebuffers"), gl.gen("VertexArrays")
    gl.BindRenderbuffer(gl.RENDERBUFFER, colour)
    gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, side, side)
    gl.BindFramebuffer(gl.FRAMEBUFFER, target)
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colour)
    gl.Viewport(0, 0, side, side)
    gl.BindVertexArray(array)
    gl.UseProgram(program)
    for round_ in range(3):
        buffer = Buffer(gl, LARGE, b"\x40" * LARGE, names)
        texture = gl.gen("Textures")
        gl.BindTexture(gl.TEXTURE_BUFFER, texture)
        gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA8, buffer.name)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        gl.Flush()
        gl.BindTexture(gl.TEXTURE_BUFFER, 0)
        gl.delete("Textures", texture)
        buffer.drop()
        testing.living()                        # an answer: the record that drops it has been applied, the draw goes on
        others = [Buffer(gl, LARGE, b"\xC0" * LARGE, names) for _ in range(6)]
        pixels = ctypes.create_string_buffer(4 * side * side)
        gl.ReadPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
        assert set(pixels.raw) == {0x40}
        for other in others:
            other.drop()
    gl.UseProgram(0)
    gl.DeleteProgram(program)
    gl.delete("VertexArrays", array)
    gl.delete("Framebuffers", target)
    gl.delete("Renderbuffers", colour)


def link(gl, vertex: str, fragment: str) -> int:
    program = gl.CreateProgram()
    for kind, text in ((gl.VERTEX_SHADER, vertex), (gl.FRAGMENT_SHADER, fragment)):
        shader = gl.CreateShader(kind)
        gl.ShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text.encode())), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
        gl.DeleteShader(shader)
    gl.LinkProgram(program)
    assert gl.get_int("GetProgramiv", program, gl.LINK_STATUS) == 1
    return program


@pytest.mark.parametrize("pinned", [True, False], ids=["pinned", "copied"])
@pytest.mark.parametrize("seed", range(3))
def test_contents_equal_a_bytearray_whatever_is_done_to_them(gl, seed, pinned):
    choose = random.Random(seed)
    testing.pin_memory(pinned)
    try:
        sizes = [5000, 300_000, 700_001]
        buffers = [Buffer(gl, size, bytes(size), names) for size, names in zip(sizes * 2, ["", "", "", *[PERSISTENT] * 3])]
        models = [bytearray(size) for size in sizes * 2]
        pointers = [0, 0, 0, *(buffer.map() for buffer in buffers[3:])]
        for step in range(120):
            i = choose.randrange(6)
            buffer, model, size = buffers[i], models[i], buffers[i].size
            low = choose.choice((0, choose.randrange(size)))
            high = choose.choice((size, min(size, low + choose.randrange(1, 70_000))))
            data = choose.randbytes(7) * ((high - low) // 7 + 1)
            data = data[:high - low]
            what = choose.choice(("write", "whole", "copy", "clear", "read", "map", "pointer", "drop", "draw"))
            if what == "write":
                buffer.write(low, data)
                model[low:high] = data
            elif what == "whole" and i < 3:
                data = choose.randbytes(9) * (size // 9 + 1)
                model[:] = data[:size]
                buffer.bind().gl.BufferData(gl.ARRAY_BUFFER, size, None, gl.STREAM_DRAW)
                buffer.write(0, bytes(model))
            elif what == "copy":
                j = (i + choose.randrange(1, 6)) % 6
                count = min(high - low, buffers[j].size)
                buffer.copy_to(buffers[j], low, count)
                models[j][:count] = model[low:low + count]
            elif what == "clear":
                low, high = low & ~3, max(high & ~3, (low & ~3) + 4)
                buffer.bind().gl.ClearBufferSubData(gl.ARRAY_BUFFER, gl.R32UI, low, high - low, gl.RED_INTEGER, gl.UNSIGNED_INT,
                                                    ctypes.byref(ctypes.c_uint(step)))
                model[low:high] = step.to_bytes(4, "little") * ((high - low) // 4)
            elif what == "map" and i < 3:
                at = buffer.map("WRITE", low, high - low)
                ctypes.memmove(at, data, len(data))
                buffer.unmap()
                model[low:high] = data
            elif what == "pointer" and i >= 3:
                gl.Finish()
                assert ctypes.string_at(pointers[i] + low, high - low) == model[low:high], f"step {step}"
                ctypes.memmove(pointers[i] + low, data, len(data))
                model[low:high] = data
            elif what == "drop" and pinned and step % 3 == 0:
                testing.drop_mirror()
            else:
                assert buffer.read(low, high - low) == model[low:high], f"step {step}"
        for buffer, model in zip(buffers, models):
            assert buffer.read() == model
            buffer.drop()
    finally:
        testing.pin_memory(True)


def test_uploads_in_turn_arrive_each(gl):
    """More of them than the arena lets wait: blocks come round while the server still works."""
    buffer, seen = Buffer(gl, LARGE), Buffer(gl, 64 * 60)
    for i in range(60):
        buffer.bind().gl.BufferData(gl.ARRAY_BUFFER, LARGE, None, gl.STREAM_DRAW)
        buffer.write(0, bytes([i]) * LARGE)
        buffer.copy_to(seen, i * 1000, 64, 64 * i)
    assert seen.read() == b"".join(bytes([i]) * 64 for i in range(60))
    buffer.drop()
    seen.drop()


def test_a_forked_child_harms_nobody():
    with context("spawn") as gl:
        buffer, seen = Buffer(gl, LARGE, b"A" * LARGE, PERSISTENT), Buffer(gl, LARGE)
        at = buffer.map()
        buffer.copy_to(seen)
        gl.Finish()
        child = os.fork()
        if child == 0:
            ctypes.memset(at, 5, LARGE)     # private pages, zeros at first
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        buffer.copy_to(seen)
        assert seen.read() == b"A" * LARGE == ctypes.string_at(at, LARGE)
        buffer.drop()
        seen.drop()


def use_a_stream(address: str) -> None:
    with context(server=address, data="stream") as gl:
        buffer, seen = Buffer(gl, LARGE, b"A" * LARGE, PERSISTENT), Buffer(gl, LARGE)
        ctypes.memset(buffer.map(), ord("B"), 1000)
        buffer.copy_to(seen)
        assert gl.loader.stats()["upload_bytes"] >= LARGE
        assert seen.read() == b"B" * 1000 + b"A" * (LARGE - 1000)
        buffer.drop()
        seen.drop()


def test_a_stream_shares_no_memory():
    """In a program of its own: a server ends when its sessions have."""
    server = serving.Server("tcp://127.0.0.1:0")
    client = subprocess.run([sys.executable, "-c", f"import test_pinned; test_pinned.use_a_stream({server.address!r})"], timeout=60,
                            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    server.end()
    assert client.returncode == 0
