# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Fences, and the ends of frames: where the server looks for what has completed."""

from libc.string cimport memset
from driver_gl cimport *
from pipe cimport *
from mgpipe.backends.espryt.contexts cimport enter_any_context, leave_any_context
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.pins cimport pins_finished, pins_poll
from mgpipe.backends.espryt.queries cimport poll_queries


cdef enum:
    WAIT_NS = 1000000000        # of one wait of the driver's; it is asked again


cdef void install_fences(BackEnd* table) noexcept nogil:
    table.fence_create = fence_create
    table.fence_wait = fence_wait
    table.fence_wait_server = fence_wait_server
    table.fence_destroy = fence_destroy
    table.flush = flush
    table.finish = finish
    table.present = present
    table.await_present = await_present
    table.set_swap_interval = set_swap_interval


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


cdef bint poll_completions(Espryt* es) noexcept nogil:
    """All that are left are asked; there are few. And whether the driver's context is still whole."""
    if es.bound != NULL and gl_of(es).GetGraphicsResetStatus != NULL and gl_of(es).GetGraphicsResetStatus() != GL_NO_ERROR:
        es.host.fault(es.host.self, PIPE_FAULT_DEVICE_LOST, b"the driver reset its context")
        return False
    poll_fences(es)
    poll_presents(es)
    return pins_poll(es) | poll_queries(es) | (es.fences != NULL) | presents_pending(es)


cdef void poll_fences(Espryt* es) noexcept nogil:
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
    cdef bint borrowed = enter_any_context(<Espryt*>self)
    forget(<Espryt*>self, <Fence*>fence)
    leave_any_context(<Espryt*>self, borrowed)


# -- ends of frames

cdef void flush(void* self, const pipe_flush* p) noexcept nogil:
    gl_of(<Espryt*>self).Flush()
    poll_completions(<Espryt*>self)


cdef void finish(void* self, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    gl_of(es).Finish()
    if es.contexts == NULL or es.contexts.next == NULL:
        pins_finished(es)
    poll_completions(es)
    reply.status = PIPE_REPLY_OK


# A present is finished when a fence behind it is. They are awaited in order: a client's credit counts them.

cdef inline bint presents_pending(Espryt* es) noexcept nogil:
    return es.presents_begin != es.presents_end and es.bound != NULL


cdef void tell_presented(Espryt* es) noexcept nogil:
    """The oldest."""
    cdef Present* it = &es.presents[es.presents_begin % PRESENTS]
    cdef pipe_event_presented event
    if it.sync != NULL:
        gl_of(es).DeleteSync(it.sync)
    es.presents_begin += 1
    event.surface.slot = it.slot
    event.surface.gen = it.gen
    event.serial = it.serial
    es.host.push(es.host.self, PIPE_EVENT_PRESENTED, &event, sizeof(event), NULL, 0)


cdef void poll_presents(Espryt* es) noexcept nogil:
    cdef Present* it
    while presents_pending(es):
        it = &es.presents[es.presents_begin % PRESENTS]
        if it.sync != NULL and gl_of(es).ClientWaitSync(it.sync, 0, 0) == GL_TIMEOUT_EXPIRED:
            return
        tell_presented(es)


cdef void finish_presents(Espryt* es, uint64_t end) noexcept nogil:
    """Those before `end`. The wait is the driver's, like that of glFinish."""
    cdef Present* it
    while es.presents_begin != end:
        it = &es.presents[es.presents_begin % PRESENTS]
        while it.sync != NULL and gl_of(es).ClientWaitSync(it.sync, GL_SYNC_FLUSH_COMMANDS_BIT, WAIT_NS) == GL_TIMEOUT_EXPIRED:
            pass
        tell_presented(es)


cdef void drop_presents(Espryt* es) noexcept nogil:
    while es.presents_begin != es.presents_end:
        if es.presents[es.presents_begin % PRESENTS].sync != NULL:
            gl_of(es).DeleteSync(es.presents[es.presents_begin % PRESENTS].sync)
        es.presents_begin += 1


cdef void present(void* self, const pipe_present* p, void* surface) noexcept nogil:
    """Surfaces are off-screen: the frame only has to be on its way. A client that takes no credit waits when all are given."""
    cdef Espryt* es = <Espryt*>self
    cdef Present* it
    if es.presents_end - es.presents_begin == PRESENTS:
        finish_presents(es, es.presents_begin + 1)
    it = &es.presents[es.presents_end % PRESENTS]
    it.slot = p.surface.slot
    it.gen = p.surface.gen
    it.serial = p.serial
    it.sync = gl_of(es).FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0) if es.bound != NULL else NULL
    es.presents_end += 1
    gl_of(es).Flush()
    poll_completions(es)


cdef void await_present(void* self, const pipe_await_present* p, void* surface, pipe_reply* reply) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Present* it
    cdef uint64_t i, end = es.presents_begin
    reply.status = PIPE_REPLY_ERROR
    if es.bound == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"await_present")
        return
    for i in range(es.presents_begin, es.presents_end):
        it = &es.presents[i % PRESENTS]
        if it.slot == p.surface.slot and it.gen == p.surface.gen and it.serial <= p.serial:
            end = i + 1
    if end != es.presents_begin:
        gl_of(es).Flush()               # what follows it need not wait for the client to wake
        finish_presents(es, end)
    reply.status = PIPE_REPLY_OK


cdef void set_swap_interval(void* self, const pipe_set_swap_interval* p, void* surface) noexcept nogil:
    """Off-screen surfaces have no refresh to wait for."""
