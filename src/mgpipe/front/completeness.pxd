"""What is attached to a framebuffer, as verbs and questions want to know it."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport Context, Framebuffer, FramebufferAttachment, GLenum

cdef struct Attached:               # the image at a point
    uint32_t format, width, height, samples, fixed_samples

cdef struct ReadSource:             # what the read framebuffer offers
    uint32_t color                  # format behind the read buffer; 0: none
    int32_t attachment              # its number
    uint32_t depth, stencil         # formats; 0: none
    uint32_t samples
    uint32_t width, height

# False: nothing there, or an image that does not exist.
cdef bint attached(const FramebufferAttachment* attachment, Attached* image) noexcept nogil
# 0, or INVALID_FRAMEBUFFER_OPERATION.
cdef GLenum read_source(Context* ctx, ReadSource* source) noexcept nogil
# GL_FRAMEBUFFER_COMPLETE or what is wrong; cached until the framebuffer or a shared object changes.
cdef GLenum framebuffer_status(Context* ctx, Framebuffer* framebuffer) noexcept nogil
cdef uint32_t framebuffer_samples(Context* ctx, Framebuffer* framebuffer) noexcept nogil
# Format of an attachment point (attachments.pxd) of a framebuffer, default or not; 0: nothing there.
cdef uint32_t point_format(Context* ctx, Framebuffer* framebuffer, uint32_t point) noexcept nogil
# Which colour attachment draw buffer `index` writes; -1: none.
cdef int32_t draw_attachment(Context* ctx, Framebuffer* framebuffer, uint32_t index) noexcept nogil
