"""From nothing to one pixel, with as little else as a program can load: what benchmarks/run.py times as a cold start.

    python first_pixel.py ARM DRIVER [ADDRESS]

Prints `pixel` when it is there, then the memory that client and servers take while they wait. The arm `bare` stops before
it opens a driver.
"""

import sys

import moderngl

name, driver, *address = sys.argv[1:]


def open_context():
    """The context, and mgpipe's link if it is below it."""
    if name in ("direct", "virpipe"):
        return moderngl.create_context(standalone=True, backend="egl"), None
    import mgpipe

    link = mgpipe.context(server=address[0], driver=driver) if address else mgpipe.context(topology=name, driver=driver)
    return moderngl.create_context(context=link), link


def draw(ctx) -> None:
    program = ctx.program(
        vertex_shader="#version 330 core\nin vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }",
        fragment_shader="#version 330 core\nuniform vec4 colour; out vec4 pixel; void main() { pixel = colour; }")
    program["colour"].value = 1.0, 0.5, 0.0, 1.0
    corners = ctx.buffer(b"\0\0\x80\xbf\0\0\x80\xbf\0\0\x40\x40\0\0\x80\xbf\0\0\x80\xbf\0\0\x40\x40")   # (-1, -1), (3, -1), (-1, 3)
    target = ctx.simple_framebuffer((64, 64))
    target.use()
    ctx.vertex_array(program, [(corners, "2f", "corner")]).render()
    pixel = target.read(viewport=(0, 0, 1, 1))
    assert pixel[0] == 255 and pixel[2] == 0, pixel


link = None
if name != "bare":
    ctx, link = open_context()
    draw(ctx)
print("pixel", flush=True)

import json                             # noqa: E402, only now: the pixel is there

from processes import memory_mib        # noqa: E402

servers = [link.stats()["server_pid"]] if name == "spawn" else []
print(json.dumps({"client": memory_mib("self"), "servers": [memory_mib(pid) for pid in servers]}))
