"""What a program says it needs no more, of framebuffers and textures."""

from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, GLuint

cdef void InvalidateFramebuffer(Context* ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments) noexcept nogil
cdef void InvalidateSubFramebuffer(Context* ctx, GLenum target, GLsizei numAttachments, const GLenum* attachments, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void InvalidateTexImage(Context* ctx, GLuint texture, GLint level) noexcept nogil
cdef void InvalidateTexSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width, GLsizei height, GLsizei depth) noexcept nogil
