"""Renderbuffer objects."""

from mgpipe.front.context cimport Context, GLboolean, GLenum, GLint, GLsizei, GLuint, Renderbuffer

cdef Renderbuffer* renderbuffer_named(Context* ctx, GLuint name) noexcept nogil     # NULL: no such object
# The object of a name that is about to be bound, made now if need be; NULL: the error is set.
cdef Renderbuffer* renderbuffer_object(Context* ctx, GLuint name) noexcept nogil
cdef void renderbuffer_release(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil

cdef void GenRenderbuffers(Context* ctx, GLsizei n, GLuint* renderbuffers) noexcept nogil
cdef void DeleteRenderbuffers(Context* ctx, GLsizei n, const GLuint* renderbuffers) noexcept nogil
cdef GLboolean IsRenderbuffer(Context* ctx, GLuint renderbuffer) noexcept nogil
cdef void BindRenderbuffer(Context* ctx, GLenum target, GLuint renderbuffer) noexcept nogil
cdef void RenderbufferStorage(Context* ctx, GLenum target, GLenum internalformat, GLsizei width,
                              GLsizei height) noexcept nogil
cdef void RenderbufferStorageMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat,
                                         GLsizei width, GLsizei height) noexcept nogil
cdef void GetRenderbufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
