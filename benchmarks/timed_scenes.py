"""Scenes that are no loop of one thing: changes that no draw uses, waits, programs, frames in flight.

Some keep their own time: their `run` returns nanoseconds for one repetition, by name, instead of being timed from outside.
"""

import itertools
import statistics
import time
from collections import deque

from scenes import FRAGMENT, OTHERS, VERTEX, scene

FLIGHTS = (1, 2, 3, 8)      # frames that a program lets be unfinished before it waits
FRAME_DRAWS = 200


@scene("vertex uniform changed, no draw", OTHERS, 1000)
def uniform_only(stage):
    shift = stage.shift

    def run(count):
        for i in range(count):
            shift.value = i * 0.0005

    return run


@scene("glFinish after 2 ms of nothing", OTHERS, 10, reads=True)
def idle_finish(stage):
    finish, clock = stage.ctx.finish, time.perf_counter_ns

    def run(count):
        took = []
        for _ in range(count):
            time.sleep(0.002)
            started = clock()
            finish()
            took.append(clock() - started)
        return {"submit": statistics.median(took), "finish": statistics.median(took)}

    return run


@scene("draw and glFinish after 2 ms of nothing", OTHERS, 10, reads=True)
def idle_draw(stage):
    finish, render, clock = stage.ctx.finish, stage.triangle.render, time.perf_counter_ns

    def run(count):
        submits, finishes = [], []
        for _ in range(count):
            time.sleep(0.002)
            started = clock()
            render()
            submits.append(clock() - started)
            finish()
            finishes.append(clock() - started)
        return {"submit": statistics.median(submits), "finish": statistics.median(finishes)}

    return run


_fresh = itertools.count(time.time_ns() // 1000 % (1 << 23))    # below 2**24: each is another float, not only another text


def _program_and_draw(stage, constant: int):
    program = stage.ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT.replace("= colour", f"= colour * {constant}.0"))
    triangle = stage.triangle_of(stage.corners, program)
    triangle.render()
    triangle.release()
    program.release()


@scene("program never seen before, and a draw with it", OTHERS, 4)
def program_cold(stage):
    def run(count):
        for _ in range(count):
            _program_and_draw(stage, next(_fresh))

    return run


@scene("program seen before, and a draw with it", OTHERS, 4)
def program_cached(stage):
    constants = [next(_fresh) for _ in range(4)]
    for constant in constants:
        _program_and_draw(stage, constant)

    def run(count):
        for i in range(count):
            _program_and_draw(stage, constants[i % 4])

    return run


def _paced(stage, depth: int, mark, take):
    """Frames at full speed, at most `depth` not there yet. `mark()` ends a frame, `take(marked)` returns when its pixels are.

    `latency` is from a frame's input, its uniform, until then; `late` is what one frame in ten exceeds.
    """
    render, shift, clock = stage.triangle.render, stage.shift, time.perf_counter_ns

    def run(count):
        waiting: deque = deque()
        latencies = []

        def take_oldest():
            given, marked = waiting.popleft()
            take(marked)
            latencies.append(clock() - given)

        for i in range(count):
            given = clock()
            shift.value = i * 0.001
            stage.target.clear(0.1, 0.2, 0.3, 1.0)
            for _ in range(FRAME_DRAWS):
                render()
            waiting.append((given, mark()))
            if len(waiting) >= depth:
                take_oldest()
        while waiting:
            take_oldest()
        latencies.sort()
        return {"latency": statistics.median(latencies), "late": latencies[-1 - len(latencies) // 10]}

    return run


def _fenced(depth: int) -> None:
    @scene(f"frame of {FRAME_DRAWS} draws, {depth} in flight", OTHERS, 20, name=f"frames_{depth}", paced=True)
    def frames(stage):
        gl = stage.gl

        def mark():
            fence = gl.glFenceSync(0x9117, 0)                               # GL_SYNC_GPU_COMMANDS_COMPLETE
            gl.glFlush()
            return fence

        def take(fence):
            gl.glClientWaitSync(fence, 1, 10_000_000_000)
            gl.glDeleteSync(fence)

        return _paced(stage, depth, mark, take)


for _depth in FLIGHTS:
    _fenced(_depth)


@scene(f"frame of {FRAME_DRAWS} draws into memory, three pack buffers", OTHERS, 20, name="frames_packed", reads=True, paced=True)
def frames_packed(stage):
    """The pixels are there when they are in the program's memory."""
    size = stage.target.width * stage.target.height * 4
    packs, turns, into = [stage.ctx.buffer(reserve=size) for _ in range(3)], itertools.count(), bytearray(size)

    def mark():
        pack = packs[next(turns) % 3]
        stage.target.read_into(pack, components=4)
        return pack

    return _paced(stage, 3, mark, lambda pack: pack.read_into(into))
