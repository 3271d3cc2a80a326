# A trace's beginning and end, which ask the server. Noting: trace.pyx; the file: trace_events.pyx.

cdef enum:
    CLOCK_LOOKS = 8                     # at a clock that may be another machine's; the quickest counts
    END_PATIENCE_NS = 5000000000        # for the last slices of a server that is far behind, or frozen


cdef int ask_trace(Session* session, uint32_t mode, pipe_reply* reply) noexcept nogil:
    cdef pipe_trace call
    call.mode = mode
    call.pad0 = 0
    memset(reply, 0, sizeof(reply[0]))
    lock_enter(session)
    session.screen.trace(session.self, &call, reply)
    lock_leave(session)
    return 0 if reply.status == PIPE_REPLY_OK else -1


cdef int compare_clocks(Session* session, Clocks* clocks) noexcept nogil:
    """The server's clock, from round trips. Where none may well differ from ours it is ours: two machines that were started
    within a round trip of each other would be taken for one."""
    cdef uint64_t before, took, quickest = <uint64_t>-1
    cdef pipe_reply reply
    cdef int look
    for look in range(CLOCK_LOOKS):
        before = clock_ns()
        if ask_trace(session, PIPE_TRACE_MODE_CLOCK, &reply) != 0:
            return -1
        took = clock_ns() - before
        if took < quickest:
            quickest = took
            clocks.ahead_ns = reply.value[0] - (before + took // 2)
    clocks.uncertainty_ns = quickest // 2 + 1
    if -<int64_t>clocks.uncertainty_ns <= <int64_t>clocks.ahead_ns <= <int64_t>clocks.uncertainty_ns:
        clocks.ahead_ns = clocks.uncertainty_ns = 0
    return 0


cdef begin_trace(SessionHandle handle):
    """TraceFailed: its file cannot be written."""
    from mgpipe.client import tracefile
    from mgpipe.client.errors import ServerFailed

    cdef Session* session = handle.session
    cdef pipe_reply reply
    cdef Clocks clocks
    cdef int failed = 0
    cdef int descriptor
    try:
        handle.options["trace"], descriptor = tracefile.take(handle.options["trace"])
        if trace_open(session, descriptor, poll_events) != 0:
            os.close(descriptor)
            raise MemoryError
        clocks.ahead_ns = clocks.uncertainty_ns = 0
        with nogil:
            if session.topology == TOPOLOGY_REMOTE:
                failed = compare_clocks(session, &clocks)
            trace_clocks(session, &clocks)
            if failed == 0:
                failed = ask_trace(session, PIPE_TRACE_MODE_BEGIN, &reply)
        if failed:
            raise ServerFailed("the server tells no trace")
        write_text(session, tracefile.head(
            program=os.getpid(), server=handle.server_pid, topology=handle.topology, link=handle.link, driver=handle.driver,
            renderer=(<bytes>session.caps.renderer).decode(errors="replace"), clock_offset_ns=<int64_t>clocks.ahead_ns,
            clock_uncertainty_ns=clocks.uncertainty_ns, times_gpu=reply.value[2] != 0, gpu_uncertainty_ns=reply.value[3]))
        trace_install(session)
    except BaseException:
        trace_free(session)
        handle.close()
        raise


cdef write_text(Session* session, bytes text):
    cdef const char* characters = text
    trace_write(session, characters, len(text))


cdef end_trace(SessionHandle handle):
    """The server's last slices, everybody's, the end. Of a session that is lost what there is."""
    from mgpipe.client import tracefile

    cdef Session* session = handle.session
    cdef Link* link = <Link*>session.link
    cdef Clocks clocks
    cdef pipe_reply reply
    cdef int failed = 0
    cdef bint lost = session.lost != 0
    clocks.ahead_ns = clocks.uncertainty_ns = 0
    memset(&reply, 0, sizeof(reply))
    if not lost:
        with nogil:
            link.patient_until_ns = clock_ns() + <uint64_t>END_PATIENCE_NS
            if session.topology == TOPOLOGY_REMOTE:
                compare_clocks(session, &clocks)        # again: they drift
            failed = ask_trace(session, PIPE_TRACE_MODE_END, &reply)
            link.patient_until_ns = 0
    with nogil:
        trace_flush(session)
    noted = trace_summary(session)
    write_text(session, tracefile.tail(
        dropped=noted["dropped"], dropped_by_server=reply.value[1], refused=noted["refused"], loss=handle.loss if lost else "",
        whole=not lost and not failed, clock_offset_ns=<int64_t>clocks.ahead_ns,
        clock_uncertainty_ns=clocks.uncertainty_ns))
    trace_close(session)
    tracefile.told(handle.options["trace"], trace_summary(session))
