# Losing a session: noticing, saying so once, and leaving every later call nothing to touch.

cdef extern from "<poll.h>" nogil:
    struct pollfd:
        int fd
        short events, revents
    int poll(pollfd* descriptors, unsigned long count, int timeout_ms)
    short POLLIN, POLLERR, POLLHUP, POLLNVAL

cdef extern from "<pthread.h>" nogil:
    int pthread_atfork(void (*prepare)() noexcept nogil, void (*parent)() noexcept nogil, void (*child)() noexcept nogil)

cdef extern from * nogil:
    """
    #include <poll.h>
    #ifndef POLLRDHUP
    #define POLLRDHUP 0x2000
    #endif
    extern int PyGILState_Check(void);
    """
    short POLLRDHUP

cdef extern from "Python.h" nogil:
    ctypedef int PyGILState_STATE
    PyGILState_STATE PyGILState_Ensure()
    void PyGILState_Release(PyGILState_STATE state)
    int PyOS_InterruptOccurred()
    void PyErr_SetInterrupt()
    int Py_IsInitialized()

cdef extern from "<sys/socket.h>" nogil:
    ssize_t recv(int fd, void* into, size_t size, int flags)
    int MSG_DONTWAIT

cdef enum:
    FAREWELL_MS = 200
    INTERRUPT_GRACE_NS = 2000000000     # an interrupted wait may still end by itself for so long
    LOOK_EVERY_NS = 5000000             # at a server that nothing is awaited from
    LOOK_EVERY_PUBLISHES = 64

cdef Session* _sessions = NULL          # of this process, newest first
cdef bint _fork_handler = False


cdef void session_lose(Session* session, uint32_t loss, const char* detail) noexcept nogil:
    """Latches the first loss. What waits returns, what emits stops, and one line says why."""
    cdef Link* link = <Link*>session.link
    cdef char* sentence = link.loss_sentence
    cdef uint64_t room = sizeof(link.loss_sentence)
    if exchange32(&link.losing, 1) != 0:
        return
    if loss == LOSS_SERVER_GONE:
        snprintf(sentence, room, "%s is gone; the OpenGL context is lost, and every call from here on does nothing",
                 link.server)
    elif loss == LOSS_INTERRUPTED:
        snprintf(sentence, room, "interrupted while waiting for %s, which did not answer within 2 s; the OpenGL context is "
                 "lost", link.server)
    elif loss == LOSS_FAULT:
        snprintf(link.loss_family, sizeof(link.loss_family), "%.*s", <int>strcspn(detail, b":"), detail)
        snprintf(sentence, room, "the render server ended this session: %s; the OpenGL context is lost", detail)
    elif loss == LOSS_CORRUPT:
        snprintf(sentence, room, "the shared memory of this session is damaged: %s; the OpenGL context is lost", detail)
    store_ordered32(&session.lost, loss)
    link.page.lost = loss
    if link.has_rings:
        store_relaxed32(<uint32_t*>&link.commands.dead, loss)
        store_relaxed32(<uint32_t*>&link.events.dead, loss)
        ring_nudge(link.commands.page)      # other threads of ours that wait
    if sentence[0] != 0:
        write_error(sentence, strlen(sentence))
    if session.trace != NULL:
        trace_flush(session)


cdef bint server_is_gone(Link* link) noexcept nogil:
    """Its process ended, or hung up. Never a timeout: slow is not dead."""
    cdef pollfd[2] watched
    if link.control < 0:
        return False
    watched[0].fd = link.pidfd              # -1, which poll() passes over: it is on another machine
    watched[0].events = POLLIN
    watched[1].fd = link.control
    watched[1].events = POLLRDHUP
    if poll(watched, 2, 0) <= 0:
        return False
    return watched[0].revents != 0 or watched[1].revents & (POLLRDHUP | POLLHUP | POLLERR) != 0


cdef uint32_t take_text(const uint8_t* at, uint32_t left, const char* key, const char** text, uint32_t* size) noexcept nogil:
    """Bytes of one MessagePack pair `key: string` at `at`; 0: something else is there."""
    cdef uint32_t key_size = <uint32_t>strlen(key)
    cdef uint32_t used = 1 + key_size
    if left < used + 1 or at[0] != (0xA0 | key_size) or memcmp(at + 1, key, key_size) != 0:
        return 0
    if at[used] & 0xE0 == 0xA0:
        size[0] = at[used] & 0x1F
        used += 1
    elif at[used] == 0xD9 and left >= used + 2:
        size[0] = at[used + 1]
        used += 2
    elif at[used] == 0xDA and left >= used + 3:
        size[0] = <uint32_t>at[used + 1] << 8 | at[used + 2]
        used += 3
    else:
        return 0
    text[0] = <const char*>at + used
    return used + size[0] if size[0] <= left - used else 0


cdef bint read_farewell(Link* link, char* sentence, size_t room) noexcept nogil:
    """The Fault that a server which ended this session sent on the control connection, as `Family: detail`.

    It was sent before the hang-up that brought us here, but perhaps on another connection: worth a short wait.
    """
    cdef pollfd watched
    cdef uint8_t[8192] said
    cdef const char* texts[3]
    cdef uint32_t sizes[3]
    cdef uint32_t at = 0, size, used, part, n
    cdef const char** keys = [b"type", b"family", b"detail"]
    cdef ssize_t got
    watched.fd = link.control
    watched.events = POLLIN
    if poll(&watched, 1, FAREWELL_MS) <= 0:
        return False
    got = recv(link.control, said, sizeof(said), MSG_DONTWAIT)
    while got - <ssize_t>at > 9:                # frames: magic, length, payload (control/framing.py)
        memcpy(&size, said + at + 4, 4)
        if size > <uint32_t>got - at - 8:
            return False
        used = at + 9
        for n in range(3 if said[at + 8] == 0x83 else 0):
            part = take_text(said + used, at + 8 + size - used, keys[n], &texts[n], &sizes[n])
            if part == 0:
                break
            used += part
        else:
            if said[at + 8] == 0x83 and sizes[0] == 5 and memcmp(texts[0], b"fault", 5) == 0:
                snprintf(sentence, room, "%.*s: %.*s", <int>sizes[1], texts[1], <int>sizes[2], texts[2])
                return True
        at += 8 + size
    return False


cdef void lose_server(Session* session) noexcept nogil:
    """It hung up: it says why, or it is gone."""
    cdef char[1100] sentence
    cdef Link* link = <Link*>session.link
    lock_acquire(&link.event_lock)              # one thread reads it; the others find the session lost
    if load_acquire32(&link.losing) == 0 and link.control >= 0 and read_farewell(link, sentence, sizeof(sentence)):
        session_lose(session, LOSS_FAULT, sentence)
    else:
        session_lose(session, LOSS_SERVER_GONE, NULL)
    lock_release(&link.event_lock)


cdef void note_interrupt(Link* link) noexcept nogil:
    """Did Ctrl-C come while the main thread waits? Python's own handler only notes it; the wait must end to let it raise.

    A signal handler of our own would be in the way of the program's. So ask Python, and put its note back. It takes the
    GIL for that, at most once in 100 ms and only here, where no lock is held that a GIL holder could wait for: whoever
    waits for the session lock has released the GIL.
    """
    cdef PyGILState_STATE state
    if not Py_IsInitialized() or thread_id() != <uint32_t>getpid():
        return
    state = PyGILState_Ensure()
    if PyOS_InterruptOccurred():
        PyErr_SetInterrupt()
        if link.interrupted_at_ns == 0:
            link.interrupted_at_ns = clock_ns()
    else:
        link.interrupted_at_ns = 0      # of a wait that ended in time
    PyGILState_Release(state)


cdef int client_alive(void* self) noexcept nogil:
    """What a wait of this session asks every 100 ms, after a signal and after a nudge."""
    cdef Session* session = <Session*>self
    cdef Link* link = <Link*>session.link
    if session.lost == 0:
        poll_events(session)
    if session.lost == 0 and server_is_gone(link):
        lose_server(session)
    if session.lost == 0:
        note_interrupt(link)
        if link.interrupted_at_ns != 0 and clock_ns() - link.interrupted_at_ns > INTERRUPT_GRACE_NS:
            session_lose(session, LOSS_INTERRUPTED, NULL)
        elif link.patient_until_ns != 0 and clock_ns() > link.patient_until_ns:
            session_lose(session, LOSS_CLOSED, NULL)
    return <int>session.lost


cdef void wait_ended(Session* session, int reason) noexcept nogil:
    """After every wait, with what it returned."""
    if reason != 0 and session.lost == 0:
        if reason == RING_CORRUPT:
            session_lose(session, LOSS_CORRUPT, b"a cursor or a record cannot be")
        else:
            lose_server(session)


cdef void look_at_server(Session* session) noexcept nogil:
    """For programs that never wait: a look every few milliseconds."""
    cdef Link* link = <Link*>session.link
    cdef uint64_t now = clock_ns()
    if now - link.looked_at_ns < LOOK_EVERY_NS:
        return
    link.looked_at_ns = now
    poll_events(session)
    if session.lost == 0 and server_is_gone(link):
        lose_server(session)


cdef void hide_memory(Mapping mapping) noexcept nogil:
    """Private zero pages at the same address: a pointer from glMapBuffer stays harmless."""
    mmap(mapping.base, mapping.size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)


cdef void detach_in_child() noexcept nogil:
    """In a child made by fork: nothing inherited may reach the parent's server, not even through a stray pointer.

    Descriptors are closed, or the parent's end would not be noticed while the child lives. Shared memory is hidden
    rather than unmapped.
    """
    cdef Session* session = _sessions
    cdef Link* link
    cdef uint32_t i
    global mgpipe_thread_id
    mgpipe_thread_id = 0
    while session != NULL:
        link = <Link*>session.link
        link.losing = 1
        session.lost = LOSS_FORKED
        if session.trace != NULL:
            trace_disown(session)
        if link.has_rings:
            link.commands.dead = link.events.dead = LOSS_FORKED
        for i in range(link.mapping_count):
            if not link.mappings[i].keep:
                hide_memory(link.mappings[i])
        page_withdraw(<uint8_t*>link.page)
        close_descriptors(link)
        session = link.next


cdef void watch_forks() noexcept nogil:
    global _fork_handler
    if not _fork_handler:
        _fork_handler = True
        pthread_atfork(NULL, NULL, detach_in_child)
