"""Framebuffer objects: names, attachments, draw and read buffers, parameters."""

from libc.stdint cimport uint32_t
from mgpipe.front.attachments cimport ATTACHMENTS
from mgpipe.front.context cimport Context, Framebuffer, GLboolean, GLenum, GLint, GLsizei, GLuint

cdef enum:                          # beside the points of attachments.pxd
    NO_POINT = ATTACHMENTS
    BOTH_POINTS = ATTACHMENTS + 1   # depth and stencil at once

# The object of a name that is about to be bound, made now if need be; NULL: the error is set.
cdef Framebuffer* framebuffer_object(Context* ctx, GLuint name) noexcept nogil
# The framebuffer bound to a target, the attachment point of a name; NULL, NO_POINT after setting the error.
cdef Framebuffer* framebuffer_of(Context* ctx, GLenum target) noexcept nogil
cdef uint32_t point_of(Context* ctx, GLenum attachment) noexcept nogil
# A context ends: its framebuffers let go of their attachments.
cdef void framebuffers_release(Context* ctx) noexcept nogil

cdef void GenFramebuffers(Context* ctx, GLsizei n, GLuint* framebuffers) noexcept nogil
cdef void DeleteFramebuffers(Context* ctx, GLsizei n, const GLuint* framebuffers) noexcept nogil
cdef GLboolean IsFramebuffer(Context* ctx, GLuint framebuffer) noexcept nogil
cdef void BindFramebuffer(Context* ctx, GLenum target, GLuint framebuffer) noexcept nogil
cdef GLenum CheckFramebufferStatus(Context* ctx, GLenum target) noexcept nogil
cdef void FramebufferTexture(Context* ctx, GLenum target, GLenum attachment, GLuint texture, GLint level) noexcept nogil
cdef void FramebufferTexture1D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level) noexcept nogil
cdef void FramebufferTexture2D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level) noexcept nogil
cdef void FramebufferTexture3D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level, GLint zoffset) noexcept nogil
cdef void FramebufferTextureLayer(Context* ctx, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                  GLint layer) noexcept nogil
cdef void FramebufferRenderbuffer(Context* ctx, GLenum target, GLenum attachment, GLenum renderbuffertarget,
                                  GLuint renderbuffer) noexcept nogil
cdef void GetFramebufferAttachmentParameteriv(Context* ctx, GLenum target, GLenum attachment, GLenum pname,
                                              GLint* params) noexcept nogil
cdef void DrawBuffer(Context* ctx, GLenum buf) noexcept nogil
cdef void DrawBuffers(Context* ctx, GLsizei n, const GLenum* bufs) noexcept nogil
cdef void FramebufferParameteri(Context* ctx, GLenum target, GLenum pname, GLint param) noexcept nogil
cdef void GetFramebufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void ReadBuffer(Context* ctx, GLenum src) noexcept nogil
