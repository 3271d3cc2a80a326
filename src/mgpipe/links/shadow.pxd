"""The shadow arena: refcounted blocks of bytes that the server can map, and shadows of resources made of them.

Bytes are copied once, at the GL call, into a block. The upload record refers to the block, and the block stays as the
client's copy. A block that the server has not yet applied (`last_use` > applied watermark) is never overwritten.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from pipe cimport pipe_Blob

cdef enum:
    PIECE = 65536               # granularity of copy-on-write
    SEGMENT_NONE = 0
    SEGMENT_SHADOW = 1
    SEGMENT_STAGING = 2
    SEGMENT_REPLY = 3

cdef struct Block:
    uint64_t offset             # in the shadow segment
    uint64_t size               # bytes usable
    uint64_t last_use           # ordinal of the newest record that refers to it; 0: none
    uint32_t refs
    uint32_t size_class
    Block* next                 # free or retire list

cdef struct Arena               # opaque: see shadow.pyx

# An arena over `base` (mapped for `ceiling` bytes). `fd` >= 0: grown by ftruncate; else anonymous memory.
cdef Arena* arena_new(uint8_t* base, int fd, uint64_t ceiling, uint64_t* applied) noexcept nogil
cdef void arena_free(Arena* arena) noexcept nogil
cdef Block* arena_alloc(Arena* arena, uint64_t size) noexcept nogil      # refs = 1; NULL: out of memory
cdef void block_retain(Block* block) noexcept nogil
cdef void block_release(Arena* arena, Block* block) noexcept nogil       # reused once applied >= last_use
cdef bint block_busy(Arena* arena, Block* block) noexcept nogil
cdef uint8_t* block_data(Arena* arena, Block* block) noexcept nogil
cdef uint64_t arena_bytes_in_use(Arena* arena) noexcept nogil
cdef uint64_t arena_live_blocks(Arena* arena) noexcept nogil

# Staging ring for small contents: bytes live until `ordinal` of the record that names them is applied.
cdef uint8_t* staging_reserve(Arena* arena, uint32_t size, uint64_t ordinal, pipe_Blob* blob) noexcept nogil  # NULL: full

cdef struct Piece:
    Block* block
    uint64_t offset             # of this piece's first byte inside the block

cdef struct Shadow:             # `size` bytes as pieces of PIECE bytes each
    uint64_t size
    Piece* pieces
    uint32_t piece_count
    uint32_t contiguous         # all pieces lie one after the other in one block

cdef int shadow_init(Arena* arena, Shadow* shadow, uint64_t size) noexcept nogil          # 0, or -1 out of memory; contents undefined
cdef void shadow_clear(Arena* arena, Shadow* shadow) noexcept nogil                       # gives the blocks back; size 0
cdef int shadow_write(Arena* arena, Shadow* shadow, uint64_t offset, const void* source, uint64_t size) noexcept nogil
cdef void shadow_read(Arena* arena, Shadow* shadow, uint64_t offset, void* target, uint64_t size) noexcept nogil
# Writable, contiguous, not busy: consolidates and copies busy pieces when it must. NULL: out of memory.
cdef uint8_t* shadow_pointer(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil
# Read-only contiguous view; consolidates only when the range spans separate blocks.
cdef const uint8_t* shadow_view(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil
# The longest contiguous run from `offset`, at most `size` bytes, as a blob; marks its block used by `ordinal`. Returns its length.
cdef uint64_t shadow_span(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size, uint64_t ordinal, pipe_Blob* blob) noexcept nogil
