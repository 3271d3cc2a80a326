# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reads of framebuffers and textures (specification 8.11, 18.2). See reads.pxd.

The driver answers in one of a few layouts; the client makes the program's format, type and pixel store of it. What the
client owns is answered from its own copy, without a round trip.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from glenum cimport *
from pipe cimport (PIPE_READ_LAYOUT_BLOCKS, PIPE_READ_LAYOUT_DEPTH32F, PIPE_READ_LAYOUT_STENCIL8, pipe_Blob, pipe_Box, pipe_Rect)
from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_NONE, FORMAT_KIND_SNORM, FORMAT_KIND_UINT,
                           FORMAT_KIND_UNORM, FORMAT_NONE, PIXEL_DEPTH_COMPONENT, PIXEL_DEPTH_STENCIL,
                           PIXEL_STENCIL_INDEX, pipe_FormatInfo,
                           pipe_ReadLayout, pipe_formats, pipe_read_layouts)
from mgpipe.client.session cimport Session, Taker, reply_at, reply_lands, reply_limit, reply_release, reply_reserve
from mgpipe.front.context cimport (LEVELS, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, Context, GLenum, GLfloat, GLint,
                                   GLsizei, GLuint, Level, Texture,
                                   set_error)
from mgpipe.front.formats cimport BLOCK, format_offset, format_row, format_rows, format_slice
from mgpipe.front.completeness cimport ReadSource, read_source
from mgpipe.front.gets cimport draw_samples
from mgpipe.front.pixels cimport Tight, UserImage, canonical_layout, pixels_agree, pixels_check, pixels_match, pixels_pack, user_image
from mgpipe.front.teximages cimport is_face, proxied, proxy_level
from mgpipe.front.textures cimport INDEX_1D_ARRAY, bound_texture, texture_level
from mgpipe.front.transfer cimport GIVEN, Given, pack_done, pack_offset, pack_target
from mgpipe.links.shadow cimport shadow_view
from mgpipe.tracker.owners cimport owner_of
from mgpipe.tracker.validate cimport (PackedRows, track_get_texture_image, track_get_texture_image_to_buffer,
                                      track_read_pixels, track_read_pixels_to_buffer, track_sample_positions)

cdef enum:
    LANDS_BYTES = 1 << 30       # of one answer where the program wants it: what a driver takes for a size

# A read in progress: what to ask for, box by box, and where it goes.
cdef struct Read:
    UserImage image                     # of the whole read
    uint8_t* bytes                      # its first texel
    uint32_t layout
    bint clamp
    Texture* texture                    # NULL: the read framebuffer
    uint32_t face, level
    int32_t attachment
    int32_t x, y                        # first texel of the framebuffer's or the level's area
    uint32_t z                          # first layer


cdef uint32_t layout_for(uint32_t format, uint32_t pixel_format) noexcept nogil:
    if pixel_format == PIXEL_DEPTH_COMPONENT: return PIPE_READ_LAYOUT_DEPTH32F
    if pixel_format == PIXEL_STENCIL_INDEX: return PIPE_READ_LAYOUT_STENCIL8
    return pipe_formats[format].read_layout


cdef bint clamps(Context* ctx, uint32_t format) noexcept nogil:
    """glClampColor(GL_CLAMP_READ_COLOR): fixed-point colours are clamped unless it is off."""
    cdef uint32_t kind = pipe_formats[format].kind
    if ctx.clamp_read_color == GL_FIXED_ONLY:
        return kind == FORMAT_KIND_UNORM or kind == FORMAT_KIND_SNORM
    return ctx.clamp_read_color != GL_FALSE


cdef void part_box(const Read* read, uint32_t column, uint32_t row, uint32_t slice_, uint32_t width, uint32_t height,
                   pipe_Box* box) noexcept nogil:
    """Which texels of the level a part of the image is."""
    cdef const Level* level = &read.texture.levels[read.face * LEVELS + read.level]
    cdef uint32_t block = pipe_formats[level.format].block_bytes
    box.x = read.x + <int32_t>column
    box.y = read.y + <int32_t>row
    box.z = <int32_t>(read.z + slice_)
    box.width = width
    box.height = height
    box.depth = 1
    if read.layout == PIPE_READ_LAYOUT_BLOCKS:              # columns are bytes, rows are rows of blocks
        box.x = read.x + <int32_t>(column / block * BLOCK)
        box.y = read.y + <int32_t>(row * BLOCK)
        box.width = min(width / block * BLOCK, level.width - <uint32_t>box.x)
        box.height = min(height * BLOCK, level.height - <uint32_t>box.y)
    elif read.texture.target_index == INDEX_1D_ARRAY:       # the program's rows are layers
        box.y = 0
        box.z = <int32_t>(read.z + row)
        box.height = 1
        box.depth = height


# The rows of one answer on their way into place, as they come.
cdef struct Rows:
    Taker taker
    UserImage part
    Tight source
    const uint8_t* texels
    uint8_t* bytes
    uint32_t taken, count
    bint clamp


cdef void take_rows(Taker* taker, uint64_t done) noexcept nogil:
    cdef Rows* rows = <Rows*>taker
    cdef uint32_t whole = <uint32_t>min(done / rows.source.row_stride, <uint64_t>rows.count)
    if whole > rows.taken and rows.texels != rows.bytes:
        rows.part.height = whole - rows.taken
        pixels_pack(rows.bytes + rows.taken * rows.part.row_stride, &rows.part, &rows.source,
                    rows.texels + rows.taken * rows.source.row_stride, rows.clamp)
        rows.taken = whole


cdef void answer_rows(Tight* rows, const Read* read, uint32_t width) noexcept nogil:
    cdef const pipe_ReadLayout* layout = &pipe_read_layouts[read.layout]
    rows.format = layout.pixel_format
    rows.type = layout.pixel_type
    rows.depth_bits = rows.pad0 = 0
    rows.row_stride = <uint64_t>width * layout.texel_bytes
    rows.slice_stride = 0


cdef bint read_part(Context* ctx, Read* read, uint32_t column, uint32_t row, uint32_t slice_, uint32_t width,
                    uint32_t height) noexcept nogil:
    """One answer's worth of rows of one slice, into place."""
    cdef uint64_t size = <uint64_t>width * height * pipe_read_layouts[read.layout].texel_bytes
    cdef Session* session = ctx.session
    cdef Rows rows
    cdef pipe_Blob blob
    cdef pipe_Rect area
    cdef pipe_Box box
    cdef int failed
    rows.taker.take = take_rows
    rows.part = read.image
    rows.part.width = width
    rows.part.depth = 1
    answer_rows(&rows.source, read, width)
    rows.bytes = read.bytes + slice_ * read.image.slice_stride + row * read.image.row_stride + column * read.image.group_bytes
    rows.taken = 0
    rows.count = height
    rows.clamp = read.clamp
    rows.texels = NULL
    if pixels_agree(&rows.part, &rows.source, rows.clamp):
        rows.texels = reply_at(session, rows.bytes, size, &blob)
    if rows.texels == NULL:
        rows.texels = reply_reserve(session, size, &blob)
    if rows.texels == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return False
    if read.texture != NULL:
        part_box(read, column, row, slice_, width, height, &box)
        failed = track_get_texture_image(ctx, read.texture, read.face, read.level, read.layout, &box, &blob)
    else:
        area.x0 = read.x + <int32_t>column
        area.y0 = read.y + <int32_t>row
        area.x1 = area.x0 + <int32_t>width
        area.y1 = area.y0 + <int32_t>height
        failed = track_read_pixels(ctx, &area, read.attachment, read.layout, &blob, &rows.taker)
    if not failed:
        take_rows(&rows.taker, blob.size)
    elif not session.lost:
        set_error(ctx, GL_INVALID_OPERATION)        # the server refused, and has said by name what
    reply_release(session, &blob)
    return not failed


cdef bint read_bands(Context* ctx, Read* read) noexcept nogil:
    """In bands of as many whole rows as one answer holds; of rows longer than that, in parts of a row."""
    cdef uint64_t limit = reply_limit(ctx.session)
    cdef uint32_t columns, rows, column, row, slice_
    cdef Tight source
    answer_rows(&source, read, read.image.width)
    if (pixels_agree(&read.image, &source, read.clamp)
            and reply_lands(ctx.session, <uintptr_t>read.bytes | read.image.row_stride | read.image.slice_stride)):
        limit = LANDS_BYTES
    limit /= pipe_read_layouts[read.layout].texel_bytes
    columns = read.image.width if read.image.width <= limit else <uint32_t>limit & ~<uint32_t>15    # whole blocks
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


cdef void read_pixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                      size_t limit, void* pixels) noexcept nogil:
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
    if read.image.size and limit != <size_t>-1 and read.image.first + read.image.size > limit:
        set_error(ctx, GL_INVALID_OPERATION)
        return
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


cdef void ReadPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                     void* pixels) noexcept nogil:
    read_pixels(ctx, x, y, width, height, format, type, <size_t>-1, pixels)


cdef void ReadnPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                      GLsizei bufSize, void* data) noexcept nogil:
    if bufSize < 0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        read_pixels(ctx, x, y, width, height, format, type, <size_t>bufSize, data)


# ------------------------------------------------------------------------------------------------------------- textures

cdef Level* level_of(Context* ctx, GLenum target, GLint level, Texture** texture, uint32_t* face,
                     bint proxies) noexcept nogil:
    """The level that a query names; NULL after setting the error. Of a proxy there is no texture."""
    cdef bint of_face = is_face(target)
    cdef GLenum real = proxied(target)
    if target == GL_TEXTURE_CUBE_MAP or (real and not proxies):         # which face?
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    texture[0] = NULL
    if real == 0:
        texture[0] = bound_texture(ctx, GL_TEXTURE_CUBE_MAP if of_face else target)
        if texture[0] == NULL:
            return NULL
        real = texture[0].target
    if level < 0 or level >= LEVELS or (level and (real == GL_TEXTURE_RECTANGLE or real == GL_TEXTURE_BUFFER
                                                   or real == GL_TEXTURE_2D_MULTISAMPLE
                                                   or real == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)):
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    if texture[0] == NULL:
        return proxy_level(ctx, real, <uint32_t>level)
    face[0] = target - GL_TEXTURE_CUBE_MAP_POSITIVE_X if of_face else 0
    return texture_level(texture[0], face[0], <uint32_t>level)


cdef void pack_own_copy(Context* ctx, Read* read, Level* level, const pipe_Box* box, bint blocks) noexcept nogil:
    """From the client's own copy; a 1D array's layers are rows of the image."""
    cdef Tight source
    cdef uint64_t slice_ = format_slice(level.format, level.width, level.height)
    cdef uint64_t first = format_offset(level.format, level.width, level.height, box.x, box.y, box.z)
    cdef uint64_t size = (slice_ * (box.depth - 1) + format_row(level.format, level.width) * (format_rows(
        level.format, box.height) - 1) + format_row(level.format, box.width))
    cdef const uint8_t* texels = shadow_view(ctx.session.shadow, &level.shadow, first, size)
    if texels == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    canonical_layout(&source, level.format)
    if blocks:
        source.format = read.image.format
        source.type = read.image.type
    source.row_stride = format_row(level.format, level.width)
    source.slice_stride = slice_
    if read.texture.target_index == INDEX_1D_ARRAY:
        source.row_stride = slice_
    pixels_pack(read.bytes, &read.image, &source, texels, False)


cdef void pack_nothing(Context* ctx, Read* read, Level* level) noexcept nogil:
    """Contents that nobody defined: zeros, from one row that stands for all."""
    cdef Tight source
    cdef void* row = calloc(read.image.width, 16)
    if row == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    canonical_layout(&source, level.format)
    if read.layout == PIPE_READ_LAYOUT_BLOCKS:
        source.format = read.image.format
        source.type = read.image.type
    source.row_stride = source.slice_stride = 0
    pixels_pack(read.bytes, &read.image, &source, <const uint8_t*>row, False)
    free(row)


cdef void image_to_buffer(Context* ctx, Read* read, const pipe_Box* box) noexcept nogil:
    cdef PackedRows rows
    packed_rows(&rows, read)
    if read.texture.target_index == INDEX_1D_ARRAY:     # the program's rows are layers
        rows.slice_stride = rows.row_stride
    track_get_texture_image_to_buffer(ctx, read.texture, read.face, read.level, box, ctx.pixel_pack_buffer, &rows)


cdef bint only_on_gpu(const Level* level, const pipe_Box* box) noexcept nogil:
    cdef uint32_t layer
    for layer in range(<uint32_t>box.z, <uint32_t>box.z + box.depth):
        if owner_of(level, layer) != OWNER_GPU:
            return False
    return True


cdef void read_slices(Context* ctx, Read* read, Level* level, const pipe_Box* box) noexcept nogil:
    """Each run of layers from whoever owns it."""
    cdef bint rows_are_layers = read.texture.target_index == INDEX_1D_ARRAY
    cdef bint blocks = read.layout == PIPE_READ_LAYOUT_BLOCKS
    cdef Read part = read[0]
    cdef pipe_Box run = box[0]
    cdef uint32_t first = <uint32_t>box.z, end = <uint32_t>box.z + box.depth, at = first, count, owner
    while at < end:
        owner = owner_of(level, at)
        count = 1
        while at + count < end and owner_of(level, at + count) == owner:
            count += 1
        part.bytes = read.bytes + (at - first) * (read.image.row_stride if rows_are_layers else read.image.slice_stride)
        if rows_are_layers:
            part.image.height = count
        else:
            part.image.depth = count
        run.z = <int32_t>at
        run.depth = count
        part.z = at
        if owner & OWNER_CLIENT and level.shadow.size and (blocks or not pipe_formats[level.format].block_bytes):
            pack_own_copy(ctx, &part, level, &run, blocks)
        elif owner == OWNER_NONE:
            pack_nothing(ctx, &part, level)
        elif not read_bands(ctx, &part):
            return
        at += count


cdef void read_level(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                     const UserImage* image, uint32_t layout, size_t limit, void* pixels) noexcept nogil:
    cdef Read read
    cdef Level* store = texture_level(texture, face, level)
    if image.size and limit != <size_t>-1 and image.first + image.size > limit:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    memset(&read, 0, sizeof(read))
    read.texture = texture
    read.face = face
    read.level = level
    read.layout = layout
    read.image = image[0]
    read.x = box.x
    read.y = box.y
    if ctx.pixel_pack_buffer != NULL and layout != PIPE_READ_LAYOUT_BLOCKS and only_on_gpu(store, box):
        if pack_offset(ctx, &read.image, pixels, <uint64_t*>&read.bytes) == GIVEN:
            image_to_buffer(ctx, &read, box)
        return
    if pack_target(ctx, &read.image, pixels, &read.bytes) != GIVEN:
        return
    read_slices(ctx, &read, store, box)
    pack_done(ctx, &read.image, pixels)


cdef GLenum image_read(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                       uint32_t dimensions, GLenum format, GLenum type, size_t limit, void* pixels) noexcept nogil:
    """0, or the error. A level without format is an image of no size."""
    cdef UserImage image
    cdef Level* store = texture_level(texture, face, level)
    cdef uint32_t pixel_format = 0, pixel_type = 0
    cdef GLenum error = pixels_check(format, type, &pixel_format, &pixel_type)
    if error == 0 and store.format != FORMAT_NONE:
        error = pixels_match(pixel_format, store.format, True)
    if error or store.format == FORMAT_NONE:
        return error
    if texture.target_index == INDEX_1D_ARRAY:
        user_image(&image, &ctx.pack, pixel_format, pixel_type, dimensions, box.width, box.depth, 1)
    else:
        user_image(&image, &ctx.pack, pixel_format, pixel_type, dimensions, box.width, box.height, box.depth)
    read_level(ctx, texture, face, level, box, &image, layout_for(store.format, pixel_format), limit, pixels)
    return 0


cdef void get_tex_image(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type, size_t limit,
                        void* pixels) noexcept nogil:
    cdef Texture* texture = NULL
    cdef Level* store
    cdef pipe_Box box
    cdef uint32_t face = 0
    cdef GLenum error
    if target == GL_TEXTURE_BUFFER or target == GL_TEXTURE_2D_MULTISAMPLE or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        set_error(ctx, GL_INVALID_ENUM)
        return
    store = level_of(ctx, target, level, &texture, &face, False)
    if store == NULL:
        return
    box.x = box.y = box.z = 0
    box.width, box.height, box.depth = store.width, store.height, store.depth
    error = image_read(ctx, texture, face, <uint32_t>level, &box, 3 if texture.target == GL_TEXTURE_3D
                       or texture.target == GL_TEXTURE_2D_ARRAY or texture.target == GL_TEXTURE_CUBE_MAP_ARRAY else 2,
                       format, type, limit, pixels)
    if error:
        set_error(ctx, error)


cdef void GetTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type,
                      void* pixels) noexcept nogil:
    get_tex_image(ctx, target, level, format, type, <size_t>-1, pixels)


cdef void GetnTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                       void* pixels) noexcept nogil:
    if bufSize < 0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        get_tex_image(ctx, target, level, format, type, <size_t>bufSize, pixels)


cdef GLint component_type(uint32_t kind) noexcept nogil:
    if kind == FORMAT_KIND_UNORM: return GL_UNSIGNED_NORMALIZED
    if kind == FORMAT_KIND_SNORM: return GL_SIGNED_NORMALIZED
    if kind == FORMAT_KIND_FLOAT: return GL_FLOAT
    if kind == FORMAT_KIND_INT: return GL_INT
    return GL_UNSIGNED_INT if kind == FORMAT_KIND_UINT else GL_NONE


cdef bint level_parameter(Texture* texture, GLenum target, Level* level, GLenum pname, GLint* value) noexcept nogil:
    """`texture` is NULL for a proxy, whose samples the level remembers."""
    cdef const pipe_FormatInfo* info = &pipe_formats[level.format]
    cdef bint rows_are_layers = target == GL_TEXTURE_1D_ARRAY
    if pname == GL_TEXTURE_WIDTH: value[0] = <GLint>level.width
    elif pname == GL_TEXTURE_HEIGHT: value[0] = <GLint>(level.depth if rows_are_layers else level.height)
    elif pname == GL_TEXTURE_DEPTH: value[0] = <GLint>(min(level.depth, 1) if rows_are_layers else level.depth)
    elif pname == GL_TEXTURE_INTERNAL_FORMAT: value[0] = <GLint>level.internal_format if level.format else GL_RGBA
    elif pname == GL_TEXTURE_SAMPLES: value[0] = <GLint>(texture.samples if texture != NULL else level.region_count)
    elif pname == GL_TEXTURE_FIXED_SAMPLE_LOCATIONS:
        value[0] = <GLint>(texture.fixed_samples if texture != NULL else level.region_capacity)
    elif GL_TEXTURE_RED_SIZE <= pname <= GL_TEXTURE_ALPHA_SIZE: value[0] = info.bits[pname - GL_TEXTURE_RED_SIZE]
    elif pname == GL_TEXTURE_DEPTH_SIZE: value[0] = info.bits[4]
    elif pname == GL_TEXTURE_STENCIL_SIZE: value[0] = info.bits[5]
    elif pname == GL_TEXTURE_SHARED_SIZE: value[0] = info.shared_bits
    elif GL_TEXTURE_RED_TYPE <= pname <= GL_TEXTURE_ALPHA_TYPE:
        value[0] = component_type(info.kind) if info.bits[pname - GL_TEXTURE_RED_TYPE] else GL_NONE
    elif pname == GL_TEXTURE_DEPTH_TYPE: value[0] = component_type(info.depth_kind)
    elif pname == GL_TEXTURE_COMPRESSED: value[0] = info.block_bytes != 0
    elif pname == GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
        value[0] = <GLint>texture.buffer.name if texture != NULL and texture.buffer != NULL else 0
    elif pname == GL_TEXTURE_BUFFER_OFFSET: value[0] = <GLint>texture.buffer_offset if texture != NULL else 0
    elif pname == GL_TEXTURE_BUFFER_SIZE: value[0] = <GLint>buffer_texture_size(texture) if texture != NULL else 0
    else:
        return False
    return True


cdef uint64_t buffer_texture_size(const Texture* texture) noexcept nogil:
    if texture.buffer == NULL:
        return 0
    if texture.buffer_size != <uint64_t>-1:
        return texture.buffer_size
    return texture.buffer.size


cdef void level_query(Context* ctx, Texture* texture, GLenum target, Level* store, GLenum pname,
                      GLint* params) noexcept nogil:
    cdef Level of_buffer
    if texture != NULL and texture.target == GL_TEXTURE_BUFFER and texture.buffer != NULL:
        of_buffer = store[0]
        of_buffer.width = <uint32_t>min(<uint64_t>ctx.session.caps.max_texture_buffer_size, buffer_texture_size(texture)
                                        / pipe_formats[store.format].texel_bytes)
        of_buffer.height = of_buffer.depth = 1
        store = &of_buffer
    if pname == GL_TEXTURE_COMPRESSED_IMAGE_SIZE:
        if texture == NULL or not pipe_formats[store.format].block_bytes:
            set_error(ctx, GL_INVALID_OPERATION)
        else:
            params[0] = <GLint>(format_slice(store.format, store.width, store.height) * store.depth)
    elif not level_parameter(texture, target, store, pname, params):
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetTexLevelParameteriv(Context* ctx, GLenum target, GLint level, GLenum pname, GLint* params) noexcept nogil:
    cdef Texture* texture = NULL
    cdef uint32_t face = 0
    cdef Level* store = level_of(ctx, target, level, &texture, &face, True)
    if store != NULL:
        level_query(ctx, texture, texture.target if texture != NULL else proxied(target), store, pname, params)


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


# -------------------------------------------------------------------------------------------------- sample positions

cdef void GetMultisamplefv(Context* ctx, GLenum pname, GLuint index, GLfloat* val) noexcept nogil:
    """Where the draw framebuffer's samples lie is the driver's to say (specification 14.3.1)."""
    cdef pipe_Blob blob
    cdef const float* positions
    if pname != GL_SAMPLE_POSITION:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if index >= draw_samples(ctx):
        set_error(ctx, GL_INVALID_VALUE)
        return
    positions = <const float*>reply_reserve(ctx.session, (index + 1) * 2 * sizeof(float), &blob)
    if positions == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    ctx.session.stats.reads += 1
    if track_sample_positions(ctx, &blob) == 0:
        val[0] = positions[index * 2]
        val[1] = positions[index * 2 + 1]
    reply_release(ctx.session, &blob)
