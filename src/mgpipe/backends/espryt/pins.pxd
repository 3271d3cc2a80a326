"""Buffers over the client's memory (GL_AMD_pinned_memory): nothing of them is uploaded.

The client must not use a buffer's memory for anything else before the driver is done with it. So the ordinal of a record
that lets go of such memory does not count as applied before a fence behind it is signalled: `Espryt.held` says how far
the apply loop may go. Where calls come without ordinals (monolith), or another native context may be using the buffer, whoever
lets go waits instead.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

cdef enum:
    PINS_WORK = 1
    PINS_FAIL = 2

cdef bint pins_work(Espryt* es) noexcept nogil              # tried once
cdef void pin_memory(Espryt* es, Resource* buffer, uint8_t* at, uint64_t size, uint32_t usage) noexcept nogil
# The driver's buffer has other storage now, or is gone: `size` bytes that it stood on, 0: it stood on its own.
cdef void pin_let_go(Espryt* es, uint64_t size) noexcept nogil
cdef bint pins_poll(Espryt* es) noexcept nogil              # looks whether the driver is done; whether something is still held
cdef void pins_settle(Espryt* es, uint64_t timeout_ns) noexcept nogil     # the same, waiting so long
cdef void pins_finished(Espryt* es) noexcept nogil          # after glFinish in all native contexts
