"""Framebuffer objects: attachments as wanted, made, and bound where they differ."""

from libc.stdint cimport int32_t, uint32_t
from driver_gl cimport GLenum, GLuint
from pipe cimport pipe_set_framebuffer_state
from mgpipe.backends.espryt.espryt cimport Attached, Context, Espryt, Fbo, Framebuffer, Resource, Wanted

# color, depth, stencil: resources of the record's attachments, resolved.
cdef void framebuffer_set(Espryt* es, Framebuffer* framebuffer, const pipe_set_framebuffer_state* call,
                          Resource** color, Resource* depth, Resource* stencil) noexcept nogil
cdef void framebuffer_delete(Espryt* es, Framebuffer* framebuffer) noexcept nogil
# Make the framebuffer last set for drawing (reading) current in the driver.
cdef Fbo* bind_draw(Espryt* es, Context* ctx) noexcept nogil
cdef Fbo* bind_read(Espryt* es, Context* ctx) noexcept nogil
cdef Fbo* bind_as(Espryt* es, Context* ctx, Framebuffer* framebuffer, GLenum target) noexcept nogil   # NULL: the default one
cdef void read_from(Espryt* es, Fbo* fbo, int32_t attachment) noexcept nogil    # glReadBuffer of the bound read framebuffer
# One subresource as the only attachment of a scratch framebuffer, bound to target. aspect: GL_COLOR, GL_DEPTH, …
cdef Fbo* bind_scratch(Espryt* es, Context* ctx, GLenum target, Resource* resource, uint32_t level, uint32_t layer) noexcept nogil
cdef void let_clears_through(Espryt* es) noexcept nogil
