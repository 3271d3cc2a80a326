# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Queries, fences, and what waits."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.espryt cimport *


cdef void install_queries(BackEnd* table) noexcept nogil:
    table.query_create = query_create
    table.query_begin = query_begin
    table.query_end = query_end
    table.query_result = query_result
    table.query_counter = query_counter
    table.query_destroy = query_destroy
    table.timestamp = timestamp
    table.render_condition = render_condition
    table.fence_create = fence_create
    table.fence_wait = fence_wait
    table.fence_wait_server = fence_wait_server
    table.fence_destroy = fence_destroy
    table.flush = flush
    table.finish = finish
    table.present = present
    table.set_swap_interval = set_swap_interval


# -- queries

cdef bint countable(Espryt* es, uint32_t target, const char* call) noexcept nogil:
    cdef const char* missing = NULL
    if target == PIPE_QUERY_TARGET_SAMPLES_PASSED and es.driver.dialect == DIALECT_GLES:
        missing = b"exact sample counts on OpenGL ES"
    elif ((target == PIPE_QUERY_TARGET_TIME_ELAPSED or target == PIPE_QUERY_TARGET_TIMESTAMP)
          and gl_of(es).QueryCounter == NULL):
        missing = b"timer queries on this driver"
    if missing != NULL:
        es.host.unimplemented(es.host.self, call, missing)
    return missing == NULL


cdef void query_create(void* self, const pipe_query_create* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    it.serial = new_serial(es)
    it.target = p.target
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"query_create")
        return
    it.context = es.bound.serial
    if countable(es, p.target, b"query_create"):
        gl_of(es).GenQueries(1, &it.name)


cdef bint usable(Espryt* es, Query* it) noexcept nogil:
    """Its name means nothing in another context; without one it was refused when it was created."""
    return it.name != 0 and es.bound != NULL and es.bound.serial == it.context


cdef void query_begin(void* self, const pipe_query_begin* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    if not usable(es, it):
        return
    if p.stream == 0:
        gl_of(es).BeginQuery(p.target, it.name)
    elif gl_of(es).BeginQueryIndexed != NULL:
        gl_of(es).BeginQueryIndexed(p.target, p.stream, it.name)
    else:
        es.host.unimplemented(es.host.self, b"query_begin", b"vertex streams on this driver")


cdef void query_end(void* self, const pipe_query_end* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if not usable(es, <Query*>query):
        return
    if p.stream == 0:
        gl_of(es).EndQuery(p.target)
    elif gl_of(es).EndQueryIndexed != NULL:
        gl_of(es).EndQueryIndexed(p.target, p.stream)


cdef void query_counter(void* self, const pipe_query_counter* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if usable(es, <Query*>query):
        gl_of(es).QueryCounter((<Query*>query).name, GL_TIMESTAMP)


cdef void query_result(void* self, const pipe_query_result* p, void* query, pipe_reply* reply) noexcept nogil:
    """value[0]: whether there is a result; value[1]: the result."""
    cdef Espryt* es = <Espryt*>self
    cdef Query* it = <Query*>query
    cdef GLuint available = 1, small = 0
    cdef GLuint64 result = 0
    reply.status = PIPE_REPLY_REFUSED
    if not usable(es, it):
        return
    reply.status = PIPE_REPLY_OK
    if not p.wait:
        gl_of(es).GetQueryObjectuiv(it.name, GL_QUERY_RESULT_AVAILABLE, &available)
    reply.value[0] = available != 0
    if available:
        if gl_of(es).GetQueryObjectui64v != NULL:
            gl_of(es).GetQueryObjectui64v(it.name, GL_QUERY_RESULT, &result)
        else:
            gl_of(es).GetQueryObjectuiv(it.name, GL_QUERY_RESULT, &small)
            result = small
        reply.value[1] = result


cdef void timestamp(void* self, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef GLint64 now = 0
    reply.status = PIPE_REPLY_REFUSED
    if countable(es, PIPE_QUERY_TARGET_TIMESTAMP, b"timestamp"):
        gl_of(es).GetInteger64v(GL_TIMESTAMP, &now)
        reply.value[0] = <uint64_t>now
        reply.status = PIPE_REPLY_OK


cdef void query_destroy(void* self, const pipe_query_destroy* p, void* query) noexcept nogil:
    if usable(<Espryt*>self, <Query*>query):
        gl_of(<Espryt*>self).DeleteQueries(1, &(<Query*>query).name)


cdef void render_condition(void* self, const pipe_render_condition* p, void* query) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if gl_of(es).BeginConditionalRender == NULL:
        es.host.unimplemented(es.host.self, b"render_condition", b"conditional rendering on this driver")
    elif query == NULL:
        gl_of(es).EndConditionalRender()
    elif usable(es, <Query*>query):
        gl_of(es).BeginConditionalRender((<Query*>query).name, p.mode)


# -- fences

cdef void fence_create(void* self, const pipe_fence_create* p, void* fence) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Fence* it = <Fence*>fence
    it.serial = new_serial(es)
    it.slot = p.fence.slot
    it.gen = p.fence.gen
    it.sync = gl_of(es).FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
    if it.sync == NULL:         # out of memory: there is nothing to wait for
        return
    it.next = es.fences
    if es.fences != NULL:
        es.fences.previous = it
    es.fences = it


cdef void signalled(Espryt* es, Fence* it) noexcept nogil:
    cdef pipe_event_fence_signalled event
    forget(es, it)
    memset(&event, 0, sizeof(event))
    event.fence.slot = it.slot
    event.fence.gen = it.gen
    es.host.push(es.host.self, PIPE_EVENT_FENCE_SIGNALLED, &event, sizeof(event), NULL, 0)


cdef void forget(Espryt* es, Fence* it) noexcept nogil:
    if it.sync == NULL:
        return
    gl_of(es).DeleteSync(it.sync)
    it.sync = NULL
    if es.fences == it:
        es.fences = it.next
    if it.previous != NULL:
        it.previous.next = it.next
    if it.next != NULL:
        it.next.previous = it.previous
    it.next = it.previous = NULL


cdef void poll_fences(Espryt* es) noexcept nogil:
    """Oldest last in the list, so all are asked; there are few."""
    cdef Fence* it = es.fences
    cdef Fence* next
    cdef GLenum state
    while it != NULL:
        next = it.next
        state = gl_of(es).ClientWaitSync(it.sync, 0, 0)
        if state == GL_ALREADY_SIGNALED or state == GL_CONDITION_SATISFIED:
            signalled(es, it)
        it = next


cdef void fence_wait(void* self, const pipe_fence_wait* p, void* fence, pipe_reply* reply) noexcept nogil:
    """value[0]: whether it is signalled. The wait is the driver's; the client's own timeout has the same length."""
    cdef Espryt* es = <Espryt*>self
    cdef Fence* it = <Fence*>fence
    cdef GLenum state
    reply.status = PIPE_REPLY_OK
    if it.sync != NULL:
        state = gl_of(es).ClientWaitSync(it.sync, GL_SYNC_FLUSH_COMMANDS_BIT if p.flush else 0, p.timeout_ns)
        if state == GL_WAIT_FAILED:
            reply.status = PIPE_REPLY_ERROR
            return
        if state != GL_TIMEOUT_EXPIRED:
            forget(es, it)
    reply.value[0] = it.sync == NULL


cdef void fence_wait_server(void* self, const pipe_fence_wait_server* p, void* fence) noexcept nogil:
    if (<Fence*>fence).sync != NULL:
        gl_of(<Espryt*>self).WaitSync((<Fence*>fence).sync, 0, <GLuint64>GL_TIMEOUT_IGNORED)


cdef void fence_destroy(void* self, const pipe_fence_destroy* p, void* fence) noexcept nogil:
    forget(<Espryt*>self, <Fence*>fence)


# -- ends of frames

cdef void flush(void* self, const pipe_flush* p) noexcept nogil:
    gl_of(<Espryt*>self).Flush()
    poll_fences(<Espryt*>self)


cdef void finish(void* self, pipe_reply* reply) noexcept nogil:
    gl_of(<Espryt*>self).Finish()
    poll_fences(<Espryt*>self)
    reply.status = PIPE_REPLY_OK


cdef void present(void* self, const pipe_present* p, void* surface) noexcept nogil:
    """Surfaces are off-screen: the frame only has to be on its way."""
    gl_of(<Espryt*>self).Flush()
    poll_fences(<Espryt*>self)


cdef void set_swap_interval(void* self, const pipe_set_swap_interval* p, void* surface) noexcept nogil:
    """Off-screen surfaces have no refresh to wait for."""
