# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Presents. See presents.pxd.

A present takes a credit of its surface, and gives it back when the driver has really finished the frame, which a fence behind
the present tells: of what a program draws from its input, only so many frames are not shown yet. Whoever finds the credit
used up asks the server to wait for the oldest: an answer or a hang-up ends that.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from pipe cimport pipe_await_present, pipe_present, pipe_reply
from mgpipe.client.session cimport poll_events, present_credit, presented, session_end_frame
from mgpipe.front.context cimport Context, Surface
from mgpipe.tracker.validate cimport begin_verb


cdef void take_credit(Context* ctx, Surface* surface) noexcept nogil:
    """For the surface's next present. Before anything of it is emitted: the session's lock is let go meanwhile."""
    cdef uint64_t credit = present_credit(ctx.session)
    cdef pipe_await_present record
    cdef pipe_reply reply
    if surface.frames < credit:
        return
    record.serial = surface.frames + 1 - credit
    if presented(ctx.session, surface.handle) >= record.serial:
        return
    poll_events(ctx.session)
    if presented(ctx.session, surface.handle) >= record.serial:
        return
    begin_verb(ctx)
    memset(&reply, 0, sizeof(reply))
    record.surface = surface.handle
    ctx.session.screen.await_present(ctx.session.self, &record, &reply)


cdef void track_present(Context* ctx) noexcept nogil:
    cdef Surface* surface = ctx.draw_surface
    cdef pipe_present record
    if surface == NULL:
        return
    take_credit(ctx, surface)
    begin_verb(ctx)
    surface.frames += 1
    record.surface = surface.handle
    record.serial = surface.frames
    ctx.session.context.present(ctx.session.self, &record)
    ctx.session.looked = ctx.session.emitted
    session_end_frame(ctx.session)
