# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Shadows over arena blocks. A shadow belongs to its resource and is guarded by whatever guards that."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from pipe cimport pipe_Blob


cdef inline void _copy(void* target, const void* source, uint64_t size) noexcept nogil:
    """memcpy whose usual small sizes are known to the compiler: a call with a run-time length costs 8 ns, these 1."""
    if size == 64:
        memcpy(target, source, 64)
    elif size == 16:
        memcpy(target, source, 16)
    elif size == 4:
        memcpy(target, source, 4)
    elif size == 8:
        memcpy(target, source, 8)
    elif size == 12:
        memcpy(target, source, 12)
    else:
        memcpy(target, source, size)


cdef bint _outside(Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil:
    return offset > shadow.size or size > shadow.size - offset


cdef uint32_t _last_piece(uint64_t offset, uint64_t size) noexcept nogil:
    return <uint32_t>((offset + size - 1) // PIECE)


cdef uint8_t* _at(Arena* arena, Shadow* shadow, uint64_t offset) noexcept nogil:
    cdef Piece* piece = &shadow.pieces[offset // PIECE]
    return block_data(arena, piece.block) + piece.offset + offset % PIECE


cdef bint _adjacent(Shadow* shadow, uint32_t first, uint32_t last) noexcept nogil:
    cdef uint32_t i
    if shadow.contiguous:
        return True
    for i in range(first, last):
        if (shadow.pieces[i].block != shadow.pieces[i + 1].block
                or shadow.pieces[i].offset + PIECE != shadow.pieces[i + 1].offset):
            return False
    return True


cdef bint _busy(Arena* arena, Shadow* shadow, uint32_t first, uint32_t last) noexcept nogil:
    cdef uint32_t i
    if shadow.contiguous:
        return block_busy(arena, shadow.pieces[0].block)
    for i in range(first, last + 1):
        if block_busy(arena, shadow.pieces[i].block):
            return True
    return False


cdef void _drop(Arena* arena, Shadow* shadow, uint32_t first, uint32_t last) noexcept nogil:
    """Releases the pieces' references, those to one block at once."""
    cdef uint32_t i = first, j
    while i <= last:
        j = i + 1
        while j <= last and shadow.pieces[j].block == shadow.pieces[i].block:
            j += 1
        block_drop(arena, shadow.pieces[i].block, j - i)
        i = j


cdef void _set(Shadow* shadow, uint32_t first, uint32_t last, Block* block) noexcept nogil:
    """Makes the fresh block (one reference) the memory of these pieces."""
    cdef uint32_t i
    for i in range(first, last + 1):
        shadow.pieces[i].block = block
        shadow.pieces[i].offset = <uint64_t>(i - first) * PIECE
    block.refs = last - first + 1
    shadow.contiguous = first == 0 and last == shadow.piece_count - 1


cdef uint64_t _end(Shadow* shadow, uint32_t last) noexcept nogil:
    return min((<uint64_t>last + 1) * PIECE, shadow.size)


cdef int shadow_init(Arena* arena, Shadow* shadow, uint64_t size) noexcept nogil:
    memset(shadow, 0, sizeof(Shadow))
    shadow.contiguous = 1
    return _fill(arena, shadow, size, arena_alloc(arena, size)) if size else 0


cdef int shadow_init_pages(Arena* arena, Shadow* shadow, uint64_t size) noexcept nogil:
    memset(shadow, 0, sizeof(Shadow))
    shadow.contiguous = 1
    return _fill(arena, shadow, size, arena_alloc_pages(arena, size)) if size else 0


cdef int _fill(Arena* arena, Shadow* shadow, uint64_t size, Block* block) noexcept nogil:
    cdef uint64_t count = size // PIECE + (size % PIECE != 0)
    if block == NULL:
        return -1
    shadow.pieces = <Piece*>malloc(count * sizeof(Piece))
    if shadow.pieces == NULL:
        block_release(arena, block)
        return -1
    shadow.size = size
    shadow.piece_count = <uint32_t>count
    _set(shadow, 0, shadow.piece_count - 1, block)
    return 0


cdef void shadow_clear(Arena* arena, Shadow* shadow) noexcept nogil:
    if shadow.piece_count != 0:
        _drop(arena, shadow, 0, shadow.piece_count - 1)
    free(shadow.pieces)
    memset(shadow, 0, sizeof(Shadow))


cdef int _replace(Arena* arena, Shadow* shadow, uint32_t first, uint32_t last, uint64_t offset, const void* source,
                  uint64_t size) noexcept nogil:
    """New memory for the pieces, with `source` at `offset` and the old bytes around it; NULL source: the old bytes."""
    cdef uint64_t start = <uint64_t>first * PIECE, end = _end(shadow, last)
    cdef Block* block = arena_alloc(arena, end - start)
    cdef uint8_t* data
    if block == NULL:
        return -1
    data = block_data(arena, block)
    if source == NULL:
        shadow_read(arena, shadow, start, data, end - start)
    else:
        shadow_read(arena, shadow, start, data, offset - start)
        _copy(data + (offset - start), source, size)
        shadow_read(arena, shadow, offset + size, data + (offset + size - start), end - offset - size)
    _drop(arena, shadow, first, last)
    _set(shadow, first, last, block)
    return 0


cdef int shadow_write(Arena* arena, Shadow* shadow, uint64_t offset, const void* source, uint64_t size) noexcept nogil:
    cdef uint32_t first, last, run
    cdef uint64_t low, high
    cdef bint busy
    cdef const uint8_t* bytes = <const uint8_t*>source
    if _outside(shadow, offset, size):
        return -1
    if size == 0:
        return 0
    if shadow.contiguous and not block_busy(arena, shadow.pieces[0].block):
        _copy(_at(arena, shadow, offset), source, size)
        return 0
    if size == shadow.size:
        return _replace(arena, shadow, 0, shadow.piece_count - 1, 0, source, size)
    first = <uint32_t>(offset // PIECE)
    last = _last_piece(offset, size)
    while first <= last:        # runs of pieces that are all busy, or all free
        busy = block_busy(arena, shadow.pieces[first].block)
        run = first
        while (run < last and block_busy(arena, shadow.pieces[run + 1].block) == busy
               and (busy or _adjacent(shadow, run, run + 1))):
            run += 1
        low = max(offset, <uint64_t>first * PIECE)
        high = min(offset + size, _end(shadow, run))
        if not busy:
            _copy(_at(arena, shadow, low), bytes + (low - offset), high - low)
        elif _replace(arena, shadow, first, run, low, bytes + (low - offset), high - low) != 0:
            return -1
        first = run + 1
    return 0


cdef void shadow_read(Arena* arena, Shadow* shadow, uint64_t offset, void* target, uint64_t size) noexcept nogil:
    cdef uint64_t part
    cdef uint8_t* bytes = <uint8_t*>target
    if size == 0 or _outside(shadow, offset, size):
        return
    if shadow.contiguous:
        _copy(target, _at(arena, shadow, offset), size)
        return
    while size > 0:
        part = min(size, PIECE - offset % PIECE)
        memcpy(bytes, _at(arena, shadow, offset), part)
        bytes += part
        offset += part
        size -= part


cdef bint shadow_lies_together(Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil:
    return size == 0 or (not _outside(shadow, offset, size)
                         and _adjacent(shadow, <uint32_t>(offset // PIECE), _last_piece(offset, size)))


cdef uint8_t* shadow_in_place(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil:
    if (size == 0 or not shadow_lies_together(shadow, offset, size)
            or _busy(arena, shadow, <uint32_t>(offset // PIECE), _last_piece(offset, size))):
        return NULL
    return _at(arena, shadow, offset)


cdef uint8_t* shadow_pointer(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil:
    cdef uint32_t first, last
    if size == 0 or _outside(shadow, offset, size):
        return NULL
    first = <uint32_t>(offset // PIECE)
    last = _last_piece(offset, size)
    if _busy(arena, shadow, first, last) or not _adjacent(shadow, first, last):
        if _replace(arena, shadow, first, last, 0, NULL, 0) != 0:
            return NULL
    return _at(arena, shadow, offset)


cdef Block* shadow_block(Shadow* shadow) noexcept nogil:
    if not shadow.contiguous or shadow.size == 0 or shadow.pieces[0].offset != 0:
        return NULL
    return shadow.pieces[0].block


cdef const uint8_t* shadow_view(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size) noexcept nogil:
    cdef uint32_t first, last
    if size == 0 or _outside(shadow, offset, size):
        return NULL
    first = <uint32_t>(offset // PIECE)
    last = _last_piece(offset, size)
    if not _adjacent(shadow, first, last) and _replace(arena, shadow, first, last, 0, NULL, 0) != 0:
        return NULL
    return _at(arena, shadow, offset)


cdef Block* shadow_answer(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size, pipe_Blob* blob) noexcept nogil:
    cdef Piece* piece
    if size == 0 or offset & 7 or not shadow_lies_together(shadow, offset, size):
        return NULL
    piece = &shadow.pieces[offset // PIECE]
    if block_pinned(piece.block):
        return NULL
    block_retain(piece.block)
    block_pin(piece.block)
    memset(blob, 0, sizeof(pipe_Blob))
    blob.offset = piece.block.offset + piece.offset + offset % PIECE
    blob.size = size
    blob.segment = SEGMENT_SHADOW
    return piece.block


cdef void shadow_answered(Arena* arena, Block* block, uint64_t ordinal) noexcept nogil:
    block_unpin(block, ordinal)
    block_release(arena, block)


cdef int shadow_keep(Arena* arena, Shadow* shadow, uint64_t offset, const uint8_t* source, uint64_t size) noexcept nogil:
    cdef uint64_t run
    cdef bint own
    if _outside(shadow, offset, size):
        return -1
    while size:
        own = _at(arena, shadow, offset) == source
        run = min(size, PIECE - offset % PIECE)
        while run < size and (_at(arena, shadow, offset + run) == source + run) == own:
            run = min(size, run + PIECE)
        if not own and shadow_write(arena, shadow, offset, source, run) != 0:
            return -1
        offset += run
        source += run
        size -= run
    return 0


cdef uint64_t shadow_span(Arena* arena, Shadow* shadow, uint64_t offset, uint64_t size, uint64_t ordinal,
                          pipe_Blob* blob) noexcept nogil:
    cdef uint32_t first
    cdef uint64_t run
    cdef Piece* piece
    cdef uint8_t* staged
    memset(blob, 0, sizeof(pipe_Blob))
    if size == 0 or _outside(shadow, offset, size):
        return 0
    first = <uint32_t>(offset // PIECE)
    piece = &shadow.pieces[first]
    if size <= STAGED_SPAN and shadow.size >= 4 * size and offset % PIECE + size <= PIECE:
        staged = staging_reserve(arena, <uint32_t>size, ordinal, blob)
        if staged != NULL:
            _copy(staged, _at(arena, shadow, offset), size)
            return size
    run = PIECE - offset % PIECE
    while run < size and _adjacent(shadow, first, first + 1):
        first += 1
        run += PIECE
    run = min(run, size)
    block_use(piece.block, ordinal)
    blob.offset = piece.block.offset + piece.offset + offset % PIECE
    blob.size = run
    blob.segment = SEGMENT_SHADOW
    return run
