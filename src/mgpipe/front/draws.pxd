"""Draws, flush and finish."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, GLuint, Program

# Whether a draw of this mode may go ahead; if not, the error (if it is one) is set.
cdef bint draw_allowed(Context* ctx, GLenum mode) noexcept nogil
# Bytes of an index, 0: nothing is drawn; the error is set.
cdef uint32_t draw_indexed_allowed(Context* ctx, GLenum mode, GLenum type) noexcept nogil
cdef bint samplers_agree(Program* program) noexcept nogil       # no two of different kinds look at one texture unit
cdef bint storage_mapped(Context* ctx) noexcept nogil           # a storage or counter buffer of the program is mapped

cdef void DrawArrays(Context* ctx, GLenum mode, GLint first, GLsizei count) noexcept nogil
cdef void DrawArraysInstanced(Context* ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount) noexcept nogil
cdef void DrawElements(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices) noexcept nogil
cdef void DrawElementsInstanced(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instancecount) noexcept nogil
cdef void DrawElementsBaseVertex(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLint basevertex) noexcept nogil
cdef void DrawElementsInstancedBaseVertex(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instancecount, GLint basevertex) noexcept nogil
cdef void DrawRangeElements(Context* ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void* indices) noexcept nogil
cdef void DrawRangeElementsBaseVertex(Context* ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void* indices, GLint basevertex) noexcept nogil
cdef void MultiDrawArrays(Context* ctx, GLenum mode, const GLint* first, const GLsizei* count, GLsizei drawcount) noexcept nogil
cdef void MultiDrawElements(Context* ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices, GLsizei drawcount) noexcept nogil
cdef void MultiDrawElementsBaseVertex(Context* ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices, GLsizei drawcount, const GLint* basevertex) noexcept nogil
cdef void Flush(Context* ctx) noexcept nogil
cdef void Finish(Context* ctx) noexcept nogil
