# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Query objects and conditional rendering (specification 4.2, 10.9, 10.10). They belong to one context."""

from libc.stdint cimport INT32_MAX, UINT32_MAX, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free

from glenum cimport *
from pipe cimport (PIPE_DIALECT_GLES, PIPE_FEATURE_OCCLUSION_COUNT, PIPE_FEATURE_PRIMITIVES_GENERATED,
                   PIPE_FEATURE_TIMER_QUERY, PIPE_RESULT_TYPE_INT64, PIPE_RESULT_TYPE_UNSIGNED_INT64)
from mgpipe.front.context cimport (QUERY_PLACES, Buffer, Context, GLboolean, GLenum, GLint, GLint64, GLintptr, GLsizei,
                                   GLuint, GLuint64, Query, name_get, name_make, name_remove, names_generate,
                                   set_error)
from mgpipe.tracker.queries cimport (track_delete_query, track_query_begin, track_query_counter, track_query_end,
                                     track_query_look, track_query_to_buffer, track_query_wait, track_render_condition,
                                     track_timestamp)

cdef enum:
    STREAMS = 4                     # vertex streams
    STATISTICS_COUNT = 11
    # Context.active_queries: the kinds of occlusion query exclude each other, so they share a place.
    OCCLUSION = 0
    ELAPSED = 1
    OVERFLOW = 2
    GENERATED = 4                   # one a stream, as the next two
    WRITTEN = 8
    STREAM_OVERFLOW = 12
    STATISTICS = 16
    NOWHERE = QUERY_PLACES          # no target of this version, or one that is never active

cdef GLenum[STATISTICS_COUNT] statistics = [
    GL_VERTICES_SUBMITTED, GL_PRIMITIVES_SUBMITTED, GL_VERTEX_SHADER_INVOCATIONS, GL_TESS_CONTROL_SHADER_PATCHES,
    GL_TESS_EVALUATION_SHADER_INVOCATIONS, GL_GEOMETRY_SHADER_INVOCATIONS, GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED,
    GL_FRAGMENT_SHADER_INVOCATIONS, GL_COMPUTE_SHADER_INVOCATIONS, GL_CLIPPING_INPUT_PRIMITIVES,
    GL_CLIPPING_OUTPUT_PRIMITIVES]


cdef uint32_t place_of(Context* ctx, GLenum target) noexcept nogil:
    """Of a target, or of its stream 0."""
    cdef uint32_t i
    if target == GL_SAMPLES_PASSED or target == GL_ANY_SAMPLES_PASSED: return OCCLUSION
    if target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE and ctx.version >= 43: return OCCLUSION
    if target == GL_TIME_ELAPSED: return ELAPSED
    if target == GL_PRIMITIVES_GENERATED: return GENERATED
    if target == GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN: return WRITTEN
    if ctx.version < 46: return NOWHERE
    if target == GL_TRANSFORM_FEEDBACK_OVERFLOW: return OVERFLOW
    if target == GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW: return STREAM_OVERFLOW
    for i in range(STATISTICS_COUNT):
        if statistics[i] == target:
            return STATISTICS + i
    return NOWHERE


cdef uint32_t indexed_place(Context* ctx, GLenum target, GLuint index) noexcept nogil:
    """NOWHERE: the error is set."""
    cdef uint32_t place = place_of(ctx, target)
    if place == NOWHERE:
        set_error(ctx, GL_INVALID_ENUM)
    elif index >= (STREAMS if GENERATED <= place < STATISTICS else 1):
        set_error(ctx, GL_INVALID_VALUE)
    else:
        return place + index
    return NOWHERE


# --------------------------------------------------------------------------------------------------------- objects

cdef void GenQueries(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil:
    names_generate(ctx, &ctx.queries, n, ids)


cdef Query* make_query(Context* ctx, GLuint id, GLenum target) noexcept nogil:
    cdef Query* query = <Query*>name_make(ctx, &ctx.queries, id, sizeof(Query))
    if query != NULL:
        query.name = id
        query.target = target
    return query


cdef void CreateQueries(Context* ctx, GLenum target, GLsizei n, GLuint* ids) noexcept nogil:
    cdef GLsizei i
    if place_of(ctx, target) == NOWHERE and target != GL_TIMESTAMP:
        set_error(ctx, GL_INVALID_ENUM)
        return
    GenQueries(ctx, n, ids)
    for i in range(n):
        if ids[i]:
            make_query(ctx, ids[i], target)


cdef void end_query(Context* ctx, uint32_t place) noexcept nogil:
    cdef Query* query = ctx.active_queries[place]
    ctx.active_queries[place] = NULL
    query.active = 0
    track_query_end(ctx, query)


cdef void DeleteQueries(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil:
    """An active one ends, and rendering on its condition becomes unconditional."""
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
            end_query(ctx, place_of(ctx, query.target) + query.stream)
        if ctx.condition == query:
            stop_condition(ctx)
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
    if query == NULL:
        return make_query(ctx, id, target)
    if query.active or query.target != target:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return query


# --------------------------------------------------------------------------------------------------- begin and end

cdef void BeginQuery(Context* ctx, GLenum target, GLuint id) noexcept nogil:
    BeginQueryIndexed(ctx, target, 0, id)


cdef void EndQuery(Context* ctx, GLenum target) noexcept nogil:
    EndQueryIndexed(ctx, target, 0)


cdef void BeginQueryIndexed(Context* ctx, GLenum target, GLuint index, GLuint id) noexcept nogil:
    cdef uint32_t place = indexed_place(ctx, target, index)
    cdef Query* query
    if place == NOWHERE:
        return
    if ctx.active_queries[place] != NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    query = query_for(ctx, id, target)
    if query != NULL:
        query.active = 1
        query.stream = index
        ctx.active_queries[place] = query
        track_query_begin(ctx, query)


cdef void EndQueryIndexed(Context* ctx, GLenum target, GLuint index) noexcept nogil:
    cdef uint32_t place = indexed_place(ctx, target, index)
    if place == NOWHERE:
        return
    if ctx.active_queries[place] == NULL or ctx.active_queries[place].target != target:
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


cdef GLint64 timestamp(Context* ctx) noexcept nogil:
    cdef uint64_t now = 0
    track_timestamp(ctx, &now)
    return <GLint64>now


# --------------------------------------------------------------------------------------------------------- answers

cdef GLint counter_bits(Context* ctx, GLenum target) noexcept nogil:
    """As many as tell the truth: a count that OpenGL ES cannot make saturates at one, what is not there has none."""
    cdef uint64_t features = ctx.session.caps.features
    cdef bint es = ctx.session.caps.dialect == PIPE_DIALECT_GLES
    if target == GL_ANY_SAMPLES_PASSED or target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE: return 1
    if target == GL_SAMPLES_PASSED: return 64 if features & PIPE_FEATURE_OCCLUSION_COUNT else 1
    if target == GL_TIME_ELAPSED or target == GL_TIMESTAMP: return 64 if features & PIPE_FEATURE_TIMER_QUERY else 0
    if target == GL_PRIMITIVES_GENERATED and not features & PIPE_FEATURE_PRIMITIVES_GENERATED: return 0
    if target == GL_PRIMITIVES_GENERATED or target == GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN: return 32 if es else 64
    if target == GL_TRANSFORM_FEEDBACK_OVERFLOW or target == GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW: return 0 if es else 1
    return 0 if es else 64


cdef void GetQueryiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    GetQueryIndexediv(ctx, target, 0, pname, params)


cdef void GetQueryIndexediv(Context* ctx, GLenum target, GLuint index, GLenum pname, GLint* params) noexcept nogil:
    cdef uint32_t place
    cdef Query* query = NULL
    if target == GL_TIMESTAMP:
        if index:
            set_error(ctx, GL_INVALID_VALUE)
            return
    else:
        place = indexed_place(ctx, target, index)
        if place == NOWHERE:
            return
        query = ctx.active_queries[place]
    if pname == GL_CURRENT_QUERY:
        params[0] = query.name if query != NULL and query.target == target else 0
    elif pname == GL_QUERY_COUNTER_BITS:
        params[0] = counter_bits(ctx, target)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef Query* finished_query(Context* ctx, GLuint id) noexcept nogil:
    """One that a result can be asked of. NULL: the error is set."""
    cdef Query* query = <Query*>name_get(&ctx.queries, id)
    if query == NULL or query.active:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return query


cdef inline bint is_query_pname(Context* ctx, GLenum pname) noexcept nogil:
    return (pname == GL_QUERY_RESULT or pname == GL_QUERY_RESULT_AVAILABLE
            or (pname == GL_QUERY_RESULT_NO_WAIT and ctx.version >= 44) or (pname == GL_QUERY_TARGET and ctx.version >= 45))


cdef bint query_value(Context* ctx, GLuint id, GLenum pname, GLenum type, void* params, uint64_t* value) noexcept nogil:
    """False: nothing is to be written to client memory: after an error, when there is no answer (yet), or when it goes
    into the bound query buffer, where `params` is an offset."""
    cdef Query* query = finished_query(ctx, id)
    if query == NULL:
        return False
    if not is_query_pname(ctx, pname):
        set_error(ctx, GL_INVALID_ENUM)
        return False
    if ctx.query_buffer != NULL:
        into_buffer(ctx, query, ctx.query_buffer, pname, type, <GLintptr><uintptr_t>params)
        return False
    if pname == GL_QUERY_TARGET:
        value[0] = query.target
    elif query.run == 0:                            # made by glCreateQueries, and never begun
        value[0] = 1 if pname == GL_QUERY_RESULT_AVAILABLE else 0
    elif pname == GL_QUERY_RESULT_AVAILABLE:
        value[0] = track_query_look(ctx, query, True)
    elif not (track_query_wait(ctx, query) if pname == GL_QUERY_RESULT else track_query_look(ctx, query, True)):
        return False
    else:
        value[0] = query.result
    return True


cdef void GetQueryObjectiv(Context* ctx, GLuint id, GLenum pname, GLint* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, GL_INT, params, &value):         # a result that does not fit is the largest that does
        params[0] = INT32_MAX if value > INT32_MAX else <GLint>value


cdef void GetQueryObjectuiv(Context* ctx, GLuint id, GLenum pname, GLuint* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, GL_UNSIGNED_INT, params, &value):
        params[0] = UINT32_MAX if value > UINT32_MAX else <GLuint>value


cdef void GetQueryObjecti64v(Context* ctx, GLuint id, GLenum pname, GLint64* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, PIPE_RESULT_TYPE_INT64, params, &value):
        params[0] = <GLint64>(value & <uint64_t>0x7FFFFFFFFFFFFFFF)


cdef void GetQueryObjectui64v(Context* ctx, GLuint id, GLenum pname, GLuint64* params) noexcept nogil:
    cdef uint64_t value
    if query_value(ctx, id, pname, PIPE_RESULT_TYPE_UNSIGNED_INT64, params, &value):
        params[0] = value


# --------------------------------------------------------------------------------------------------- query buffers

cdef void into_buffer(Context* ctx, Query* query, Buffer* buffer, GLenum pname, GLenum type, GLintptr offset) noexcept nogil:
    cdef uint64_t size = 4 if type == GL_INT or type == GL_UNSIGNED_INT else 8
    if offset < 0:
        set_error(ctx, GL_INVALID_VALUE)
    elif (<uint64_t>offset + size > buffer.size or offset % <GLintptr>size or buffer.map_access or query.run == 0
            or pname == GL_QUERY_TARGET):
        set_error(ctx, GL_INVALID_OPERATION)
    else:
        track_query_to_buffer(ctx, query, buffer, offset, type, pname)


cdef void buffer_object(Context* ctx, GLuint id, GLuint name, GLenum pname, GLenum type, GLintptr offset) noexcept nogil:
    cdef Buffer* buffer = <Buffer*>name_get(&ctx.group.buffers, name)
    cdef Query* query
    if buffer == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    query = finished_query(ctx, id)
    if query == NULL:
        return
    if is_query_pname(ctx, pname):
        into_buffer(ctx, query, buffer, pname, type, offset)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetQueryBufferObjectiv(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil:
    buffer_object(ctx, id, buffer, pname, GL_INT, offset)


cdef void GetQueryBufferObjectuiv(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil:
    buffer_object(ctx, id, buffer, pname, GL_UNSIGNED_INT, offset)


cdef void GetQueryBufferObjecti64v(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil:
    buffer_object(ctx, id, buffer, pname, PIPE_RESULT_TYPE_INT64, offset)


cdef void GetQueryBufferObjectui64v(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil:
    buffer_object(ctx, id, buffer, pname, PIPE_RESULT_TYPE_UNSIGNED_INT64, offset)


# ------------------------------------------------------------------------------------------- conditional rendering

cdef void BeginConditionalRender(Context* ctx, GLuint id, GLenum mode) noexcept nogil:
    """Draws, clears and dispatches from here on count only if the query's result is not zero (specification 10.9)."""
    cdef Query* query = <Query*>name_get(&ctx.queries, id)
    cdef uint32_t place
    if not (GL_QUERY_WAIT <= mode <= GL_QUERY_BY_REGION_NO_WAIT
            or (ctx.version >= 45 and GL_QUERY_WAIT_INVERTED <= mode <= GL_QUERY_BY_REGION_NO_WAIT_INVERTED)):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if query == NULL:
        set_error(ctx, GL_INVALID_VALUE)
        return
    place = place_of(ctx, query.target)
    if (ctx.condition != NULL or query.active or query.run == 0
            or not (place == OCCLUSION or place == OVERFLOW or place == STREAM_OVERFLOW)):
        set_error(ctx, GL_INVALID_OPERATION)
        return
    ctx.condition = query
    track_render_condition(ctx, query, mode)


cdef void stop_condition(Context* ctx) noexcept nogil:
    ctx.condition = NULL
    track_render_condition(ctx, NULL, 0)


cdef void EndConditionalRender(Context* ctx) noexcept nogil:
    if ctx.condition == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    else:
        stop_condition(ctx)
