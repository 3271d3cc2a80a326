"""Scenes that are no loop of one thing: changes that no draw uses, waits, programs, frames in flight.

Some keep their own time: their `run` returns nanoseconds for one repetition, by name, instead of being timed from outside.
"""

import itertools
import statistics
import time
from collections import deque

from scenes import FRAGMENT, OTHERS, VERTEX, scene

IN_FLIGHT = 3
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


_fresh = itertools.count(time.time_ns() % 1_000_000_007)


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


@scene(f"frame of {FRAME_DRAWS} draws, {IN_FLIGHT} in flight", OTHERS, 20)
def frames(stage):
    """`latency`: from the input of a frame, its uniform, until its fence says that the pixels are there."""
    gl, render, shift, clock = stage.gl, stage.triangle.render, stage.shift, time.perf_counter_ns
    fence, wait, delete = gl.glFenceSync, gl.glClientWaitSync, gl.glDeleteSync

    def run(count):
        waiting: deque = deque()
        latencies = []

        def take_oldest():
            given, done = waiting.popleft()
            wait(done, 1, 10_000_000_000)
            latencies.append(clock() - given)
            delete(done)

        for i in range(count):
            given = clock()
            shift.value = i * 0.001
            stage.target.clear(0.1, 0.2, 0.3, 1.0)
            for _ in range(FRAME_DRAWS):
                render()
            waiting.append((given, fence(0x9117, 0)))                       # GL_SYNC_GPU_COMMANDS_COMPLETE
            gl.glFlush()
            if len(waiting) >= IN_FLIGHT:
                take_oldest()
        while waiting:
            take_oldest()
        return {"latency": statistics.median(latencies)}

    return run
