# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs on textures. See textures.pxd."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from pipe cimport pipe_Box, pipe_SubRegion, pipe_resource_subdata
from pipe_formats cimport pipe_formats
from mgpipe.client.session cimport Session, next_ordinal
from mgpipe.front.context cimport Context, Texture
from mgpipe.links.shadow cimport Shadow, shadow_span, shadow_view
from mgpipe.tracker.resources cimport ensure_texture
from mgpipe.tracker.validate cimport begin, count_verb


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
