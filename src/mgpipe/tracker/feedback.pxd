"""Verbs of transform feedback: begin, pause, resume, end, and draws of what was captured."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, Feedback

# The bound feedback object, whose front end state says what it captures.
cdef void track_begin_feedback(Context* ctx) noexcept nogil
cdef void track_pause_feedback(Context* ctx) noexcept nogil
cdef void track_resume_feedback(Context* ctx) noexcept nogil
cdef void track_end_feedback(Context* ctx) noexcept nogil
cdef void track_draw_feedback(Context* ctx, uint32_t mode, Feedback* feedback, uint32_t stream, uint32_t instances) noexcept nogil
cdef void track_delete_feedback(Context* ctx, Feedback* feedback) noexcept nogil
