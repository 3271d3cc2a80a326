"""Verbs that write or copy texels without drawing. The front end has checked every error, and marks what they wrote."""

from libc.stdint cimport int32_t, uint32_t
from pipe cimport pipe_Box
from mgpipe.front.context cimport Context, Renderbuffer, Texture
from mgpipe.links.shadow cimport Shadow

# Whatever the group has unsent leaves now.
cdef void track_flush_pending(Context* ctx) noexcept nogil
# Texels of a compressed level's uncompressed layout, tight; the driver compresses them into the box.
cdef void track_compress_texels(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                Shadow* texels) noexcept nogil
