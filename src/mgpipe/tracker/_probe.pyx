# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a context knows of its own changes, for tests. A context comes as its address (`_gl.context_address()`)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from pipe cimport pipe_Snapshot
from mgpipe.front.context cimport Context
from mgpipe.tracker.snapshot cimport snapshot_fill


def changes(uintptr_t address) -> tuple[int, int, int]:
    """(dirty bits, the share group's generation, bit per stage whose constants changed)"""
    cdef Context* ctx = <Context*>address
    return ctx.dirty, ctx.group.generation, ctx.program.constants_dirty if ctx.program != NULL else 0


def forget_changes(uintptr_t address) -> None:
    """As if the last setters had forgotten to say that they changed anything."""
    cdef Context* ctx = <Context*>address
    ctx.dirty = 0
    ctx.tracked.generation = ctx.group.generation
    if ctx.program != NULL:
        ctx.program.constants_dirty = 0


def snapshot(uintptr_t address) -> bytes:
    """The state as verify mode sees it, a `Snapshot` of catalogue/snapshot.py."""
    cdef pipe_Snapshot* taken = <pipe_Snapshot*>calloc(1, sizeof(pipe_Snapshot))
    if taken == NULL:
        raise MemoryError
    snapshot_fill(<Context*>address, taken)
    try:
        return (<const uint8_t*>taken)[:sizeof(pipe_Snapshot)]
    finally:
        free(taken)
