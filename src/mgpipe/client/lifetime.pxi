# Beginning and end of a session's memory and descriptors. Included by session.pyx.

cdef Session* session_allocate(uint32_t topology) noexcept nogil:
    global _sessions
    cdef Session* session = <Session*>calloc(1, sizeof(Session))
    cdef Link* link = <Link*>calloc(1, sizeof(Link))
    cdef uint8_t* event_copy = <uint8_t*>calloc(1, PIPE_MAX_EVENT)
    cdef int page_fd = -1
    cdef ClientPage* page = client_page_new(&page_fd)
    if session == NULL or link == NULL or event_copy == NULL or page == NULL:
        page_free(<uint8_t*>page)
        if page_fd >= 0:
            close(page_fd)
        free(session)
        free(link)
        free(event_copy)
        return NULL
    link.event_copy = event_copy
    session.link = link
    session.stats = &page.stats
    page.topology = topology
    page.frames_in_flight = 3
    link.page = page
    link.page_fd = page_fd
    session.topology = topology
    session.owner_pid = <uint32_t>getpid()
    session.mirror_epoch = 1
    link.pidfd = link.control = link.data = link.shadow_fd = link.reply_fd = link.server_page_fd = -1
    link.log_level = LOG_WARNING
    session.applied = &session.emitted      # monolith: what is emitted has been applied
    if not can_bias():
        session.lock = &link.mutex
    watch_forks()
    link.next = _sessions
    _sessions = session
    return session


cdef void close_descriptors(Link* link) noexcept nogil:
    """The arena keeps the number of its file and may yet grow it: a foreign file must never take that number."""
    cdef int null
    if link.pidfd >= 0:
        close(link.pidfd)
    if link.control >= 0:
        close(link.control)
    if link.data >= 0:
        close(link.data)
    if link.reply_fd >= 0:
        close(link.reply_fd)
    if link.page_fd >= 0:
        close(link.page_fd)
    if link.server_page_fd >= 0:
        close(link.server_page_fd)
    if link.shadow_fd >= 0:
        null = open(b"/dev/null", O_RDWR | O_CLOEXEC)
        dup2(null, link.shadow_fd)
        close(null)
    link.pidfd = link.control = link.data = link.reply_fd = link.page_fd = link.server_page_fd = -1


cdef void release_memory(Session* session) noexcept nogil:
    """Give back descriptors and memory. While contexts live their pointers stay good, with private zero pages behind."""
    cdef Link* link = <Link*>session.link
    cdef uint32_t i
    close_descriptors(link)
    page_withdraw(<uint8_t*>link.page)
    if session.users == 0 and session.shadow != NULL:
        arena_free(session.shadow)
        session.shadow = NULL
        session.applied = &session.emitted
        if link.shadow_fd >= 0:
            close(link.shadow_fd)
            link.shadow_fd = -1
    for i in range(link.mapping_count):
        if session.users == 0:
            munmap(link.mappings[i].base, link.mappings[i].size)
        else:
            hide_memory(link.mappings[i])
    if session.users == 0:
        link.has_rings = link.mapping_count = 0


cdef void session_free(Session* session) noexcept nogil:
    """Of a session that nobody has seen yet, or of one that was released and that no context refers to any more."""
    global _sessions
    cdef Link* link = <Link*>session.link
    cdef Session** place = &_sessions
    cdef uint32_t i
    while place[0] != NULL and place[0] != session:
        place = &(<Link*>place[0].link).next
    if place[0] == session:
        place[0] = link.next
    if session.shadow != NULL:
        arena_free(session.shadow)
    close_descriptors(link)
    if link.shadow_fd >= 0:
        close(link.shadow_fd)
    for i in range(link.mapping_count):
        munmap(link.mappings[i].base, link.mappings[i].size)
    for i in range(16):
        free(session.handles[i].gens)
        free(session.handles[i].free)
    free(link.fences.slots)
    free(link.queries.slots)
    free(link.presents.slots)
    free(link.event_copy)
    if link.stream != NULL:
        stream_free(link.stream)
    trace_free(session)
    page_free(<uint8_t*>link.page)
    free(link)
    free(session)


cdef int map_add(Session* session, uint8_t* base, uint64_t size, bint keep) noexcept nogil:
    cdef Link* link = <Link*>session.link
    if link.mapping_count == SEGMENT_SLOTS:
        return -1
    link.mappings[link.mapping_count].base = base
    link.mappings[link.mapping_count].size = size
    link.mappings[link.mapping_count].keep = keep
    link.mapping_count += 1
    return 0


cdef void attach_rings(Session* session, uint8_t* commands, uint8_t* events) noexcept nogil:
    cdef Link* link = <Link*>session.link
    ring_attach(&link.commands, <ControlPage*>commands, commands + ring_page_bytes(), RING_START_BYTES, RING_CEILING_BYTES,
                client_alive, session)
    ring_attach(&link.events, <ControlPage*>events, events + ring_page_bytes(), EVENT_RING_BYTES, EVENT_RING_BYTES,
                client_alive, session)
    link.commands.waits = &session.stats.waits
    link.commands.parks = &session.stats.parks
    link.has_rings = 1
    session.applied = ring_applied_word(&link.commands)
