"""All objects of a context and of its share group: how many there are, and their end with the context."""

from libc.stdint cimport uint64_t
from mgpipe.front.context cimport Context

cdef enum:
    OBJECT_KINDS = 12

# In the order of objects.KINDS. Shared objects are counted in the context that comes first among its group's.
cdef void count_objects(Context* ctx, bint shared, uint64_t* counts) noexcept nogil
# A context ends: it lets go of what it holds, and the last of a group lets go of the group's objects, too.
cdef void release_objects(Context* ctx) noexcept nogil
