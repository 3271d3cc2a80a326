"""Buffers filled with a value, and contents that nobody needs any more."""

from mgpipe.front.context cimport Context, GLenum, GLintptr, GLsizeiptr, GLuint

cdef void ClearBufferData(Context* ctx, GLenum target, GLenum internalformat, GLenum format, GLenum type,
                          const void* data) noexcept nogil
cdef void ClearBufferSubData(Context* ctx, GLenum target, GLenum internalformat, GLintptr offset, GLsizeiptr size,
                             GLenum format, GLenum type, const void* data) noexcept nogil
cdef void InvalidateBufferData(Context* ctx, GLuint buffer) noexcept nogil
cdef void InvalidateBufferSubData(Context* ctx, GLuint buffer, GLintptr offset, GLsizeiptr length) noexcept nogil
