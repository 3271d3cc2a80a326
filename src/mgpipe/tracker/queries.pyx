# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Queries, fences, conditional rendering. See queries.pxd.

Whoever polls never waits: the server sends each completion as an event when it sees it, and looks for completions at every
flush and whenever it has nothing else to do. So a poll looks at the events, and makes the server look once, by a flush,
if none has followed yet what is polled for: a loop that polls always ends. In monolith there is no other thread that could
look, and every poll does.

Query objects keep their handles when the mirror is dropped: what they count is only there.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from pipe cimport (PIPE_HANDLE_FENCE, PIPE_HANDLE_QUERY, PIPE_REPLY_OK, pipe_fence_create, pipe_fence_destroy,
                   pipe_fence_wait, pipe_fence_wait_server, pipe_query_begin, pipe_query_counter, pipe_query_create,
                   pipe_query_destroy, pipe_query_end, pipe_query_result, pipe_query_result_to_buffer,
                   pipe_render_condition, pipe_reply)
from mgpipe.client.session cimport (TOPOLOGY_MONOLITH, Session, fence_signalled, handle_free, handle_new, poll_events,
                                    query_completed)
from mgpipe.front.context cimport Buffer, Context, Query, Sync
from mgpipe.tracker.mirror cimport enter_context
from mgpipe.tracker.outputs cimport buffer_gpu_wrote
from mgpipe.tracker.resources cimport ensure_buffer
from mgpipe.tracker.validate cimport begin_verb, track_flush


cdef bint must_tell(Context* ctx, uint64_t ordinal) noexcept nogil:
    """Whether the server has no reason yet to look at what record `ordinal` made; gives it one."""
    if ctx.session.topology != TOPOLOGY_MONOLITH and ctx.session.looked >= ordinal:
        return False
    track_flush(ctx)
    poll_events(ctx.session)
    return True


# --------------------------------------------------------------------------------------------------------- queries

cdef void ensure_query(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_create create
    if query.handle.gen == 0:
        query.handle = handle_new(ctx.session, PIPE_HANDLE_QUERY)
        create.query = query.handle
        create.target = query.target
        create.pad0 = 0
        ctx.session.context.query_create(ctx.session.self, &create)


cdef void track_query_begin(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_begin record
    begin_verb(ctx)
    ensure_query(ctx, query)
    query.run += 1
    query.result_ready = 0
    record.query = query.handle
    record.target = query.target
    record.stream = query.stream
    ctx.session.context.query_begin(ctx.session.self, &record)


cdef void track_query_end(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_end record
    begin_verb(ctx)
    record.query = query.handle
    record.target = query.target
    record.stream = query.stream
    ctx.session.context.query_end(ctx.session.self, &record)
    query.ended = ctx.session.emitted


cdef void track_query_counter(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_counter record
    begin_verb(ctx)
    ensure_query(ctx, query)
    query.run += 1
    query.result_ready = 0
    record.query = query.handle
    ctx.session.context.query_counter(ctx.session.self, &record)
    query.ended = ctx.session.emitted


cdef inline bint heard_of_query(Context* ctx, Query* query) noexcept nogil:
    if query_completed(ctx.session, query.handle, query.run, &query.result):
        query.result_ready = 1
    return query.result_ready != 0


cdef bint track_query_look(Context* ctx, Query* query, bint tell) noexcept nogil:
    if query.result_ready:
        return True
    poll_events(ctx.session)
    if heard_of_query(ctx, query):
        return True
    return tell and must_tell(ctx, query.ended) and heard_of_query(ctx, query)


cdef bint track_query_wait(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_result record
    cdef pipe_reply reply
    if track_query_look(ctx, query, False):
        return True
    begin_verb(ctx)
    memset(&reply, 0, sizeof(reply))
    record.query = query.handle
    record.wait = 1
    record.pad0 = 0
    ctx.session.context.query_result(ctx.session.self, &record, &reply)
    if reply.status == PIPE_REPLY_OK and reply.value[0]:
        query.result = reply.value[1]
        query.result_ready = 1
    return query.result_ready != 0


cdef void track_query_to_buffer(Context* ctx, Query* query, Buffer* buffer, uint64_t offset, uint32_t type, uint32_t pname) noexcept nogil:
    cdef pipe_query_result_to_buffer record
    begin_verb(ctx)
    ensure_buffer(ctx, buffer)
    record.query = query.handle
    record.buffer = buffer.handle
    record.offset = offset
    record.type = type
    record.pname = pname
    ctx.session.context.query_result_to_buffer(ctx.session.self, &record)
    buffer_gpu_wrote(buffer, offset, 8)


cdef void track_render_condition(Context* ctx, Query* query, uint32_t mode) noexcept nogil:
    cdef pipe_render_condition record
    begin_verb(ctx)
    memset(&record, 0, sizeof(record))
    if query != NULL:
        record.query = query.handle
        record.mode = mode
    ctx.session.context.render_condition(ctx.session.self, &record)


cdef bint track_timestamp(Context* ctx, uint64_t* now) noexcept nogil:
    cdef pipe_reply reply
    begin_verb(ctx)
    memset(&reply, 0, sizeof(reply))
    ctx.session.context.timestamp(ctx.session.self, &reply)
    now[0] = reply.value[0]
    return reply.status == PIPE_REPLY_OK


cdef void track_delete_query(Context* ctx, Query* query) noexcept nogil:
    cdef pipe_query_destroy record
    if query.handle.gen == 0:
        return
    enter_context(ctx)
    record.query = query.handle
    ctx.session.context.query_destroy(ctx.session.self, &record)
    handle_free(ctx.session, PIPE_HANDLE_QUERY, query.handle)
    query.handle.slot = query.handle.gen = 0


# ---------------------------------------------------------------------------------------------------------- fences

cdef void track_fence(Context* ctx, Sync* sync) noexcept nogil:
    cdef pipe_fence_create record
    begin_verb(ctx)
    sync.handle = handle_new(ctx.session, PIPE_HANDLE_FENCE)
    record.fence = sync.handle
    ctx.session.screen.fence_create(ctx.session.self, &record)
    sync.ordinal = ctx.session.emitted


cdef inline bint heard_of_fence(Context* ctx, Sync* sync) noexcept nogil:
    if fence_signalled(ctx.session, sync.handle):
        sync.signalled = 1
    return sync.signalled != 0


cdef bint track_fence_look(Context* ctx, Sync* sync, bint tell) noexcept nogil:
    if sync.signalled:
        return True
    poll_events(ctx.session)
    if heard_of_fence(ctx, sync):
        return True
    return tell and must_tell(ctx, sync.ordinal) and heard_of_fence(ctx, sync)


cdef int track_fence_wait(Context* ctx, Sync* sync, uint64_t timeout_ns) noexcept nogil:
    cdef pipe_fence_wait record
    cdef pipe_reply reply
    if track_fence_look(ctx, sync, False):
        return 1
    begin_verb(ctx)
    memset(&reply, 0, sizeof(reply))
    record.fence = sync.handle
    record.timeout_ns = timeout_ns
    record.flush = 1
    record.pad0 = 0
    ctx.session.screen.fence_wait(ctx.session.self, &record, &reply)
    if reply.status != PIPE_REPLY_OK:
        return -1
    sync.signalled = reply.value[0] != 0
    return 1 if sync.signalled else 0


cdef void track_fence_wait_server(Context* ctx, Sync* sync) noexcept nogil:
    cdef pipe_fence_wait_server record
    begin_verb(ctx)
    record.fence = sync.handle
    ctx.session.screen.fence_wait_server(ctx.session.self, &record)


cdef void track_delete_fence(Session* session, Sync* sync) noexcept nogil:
    cdef pipe_fence_destroy record
    if sync.handle.gen == 0:
        return
    record.fence = sync.handle
    session.screen.fence_destroy(session.self, &record)
    handle_free(session, PIPE_HANDLE_FENCE, sync.handle)
    sync.handle.slot = sync.handle.gen = 0
