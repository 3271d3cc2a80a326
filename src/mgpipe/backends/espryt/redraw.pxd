"""Texels that OpenGL ES neither reads nor copies as they are, through a shader, in a context of the server's own."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from driver_gl cimport GLenum, GLuint
from mgpipe.backends.espryt.espryt cimport Attached, Espryt, Resource

cdef struct Texels:                 # one image of a texture, or a renderbuffer
    GLuint name
    GLenum target, internal         # internal: what the driver stores it as
    uint32_t format                 # position in pipe_formats[]
    uint32_t level, layer
    uint32_t width, height          # of the image
    bint mutable                    # may be incomplete: copies of it need its level made the only one

# Whether the driver takes a format as an attachment, as ES stores it. Tried once for each.
cdef bint attachable(Espryt* es, uint32_t format) noexcept nogil
cdef void note_attachable(Espryt* es, uint32_t format, bint attaches) noexcept nogil
cdef Texels level_of(Espryt* es, Resource* texture, uint32_t level, uint32_t layer) noexcept nogil
# An area as RGBA of 32 bits a component: floats, or integers as the format has them; depth and stencil in red. False: the
# driver does not, or there is no room.
cdef bint redraw_read(Espryt* es, const Texels* source, bint stencil, int32_t x, int32_t y, int32_t width, int32_t height,
                      uint8_t* into) noexcept nogil
# The images of a texture, drawn into another one that has the same levels and layers.
cdef bint redraw_level(Espryt* es, const Texels* source, GLuint target_name) noexcept nogil
cdef bint enter_redraw(Espryt* es) noexcept nogil       # the server's own context is current until leave_redraw
cdef void leave_redraw(Espryt* es) noexcept nogil
cdef void end_redraw(Espryt* es) noexcept nogil         # with the session
