"""Compressed textures that OpenGL ES keeps as the texels that their blocks stand for."""

from libc.stdint cimport uint8_t, uint32_t
from pipe cimport pipe_SubRegion
from mgpipe.backends.espryt.espryt cimport Espryt

cdef bint is_decoded(Espryt* es, uint32_t format) noexcept nogil
# Texels of a region of blocks, in tight rows; `tight` is the region then. To be freed; NULL: no room.
cdef uint8_t* decode_region(uint32_t format, const uint8_t* blocks, const pipe_SubRegion* region,
                            pipe_SubRegion* tight) noexcept nogil
# Blocks of an image of texels in the format's read layout. False: no room.
cdef bint encode_texels(uint32_t format, const uint8_t* texels, uint32_t width, uint32_t height, uint8_t* blocks) noexcept nogil
