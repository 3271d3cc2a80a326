# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What tests do to calls on their way out of the client: list them, change them, drop them.

A `Tap` stands in front of a session's tables while it is open, and asks a Python function about every call.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy
from pipe cimport *
from mgpipe.client.link cimport Link
from mgpipe.client.session cimport Session, SessionHandle, handle_event

cdef PipeScreen _screen                 # of the tapped session, as they were; one at a time
cdef PipeContext _context
cdef object _look = None


cdef inline PipeScreen* plain_screen(void* self) noexcept nogil:
    return &_screen


cdef inline PipeContext* plain_context(void* self) noexcept nogil:
    return &_context


cdef bint before_call(void* self, uint32_t op, void* payload, uint64_t size, const void** tails, uint64_t* sizes,
                      uint32_t count) noexcept with gil:
    cdef uint8_t* at = <uint8_t*>payload
    cdef uint32_t i
    cdef bytes changed
    body = bytearray(at[:size]) if at != NULL else bytearray()
    rest = [(<const uint8_t*>tails[i])[:sizes[i]] if sizes[i] else b"" for i in range(count)]
    go_on = _look(op, body, rest)
    if at != NULL:
        changed = bytes(body)
        memcpy(at, <const char*>changed, size)
    return go_on is not False


cdef inline void after_call(void* self, uint32_t op, pipe_reply* reply) noexcept nogil:
    pass


include "interpose.pxi"


cdef class Tap:
    """`look(op, payload, tails)` sees each call; it may change the payload, a bytearray, and return False to drop it."""

    cdef SessionHandle handle
    cdef PipeScreen screen
    cdef PipeContext context

    def __init__(self, SessionHandle handle not None, look):
        global _look
        if _look is not None:
            raise ValueError("another tap is open")
        _look = look
        self.handle = handle
        self.screen = handle.session.screen
        self.context = handle.session.context
        global _screen, _context
        _screen = self.screen
        _context = self.context
        install_interposed(&handle.session.screen, &handle.session.context, NULL)

    def bytes(self, uint64_t offset, uint64_t size) -> bytes:
        """What a blob of the shadow segment refers to, in monolith, whose first segment that is."""
        if self.handle.topology != "monolith":
            raise ValueError("another topology")
        return (<const uint8_t*>(<Link*>self.handle.session.link).mappings[0].base + offset)[:size]

    def close(self) -> None:
        global _look
        if self.handle is not None:
            self.handle.session.screen = self.screen
            self.handle.session.context = self.context
            self.handle = None
            _look = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def segments(SessionHandle handle not None) -> list[tuple[int, int]]:
    """(address, bytes) of every segment of a session in this process; inproc: commands, events, shadow, reply."""
    cdef Link* link = <Link*>handle.session.link
    return [(<uintptr_t>link.mappings[i].base, link.mappings[i].size) for i in range(link.mapping_count)]


def hear(SessionHandle handle not None, uint32_t op, bytes payload not None) -> None:
    """As if a server had sent this event, whatever it holds."""
    cdef const uint8_t* bytes = payload
    cdef uint32_t size = <uint32_t>len(payload)
    with nogil:
        handle_event(handle.session, op, bytes, size)
