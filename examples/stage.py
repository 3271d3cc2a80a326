"""What every example shares: a context as moderngl makes one, a number of frames, a picture at the end.

    python examples/triangle.py [PICTURE.png] [--frames N] [--size N]

Nothing here knows mgpipe: the programs run on this machine's own driver, and unmodified under `mgpipe run`.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import moderngl
from PIL import Image

Frame = Callable[[int], None]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    name = Path(sys.argv[0]).stem + ".png"
    parser.add_argument("picture", nargs="?", default=name, help=f"where the last frame is written ({name})")
    parser.add_argument("--frames", type=int, default=3, help="frames to draw (3)")
    parser.add_argument("--size", type=int, default=256, help="width and height in pixels (256)")
    return parser.parse_args()


def save(picture: str, size: tuple[int, int], pixels: bytes) -> None:
    """Rows of RGB, bottom row first, as OpenGL gives them."""
    image = Image.frombytes("RGB", size, pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    image.save(picture)


def run(setup: Callable[[moderngl.Context, tuple[int, int]], tuple[Frame, moderngl.Framebuffer]], require: int = 330) -> None:
    """`setup` makes the scene and returns a function that draws frame number n, and the framebuffer to show. `require`:
    the OpenGL version that it takes."""
    asked = options()
    size = (asked.size, asked.size)
    ctx = moderngl.create_context(standalone=True, backend="egl", require=require)
    frame, framebuffer = setup(ctx, size)
    for number in range(asked.frames):
        frame(number)
    save(asked.picture, size, framebuffer.read(components=3))
    if ctx.error != "GL_NO_ERROR":
        raise SystemExit(f"OpenGL reported {ctx.error}")
    ctx.release()
