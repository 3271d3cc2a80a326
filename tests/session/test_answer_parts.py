"""Large answers come in parts: what is there is copied to the program while the driver reads the rest."""

import os
import subprocess
import sys

import pytest

from serving import Server

pytest.importorskip("moderngl")

# In a process of its own: a driver in this one keeps files open, which other tests count.
PROGRAM = """
import ctypes, sys
import mgpipe, moderngl
SIZE = 1024         # 4 MiB an answer
VERTEX = '''#version 330
void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }'''
FRAGMENT = '''#version 330
out vec4 color;
void main() { ivec2 p = ivec2(gl_FragCoord.xy); color = vec4(p.x % 256, p.y % 256, (p.x ^ p.y) % 251, (p.x / 4 + p.y) % 256) / 255.0; }'''


def answers(**options) -> tuple[list[bytes], int]:
    "The same pixels, read in several ways, and how many parts came while they were awaited."
    loader = mgpipe.context(driver="gl", **options)
    ctx = moderngl.create_context(context=loader)
    target = ctx.simple_framebuffer((SIZE, SIZE))
    target.use()
    program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    ctx.vertex_array(program, []).render(vertices=3)
    got = [target.read(components=4), target.read(components=3, alignment=1), target.read(viewport=(3, 5, 1000, 1011), components=4)]
    pack, into = ctx.buffer(reserve=SIZE * SIZE * 4), ctypes.create_string_buffer(SIZE * SIZE * 4)
    target.read_into(pack, components=4)
    ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint)(loader.load("glBindBuffer"))(0x8892, pack.glo)
    ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_void_p)(loader.load("glGetBufferSubData"))(
        0x8892, 0, SIZE * SIZE * 4, into)
    got.append(into.raw)
    parts = loader.stats()["answer_parts"]
    ctx.release()
    loader.release()
    return got, parts

whole, none = answers(topology="monolith")
assert none == 0 and whole[0] == whole[3] and len(set(whole[0])) == 256
got, parts = answers(**({"server": sys.argv[1], "data": "stream"} if ":" in sys.argv[1] else {"topology": sys.argv[1]}))
assert got == whole, [a == b for a, b in zip(got, whole)]
print(parts)
"""


@pytest.mark.parametrize("topology", ["inproc", "spawn", "tcp"])
def test_an_answer_in_parts_is_the_whole_one(topology):
    server = Server() if topology == "tcp" else None
    where = server.address if server else topology
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MGPIPE_")}
    try:
        done = subprocess.run([sys.executable, "-c", PROGRAM, where], capture_output=True, text=True, timeout=120, env=clean)
    finally:
        if server:
            server.end()
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 4        # of four answers, each in eight: some are told together when the client comes late
