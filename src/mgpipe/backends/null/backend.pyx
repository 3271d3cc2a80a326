# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Null: the generated recording back end with nothing noted, and answers of zeros where somebody reads."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memset
from pipe cimport *
from pipe_formats cimport FORMAT_COUNT, pipe_formats
from mgpipe.backends.host cimport Host, fill_living

cdef inline void note_call(void* self, uint32_t op) noexcept nogil:
    pass

cdef inline void note_bytes(void* self, const void* at, uint64_t size) noexcept nogil:
    pass


include "record.pxi"


cdef void null_start(BackEnd* table, Host* host, uint32_t* item_sizes) noexcept nogil:
    cdef uint32_t i
    install_recorder(table)
    table.self = host
    table.session_reset = session_reset
    table.get_caps = get_caps
    table.count_living = count_living
    table.trace = trace
    table.fence_create = fence_create
    table.fence_wait = fence_wait
    table.present = present
    table.await_present = await_present
    table.query_begin = query_begin
    table.query_end = query_end
    table.query_counter = query_counter
    table.query_result = query_result
    table.resource_readback = resource_readback
    table.get_texture_image = get_texture_image
    table.read_pixels = read_pixels
    table.get_sample_positions = get_sample_positions
    # Not offered: a client would then believe in memory and images that are not there.
    table.map_persistent = NULL
    table.shared_image = NULL
    table.verify_snapshot = NULL    # the applier's own
    table.verify_contents = NULL
    for i in range(PIPE_HANDLE_KINDS):
        item_sizes[i] = 8


cdef void session_reset(void* self) noexcept nogil:
    (<Host*>self).end_all((<Host*>self).self)


cdef void get_caps(void* self, const pipe_get_caps* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    """The least that OpenGL 3.3 asks for, or what we promise at most where that is fixed."""
    cdef pipe_Caps* caps = <pipe_Caps*>into_at
    cdef const pipe_limit* limit
    cdef uint32_t i, j
    cdef double value
    reply.status = PIPE_REPLY_REFUSED
    if p.into.size < sizeof(pipe_Caps):
        return
    memset(caps, 0, sizeof(pipe_Caps))
    caps.driver = 2                 # DRIVER_NULL of server/applier.pxd
    caps.dialect = PIPE_DIALECT_NONE
    caps.version_major = 4
    caps.version_minor = 5
    caps.glsl_version = 450
    caps.features = PIPE_FEATURE_OCCLUSION_COUNT | PIPE_FEATURE_PRIMITIVES_GENERATED | PIPE_FEATURE_TIMER_QUERY
    caps.features |= PIPE_FEATURE_COMPUTE | PIPE_FEATURE_BASE_INSTANCE | PIPE_FEATURE_MULTI_DRAW_INDIRECT | PIPE_FEATURE_TEXTURE_VIEW
    for i in range(PIPE_LIMIT_COUNT):
        limit = &pipe_limits[i]
        value = limit.promise if limit.source != PIPE_SOURCE_DRIVER else limit.minimum
        for j in range(limit.count):
            if limit.type == PIPE_LIMIT_I64:
                (<int64_t*>(into_at + limit.offset))[j] = <int64_t>value
            elif limit.type == PIPE_LIMIT_F32:
                (<float*>(into_at + limit.offset))[j] = <float>value
            else:
                (<int32_t*>(into_at + limit.offset))[j] = <int32_t>value
    for i in range(1, FORMAT_COUNT):
        caps.formats[i] = PIPE_FORMAT_SAMPLE | (PIPE_FORMAT_FILTER if pipe_formats[i].filterable else 0)
        if pipe_formats[i].color_renderable or pipe_formats[i].depth_renderable or pipe_formats[i].stencil_renderable:
            caps.formats[i] |= PIPE_FORMAT_RENDER | PIPE_FORMAT_MULTISAMPLE
            caps.sample_counts[i] = 0b1011      # 1, 2, 4
    snprintf(caps.vendor, sizeof(caps.vendor), "mgpipe")
    snprintf(caps.renderer, sizeof(caps.renderer), "null")
    snprintf(caps.version, sizeof(caps.version), "null")
    reply.status = PIPE_REPLY_OK
    reply.size = sizeof(pipe_Caps)


cdef void count_living(void* self, const pipe_count_living* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    fill_living(<Host*>self, into_at, p.into.size, reply)


cdef void trace(void* self, const pipe_trace* p, pipe_reply* reply) noexcept nogil:
    (<Host*>self).trace((<Host*>self).self, p.mode, reply)


cdef void fence_wait(void* self, const pipe_fence_wait* p, void* fence, pipe_reply* reply) noexcept nogil:
    reply.status = PIPE_REPLY_OK
    reply.value[0] = 1


cdef void query_result(void* self, const pipe_query_result* p, void* query, pipe_reply* reply) noexcept nogil:
    reply.status = PIPE_REPLY_OK
    reply.value[0] = 1


# An item of 8 bytes is what a query has here: the first four count its runs.

cdef void query_begin(void* self, const pipe_query_begin* p, void* query) noexcept nogil:
    (<uint32_t*>query)[0] += 1


cdef void query_end(void* self, const pipe_query_end* p, void* query) noexcept nogil:
    tell_query(<Host*>self, p.query, <uint32_t*>query)


cdef void query_counter(void* self, const pipe_query_counter* p, void* query) noexcept nogil:
    (<uint32_t*>query)[0] += 1
    tell_query(<Host*>self, p.query, <uint32_t*>query)


cdef void tell_query(Host* host, pipe_handle handle, const uint32_t* run) noexcept nogil:
    cdef pipe_event_query_completed event
    memset(&event, 0, sizeof(event))
    event.query = handle
    event.run = run[0]
    host.push(host.self, PIPE_EVENT_QUERY_COMPLETED, &event, sizeof(event), NULL, 0)


cdef void fence_create(void* self, const pipe_fence_create* p, void* fence) noexcept nogil:
    cdef pipe_event_fence_signalled event
    memset(&event, 0, sizeof(event))
    event.fence = p.fence
    (<Host*>self).push((<Host*>self).self, PIPE_EVENT_FENCE_SIGNALLED, &event, sizeof(event), NULL, 0)


cdef void present(void* self, const pipe_present* p, void* surface) noexcept nogil:
    cdef pipe_event_presented event
    event.surface = p.surface
    event.serial = p.serial
    (<Host*>self).push((<Host*>self).self, PIPE_EVENT_PRESENTED, &event, sizeof(event), NULL, 0)


cdef void await_present(void* self, const pipe_await_present* p, void* surface, pipe_reply* reply) noexcept nogil:
    reply.status = PIPE_REPLY_OK


cdef void zeros(uint8_t* at, uint64_t size, pipe_reply* reply) noexcept nogil:
    if at != NULL:
        memset(at, 0, size)
    reply.status = PIPE_REPLY_OK


cdef void resource_readback(void* self, const pipe_resource_readback* p, void* resource, uint8_t* into_at,
                            pipe_reply* reply) noexcept nogil:
    zeros(into_at, p.into.size, reply)


cdef void get_texture_image(void* self, const pipe_get_texture_image* p, void* resource, uint8_t* into_at,
                            pipe_reply* reply) noexcept nogil:
    zeros(into_at, p.into.size, reply)


cdef void get_sample_positions(void* self, const pipe_get_sample_positions* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    zeros(into_at, p.into.size, reply)


cdef void read_pixels(void* self, const pipe_read_pixels* p, uint8_t* into_at, pipe_reply* reply) noexcept nogil:
    zeros(into_at, p.into.size, reply)
