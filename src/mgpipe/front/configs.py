"""EGL framebuffer configurations: few, because some toolkits read every attribute of every one."""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

NONE = 0x3038
DONT_CARE = -1
TRUE, FALSE = 1, 0

BUFFER_SIZE, ALPHA_SIZE, BLUE_SIZE, GREEN_SIZE, RED_SIZE, DEPTH_SIZE, STENCIL_SIZE = range(0x3020, 0x3027)
CONFIG_CAVEAT, CONFIG_ID, LEVEL, MAX_PBUFFER_HEIGHT, MAX_PBUFFER_PIXELS, MAX_PBUFFER_WIDTH = range(0x3027, 0x302D)
NATIVE_RENDERABLE, NATIVE_VISUAL_ID, NATIVE_VISUAL_TYPE = range(0x302D, 0x3030)
SAMPLES, SAMPLE_BUFFERS, SURFACE_TYPE, TRANSPARENT_TYPE = range(0x3031, 0x3035)
TRANSPARENT_BLUE, TRANSPARENT_GREEN, TRANSPARENT_RED = range(0x3035, 0x3038)
BIND_TO_TEXTURE_RGB, BIND_TO_TEXTURE_RGBA, MIN_SWAP_INTERVAL, MAX_SWAP_INTERVAL = range(0x3039, 0x303D)
LUMINANCE_SIZE, ALPHA_MASK_SIZE, COLOR_BUFFER_TYPE, RENDERABLE_TYPE, MATCH_NATIVE_PIXMAP, CONFORMANT = range(0x303D, 0x3043)

PBUFFER_BIT = 0x0001
OPENGL_BIT = 0x0008
RGB_BUFFER = 0x308E

MAX_PBUFFER_SIDE = 16384

AT_LEAST = {BUFFER_SIZE, RED_SIZE, GREEN_SIZE, BLUE_SIZE, ALPHA_SIZE, DEPTH_SIZE, STENCIL_SIZE, SAMPLES, SAMPLE_BUFFERS,
            LUMINANCE_SIZE, ALPHA_MASK_SIZE}
MASKS = {SURFACE_TYPE, RENDERABLE_TYPE, CONFORMANT}
IGNORED = {MAX_PBUFFER_HEIGHT, MAX_PBUFFER_PIXELS, MAX_PBUFFER_WIDTH, NATIVE_VISUAL_ID, TRANSPARENT_BLUE,
           TRANSPARENT_GREEN, TRANSPARENT_RED}     # eglChooseConfig skips these (EGL 1.5, 3.4.1.1)


class Config(NamedTuple):
    id: int
    alpha: int
    depth: int
    stencil: int
    samples: int

    @property
    def attributes(self) -> dict[int, int]:
        return {
            RED_SIZE: 8, GREEN_SIZE: 8, BLUE_SIZE: 8, ALPHA_SIZE: self.alpha, BUFFER_SIZE: 24 + self.alpha,
            DEPTH_SIZE: self.depth, STENCIL_SIZE: self.stencil, SAMPLES: self.samples, SAMPLE_BUFFERS: int(self.samples > 0),
            CONFIG_ID: self.id, CONFIG_CAVEAT: NONE, LEVEL: 0, LUMINANCE_SIZE: 0, ALPHA_MASK_SIZE: 0,
            COLOR_BUFFER_TYPE: RGB_BUFFER, SURFACE_TYPE: PBUFFER_BIT, RENDERABLE_TYPE: OPENGL_BIT, CONFORMANT: OPENGL_BIT,
            MAX_PBUFFER_WIDTH: MAX_PBUFFER_SIDE, MAX_PBUFFER_HEIGHT: MAX_PBUFFER_SIDE,
            MAX_PBUFFER_PIXELS: MAX_PBUFFER_SIDE ** 2, NATIVE_RENDERABLE: FALSE, NATIVE_VISUAL_ID: 0,
            NATIVE_VISUAL_TYPE: NONE, TRANSPARENT_TYPE: NONE, TRANSPARENT_BLUE: 0, TRANSPARENT_GREEN: 0, TRANSPARENT_RED: 0,
            BIND_TO_TEXTURE_RGB: FALSE, BIND_TO_TEXTURE_RGBA: FALSE, MIN_SWAP_INTERVAL: 0, MAX_SWAP_INTERVAL: 1,
        }


CONFIGS = tuple(
    Config(id, alpha, depth, stencil, samples)
    for id, (samples, (depth, stencil), alpha) in enumerate(product((0, 4), ((0, 0), (24, 8)), (8, 0)), start=1)
)


class BadAttribute(Exception):
    """eglChooseConfig was given an attribute that is none."""


def choose(wanted: Iterable[tuple[int, int]]) -> list[Config]:
    """What eglChooseConfig answers, best first.

    Two attributes that are left out are not held against us, though EGL's defaults would: RENDERABLE_TYPE (its default is
    OpenGL ES) and SURFACE_TYPE (a window). A program that never says "ES" or "window" means neither.
    """
    asked = dict(wanted)
    known = CONFIGS[0].attributes
    if unknown := asked.keys() - known.keys() - {MATCH_NATIVE_PIXMAP}:
        raise BadAttribute(f"0x{min(unknown):04X}")
    if asked.get(CONFIG_ID, DONT_CARE) != DONT_CARE:
        return [config for config in CONFIGS if config.id == asked[CONFIG_ID]]
    matching = [config for config in CONFIGS if all(_meets(config.attributes, *want) for want in asked.items())]
    colours = [size for size in (RED_SIZE, GREEN_SIZE, BLUE_SIZE, ALPHA_SIZE) if asked.get(size, 0) > 0]

    def order(config: Config) -> tuple[int, ...]:
        has = config.attributes
        return (-sum(has[size] for size in colours), has[BUFFER_SIZE], has[SAMPLES], has[DEPTH_SIZE], has[STENCIL_SIZE], config.id)

    return sorted(matching, key=order)


def _meets(has: dict[int, int], attribute: int, value: int) -> bool:
    if value == DONT_CARE or attribute in IGNORED:
        return True
    if attribute == MATCH_NATIVE_PIXMAP:
        return value == NONE
    if attribute in AT_LEAST:
        return has[attribute] >= value
    if attribute in MASKS:
        return has[attribute] & value == value
    return has[attribute] == value
