# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Level 2 of verify mode. See contents.pxd; server/watch.pyx reads the driver's bytes and compares.

Bytes that were not sent yet are no mistake: an object with any waits for the next time. So does what the GPU wrote, which
has no other copy. A pinned buffer's bytes are the driver's. Textures are compared where a read layout holds the texels as they are.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE
from pipe cimport PipeContext, pipe_verify_contents
from pipe_formats cimport (PIXEL_RED, PIXEL_RED_INTEGER, PIXEL_RG, PIXEL_RGB, PIXEL_RGB_INTEGER, PIXEL_RG_INTEGER, pipe_FormatInfo,
                           pipe_formats, pipe_read_layouts)
from mgpipe.client.session cimport Session, next_ordinal
from mgpipe.front.context cimport LEVELS, OWNER_CLIENT, Buffer, Context, Level, Names, Texture, name_get
from mgpipe.links.shadow cimport shadow_span, shadow_view


cdef void verify_contents(Context* ctx, PipeContext* table) noexcept nogil:
    cdef Names* names = &ctx.group.buffers
    cdef Buffer* buffer
    cdef Texture* texture
    cdef uint32_t i
    for i in range(names.capacity):
        buffer = <Buffer*>name_get(names, i)
        if buffer != NULL:
            compare_buffer(ctx.session, table, buffer)
    names = &ctx.group.textures
    for i in range(names.capacity):
        texture = <Texture*>name_get(names, i)
        if texture != NULL:
            compare_texture(ctx.session, table, texture)


cdef void compare_buffer(Session* session, PipeContext* table, Buffer* buffer) noexcept nogil:
    cdef pipe_verify_contents record
    cdef uint64_t at = 0, size
    if (buffer.pinned or buffer.owner != OWNER_CLIENT or buffer.handle.gen == 0 or buffer.respecify or buffer.map_access
            or buffer.pending.count or buffer.gpu.count or buffer.sent_epoch != session.mirror_epoch + 1):
        return
    memset(&record, 0, sizeof(record))
    record.resource = buffer.handle
    while at < buffer.shadow.size:
        size = shadow_span(session.shadow, &buffer.shadow, at, buffer.shadow.size - at, next_ordinal(session), &record.bytes)
        if size == 0:
            return
        record.offset = at
        table.verify_contents(session.self, &record)
        at += size


cdef bint readable(const pipe_FormatInfo* info) noexcept nogil:
    """Texels begin with the same bytes in the format's own layout and in the one that is read."""
    cdef uint32_t f = info.pixel_format
    if info.pixel_type != pipe_read_layouts[info.read_layout].pixel_type:
        return False
    return (f == pipe_read_layouts[info.read_layout].pixel_format or f == PIXEL_RED or f == PIXEL_RG or f == PIXEL_RGB
            or f == PIXEL_RED_INTEGER or f == PIXEL_RG_INTEGER or f == PIXEL_RGB_INTEGER)


cdef void compare_texture(Session* session, PipeContext* table, Texture* texture) noexcept nogil:
    cdef uint32_t face, number
    if (texture.handle.gen == 0 or texture.pending_linked or texture.sent_epoch != session.mirror_epoch + 1 or texture.samples
            or not (texture.target == GL_TEXTURE_1D or texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_3D
                    or texture.target == GL_TEXTURE_2D_ARRAY or texture.target == GL_TEXTURE_CUBE_MAP
                    or texture.target == GL_TEXTURE_RECTANGLE)):
        return
    for face in range(texture.faces):
        for number in range(LEVELS):
            compare_level(session, table, texture, face, number, &texture.levels[face * LEVELS + number])


cdef void compare_level(Session* session, PipeContext* table, Texture* texture, uint32_t face, uint32_t number,
                        Level* level) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[level.format]
    cdef pipe_verify_contents record
    cdef uint64_t size = <uint64_t>level.width * level.height * level.depth * info.texel_bytes
    if (level.format == 0 or level.owner != OWNER_CLIENT or level.region_count or level.respecify or size == 0
            or level.shadow.size != size or not readable(info)):
        return
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.level = number
    record.layout = info.read_layout
    record.texel_bytes = info.texel_bytes
    record.box.z = <int32_t>face
    record.box.width = level.width
    record.box.height = level.height
    record.box.depth = level.depth
    if shadow_view(session.shadow, &level.shadow, 0, size) == NULL:      # joins pieces, so that one span has them all
        return
    if shadow_span(session.shadow, &level.shadow, 0, size, next_ordinal(session), &record.bytes) == size:
        table.verify_contents(session.self, &record)
