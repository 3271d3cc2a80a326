# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs on textures. See textures.pxd."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from pipe cimport (PIPE_HANDLE_RESOURCE, pipe_Box, pipe_SubRegion, pipe_handle, pipe_resource_clear,
                   pipe_resource_copy_region, pipe_resource_create, pipe_resource_respecify, pipe_resource_subdata,
                   pipe_texture_from_buffer)
from pipe_formats cimport pipe_formats
from mgpipe.client.session cimport Session, handle_new, next_ordinal
from mgpipe.front.context cimport LEVELS, OWNER_GPU, Buffer, Context, Level, Renderbuffer, Texture
from mgpipe.links.shadow cimport Shadow, shadow_clear, shadow_span, shadow_view
from mgpipe.tracker.owners cimport mark_level
from mgpipe.tracker.resources cimport ensure_buffer, ensure_renderbuffer, ensure_texture, resource_target
from mgpipe.tracker.validate cimport PackedRows, begin, count_verb


cdef void track_flush_pending(Context* ctx) noexcept nogil:
    begin(ctx)


cdef void track_compress_texels(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                Shadow* texels) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_subdata record
    cdef pipe_SubRegion region
    begin(ctx)
    ensure_texture(ctx, texture)
    memset(&record, 0, sizeof(record))
    memset(&region, 0, sizeof(region))
    record.resource = texture.handle
    record.level = level
    record.texels = 1
    record.region_count = 1
    record.bounds = box[0]
    if texture.faces == 6:
        record.bounds.z = <int32_t>face
    region.box = record.bounds
    region.row_stride = pipe_formats[texture.levels[level].format].texel_bytes * box.width
    region.slice_stride = region.row_stride * box.height
    shadow_view(session.shadow, texels, 0, texels.size)         # one span
    shadow_span(session.shadow, texels, 0, texels.size, next_ordinal(session), &record.bytes)
    session.stats.uploads += 1
    session.stats.upload_bytes += texels.size
    session.context.resource_subdata(session.self, &record, &region)
    count_verb(session)


cdef void share_storage(Session* session, Texture* texture) noexcept nogil:
    """No level is the client's any more; what it had was sent."""
    cdef uint32_t i
    cdef Level* level
    texture.shared_storage = 1
    for i in range(texture.faces * LEVELS):
        level = &texture.levels[i]
        if level.format:
            mark_level(level, OWNER_GPU)
            shadow_clear(session.shadow, &level.shadow)


cdef void track_texture_view(Context* ctx, Texture* origin, Texture* view, uint32_t first_level,
                             uint32_t first_layer) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_create create
    cdef pipe_resource_respecify storage
    cdef const Level* base = &view.levels[0]
    begin(ctx)
    ensure_texture(ctx, origin)
    share_storage(session, origin)
    share_storage(session, view)
    view.handle = handle_new(session, PIPE_HANDLE_RESOURCE)
    create.resource = view.handle
    create.group = ctx.group.handle
    create.target = resource_target(view.target)
    create.gl_name = view.name
    session.screen.resource_create(session.self, &create)
    memset(&storage, 0, sizeof(storage))
    storage.resource = view.handle
    storage.target = create.target
    storage.format = base.format
    storage.width = base.width
    storage.height = base.height
    storage.depth = base.depth
    storage.levels = view.view_levels
    storage.samples = view.samples
    storage.fixed_samples = view.fixed_samples
    storage.immutable = 1
    storage.view_of = origin.handle
    storage.level = first_level
    storage.first_layer = first_layer
    session.screen.resource_respecify(session.self, &storage)
    view.sent_epoch = session.mirror_epoch + 1
    count_verb(session)


cdef void track_clear_texture(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                              const void* texel, uint32_t size) noexcept nogil:
    cdef pipe_resource_clear record
    begin(ctx)
    ensure_texture(ctx, texture)
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.level = level
    record.bounds = box[0]
    if texture.faces == 6:
        record.bounds.z = <int32_t>face
    record.pattern_size = size
    memcpy(record.pattern, texel, size)
    ctx.session.context.resource_clear(ctx.session.self, &record)
    count_verb(ctx.session)


cdef void track_texture_from_buffer(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                    Buffer* buffer, const PackedRows* rows) noexcept nogil:
    cdef pipe_texture_from_buffer record
    begin(ctx)
    ensure_texture(ctx, texture)
    ensure_buffer(ctx, buffer)
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.level = level
    record.box = box[0]
    if texture.faces == 6:
        record.box.z = <int32_t>face
    record.source = buffer.handle
    record.offset = rows.offset
    record.row_stride = rows.row_stride
    record.slice_stride = rows.slice_stride
    record.format = rows.format
    record.type = rows.type
    record.swap_group = rows.swap_bytes
    ctx.session.context.texture_from_buffer(ctx.session.self, &record)
    count_verb(ctx.session)


cdef pipe_handle ensure_end(Context* ctx, const CopyEnd* end) noexcept nogil:
    if end.texture != NULL:
        ensure_texture(ctx, end.texture)
        return end.texture.handle
    ensure_renderbuffer(ctx, end.renderbuffer)
    return end.renderbuffer.handle


cdef void track_copy_image(Context* ctx, const CopyEnd* source, const CopyEnd* target, const pipe_Box* box, int32_t x,
                           int32_t y, int32_t z) noexcept nogil:
    cdef pipe_resource_copy_region record
    begin(ctx)
    memset(&record, 0, sizeof(record))
    record.source = ensure_end(ctx, source)
    record.target = ensure_end(ctx, target)
    record.source_level = source.level
    record.target_level = target.level
    record.box = box[0]
    record.x = x
    record.y = y
    record.z = z
    ctx.session.context.resource_copy_region(ctx.session.self, &record)
    count_verb(ctx.session)
