"""Textures filled with one value."""

from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, GLuint

cdef void ClearTexImage(Context* ctx, GLuint texture, GLint level, GLenum format, GLenum type,
                        const void* data) noexcept nogil
cdef void ClearTexSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                           GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                           const void* data) noexcept nogil
