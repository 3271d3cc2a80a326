"""Textures of three components, stored as four where OpenGL ES renders to no others."""

from libc.stdint cimport uint8_t, uint32_t
from driver_gl cimport GLenum
from pipe cimport pipe_SubRegion
from pipe_formats cimport pipe_FormatInfo
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

# Whether a format is stored in another one where ES must render to it.
cdef bint has_wide_form(Espryt* es, uint32_t format) noexcept nogil
# Whether textures of a format must be stored in another one before they can be attachments.
cdef bint widens(Espryt* es, uint32_t format) noexcept nogil
# Does that, under the same handle. False: it cannot be, which was said by name.
cdef bint widen(Espryt* es, Resource* texture, const char* call) noexcept nogil
# The canonical layout of a format, with a fourth component.
cdef pipe_FormatInfo wide_layout(uint32_t format) noexcept nogil
# Texels of a region in that layout, in tight rows; `tight` is the region then. To be freed; NULL: no room.
cdef uint8_t* widen_texels(uint32_t format, const uint8_t* bytes, const pipe_SubRegion* region, pipe_SubRegion* tight) noexcept nogil
cdef void widen_texel(uint32_t format, const uint8_t* texel, uint8_t* wide) noexcept nogil
cdef GLenum wide_swizzle(Resource* texture, GLenum wanted) noexcept nogil       # there is no alpha to be sampled
