"""Persistent mappings: memory of their own, whose changes are found before the verb that consumes the buffer.

Invariant: outside of what the program wrote since the last push, the mapping equals the shadow. What differs is what
the program wrote, byte by byte: beside it may lie bytes that the GPU wrote and that nobody has fetched yet.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Buffer, Context, ShareGroup

# Room is needed in the buffer's pending set: what is in it must leave now.
ctypedef void (*MakeRoom)(Context* ctx, Buffer* buffer) noexcept nogil

# Memory for [offset, offset + length) of the buffer with the shadow's bytes in it. NULL: out of memory.
cdef uint8_t* map_begin(ShareGroup* group, Buffer* buffer, uint64_t offset, uint64_t length, uint32_t access) noexcept nogil
cdef void map_end(ShareGroup* group, Buffer* buffer) noexcept nogil
# What the program changed in [low, high) of the buffer, and on the pages around it, goes into the shadow and is pending.
cdef void map_push(Context* ctx, Buffer* buffer, uint64_t low, uint64_t high, MakeRoom make_room) noexcept nogil
# The shadow has newer bytes than the mapping: give them to the program.
cdef void map_refresh(Session* session, Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil
cdef uint32_t map_number(Buffer* buffer) noexcept nogil                      # which of the group's: never 0
cdef Buffer* map_next(ShareGroup* group, Buffer* buffer) noexcept nogil      # of the group's mapped ones; after NULL: the first
