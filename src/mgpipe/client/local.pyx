# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sessions whose driver is in this process: on the calling thread (monolith) or on a thread of its own (inproc).

Only here does the client meet the server's code. Neither topology promises what a spawned server does: the driver is
opened in the program's process, so a crash is shared and a fork leaves the child without it.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset
from posix.mman cimport munmap
from posix.unistd cimport getpid
from pipe cimport *

from mgpipe.client.link cimport Link
from mgpipe.client.session cimport (TOPOLOGY_INPROC, TOPOLOGY_MONOLITH, Session, SessionHandle, attach_rings, finish_opening,
                                    handle_event, install_direct, install_records, map_add, session_allocate, session_free)
from mgpipe.links.arena cimport SEGMENT_REPLY, SEGMENT_SHADOW, arena_new
from mgpipe.links.segments cimport Segments
from mgpipe.server.apply_loop cimport tune_malloc
from mgpipe.server.applier cimport (Applier, applier_fault, applier_free, applier_new, applier_share_memory, applier_tables,
                                    applier_trace_after, applier_trace_before, applier_withhold)

import os
import time

from mgpipe.catalogue.options import DRIVERS
from mgpipe.client import errors
from mgpipe.server.apply_loop import COMMAND_CEILING_BYTES, EVENT_BYTES, ApplyThread, map_segment, page_bytes
from mgpipe.server.tally import STANDING, STARTING, Tally

cdef enum:
    REPLY_CEILING = 16 << 20

STOP_S = 5.0                    # how long closing waits for an apply thread that is deep in the driver


def open_local(dict options) -> SessionHandle:
    """A session with topology monolith or inproc."""
    cdef bint monolith = options["topology"] == "monolith"
    cdef Session* session = session_allocate(TOPOLOGY_MONOLITH if monolith else TOPOLOGY_INPROC)
    cdef SessionHandle handle = SessionHandle.__new__(SessionHandle)
    if session == NULL:
        raise MemoryError
    handle.options = options
    handle.driver = options["driver"]
    handle.link = "direct calls" if monolith else "memory of this process"
    try:
        start(handle, session, monolith)
    except BaseException:
        if handle.keeper is None or handle.keeper.close():
            session_free(session)
        raise
    handle.session = session
    finish_opening(handle)
    return handle


cdef start(SessionHandle handle, Session* session, bint monolith):
    cdef Link* link = <Link*>session.link
    segments = private_segments(session, handle.options["shadow_limit_mb"] << 20, monolith)
    driver = DRIVERS.index(handle.options["driver"])
    if monolith:
        handle.keeper = start_applier(session, driver, segments)
        install_direct(session)
    else:
        page = Tally()
        page.label = int.from_bytes(os.urandom(6), "little")
        page.reach(STARTING, driver=handle.driver)
        link.page.head.label = page.label
        link.server_page_fd = page.detach()
        handle.keeper = start_thread(driver, segments, page)
        attach_rings(session, <uint8_t*><uintptr_t>segments[0][0], <uint8_t*><uintptr_t>segments[1][0])
        install_records(session)
    session.shadow = arena_new(<uint8_t*><uintptr_t>segments[2][0], -1, segments[2][2], session.applied)
    if session.shadow == NULL:
        raise MemoryError


cdef list private_segments(Session* session, uint64_t shadow_bytes, bint monolith):
    """Anonymous memory in the order commands, events, shadow, reply; monolith has no rings."""
    cdef Link* link = <Link*>session.link
    cdef list segments = []
    cdef uintptr_t base
    for ceiling in (page_bytes + COMMAND_CEILING_BYTES, page_bytes + EVENT_BYTES, shadow_bytes, REPLY_CEILING):
        if monolith and len(segments) < 2:
            segments.append((0, 0, 0, -1))
            continue
        base = map_segment(ceiling, -1)
        map_add(session, <uint8_t*>base, ceiling, True)    # private: a forked child has a copy, which harms nobody
        segments.append((base, ceiling, ceiling, -1))
    link.reply = <uint8_t*><uintptr_t>segments[3][0]
    link.reply_size = link.reply_ceiling = REPLY_CEILING
    return segments


# -- monolith ----------------------------------------------------------------------------------------------------------

cdef void direct_event(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                       uint32_t tail_size) noexcept nogil:
    """An event is handled where it happens: on the thread whose call caused it."""
    cdef uint8_t[PIPE_MAX_EVENT] event
    if size + tail_size > PIPE_MAX_EVENT:
        return
    memcpy(event, payload, size)
    if tail_size != 0:
        memcpy(event + size, tail, tail_size)
    handle_event(<Session*>self, op, event, size + tail_size)


cdef const char* direct_fault(void* applier) noexcept nogil:
    return applier_fault(<Applier*>applier)


cdef void direct_trace_before(void* applier, uint32_t op, uint64_t ordinal) noexcept nogil:
    applier_trace_before(<Applier*>applier, op, ordinal)


cdef void direct_trace_after(void* applier, uint32_t op, uint64_t ordinal) noexcept nogil:
    applier_trace_after(<Applier*>applier, op, ordinal)


cdef class DirectApplier:
    """Owns the applier of a monolith session."""

    cdef Applier* applier
    cdef Segments segments

    def withhold(self, uint64_t sections) -> None:
        """Supply no verb with these sections of a snapshot: what verify mode says then is a test's."""
        applier_withhold(self.applier, sections)

    def close(self) -> bool:
        if self.applier != NULL:
            applier_free(self.applier)
            self.applier = NULL
        return True


cdef DirectApplier start_applier(Session* session, uint32_t driver, list segments):
    cdef Link* link = <Link*>session.link
    cdef DirectApplier owner = DirectApplier.__new__(DirectApplier)
    cdef char[1024] error
    memset(&owner.segments, 0, sizeof(owner.segments))
    for place, (base, size, ceiling, descriptor) in zip((SEGMENT_SHADOW, SEGMENT_REPLY), segments[2:]):
        owner.segments.base[<int>place] = <uint8_t*><uintptr_t>base
        owner.segments.size[<int>place] = size
        owner.segments.ceiling[<int>place] = ceiling
        owner.segments.fd[<int>place] = descriptor
    error[0] = 0
    with nogil:
        tune_malloc(False)
        owner.applier = applier_new(driver, &owner.segments, direct_event, session, error, sizeof(error))
    if owner.applier == NULL:
        raise errors.from_driver(error.decode(errors="replace"))
    applier_share_memory(owner.applier, NULL)
    applier_tables(owner.applier, &link.direct_screen, &link.direct_context)
    link.direct_self = owner.applier
    link.direct_segments = &owner.segments
    link.direct_fault = direct_fault
    link.direct_trace_before = direct_trace_before
    link.direct_trace_after = direct_trace_after
    return owner


# -- inproc ------------------------------------------------------------------------------------------------------------

class OwnThread:
    """Owns the apply thread of an inproc session."""

    def __init__(self, thread: ApplyThread, page: Tally) -> None:
        self.thread, self.page = thread, page

    def close(self) -> bool:
        """After what was published. False: the thread does not come back from the driver, and still needs its memory."""
        self.thread.stop(drain=True)
        deadline = time.monotonic() + STOP_S
        while not self.thread.ended:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.0005)
        self.thread.join()
        self.page.withdraw()
        return True


def start_thread(driver: int, segments: list, page: Tally) -> OwnThread:
    import select

    thread = ApplyThread(driver, segments, own_process=False, tally=page)
    thread.start()
    changed = select.poll()
    changed.register(thread, select.POLLIN)
    while thread.starting:
        changed.poll(1000)
        thread.acknowledge()
    if thread.error:
        thread.join()
        raise errors.from_driver(thread.error)
    page.reach(STANDING, renderer=thread.renderer)
    return OwnThread(thread, page)
