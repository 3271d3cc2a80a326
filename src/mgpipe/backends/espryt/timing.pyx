# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Two timestamp queries around the work of a record (OpenGL 3.3; EXT_disjoint_timer_query), told in the CPU's clock.

Query objects belong to their native context and are asked only while that one is bound. The two clocks are compared at
the beginning and once a second: the GPU's, asked between two looks at the CPU's.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from driver_gl cimport *
from mgpipe.backends.driver cimport DIALECT_GLES
from mgpipe.backends.espryt.contexts cimport borrow_context, enter_any_context, leave_any_context, return_context
from mgpipe.backends.espryt.espryt cimport *

cdef extern from "pthread.h" nogil:
    unsigned long pthread_self()

cdef enum:
    WAITING = 4096                      # records whose times are not there yet
    LOOKS = 5                           # at both clocks, of which the quickest counts
    COMPARE_EVERY_NS = 1000000000

cdef struct Taken:
    GLuint before, after
    uint64_t context                    # serial
    uint64_t ordinal
    uint32_t op

cdef struct Timing:
    Clock clock
    Timed timed
    void* timed_self
    int64_t ahead_ns                    # of the CPU's clock
    uint64_t uncertainty_ns, compared_at_ns
    uint64_t last_end_ns                # a track is one after the other
    uint64_t lost
    bint bracketing                     # the newest one has no end yet
    uint32_t count
    Taken waiting[WAITING]


cdef inline Timing* timing_of(Espryt* es) noexcept nogil:
    return <Timing*>es.timing


cdef bint has_timestamps(Espryt* es) noexcept nogil:
    cdef GLint bits = 0
    if gl_of(es).QueryCounter == NULL or gl_of(es).GetInteger64v == NULL or gl_of(es).GetQueryObjectui64v == NULL:
        return False
    gl_of(es).GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits)
    return bits > 0


cdef void compare_clocks(Espryt* es) noexcept nogil:
    cdef Timing* timing = timing_of(es)
    cdef uint64_t before, after, quickest = <uint64_t>-1
    cdef GLint64 gpu = 0
    cdef int look
    for look in range(LOOKS):
        before = timing.clock()
        gl_of(es).GetInteger64v(GL_TIMESTAMP, &gpu)
        after = timing.clock()
        if after - before < quickest:
            quickest = after - before
            timing.ahead_ns = <int64_t>(before + (after - before) // 2) - gpu
    timing.uncertainty_ns = quickest // 2 + 1
    timing.compared_at_ns = after


cdef bint espryt_timing_begin(void* self, Clock clock, Timed timed, void* timed_self, uint64_t* uncertainty_ns) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef bint borrowed, has
    if es.timing == NULL:
        borrowed = enter_any_context(es)
        has = has_timestamps(es)
        if has:
            es.timing = calloc(1, sizeof(Timing))
        if es.timing != NULL:
            timing_of(es).clock = clock
            timing_of(es).timed = timed
            timing_of(es).timed_self = timed_self
            compare_clocks(es)
        leave_any_context(es, borrowed)
    if es.timing == NULL:
        return False
    uncertainty_ns[0] = timing_of(es).uncertainty_ns
    return True


cdef void espryt_timing_before(void* self, uint32_t op, uint64_t ordinal) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Timing* timing = timing_of(es)
    cdef Taken* it
    timing.bracketing = False
    if es.bound == NULL:
        return
    if timing.count == WAITING:
        collect(es, es.bound.serial, True)
    if timing.count == WAITING:
        timing.lost += 1
        return
    it = &timing.waiting[timing.count]
    it.context = es.bound.serial
    it.op = op
    it.ordinal = ordinal
    gl_of(es).GenQueries(2, &it.before)         # and `after`, which lies behind it
    gl_of(es).QueryCounter(it.before, GL_TIMESTAMP)
    timing.bracketing = True


cdef void espryt_timing_after(void* self) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Timing* timing = timing_of(es)
    if timing.bracketing:
        timing.bracketing = False
        gl_of(es).QueryCounter(timing.waiting[timing.count].after, GL_TIMESTAMP)
        timing.count += 1


cdef bint disjoint(Espryt* es) noexcept nogil:
    """The GPU's clock has jumped since this was last asked: no time taken before means anything."""
    cdef GLint jumped = 0
    if es.driver.dialect == DIALECT_GLES:
        gl_of(es).GetIntegerv(GL_GPU_DISJOINT_EXT, &jumped)
    return jumped != 0


cdef void collect(Espryt* es, uint64_t context, bint wait) noexcept nogil:
    """Of the context that is bound now: in order, up to the first that is not there."""
    cdef Timing* timing = timing_of(es)
    cdef bint jumped = disjoint(es), pending = False
    cdef uint32_t i, kept = 0
    cdef GLuint available
    cdef Taken* it
    for i in range(timing.count):
        it = &timing.waiting[i]
        if it.context == context and not pending:
            available = 1
            if not wait:
                gl_of(es).GetQueryObjectuiv(it.after, GL_QUERY_RESULT_AVAILABLE, &available)
            if available:
                tell(es, it, jumped)
                continue
            pending = True
        timing.waiting[kept] = it[0]
        kept += 1
    timing.count = kept
    if jumped or timing.clock() - timing.compared_at_ns > <uint64_t>COMPARE_EVERY_NS:
        compare_clocks(es)


cdef void tell(Espryt* es, Taken* it, bint jumped) noexcept nogil:
    cdef Timing* timing = timing_of(es)
    cdef GLuint64 before = 0, after = 0
    cdef uint64_t start, end
    gl_of(es).GetQueryObjectui64v(it.before, GL_QUERY_RESULT, &before)
    gl_of(es).GetQueryObjectui64v(it.after, GL_QUERY_RESULT, &after)
    gl_of(es).DeleteQueries(2, &it.before)
    if jumped:
        timing.lost += 1
        return
    start = max(<uint64_t>(<int64_t>before + timing.ahead_ns), timing.last_end_ns)
    end = max(<uint64_t>(<int64_t>after + timing.ahead_ns), start)
    timing.last_end_ns = end
    timing.timed(timing.timed_self, it.op, it.ordinal, start, end)


cdef void espryt_timing_collect(void* self) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    if timing_of(es).count != 0 and es.bound != NULL:
        collect(es, es.bound.serial, False)


cdef uint64_t espryt_timing_settle(void* self) noexcept nogil:
    """In monolith a context may be current on another thread of the program, where it cannot be asked."""
    cdef Espryt* es = <Espryt*>self
    cdef Timing* timing = timing_of(es)
    cdef Context* ctx = es.contexts
    cdef bint here = es.bound == NULL or es.thread == pthread_self()
    cdef uint64_t lost
    if timing.count != 0 and es.bound != NULL and here:
        collect(es, es.bound.serial, True)
    if timing.count != 0 and here:
        while ctx != NULL:
            if ctx != es.bound:
                borrow_context(es, ctx.native)
                collect(es, ctx.serial, True)
            ctx = ctx.next
        if es.bound != NULL:
            return_context(es)
        else:
            leave_any_context(es, True)
    lost = timing.lost + timing.count
    timing.lost = timing.count = 0
    return lost


cdef void espryt_timing_end(void* self) noexcept nogil:
    free((<Espryt*>self).timing)
    (<Espryt*>self).timing = NULL
