# Opening: a Welcome becomes a session, over memory that both sides map or over a socket.

def can_compress() -> bool:
    """This machine has a libzstd."""
    return pack_available()


def open_mapped(connection, welcome, plane, server, options) -> SessionHandle:
    """A session over the segments of a Welcome. From the first moment that it stands, however it ends, the plane's
    descriptors and the connection's socket are its own."""
    cdef Session* session = session_allocate(TOPOLOGY_REMOTE if options["topology"] == "remote" else TOPOLOGY_SPAWN)
    cdef Link* link
    cdef uint8_t* base
    cdef uint64_t ceiling
    cdef SessionHandle handle = SessionHandle.__new__(SessionHandle)
    descriptors = plane.descriptors
    if session == NULL:
        raise MemoryError
    link = <Link*>session.link
    bases = {}
    try:
        for segment, fd in zip(welcome.segments, descriptors[1:]):
            check_memory(fd, segment.size_bytes)
            ceiling = segment.ceiling_bytes
            base = <uint8_t*>mmap(NULL, ceiling, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0)
            if base == <uint8_t*>MAP_FAILED:
                raise OSError(f"could not map {ceiling >> 20} MiB for the {segment.name} segment")
            map_add(session, base, ceiling, False)
            bases[segment.name] = <uintptr_t>base
        attach_rings(session, <uint8_t*><uintptr_t>bases["commands"], <uint8_t*><uintptr_t>bases["events"])
        by_name = dict(zip((segment.name for segment in welcome.segments), zip(welcome.segments, descriptors[1:])))
        link.reply = <uint8_t*><uintptr_t>bases["reply"]
        link.reply_size = by_name["reply"][0].size_bytes
        link.reply_ceiling = by_name["reply"][0].ceiling_bytes
        session.shadow = arena_new(<uint8_t*><uintptr_t>bases["shadow"], by_name["shadow"][1],
                                   by_name["shadow"][0].ceiling_bytes, session.applied)
        if session.shadow == NULL:
            raise MemoryError
    except BaseException:
        session_free(session)
        raise
    link.pidfd = descriptors[0]
    link.reply_fd = by_name["reply"][1]
    link.shadow_fd = by_name["shadow"][1]
    for name in ("commands", "events"):
        os.close(by_name[name][1])
    plane.descriptors = []
    begin(handle, session, connection, welcome, server, options)
    return handle


def open_stream(connection, welcome, plane, server, options) -> SessionHandle:
    """The same over a socket, which is taken with the connection's: rings and segments are private to this process."""
    cdef Session* session = session_allocate(TOPOLOGY_REMOTE)
    cdef Link* link
    cdef uint8_t* base
    cdef uint64_t size
    cdef SessionHandle handle = SessionHandle.__new__(SessionHandle)
    if session == NULL:
        raise MemoryError
    link = <Link*>session.link
    bases = {}
    try:
        for segment in welcome.segments:
            size = segment.ceiling_bytes
            base = <uint8_t*>mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            if base == <uint8_t*>MAP_FAILED:
                raise OSError(f"no address space for the {size >> 20} MiB of the {segment.name} segment")
            map_add(session, base, size, True)
            bases[segment.name] = <uintptr_t>base
            if segment.name == "reply":
                link.reply_size = link.reply_ceiling = size
            elif segment.name == "shadow":
                shadow_ceiling = size
        ring_page_init(<ControlPage*><uintptr_t>bases["commands"])
        ring_page_init(<ControlPage*><uintptr_t>bases["events"])
        attach_rings(session, <uint8_t*><uintptr_t>bases["commands"], <uint8_t*><uintptr_t>bases["events"])
        link.commands.ceiling = link.commands.capacity      # nobody else fills or empties it: it need not grow
        link.reply = <uint8_t*><uintptr_t>bases["reply"]
        base = <uint8_t*><uintptr_t>bases["shadow"]
        link.stream = stream_new(plane.stream.fileno(), &link.commands, &link.events, base, link.reply, link.reply_size)
        if link.stream != NULL:
            link.stream.near = plane.near
        session.shadow = arena_new(base, -1, shadow_ceiling, session.applied)
        if session.shadow == NULL or link.stream == NULL:
            raise MemoryError
        arena_set_forget(session.shadow, stream_forget, link.stream)
        if welcome.compress in COMPRESSION[1:]:
            if compress(&link.stream.gathered, &link.stream.received, COMPRESSION.index(welcome.compress)) != 0:
                raise MemoryError
            link.stream.gathered.packer.tell = tell_packing
            link.stream.gathered.packer.self = session
        if not plane.near:
            arena_set_retired_limit(session.shadow, IN_FLIGHT_BYTES)
    except BaseException:
        session_free(session)
        raise
    link.data = plane.stream.detach()
    begin(handle, session, connection, welcome, server, options)
    return handle


cdef begin(SessionHandle handle, Session* session, connection, welcome, server, options):
    cdef Link* link = <Link*>session.link
    cdef bytes name
    if options["topology"] == "spawn":      # the session's own process says more than the supervisor's
        server = f"the render server (pid {welcome.server_pid})"
    name = server.encode()[:sizeof(link.server) - 1]
    link.server_pid = link.page.server_pid = welcome.server_pid
    link.page.head.label = welcome.label
    link.control = connection.stream.detach()
    memcpy(link.server, <const char*>name, len(name))
    handle.session = session
    handle.options = options
    handle.driver = welcome.driver
    handle.link = welcome.link
    install_records(session)
    finish_opening(handle)


cdef finish_opening(SessionHandle handle):
    cdef int failed
    cdef ClientPage* page = (<Link*>handle.session.link).page
    import logging

    page.frames_in_flight = handle.options["frames_in_flight"]
    page_say(page.driver, sizeof(page.driver), handle.driver.encode(errors="replace"))
    page_say(page.link, sizeof(page.link), handle.link.encode(errors="replace"))
    page_say(page.server, sizeof(page.server), handle.options["server"].encode(errors="replace"))
    handle.session.verify = handle.options["verify"]
    (<Link*>handle.session.link).log_level = logging.getLogger("mgpipe").getEffectiveLevel()
    if (<Link*>handle.session.link).has_rings:
        arena_set_relief(handle.session.shadow, relieve_arena, handle.session)
    with nogil:
        failed = fetch_caps(handle.session)
    if failed:
        from mgpipe.client.errors import ServerFailed

        handle.close()
        raise ServerFailed(f"the server did not tell its capabilities{handle.loss and ': ' + handle.loss}")
    page_say(page.renderer, sizeof(page.renderer), (<bytes>handle.session.caps.renderer)[:])
    place_server(handle.session)
    promise_version(handle)
    if handle.options["trace"]:
        begin_trace(handle)


cdef place_server(Session* session):
    """A thread of our own process or of the child that we started; others are not ours to place."""
    cdef Link* link = <Link*>session.link
    cdef int32_t thread = link.commands.page.consumer_thread if link.has_rings else 0
    if session.topology == TOPOLOGY_INPROC:
        ring_place_consumer(&link.commands, thread, 0)
    elif session.topology == TOPOLOGY_SPAWN and os.path.exists(f"/proc/{link.server_pid}/task/{thread}"):
        ring_place_consumer(&link.commands, thread, <int32_t>link.server_pid)


cdef promise_version(SessionHandle handle):
    """What contexts of this session say they are: catalogue/versions.py decides, the option gl_version overrules it."""
    import logging

    from mgpipe.catalogue import versions

    version, lacking = versions.promise(<object>handle.session.caps, handle.options["gl_version"])
    handle.session.gl_version = version
    if lacking:
        shown = ", ".join(lacking[:LACKING_SHOWN]) + (f" and {len(lacking) - LACKING_SHOWN} more" if len(lacking) > LACKING_SHOWN else "")
        logging.getLogger("mgpipe").warning("OpenGL %s is promised because gl_version asks for it; it lacks %s",
                                            handle.options["gl_version"], shown)
