# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pushing events; taking them is the ring's own `ring_take`."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mgpipe.links.ring cimport ControlPage, Ring, ring_commit, ring_flush, ring_has_room, ring_nudge, ring_reserve

cdef struct Header:
    uint16_t op, flags
    uint32_t size


cdef void event_push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                     uint32_t tail_size) noexcept nogil:
    cdef EventLink* link = <EventLink*>self
    cdef uint32_t used = <uint32_t>sizeof(Header) + size + tail_size
    cdef uint32_t whole = (used + 7) & ~<uint32_t>7
    cdef uint8_t* record
    cdef Header* header

    if not ring_has_room(link.events, whole):
        link.stalls += 1
        ring_flush(link.events)
        if link.commands != NULL:
            ring_nudge(link.commands)
    record = ring_reserve(link.events, whole)
    if record == NULL:
        return
    header = <Header*>record
    header.op = op
    header.flags = 0
    header.size = whole
    memcpy(record + sizeof(Header), payload, size)
    if tail_size != 0:
        memcpy(record + sizeof(Header) + size, tail, tail_size)
    memset(record + used, 0, whole - used)
    ring_commit(link.events, whole)
    ring_flush(link.events)     # events are rare, and nobody else would publish the last one
