# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs that read texels back, as tight rows of a canonical layout.

Desktop OpenGL converts to any layout. OpenGL ES reads colours in one layout per kind of format only: what it gives is
converted here, through floats, texel by texel; and it reads textures only as attachments, slice by slice.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset, memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES, driver_has
from mgpipe.backends.espryt.decoded cimport encode_texels, is_decoded
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport bind_draw, bind_read, bind_scratch, read_from
from mgpipe.backends.espryt.redraw cimport Texels, attachable, level_of, redraw_read
from mgpipe.backends.espryt.textures cimport edit_texture
from mgpipe.backends.host cimport part_bytes


cdef void install_reads(BackEnd* table) noexcept nogil:
    table.read_pixels = read_pixels
    table.get_texture_image = get_texture_image
    table.get_sample_positions = get_sample_positions


cdef void read_pixels(void* self, const pipe_read_pixels* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef Fbo* fbo
    cdef int32_t width = p.area.x1 - p.area.x0, height = p.area.y1 - p.area.y0
    reply.status = PIPE_REPLY_ERROR
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"read_pixels")
        return
    if width <= 0 or height <= 0 or into_at == NULL:
        reply.status = PIPE_REPLY_OK
        return
    if p.into.size // pipe_read_layouts[p.layout].texel_bytes // <uint64_t>width < <uint64_t>height:
        es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"read_pixels.into")
        return
    fbo = bind_read(es, ctx)
    if is_color(p.layout):
        read_from(es, fbo, p.attachment)
        if es.driver.dialect == DIALECT_GL:
            gl_of(es).ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE)     # the client clamps
    reply.status = read_area(es, fbo, attachment_format(es, ctx, fbo, p.attachment), p.layout, p.area.x0, p.area.y0,
                             width, height, into_at, b"read_pixels", True)


cdef uint32_t attachment_format(Espryt* es, Context* ctx, Fbo* fbo, int32_t attachment) noexcept nogil:
    cdef Attached* at = &fbo.color[fbo.place[attachment]] if 0 <= attachment < COLORS else &fbo.depth
    cdef Surface* surface = <Surface*>alive(&ctx.read_surface)
    if at.resource != NULL:
        return at.resource.format
    if fbo == &ctx.surface_read and surface != NULL:
        return surface.color_format if attachment >= 0 else surface.depth_format
    return FORMAT_RGBA8


cdef void get_sample_positions(void* self, const pipe_get_sample_positions* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    """A driver may have taken more samples than were asked for; those beyond what it has stay at the corner."""
    cdef Espryt* es = <Espryt*>self
    cdef GLint samples = 0
    cdef uint64_t i, count = p.into.size // (2 * sizeof(float))
    reply.status = PIPE_REPLY_ERROR
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"get_sample_positions")
        return
    reply.status = PIPE_REPLY_OK
    if into_at == NULL:
        return
    memset(into_at, 0, p.into.size)
    bind_draw(es, es.bound)
    gl_of(es).GetIntegerv(GL_SAMPLES, &samples)
    for i in range(min(count, <uint64_t>samples)):
        gl_of(es).GetMultisamplefv(GL_SAMPLE_POSITION, <GLuint>i, <float*>into_at + i * 2)


# -- one area of the bound read framebuffer

cdef int read_area(Espryt* es, Fbo* fbo, uint32_t format, uint32_t layout, int32_t x, int32_t y, int32_t width,
                   int32_t height, uint8_t* into, const char* call, bint answers=False) noexcept nogil:
    """The reply's status. `answers`: what is read is the answer as it is, and may be taken while the rest is read."""
    cdef const pipe_ReadLayout* wanted = &pipe_read_layouts[layout]
    cdef GLenum native_format, native_type
    cdef int status = PIPE_REPLY_OK
    if es.driver.dialect == DIALECT_GL:
        read_rows(es, wanted, x, y, width, height, into, answers)
        return PIPE_REPLY_OK
    if not is_color(layout):
        return read_depth_stencil(es, fbo, format, layout, x, y, width, height, into, call)
    es_layout(format, &native_format, &native_type)
    if native_format == wanted.format and native_type == wanted.type:
        read_rows(es, wanted, x, y, width, height, into, answers and pipe_formats[format].es_render == pipe_formats[format].es_internal)
    elif native_format != GL_RGBA or wanted.format != GL_RGBA:
        es.host.unimplemented(es.host.self, call, b"integer texels as others, or others as integers")
        return PIPE_REPLY_REFUSED
    else:
        status = read_converted(es, layout, native_type, x, y, width, height, into)
    if pipe_formats[format].es_render != pipe_formats[format].es_internal:
        hide_alpha(layout, into, <uint64_t>width * <uint64_t>height)
    return status


cdef void read_rows(Espryt* es, const pipe_ReadLayout* wanted, int32_t x, int32_t y, int32_t width, int32_t height,
                    uint8_t* into, bint answers) noexcept nogil:
    cdef uint64_t row = <uint64_t>width * wanted.texel_bytes
    cdef int32_t rows = height, at = 0
    if answers:
        rows = <int32_t>max(part_bytes(es.host, row * <uint64_t>height) // row, <uint64_t>1)
    while at < height:
        rows = min(rows, height - at)
        gl_of(es).ReadPixels(x, y + at, width, rows, wanted.format, wanted.type, into + row * <uint64_t>at)
        at += rows
        if at < height:
            es.host.part(es.host.self, row * <uint64_t>at)


cdef void hide_alpha(uint32_t layout, uint8_t* texels, uint64_t count) noexcept nogil:
    """Three components that ES renders to as four: the program knows of no alpha, so it reads as one."""
    cdef uint32_t size = pipe_read_layouts[layout].texel_bytes / 4
    cdef uint32_t one = 1                       # of integers
    cdef float real = 1
    cdef uint64_t i
    if layout == PIPE_READ_LAYOUT_RGBA8 or layout == PIPE_READ_LAYOUT_RGBA16:
        one = 0xFFFF
    elif layout == PIPE_READ_LAYOUT_RGBA32F:
        memcpy(&one, &real, 4)
    for i in range(count):
        memcpy(texels + (i * 4 + 3) * size, &one, size)


cdef void es_layout(uint32_t format, GLenum* native_format, GLenum* native_type) noexcept nogil:
    """What ES promises, or its norm16 and snorm extensions do, for a format's kind."""
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    native_format[0] = GL_RGBA
    native_type[0] = GL_UNSIGNED_BYTE
    if info.kind == FORMAT_KIND_FLOAT:
        native_type[0] = GL_FLOAT
    elif info.kind == FORMAT_KIND_INT:
        native_format[0] = GL_RGBA_INTEGER
        native_type[0] = GL_INT
    elif info.kind == FORMAT_KIND_UINT:
        native_format[0] = GL_RGBA_INTEGER
        native_type[0] = GL_UNSIGNED_INT
    elif info.kind == FORMAT_KIND_SNORM:
        native_type[0] = GL_SHORT if info.bits[0] == 16 else GL_BYTE
    elif info.bits[0] == 16:
        native_type[0] = GL_UNSIGNED_SHORT
    elif info.bits[0] == 10:
        native_type[0] = GL_UNSIGNED_INT_2_10_10_10_REV


cdef int read_depth_stencil(Espryt* es, Fbo* fbo, uint32_t format, uint32_t layout, int32_t x, int32_t y, int32_t width,
                            int32_t height, uint8_t* into, const char* call) noexcept nogil:
    cdef const pipe_ReadLayout* wanted = &pipe_read_layouts[layout]
    cdef uint32_t bits = pipe_formats[format].bits[4]
    cdef uint64_t i
    cdef const char* extension = b"GL_NV_read_depth_stencil"
    if layout == PIPE_READ_LAYOUT_DEPTH32F:
        extension = b"GL_NV_read_depth"
    elif layout == PIPE_READ_LAYOUT_STENCIL8:
        extension = b"GL_NV_read_stencil"
    if not driver_has(&es.driver, extension):
        return redrawn_depth_stencil(es, fbo, format, layout, x, y, width, height, into, call)
    if layout != PIPE_READ_LAYOUT_DEPTH32F or pipe_formats[format].depth_kind == FORMAT_KIND_FLOAT:
        gl_of(es).ReadPixels(x, y, width, height, wanted.format, wanted.type, into)
        return PIPE_REPLY_OK
    # Fixed-point depth comes as integers only, in the top bits of words as wide as the floats that they become.
    gl_of(es).ReadPixels(x, y, width, height, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, into)
    for i in range(<uint64_t>width * <uint64_t>height):
        (<float*>into)[i] = <float>(((<uint32_t*>into)[i] >> (32 - bits)) / <double>((<uint64_t>1 << bits) - 1))
    return PIPE_REPLY_OK


cdef int read_converted(Espryt* es, uint32_t layout, GLenum native_type, int32_t x, int32_t y, int32_t width,
                        int32_t height, uint8_t* into) noexcept nogil:
    cdef uint64_t texels = <uint64_t>width * <uint64_t>height, i
    cdef uint32_t size = (16 if native_type == GL_FLOAT else
                          8 if native_type == GL_SHORT or native_type == GL_UNSIGNED_SHORT else 4)
    cdef uint32_t out = pipe_read_layouts[layout].texel_bytes
    cdef uint8_t* native = <uint8_t*>malloc(texels * size)
    cdef float[4] color
    if native == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"read_pixels")
        return PIPE_REPLY_ERROR
    gl_of(es).ReadPixels(x, y, width, height, GL_RGBA, native_type, native)
    for i in range(texels):
        to_floats(native + i * size, native_type, color)
        from_floats(color, layout, into + i * out)
    free(native)
    return PIPE_REPLY_OK


cdef void to_floats(const uint8_t* texel, GLenum kind, float* color) noexcept nogil:
    cdef uint32_t packed
    cdef int i
    if kind == GL_UNSIGNED_INT_2_10_10_10_REV:
        packed = (<const uint32_t*>texel)[0]
        for i in range(3):
            color[i] = (packed >> 10 * i & 1023) / <float>1023.0
        color[3] = (packed >> 30) / <float>3.0
        return
    for i in range(4):
        if kind == GL_FLOAT:
            color[i] = (<const float*>texel)[i]
        elif kind == GL_UNSIGNED_BYTE:
            color[i] = texel[i] / <float>255.0
        elif kind == GL_UNSIGNED_SHORT:
            color[i] = (<const uint16_t*>texel)[i] / <float>65535.0
        elif kind == GL_BYTE:
            color[i] = max_float((<const int8_t*>texel)[i] / <float>127.0, -1.0)
        else:
            color[i] = max_float((<const short*>texel)[i] / <float>32767.0, -1.0)


cdef void from_floats(const float* color, uint32_t layout, uint8_t* texel) noexcept nogil:
    cdef int i
    for i in range(4):
        if layout == PIPE_READ_LAYOUT_RGBA32F:
            (<float*>texel)[i] = color[i]
        elif layout == PIPE_READ_LAYOUT_RGBA16:
            (<uint16_t*>texel)[i] = <uint16_t>(unit(color[i]) * <float>65535.0 + <float>0.5)
        else:
            texel[i] = <uint8_t>(unit(color[i]) * <float>255.0 + <float>0.5)


cdef inline float max_float(float a, float b) noexcept nogil:
    return a if a > b else b


cdef inline float unit(float value) noexcept nogil:
    """Clamped to 0 … 1; not a number becomes 0."""
    return <float>1.0 if value > 1.0 else value if value > 0.0 else <float>0.0


# -- through a shader, on OpenGL ES

cdef int redrawn(Espryt* es, Resource* texture, uint32_t level, uint32_t layer, uint32_t layout, int32_t x, int32_t y,
                 int32_t width, int32_t height, uint8_t* into) noexcept nogil:
    """Of a format that cannot be an attachment, or comes out of one changed."""
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.level_formats[level]]
    cdef uint32_t out = pipe_read_layouts[layout].texel_bytes
    cdef uint64_t texels = <uint64_t>width * <uint64_t>height, i
    cdef uint8_t* words
    cdef Texels source = level_of(es, texture, level, layer)
    if es.driver.dialect == DIALECT_GL:
        es.host.unimplemented(es.host.self, b"get_texture_image", b"a format that cannot be an attachment, on a driver before OpenGL 4.5")
        return PIPE_REPLY_REFUSED
    if info.kind == FORMAT_KIND_NONE or not is_color(layout) or (layout == PIPE_READ_LAYOUT_RGBA32I) != (
            info.kind == FORMAT_KIND_INT) or (layout == PIPE_READ_LAYOUT_RGBA32UI) != (info.kind == FORMAT_KIND_UINT):
        es.host.unimplemented(es.host.self, b"get_texture_image", b"integer texels as others, or others as integers")
        return PIPE_REPLY_REFUSED
    words = into if out == 16 else <uint8_t*>malloc(texels * 16)
    if words == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"get_texture_image")
        return PIPE_REPLY_ERROR
    if not redraw_read(es, &source, False, x, y, width, height, words):
        if words != into:
            free(words)
        es.host.unimplemented(es.host.self, b"get_texture_image", b"a format that this driver does not read")
        return PIPE_REPLY_REFUSED
    if words != into:
        for i in range(texels):
            from_floats(<float*>(words + i * 16), layout, into + i * out)
        free(words)
    if texture.widened:
        hide_alpha(layout, into, texels)
    return PIPE_REPLY_OK


cdef int redrawn_depth_stencil(Espryt* es, Fbo* fbo, uint32_t format, uint32_t layout, int32_t x, int32_t y, int32_t width,
                               int32_t height, uint8_t* into, const char* call) noexcept nogil:
    """Of the bound read framebuffer, where the driver has no extension that reads it."""
    cdef Attached* at = &fbo.stencil if layout == PIPE_READ_LAYOUT_STENCIL8 else &fbo.depth
    cdef uint64_t texels = <uint64_t>width * <uint64_t>height, i
    cdef bint wants_depth = layout != PIPE_READ_LAYOUT_STENCIL8, wants_stencil = layout != PIPE_READ_LAYOUT_DEPTH32F
    cdef uint8_t* depth = <uint8_t*>malloc(texels * 16 if wants_depth else 1)
    cdef uint8_t* stencil = <uint8_t*>malloc(texels * 16 if wants_stencil else 1)
    cdef Texels source
    cdef bint done = depth != NULL and stencil != NULL and attached_texels(es, at, format, &source)
    if done and wants_depth:
        done = redraw_read(es, &source, False, x, y, width, height, depth)
    if done and wants_stencil:
        done = redraw_read(es, &source, True, x, y, width, height, stencil)
    for i in range(texels if done else 0):
        store_depth_stencil(layout, (<float*>(depth + i * 16))[0] if wants_depth else 0,
                            (<uint32_t*>(stencil + i * 16))[0] if wants_stencil else 0,
                            into + i * pipe_read_layouts[layout].texel_bytes)
    free(depth)
    free(stencil)
    if not done:
        es.host.unimplemented(es.host.self, call, b"depth and stencil of this kind, on OpenGL ES without NV_read_depth_stencil")
    return PIPE_REPLY_OK if done else PIPE_REPLY_REFUSED


cdef bint attached_texels(Espryt* es, Attached* at, uint32_t format, Texels* texels) noexcept nogil:
    if at.resource != NULL and at.resource.serial == at.serial and not at.resource.samples:
        texels[0] = level_of(es, at.resource, at.level, at.layer)
        return True
    if at.renderbuffer == 0:
        return False
    memset(texels, 0, sizeof(Texels))
    texels.name = at.renderbuffer
    texels.target = GL_RENDERBUFFER
    texels.format = format
    texels.internal = pipe_formats[format].es_render
    return True


cdef void store_depth_stencil(uint32_t layout, float depth, uint32_t stencil, uint8_t* into) noexcept nogil:
    if layout == PIPE_READ_LAYOUT_STENCIL8:
        into[0] = <uint8_t>stencil
    elif layout == PIPE_READ_LAYOUT_DEPTH24_STENCIL8:
        (<uint32_t*>into)[0] = <uint32_t>(unit(depth) * <double>0xFFFFFF + 0.5) << 8 | stencil & 0xFF
    else:
        (<float*>into)[0] = depth
        if layout == PIPE_READ_LAYOUT_DEPTH32F_STENCIL8:
            (<uint32_t*>into)[1] = stencil & 0xFF


# -- textures

cdef void get_texture_image(void* self, const pipe_get_texture_image* p, void* resource, uint8_t* into_at,
                            pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Resource* texture = <Resource*>resource
    cdef uint64_t slice_bytes = <uint64_t>p.box.width * p.box.height * pipe_read_layouts[p.layout].texel_bytes
    reply.status = PIPE_REPLY_ERROR
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"get_texture_image")
        return
    if p.layout == PIPE_READ_LAYOUT_BLOCKS:
        reply.status = get_blocks(es, texture, p, into_at)
        return
    if texture.kind == PIPE_RESOURCE_TARGET_BUFFER or texture.level_formats[p.level] == FORMAT_NONE:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"get_texture_image.resource: no texture, or without storage")
        return
    if slice_bytes == 0 or p.box.depth == 0 or into_at == NULL:
        reply.status = PIPE_REPLY_OK
        return
    if (p.box.width > 1 << 20 or p.box.height > 1 << 20 or p.into.size // slice_bytes < p.box.depth):
        es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"get_texture_image.into")
        return
    reply.status = read_texture(es, texture, p.level, p.layout, &p.box, into_at)


cdef int get_blocks(Espryt* es, Resource* texture, const pipe_get_texture_image* p, uint8_t* into) noexcept nogil:
    """Compressed blocks as the driver has them: rows of blocks, tight."""
    cdef uint64_t block = pipe_formats[texture.level_formats[p.level]].block_bytes
    cdef uint64_t size
    if texture.kind == PIPE_RESOURCE_TARGET_BUFFER or block == 0:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"get_texture_image.resource: not compressed")
        return PIPE_REPLY_ERROR
    if into == NULL or p.box.width == 0 or p.box.height == 0 or p.box.depth == 0:
        return PIPE_REPLY_OK
    size = ((p.box.width + 3) // 4) * <uint64_t>((p.box.height + 3) // 4) * block
    if (p.box.width > 1 << 20 or p.box.height > 1 << 20 or p.into.size // size < p.box.depth
            or size * p.box.depth > 0x7FFFFFFF):
        es.host.fault(es.host.self, PIPE_FAULT_BLOB_SIZE, b"get_texture_image.into")
        return PIPE_REPLY_ERROR
    if is_decoded(es, texture.level_formats[p.level]):
        return encoded(es, texture, p, into, size)
    if gl_of(es).GetCompressedTextureSubImage == NULL:
        es.host.unimplemented(es.host.self, b"get_texture_image", b"compressed blocks, on a driver before OpenGL 4.5")
        return PIPE_REPLY_REFUSED
    gl_of(es).GetCompressedTextureSubImage(texture.name, p.level, p.box.x, p.box.y, p.box.z, p.box.width, p.box.height,
                                           p.box.depth, <GLsizei>(size * p.box.depth), into)
    return PIPE_REPLY_OK


cdef int encoded(Espryt* es, Resource* texture, const pipe_get_texture_image* p, uint8_t* into, uint64_t size) noexcept nogil:
    """Blocks of a texture that is kept as texels, slice by slice of `size` bytes."""
    cdef uint32_t format = texture.level_formats[p.level], layout = pipe_formats[format].read_layout, i
    cdef pipe_Box box = p.box
    cdef int status = PIPE_REPLY_OK
    cdef uint8_t* texels = <uint8_t*>malloc(<uint64_t>box.width * box.height * pipe_read_layouts[layout].texel_bytes)
    box.depth = 1
    for i in range(p.box.depth):
        box.z = p.box.z + <int32_t>i
        status = read_texture(es, texture, p.level, layout, &box, texels) if texels != NULL else PIPE_REPLY_ERROR
        if status == PIPE_REPLY_OK and not encode_texels(format, texels, box.width, box.height, into + i * size):
            status = PIPE_REPLY_ERROR
        if status != PIPE_REPLY_OK:
            break
    free(texels)
    return status


cdef int read_texture(Espryt* es, Resource* texture, uint32_t level, uint32_t layout, const pipe_Box* box,
                      uint8_t* into) noexcept nogil:
    cdef const pipe_ReadLayout* wanted = &pipe_read_layouts[layout]
    cdef uint64_t bytes = <uint64_t>box.width * box.height * box.depth * wanted.texel_bytes
    cdef GLsizei size = <GLsizei>(bytes if bytes < 0x7FFFFFFF else 0x7FFFFFFF)
    cdef uint32_t i
    if gl_of(es).GetTextureSubImage == NULL:
        return read_slices(es, texture, level, layout, box, into)
    if texture.target == GL_TEXTURE_CUBE_MAP and face_is_whole(es, texture, level, box):
        for i in range(box.depth):
            gl_of(es).GetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + <GLenum>box.z + i, level, wanted.format, wanted.type,
                                  into + i * (bytes / box.depth))
        return PIPE_REPLY_OK
    if texture.target == GL_TEXTURE_1D_ARRAY:
        gl_of(es).GetTextureSubImage(texture.name, level, box.x, box.z, 0, box.width, box.depth, 1, wanted.format,
                                     wanted.type, size, into)
    else:
        gl_of(es).GetTextureSubImage(texture.name, level, box.x, box.y, box.z, box.width, box.height, box.depth,
                                     wanted.format, wanted.type, size, into)
    return PIPE_REPLY_OK


cdef bint face_is_whole(Espryt* es, Resource* texture, uint32_t level, const pipe_Box* box) noexcept nogil:
    """Of a cube whose faces differ or are missing a driver gives whole faces only. Binds the texture."""
    cdef GLint width = 0, height = 0
    edit_texture(es, texture)
    gl_of(es).GetTexLevelParameteriv(GL_TEXTURE_CUBE_MAP_POSITIVE_X + <GLenum>box.z, level, GL_TEXTURE_WIDTH, &width)
    gl_of(es).GetTexLevelParameteriv(GL_TEXTURE_CUBE_MAP_POSITIVE_X + <GLenum>box.z, level, GL_TEXTURE_HEIGHT, &height)
    return (box.x == 0 and box.y == 0 and box.width == <uint32_t>width and box.height == <uint32_t>height and 0 <= box.z
            and box.z + <int32_t>box.depth <= 6)


cdef int read_slices(Espryt* es, Resource* texture, uint32_t level, uint32_t layout, const pipe_Box* box,
                     uint8_t* into) noexcept nogil:
    cdef uint64_t slice_bytes = <uint64_t>box.width * box.height * pipe_read_layouts[layout].texel_bytes
    cdef uint32_t i
    cdef int status = PIPE_REPLY_OK
    cdef bint attaches
    cdef Fbo* fbo
    if texture.samples:
        es.host.unimplemented(es.host.self, b"get_texture_image", b"a texture of several samples")
        return PIPE_REPLY_REFUSED
    # Reads of a framebuffer clamp what is signed, as textures are not.
    attaches = ((texture.widened or attachable(es, texture.level_formats[level]))
                and pipe_formats[texture.level_formats[level]].kind != FORMAT_KIND_SNORM)
    for i in range(box.depth):
        if not attaches:
            status = redrawn(es, texture, level, <uint32_t>box.z + i, layout, box.x, box.y, <int32_t>box.width,
                             <int32_t>box.height, into + i * slice_bytes)
            if status != PIPE_REPLY_OK:
                break
            continue
        fbo = bind_scratch(es, es.bound, GL_READ_FRAMEBUFFER, texture, level, <uint32_t>box.z + i)
        if gl_of(es).CheckFramebufferStatus(GL_READ_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE:
            es.host.unimplemented(es.host.self, b"get_texture_image", b"a format that this driver does not read")
            return PIPE_REPLY_REFUSED
        status = read_area(es, fbo, texture.level_formats[level], layout, box.x, box.y, <int32_t>box.width,
                           <int32_t>box.height, into + i * slice_bytes, b"get_texture_image")
        if status != PIPE_REPLY_OK:
            break
    return status
