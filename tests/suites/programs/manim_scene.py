"""manim's OpenGL renderer, as `manim render --renderer=opengl` runs it: one picture of the last frame."""

import sys
from pathlib import Path

from manim import BLUE, DEGREES, RED, UP, Circle, Create, Square, Text, ThreeDScene, Transform, config, tempconfig
from manim.opengl import OpenGLSurface

OUT = Path(sys.argv[1])


class Scene(ThreeDScene):
    def construct(self):
        circle = Circle(color=RED, fill_opacity=0.5)
        self.play(Create(circle), run_time=0.2)
        self.play(Transform(circle, Square(color=BLUE, fill_opacity=0.5)), run_time=0.2)
        self.add(Text("elsewhere").shift(UP * 2))
        self.set_camera_orientation(phi=50 * DEGREES, theta=-60 * DEGREES)
        self.add(OpenGLSurface(lambda u, v: (u, v, u * v / 2), u_range=(-1, 1), v_range=(-1, 1)))
        self.wait(0.1)


with tempconfig({"renderer": "opengl", "write_to_movie": False, "save_last_frame": True, "quality": "low_quality",
                 "media_dir": str(OUT.parent / "media"), "disable_caching": True, "verbosity": "ERROR",
                 "output_file": OUT.stem, "frame_rate": 10}):
    Scene().render()
    pictures = list(Path(config.media_dir).rglob("*.png"))
next(picture for picture in pictures if picture.stem == OUT.stem).rename(OUT)
