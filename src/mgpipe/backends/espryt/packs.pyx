# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reads of texels into buffers: the program's format, type and row distances, and nobody waits.

The driver writes the rows itself where it knows format and type: desktop OpenGL always does, OpenGL ES in the one layout
that it reads. Otherwise the rows are read here, converted, and stored in the buffer.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport *
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.buffers cimport buffer_unmap
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport bind_read, read_from
from mgpipe.backends.espryt.reads cimport attachment_format, es_layout, is_color, read_area, read_texture
from mgpipe.texels.convert cimport Plan, convert_row, group_size, make_plan, reverse_bytes


cdef void install_packs(BackEnd* table) noexcept nogil:
    table.read_pixels_to_buffer = read_pixels_to_buffer
    table.get_texture_image_to_buffer = get_texture_image_to_buffer


cdef bint legal(Espryt* es, Rows* rows, const char* call) noexcept nogil:
    cdef const pipe_PixelType* info
    cdef uint64_t size, room
    cdef bint stencil = False
    if rows.target.kind != PIPE_RESOURCE_TARGET_BUFFER:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, call)
        return False
    if rows.format < PIXEL_FORMAT_COUNT and rows.type < PIXEL_TYPE_COUNT:
        info = &pipe_pixel_types[rows.type]
        stencil = info.special == PIXEL_SPECIAL_D24S8 or info.special == PIXEL_SPECIAL_D32FS8
        if (rows.format == PIXEL_DEPTH_STENCIL) == stencil and (not info.packed or (info.formats >> rows.format) & 1) \
                and not (pipe_pixel_formats[rows.format].integer and info.kind == FORMAT_KIND_FLOAT) \
                and (rows.swap == 0 or rows.swap == info.swap_bytes):
            rows.group_bytes = group_size(rows.format, rows.type)
    if rows.group_bytes == 0:
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, call)
        return False
    size = <uint64_t>rows.width * rows.group_bytes
    room = rows.target.size - rows.offset if rows.offset <= rows.target.size else 0
    # Every row and slice inside, without a product that may overflow.
    if size <= room and (rows.height == 1 or (rows.row_stride >= size
                                              and rows.row_stride <= (room - size) // (rows.height - 1))):
        size += rows.row_stride * (rows.height - 1)
        if rows.depth == 1 or (rows.slice_stride >= size and rows.slice_stride <= (room - size) // (rows.depth - 1)):
            return True
    es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, call)
    return False


# -- by the driver

cdef inline uint64_t row_texels(const Rows* rows) noexcept nogil:
    """The row distance in texels, for the driver's pixel store; 0: it is none, and rows go one by one."""
    if rows.row_stride % rows.group_bytes or rows.row_stride // rows.group_bytes > 0x7FFFFFFF:
        return 0
    return rows.row_stride // rows.group_bytes


cdef void begin_pack(Espryt* es, const Rows* rows) noexcept nogil:
    cdef GL* gl = gl_of(es)
    gl.BindBuffer(GL_PIXEL_PACK_BUFFER, rows.target.name)
    buffer_changed(es, rows.target)
    gl.PixelStorei(GL_PACK_ROW_LENGTH, <GLint>row_texels(rows) if rows.height > 1 else 0)
    if es.driver.dialect == DIALECT_GL:
        gl.PixelStorei(GL_PACK_SWAP_BYTES, rows.swap > 1)


cdef void end_pack(Espryt* es) noexcept nogil:
    cdef GL* gl = gl_of(es)
    gl.PixelStorei(GL_PACK_ROW_LENGTH, 0)
    if es.driver.dialect == DIALECT_GL:
        gl.PixelStorei(GL_PACK_SWAP_BYTES, 0)
    gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0)


cdef void driver_reads(Espryt* es, const Rows* rows, int32_t x, int32_t y) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum format = pipe_pixel_formats[rows.format].value, kind = pipe_pixel_types[rows.type].value
    cdef uint32_t row
    begin_pack(es, rows)
    if rows.height == 1 or row_texels(rows):
        gl.ReadPixels(x, y, rows.width, rows.height, format, kind, <void*>rows.offset)
    else:
        for row in range(rows.height):
            gl.ReadPixels(x, y + <int32_t>row, rows.width, 1, format, kind, <void*>(rows.offset + row * rows.row_stride))
    end_pack(es)


cdef void driver_reads_texture(Espryt* es, const Rows* rows, Resource* texture, uint32_t level, const pipe_Box* box) noexcept nogil:
    """Slice by slice, and row by row where the row distance is no number of texels."""
    cdef GL* gl = gl_of(es)
    cdef GLenum format = pipe_pixel_formats[rows.format].value, kind = pipe_pixel_types[rows.type].value
    cdef uint32_t row, slice_, step = rows.height if rows.height == 1 or row_texels(rows) else 1
    cdef uint64_t room = rows.target.size
    cdef GLsizei size = <GLsizei>(room if room < 0x7FFFFFFF else 0x7FFFFFFF)
    begin_pack(es, rows)
    for slice_ in range(rows.depth):
        row = 0
        while row < rows.height:
            if texture.target == GL_TEXTURE_1D_ARRAY:       # the driver's rows are layers
                gl.GetTextureSubImage(texture.name, level, box.x, box.z + <int32_t>slice_, 0, rows.width, 1, 1, format, kind,
                                      size, <void*>(rows.offset + slice_ * rows.slice_stride))
            else:
                gl.GetTextureSubImage(texture.name, level, box.x, box.y + <int32_t>row, box.z + <int32_t>slice_, rows.width,
                                      step, 1, format, kind, size,
                                      <void*>(rows.offset + slice_ * rows.slice_stride + row * rows.row_stride))
            row += step
    end_pack(es)


# -- by us

cdef uint8_t* room_for(Espryt* es, const Rows* rows, const char* call) noexcept nogil:
    """Memory for tight rows in the read layout. Bounded: the buffer holds as many texels."""
    cdef uint64_t size = <uint64_t>rows.width * rows.height * rows.depth * pipe_read_layouts[rows.layout].texel_bytes
    cdef uint8_t* memory = <uint8_t*>malloc(size)
    if memory == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, call)
    return memory


cdef void store(Espryt* es, const Rows* rows, const uint8_t* texels, const char* call) noexcept nogil:
    """Tight rows of the read layout into the buffer. What lies between rows stays."""
    cdef GL* gl = gl_of(es)
    cdef const pipe_ReadLayout* layout = &pipe_read_layouts[rows.layout]
    cdef uint64_t row_bytes = <uint64_t>rows.width * rows.group_bytes
    cdef uint64_t size = rows.slice_stride * (rows.depth - 1) + rows.row_stride * (rows.height - 1) + row_bytes
    cdef uint32_t row, slice_
    cdef uint8_t* line
    cdef uint8_t* mapped
    cdef Plan plan
    make_plan(&plan, layout.pixel_format, layout.pixel_type, rows.format, rows.type, rows.clamp)
    buffer_unmap(es, rows.target)
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, rows.target.name)
    mapped = <uint8_t*>gl.MapBufferRange(GL_COPY_WRITE_BUFFER, rows.offset, size, GL_MAP_WRITE_BIT)
    if mapped == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, call)
        return
    for slice_ in range(rows.depth):
        for row in range(rows.height):
            line = mapped + slice_ * rows.slice_stride + row * rows.row_stride
            convert_row(&plan, texels, line, rows.width)
            if rows.swap > 1:
                reverse_bytes(line, line, row_bytes, rows.swap)
            texels += <uint64_t>rows.width * layout.texel_bytes
    gl.UnmapBuffer(GL_COPY_WRITE_BUFFER)
    buffer_changed(es, rows.target)


# -- the records

cdef void read_pixels_to_buffer(void* self, const pipe_read_pixels_to_buffer* p, void* target) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef int32_t width = p.area.x1 - p.area.x0, height = p.area.y1 - p.area.y0
    cdef uint32_t format
    cdef uint8_t* texels
    cdef Fbo* fbo
    cdef Rows rows
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"read_pixels_to_buffer")
        return
    if width <= 0 or height <= 0:
        return
    memset(&rows, 0, sizeof(rows))
    rows.target = <Resource*>target
    rows.offset = p.offset
    rows.row_stride = p.row_stride
    rows.format = p.format
    rows.type = p.type
    rows.swap = p.swap_group
    rows.layout = p.layout
    rows.width = <uint32_t>width
    rows.height = <uint32_t>height
    rows.depth = 1
    rows.clamp = p.clamp
    if not legal(es, &rows, b"read_pixels_to_buffer"):
        return
    fbo = bind_read(es, ctx)
    format = attachment_format(es, ctx, fbo, p.attachment)
    if is_color(p.layout):
        read_from(es, fbo, p.attachment)
        if es.driver.dialect == DIALECT_GL:
            gl_of(es).ClampColor(GL_CLAMP_READ_COLOR, p.clamp)
    if driver_knows(es, &rows, format):
        driver_reads(es, &rows, p.area.x0, p.area.y0)
        return
    texels = room_for(es, &rows, b"read_pixels_to_buffer")
    if texels == NULL:
        return
    if read_area(es, fbo, format, p.layout, p.area.x0, p.area.y0, width, height, texels, b"read_pixels_to_buffer") == PIPE_REPLY_OK:
        store(es, &rows, texels, b"read_pixels_to_buffer")
    free(texels)


cdef bint driver_knows(Espryt* es, const Rows* rows, uint32_t format) noexcept nogil:
    cdef GLenum native_format, native_type
    if es.driver.dialect == DIALECT_GL:
        return True
    if not is_color(rows.layout) or rows.swap > 1 or rows.clamp and pipe_formats[format].kind != FORMAT_KIND_UNORM:
        return False
    es_layout(format, &native_format, &native_type)
    return (native_format == pipe_pixel_formats[rows.format].value and native_type == pipe_pixel_types[rows.type].value
            and pipe_formats[format].es_render == pipe_formats[format].es_internal)


cdef void get_texture_image_to_buffer(void* self, const pipe_get_texture_image_to_buffer* p, void* resource,
                                      void* target) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* texture = <Resource*>resource
    cdef uint8_t* texels
    cdef Rows rows
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"get_texture_image_to_buffer")
        return
    if texture.kind == PIPE_RESOURCE_TARGET_BUFFER or texture.format == FORMAT_NONE:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"get_texture_image_to_buffer.resource: no texture, or without storage")
        return
    if p.box.width == 0 or p.box.height == 0 or p.box.depth == 0:
        return
    memset(&rows, 0, sizeof(rows))
    rows.target = <Resource*>target
    rows.offset = p.offset
    rows.row_stride = p.row_stride
    rows.slice_stride = p.slice_stride
    rows.format = p.format
    rows.type = p.type
    rows.swap = p.swap_group
    rows.layout = p.layout
    rows.width = p.box.width
    rows.height = p.box.height
    rows.depth = p.box.depth
    if not legal(es, &rows, b"get_texture_image_to_buffer"):
        return
    if gl_of(es).GetTextureSubImage != NULL:
        driver_reads_texture(es, &rows, texture, p.level, &p.box)
        return
    texels = room_for(es, &rows, b"get_texture_image_to_buffer")
    if texels == NULL:
        return
    if read_texture(es, texture, p.level, p.layout, &p.box, texels) == PIPE_REPLY_OK:
        store(es, &rows, texels, b"get_texture_image_to_buffer")
    free(texels)
