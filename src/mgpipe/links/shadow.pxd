"""Shadows: the client's copy of a resource's bytes, made of blocks that the server can map.

Bytes are copied once, at the GL call, into a block. The upload record refers to the block, and the block stays as the
client's copy. A block that the server has not yet applied (`last_use` > applied watermark) is never overwritten: a full
replacement takes a new block, a partial one copies the pieces of PIECE bytes that it touches.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from pipe cimport pipe_Blob

# What lies below, for those who deal in shadows: cimport it from here.
from mgpipe.links.arena cimport (Arena, Block, SEGMENT_NONE, SEGMENT_REPLY, SEGMENT_SHADOW, SEGMENT_PROGRAM, arena_alloc,
                                 arena_alloc_pages, arena_bytes_in_use, arena_free, arena_live_blocks, arena_new, arena_set_threaded,
                                 block_busy, block_data, block_drop, block_pin, block_pinned, block_release, block_retain, block_unpin, block_use,
                                 staging_reserve)

cdef enum:
    PIECE = 65536               # granularity of copy-on-write
    STAGED_SPAN = 4096          # a span this small, of a piece at least four times as large, travels through staging

cdef struct Piece:
    Block* block                # every piece holds one reference
    uint64_t offset             # of this piece's first byte inside the block

cdef struct Shadow:             # `size` bytes as pieces of PIECE bytes each; all zero: empty
    uint64_t size
    Piece* pieces
    uint32_t piece_count
    uint32_t contiguous         # all pieces lie one after the other in one block

cdef int shadow_init(Arena* arena, Shadow* shadow, uint64_t size) noexcept nogil          # 0, or -1 out of memory; contents undefined
# The same in pages that no other block shares, in one block that stays (`shadow_block`) as long as nothing is written
# through these functions while it is busy.
cdef int shadow_init_pages(Arena* arena, Shadow* shadow, uint64_t size) noexcept nogil
cdef void shadow_clear(Arena* arena, Shadow* shadow) noexcept nogil                       # gives the blocks back; size 0
# 0, or -1: out of memory, or outside the shadow.
cdef int shadow_write(Arena* arena, Shadow* shadow, uint64_t offset, const void* source, uint64_t size) noexcept nogil
cdef void shadow_read(Arena* arena, Shadow* shadow, uint64_t offset, void* target, uint64_t size) noexcept nogil
# Writable, contiguous, not busy: consolidates and copies busy pieces when it must. NULL: out of memory, or outside.
cdef uint8_t* shadow_pointer(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil
# The same where nothing has to be copied for it, else NULL.
cdef uint8_t* shadow_in_place(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil
cdef bint shadow_lies_together(Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil      # a view of it copies nothing
# Read-only contiguous view; consolidates only when the range spans separate blocks. NULL: out of memory, or outside.
cdef const uint8_t* shadow_view(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil
cdef Block* shadow_block(Shadow* shadow) noexcept nogil             # the block that holds all of it from its start on; NULL: there are several
# Where the server may write these bytes itself: the block that has them, which stays as it is until `shadow_answered`, and the
# place in it. NULL: they lie in several, not at words, or where a driver or another answer writes.
cdef Block* shadow_answer(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size, pipe_Blob* blob) noexcept nogil
cdef void shadow_answered(Arena* arena, Block* block, uint64_t ordinal) noexcept nogil     # up to this record it may be referred to
# As shadow_write, of bytes that may be the shadow's own; those are there already.
cdef int shadow_keep(Arena* arena, Shadow* shadow, uint64_t offset, const uint8_t* source, uint64_t size) noexcept nogil
# The longest contiguous run from `offset`, at most `size` bytes, as a blob; marks its block used by `ordinal`. Returns its
# length. A small span of a large piece is copied to the staging ring instead, so that the next small write to the same
# piece needs no copy of the whole piece.
cdef uint64_t shadow_span(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size, uint64_t ordinal, pipe_Blob* blob) noexcept nogil
