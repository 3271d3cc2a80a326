"""Objects by handle: one dense table per kind."""

from libc.stdint cimport uint8_t, uint32_t
from pipe cimport pipe_handle

cdef struct Table:
    uint8_t** chunks            # items never move: back ends keep pointers to them
    uint32_t* gens              # by slot: of the item living there, or the last one that did
    uint8_t* living             # by slot
    uint32_t capacity           # slots that gens and living hold
    uint32_t limit              # slots there may ever be
    uint32_t item_size
    uint32_t chunk_shift        # slots of a chunk, as a power of two
    uint32_t count              # items living

cdef void table_init(Table* table, uint32_t item_size, uint32_t limit) noexcept nogil
cdef void table_free(Table* table) noexcept nogil
cdef void* table_find(Table* table, pipe_handle handle) noexcept nogil       # NULL: not living, or another generation
cdef void* table_admit(Table* table, pipe_handle handle) noexcept nogil      # zeroed item. NULL: in use, too high, generation did not rise, no memory
cdef void table_dismiss(Table* table, pipe_handle handle) noexcept nogil     # zeroes the item; the generation stays spent
cdef void* table_living(Table* table, uint32_t slot, pipe_handle* handle) noexcept nogil  # for walks; NULL: nothing lives there
