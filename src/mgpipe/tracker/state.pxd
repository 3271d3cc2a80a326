"""Value state and bindings: what differs from what this context's records said last."""

from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Context, Framebuffer, Texture

cdef void send_pipeline(Context* ctx) noexcept nogil
cdef void send_dynamic(Context* ctx, bint clear_values) noexcept nogil
cdef void send_attrib_values(Context* ctx) noexcept nogil
cdef void send_patches(Context* ctx) noexcept nogil
cdef void send_program(Context* ctx) noexcept nogil
cdef void send_compute_program(Context* ctx) noexcept nogil          # the same program, for dispatches
cdef void send_textures(Context* ctx) noexcept nogil
cdef void send_uniform_buffers(Context* ctx) noexcept nogil
cdef void destroy_framebuffer(Session* session, Framebuffer* framebuffer) noexcept nogil
# Draw (or read) framebuffer as it is now; `read` chooses the binding.
cdef void send_framebuffer(Context* ctx, Framebuffer* framebuffer, bint read) noexcept nogil
