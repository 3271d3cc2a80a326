"""Buffers whose storage on the server is our own memory: a block of the shadow arena that the driver uses in place.

Two kinds. A *pinned* buffer (`Buffer.pinned`, immutable storage that may be mapped persistently) has one block all its life:
the program's mapping, the driver and we see the same bytes, so nothing of it is ever sent, compared or fetched. What a
command writes goes through records, in order, and is marked as the GPU's until a finish. Other buffers take their
contents' block for storage when all of a large one is sent (*upload*): the block is then busy, so what the program writes later
takes other blocks, as ever.

A block comes back when the record that lets go of it counts as applied; the server sees to it that the driver is done then.
"""

from libc.stdint cimport uint8_t, uint64_t
from mgpipe.front.context cimport Buffer, Context

cdef void pins_allow(bint on) noexcept nogil                # for tests: False: as if no driver could
cdef bint pins_storage(Context* ctx) noexcept nogil         # whether storage that can be mapped persistently is to be pinned
# Its memory; the shadow's, from the start of the buffer on.
cdef uint8_t* pinned_bytes(Context* ctx, Buffer* buffer) noexcept nogil
# The pinned buffer's record. Contents are there.
cdef void send_pin(Context* ctx, Buffer* buffer) noexcept nogil
# True: all of the buffer is pending, and went as its storage.
cdef bint pin_upload(Context* ctx, Buffer* buffer) noexcept nogil
# The record that will be emitted next gives the buffer other storage, or ends it.
cdef void store_let_go(Context* ctx, Buffer* buffer) noexcept nogil
