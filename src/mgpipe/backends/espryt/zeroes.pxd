"""Storage that nobody has written holds zeros: never what another program, or this one, left in that memory."""

from libc.stdint cimport uint32_t
from pipe cimport pipe_resource_respecify, pipe_resource_subdata, pipe_SubRegion
from mgpipe.backends.espryt.espryt cimport Espryt, Resource

# A resource has new storage, as the record says.
cdef void note_storage(Espryt* es, Resource* it, const pipe_resource_respecify* p) noexcept nogil
# Before contents come: what they fill wholly need not be zero first.
cdef void note_contents(Espryt* es, Resource* it, const pipe_resource_subdata* p, const pipe_SubRegion* regions) noexcept nogil
cdef void forget_unwritten(Espryt* es, Resource* it) noexcept nogil      # of a resource whose storage is another now
# Before anything else may look: all that is left of it becomes zero.
cdef void fill_unwritten(Espryt* es) noexcept nogil
