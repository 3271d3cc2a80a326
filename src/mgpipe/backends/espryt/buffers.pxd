"""Buffers: storage and bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

# False: the storage cannot become another.
cdef bint buffer_storage(Espryt* es, Resource* buffer, uint64_t size, uint32_t usage, uint32_t flags) noexcept nogil
# `mapping`: the program wrote it through that mapping of its own; 0: by a command.
cdef bint buffer_write(Espryt* es, Resource* buffer, uint64_t offset, const uint8_t* bytes, uint64_t size, uint32_t mapping) noexcept nogil
cdef void buffer_unmap(Espryt* es, Resource* buffer) noexcept nogil      # before it is mapped for something else
cdef bint buffer_read(Espryt* es, Resource* buffer, uint64_t offset, uint8_t* into, uint64_t size) noexcept nogil
# The same, as an answer: whoever waits may take the first bytes while the rest is read.
cdef bint buffer_answer(Espryt* es, Resource* buffer, uint64_t offset, uint8_t* into, uint64_t size) noexcept nogil
cdef bint buffer_fill(Espryt* es, Resource* buffer, uint64_t offset, uint64_t size, const uint8_t* pattern, uint32_t pattern_size) noexcept nogil
cdef bint buffer_copy_range(Espryt* es, Resource* source, Resource* target, uint64_t source_offset, uint64_t target_offset, uint64_t size) noexcept nogil
