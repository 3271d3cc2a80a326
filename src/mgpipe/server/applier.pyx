# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The server side of the boundary: decode, check, resolve, hand to a back end. Runs on one thread, never takes the GIL.

Checking and resolving are generated (decode.pxi); here is what they stand on: the object tables, the latch, and what
happens to a call that the back end does not have.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset, strlen
from pipe cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.backend cimport (espryt_fill_unwritten, espryt_held, espryt_poll, espryt_settle, espryt_start, espryt_stop,
                                             espryt_unwritten)
from mgpipe.backends.host cimport LOG_WARNING, Host
from mgpipe.backends.null.backend cimport null_start
from mgpipe.links.arena cimport SEGMENT_REPLY
from mgpipe.links.segments cimport Segments, segment_bytes, segment_words
from mgpipe.server.trace cimport Room, Trace, trace_after, trace_before, trace_call, trace_free, trace_is_on, trace_new
from mgpipe.server.watch cimport Watch, watch_begin, watch_end, watch_verb, watch_withhold
from mgpipe.server.tables cimport Table, table_admit, table_dismiss, table_find, table_free, table_init, table_living

cdef enum:
    MANY = 1 << 20              # slots of the kinds that programs make by the thousand
    SOME = 1 << 16
    FEW = 1 << 12               # contexts, surfaces, share groups
    REMEMBERED = 256            # refusals that were logged already

cdef struct Applier:
    BackEnd back
    Host host
    Table tables[PIPE_HANDLE_KINDS]
    Segments* segments
    PushEvent push
    void* push_self
    TakePart part
    void* part_self
    uint32_t driver
    uint32_t objects, most_objects      # alive, of all kinds; 0: as many as the tables hold
    bint (*poll)(void* self) noexcept nogil     # of the back end; NULL: nothing of it completes late
    void* poll_self
    uint32_t* unwritten         # pieces of new storage that the back end has not filled; NULL: it does not say
    void (*fill_unwritten)(void* self) noexcept nogil
    uint32_t family             # of the fault that latched the session, 0: none
    char fault[512]
    uint64_t refused[REMEMBERED]    # hashes of refusals logged
    uint32_t refused_count
    Watch* watch                # of a session that verifies, else NULL
    Trace* trace                # of one that is traced, or was
    uint32_t* armed             # of whoever applies; NULL: who asks for each record itself
    uint32_t armed_bit
    Room room
    void* room_self

cdef uint64_t _nothing_held = 0

ctypedef void (*End)(void* self, const pipe_handle* handle, void* item) noexcept nogil


# -- what decode.pxi stands on

cdef inline const BackEnd* back_end(void* self) noexcept nogil:
    return &(<Applier*>self).back if (<Applier*>self).family == 0 else NULL


cdef inline void* resolve(void* self, uint32_t kind, pipe_handle handle) noexcept nogil:
    return table_find(&(<Applier*>self).tables[kind], handle)


cdef inline void* admit(void* self, uint32_t kind, pipe_handle handle) noexcept nogil:
    cdef Applier* applier = <Applier*>self
    cdef void* item = NULL
    if applier.most_objects != 0 and applier.objects >= applier.most_objects:
        fault(self, PIPE_FAULT_OBJECT_LIMIT, b"the session holds as many objects as it may")
        return NULL
    item = table_admit(&applier.tables[kind], handle)
    applier.objects += item != NULL
    return item


cdef inline void dismiss(void* self, uint32_t kind, pipe_handle handle, void* item) noexcept nogil:
    table_dismiss(&(<Applier*>self).tables[kind], handle)
    (<Applier*>self).objects -= 1


cdef inline uint8_t* blob_bytes(void* self, const pipe_Blob* blob) noexcept nogil:
    (<Applier*>self).segments.named_bytes[blob.segment & 3] += blob.size
    return segment_bytes((<Applier*>self).segments, blob)


cdef inline uint8_t* blob_words(void* self, const pipe_Blob* blob) noexcept nogil:
    (<Applier*>self).segments.named_bytes[<int>SEGMENT_REPLY] += blob.size      # an answer, wherever it is to lie
    return segment_words((<Applier*>self).segments, blob, 8)


cdef void fault(void* self, uint32_t family, const char* where) noexcept nogil:
    """The first one counts; nothing is applied after it."""
    cdef Applier* applier = <Applier*>self
    cdef pipe_event_fault event
    if applier.family != 0:
        return
    applier.family = family
    snprintf(applier.fault, sizeof(applier.fault), "%s: %s", pipe_fault_names[family], where)
    memset(&event, 0, sizeof(event))
    event.family = family
    event.byte_count = <uint32_t>strlen(applier.fault)
    applier.push(applier.push_self, PIPE_EVENT_FAULT, &event, sizeof(event), applier.fault, event.byte_count)


cdef void unimplemented(void* self, uint32_t op, const char* name) noexcept nogil:
    cdef Applier* applier = <Applier*>self
    if op == PIPE_OP_VERIFY_SNAPSHOT and applier.watch == NULL:     # no back end has it: the first one asks us to watch
        applier.watch = watch_begin(&applier.back, &applier.host)
        if applier.watch != NULL:
            return
    refuse(self, name, b"this call, by this back end")


include "decode.pxi"


# -- what a back end may ask

cdef void log(void* self, uint32_t level, const char* text) noexcept nogil:
    cdef Applier* applier = <Applier*>self
    cdef pipe_event_log event
    cdef size_t size = strlen(text)
    memset(&event, 0, sizeof(event))
    event.level = level
    event.byte_count = <uint32_t>(size if size < 4096 else 4096)
    applier.push(applier.push_self, PIPE_EVENT_LOG, &event, sizeof(event), text, event.byte_count)


cdef void refuse(void* self, const char* call, const char* what) noexcept nogil:
    """Unimplemented{call, what}: the session goes on without it, and says so once."""
    cdef Applier* applier = <Applier*>self
    cdef uint64_t hash = fnv(fnv(<uint64_t>0xCBF29CE484222325, call), what)
    cdef char text[512]
    cdef uint32_t i
    for i in range(applier.refused_count):
        if applier.refused[i] == hash:
            return
    if applier.refused_count < REMEMBERED:
        applier.refused[applier.refused_count] = hash
        applier.refused_count += 1
    snprintf(text, sizeof(text), "%s: %s: %s", pipe_fault_names[PIPE_FAULT_UNIMPLEMENTED], call, what)
    log(self, LOG_WARNING, text)


cdef void not_supplied(void* self, const char* what) noexcept nogil:
    cdef char text[128]
    snprintf(text, sizeof(text), "%s: %s", watch_verb((<Applier*>self).watch), what)
    fault(self, PIPE_FAULT_NOT_SUPPLIED, text)


cdef uint64_t fnv(uint64_t hash, const char* text) noexcept nogil:
    while text[0] != 0:
        hash = (hash ^ <uint8_t>text[0]) * <uint64_t>0x100000001B3
        text += 1
    return hash * 31


cdef void push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail, uint32_t tail_size) noexcept nogil:
    (<Applier*>self).push((<Applier*>self).push_self, op, payload, size, tail, tail_size)


cdef void part(void* self, uint64_t done) noexcept nogil:
    (<Applier*>self).part((<Applier*>self).part_self, done)


cdef void applier_take_parts(Applier* applier, TakePart take, void* take_self) noexcept nogil:
    applier.part = take
    applier.part_self = take_self
    applier.host.part = part


cdef uint32_t living(void* self, uint32_t kind) noexcept nogil:
    return applier_living(<Applier*>self, kind)


cdef void trace_session(void* self, uint32_t mode, pipe_reply* reply) noexcept nogil:
    cdef Applier* applier = <Applier*>self
    if applier.trace == NULL:
        applier.trace = trace_new(applier.poll_self, applier.push, applier.push_self, applier.room, applier.room_self)
    if applier.trace == NULL:
        reply.status = PIPE_REPLY_ERROR
        return
    trace_call(applier.trace, mode, reply)
    if applier.armed != NULL and trace_is_on(applier.trace):
        applier.armed[0] |= applier.armed_bit
    elif applier.armed != NULL:
        applier.armed[0] &= ~applier.armed_bit


cdef void applier_traced_by(Applier* applier, uint32_t* armed, uint32_t bit, Room room, void* room_self) noexcept nogil:
    applier.armed = armed
    applier.armed_bit = bit
    applier.room = room
    applier.room_self = room_self


cdef void applier_trace_before(Applier* applier, uint32_t op, uint64_t ordinal) noexcept nogil:
    if trace_is_on(applier.trace):
        trace_before(applier.trace, op, ordinal)


cdef void applier_trace_after(Applier* applier, uint32_t op, uint64_t ordinal) noexcept nogil:
    if trace_is_on(applier.trace):
        trace_after(applier.trace, op, ordinal)


# -- the session

cdef Applier* applier_new(uint32_t driver, Segments* segments, PushEvent push_event, void* push_self, char* error,
                          uint32_t error_size) noexcept nogil:
    cdef Applier* applier = <Applier*>calloc(1, sizeof(Applier))
    cdef uint32_t item_sizes[PIPE_HANDLE_KINDS]
    cdef uint32_t kind
    if applier == NULL:
        snprintf(error, error_size, "OutOfMemory: no room for a session")
        return NULL
    for kind in range(PIPE_HANDLE_KINDS):
        item_sizes[kind] = 8
    applier.driver = driver
    applier.segments = segments
    applier.push = push_event
    applier.push_self = push_self
    applier.host.self = applier
    applier.host.log = log
    applier.host.unimplemented = refuse
    applier.host.fault = fault
    applier.host.supplied = <uint64_t>-1
    applier.host.not_supplied = not_supplied
    applier.host.push = push
    applier.host.living = living
    applier.host.trace = trace_session
    applier.host.end_all = forget_all
    if driver == DRIVER_NULL:
        null_start(&applier.back, &applier.host, item_sizes)
    elif espryt_start(&applier.back, &applier.host, DIALECT_GL if driver == DRIVER_GL else DIALECT_GLES, item_sizes,
                      error, error_size) != 0:
        free(applier)
        return NULL
    if driver != DRIVER_NULL:
        applier.poll = espryt_poll
        applier.poll_self = applier.back.self
    for kind in range(PIPE_HANDLE_KINDS):
        table_init(&applier.tables[kind], item_sizes[kind], slots(kind))
    return applier


cdef uint32_t slots(uint32_t kind) noexcept nogil:
    if kind == PIPE_HANDLE_CONTEXT or kind == PIPE_HANDLE_SURFACE or kind == PIPE_HANDLE_SHARE_GROUP:
        return FEW
    if kind == PIPE_HANDLE_RESOURCE or kind == PIPE_HANDLE_FENCE or kind == PIPE_HANDLE_QUERY:
        return MANY
    return SOME


cdef void applier_tables(Applier* applier, PipeScreen* screen, PipeContext* context) noexcept nogil:
    install_applier(screen, context)


cdef inline bint looks(uint32_t op) noexcept nogil:
    """Could this record see what storage holds? Those that make some and fill it cannot."""
    return (op != PIPE_OP_RESOURCE_SUBDATA and op != PIPE_OP_RESOURCE_RESPECIFY and op != PIPE_OP_RESOURCE_CREATE
            and op != PIPE_OP_SET_TEXTURE_PARAMS)


cdef int applier_apply(Applier* applier, const uint8_t* record, uint32_t size, pipe_reply* reply) noexcept nogil:
    if applier.family != 0:
        reply.status = PIPE_REPLY_LOST
        return -1
    if applier.unwritten != NULL and applier.unwritten[0] != 0 and looks((<const pipe_record*>record).op):
        applier.fill_unwritten(applier.poll_self)
    decode_record(applier, record, size, reply)
    return 0 if applier.family == 0 else -1


cdef void applier_share_memory(Applier* applier, const uint64_t* ordinal) noexcept nogil:
    applier.host.shares_memory = 1
    applier.host.ordinal = ordinal


cdef const uint64_t* applier_held(Applier* applier) noexcept nogil:
    return espryt_held(applier.poll_self) if applier.driver != DRIVER_NULL else &_nothing_held


cdef void applier_settle(Applier* applier, uint64_t timeout_ns) noexcept nogil:
    if applier.driver != DRIVER_NULL and applier.family == 0:
        espryt_settle(applier.poll_self, timeout_ns)


cdef bint applier_poll(Applier* applier) noexcept nogil:
    return applier.poll != NULL and applier.family == 0 and applier.poll(applier.poll_self)


cdef void applier_fail(Applier* applier, uint32_t family, const char* where) noexcept nogil:
    fault(applier, family, where)


cdef void applier_fill_storage(Applier* applier) noexcept nogil:
    if applier.driver != DRIVER_NULL:
        applier.unwritten = espryt_unwritten(applier.back.self)
        applier.fill_unwritten = espryt_fill_unwritten


cdef const char* applier_fault(Applier* applier) noexcept nogil:
    return applier.fault if applier.family != 0 else NULL


cdef void applier_withhold(Applier* applier, uint64_t sections) noexcept nogil:
    watch_withhold(applier.watch, sections)


cdef void applier_limit_objects(Applier* applier, uint32_t most) noexcept nogil:
    applier.most_objects = most


cdef void applier_renderer(Applier* applier, char* text, uint32_t size) noexcept nogil:
    cdef pipe_Caps* caps = <pipe_Caps*>calloc(1, sizeof(pipe_Caps))
    cdef pipe_get_caps call
    cdef pipe_reply reply
    if caps == NULL:
        return
    memset(&call, 0, sizeof(call))
    memset(&reply, 0, sizeof(reply))
    call.into.size = sizeof(pipe_Caps)
    applier.back.get_caps(applier.back.self, &call, <uint8_t*>caps, &reply)
    snprintf(text, size, "%s", caps.renderer)
    free(caps)


cdef uint32_t applier_living(Applier* applier, uint32_t kind) noexcept nogil:
    return applier.tables[kind].count if kind < PIPE_HANDLE_KINDS else 0


cdef void applier_free(Applier* applier) noexcept nogil:
    cdef uint32_t kind
    if applier == NULL:
        return
    end_all(applier)
    watch_end(applier.watch, &applier.back)
    trace_free(applier.trace)
    if applier.driver != DRIVER_NULL:
        espryt_stop(&applier.back)
    for kind in range(PIPE_HANDLE_KINDS):
        table_free(&applier.tables[kind])
    free(applier)


# -- endings

cdef void forget_all(void* self) noexcept nogil:
    """As if the session had just begun: generations may start anew as well."""
    cdef Applier* applier = <Applier*>self
    cdef uint32_t kind, size
    end_all(applier)
    for kind in range(PIPE_HANDLE_KINDS):
        size = applier.tables[kind].item_size
        table_free(&applier.tables[kind])
        table_init(&applier.tables[kind], size, slots(kind))
    applier.objects = 0


cdef void end_all(Applier* applier) noexcept nogil:
    """Users before what they use, contexts late: names that are not shared can only be deleted while theirs is current."""
    cdef BackEnd* back = &applier.back
    end_kind(applier, PIPE_HANDLE_FRAMEBUFFER, <End>back.framebuffer_destroy)
    end_kind(applier, PIPE_HANDLE_VERTEX_ARRAY, <End>back.vertex_array_destroy)
    end_kind(applier, PIPE_HANDLE_STREAM_OUTPUT, <End>back.delete_stream_output)
    end_kind(applier, PIPE_HANDLE_QUERY, <End>back.query_destroy)
    end_kind(applier, PIPE_HANDLE_FENCE, <End>back.fence_destroy)
    end_kind(applier, PIPE_HANDLE_SAMPLER_VIEW, <End>back.delete_sampler_view)
    end_kind(applier, PIPE_HANDLE_SAMPLER, <End>back.delete_sampler_state)
    end_kind(applier, PIPE_HANDLE_RENDER_STATE, <End>back.delete_render_state)
    end_kind(applier, PIPE_HANDLE_VERTEX_ELEMENTS, <End>back.delete_vertex_elements)
    end_kind(applier, PIPE_HANDLE_SHADER, <End>back.delete_shader_state)
    end_kind(applier, PIPE_HANDLE_RESOURCE, <End>back.resource_destroy)
    end_kind(applier, PIPE_HANDLE_SURFACE, <End>back.destroy_surface)
    end_kind(applier, PIPE_HANDLE_CONTEXT, <End>back.destroy_context)
    end_kind(applier, PIPE_HANDLE_SHARE_GROUP, <End>back.destroy_share_group)
    end_kind(applier, PIPE_HANDLE_IMAGE, NULL)


cdef void end_kind(Applier* applier, uint32_t kind, End end) noexcept nogil:
    """The payload of every row that ends an object begins with its handle."""
    cdef Table* table = &applier.tables[kind]
    cdef pipe_handle handle
    cdef uint32_t slot
    cdef void* item
    for slot in range(table.capacity):
        if table.count == 0:
            break
        item = table_living(table, slot, &handle)
        if item != NULL:
            if end != NULL:
                end(applier.back.self, &handle, item)
            table_dismiss(table, handle)
