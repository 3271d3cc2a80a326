# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Query objects (of one context) and sync objects (of the share group)."""

from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free

from glenum cimport *
from mgpipe.front.context cimport (Context, GLbitfield, GLboolean, GLenum, GLint, GLint64, GLsizei, GLuint, GLuint64, Query, Sync,
                                   name_generate, name_get, name_put, name_remove, name_reserved, set_error)
from mgpipe.front.mappings cimport mappings_fetch
from mgpipe.tracker.validate cimport (track_delete_fence, track_delete_query, track_fence, track_fence_wait,
                                      track_fence_wait_server, track_query_begin, track_query_counter, track_query_end,
                                      track_query_result)

cdef enum:
    # Context.active_queries: the two kinds of occlusion query exclude each other, so they share a place.
    OCCLUSION = 0
    GENERATED = 1
    WRITTEN = 2
    ELAPSED = 3
    NOWHERE = 8                 # no target of OpenGL 3.3, or one that is never active


cdef inline uint32_t place_of(Context* ctx, GLenum target) noexcept nogil:
    if target == GL_SAMPLES_PASSED or target == GL_ANY_SAMPLES_PASSED: return OCCLUSION
    if target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE and ctx.version >= 43: return OCCLUSION
    if target == GL_PRIMITIVES_GENERATED: return GENERATED
    if target == GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN: return WRITTEN
    return ELAPSED if target == GL_TIME_ELAPSED else NOWHERE


# --------------------------------------------------------------------------------------------------------- queries

cdef void GenQueries(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil:
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        ids[i] = name_generate(&ctx.queries)
        if ids[i] == 0:
            set_error(ctx, GL_OUT_OF_MEMORY)


cdef void end_query(Context* ctx, uint32_t place) noexcept nogil:
    cdef Query* query = ctx.active_queries[place]
    ctx.active_queries[place] = NULL
    query.active = 0
    track_query_end(ctx, query, query.target)


cdef void DeleteQueries(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil:
    cdef Query* query
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        query = <Query*>name_remove(&ctx.queries, ids[i])
        if query == NULL:
            continue
        if query.active:
            end_query(ctx, place_of(ctx, query.target))
        track_delete_query(ctx, query)
        free(query)


cdef void queries_release(Context* ctx) noexcept nogil:
    cdef uint32_t i
    cdef Query* query
    for i in range(ctx.queries.capacity):
        query = <Query*>name_get(&ctx.queries, i)
        if query != NULL:
            track_delete_query(ctx, query)


cdef GLboolean IsQuery(Context* ctx, GLuint id) noexcept nogil:
    return name_get(&ctx.queries, id) != NULL


cdef Query* query_for(Context* ctx, GLuint id, GLenum target) noexcept nogil:
    """The query of a name, made for `target` if it is new. NULL: the error is set."""
    cdef Query* query = <Query*>name_get(&ctx.queries, id)
    if query == NULL and name_reserved(&ctx.queries, id):
        query = <Query*>calloc(1, sizeof(Query))
        if query == NULL:
            set_error(ctx, GL_OUT_OF_MEMORY)
            return NULL
        query.name = id
        query.target = target
        name_put(&ctx.queries, id, query)
    if query == NULL or query.active or query.target != target:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    query.result_ready = 0
    return query


cdef void BeginQuery(Context* ctx, GLenum target, GLuint id) noexcept nogil:
    cdef uint32_t place = place_of(ctx, target)
    cdef Query* query
    if place == NOWHERE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if ctx.active_queries[place] != NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    query = query_for(ctx, id, target)
    if query != NULL:
        query.active = 1
        ctx.active_queries[place] = query
        track_query_begin(ctx, query, target)


cdef void EndQuery(Context* ctx, GLenum target) noexcept nogil:
    cdef uint32_t place = place_of(ctx, target)
    if place == NOWHERE:
        set_error(ctx, GL_INVALID_ENUM)
    elif ctx.active_queries[place] == NULL or ctx.active_queries[place].target != target:
        set_error(ctx, GL_INVALID_OPERATION)
    else:
        end_query(ctx, place)


cdef void QueryCounter(Context* ctx, GLuint id, GLenum target) noexcept nogil:
    cdef Query* query
    if target != GL_TIMESTAMP:
        set_error(ctx, GL_INVALID_ENUM)
        return
    query = query_for(ctx, id, target)
    if query != NULL:
        track_query_counter(ctx, query)


cdef void GetQueryiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    cdef uint32_t place = place_of(ctx, target)
    cdef Query* query
    if place == NOWHERE and target != GL_TIMESTAMP:
        set_error(ctx, GL_INVALID_ENUM)
    elif pname == GL_CURRENT_QUERY:
        query = ctx.active_queries[place] if place != NOWHERE else NULL
        params[0] = query.name if query != NULL and query.target == target else 0
    elif pname == GL_QUERY_COUNTER_BITS:
        params[0] = 1 if target == GL_ANY_SAMPLES_PASSED or target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE else 64
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef bint query_value(Context* ctx, GLuint id, GLenum pname, uint64_t* value) noexcept nogil:
    """False: the error is set, or there is no answer (the session is lost)."""
    cdef Query* query = <Query*>name_get(&ctx.queries, id)
    cdef bint available = False
    if query == NULL or query.active:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if pname == GL_QUERY_RESULT:
        value[0] = track_query_result(ctx, query, True, &available)
        return available
    if pname == GL_QUERY_RESULT_AVAILABLE:
        track_query_result(ctx, query, False, &available)
        value[0] = available
        return True
    set_error(ctx, GL_INVALID_ENUM)
    return False


cdef void GetQueryObjectiv(Context* ctx, GLuint id, GLenum pname, GLint* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, &value):     # a result that does not fit is the largest that does
        params[0] = 0x7FFFFFFF if value > 0x7FFFFFFF else <GLint>value


cdef void GetQueryObjectuiv(Context* ctx, GLuint id, GLenum pname, GLuint* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, &value):
        params[0] = <GLuint>0xFFFFFFFF if value > <GLuint>0xFFFFFFFF else <GLuint>value


cdef void GetQueryObjecti64v(Context* ctx, GLuint id, GLenum pname, GLint64* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, &value):
        params[0] = <GLint64>(value & <uint64_t>0x7FFFFFFFFFFFFFFF)


cdef void GetQueryObjectui64v(Context* ctx, GLuint id, GLenum pname, GLuint64* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, &value):
        params[0] = value


# ----------------------------------------------------------------------------------------------------------- syncs

cdef Sync* sync_of(Context* ctx, void* sync) noexcept nogil:
    """NULL: no sync object of this share group; the error is set."""
    cdef Sync* found = NULL
    if <uintptr_t>sync < ctx.group.syncs.capacity:
        found = <Sync*>name_get(&ctx.group.syncs, <uint32_t><uintptr_t>sync)
    if found == NULL:
        set_error(ctx, GL_INVALID_VALUE)
    return found


cdef void* FenceSync(Context* ctx, GLenum condition, GLbitfield flags) noexcept nogil:
    cdef Sync* sync
    cdef uint32_t name
    if condition != GL_SYNC_GPU_COMMANDS_COMPLETE:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    if flags != 0:
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    sync = <Sync*>calloc(1, sizeof(Sync))
    name = name_generate(&ctx.group.syncs)
    if sync == NULL or name == 0:
        free(sync)
        name_remove(&ctx.group.syncs, name)
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    sync.refs = 1
    name_put(&ctx.group.syncs, name, sync)
    track_fence(ctx, sync)
    return <void*><uintptr_t>name


cdef void DeleteSync(Context* ctx, void* sync) noexcept nogil:
    cdef Sync* found
    if sync == NULL:
        return
    found = sync_of(ctx, sync)
    if found != NULL:
        name_remove(&ctx.group.syncs, <uint32_t><uintptr_t>sync)
        track_delete_fence(ctx, found)
        free(found)


cdef GLboolean IsSync(Context* ctx, void* sync) noexcept nogil:
    return (<uintptr_t>sync < ctx.group.syncs.capacity
            and name_get(&ctx.group.syncs, <uint32_t><uintptr_t>sync) != NULL)


cdef GLenum ClientWaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    cdef int outcome
    if found == NULL:
        return GL_WAIT_FAILED
    if flags & ~<GLbitfield>GL_SYNC_FLUSH_COMMANDS_BIT:
        set_error(ctx, GL_INVALID_VALUE)
        return GL_WAIT_FAILED
    if found.signalled or track_fence_wait(ctx, found, 0) == 1:
        mappings_fetch(ctx)
        return GL_ALREADY_SIGNALED
    if timeout == 0:
        return GL_TIMEOUT_EXPIRED
    outcome = track_fence_wait(ctx, found, timeout)
    if outcome < 0:
        return GL_WAIT_FAILED
    if outcome:
        mappings_fetch(ctx)
    return GL_CONDITION_SATISFIED if outcome else GL_TIMEOUT_EXPIRED


cdef void WaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    if found == NULL:
        return
    if flags != 0 or timeout != <GLuint64>-1:       # GL_TIMEOUT_IGNORED
        set_error(ctx, GL_INVALID_VALUE)
        return
    track_fence_wait_server(ctx, found)


cdef void GetSynciv(Context* ctx, void* sync, GLenum pname, GLsizei count, GLsizei* length, GLint* values) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    cdef GLint value
    if found == NULL:
        return
    if pname == GL_OBJECT_TYPE:
        value = GL_SYNC_FENCE
    elif pname == GL_SYNC_STATUS:
        value = GL_SIGNALED if found.signalled or track_fence_wait(ctx, found, 0) == 1 else GL_UNSIGNALED
        if value == <GLint>GL_SIGNALED:
            mappings_fetch(ctx)
    elif pname == GL_SYNC_CONDITION:
        value = GL_SYNC_GPU_COMMANDS_COMPLETE
    elif pname == GL_SYNC_FLAGS:
        value = 0
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if count > 0:
        values[0] = value
    if length != NULL:
        length[0] = 1 if count > 0 else 0
