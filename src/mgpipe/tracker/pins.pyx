# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffers over our own memory. See pins.pxd."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from pipe cimport PIPE_FEATURE_PINNED_MEMORY, PIPE_FEATURE_PINNED_UPLOADS, pipe_pin_memory
from mgpipe.client.session cimport TOPOLOGY_MONOLITH, Session, next_ordinal, session_publish
from mgpipe.front.context cimport Buffer, Context
from mgpipe.links.shadow cimport (SEGMENT_SHADOW, Block, block_data, block_pin, block_release, block_retain, block_unpin,
                                  shadow_block)

cdef enum:
    PAGE = 4096
    UPLOAD_FROM = 262144            # bytes; below, a fence costs more than the server's copy
    # In monolith whoever lets go of memory waits for the driver.
    UPLOAD_FROM_WAITING = 4194304

cdef bint _allowed = True


cdef void pins_allow(bint on) noexcept nogil:
    global _allowed
    _allowed = on


cdef bint lonely(Session* session) noexcept nogil:
    """Of several contexts each may be asked to read the memory; in monolith only the calling thread's can be waited for."""
    return session.users <= 1


cdef bint pins_storage(Context* ctx) noexcept nogil:
    return (_allowed and ctx.session.caps.features & PIPE_FEATURE_PINNED_MEMORY != 0
            and (ctx.session.topology != TOPOLOGY_MONOLITH or lonely(ctx.session)))


cdef uint8_t* pinned_bytes(Context* ctx, Buffer* buffer) noexcept nogil:
    return block_data(ctx.session.shadow, shadow_block(&buffer.shadow))


cdef void store_let_go(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef Block* block = buffer.store
    if block == NULL:
        return
    buffer.store = NULL
    if ctx.session.topology == TOPOLOGY_MONOLITH and not lonely(ctx.session):
        return                      # another context may be reading there still: the session's memory until its end
    block_unpin(block, next_ordinal(ctx.session))
    block_release(ctx.session.shadow, block)


cdef void send_pin(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Block* block = shadow_block(&buffer.shadow)
    cdef pipe_pin_memory record
    memset(&record, 0, sizeof(record))
    store_let_go(ctx, buffer)
    block_retain(block)
    block_pin(block)
    buffer.store = block
    record.resource = buffer.handle
    record.usage = buffer.usage
    record.bytes.segment = SEGMENT_SHADOW
    record.bytes.offset = block.offset
    record.bytes.size = buffer.size
    session.context.pin_memory(session.self, &record)
    buffer.respecify = 0


cdef bint pin_upload(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Block* block
    if (buffer.size < UPLOAD_FROM or buffer.pending.count != 1 or buffer.pending.low[0] != 0 or buffer.pending.high[0] != buffer.size
            or not session.caps.features & PIPE_FEATURE_PINNED_UPLOADS or not _allowed or not lonely(session)
            or session.verify > 1                   # which compares what was sent with what it was made of
            or buffer.persistent != NULL or (session.topology == TOPOLOGY_MONOLITH and buffer.size < UPLOAD_FROM_WAITING)):
        return False
    block = shadow_block(&buffer.shadow)
    if block == NULL or block.offset % PAGE or block == buffer.store:
        return False
    send_pin(ctx, buffer)
    buffer.pending.count = 0
    session.stats.uploads += 1
    session.stats.upload_bytes += buffer.size
    session_publish(session)
    return True
