# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pushing events; taking them is the ring's own `ring_take`."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from pipe cimport pipe_record

from mgpipe.links.ring cimport ControlPage, Ring, ring_commit, ring_flush, ring_has_room, ring_nudge, ring_reserve


cdef void event_write(uint8_t* record, uint16_t op, const void* payload, uint32_t size, const void* tail,
                      uint32_t tail_size) noexcept nogil:
    cdef pipe_record* header = <pipe_record*>record
    cdef uint32_t used = <uint32_t>sizeof(pipe_record) + size + tail_size
    header.op = op
    header.flags = 0
    header.size = event_bytes(size, tail_size)
    memcpy(record + sizeof(pipe_record), payload, size)
    if tail_size != 0:
        memcpy(record + sizeof(pipe_record) + size, tail, tail_size)
    memset(record + used, 0, header.size - used)


cdef void event_push(void* self, uint16_t op, const void* payload, uint32_t size, const void* tail,
                     uint32_t tail_size) noexcept nogil:
    cdef EventLink* link = <EventLink*>self
    cdef uint32_t whole = event_bytes(size, tail_size)
    cdef uint8_t* record
    if not ring_has_room(link.events, whole):
        link.stalls += 1
        ring_flush(link.events)
        if link.commands != NULL:
            ring_nudge(link.commands)
    record = ring_reserve(link.events, whole)
    if record == NULL:
        return
    event_write(record, op, payload, size, tail, tail_size)
    ring_commit(link.events, whole)
    ring_flush(link.events)     # events are rare, and nobody else would publish the last one
