"""Transform feedback: captures, feedback objects, draws of what was captured (specification 13.2, 13.3)."""

from libc.stdint cimport int64_t
from mgpipe.front.context cimport Context, GLboolean, GLenum, GLint, GLint64, GLintptr, GLsizei, GLsizeiptr, GLuint

# A context ends: its feedback objects leave the server and let go of what they hold.
cdef void feedback_release(Context* ctx) noexcept nogil

cdef void BeginTransformFeedback(Context* ctx, GLenum primitiveMode) noexcept nogil
cdef void EndTransformFeedback(Context* ctx) noexcept nogil
cdef void PauseTransformFeedback(Context* ctx) noexcept nogil
cdef void ResumeTransformFeedback(Context* ctx) noexcept nogil
cdef void GenTransformFeedbacks(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil
cdef void CreateTransformFeedbacks(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil
cdef void DeleteTransformFeedbacks(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil
cdef GLboolean IsTransformFeedback(Context* ctx, GLuint id) noexcept nogil
cdef void BindTransformFeedback(Context* ctx, GLenum target, GLuint id) noexcept nogil
cdef void TransformFeedbackBufferBase(Context* ctx, GLuint xfb, GLuint index, GLuint buffer) noexcept nogil
cdef void TransformFeedbackBufferRange(Context* ctx, GLuint xfb, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) noexcept nogil
cdef void GetTransformFeedbackiv(Context* ctx, GLuint xfb, GLenum pname, GLint* param) noexcept nogil
cdef void GetTransformFeedbacki_v(Context* ctx, GLuint xfb, GLenum pname, GLuint index, GLint* param) noexcept nogil
cdef void GetTransformFeedbacki64_v(Context* ctx, GLuint xfb, GLenum pname, GLuint index, GLint64* param) noexcept nogil
cdef void DrawTransformFeedback(Context* ctx, GLenum mode, GLuint id) noexcept nogil
cdef void DrawTransformFeedbackInstanced(Context* ctx, GLenum mode, GLuint id, GLsizei instancecount) noexcept nogil
cdef void DrawTransformFeedbackStream(Context* ctx, GLenum mode, GLuint id, GLuint stream) noexcept nogil
cdef void DrawTransformFeedbackStreamInstanced(Context* ctx, GLenum mode, GLuint id, GLuint stream, GLsizei instancecount) noexcept nogil
