"""pyglet 2.1, headless, with its default error checking: shapes and a sprite in a batch, frames by flip."""

import sys

import pyglet

pyglet.options["headless"] = True

from PIL import Image

OUT, FRAMES = sys.argv[1], int(sys.argv[2])
assert pyglet.options["debug_gl"]       # glGetError after every call

# Asked for nothing, EGL gives the smallest configuration there is: 16 bits on some drivers.
config = pyglet.gl.Config(red_size=8, green_size=8, blue_size=8, alpha_size=8, double_buffer=True,
                          major_version=3, minor_version=3)
window = pyglet.window.Window(256, 192, config=config)
batch = pyglet.graphics.Batch()
kept = [
    pyglet.shapes.Circle(128, 96, 60, color=(255, 0, 0), batch=batch),
    pyglet.shapes.Rectangle(0, 0, 20, 20, color=(0, 255, 0), batch=batch),
    pyglet.shapes.Star(60, 140, 30, 12, 5, color=(250, 220, 40), batch=batch),
    pyglet.shapes.Line(10, 180, 240, 20, 3, color=(255, 255, 255, 128), batch=batch),
    pyglet.sprite.Sprite(pyglet.image.SolidColorImagePattern((0, 0, 255, 255)).create_image(32, 32), x=200, y=140, batch=batch),
]
for frame in range(FRAMES):
    window.clear()
    batch.draw()
    if frame < FRAMES - 1:
        window.flip()
data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data().get_data("RGBA", 256 * 4)
Image.frombytes("RGBA", (256, 192), data).transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(OUT)
window.close()
