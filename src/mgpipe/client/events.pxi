# The reverse channel, client side: what the server tells in order. Decoded here, whoever polls first.

cdef enum:
    MAX_SLOTS = 1 << 20         # of fences or queries; a server that names a higher one is wrong

cdef enum:
    LOG_DEBUG = 10
    LOG_INFO = 20
    LOG_WARNING = 30


cdef void write_error(const char* text, uint64_t size) noexcept nogil:
    """One line on standard error, in one write: threads and processes do not mix inside it."""
    cdef char[4200] line
    cdef uint64_t length = min(size, <uint64_t>4096)
    memcpy(line, b"mgpipe: ", 8)
    memcpy(line + 8, text, length)
    line[8 + length] = 10
    write(2, line, length + 9)


cdef void tell_packing(void* self, const char* sentence) noexcept nogil:
    if (<Link*>(<Session*>self).link).log_level <= LOG_INFO:
        write_error(sentence, strlen(sentence))


cdef Completion* completion(Completions* all, uint32_t slot, bint make) noexcept nogil:
    cdef uint32_t capacity
    cdef Completion* grown
    if slot >= all.capacity:
        if not make or slot >= MAX_SLOTS:
            return NULL
        capacity = max(max(64, 2 * all.capacity), slot + 1)
        grown = <Completion*>realloc(all.slots, capacity * sizeof(Completion))
        if grown == NULL:
            return NULL
        memset(grown + all.capacity, 0, (capacity - all.capacity) * sizeof(Completion))
        all.slots = grown
        all.capacity = capacity
    return &all.slots[slot]


cdef void complete(Completions* all, pipe_handle handle, uint32_t run, uint64_t result) noexcept nogil:
    cdef Completion* slot = completion(all, handle.slot, True)
    if slot != NULL and slot.gen <= handle.gen:     # an older generation's news comes too late for its slot
        slot.gen = handle.gen
        slot.done = 1
        slot.run = run
        slot.result = result


cdef bint is_complete(Session* session, Completions* all, pipe_handle handle, uint32_t run, uint64_t* result) noexcept nogil:
    cdef Link* link = <Link*>session.link
    cdef bint found = False
    cdef Completion* slot
    lock_acquire(&link.event_lock)
    slot = completion(all, handle.slot, False)
    if slot != NULL and slot.gen == handle.gen and slot.run == run and slot.done:
        found = True
        if result != NULL:
            result[0] = slot.result
    lock_release(&link.event_lock)
    return found


cdef bint fence_signalled(Session* session, pipe_handle fence) noexcept nogil:
    return is_complete(session, &(<Link*>session.link).fences, fence, 0, NULL)


cdef bint query_completed(Session* session, pipe_handle query, uint32_t run, uint64_t* result) noexcept nogil:
    return is_complete(session, &(<Link*>session.link).queries, query, run, result)


cdef uint64_t presented(Session* session, pipe_handle surface) noexcept nogil:
    cdef uint64_t serial = 0
    return serial if is_complete(session, &(<Link*>session.link).presents, surface, 0, &serial) else 0


cdef void handle_event(Session* session, uint32_t op, const uint8_t* payload, uint32_t size) noexcept nogil:
    """`payload` is what follows the record's header. A text's length is what it says, or what really came if less."""
    cdef Link* link = <Link*>session.link
    cdef char[1100] sentence
    cdef uint32_t length
    if op == PIPE_EVENT_FAULT and size >= sizeof(pipe_event_fault):
        length = min((<pipe_event_fault*>payload).byte_count, size - <uint32_t>sizeof(pipe_event_fault))
        length = min(length, <uint32_t>1024)
        memcpy(sentence, payload + sizeof(pipe_event_fault), length)
        sentence[length] = 0
        session_lose(session, LOSS_FAULT, sentence)
    elif op == PIPE_EVENT_LOG and size >= sizeof(pipe_event_log):
        if (<pipe_event_log*>payload).level >= link.log_level:
            length = min((<pipe_event_log*>payload).byte_count, size - <uint32_t>sizeof(pipe_event_log))
            write_error(<const char*>payload + sizeof(pipe_event_log), length)
    elif op == PIPE_EVENT_FENCE_SIGNALLED and size >= sizeof(pipe_event_fence_signalled):
        complete(&link.fences, (<pipe_event_fence_signalled*>payload).fence, 0, 1)
    elif op == PIPE_EVENT_QUERY_COMPLETED and size >= sizeof(pipe_event_query_completed):
        complete(&link.queries, (<pipe_event_query_completed*>payload).query, (<pipe_event_query_completed*>payload).run,
                 (<pipe_event_query_completed*>payload).result)
    elif op == PIPE_EVENT_PRESENTED and size >= sizeof(pipe_event_presented):
        complete(&link.presents, (<pipe_event_presented*>payload).surface, 0, (<pipe_event_presented*>payload).serial)
    elif op == PIPE_EVENT_TRACE_SLICES and session.trace != NULL:
        trace_event(session, payload, size)


cdef void poll_events(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    cdef int64_t size
    if link.has_rings:
        ring_hear(&link.commands)
    if not link.has_rings or load_relaxed(&link.events.page.head) == link.events.tail:
        return
    # Any thread that waits may come here; records must be taken in order. Handlers take no other lock.
    lock_acquire(&link.event_lock)
    while ring_poll_records(&link.events) == 1:
        while True:
            size = ring_take(&link.events, link.event_copy, PIPE_MAX_EVENT)
            if size <= 0:
                break
            handle_event(session, (<pipe_record*>link.event_copy).op, link.event_copy + sizeof(pipe_record),
                         <uint32_t>size - <uint32_t>sizeof(pipe_record))
        if size < 0:
            session_lose(session, LOSS_CORRUPT, b"the server's events are not records")
            break
    lock_release(&link.event_lock)
