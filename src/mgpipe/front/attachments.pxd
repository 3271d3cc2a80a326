"""Attachment points of a framebuffer, as the modules of textures and of framebuffers both need them."""

from libc.stdint cimport uint32_t
from libc.string cimport memset
from mgpipe.front.context cimport COLOR_ATTACHMENTS, DIRTY_FRAMEBUFFER, Context, Framebuffer, FramebufferAttachment

cdef enum:
    ATTACHMENTS = COLOR_ATTACHMENTS + 2     # colours, depth, stencil
    DEPTH_POINT = COLOR_ATTACHMENTS
    STENCIL_POINT = COLOR_ATTACHMENTS + 1

cdef inline FramebufferAttachment* attachment_at(Framebuffer* framebuffer, uint32_t point) noexcept nogil:
    if point < COLOR_ATTACHMENTS:
        return &framebuffer.color[point]
    return &framebuffer.depth if point == DEPTH_POINT else &framebuffer.stencil

cdef inline void framebuffer_touch(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    framebuffer.generation += 1
    if framebuffer == ctx.draw_framebuffer or framebuffer == ctx.read_framebuffer:
        ctx.dirty |= DIRTY_FRAMEBUFFER

# An object being deleted leaves a bound framebuffer. The name still holds a reference: none of these is the last.
cdef inline void framebuffer_detach(Context* ctx, Framebuffer* framebuffer, const void* object,
                                    uint32_t* refs) noexcept nogil:
    cdef uint32_t point
    cdef FramebufferAttachment* attachment
    for point in range(ATTACHMENTS):
        attachment = attachment_at(framebuffer, point)
        if attachment.texture == object or attachment.renderbuffer == object:
            memset(attachment, 0, sizeof(attachment[0]))
            refs[0] -= 1
            framebuffer_touch(ctx, framebuffer)
