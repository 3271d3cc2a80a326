"""Reference-counted blocks of bytes that the server can map, and the staging ring for small contents.

A block that the server has not yet applied (`last_use` > applied watermark) is never given to somebody else.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from pipe cimport pipe_Blob

from mgpipe.links.extents cimport Forget

cdef enum:
    SEGMENT_NONE = 0
    SEGMENT_SHADOW = 1          # the arena, its staging ring included
    SEGMENT_PROGRAM = 2         # on monolith: where in the program's memory the answer of the present call is made
    SEGMENT_REPLY = 3

cdef struct Block:
    uint64_t offset             # in the shadow segment
    uint64_t size               # bytes usable
    uint64_t last_use           # ordinal of the newest record that refers to it; 0: none
    uint32_t refs
    uint32_t size_class
    Block* next                 # free or retire list

cdef struct Arena               # opaque: see arena.pyx

# An arena over `base` (mapped for `ceiling` bytes). `fd` >= 0: grown by ftruncate; else anonymous memory.
# `applied` is the watermark's word, which outlives the arena.
cdef Arena* arena_new(uint8_t* base, int fd, uint64_t ceiling, uint64_t* applied) noexcept nogil
cdef void arena_free(Arena* arena) noexcept nogil
cdef void arena_set_threaded(Arena* arena) noexcept nogil                # from now on blocks are taken under a lock of its own
# Bytes released but not applied, beyond which the arena waits: a few MiB at first, which suits a server that shares caches.
cdef void arena_set_retired_limit(Arena* arena, uint64_t limit) noexcept nogil
# What the arena asks then, and when it is full: publish and wait until `ordinal` is applied. False: cannot (not emitted yet,
# session lost). Called without the arena's lock.
ctypedef bint (*Relief)(void* self, uint64_t ordinal) noexcept nogil
cdef void arena_set_relief(Arena* arena, Relief relief, void* self) noexcept nogil
# Whoever keeps a copy of the bytes elsewhere is told of pages that are given back. Called under the arena's lock.
cdef void arena_set_forget(Arena* arena, Forget forget, void* self) noexcept nogil
cdef Block* arena_alloc(Arena* arena, uint64_t size) noexcept nogil      # refs = 1; NULL: out of memory
cdef Block* arena_alloc_pages(Arena* arena, uint64_t size) noexcept nogil    # the same, of whole pages, shared with no other block
cdef void block_retain(Block* block) noexcept nogil                      # keeps the memory, not the contents
cdef void block_release(Arena* arena, Block* block) noexcept nogil       # reused once applied >= last_use
cdef void block_drop(Arena* arena, Block* block, uint32_t refs) noexcept nogil   # releases several references
cdef bint block_busy(Arena* arena, Block* block) noexcept nogil
cdef void block_use(Block* block, uint64_t ordinal) noexcept nogil       # a record of this ordinal refers to it
# The server's driver uses it in place: busy until a record of this ordinal, which comes later, has let go of it.
cdef void block_pin(Block* block) noexcept nogil
cdef bint block_pinned(Block* block) noexcept nogil
cdef void block_unpin(Block* block, uint64_t ordinal) noexcept nogil
cdef uint8_t* block_data(Arena* arena, Block* block) noexcept nogil
cdef uint64_t arena_bytes_in_use(Arena* arena) noexcept nogil            # of live blocks
cdef uint64_t arena_live_blocks(Arena* arena) noexcept nogil
cdef uint64_t arena_backed_bytes(Arena* arena) noexcept nogil            # of the segment, how far it has grown
cdef uint64_t arena_given_back_bytes(Arena* arena) noexcept nogil        # of idle pages returned to the system, ever

# Bytes for small contents, living until record `ordinal` is applied. Beyond STAGING_LIMIT, or when the ring is full, they
# are a block that is released at once: never a wait. NULL: out of memory.
cdef uint8_t* staging_reserve(Arena* arena, uint32_t size, uint64_t ordinal, pipe_Blob* blob) noexcept nogil
