"""Verbs of the tracker: validate what changed, then call the tables. The front end has checked every error before."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from pipe cimport pipe_Blob, pipe_Box, pipe_Rect, pipe_reply
from mgpipe.client.session cimport Session, Taker
from mgpipe.front.context cimport Buffer, Context, Framebuffer, Renderbuffer, Texture

# Texels as a program wants them in its buffer.
cdef struct PackedRows:
    uint64_t offset, row_stride, slice_stride
    uint64_t size                   # from the first byte written to the end of the last
    uint32_t format, type           # positions in pipe_pixel_formats[] and pipe_pixel_types[]
    uint32_t swap_bytes             # unit to reverse, 0: none
    uint32_t layout                 # READ_LAYOUT_* for a driver that does not know format and type
    bint clamp

# For the tracker's other modules: what every verb begins and ends with, and everything a draw consumes.
cdef void begin_verb(Context* ctx) noexcept nogil
cdef void end_verb(Context* ctx) noexcept nogil
cdef void validate_draw(Context* ctx) noexcept nogil
cdef void mark_captured(Context* ctx) noexcept nogil
# Of every verb: records belong to this context, and whatever its group has unsent leaves.
cdef void begin(Context* ctx) noexcept nogil
cdef void validate_read(Context* ctx) noexcept nogil        # then the read framebuffer as it is now
cdef void count_verb(Session* session) noexcept nogil
# Draws. index_size 0: arrays. `first` and `count` are vertices, or indices from the start of the index buffer.
cdef void track_draw(Context* ctx, uint32_t mode, uint32_t index_size, uint32_t first, uint32_t count, uint32_t instances,
                     uint32_t base_instance, int32_t base_vertex) noexcept nogil
cdef void track_multi_draw_arrays(Context* ctx, uint32_t mode, const uint32_t* firsts, const uint32_t* counts,
                                  uint32_t draws) noexcept nogil
# At most MAX_DRAWS, which begin with number `draw_id` of one command's.
cdef void track_multi_draw_elements(Context* ctx, uint32_t mode, uint32_t index_size, const uint32_t* firsts, const uint32_t* counts,
                                    const int32_t* base_vertices, uint32_t draw_id, uint32_t draws) noexcept nogil
cdef void push_coherent(Context* ctx) noexcept nogil
cdef void track_clear(Context* ctx, uint32_t mask) noexcept nogil
cdef void track_clear_buffer(Context* ctx, uint32_t kind, int32_t draw_buffer, uint32_t value_class,
                             const uint32_t* color, float depth, int32_t stencil) noexcept nogil
cdef void track_blit(Context* ctx, const pipe_Rect* source, const pipe_Rect* target, uint32_t mask, bint linear) noexcept nogil
# Blocking read of the read framebuffer in a canonical layout (READ_LAYOUT_*); bytes lie where `blob` says (reply_reserve),
# and may be taken as they come.
cdef int track_read_pixels(Context* ctx, const pipe_Rect* area, int32_t attachment, uint32_t layout, pipe_Blob* blob,
                           Taker* taker) noexcept nogil
cdef int track_get_texture_image(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t layout,
                                 const pipe_Box* box, pipe_Blob* blob) noexcept nogil
# The same into a buffer, in the program's format and type: nobody waits, and the buffer is marked.
cdef void track_read_pixels_to_buffer(Context* ctx, const pipe_Rect* area, int32_t attachment, Buffer* buffer,
                                      const PackedRows* rows) noexcept nogil
cdef void track_get_texture_image_to_buffer(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                            Buffer* buffer, const PackedRows* rows) noexcept nogil
# Of the draw framebuffer, pairs of floats.
cdef int track_sample_positions(Context* ctx, pipe_Blob* blob) noexcept nogil
cdef int track_buffer_readback(Context* ctx, Buffer* buffer, uint64_t offset, pipe_Blob* blob, Taker* taker) noexcept nogil
# What a buffer has unsent leaves now, before a verb asks for it.
cdef void track_send_buffer(Context* ctx, Buffer* buffer) noexcept nogil
# What the program wrote into a persistent mapping, coherent or not, becomes the buffer's.
cdef void track_push_map(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil
# The pattern repeated; pattern_size 0: zeros.
cdef void track_clear_buffer_data(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size, const void* pattern,
                                  uint32_t pattern_size) noexcept nogil
cdef void track_generate_mipmap(Context* ctx, Texture* texture) noexcept nogil
cdef void track_copy_buffer(Context* ctx, Buffer* source, Buffer* target, uint64_t source_offset, uint64_t target_offset, uint64_t size) noexcept nogil
cdef void track_copy_framebuffer_to_texture(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t layer,
                                            int32_t x, int32_t y, const pipe_Rect* area) noexcept nogil
cdef void track_invalidate_framebuffer(Context* ctx, Framebuffer* framebuffer, uint32_t attachments, const pipe_Rect* area) noexcept nogil
cdef void track_flush(Context* ctx) noexcept nogil
cdef void track_finish(Context* ctx) noexcept nogil
cdef void track_bind_context(Context* ctx) noexcept nogil           # after make-current: context and surfaces travel before the next verb
cdef void track_release_context(Context* ctx) noexcept nogil        # this thread lets the context go
# Deaths: tell the server and give the handle back.
cdef void track_delete_buffer(Context* ctx, Buffer* buffer) noexcept nogil
cdef void track_delete_texture(Context* ctx, Texture* texture) noexcept nogil
cdef void track_delete_renderbuffer(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil
cdef void track_delete_framebuffer(Context* ctx, Framebuffer* framebuffer) noexcept nogil
cdef void track_delete_program(Context* ctx, void* program) noexcept nogil
cdef void track_destroy_context(Context* ctx) noexcept nogil
cdef void track_session_unused(Session* session) noexcept nogil
cdef void track_destroy_surface(void* surface) noexcept nogil
# Forget everything that the server is believed to hold (tests; later resume and migration).
cdef void mirror_drop(Context* ctx) noexcept nogil
