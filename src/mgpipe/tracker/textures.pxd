"""Verbs that write or copy texels without drawing. The front end has checked every error, and marks what they wrote."""

from libc.stdint cimport int32_t, uint32_t
from pipe cimport pipe_Box
from mgpipe.front.context cimport Buffer, Context, Renderbuffer, Texture
from mgpipe.links.shadow cimport Shadow
from mgpipe.tracker.validate cimport PackedRows

# Whatever the group has unsent leaves now.
cdef void track_flush_pending(Context* ctx) noexcept nogil
# Texels of a compressed level's uncompressed layout, tight; the driver compresses them into the box.
cdef void track_compress_texels(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                Shadow* texels) noexcept nogil
# A view is made at once: the levels of both are the server's from here on.
cdef void track_texture_view(Context* ctx, Texture* origin, Texture* view, uint32_t first_level,
                             uint32_t first_layer) noexcept nogil
# Repeat one canonical texel over a box of one face; `size` 0: zeros.
cdef void track_clear_texture(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                              const void* texel, uint32_t size) noexcept nogil

# Rows of the program's format in a buffer, whose newest bytes only the server has, into a box of one face.
cdef void track_texture_from_buffer(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                    Buffer* buffer, const PackedRows* rows) noexcept nogil

# What a copy of texels takes from or gives to. In the box and the place, faces of cube maps are z.
cdef struct CopyEnd:
    Texture* texture                # NULL: a renderbuffer
    Renderbuffer* renderbuffer
    uint32_t level

cdef void track_copy_image(Context* ctx, const CopyEnd* source, const CopyEnd* target, const pipe_Box* box, int32_t x,
                           int32_t y, int32_t z) noexcept nogil
