"""The reverse channel: an ordered ring of events from the server to its client. Lossless.

When it is full, the session's applier stops at a record boundary until the client has drained it. The client may be
asleep, waiting for an answer from that very applier; so whoever is about to wait nudges the sleepers of the command
ring's page, whose `alive` then drains the events.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from pipe cimport pipe_record

from mgpipe.links.ring cimport ControlPage, Ring

cdef struct EventLink:
    Ring* events                # the server's producing side
    ControlPage* commands       # where the client may be asleep; NULL: nobody to nudge
    uint64_t stalls             # times the client had to be waited for

# An event as one record: `event_bytes` of it, written by `event_write`.
cdef inline uint32_t event_bytes(uint32_t size, uint32_t tail_size) noexcept nogil:
    return (<uint32_t>sizeof(pipe_record) + size + tail_size + 7) & ~<uint32_t>7

cdef void event_write(uint8_t* record, uint16_t op, const void* payload, uint32_t size, const void* tail,
                      uint32_t tail_size) noexcept nogil

# `self`: EventLink*. A PushEvent of server/applier.pxd; returns without pushing only when the event ring is dead.
cdef void event_push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                     uint32_t tail_size) noexcept nogil
# The client takes events with ring_poll_records and ring_take of its own Ring on the event page.
