# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Texels out of a buffer: what a shader, a capture or a read left there goes into a texture, and no client waits.

The driver takes them where it knows format and type: desktop OpenGL always does, OpenGL ES those that it stores without
converting. Otherwise rows are read here, converted, and given to it.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport *
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.buffers cimport buffer_read
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.packs cimport Rows, legal
from mgpipe.backends.espryt.textures cimport edit_texture, texture_write, write_region
from mgpipe.texels.convert cimport Plan, convert_row, make_plan, reverse_bytes


cdef void install_unpacks(BackEnd* table) noexcept nogil:
    table.texture_from_buffer = texture_from_buffer


cdef void texture_from_buffer(void* self, const pipe_texture_from_buffer* p, void* resource, void* source) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* texture = <Resource*>resource
    cdef Rows rows
    if (texture.kind == PIPE_RESOURCE_TARGET_BUFFER or texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER
            or texture.kind == PIPE_RESOURCE_TARGET_TEX_BUFFER or texture.samples
            or texture.level_formats[p.level] == FORMAT_NONE or pipe_formats[texture.level_formats[p.level]].block_bytes):
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"texture_from_buffer.resource: takes no texels")
        return
    if p.box.width == 0 or p.box.height == 0 or p.box.depth == 0:
        return
    memset(&rows, 0, sizeof(rows))
    rows.target = <Resource*>source
    rows.offset = p.offset
    rows.row_stride = p.row_stride
    rows.slice_stride = p.slice_stride
    rows.format = p.format
    rows.type = p.type
    rows.swap = p.swap_group
    rows.width = p.box.width
    rows.height = p.box.height
    rows.depth = p.box.depth
    if not legal(es, &rows, b"texture_from_buffer"):
        return
    if not alike(&pipe_formats[texture.level_formats[p.level]], &rows):
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"texture_from_buffer.format: not what the texture holds")
    elif driver_takes(es, texture, p.level, &rows):
        driver_unpacks(es, texture, p.level, &p.box, &rows)
    else:
        unpack(es, texture, p.level, &p.box, &rows)


cdef bint alike(const pipe_FormatInfo* info, const Rows* rows) noexcept nogil:
    """Depth and stencil, integers and other colours each for their own kind."""
    cdef bint integer = info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT
    if rows.format == PIXEL_DEPTH_COMPONENT or rows.format == PIXEL_DEPTH_STENCIL:
        return info.bits[4] != 0
    if rows.format == PIXEL_STENCIL_INDEX:
        return info.bits[5] != 0 and info.bits[4] == 0
    return info.bits[4] == 0 and info.bits[5] == 0 and pipe_pixel_formats[rows.format].integer == integer


# -- by the driver

cdef bint driver_takes(Espryt* es, Resource* texture, uint32_t level, const Rows* rows) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.level_formats[level]]
    if es.driver.dialect == DIALECT_GL:
        return True
    return (rows.swap <= 1 and not texture.widened and pipe_pixel_formats[rows.format].value == info.upload_format
            and pipe_pixel_types[rows.type].value == info.upload_type)


cdef void driver_unpacks(Espryt* es, Resource* texture, uint32_t level, const pipe_Box* box, const Rows* rows) noexcept nogil:
    """Slice by slice, and row by row where the distance of rows is no number of texels."""
    cdef GL* gl = gl_of(es)
    cdef pipe_FormatInfo given = pipe_formats[texture.level_formats[level]]
    cdef pipe_SubRegion region
    cdef uint32_t row, slice_
    cdef bint together = rows.height == 1 or (rows.row_stride <= 0x7FFFFFFF and rows.row_stride % rows.group_bytes == 0)
    cdef uint32_t step = rows.height if together else 1
    given.upload_format = pipe_pixel_formats[rows.format].value
    given.upload_type = pipe_pixel_types[rows.type].value
    given.texel_bytes = rows.group_bytes
    edit_texture(es, texture)
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, rows.target.name)
    if es.driver.dialect == DIALECT_GL:
        gl.PixelStorei(GL_UNPACK_SWAP_BYTES, rows.swap > 1)
    memset(&region, 0, sizeof(region))
    region.box = box[0]
    region.box.depth = 1
    region.row_stride = <uint32_t>rows.row_stride if together else 0
    for slice_ in range(rows.depth):
        row = 0
        while row < rows.height:
            region.box.z = box.z + <int32_t>slice_
            region.box.y = box.y + <int32_t>row
            region.box.height = step
            write_region(es, texture, &given, level,
                         <const uint8_t*>(rows.offset + slice_ * rows.slice_stride + row * rows.row_stride), &region)
            row += step
    if es.driver.dialect == DIALECT_GL:
        gl.PixelStorei(GL_UNPACK_SWAP_BYTES, 0)
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0)


# -- by us

cdef void unpack(Espryt* es, Resource* texture, uint32_t level, const pipe_Box* box, const Rows* rows) noexcept nogil:
    """Row by row of the buffer into one slice of canonical texels at a time. Bounded: the buffer holds as many."""
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.level_formats[level]]
    cdef uint64_t row_bytes = <uint64_t>rows.width * rows.group_bytes, tight = <uint64_t>rows.width * info.texel_bytes
    cdef uint8_t* line
    cdef uint8_t* texels
    cdef pipe_SubRegion region
    cdef uint32_t row, slice_
    cdef Plan plan
    if tight * rows.height > 0x7FFFFFFF:
        es.host.unimplemented(es.host.self, b"texture_from_buffer", b"converting more than 2 GiB at once")
        return
    line = <uint8_t*>malloc(row_bytes)
    texels = <uint8_t*>malloc(tight * rows.height)
    memset(&region, 0, sizeof(region))
    region.box = box[0]
    region.box.depth = 1
    region.row_stride = <uint32_t>tight
    make_plan(&plan, rows.format, rows.type, info.pixel_format, info.pixel_type, False)
    plan.to_depth24 = info.bits[4] == 24 and info.bits[5] == 0
    for slice_ in range(rows.depth if line != NULL and texels != NULL else 0):
        for row in range(rows.height):
            buffer_read(es, rows.target, rows.offset + slice_ * rows.slice_stride + row * rows.row_stride, line, row_bytes)
            if rows.swap > 1:
                reverse_bytes(line, line, row_bytes, rows.swap)
            convert_row(&plan, line, texels + row * tight, rows.width)
        region.box.z = box.z + <int32_t>slice_
        texture_write(es, texture, level, texels, tight * rows.height, &region, 1, False)
    if line == NULL or texels == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"texture_from_buffer")
    free(line)
    free(texels)
