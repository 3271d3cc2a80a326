"""A few byte ranges of a buffer: apart, in order, in constant room.

When there is no room for one more the set grows to something larger, never to less: a spare byte of what the GPU wrote
costs a read, a missing one would be stale.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    RANGES = 8

cdef struct Ranges:
    uint32_t count, pad0
    uint64_t low[RANGES + 1]        # in order, apart; one more while a range is added
    uint64_t high[RANGES + 1]


cdef inline void ranges_drop(Ranges* set_, uint32_t first, uint32_t end) noexcept nogil:
    """Takes the ranges [first, end) out."""
    cdef uint32_t i
    for i in range(end, set_.count):
        set_.low[first + i - end] = set_.low[i]
        set_.high[first + i - end] = set_.high[i]
    set_.count -= end - first


cdef inline bint ranges_meet(const Ranges* set_, uint64_t low, uint64_t high) noexcept nogil:
    """Whether any byte of [low, high) is in it."""
    cdef uint32_t i
    for i in range(set_.count):
        if low < set_.high[i] and set_.low[i] < high:
            return True
    return False


cdef inline bint ranges_within(const Ranges* set_, uint64_t low, uint64_t high) noexcept nogil:
    """Whether all of [low, high) is in one of them."""
    cdef uint32_t i
    for i in range(set_.count):
        if set_.low[i] <= low and high <= set_.high[i]:
            return True
    return False


cdef inline bint ranges_join(const Ranges* set_, uint64_t low, uint64_t high) noexcept nogil:
    """Whether [low, high) can be added without a byte more."""
    cdef uint32_t i
    for i in range(set_.count):
        if low <= set_.high[i] and set_.low[i] <= high:
            return True
    return set_.count < RANGES


cdef inline void ranges_insert(Ranges* set_, uint32_t at, uint64_t low, uint64_t high) noexcept nogil:
    cdef uint32_t i
    for i in range(set_.count, at, -1):
        set_.low[i] = set_.low[i - 1]
        set_.high[i] = set_.high[i - 1]
    set_.low[at] = low
    set_.high[at] = high
    set_.count += 1


cdef inline void ranges_add(Ranges* set_, uint64_t low, uint64_t high) noexcept nogil:
    cdef uint32_t first = 0, end, i
    if low >= high:
        return
    while first < set_.count and set_.high[first] < low:
        first += 1
    end = first
    while end < set_.count and set_.low[end] <= high:
        end += 1
    if first == end:
        ranges_insert(set_, first, low, high)
        if set_.count <= RANGES:
            return
        first = 0                       # no room for so many: the two that lie closest become one
        for i in range(1, RANGES):
            if set_.low[i + 1] - set_.high[i] < set_.low[first + 1] - set_.high[first]:
                first = i
        set_.high[first] = set_.high[first + 1]
        ranges_drop(set_, first + 1, first + 2)
        return
    set_.low[first] = min(low, set_.low[first])
    set_.high[first] = max(high, set_.high[end - 1])
    ranges_drop(set_, first + 1, end)


cdef inline void ranges_remove(Ranges* set_, uint64_t low, uint64_t high) noexcept nogil:
    """What cannot be split for want of room stays whole."""
    cdef uint32_t i = 0
    if low >= high:
        return
    while i < set_.count:
        if high <= set_.low[i] or set_.high[i] <= low:
            i += 1
        elif low <= set_.low[i] and set_.high[i] <= high:
            ranges_drop(set_, i, i + 1)
        elif low <= set_.low[i]:
            set_.low[i] = high
            i += 1
        elif set_.high[i] <= high:
            set_.high[i] = low
            i += 1
        else:
            if set_.count < RANGES:
                ranges_insert(set_, i + 1, high, set_.high[i])
                set_.high[i] = low
            return
