# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Owner marks of texture levels. See owners.pxd.

Most levels have one owner, and then `Level.owner` is all there is. From the first mark of a part on, `Level.layers` holds
one for each layer, and `owner` the bits of all: a level with `OWNER_GPU` in it has bytes that only the server holds.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from mgpipe.front.context cimport OWNER_BOTH, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, Level


cdef uint32_t owner_of(const Level* level, uint32_t layer) noexcept nogil:
    return level.layers[layer] if level.layers != NULL and layer < level.depth else level.owner


cdef bint client_owns(const Level* level, uint32_t first, uint32_t count) noexcept nogil:
    cdef uint32_t i
    if level.layers == NULL:
        return level.owner == OWNER_CLIENT or level.owner == OWNER_BOTH
    for i in range(first, first + count):
        if not owner_of(level, i) & OWNER_CLIENT:
            return False
    return True


cdef void mark_level(Level* level, uint32_t owner) noexcept nogil:
    free(level.layers)
    level.layers = NULL
    level.owner = owner


cdef void mark_layers(Level* level, uint32_t first, uint32_t count, uint32_t owner) noexcept nogil:
    cdef uint32_t i, all_bits = 0
    cdef bint alike = True
    if first >= level.depth:
        return
    if count > level.depth - first:
        count = level.depth - first
    if count == level.depth or (level.layers == NULL and level.owner == owner):
        mark_level(level, owner)
        return
    if level.layers == NULL:
        level.layers = <uint8_t*>malloc(level.depth)
        if level.layers == NULL:                # whoever writes next to the GPU's bytes is not believed to own them
            level.owner |= owner
            return
        memset(level.layers, <int>level.owner, level.depth)
    memset(level.layers + first, <int>owner, count)
    for i in range(level.depth):
        all_bits |= level.layers[i]
        alike = alike and level.layers[i] == owner
    level.owner = all_bits
    if alike:
        mark_level(level, owner)
