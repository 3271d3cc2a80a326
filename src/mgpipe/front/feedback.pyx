# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Transform feedback: captures, feedback objects, draws of what was captured (specification 13.2, 13.3).

`ctx.capture` says in one word what draws must know: whether they are captured now, and as which primitive. It is not 0
exactly while the bound feedback object is active and not paused.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free

from glenum cimport *
from mgpipe.front.buffers cimport buffer_hold, named_buffer
from mgpipe.front.context cimport (FEEDBACK_BINDINGS, Context, Feedback, GLboolean, GLenum, GLint, GLint64, GLintptr,
                                   GLsizei, GLsizeiptr, GLuint, Program, Buffer, IndexedBuffer, name_get, name_make,
                                   name_remove, names_generate, set_error)
from mgpipe.front.draws cimport draw_allowed
from mgpipe.front.pipelines cimport pipeline_resolve
from mgpipe.front.programs cimport program_let_go
from mgpipe.tracker.feedback cimport (track_begin_feedback, track_delete_feedback, track_draw_feedback, track_end_feedback,
                                      track_pause_feedback, track_resume_feedback)


# -------------------------------------------------------------------------------------------------------- captures

cdef inline bint buffers_there(Feedback* feedback, Program* program) noexcept nogil:
    cdef uint32_t i
    for i in range(FEEDBACK_BINDINGS):
        if program.feedback_buffers >> i & 1 and feedback.buffers[i].buffer == NULL:
            return False
    return True


cdef void BeginTransformFeedback(Context* ctx, GLenum primitiveMode) noexcept nogil:
    cdef Feedback* feedback = ctx.feedback
    cdef Program* program = NULL
    if pipeline_resolve(ctx):
        program = ctx.program
    if primitiveMode != GL_POINTS and primitiveMode != GL_LINES and primitiveMode != GL_TRIANGLES:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if (feedback.active or program == NULL or program.feedback_size == 0 or not program.linked
            or not buffers_there(feedback, program)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    feedback.active = 1
    feedback.paused = 0
    feedback.mode = primitiveMode
    feedback.program = program
    program.refs += 1
    program.captures += 1
    ctx.capture = primitiveMode + 1
    track_begin_feedback(ctx)


cdef void finish(Context* ctx, Feedback* feedback) noexcept nogil:
    cdef Program* program = feedback.program
    feedback.active = feedback.paused = 0
    feedback.program = NULL
    program.captures -= 1
    program_let_go(ctx, program)


cdef void EndTransformFeedback(Context* ctx) noexcept nogil:
    """Of a paused one, too: it is resumed and ended."""
    cdef Feedback* feedback = ctx.feedback
    if not feedback.active:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    ctx.capture = 0
    track_end_feedback(ctx)
    feedback.ended = 1
    finish(ctx, feedback)


cdef void PauseTransformFeedback(Context* ctx) noexcept nogil:
    cdef Feedback* feedback = ctx.feedback
    if not feedback.active or feedback.paused:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    feedback.paused = 1
    ctx.capture = 0
    track_pause_feedback(ctx)


cdef void ResumeTransformFeedback(Context* ctx) noexcept nogil:
    cdef Feedback* feedback = ctx.feedback
    if not feedback.active or not feedback.paused or not pipeline_resolve(ctx) or ctx.program != feedback.program:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    feedback.paused = 0
    ctx.capture = feedback.mode + 1
    track_resume_feedback(ctx)


# --------------------------------------------------------------------------------------------------------- objects

cdef void GenTransformFeedbacks(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil:
    names_generate(ctx, &ctx.feedbacks, n, ids)


cdef Feedback* feedback_object(Context* ctx, GLuint id) noexcept nogil:
    """The object of a name, made now if the name was only generated. NULL: the error is set."""
    cdef Feedback* feedback = &ctx.default_feedback if id == 0 else <Feedback*>name_get(&ctx.feedbacks, id)
    if feedback == NULL:
        feedback = <Feedback*>name_make(ctx, &ctx.feedbacks, id, sizeof(Feedback))
        if feedback != NULL:
            feedback.name = id
    return feedback


cdef void CreateTransformFeedbacks(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil:
    cdef GLsizei i
    GenTransformFeedbacks(ctx, n, ids)
    for i in range(n):
        feedback_object(ctx, ids[i])


cdef void free_feedback(Context* ctx, Feedback* feedback) noexcept nogil:
    """What it holds, here and on the server; the memory of the one named zero is the context's."""
    cdef uint32_t i
    track_delete_feedback(ctx, feedback)
    if feedback.active:
        finish(ctx, feedback)
    for i in range(FEEDBACK_BINDINGS):
        buffer_hold(ctx, &feedback.buffers[i].buffer, NULL)


cdef void DeleteTransformFeedbacks(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil:
    cdef Feedback* feedback
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        feedback = <Feedback*>name_get(&ctx.feedbacks, ids[i])
        if feedback != NULL and feedback.active:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    for i in range(n):
        feedback = <Feedback*>name_remove(&ctx.feedbacks, ids[i])
        if feedback == NULL:
            continue
        if ctx.feedback == feedback:
            ctx.feedback = &ctx.default_feedback
        free_feedback(ctx, feedback)
        free(feedback)


cdef void feedback_release(Context* ctx) noexcept nogil:
    cdef uint32_t i
    ctx.capture = 0
    ctx.feedback = &ctx.default_feedback
    free_feedback(ctx, &ctx.default_feedback)
    for i in range(ctx.feedbacks.capacity):
        if name_get(&ctx.feedbacks, i) != NULL:
            free_feedback(ctx, <Feedback*>name_get(&ctx.feedbacks, i))


cdef GLboolean IsTransformFeedback(Context* ctx, GLuint id) noexcept nogil:
    return name_get(&ctx.feedbacks, id) != NULL


cdef void BindTransformFeedback(Context* ctx, GLenum target, GLuint id) noexcept nogil:
    cdef Feedback* feedback
    if target != GL_TRANSFORM_FEEDBACK:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if ctx.capture:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    feedback = feedback_object(ctx, id)
    if feedback != NULL:
        ctx.feedback = feedback


cdef Feedback* named_feedback(Context* ctx, GLuint id) noexcept nogil:
    """An object that exists, zero among them. NULL: the error is set."""
    cdef Feedback* feedback = &ctx.default_feedback if id == 0 else <Feedback*>name_get(&ctx.feedbacks, id)
    if feedback == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    return feedback


cdef void bind_buffer(Context* ctx, GLuint xfb, GLuint index, GLuint name, GLintptr offset, GLsizeiptr size) noexcept nogil:
    cdef Feedback* feedback = named_feedback(ctx, xfb)
    cdef Buffer* buffer
    if feedback == NULL:
        return
    if index >= FEEDBACK_BINDINGS:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if feedback.active:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if name and name_get(&ctx.group.buffers, name) == NULL:     # unlike glBindBufferBase, this makes no object
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not named_buffer(ctx, name, &buffer):
        return
    buffer_hold(ctx, &feedback.buffers[index].buffer, buffer)
    feedback.buffers[index].offset = offset
    feedback.buffers[index].size = size


cdef void TransformFeedbackBufferBase(Context* ctx, GLuint xfb, GLuint index, GLuint buffer) noexcept nogil:
    bind_buffer(ctx, xfb, index, buffer, 0, 0)


cdef void TransformFeedbackBufferRange(Context* ctx, GLuint xfb, GLuint index, GLuint buffer, GLintptr offset,
                                       GLsizeiptr size) noexcept nogil:
    if buffer == 0:
        offset = size = 0
    elif offset < 0 or size <= 0 or offset & 3 or size & 3:
        set_error(ctx, GL_INVALID_VALUE)
        return
    bind_buffer(ctx, xfb, index, buffer, offset, size)


cdef void GetTransformFeedbackiv(Context* ctx, GLuint xfb, GLenum pname, GLint* param) noexcept nogil:
    cdef Feedback* feedback = named_feedback(ctx, xfb)
    if feedback == NULL:
        return
    if pname == GL_TRANSFORM_FEEDBACK_PAUSED:
        param[0] = feedback.paused
    elif pname == GL_TRANSFORM_FEEDBACK_ACTIVE:
        param[0] = feedback.active
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef IndexedBuffer* asked_binding(Context* ctx, GLuint xfb, GLuint index) noexcept nogil:
    cdef Feedback* feedback = named_feedback(ctx, xfb)
    if feedback == NULL:
        return NULL
    if index >= FEEDBACK_BINDINGS:
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    return &feedback.buffers[index]


cdef void GetTransformFeedbacki_v(Context* ctx, GLuint xfb, GLenum pname, GLuint index, GLint* param) noexcept nogil:
    cdef IndexedBuffer* bound = asked_binding(ctx, xfb, index)
    if bound == NULL:
        return
    if pname == GL_TRANSFORM_FEEDBACK_BUFFER_BINDING:
        param[0] = bound.buffer.name if bound.buffer != NULL else 0
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetTransformFeedbacki64_v(Context* ctx, GLuint xfb, GLenum pname, GLuint index, GLint64* param) noexcept nogil:
    cdef IndexedBuffer* bound = asked_binding(ctx, xfb, index)
    if bound == NULL:
        return
    if pname == GL_TRANSFORM_FEEDBACK_BUFFER_START:
        param[0] = <GLint64>bound.offset
    elif pname == GL_TRANSFORM_FEEDBACK_BUFFER_SIZE:
        param[0] = <GLint64>bound.size
    else:
        set_error(ctx, GL_INVALID_ENUM)


# ----------------------------------------------------------------------------------------------------------- draws

cdef void DrawTransformFeedbackStreamInstanced(Context* ctx, GLenum mode, GLuint id, GLuint stream,
                                               GLsizei instancecount) noexcept nogil:
    """As glDrawArraysInstanced of as many vertices as the last completed capture wrote to the stream."""
    cdef Feedback* feedback = &ctx.default_feedback if id == 0 else <Feedback*>name_get(&ctx.feedbacks, id)
    if feedback == NULL or stream >= FEEDBACK_BINDINGS or instancecount < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not feedback.ended:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if draw_allowed(ctx, mode) and instancecount:
        track_draw_feedback(ctx, mode, feedback, stream, instancecount)


cdef void DrawTransformFeedback(Context* ctx, GLenum mode, GLuint id) noexcept nogil:
    DrawTransformFeedbackStreamInstanced(ctx, mode, id, 0, 1)


cdef void DrawTransformFeedbackInstanced(Context* ctx, GLenum mode, GLuint id, GLsizei instancecount) noexcept nogil:
    DrawTransformFeedbackStreamInstanced(ctx, mode, id, 0, instancecount)


cdef void DrawTransformFeedbackStream(Context* ctx, GLenum mode, GLuint id, GLuint stream) noexcept nogil:
    DrawTransformFeedbackStreamInstanced(ctx, mode, id, stream, 1)
