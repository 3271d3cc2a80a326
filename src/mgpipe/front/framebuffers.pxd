"""Framebuffer objects: names, attachments, completeness, draw and read buffers."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.attachments cimport ATTACHMENTS
from mgpipe.front.context cimport (Context, Framebuffer, FramebufferAttachment, GLboolean, GLenum, GLint, GLsizei,
                                   GLuint,
                                   Renderbuffer)

cdef enum:                          # beside the points of attachments.pxd
    NO_POINT = ATTACHMENTS
    BOTH_POINTS = ATTACHMENTS + 1   # depth and stencil at once

cdef struct ReadSource:             # what the read framebuffer offers
    uint32_t color                  # format behind the read buffer; 0: none
    int32_t attachment              # its number
    uint32_t depth, stencil         # formats; 0: none
    uint32_t samples
    uint32_t width, height

# The object of a name that is about to be bound, made now if need be; NULL: the error is set.
cdef Framebuffer* framebuffer_object(Context* ctx, GLuint name) noexcept nogil
# The framebuffer bound to a target, the attachment point of a name; NULL, NO_POINT after setting the error.
cdef Framebuffer* framebuffer_of(Context* ctx, GLenum target) noexcept nogil
cdef uint32_t point_of(Context* ctx, GLenum attachment) noexcept nogil
# 0, or INVALID_FRAMEBUFFER_OPERATION.
cdef GLenum read_source(Context* ctx, ReadSource* source) noexcept nogil
# GL_FRAMEBUFFER_COMPLETE or what is wrong; cached until the framebuffer or a shared object changes.
cdef GLenum framebuffer_status(Context* ctx, Framebuffer* framebuffer) noexcept nogil
cdef uint32_t framebuffer_samples(Context* ctx, Framebuffer* framebuffer) noexcept nogil
# Format of an attachment point (attachments.pxd) of a framebuffer, default or not; 0: nothing there.
cdef uint32_t point_format(Context* ctx, Framebuffer* framebuffer, uint32_t point) noexcept nogil
# Which colour attachment draw buffer `index` writes; -1: none.
cdef int32_t draw_attachment(Context* ctx, Framebuffer* framebuffer, uint32_t index) noexcept nogil
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
