"""The server mirror: all that the client remembers of what the server holds.

Objects carry the epoch under which they were sent; the caches of constant state live here. `mirror_drop` forgets all of
it at once, and the next validation rebuilds the server. Nothing else in the client may remember a server fact.
"""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport pipe_PipelineState, pipe_SamplerState, pipe_handle
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Context, ShareGroup

cdef enum:
    RENDER_STATES = 64          # LRU; a frame uses a handful, 64 states fit 32 KiB
    SAMPLER_STATES = 256
    VERTEX_ELEMENTS = 512

cdef struct CachedState:        # one constant state object that the server holds
    uint64_t hash               # 0: empty
    uint64_t used               # mirror.tick of the last use
    pipe_handle handle
    void* bytes                 # compared after the hash matched

cdef struct StateCache:         # content → handle; the least recently used one leaves when full
    CachedState* entries
    uint32_t capacity, live
    uint32_t kind               # PIPE_HANDLE_*
    uint32_t size               # bytes of one content, at most
    uint64_t evictions
    uint32_t recent[2]          # the two used last: most lookups alternate between two, and compare no more than these

cdef struct Mirror:
    Context* current            # records belong to this context until the next bind_context
    pipe_handle current_draw, current_read
    uint64_t tick
    StateCache render_states, samplers, vertex_elements

cdef inline Mirror* mirror_of(Session* session) noexcept nogil:
    return <Mirror*>session.mirror

cdef inline bint same_handle(pipe_handle a, pipe_handle b) noexcept nogil:
    return a.slot == b.slot and a.gen == b.gen

cdef inline bint was_sent(Session* session, uint64_t* sent, uint64_t hash) noexcept nogil:
    """Whether the context's records have said this last; if not, they are about to."""
    if sent[0] == hash:
        session.stats.suppressed += 1
        return True
    sent[0] = hash
    return False

cdef Mirror* mirror_new() noexcept nogil
cdef void mirror_free(Mirror* mirror) noexcept nogil
cdef uint64_t hash_bytes(const void* data, uint64_t size, uint64_t seed) noexcept nogil
# The entry with this content, or an empty one to fill (`found` says which); evicts when full, giving the old handle out.
cdef CachedState* cache_lookup(StateCache* cache, Mirror* mirror, const void* content, uint32_t size, bint* found,
                               pipe_handle* evicted) noexcept nogil
cdef void cache_forget(StateCache* cache) noexcept nogil
# Ensures that the mirror exists, and that the server knows the group and the context and that records go to it.
cdef void enter_context(Context* ctx) noexcept nogil
cdef void mirror_forget(Session* session) noexcept nogil
