"""Queries, fences, conditional rendering: records without answers, and answers that the server sends by itself."""

from libc.stdint cimport uint32_t, uint64_t
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport Buffer, Context, Query, Sync

cdef void track_query_begin(Context* ctx, Query* query) noexcept nogil
cdef void track_query_end(Context* ctx, Query* query) noexcept nogil
cdef void track_query_counter(Context* ctx, Query* query) noexcept nogil     # a timestamp, when all before it is done
# Whether the result is here, without waiting. `tell`: somebody polls, so the server is to look at it before long.
cdef bint track_query_look(Context* ctx, Query* query, bint tell) noexcept nogil
cdef bint track_query_wait(Context* ctx, Query* query) noexcept nogil        # False: there will be none
cdef void track_query_to_buffer(Context* ctx, Query* query, Buffer* buffer, uint64_t offset, uint32_t type, uint32_t pname) noexcept nogil
cdef void track_render_condition(Context* ctx, Query* query, uint32_t mode) noexcept nogil      # NULL: no longer
cdef bint track_timestamp(Context* ctx, uint64_t* now) noexcept nogil
cdef void track_delete_query(Context* ctx, Query* query) noexcept nogil

cdef void track_fence(Context* ctx, Sync* sync) noexcept nogil
cdef bint track_fence_look(Context* ctx, Sync* sync, bint tell) noexcept nogil     # as for queries
cdef int track_fence_wait(Context* ctx, Sync* sync, uint64_t timeout_ns) noexcept nogil     # 1 signalled, 0 timed out, -1 lost
cdef void track_fence_wait_server(Context* ctx, Sync* sync) noexcept nogil   # later records wait on the GPU
cdef void track_delete_fence(Session* session, Sync* sync) noexcept nogil
