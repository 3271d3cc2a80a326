"""Draws with a base instance, and draws whose commands lie in a buffer. See indirect.pyx."""

from mgpipe.front.context cimport Context, GLenum, GLint, GLintptr, GLsizei, GLuint

cdef void DrawArraysInstancedBaseInstance(Context* ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount, GLuint baseinstance) noexcept nogil
cdef void DrawElementsInstancedBaseInstance(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instancecount, GLuint baseinstance) noexcept nogil
cdef void DrawElementsInstancedBaseVertexBaseInstance(Context* ctx, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instancecount, GLint basevertex, GLuint baseinstance) noexcept nogil
cdef void DrawArraysIndirect(Context* ctx, GLenum mode, const void* indirect) noexcept nogil
cdef void DrawElementsIndirect(Context* ctx, GLenum mode, GLenum type, const void* indirect) noexcept nogil
cdef void MultiDrawArraysIndirect(Context* ctx, GLenum mode, const void* indirect, GLsizei drawcount, GLsizei stride) noexcept nogil
cdef void MultiDrawElementsIndirect(Context* ctx, GLenum mode, GLenum type, const void* indirect, GLsizei drawcount, GLsizei stride) noexcept nogil
cdef void MultiDrawArraysIndirectCount(Context* ctx, GLenum mode, const void* indirect, GLintptr drawcount, GLsizei maxdrawcount, GLsizei stride) noexcept nogil
cdef void MultiDrawElementsIndirectCount(Context* ctx, GLenum mode, GLenum type, const void* indirect, GLintptr drawcount, GLsizei maxdrawcount, GLsizei stride) noexcept nogil
