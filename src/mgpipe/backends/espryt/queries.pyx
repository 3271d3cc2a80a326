# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Queries and rendering on their condition.

A query that has ended is pending until its result was sent: the client never has to ask. OpenGL ES counts no samples: there
SAMPLES_PASSED is whether any passed, a count that saturates at one, as the client's QUERY_COUNTER_BITS says, unless an
extension counts them.
"""

from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, uint32_t, uint64_t
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES, driver_has
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.feedback cimport program_counts


cdef void install_queries(BackEnd* table) noexcept nogil:
    table.query_create = query_create
    table.query_begin = query_begin
    table.query_end = query_end
    table.query_result = query_result
    table.query_result_to_buffer = query_result_to_buffer
    table.query_counter = query_counter
    table.query_destroy = query_destroy
    table.timestamp = timestamp
    table.render_condition = render_condition


# -- objects

cdef bint is_statistic(uint32_t target) noexcept nogil:
    return (PIPE_QUERY_TARGET_VERTICES_SUBMITTED <= target <= PIPE_QUERY_TARGET_CLIPPING_OUTPUT_PRIMITIVES
            or target == PIPE_QUERY_TARGET_GEOMETRY_SHADER_INVOCATIONS)


cdef bint is_overflow(uint32_t target) noexcept nogil:
    return (target == PIPE_QUERY_TARGET_TRANSFORM_FEEDBACK_OVERFLOW
            or target == PIPE_QUERY_TARGET_TRANSFORM_FEEDBACK_STREAM_OVERFLOW)


cdef bint countable(Espryt* es, uint32_t target, const char* call) noexcept nogil:
    cdef const char* missing = NULL
    if ((target == PIPE_QUERY_TARGET_TIME_ELAPSED or target == PIPE_QUERY_TARGET_TIMESTAMP)
            and gl_of(es).QueryCounter == NULL):
        missing = b"timer queries on this driver"
    elif is_statistic(target) and not newer(es, b"GL_ARB_pipeline_statistics_query"):
        missing = b"pipeline statistics on this driver"
    elif is_overflow(target) and not newer(es, b"GL_ARB_transform_feedback_overflow_query"):
        missing = b"queries for overflown transform feedback on this driver"
    if missing != NULL:
        es.host.unimplemented(es.host.self, call, missing)
    return missing == NULL


cdef bint newer(Espryt* es, const char* extension) noexcept nogil:
    return es.driver.dialect == DIALECT_GL and (es.driver.version >= 46 or driver_has(&es.driver, extension))


cdef GLenum driver_target(Espryt* es, uint32_t target) noexcept nogil:
    if (target == PIPE_QUERY_TARGET_SAMPLES_PASSED and es.driver.dialect == DIALECT_GLES
            and not driver_has(&es.driver, b"GL_NV_occlusion_query_samples")):
        return GL_ANY_SAMPLES_PASSED
    return target


cdef void query_create(void* self, const pipe_query_create* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    it.serial = new_serial(es)
    it.target = p.target
    it.slot = p.query.slot
    it.gen = p.query.gen
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"query_create")
        return
    it.context = es.bound.serial
    if countable(es, p.target, b"query_create"):
        gl_of(es).GenQueries(1, &it.name)


cdef bint usable(Espryt* es, Query* it) noexcept nogil:
    """Its name means nothing in another context; without one it was refused when it was created."""
    return it.name != 0 and es.bound != NULL and es.bound.serial == it.context


cdef void query_destroy(void* self, const pipe_query_destroy* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    unlink(es, <Query*>query)
    if usable(es, <Query*>query):
        gl_of(es).DeleteQueries(1, &(<Query*>query).name)


# -- counting

cdef void query_begin(void* self, const pipe_query_begin* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    if p.target != it.target:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"query_begin: a query of another target")
        return
    start(es, it)
    if not usable(es, it):
        return
    if it.target == PIPE_QUERY_TARGET_PRIMITIVES_WRITTEN:
        program_counts(es, es.bound, True)
    if p.stream == 0:
        gl_of(es).BeginQuery(driver_target(es, it.target), it.name)
    elif gl_of(es).BeginQueryIndexed != NULL:
        gl_of(es).BeginQueryIndexed(it.target, p.stream, it.name)
    else:
        es.host.unimplemented(es.host.self, b"query_begin", b"vertex streams on this driver")


cdef void query_end(void* self, const pipe_query_end* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    if p.target != it.target:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"query_end: a query of another target")
        return
    if usable(es, it):
        if it.target == PIPE_QUERY_TARGET_PRIMITIVES_WRITTEN:
            program_counts(es, es.bound, False)
        if p.stream == 0:
            gl_of(es).EndQuery(driver_target(es, it.target))
        elif gl_of(es).EndQueryIndexed != NULL:
            gl_of(es).EndQueryIndexed(it.target, p.stream)
    pend(es, it)


cdef void query_counter(void* self, const pipe_query_counter* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    start(es, it)
    if usable(es, it):
        gl_of(es).QueryCounter(it.name, GL_TIMESTAMP)
    pend(es, it)


cdef void start(Espryt* es, Query* it) noexcept nogil:
    unlink(es, it)
    it.run += 1
    it.done = 0


cdef void pend(Espryt* es, Query* it) noexcept nogil:
    """A query that this driver has not got counts nothing, and says so at once."""
    unlink(es, it)
    it.next = es.queries
    if es.queries != NULL:
        es.queries.previous = it
    es.queries = it
    it.pending = 1
    if it.name == 0:
        complete(es, it, 0)


cdef void unlink(Espryt* es, Query* it) noexcept nogil:
    if not it.pending:
        return
    it.pending = 0
    if es.queries == it:
        es.queries = it.next
    if it.previous != NULL:
        it.previous.next = it.next
    if it.next != NULL:
        it.next.previous = it.previous
    it.next = it.previous = NULL


# -- results

cdef void complete(Espryt* es, Query* it, uint64_t result) noexcept nogil:
    cdef pipe_event_query_completed event
    unlink(es, it)
    it.done = 1
    it.result = result
    memset(&event, 0, sizeof(event))
    event.query.slot = it.slot
    event.query.gen = it.gen
    event.result = result
    event.run = it.run
    es.host.push(es.host.self, PIPE_EVENT_QUERY_COMPLETED, &event, sizeof(event), NULL, 0)


cdef uint64_t read_result(Espryt* es, Query* it) noexcept nogil:
    """Waits for it, if need be."""
    cdef GLuint64 result = 0
    cdef GLuint small = 0
    if gl_of(es).GetQueryObjectui64v != NULL:
        gl_of(es).GetQueryObjectui64v(it.name, GL_QUERY_RESULT, &result)
        return result
    gl_of(es).GetQueryObjectuiv(it.name, GL_QUERY_RESULT, &small)
    return small


cdef bint poll_queries(Espryt* es) noexcept nogil:
    """Those of other contexts are asked when theirs is bound again."""
    cdef Query* it = es.queries
    cdef Query* next
    cdef GLuint available
    while it != NULL:
        next = it.next
        if usable(es, it):
            available = 0
            gl_of(es).GetQueryObjectuiv(it.name, GL_QUERY_RESULT_AVAILABLE, &available)
            if available:
                complete(es, it, read_result(es, it))
        it = next
    return es.queries != NULL


cdef bint settle(Espryt* es, Query* it, bint wait) noexcept nogil:
    """Whether `it.result` is there, waiting for it or not."""
    cdef GLuint available = 1
    if it.done or not it.pending or not usable(es, it):
        return it.done != 0
    if not wait:
        gl_of(es).GetQueryObjectuiv(it.name, GL_QUERY_RESULT_AVAILABLE, &available)
    if available:
        complete(es, it, read_result(es, it))
    return it.done != 0


cdef void query_result(void* self, const pipe_query_result* p, void* query, pipe_reply* reply) noexcept nogil:
    """value[0]: whether there is a result; value[1]: the result."""
    cdef Query* it = <Query*>query
    reply.status = PIPE_REPLY_OK
    reply.value[0] = settle(<Espryt*>self, it, p.wait != 0)
    reply.value[1] = it.result


cdef void query_result_to_buffer(void* self, const pipe_query_result_to_buffer* p, void* query, void* buffer) noexcept nogil:
    """On the CPU: what waits here is the server, and the client does not."""
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    cdef Resource* target = <Resource*>buffer
    cdef uint32_t size = 4 if p.type == PIPE_RESULT_TYPE_INT or p.type == PIPE_RESULT_TYPE_UNSIGNED_INT else 8
    cdef uint64_t value
    if target.kind != PIPE_RESOURCE_TARGET_BUFFER or target.size < size or p.offset > target.size - size:
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"query_result_to_buffer.offset")
        return
    if p.pname == PIPE_QUERY_RESULT_AVAILABLE:
        value = settle(es, it, False)
    elif settle(es, it, p.pname == PIPE_QUERY_RESULT_RESULT):
        value = it.result
    else:
        return
    if p.type == PIPE_RESULT_TYPE_INT and value > INT32_MAX:
        value = INT32_MAX
    elif p.type == PIPE_RESULT_TYPE_UNSIGNED_INT and value > UINT32_MAX:
        value = UINT32_MAX
    gl_of(es).BindBuffer(GL_COPY_WRITE_BUFFER, target.name)
    gl_of(es).BufferSubData(GL_COPY_WRITE_BUFFER, p.offset, size, &value)


cdef void timestamp(void* self, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GLint64 now = 0
    reply.status = PIPE_REPLY_REFUSED
    if countable(es, PIPE_QUERY_TARGET_TIMESTAMP, b"timestamp"):
        gl_of(es).GetInteger64v(GL_TIMESTAMP, &now)
        reply.value[0] = <uint64_t>now
        reply.status = PIPE_REPLY_OK


# -- conditions

cdef bint inverted(uint32_t mode) noexcept nogil:
    return PIPE_CONDITION_QUERY_WAIT_INVERTED <= mode <= PIPE_CONDITION_QUERY_BY_REGION_NO_WAIT_INVERTED


cdef bint waits(uint32_t mode) noexcept nogil:
    return (mode == PIPE_CONDITION_QUERY_WAIT or mode == PIPE_CONDITION_QUERY_BY_REGION_WAIT
            or mode == PIPE_CONDITION_QUERY_WAIT_INVERTED or mode == PIPE_CONDITION_QUERY_BY_REGION_WAIT_INVERTED)


cdef bint driver_decides(Espryt* es, uint32_t mode) noexcept nogil:
    if gl_of(es).BeginConditionalRender == NULL:
        return False
    return not inverted(mode) or (es.driver.dialect == DIALECT_GL and (
        es.driver.version >= 45 or driver_has(&es.driver, b"GL_ARB_conditional_render_inverted")))


cdef void render_condition(void* self, const pipe_render_condition* p, void* query) noexcept nogil:
    """The driver's own, or else decided here and now: without a result in time everything is drawn, as OpenGL lets it."""
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef Query* it = <Query*>query
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"render_condition")
        return
    if ctx.condition:
        gl_of(es).EndConditionalRender()
    ctx.condition = 0
    ctx.dirty &= ~<uint32_t>DIRTY_SKIPPED
    if it == NULL or not usable(es, it):
        return
    if it.run == 0 or p.mode == PIPE_CONDITION_NONE:
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"render_condition: no mode, or a query that counted nothing")
    elif driver_decides(es, p.mode):
        gl_of(es).BeginConditionalRender(it.name, p.mode)
        ctx.condition = it.name
        ctx.condition_mode = p.mode
    elif settle(es, it, waits(p.mode)) and (it.result != 0) == inverted(p.mode):
        ctx.dirty |= DIRTY_SKIPPED


cdef void hold_condition(Espryt* es, Context* ctx) noexcept nogil:
    if ctx.condition:
        gl_of(es).EndConditionalRender()


cdef void release_condition(Espryt* es, Context* ctx) noexcept nogil:
    if ctx.condition:
        gl_of(es).BeginConditionalRender(ctx.condition, ctx.condition_mode)
