"""Memory that is shared with the server: a program may upload more than fits, as long as it does not keep it."""

import json
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from serving import Server

PROGRAM = """
import json, sys, moderngl, mgpipe
link = mgpipe.context(topology=sys.argv[1], driver="null", shadow_limit_mb=24)
ctx = moderngl.create_context(context=link)
program = ctx.program(vertex_shader="#version 330 core\\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }",
                      fragment_shader="#version 330 core\\nout vec4 pixel; void main() { pixel = vec4(1); }")
buffer = ctx.buffer(reserve=4 << 20)
triangle = ctx.vertex_array(program, [(buffer, "2f", "at")])
ctx.simple_framebuffer((8, 8)).use()
for i in range(60):
    buffer.orphan()
    buffer.write(bytes([i]) * (4 << 20))
    triangle.render(vertices=3)
print(json.dumps([ctx.error, link.stats()]))
"""


@pytest.mark.parametrize("topology", ["spawn", "inproc"])
def test_more_is_uploaded_than_the_limit_holds(topology):
    """240 MiB through 24: the client waits for the server; it was GL_OUT_OF_MEMORY."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM, topology], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    error, stats = json.loads(ran.stdout)
    assert error == "GL_NO_ERROR"
    assert stats["topology"] == topology and stats["upload_bytes"] == 60 * (4 << 20)


RELEASING = """
import json, sys, time, moderngl, mgpipe
link = mgpipe.context(driver="null", server=sys.argv[1], data="stream")
ctx = moderngl.create_context(context=link)
program = ctx.program(vertex_shader="#version 330 core\\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }",
                      fragment_shader="#version 330 core\\nout vec4 pixel; void main() { pixel = vec4(1); }")
ctx.simple_framebuffer((8, 8)).use()
def resident():
    ctx.finish()
    return int(open(f"/proc/{link.stats()['server_pid']}/statm").read().split()[1]) >> 8
def draw(megabytes):
    buffers = [ctx.buffer(b"\\1" * (1 << 20)) for n in range(megabytes)]
    for buffer in buffers:
        triangle = ctx.vertex_array(program, [(buffer, "2f", "at")])
        triangle.render(vertices=3)
        triangle.release()
    return buffers
def free(buffers):
    ctx.finish()        # what is applied is given back at once
    for buffer in buffers:
        buffer.release()
before = resident()
buffers = draw(128)
held = resident()
free(buffers)
for pause in range(3):
    time.sleep(0.6)     # pages are kept half a second, in case
    free(draw(1))
print(json.dumps([before, held, resident(), ctx.error]))
"""


def test_what_a_program_releases_a_server_elsewhere_gives_back():
    """The copy that a stream's server keeps follows the client's own."""
    server = Server()
    try:
        ran = subprocess.run([sys.executable, "-c", RELEASING, server.address], capture_output=True, text=True, timeout=120)
    finally:
        server.end()
    assert ran.returncode == 0, ran.stderr
    before, held, after, error = json.loads(ran.stdout)
    assert error == "GL_NO_ERROR"
    assert held - before >= 128
    assert after - before < 24, f"{after - before} MiB of {held - before} are left"


def resident_mib(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) / 256


def test_an_idle_server_gives_back_what_its_driver_has_freed():
    """Kept from frame to frame, since each page that comes back costs a fault; gone after a second or two of nothing."""
    import mgpipe
    import moderngl
    from mgpipe import testing

    link = mgpipe.context(topology="spawn")
    ctx = moderngl.create_context(context=link)
    server = link.stats()["server_pid"]
    ctx.buffer(bytes(1 << 20)).release()
    ctx.finish()
    before = resident_mib(server)
    testing.pin_memory(False)                       # else the memory would be the client's
    buffers = [ctx.buffer(reserve=32 << 20) for _ in range(4)]
    for buffer in buffers:
        buffer.write(bytes(32 << 20))
        ctx.copy_buffer(buffers[0], buffer, 4)      # what nothing uses is not sent
    testing.pin_memory(True)
    ctx.finish()
    for buffer in buffers:
        buffer.release()
    ctx.finish()
    held = resident_mib(server)
    deadline = time.monotonic() + 20
    while resident_mib(server) > held - 100 and time.monotonic() < deadline:
        time.sleep(0.1)
    after = resident_mib(server)
    ctx.release()
    link.release()
    assert held > before + 100 and after < held - 100


@pytest.mark.parametrize("topology", ["monolith", "spawn"])
def test_what_is_written_while_the_server_still_reads_arrives_whole(topology):
    """Parts of a texture whose memory earlier records still name: copied on write in pieces, sent in as many records as it takes."""
    import random

    import mgpipe
    import moderngl

    size, shape = 512, random.Random(5)
    link = mgpipe.context(topology=topology)
    ctx = moderngl.create_context(context=link)
    program = ctx.program(vertex_shader="#version 330 core\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }",
                          fragment_shader="#version 330 core\nuniform sampler2D image; out vec4 pixel;"
                                          "void main() { pixel = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }")
    model = [bytearray(size * 4) for _ in range(size)]
    texture = ctx.texture((size, size), 4, b"".join(model))
    target = ctx.simple_framebuffer((size, size))
    triangle = ctx.vertex_array(program, [(ctx.buffer(struct.pack("6f", -1, -1, 3, -1, -1, 3)), "2f", "at")])
    target.use()
    texture.use(0)
    for turn in range(12):
        for _ in range(shape.randrange(1, 80)):
            width, height = shape.randrange(1, 200), shape.randrange(1, 60)
            x, y = shape.randrange(size - width), shape.randrange(size - height)
            row = shape.randbytes(width * 4)
            texture.write(row * height, (x, y, width, height))
            for line in model[y:y + height]:
                line[x * 4:(x + width) * 4] = row
        triangle.render()
    pixels = target.read(components=4)
    ctx.release()
    link.release()
    assert pixels == b"".join(model)


def test_pages_that_a_large_answer_left_are_given_back():
    """At the end of a frame, a second after the last of them; what lies in a next one is right."""
    import mgpipe
    import moderngl

    link = mgpipe.context(topology="spawn", driver="null")
    ctx = moderngl.create_context(context=link)
    target = ctx.simple_framebuffer((2048, 2048))
    answers = [fd for fd in Path("/proc/self/fd").iterdir() if fd.exists() and "mgpipe-reply" in str(fd.readlink())]

    def resident() -> int:
        return max(fd.stat().st_blocks for fd in answers) * 512

    assert len(target.read(components=4)) == 16 << 20
    ctx.finish()
    assert resident() > 15 << 20
    time.sleep(1.1)
    ctx.finish()
    assert resident() <= 1 << 20
    assert target.read(components=4) == bytes(16 << 20)
