# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compressed textures kept as texels. See decoded.pxd.

They are those of RGTC, whose `es_internal` has no blocks. So OpenGL ES, too, takes texels for them, makes their mipmaps,
copies into them and gives blocks back.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from pipe cimport pipe_SubRegion
from pipe_formats cimport FORMAT_KIND_SNORM, pipe_FormatInfo, pipe_formats, pipe_read_layouts
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.espryt cimport Espryt
from mgpipe.texels.convert cimport Plan, convert_row, make_plan
from mgpipe.texels.rgtc cimport rgtc_decode, rgtc_encode


cdef bint is_decoded(Espryt* es, uint32_t format) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    return es.driver.dialect != DIALECT_GL and info.block_bytes != 0 and info.es_internal != info.internal


cdef uint8_t* decode_region(uint32_t format, const uint8_t* blocks, const pipe_SubRegion* region,
                            pipe_SubRegion* tight) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint64_t row = <uint64_t>region.box.width * info.texel_bytes
    cdef uint8_t* texels
    cdef uint32_t z
    if row * region.box.height > 0x7FFFFFFF:                # each at most 2^20
        return NULL
    texels = <uint8_t*>malloc(row * region.box.height * region.box.depth)
    if texels == NULL:
        return NULL
    tight[0] = region[0]
    tight.source_offset = 0
    tight.row_stride = <uint32_t>row
    tight.slice_stride = <uint32_t>(row * region.box.height)
    for z in range(region.box.depth):
        rgtc_decode(blocks + z * <uint64_t>region.slice_stride, region.row_stride, texels + z * <uint64_t>tight.slice_stride,
                    region.box.width, region.box.height, info.texel_bytes, info.kind == FORMAT_KIND_SNORM)
    return texels


cdef bint encode_texels(uint32_t format, const uint8_t* texels, uint32_t width, uint32_t height, uint8_t* blocks) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint64_t row = <uint64_t>width * info.texel_bytes
    cdef uint32_t y
    cdef uint8_t* tight = <uint8_t*>malloc(row * height)
    cdef Plan plan
    if tight == NULL:
        return False
    make_plan(&plan, pipe_read_layouts[info.read_layout].pixel_format, pipe_read_layouts[info.read_layout].pixel_type,
              info.pixel_format, info.pixel_type, False)
    for y in range(height):
        convert_row(&plan, texels + y * <uint64_t>width * pipe_read_layouts[info.read_layout].texel_bytes, tight + y * row, width)
    rgtc_encode(tight, blocks, width, height, info.texel_bytes, info.kind == FORMAT_KIND_SNORM)
    free(tight)
    return True
