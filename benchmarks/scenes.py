"""What is measured: a moderngl program that knows nothing of mgpipe. Each scene is a function of a count."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

MIB = 1 << 20

VERTEX = """
    #version 330 core
    in vec2 corner;
    uniform float shift;
    void main() { gl_Position = vec4(corner + vec2(shift, 0.0), 0.0, 1.0); }
"""
FRAGMENT = """
    #version 330 core
    uniform vec4 colour;
    out vec4 pixel;
    void main() { pixel = colour; }
"""


@dataclass(frozen=True)
class Scene:
    """`count` repetitions are one sample; what is told is the cost of one."""

    title: str
    count: int
    on_floor: bool = False      # runs on entry points that do nothing
    upload_bytes: int = 0       # that the program gives in one repetition


SCENES = {
    "draw": Scene("draw, nothing changed", 1000, on_floor=True),
    "uniform": Scene("draw, vertex uniform changed", 1000, on_floor=True),
    # With a draw that uses the bytes: what nothing uses need not be sent, and mgpipe does not send it.
    "buffer": Scene("buffer orphan + write 1 MiB + draw", 20, upload_bytes=MIB),
    "texture": Scene("texture sub-image 1024x1024 + draw", 20, upload_bytes=4 * MIB),
    "readback": Scene("clear, draw, read 512x512", 20),
}


TEXTURED = """
    #version 330 core
    uniform sampler2D image;
    out vec4 pixel;
    void main() { pixel = texture(image, gl_FragCoord.xy / 64.0); }
"""


class Program:
    """The objects of all scenes, and one function for each."""

    def __init__(self, ctx) -> None:
        self.ctx = ctx
        self.program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        # A few pixels: the cost of a draw, not of filling.
        self.corners = ctx.buffer(struct.pack("6f", 0.0, 0.0, 0.02, 0.0, 0.0, 0.02))
        self.triangle = ctx.vertex_array(self.program, [(self.corners, "2f", "corner")])
        self.target = ctx.simple_framebuffer((64, 64))
        self.shift = self.program["shift"]
        self.program["colour"].value = (0.9, 0.5, 0.1, 1.0)
        self.target.use()

    def prepare(self, scene: str) -> Callable[[int], None]:
        return getattr(self, scene)()

    def draw(self):
        render = self.triangle.render
        self.target.use()

        def run(count):
            for _ in range(count):
                render()

        return run

    def uniform(self):
        render, shift = self.triangle.render, self.shift
        self.target.use()

        def run(count):
            for i in range(count):
                shift.value = i * 0.0005
                render()

        return run

    def buffer(self):
        contents = [bytes([i]) * MIB for i in range(4)]
        buffer = self.ctx.buffer(reserve=MIB)
        vertices = self.ctx.vertex_array(self.program, [(buffer, "2f", "corner")])
        self.target.use()

        def run(count):
            for i in range(count):
                buffer.orphan()
                buffer.write(contents[i % 4])
                vertices.render(vertices=3)

        return run

    def texture(self):
        contents = [bytes([i]) * (4 * MIB) for i in range(4)]
        texture = self.ctx.texture((1024, 1024), 4)
        program = self.ctx.program(vertex_shader=VERTEX.replace("uniform float shift", "const float shift = 0.0"),
                                   fragment_shader=TEXTURED)
        triangle = self.ctx.vertex_array(program, [(self.corners, "2f", "corner")])
        texture.use(0)
        self.target.use()

        def run(count):
            for i in range(count):
                texture.write(contents[i % 4])
                triangle.render()

        return run

    def readback(self):
        target = self.ctx.simple_framebuffer((512, 512))
        into = bytearray(512 * 512 * 4)
        render = self.triangle.render

        def run(count):
            target.use()
            for _ in range(count):
                target.clear(0.1, 0.2, 0.3, 1.0)
                render()
                target.read_into(into, components=4)

        return run
