# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Persistent mappings. See maps.pxd."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from mgpipe.client.session cimport Session
from mgpipe.front.context cimport OWNER_CLIENT, OWNER_GPU, Buffer, Context, ShareGroup
from mgpipe.links.shadow cimport PIECE, shadow_read, shadow_view, shadow_write
from mgpipe.links.written cimport Run, Written, written_judge, written_map, written_runs, written_unmap, written_watch
from mgpipe.tracker.ranges cimport ranges_add, ranges_join, ranges_meet, ranges_remove

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static inline int lines_differ(const uint8_t *a, const uint8_t *b)      /* a call of memcmp takes as long as ten of these */
    {
        uint64_t x[8], y[8], bits = 0;
        memcpy(x, a, 64);
        memcpy(y, b, 64);
        for (int i = 0; i < 8; i++)
            bits |= x[i] ^ y[i];
        return bits != 0;
    }
    """
    bint lines_differ(const uint8_t* a, const uint8_t* b) nogil

cdef enum:
    GL_MAP_WRITE_BIT = 2
    GL_MAP_COHERENT_BIT = 0x80
    PAGE = 4096
    LINE = 64                   # compared at a time; changes this close are sent as one
    RUNS = 64

cdef struct PersistentMap:
    Written memory
    uint64_t skew               # of the range's first byte inside the memory: pointers lie as offsets do
    Buffer* buffer
    uint32_t number             # among the group's
    PersistentMap* next         # of the group's
    PersistentMap* previous


cdef uint8_t* map_begin(ShareGroup* group, Buffer* buffer, uint64_t offset, uint64_t length, uint32_t access) noexcept nogil:
    cdef PersistentMap* map_ = <PersistentMap*>calloc(1, sizeof(PersistentMap))
    if map_ == NULL:
        return NULL
    map_.skew = offset % PAGE
    map_.buffer = buffer
    group.mappings = max(group.mappings + 1, <uint32_t>1)
    map_.number = group.mappings
    if written_map(&map_.memory, map_.skew + length) != 0:
        free(map_)
        return NULL
    shadow_read(group.session.shadow, &buffer.shadow, offset, map_.memory.base + map_.skew, length)
    if access & GL_MAP_WRITE_BIT:
        written_watch(&map_.memory)
    map_.next = <PersistentMap*>group.maps
    if map_.next != NULL:
        map_.next.previous = map_
    group.maps = map_
    if access & GL_MAP_WRITE_BIT and access & GL_MAP_COHERENT_BIT:
        group.coherent_maps += 1
        buffer.coherent = 1
    buffer.persistent = map_
    return map_.memory.base + map_.skew


cdef void map_end(ShareGroup* group, Buffer* buffer) noexcept nogil:
    cdef PersistentMap* map_ = <PersistentMap*>buffer.persistent
    if map_ == NULL:
        return
    if map_.previous != NULL:
        map_.previous.next = map_.next
    else:
        group.maps = map_.next
    if map_.next != NULL:
        map_.next.previous = map_.previous
    if buffer.coherent:
        group.coherent_maps -= 1
        buffer.coherent = 0
    written_unmap(&map_.memory)
    free(map_)
    buffer.persistent = NULL


cdef uint32_t map_number(Buffer* buffer) noexcept nogil:
    return (<PersistentMap*>buffer.persistent).number


cdef Buffer* map_next(ShareGroup* group, Buffer* buffer) noexcept nogil:
    cdef PersistentMap* map_ = <PersistentMap*>group.maps
    if buffer != NULL:
        map_ = (<PersistentMap*>buffer.persistent).next
    return map_.buffer if map_ != NULL else NULL


cdef void take(Context* ctx, Buffer* buffer, const uint8_t* bytes, uint64_t low, uint64_t high, MakeRoom make_room) noexcept nogil:
    """Changed bytes [low, high) of the buffer."""
    cdef PersistentMap* map_ = <PersistentMap*>buffer.persistent
    cdef Session* session = ctx.session
    if shadow_write(session.shadow, &buffer.shadow, low, bytes, high - low) != 0:
        map_.memory.tracked = 0     # out of memory: the page will not be reported again, but its bytes still differ
        return
    session.stats.client_copy_bytes += high - low
    ranges_remove(&buffer.gpu, low, high)
    buffer.owner = OWNER_GPU if buffer.gpu.count else OWNER_CLIENT
    if not ranges_join(&buffer.pending, low, high):     # else what lies between would be sent, too
        make_room(ctx, buffer)
    ranges_add(&buffer.pending, low, high)


cdef void take_bytes(Context* ctx, Buffer* buffer, const uint8_t* bytes, uint64_t low, uint64_t high, MakeRoom make_room) noexcept nogil:
    """What differs in [low, high) of one piece, to the byte: beside it lies what only the GPU has."""
    cdef const uint8_t* known
    cdef uint64_t first = 0, last
    while True:
        known = shadow_view(ctx.session.shadow, &buffer.shadow, low, high - low)       # again: a busy piece was replaced
        if known == NULL:
            return
        while first < high - low and known[first] == bytes[first]:
            first += 1
        if first == high - low:
            return
        last = first + 1
        while last < high - low and known[last] != bytes[last]:
            last += 1
        take(ctx, buffer, bytes + first, low + first, low + last, make_room)
        first = last


cdef inline uint64_t page_of(uint64_t offset) noexcept nogil:
    return offset // PAGE


cdef inline bint step_differs(const uint8_t* a, const uint8_t* b, uint64_t size) noexcept nogil:
    return lines_differ(a, b) if size == LINE else memcmp(a, b, size) != 0


cdef uint32_t compare(Context* ctx, Buffer* buffer, const uint8_t* bytes, uint64_t low, uint64_t high,
                      MakeRoom make_room) noexcept nogil:
    """Bytes of one piece of the shadow against the mapping's. Returns the pages that have changed, as bits from that of `low`."""
    cdef const uint8_t* known = shadow_view(ctx.session.shadow, &buffer.shadow, low, high - low)
    cdef uint64_t size = high - low, at = 0, step, first, last
    cdef uint32_t changed = 0
    if known == NULL:                           # out of memory, as in take
        (<PersistentMap*>buffer.persistent).memory.tracked = 0
        return 0
    if memcmp(known, bytes, size) == 0:
        return 0
    while at < size:
        step = min(<uint64_t>LINE, size - at)
        if not step_differs(known + at, bytes + at, step):
            at += step
            continue
        first = at
        while first + 1 < at + step and known[first] == bytes[first]:       # the program may be writing: never beyond
            first += 1
        last = at + step
        at += step
        while at < size:
            step = min(<uint64_t>LINE, size - at)
            if not step_differs(known + at, bytes + at, step):
                break
            at += step
            last = at
        while last > first + 1 and known[last - 1] == bytes[last - 1]:
            last -= 1
        if ranges_meet(&buffer.gpu, low + first, low + last):
            take_bytes(ctx, buffer, bytes + first, low + first, low + last, make_room)
        else:
            take(ctx, buffer, bytes + first, low + first, low + last, make_room)
        changed |= <uint32_t>((<uint64_t>2 << (page_of(low + last - 1) - page_of(low))) - (<uint64_t>1 << (page_of(low + first) - page_of(low))))
        known = shadow_view(ctx.session.shadow, &buffer.shadow, low, size)      # a busy piece was replaced
        if known == NULL:
            break
    return changed


cdef void map_push(Context* ctx, Buffer* buffer, uint64_t first, uint64_t last, MakeRoom make_room) noexcept nogil:
    cdef PersistentMap* map_ = <PersistentMap*>buffer.persistent
    cdef Run runs[RUNS]
    cdef uint64_t at, stop, low, high, end, start = buffer.map_offset - map_.skew      # of the memory's first byte
    cdef uint32_t i, count, changed
    first = max(first, buffer.map_offset)
    last = min(last, buffer.map_offset + buffer.map_length)
    if not buffer.map_access & GL_MAP_WRITE_BIT or first >= last:
        return
    at = (first - start) & ~<uint64_t>(PAGE - 1)
    stop = (last - start + PAGE - 1) & ~<uint64_t>(PAGE - 1)
    while at < stop:
        count = written_runs(&map_.memory, &at, stop, runs, RUNS)
        for i in range(count):
            low = max(start + runs[i].low, buffer.map_offset)
            end = min(start + runs[i].high, buffer.map_offset + buffer.map_length)
            while low < end:
                high = min(end, (low // PIECE + 1) * PIECE)
                changed = compare(ctx, buffer, map_.memory.base + (low - start), low, high, make_room)
                if written_judge(&map_.memory, low - start, <uint32_t>(page_of(high - 1) - page_of(low) + 1), changed):
                    compare(ctx, buffer, map_.memory.base + (low - start), low, high, make_room)
                low = high


cdef void map_refresh(Session* session, Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil:
    cdef PersistentMap* map_ = <PersistentMap*>buffer.persistent
    low = max(low, buffer.map_offset)
    high = min(high, buffer.map_offset + buffer.map_length)
    if low < high:
        shadow_read(session.shadow, &buffer.shadow, low, map_.memory.base + map_.skew + (low - buffer.map_offset), high - low)
