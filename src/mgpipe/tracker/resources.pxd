"""Objects of the share group on the server: made, (re)defined and filled just before a verb uses them."""

from libc.stdint cimport uint32_t, uint64_t
from mgpipe.front.context cimport Buffer, Context, Program, Renderbuffer, ShareGroup, Texture

cdef void ensure_buffer(Context* ctx, Buffer* buffer) noexcept nogil
# What the program wrote into its persistent mapping leaves now, also without coherence.
cdef void push_map(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil
cdef void ensure_texture(Context* ctx, Texture* texture) noexcept nogil
cdef void ensure_renderbuffer(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil
cdef void ensure_program(Context* ctx, Program* program) noexcept nogil
# Whatever the group has unsent leaves now, oldest first.
cdef void flush_pending(Context* ctx) noexcept nogil
# A dying resource leaves the list unsent.
cdef void forget_pending(ShareGroup* group, void* resource) noexcept nogil
# The span of each stage's constants that changed.
cdef void send_constants(Context* ctx, Program* program) noexcept nogil
cdef uint32_t resource_target(uint32_t target) noexcept nogil        # GL texture target → RESOURCE_TARGET
cdef uint32_t slot_target(uint32_t index) noexcept nogil             # where a unit keeps a texture → TEXTURE_TARGET
