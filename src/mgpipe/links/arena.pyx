# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Blocks: up to 32 KiB from slabs (one unit cut into equal parts), larger ones from whole units. Retired blocks wait in
one queue for the watermark. All bookkeeping is private memory.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from pipe cimport pipe_Blob

from mgpipe.links.atomics cimport add32, load_acquire, load_relaxed, lock_acquire, lock_release, store_relaxed
from mgpipe.links.extents cimport Extents, UNIT, extents_clear, extents_give, extents_init, extents_take

cdef extern from *:
    int __builtin_clzll(unsigned long long value) nogil
    int __builtin_ctzll(unsigned long long value) nogil

cdef enum:
    SMALLEST = 64               # one cache line: two blocks never share one with the reading side
    LARGEST_SMALL = 32768
    CLASSES = 32                # 64, 128 … 512, then four to a doubling: at most a fifth is lost
    LARGE = 255                 # size_class of a block of whole units
    BLOCKS_PER_CHUNK = 256
    STAGING_PARTS = 16          # 1 MiB: 16,000 uniform updates in flight
    # Bytes released but not applied: beyond, the client waits instead of taking other memory, unless only one block waits. As
    # much as stays in the caches of both sides: with 64 MiB in turn a MiB costs client and server 90 us each, so 35 and 50.
    RETIRED_LIMIT = 4194304
    STAGING_LIMIT = 16384       # larger contents take a block: the ring is for what many draws a frame send

cdef uint64_t PINNED = <uint64_t>-1

cdef struct Slab:
    int64_t unit
    uint32_t size, capacity, free_count, size_class
    Slab* next                  # slabs of this class with a free part
    Slab* previous
    uint64_t free_parts[16]

cdef struct Chunk:              # where Block structs live; never freed before the arena
    Chunk* next
    Block blocks[BLOCKS_PER_CHUNK]

cdef struct Arena:
    Extents extents
    uint8_t* base
    uint64_t* applied
    uint64_t seen               # watermark as last read: its cache line is the server's
    Slab* partial[CLASSES]
    Slab** slab_of              # by unit
    Chunk* chunks
    Block* unused               # Block structs
    Block* retired              # released, still referred to by records; oldest first
    Block* retired_last
    uint64_t retired_bytes, retired_limit
    Relief relief
    void* relief_self
    uint64_t live_blocks, live_bytes
    Block* staging
    uint64_t staging_at
    uint64_t staging_last[STAGING_PARTS]    # newest ordinal that uses the part
    uint32_t lock
    uint32_t threaded


cdef uint32_t _class_size(int size_class) noexcept nogil:
    if size_class < 8:
        return SMALLEST * (size_class + 1)
    return (5 + (size_class & 3)) << ((size_class - 8) // 4 + 7)


cdef int _class_of(uint64_t size) noexcept nogil:
    cdef int log
    if size <= 512:
        return <int>((max(size, <uint64_t>1) - 1) // SMALLEST)
    log = 63 - __builtin_clzll(size - 1)            # size is in (2**log, 2**(log+1)], log >= 9
    return 8 + (log - 9) * 4 + <int>(((size - 1) >> (log - 2)) & 3)


cdef void _lock(Arena* arena) noexcept nogil:
    if arena.threaded:
        lock_acquire(&arena.lock)


cdef void _unlock(Arena* arena) noexcept nogil:
    if arena.threaded:
        lock_release(&arena.lock)


cdef Arena* arena_new(uint8_t* base, int fd, uint64_t ceiling, uint64_t* applied) noexcept nogil:
    cdef Arena* arena = <Arena*>calloc(1, sizeof(Arena))
    if arena == NULL:
        return NULL
    arena.base = base
    arena.retired_limit = RETIRED_LIMIT
    arena.applied = applied
    if extents_init(&arena.extents, base, fd, ceiling) != 0:
        arena_free(arena)
        return NULL
    arena.slab_of = <Slab**>calloc(arena.extents.limit, sizeof(Slab*))
    if arena.slab_of == NULL:
        arena_free(arena)
        return NULL
    return arena


cdef void arena_free(Arena* arena) noexcept nogil:
    cdef Chunk* chunk
    cdef int32_t unit
    if arena == NULL:
        return
    if arena.slab_of != NULL:
        for unit in range(arena.extents.backed):
            free(arena.slab_of[unit])
    while arena.chunks != NULL:
        chunk = arena.chunks
        arena.chunks = chunk.next
        free(chunk)
    free(arena.slab_of)
    extents_clear(&arena.extents)
    free(arena)


cdef void arena_set_threaded(Arena* arena) noexcept nogil:
    arena.threaded = 1


cdef void arena_set_relief(Arena* arena, Relief relief, void* self) noexcept nogil:
    arena.relief = relief
    arena.relief_self = self


cdef void arena_set_retired_limit(Arena* arena, uint64_t limit) noexcept nogil:
    arena.retired_limit = limit


cdef void arena_set_forget(Arena* arena, Forget forget, void* self) noexcept nogil:
    arena.extents.forget_self = self
    arena.extents.forget = forget


# -- slabs -------------------------------------------------------------------------------------------------------------

cdef void _slab_link(Arena* arena, Slab* slab) noexcept nogil:
    cdef Slab** head = &arena.partial[slab.size_class]
    slab.previous = NULL
    slab.next = head[0]
    if head[0] != NULL:
        head[0].previous = slab
    head[0] = slab


cdef void _slab_unlink(Arena* arena, Slab* slab) noexcept nogil:
    if slab.previous != NULL:
        slab.previous.next = slab.next
    else:
        arena.partial[slab.size_class] = slab.next
    if slab.next != NULL:
        slab.next.previous = slab.previous


cdef Slab* _slab_new(Arena* arena, int size_class) noexcept nogil:
    cdef Slab* slab = <Slab*>calloc(1, sizeof(Slab))
    cdef uint32_t part
    if slab == NULL:
        return NULL
    slab.unit = extents_take(&arena.extents, 1)
    if slab.unit < 0:
        free(slab)
        return NULL
    slab.size = _class_size(size_class)
    slab.size_class = size_class
    slab.capacity = slab.free_count = UNIT // slab.size
    for part in range(slab.capacity):
        slab.free_parts[part >> 6] |= <uint64_t>1 << (part & 63)
    arena.slab_of[slab.unit] = slab
    _slab_link(arena, slab)
    return slab


cdef bint _small_take(Arena* arena, Block* block, int size_class) noexcept nogil:
    cdef Slab* slab = arena.partial[size_class]
    cdef int word = 0, bit
    if slab == NULL:
        slab = _slab_new(arena, size_class)
        if slab == NULL:
            return False
    while slab.free_parts[word] == 0:
        word += 1
    bit = __builtin_ctzll(slab.free_parts[word])
    slab.free_parts[word] &= slab.free_parts[word] - 1
    slab.free_count -= 1
    if slab.free_count == 0:
        _slab_unlink(arena, slab)
    block.offset = <uint64_t>slab.unit * UNIT + <uint64_t>(word * 64 + bit) * slab.size
    block.size = slab.size
    block.size_class = size_class
    return True


cdef void _small_give(Arena* arena, Block* block) noexcept nogil:
    cdef Slab* slab = arena.slab_of[block.offset // UNIT]
    cdef uint32_t part = <uint32_t>(block.offset % UNIT) // slab.size
    slab.free_parts[part >> 6] |= <uint64_t>1 << (part & 63)
    slab.free_count += 1
    if slab.free_count == 1:
        _slab_link(arena, slab)
    elif slab.free_count == slab.capacity and (slab.next != NULL or slab.previous != NULL):
        # Empty, and not the class's only one with room: the last stays, or a lone block would make and unmake it.
        _slab_unlink(arena, slab)
        arena.slab_of[slab.unit] = NULL
        extents_give(&arena.extents, slab.unit)
        free(slab)


# -- blocks ------------------------------------------------------------------------------------------------------------

cdef Block* _struct_take(Arena* arena) noexcept nogil:
    cdef Block* block = arena.unused
    cdef Chunk* chunk
    cdef int i
    if block == NULL:
        chunk = <Chunk*>malloc(sizeof(Chunk))
        if chunk == NULL:
            return NULL
        chunk.next = arena.chunks
        arena.chunks = chunk
        for i in range(BLOCKS_PER_CHUNK):
            chunk.blocks[i].next = arena.unused
            arena.unused = &chunk.blocks[i]
        block = arena.unused
    arena.unused = block.next
    return block


cdef void _struct_give(Arena* arena, Block* block) noexcept nogil:
    block.next = arena.unused
    arena.unused = block


cdef bint _is_applied(Arena* arena, uint64_t ordinal) noexcept nogil:
    cdef uint64_t seen
    if ordinal <= load_relaxed(&arena.seen):
        return True
    # Acquire: the server's reads of the block's bytes come before our next write to them.
    seen = load_acquire(arena.applied)
    if not arena.threaded:      # else every thread has to do its own acquire
        arena.seen = seen
    return ordinal <= seen


cdef void _reclaim(Arena* arena) noexcept nogil:
    """Frees retired blocks up to the first that is still busy; the queue is nearly in the order of use."""
    cdef Block* block
    while arena.retired != NULL and _is_applied(arena, arena.retired.last_use):
        block = arena.retired
        arena.retired = block.next
        arena.retired_bytes -= block.size
        _free_now(arena, block)


cdef bint _relieve(Arena* arena) noexcept nogil:
    """Waits for the oldest retired block. False: there is none, or it cannot be waited for."""
    cdef bint applied
    cdef uint64_t ordinal
    if arena.relief == NULL or arena.retired == NULL:
        return False
    ordinal = arena.retired.last_use
    _unlock(arena)
    applied = arena.relief(arena.relief_self, ordinal)
    _lock(arena)
    if applied:
        _reclaim(arena)
    return applied


cdef void _free_now(Arena* arena, Block* block) noexcept nogil:
    if block.size_class == LARGE:
        extents_give(&arena.extents, block.offset // UNIT)
    else:
        _small_give(arena, block)
    _struct_give(arena, block)


cdef Block* _take(Arena* arena, uint64_t size) noexcept nogil:
    cdef Block* block
    cdef int64_t first
    if arena.retired != NULL:
        _reclaim(arena)
        while arena.retired != arena.retired_last and arena.retired_bytes > arena.retired_limit and _relieve(arena):
            pass
    block = _struct_take(arena)
    if block == NULL:
        return NULL
    if size <= LARGEST_SMALL:
        while not _small_take(arena, block, _class_of(size)):
            if not _relieve(arena):
                _struct_give(arena, block)
                return NULL
    else:
        first = extents_take(&arena.extents, size // UNIT + (size % UNIT != 0))
        while first < 0 and _relieve(arena):
            first = extents_take(&arena.extents, size // UNIT + (size % UNIT != 0))
        if first < 0:
            _struct_give(arena, block)
            return NULL
        block.offset = <uint64_t>first * UNIT
        block.size = (size + UNIT - 1) // UNIT * UNIT
        block.size_class = LARGE
    block.last_use = 0
    block.refs = 1
    block.next = NULL
    arena.live_blocks += 1
    arena.live_bytes += block.size
    return block


cdef void _retire(Arena* arena, Block* block) noexcept nogil:
    arena.live_blocks -= 1
    arena.live_bytes -= block.size
    if _is_applied(arena, block.last_use):
        _free_now(arena, block)
        return
    block.next = NULL
    arena.retired_bytes += block.size
    if arena.retired == NULL:
        arena.retired = block
    else:
        arena.retired_last.next = block
    arena.retired_last = block


cdef Block* arena_alloc(Arena* arena, uint64_t size) noexcept nogil:
    cdef Block* block
    _lock(arena)
    block = _take(arena, size)
    _unlock(arena)
    return block


cdef Block* arena_alloc_pages(Arena* arena, uint64_t size) noexcept nogil:
    return arena_alloc(arena, max(size, <uint64_t>LARGEST_SMALL + 1))


cdef void block_retain(Block* block) noexcept nogil:
    add32(&block.refs, 1)


cdef void block_drop(Arena* arena, Block* block, uint32_t refs) noexcept nogil:
    if add32(&block.refs, <uint32_t>0 - refs) == 0:
        _lock(arena)
        _retire(arena, block)
        _unlock(arena)


cdef void block_release(Arena* arena, Block* block) noexcept nogil:
    block_drop(arena, block, 1)


cdef bint block_busy(Arena* arena, Block* block) noexcept nogil:
    return not _is_applied(arena, block.last_use)


cdef void block_use(Block* block, uint64_t ordinal) noexcept nogil:
    if ordinal > block.last_use:
        block.last_use = ordinal


cdef void block_pin(Block* block) noexcept nogil:
    block.last_use = PINNED


cdef bint block_pinned(Block* block) noexcept nogil:
    return block.last_use == PINNED


cdef void block_unpin(Block* block, uint64_t ordinal) noexcept nogil:
    block.last_use = ordinal


cdef uint8_t* block_data(Arena* arena, Block* block) noexcept nogil:
    return arena.base + block.offset


cdef uint64_t arena_bytes_in_use(Arena* arena) noexcept nogil:
    return arena.live_bytes


cdef uint64_t arena_live_blocks(Arena* arena) noexcept nogil:
    return arena.live_blocks


cdef uint64_t arena_backed_bytes(Arena* arena) noexcept nogil:
    return <uint64_t>arena.extents.backed * UNIT


cdef uint64_t arena_given_back_bytes(Arena* arena) noexcept nogil:
    return arena.extents.given_back


# -- staging -----------------------------------------------------------------------------------------------------------

cdef int64_t _staging_place(Arena* arena, uint32_t size, uint64_t ordinal) noexcept nogil:
    """Where in the staging block; -1: no room now. Retirement is by part, so a reservation costs no bookkeeping."""
    cdef uint64_t at = arena.staging_at, part = at // UNIT
    if arena.staging == NULL:
        arena.staging = _take(arena, STAGING_PARTS * UNIT)
        if arena.staging == NULL:
            return -1
        arena.live_blocks -= 1      # the arena's own: not somebody's leak
        arena.live_bytes -= arena.staging.size
    if at % UNIT + size > UNIT or (at % UNIT == 0 and arena.staging_last[part] != 0):
        if at % UNIT != 0:
            part = (part + 1) % STAGING_PARTS
        if not _is_applied(arena, arena.staging_last[part]):
            return -1
        at = part * UNIT
    arena.staging_last[part] = max(arena.staging_last[part], ordinal)
    arena.staging_at = (at + size + 15) // 16 * 16 % (STAGING_PARTS * UNIT)
    return <int64_t>at


cdef uint8_t* staging_reserve(Arena* arena, uint32_t size, uint64_t ordinal, pipe_Blob* blob) noexcept nogil:
    cdef Block* block
    cdef int64_t at = -1
    _lock(arena)
    if size <= STAGING_LIMIT:
        at = _staging_place(arena, size, ordinal)
    if at >= 0:
        blob.offset = arena.staging.offset + <uint64_t>at
    else:
        block = _take(arena, size)
        if block == NULL:
            _unlock(arena)
            return NULL
        block.last_use = ordinal
        blob.offset = block.offset
        block.refs = 0
        _retire(arena, block)
    _unlock(arena)
    blob.size = size
    blob.segment = SEGMENT_SHADOW
    blob.pad0 = 0
    return arena.base + blob.offset
