"""Points that Python moves in a buffer that stays mapped: three parts in turn, each guarded by a fence, and no copy call."""

import ctypes
import math
import os
import struct

os.environ.setdefault("PYOPENGL_PLATFORM", "egl")

import moderngl
import stage
from OpenGL import GL

POINTS, PARTS = 2000, 3
PART = 8 * POINTS           # bytes of one part: two floats a point


def map_whole(buffer: moderngl.Buffer) -> ctypes.Array:
    """Give the buffer storage that stays mapped, coherently, while it is drawn from: moderngl has no call for it."""
    flags = GL.GL_MAP_WRITE_BIT | GL.GL_MAP_PERSISTENT_BIT | GL.GL_MAP_COHERENT_BIT
    GL.glBindBuffer(GL.GL_COPY_WRITE_BUFFER, buffer.glo)
    GL.glBufferStorage(GL.GL_COPY_WRITE_BUFFER, buffer.size, None, flags)
    address = GL.glMapBufferRange(GL.GL_COPY_WRITE_BUFFER, 0, buffer.size, flags)
    return (ctypes.c_char * buffer.size).from_address(address)


def rose(number: int) -> bytes:
    petals = 2.0 + number / 4
    turns = (2 * math.pi * i / POINTS for i in range(POINTS))
    return b"".join(struct.pack("2f", math.cos(petals * t) * math.cos(t), math.cos(petals * t) * math.sin(t)) for t in turns)


def setup(ctx, size):
    program = ctx.program(
        "#version 330\nin vec2 at; out vec2 place; void main() { place = at; gl_Position = vec4(at * 0.9, 0.0, 1.0); gl_PointSize = 3.0; }",
        "#version 330\nin vec2 place; out vec4 pixel; void main() { pixel = vec4(0.5 + 0.5 * place, 1.0 - length(place), 1.0); }")
    buffer = ctx.buffer(reserve=PART * PARTS)
    mapped = map_whole(buffer)
    fences = [None] * PARTS
    points = ctx.vertex_array(program, [(buffer, "2f4", "at")])
    target = ctx.simple_framebuffer(size)
    ctx.enable(moderngl.PROGRAM_POINT_SIZE)

    def frame(number):
        part = number % PARTS
        if fences[part] is not None:            # drawn three frames ago: done long since, or nearly
            while GL.glClientWaitSync(fences[part], GL.GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL.GL_TIMEOUT_EXPIRED:
                pass
            GL.glDeleteSync(fences[part])
        mapped[part * PART:(part + 1) * PART] = rose(number)
        target.use()
        target.clear(0.05, 0.05, 0.1, 1.0)
        points.render(moderngl.POINTS, vertices=POINTS, first=part * POINTS)
        fences[part] = GL.glFenceSync(GL.GL_SYNC_GPU_COMMANDS_COMPLETE, 0)

    return frame, target


if __name__ == "__main__":
    stage.run(setup)
