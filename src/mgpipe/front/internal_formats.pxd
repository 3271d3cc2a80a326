"""What internal formats can do here (specification 22.3)."""

from mgpipe.front.context cimport Context, GLenum, GLint, GLint64, GLsizei

cdef void GetInternalformativ(Context* ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count, GLint* params) noexcept nogil
cdef void GetInternalformati64v(Context* ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count, GLint64* params) noexcept nogil
