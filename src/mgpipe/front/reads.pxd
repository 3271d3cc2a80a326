"""Texels on their way back to the program."""

from mgpipe.front.context cimport Context, GLenum, GLfloat, GLint, GLsizei

cdef void ReadPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                     void* pixels) noexcept nogil
cdef void GetTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type, void* pixels) noexcept nogil
cdef void GetTexLevelParameteriv(Context* ctx, GLenum target, GLint level, GLenum pname, GLint* params) noexcept nogil
cdef void GetTexLevelParameterfv(Context* ctx, GLenum target, GLint level, GLenum pname, GLfloat* params) noexcept nogil
