"""Verbs on whole framebuffers: clears and blits."""

from mgpipe.front.context cimport Context, GLbitfield, GLenum, GLfloat, GLint, GLuint

cdef void Clear(Context* ctx, GLbitfield mask) noexcept nogil
cdef void ClearBufferfv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLfloat* value) noexcept nogil
cdef void ClearBufferiv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLint* value) noexcept nogil
cdef void ClearBufferuiv(Context* ctx, GLenum buffer, GLint drawbuffer, const GLuint* value) noexcept nogil
cdef void ClearBufferfi(Context* ctx, GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil) noexcept nogil
cdef void BlitFramebuffer(Context* ctx, GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                          GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) noexcept nogil
