"""Verbs that read texels back."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from driver_gl cimport GLenum
from pipe cimport PIPE_READ_LAYOUT_RGBA32UI, BackEnd, pipe_Box
from mgpipe.backends.espryt.espryt cimport Context, Espryt, Fbo, Resource

cdef void install_reads(BackEnd* table) noexcept nogil

cdef inline bint is_color(uint32_t layout) noexcept nogil:
    return layout <= PIPE_READ_LAYOUT_RGBA32UI

# The format of what a read of the bound read framebuffer comes from.
cdef uint32_t attachment_format(Espryt* es, Context* ctx, Fbo* fbo, int32_t attachment) noexcept nogil
# The one format and type in which OpenGL ES reads texels of a format.
cdef void es_layout(uint32_t format, GLenum* native_format, GLenum* native_type) noexcept nogil
# Tight rows in a canonical layout, of the bound read framebuffer or a texture; answers the reply's status. `call` is who
# asks, for a refusal.
cdef int read_area(Espryt* es, Fbo* fbo, uint32_t format, uint32_t layout, int32_t x, int32_t y, int32_t width, int32_t height,
                   uint8_t* into, const char* call, bint answers=*) noexcept nogil
cdef int read_texture(Espryt* es, Resource* texture, uint32_t level, uint32_t layout, const pipe_Box* box,
                      uint8_t* into) noexcept nogil
