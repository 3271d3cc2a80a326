# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs on pinned buffers. See buffers.pxd."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from pipe cimport pipe_resource_subdata
from mgpipe.client.session cimport Session, next_ordinal
from mgpipe.front.context cimport OWNER_CLIENT, Buffer, Context, touch_group
from mgpipe.links.shadow cimport staging_reserve
from mgpipe.tracker.outputs cimport buffer_gpu_wrote
from mgpipe.tracker.pins cimport pinned_bytes
from mgpipe.tracker.resources cimport ensure_buffer
from mgpipe.tracker.validate cimport begin, count_verb, track_finish

cdef enum:
    STAGED_AT_ONCE = 4194304


cdef bint track_write_pinned(Context* ctx, Buffer* buffer, uint64_t offset, const uint8_t* bytes, uint64_t size) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_subdata record
    cdef uint64_t part
    cdef uint8_t* staged
    session.stats.client_copy_bytes += size
    if buffer.store == NULL:                    # nobody has seen the memory yet
        memcpy(pinned_bytes(ctx, buffer) + offset, bytes, size)
        buffer.owner = OWNER_CLIENT
        return True
    begin(ctx)
    ensure_buffer(ctx, buffer)
    while size:
        memset(&record, 0, sizeof(record))
        record.resource = buffer.handle
        record.offset = offset
        part = min(size, <uint64_t>STAGED_AT_ONCE)
        staged = staging_reserve(session.shadow, <uint32_t>part, next_ordinal(session), &record.bytes)
        if staged == NULL:
            return False
        memcpy(staged, bytes, part)
        session.stats.staging_bytes += part
        session.stats.uploads += 1
        session.stats.upload_bytes += part
        session.context.resource_subdata(session.self, &record, NULL)
        buffer_gpu_wrote(buffer, offset, part)
        offset += part
        bytes += part
        size -= part
    touch_group(ctx)
    count_verb(session)
    return True


cdef bint track_settle_pinned(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef uint32_t marks = buffer.gpu_marks
    if buffer.store == NULL:
        return True
    track_finish(ctx)
    if ctx.session.lost != 0:
        return False
    if buffer.gpu_marks == marks and buffer.gpu.count:      # else another thread's verbs have marked more
        buffer.gpu.count = 0
        buffer.owner = OWNER_CLIENT
        touch_group(ctx)                        # a verb that writes it is to mark it again
    return True
