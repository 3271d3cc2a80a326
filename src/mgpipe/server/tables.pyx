# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Objects by handle: one dense table per kind.

The client chooses slots, so a slot is believed only up to a limit, and memory grows by chunks as slots are used: a
hostile client can make a table as large as its limit allows and no larger.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset
from pipe cimport pipe_handle

cdef enum:
    CHUNK_BYTES = 65536


cdef void table_init(Table* table, uint32_t item_size, uint32_t limit) noexcept nogil:
    memset(table, 0, sizeof(Table))
    table.item_size = (item_size + 15) & ~<uint32_t>15
    table.limit = limit
    while (<uint32_t>2 << table.chunk_shift) * table.item_size <= CHUNK_BYTES:
        table.chunk_shift += 1


cdef void table_free(Table* table) noexcept nogil:
    cdef uint32_t i
    for i in range(table.capacity >> table.chunk_shift):
        free(table.chunks[i])
    free(table.chunks)
    free(table.gens)
    free(table.living)
    table.chunks = NULL
    table.gens = NULL
    table.living = NULL
    table.capacity = 0


cdef inline uint8_t* place(Table* table, uint32_t slot) noexcept nogil:
    return (table.chunks[slot >> table.chunk_shift]
            + (slot & ((<uint32_t>1 << table.chunk_shift) - 1)) * <size_t>table.item_size)


cdef void* table_find(Table* table, pipe_handle handle) noexcept nogil:
    if handle.slot >= table.capacity or not table.living[handle.slot] or table.gens[handle.slot] != handle.gen:
        return NULL
    return place(table, handle.slot)


cdef void* table_admit(Table* table, pipe_handle handle) noexcept nogil:
    if handle.slot >= table.limit or (handle.slot >= table.capacity and not grow(table, handle.slot)):
        return NULL
    if table.living[handle.slot] or handle.gen <= table.gens[handle.slot]:
        return NULL
    if table.chunks[handle.slot >> table.chunk_shift] == NULL:
        table.chunks[handle.slot >> table.chunk_shift] = <uint8_t*>calloc(<size_t>1 << table.chunk_shift, table.item_size)
        if table.chunks[handle.slot >> table.chunk_shift] == NULL:
            return NULL
    table.living[handle.slot] = 1
    table.gens[handle.slot] = handle.gen
    table.count += 1
    return place(table, handle.slot)


cdef void table_dismiss(Table* table, pipe_handle handle) noexcept nogil:
    if table_find(table, handle) != NULL:
        memset(place(table, handle.slot), 0, table.item_size)
        table.living[handle.slot] = 0
        table.count -= 1


cdef void* table_living(Table* table, uint32_t slot, pipe_handle* handle) noexcept nogil:
    if slot >= table.capacity or not table.living[slot]:
        return NULL
    handle.slot = slot
    handle.gen = table.gens[slot]
    return place(table, slot)


cdef bint grow(Table* table, uint32_t slot) noexcept nogil:
    """Doubles, in whole chunks. The directories move; items do not."""
    cdef uint32_t chunk = <uint32_t>1 << table.chunk_shift
    cdef uint32_t capacity = table.capacity * 2 if table.capacity else chunk
    cdef uint32_t* gens
    cdef uint8_t* living
    cdef uint8_t** chunks
    while capacity <= slot:
        capacity *= 2
    gens = <uint32_t*>realloc(table.gens, capacity * sizeof(uint32_t))
    if gens == NULL:
        return False
    table.gens = gens
    living = <uint8_t*>realloc(table.living, capacity)
    if living == NULL:
        return False
    table.living = living
    chunks = <uint8_t**>realloc(table.chunks, (capacity >> table.chunk_shift) * sizeof(uint8_t*))
    if chunks == NULL:
        return False
    table.chunks = chunks
    memset(gens + table.capacity, 0, (capacity - table.capacity) * sizeof(uint32_t))
    memset(living + table.capacity, 0, capacity - table.capacity)
    memset(chunks + (table.capacity >> table.chunk_shift), 0,
           ((capacity - table.capacity) >> table.chunk_shift) * sizeof(uint8_t*))
    table.capacity = capacity
    return True
