# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""When records were applied and their work done, told to a client that traces its session.

Slices gather in memory taken once and leave in events of a hundred, whenever one can be pushed without waiting: a trace
never holds up what it shows. What finds no room is dropped and counted. A session that is not traced never gets here.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from pipe cimport *

from mgpipe.backends.espryt.timing cimport (espryt_timing_after, espryt_timing_before, espryt_timing_begin, espryt_timing_collect,
                                            espryt_timing_settle)
from mgpipe.links.atomics cimport clock_ns

cdef enum:
    SLICES = 65536                      # 2 MiB
    TOLD_TOGETHER = 100                 # as many as an event holds
    EVENT_BYTES = 24 + TOLD_TOGETHER * 32

cdef struct Trace:
    PushEvent push
    void* push_self
    Room room
    void* room_self
    void* back_end                      # NULL: it times nothing
    uint64_t began_ns                   # of the record that is being applied
    uint64_t dropped, uncertainty_ns
    uint32_t on, times_gpu
    uint32_t first, count
    pipe_TraceSlice slices[SLICES]


cdef Trace* trace_new(void* back_end, PushEvent push, void* push_self, Room room, void* room_self) noexcept nogil:
    cdef Trace* trace = <Trace*>calloc(1, sizeof(Trace))
    if trace == NULL:
        return NULL
    trace.back_end = back_end
    trace.push = push
    trace.push_self = push_self
    trace.room = room
    trace.room_self = room_self
    return trace


cdef void trace_free(Trace* trace) noexcept nogil:
    free(trace)


cdef bint trace_is_on(Trace* trace) noexcept nogil:
    return trace != NULL and trace.on != 0


cdef uint64_t clock() noexcept nogil:
    return clock_ns()


cdef inline bint works(uint32_t op) noexcept nogil:
    """Records for which the GPU does something that takes time."""
    return (op == PIPE_OP_DRAW_VBO or op == PIPE_OP_CLEAR or op == PIPE_OP_BLIT or op == PIPE_OP_RESOURCE_SUBDATA
            or op == PIPE_OP_LAUNCH_GRID or op == PIPE_OP_DRAW_INDIRECT or op == PIPE_OP_DRAW_STREAM_OUTPUT
            or op == PIPE_OP_MULTI_DRAW_ARRAYS or op == PIPE_OP_MULTI_DRAW_ELEMENTS
            or op == PIPE_OP_READ_PIXELS or op == PIPE_OP_READ_PIXELS_TO_BUFFER or op == PIPE_OP_COPY_FRAMEBUFFER_TO_TEXTURE
            or op == PIPE_OP_RESOURCE_CLEAR or op == PIPE_OP_RESOURCE_READBACK or op == PIPE_OP_RESOURCE_COPY_REGION
            or op == PIPE_OP_BUFFER_COPY or op == PIPE_OP_GENERATE_MIPMAP or op == PIPE_OP_GET_TEXTURE_IMAGE
            or op == PIPE_OP_GET_TEXTURE_IMAGE_TO_BUFFER or op == PIPE_OP_TEXTURE_FROM_BUFFER
            or op == PIPE_OP_QUERY_RESULT_TO_BUFFER)


cdef inline bint submits(uint32_t op) noexcept nogil:
    """Records after which the driver holds nothing back."""
    return (op == PIPE_OP_FLUSH or op == PIPE_OP_PRESENT or op == PIPE_OP_FINISH or op == PIPE_OP_READ_PIXELS
            or op == PIPE_OP_RESOURCE_READBACK or op == PIPE_OP_GET_TEXTURE_IMAGE)


cdef void keep(Trace* trace, uint32_t track, uint32_t op, uint64_t ordinal, uint64_t start_ns, uint64_t end_ns) noexcept nogil:
    cdef pipe_TraceSlice* slice
    if trace.count == SLICES:
        trace.dropped += 1
        return
    slice = &trace.slices[(trace.first + trace.count) % SLICES]
    slice.start = start_ns
    slice.end = end_ns
    slice.ordinal = ordinal
    slice.op = op
    slice.track = track
    trace.count += 1


cdef void timed(void* self, uint32_t op, uint64_t ordinal, uint64_t start_ns, uint64_t end_ns) noexcept nogil:
    keep(<Trace*>self, PIPE_TRACE_TRACK_GPU, op, ordinal, start_ns, end_ns)


cdef void tell(Trace* trace, bint all) noexcept nogil:
    cdef pipe_event_trace_slices event
    event.pad0 = 0
    while trace.count >= <uint32_t>(1 if all else TOLD_TOGETHER):
        if not all and trace.room != NULL and not trace.room(trace.room_self, EVENT_BYTES):
            return
        event.slice_count = min(min(trace.count, <uint32_t>TOLD_TOGETHER), SLICES - trace.first)
        trace.push(trace.push_self, PIPE_EVENT_TRACE_SLICES, &event, sizeof(event), &trace.slices[trace.first],
                   event.slice_count * <uint32_t>sizeof(pipe_TraceSlice))
        trace.first = (trace.first + event.slice_count) % SLICES
        trace.count -= event.slice_count


cdef void trace_call(Trace* trace, uint32_t mode, pipe_reply* reply) noexcept nogil:
    if mode == PIPE_TRACE_MODE_BEGIN and not trace.on:
        trace.times_gpu = trace.back_end != NULL and espryt_timing_begin(trace.back_end, clock, timed, trace, &trace.uncertainty_ns)
        trace.on = 1
    elif mode == PIPE_TRACE_MODE_END and trace.on:
        if trace.times_gpu:
            trace.dropped += espryt_timing_settle(trace.back_end)
        tell(trace, True)
        trace.on = 0
    reply.value[0] = clock_ns()
    reply.value[1] = trace.dropped
    reply.value[2] = trace.times_gpu
    reply.value[3] = trace.uncertainty_ns
    reply.status = PIPE_REPLY_OK


cdef void trace_before(Trace* trace, uint32_t op, uint64_t ordinal) noexcept nogil:
    if op == PIPE_OP_DESTROY_CONTEXT and trace.times_gpu:
        trace.dropped += espryt_timing_settle(trace.back_end)       # its times go with it
    trace.began_ns = clock_ns()
    if trace.times_gpu and works(op):
        espryt_timing_before(trace.back_end, op, ordinal)


cdef void trace_after(Trace* trace, uint32_t op, uint64_t ordinal) noexcept nogil:
    if trace.times_gpu and works(op):
        espryt_timing_after(trace.back_end)
    keep(trace, PIPE_TRACE_TRACK_APPLY, op, ordinal, trace.began_ns, clock_ns())
    if trace.times_gpu and submits(op):
        espryt_timing_collect(trace.back_end)
    tell(trace, False)
