# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs of transform feedback. See feedback.pxd.

A capture in progress lives on the server alone: where in its buffers it stands, and the program that it began with. So a
feedback object and a capturing program keep their handles when the mirror is dropped, as contents of the GPU do.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from pipe cimport (PIPE_HANDLE_STREAM_OUTPUT, pipe_BufferRange, pipe_begin_stream_output, pipe_delete_stream_output,
                   pipe_draw_stream_output, pipe_end_stream_output, pipe_pause_stream_output, pipe_resume_stream_output)
from mgpipe.client.session cimport Session, handle_free, handle_new
from mgpipe.front.context cimport DIRTY_PROGRAM, FEEDBACK_BINDINGS, Context, Feedback, IndexedBuffer
from mgpipe.tracker.mirror cimport enter_context
from mgpipe.tracker.resources cimport ensure_buffer
from mgpipe.tracker.state cimport send_pipeline, send_program
from mgpipe.tracker.validate cimport begin_verb, end_verb, mark_captured, validate_draw


cdef void track_begin_feedback(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Feedback* feedback = ctx.feedback
    cdef pipe_begin_stream_output record
    cdef pipe_BufferRange ranges[FEEDBACK_BINDINGS]
    cdef IndexedBuffer* bound
    cdef uint32_t i
    begin_verb(ctx)
    send_program(ctx)
    send_pipeline(ctx)                      # a dialect may put some of it into the program
    ctx.dirty |= DIRTY_PROGRAM              # slots and constants still leave with the first draw
    memset(ranges, 0, sizeof(ranges))
    memset(&record, 0, sizeof(record))
    for i in range(FEEDBACK_BINDINGS):
        bound = &feedback.buffers[i]
        if not feedback.program.feedback_buffers >> i & 1 or bound.buffer == NULL:
            continue
        ensure_buffer(ctx, bound.buffer)
        ranges[i].resource = bound.buffer.handle
        ranges[i].offset = bound.offset
        ranges[i].size = bound.size if bound.size else <unsigned long long>-1
        record.count = i + 1
    if feedback.handle.gen == 0:
        feedback.handle = handle_new(session, PIPE_HANDLE_STREAM_OUTPUT)
    record.stream_output = feedback.handle
    record.shader = feedback.program.handle
    record.mode = feedback.mode
    session.context.begin_stream_output(session.self, &record, ranges)


cdef void track_pause_feedback(Context* ctx) noexcept nogil:
    cdef pipe_pause_stream_output record
    begin_verb(ctx)
    record.stream_output = ctx.feedback.handle
    ctx.session.context.pause_stream_output(ctx.session.self, &record)


cdef void track_resume_feedback(Context* ctx) noexcept nogil:
    cdef pipe_resume_stream_output record
    begin_verb(ctx)
    send_program(ctx)
    send_pipeline(ctx)
    ctx.dirty |= DIRTY_PROGRAM
    record.stream_output = ctx.feedback.handle
    ctx.session.context.resume_stream_output(ctx.session.self, &record)


cdef void track_end_feedback(Context* ctx) noexcept nogil:
    cdef pipe_end_stream_output record
    begin_verb(ctx)
    mark_captured(ctx)
    record.stream_output = ctx.feedback.handle
    ctx.session.context.end_stream_output(ctx.session.self, &record)


cdef void track_draw_feedback(Context* ctx, uint32_t mode, Feedback* feedback, uint32_t stream, uint32_t instances) noexcept nogil:
    cdef pipe_draw_stream_output record
    validate_draw(ctx)
    record.mode = mode
    record.instance_count = instances
    record.stream_output = feedback.handle
    record.stream = stream
    record.pad0 = 0
    ctx.session.context.draw_stream_output(ctx.session.self, &record)
    ctx.session.stats.draws += 1
    end_verb(ctx)


cdef void track_delete_feedback(Context* ctx, Feedback* feedback) noexcept nogil:
    cdef pipe_delete_stream_output record
    if feedback.handle.gen == 0:
        return
    enter_context(ctx)                      # feedback objects are the context's own
    record.stream_output = feedback.handle
    ctx.session.context.delete_stream_output(ctx.session.self, &record)
    handle_free(ctx.session, PIPE_HANDLE_STREAM_OUTPUT, feedback.handle)
    feedback.handle.slot = feedback.handle.gen = 0
