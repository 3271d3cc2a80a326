# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reads of framebuffers and textures (specification 8.11, 18.2). See reads.pxd.

The driver answers in one of a few layouts; the client makes the program's format, type and pixel store of it. What the
client owns is answered from its own copy, without a round trip.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from glenum cimport *
from pipe cimport (PIPE_READ_LAYOUT_DEPTH32F, PIPE_READ_LAYOUT_STENCIL8, pipe_Blob, pipe_Box, pipe_Rect)
from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_NONE, FORMAT_KIND_SNORM, FORMAT_KIND_UINT,
                           FORMAT_KIND_UNORM, FORMAT_NONE, PIXEL_DEPTH_COMPONENT, PIXEL_DEPTH_STENCIL,
                           PIXEL_STENCIL_INDEX, pipe_FormatInfo,
                           pipe_ReadLayout, pipe_formats, pipe_read_layouts)
from mgpipe.client.session cimport Session, reply_limit, reply_release, reply_reserve
from mgpipe.front.context cimport (LEVELS, OWNER_BOTH, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, Context, GLenum, GLfloat, GLint,
                                   GLsizei, Level, Texture,
                                   set_error)
from mgpipe.front.framebuffers cimport ReadSource, read_source
from mgpipe.front.pixels cimport Tight, UserImage, canonical_layout, pixels_check, pixels_match, pixels_pack, user_image
from mgpipe.front.textures cimport INDEX_1D_ARRAY, bound_texture, texture_level
from mgpipe.front.transfer cimport GIVEN, Given, pack_done, pack_offset, pack_target
from mgpipe.links.shadow cimport shadow_view
from mgpipe.tracker.validate cimport (PackedRows, track_get_texture_image, track_get_texture_image_to_buffer,
                                      track_read_pixels, track_read_pixels_to_buffer)

# A read in progress: what to ask for, box by box, and where it goes.
cdef struct Read:
    UserImage image                     # of the whole read
    uint8_t* bytes                      # its first texel
    uint32_t layout
    bint clamp
    Texture* texture                    # NULL: the read framebuffer
    uint32_t face, level
    int32_t attachment
    int32_t x, y                        # of the framebuffer's area


cdef uint32_t layout_for(uint32_t format, uint32_t pixel_format) noexcept nogil:
    if pixel_format == PIXEL_DEPTH_COMPONENT: return PIPE_READ_LAYOUT_DEPTH32F
    if pixel_format == PIXEL_STENCIL_INDEX: return PIPE_READ_LAYOUT_STENCIL8
    return pipe_formats[format].read_layout


cdef bint clamps(Context* ctx, uint32_t format) noexcept nogil:
    """glClampColor(GL_CLAMP_READ_COLOR): fixed-point colours are clamped unless it is off."""
    cdef uint32_t kind = pipe_formats[format].kind
    if ctx.pipeline.clamp_read_color == GL_FIXED_ONLY:
        return kind == FORMAT_KIND_UNORM or kind == FORMAT_KIND_SNORM
    return ctx.pipeline.clamp_read_color != GL_FALSE


cdef bint read_part(Context* ctx, Read* read, uint32_t column, uint32_t row, uint32_t slice_, uint32_t width,
                    uint32_t height) noexcept nogil:
    """One answer's worth of rows of one slice, into place."""
    cdef const pipe_ReadLayout* layout = &pipe_read_layouts[read.layout]
    cdef Session* session = ctx.session
    cdef UserImage part = read.image
    cdef Tight source
    cdef pipe_Blob blob
    cdef pipe_Rect area
    cdef pipe_Box box
    cdef int failed
    cdef const uint8_t* texels = reply_reserve(session, <uint64_t>width * height * layout.texel_bytes, &blob)
    if texels == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return False
    if read.texture != NULL:
        box.x = <int32_t>column
        box.y = <int32_t>row
        box.z = <int32_t>slice_
        box.width = width
        box.height = height
        box.depth = 1
        if read.texture.target_index == INDEX_1D_ARRAY:     # the program's rows are layers
            box.y = 0
            box.z = <int32_t>row
            box.height = 1
            box.depth = height
        failed = track_get_texture_image(ctx, read.texture, read.face, read.level, read.layout, &box, &blob)
    else:
        area.x0 = read.x + <int32_t>column
        area.y0 = read.y + <int32_t>row
        area.x1 = area.x0 + <int32_t>width
        area.y1 = area.y0 + <int32_t>height
        failed = track_read_pixels(ctx, &area, read.attachment, read.layout, &blob)
    if not failed:
        part.width = width
        part.height = height
        part.depth = 1
        source.format = layout.pixel_format
        source.type = layout.pixel_type
        source.depth_bits = 0
        source.row_stride = <uint64_t>width * layout.texel_bytes
        source.slice_stride = 0
        pixels_pack(read.bytes + slice_ * part.slice_stride + row * part.row_stride + column * part.group_bytes, &part,
                    &source, texels, read.clamp)
    elif not session.lost:
        set_error(ctx, GL_INVALID_OPERATION)        # the server refused, and has said by name what
    reply_release(session, &blob)
    return not failed


cdef bint read_bands(Context* ctx, Read* read) noexcept nogil:
    """In bands of as many whole rows as one answer holds; of rows longer than that, in parts of a row."""
    cdef uint64_t texel = pipe_read_layouts[read.layout].texel_bytes
    cdef uint64_t limit = reply_limit(ctx.session) / texel
    cdef uint32_t columns, rows, column, row, slice_
    columns = read.image.width if read.image.width <= limit else <uint32_t>limit
    rows = <uint32_t>(limit / columns) if columns else 0
    if rows == 0:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return False
    ctx.session.stats.reads += 1
    for slice_ in range(read.image.depth):
        row = 0
        while row < read.image.height:
            column = 0
            while column < read.image.width:
                if not read_part(ctx, read, column, row, slice_, min(columns, read.image.width - column),
                                 min(rows, read.image.height - row)):
                    return False
                column += columns
            row += rows
    return True


# --------------------------------------------------------------------------------------------------------- framebuffers

cdef bint clip(Read* read, const ReadSource* source, GLint x, GLint y) noexcept nogil:
    """Pixels outside the framebuffer are undefined: leave the program's memory there as it is."""
    cdef int32_t left = max(x, 0), bottom = max(y, 0)
    cdef int32_t right = <int32_t>min(<uint32_t>0x7FFFFFFF, source.width)
    cdef int32_t top = <int32_t>min(<uint32_t>0x7FFFFFFF, source.height)
    if x < right - <int32_t>read.image.width:
        right = x + <int32_t>read.image.width
    if y < top - <int32_t>read.image.height:
        top = y + <int32_t>read.image.height
    if left >= right or bottom >= top:
        return False
    read.bytes += <uint64_t>(bottom - y) * read.image.row_stride + <uint64_t>(left - x) * read.image.group_bytes
    read.x = left
    read.y = bottom
    read.image.width = <uint32_t>(right - left)
    read.image.height = <uint32_t>(top - bottom)
    return True


cdef GLenum check_read(const ReadSource* source, uint32_t pixel_format, uint32_t* format) noexcept nogil:
    """Whether the framebuffer has what is asked for; the format it comes from."""
    if source.samples:
        return GL_INVALID_OPERATION
    if pixel_format == PIXEL_DEPTH_COMPONENT or pixel_format == PIXEL_DEPTH_STENCIL:
        format[0] = source.depth
    elif pixel_format == PIXEL_STENCIL_INDEX:
        format[0] = source.stencil
    else:
        format[0] = source.color
    if format[0] == FORMAT_NONE:
        return GL_INVALID_OPERATION
    return pixels_match(pixel_format, format[0], True)


cdef void packed_rows(PackedRows* rows, const Read* read) noexcept nogil:
    """A read into a buffer, whose offset stands in `bytes`."""
    cdef const UserImage* image = &read.image
    memset(rows, 0, sizeof(rows[0]))
    rows.offset = <uintptr_t>read.bytes
    rows.row_stride = image.row_stride
    rows.slice_stride = image.slice_stride
    rows.size = (<uint64_t>image.width * image.group_bytes + image.row_stride * (image.height - 1)
                 + image.slice_stride * (image.depth - 1))
    rows.format = image.format
    rows.type = image.type
    rows.swap_bytes = image.swap_bytes
    rows.layout = read.layout
    rows.clamp = read.clamp


cdef void ReadPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                     void* pixels) noexcept nogil:
    cdef Read read
    cdef ReadSource source
    cdef PackedRows rows
    cdef pipe_Rect area
    cdef Given given
    cdef uint32_t pixel_format = 0, pixel_type = 0, from_format = 0
    cdef GLenum error = GL_INVALID_VALUE if width < 0 or height < 0 else pixels_check(format, type, &pixel_format,
                                                                                      &pixel_type)
    if error == 0:
        error = read_source(ctx, &source)
    if error == 0:
        error = check_read(&source, pixel_format, &from_format)
    if error:
        set_error(ctx, error)
        return
    memset(&read, 0, sizeof(read))
    user_image(&read.image, &ctx.pack, pixel_format, pixel_type, 2, <uint32_t>width, <uint32_t>height, 1)
    if ctx.pixel_pack_buffer != NULL:           # then `bytes` counts from the start of the buffer
        given = pack_offset(ctx, &read.image, pixels, <uint64_t*>&read.bytes)
    else:
        given = pack_target(ctx, &read.image, pixels, &read.bytes)
    if given != GIVEN or not clip(&read, &source, x, y):
        return
    read.layout = layout_for(from_format, pixel_format)
    read.clamp = clamps(ctx, from_format)
    read.attachment = source.attachment
    if pipe_formats[from_format].kind == FORMAT_KIND_NONE:      # depth, stencil
        read.attachment = -1
    if ctx.pixel_pack_buffer == NULL:
        read_bands(ctx, &read)
        return
    packed_rows(&rows, &read)
    area.x0 = read.x
    area.y0 = read.y
    area.x1 = read.x + <int32_t>read.image.width
    area.y1 = read.y + <int32_t>read.image.height
    track_read_pixels_to_buffer(ctx, &area, read.attachment, ctx.pixel_pack_buffer, &rows)


# ------------------------------------------------------------------------------------------------------------- textures

cdef Level* level_of(Context* ctx, GLenum target, GLint level, Texture** texture, uint32_t* face) noexcept nogil:
    """The level that a query names; NULL after setting the error."""
    cdef bint is_face = GL_TEXTURE_CUBE_MAP_POSITIVE_X <= target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
    if target == GL_TEXTURE_CUBE_MAP:           # which face?
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    texture[0] = bound_texture(ctx, GL_TEXTURE_CUBE_MAP if is_face else target)
    if texture[0] == NULL:
        return NULL
    if level < 0 or level >= LEVELS or (level and (target == GL_TEXTURE_RECTANGLE or texture[0].samples)):
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    face[0] = target - GL_TEXTURE_CUBE_MAP_POSITIVE_X if is_face else 0
    return texture_level(texture[0], face[0], <uint32_t>level)


cdef void pack_own_copy(Context* ctx, Read* read, Level* level) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[level.format]
    cdef Tight source
    cdef const uint8_t* texels = shadow_view(ctx.session.shadow, &level.shadow, 0, level.shadow.size)
    if texels == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    canonical_layout(&source, level.format)
    source.row_stride = <uint64_t>level.width * info.texel_bytes
    source.slice_stride = source.row_stride * level.height
    pixels_pack(read.bytes, &read.image, &source, texels, False)


cdef void pack_nothing(Context* ctx, Read* read, Level* level) noexcept nogil:
    """Contents that nobody defined: zeros, from one row that stands for all."""
    cdef Tight source
    cdef void* row = calloc(level.width, pipe_formats[level.format].texel_bytes)
    if row == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    canonical_layout(&source, level.format)
    source.row_stride = source.slice_stride = 0
    pixels_pack(read.bytes, &read.image, &source, <const uint8_t*>row, False)
    free(row)


cdef void image_to_buffer(Context* ctx, Read* read) noexcept nogil:
    cdef PackedRows rows
    cdef pipe_Box box
    memset(&box, 0, sizeof(box))
    packed_rows(&rows, read)
    box.width = read.image.width
    box.height = read.image.height
    box.depth = read.image.depth
    if read.texture.target_index == INDEX_1D_ARRAY:     # the program's rows are layers
        box.height = 1
        box.depth = read.image.height
        rows.slice_stride = rows.row_stride
    track_get_texture_image_to_buffer(ctx, read.texture, read.face, read.level, &box, ctx.pixel_pack_buffer, &rows)


cdef void GetTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type,
                      void* pixels) noexcept nogil:
    cdef Read read
    cdef Level* store
    cdef uint32_t pixel_format = 0, pixel_type = 0, dimensions
    cdef GLenum error
    if target == GL_TEXTURE_BUFFER or target == GL_TEXTURE_2D_MULTISAMPLE or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        set_error(ctx, GL_INVALID_ENUM)
        return
    memset(&read, 0, sizeof(read))
    store = level_of(ctx, target, level, &read.texture, &read.face)
    if store == NULL:
        return
    error = pixels_check(format, type, &pixel_format, &pixel_type)
    if error == 0 and store.format != FORMAT_NONE:
        error = pixels_match(pixel_format, store.format, True)
    if error:
        set_error(ctx, error)
        return
    if store.format == FORMAT_NONE:             # an image of no size
        return
    dimensions = 3 if target == GL_TEXTURE_3D or target == GL_TEXTURE_2D_ARRAY else 2
    if read.texture.target_index == INDEX_1D_ARRAY:
        user_image(&read.image, &ctx.pack, pixel_format, pixel_type, dimensions, store.width, store.depth, 1)
    else:
        user_image(&read.image, &ctx.pack, pixel_format, pixel_type, dimensions, store.width, store.height, store.depth)
    read.level = <uint32_t>level
    if ctx.pixel_pack_buffer != NULL and store.owner == OWNER_GPU:
        if pack_offset(ctx, &read.image, pixels, <uint64_t*>&read.bytes) == GIVEN:
            read.layout = layout_for(store.format, pixel_format)
            image_to_buffer(ctx, &read)
        return
    if pack_target(ctx, &read.image, pixels, &read.bytes) != GIVEN:
        return
    if (store.owner == OWNER_CLIENT or store.owner == OWNER_BOTH) and store.shadow.size:
        pack_own_copy(ctx, &read, store)
    elif store.owner == OWNER_NONE:
        pack_nothing(ctx, &read, store)
    else:
        read.layout = layout_for(store.format, pixel_format)
        if not read_bands(ctx, &read):
            return
    pack_done(ctx, &read.image, pixels)


cdef GLint component_type(uint32_t kind) noexcept nogil:
    if kind == FORMAT_KIND_UNORM: return GL_UNSIGNED_NORMALIZED
    if kind == FORMAT_KIND_SNORM: return GL_SIGNED_NORMALIZED
    if kind == FORMAT_KIND_FLOAT: return GL_FLOAT
    if kind == FORMAT_KIND_INT: return GL_INT
    return GL_UNSIGNED_INT if kind == FORMAT_KIND_UINT else GL_NONE


cdef bint level_parameter(Texture* texture, Level* level, GLenum pname, GLint* value) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[level.format]
    cdef bint rows_are_layers = texture.target_index == INDEX_1D_ARRAY
    if pname == GL_TEXTURE_WIDTH: value[0] = <GLint>level.width
    elif pname == GL_TEXTURE_HEIGHT: value[0] = <GLint>(level.depth if rows_are_layers else level.height)
    elif pname == GL_TEXTURE_DEPTH: value[0] = <GLint>(min(level.depth, 1) if rows_are_layers else level.depth)
    elif pname == GL_TEXTURE_INTERNAL_FORMAT: value[0] = <GLint>level.internal_format if level.format else GL_RGBA
    elif pname == GL_TEXTURE_SAMPLES: value[0] = <GLint>texture.samples
    elif pname == GL_TEXTURE_FIXED_SAMPLE_LOCATIONS: value[0] = <GLint>texture.fixed_samples
    elif GL_TEXTURE_RED_SIZE <= pname <= GL_TEXTURE_ALPHA_SIZE: value[0] = info.bits[pname - GL_TEXTURE_RED_SIZE]
    elif pname == GL_TEXTURE_DEPTH_SIZE: value[0] = info.bits[4]
    elif pname == GL_TEXTURE_STENCIL_SIZE: value[0] = info.bits[5]
    elif pname == GL_TEXTURE_SHARED_SIZE: value[0] = info.shared_bits
    elif GL_TEXTURE_RED_TYPE <= pname <= GL_TEXTURE_ALPHA_TYPE:
        value[0] = component_type(info.kind) if info.bits[pname - GL_TEXTURE_RED_TYPE] else GL_NONE
    elif pname == GL_TEXTURE_DEPTH_TYPE: value[0] = component_type(info.depth_kind)
    elif pname == GL_TEXTURE_COMPRESSED: value[0] = GL_FALSE
    elif pname == GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
        value[0] = <GLint>texture.buffer.name if texture.buffer != NULL else 0
    elif pname == GL_TEXTURE_BUFFER_OFFSET: value[0] = <GLint>texture.buffer_offset
    elif pname == GL_TEXTURE_BUFFER_SIZE: value[0] = <GLint>texture.buffer.size if texture.buffer != NULL else 0
    else:
        return False
    return True


cdef void GetTexLevelParameteriv(Context* ctx, GLenum target, GLint level, GLenum pname, GLint* params) noexcept nogil:
    cdef Texture* texture = NULL
    cdef uint32_t face = 0
    cdef Level* store = level_of(ctx, target, level, &texture, &face)
    cdef Level of_buffer
    if store == NULL:
        return
    if target == GL_TEXTURE_BUFFER and texture.buffer != NULL:
        of_buffer = store[0]
        of_buffer.width = <uint32_t>(texture.buffer.size / pipe_formats[store.format].texel_bytes)
        of_buffer.height = of_buffer.depth = 1
        store = &of_buffer
    if not level_parameter(texture, store, pname, params):
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetTexLevelParameterfv(Context* ctx, GLenum target, GLint level, GLenum pname,
                                 GLfloat* params) noexcept nogil:
    cdef GLint value = 0
    cdef GLenum before = ctx.error
    ctx.error = 0
    GetTexLevelParameteriv(ctx, target, level, pname, &value)
    if ctx.error == 0:
        params[0] = <GLfloat>value
    if before:
        ctx.error = before
