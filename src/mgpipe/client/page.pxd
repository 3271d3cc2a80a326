"""What the client's side of a session counts, on a page of its own."""

from libc.stdint cimport uint32_t, uint64_t
from mgpipe.links.pages cimport PageHead

cdef enum:
    FRAME_RING = 64             # frames whose end is remembered: the most that may be in flight
    THREAD_SLOTS = 16           # threads that are told from the program's others

cdef struct Stats:                  # one writer at a time
    uint64_t frames, draws, verbs, records, record_bytes, staging_bytes, upload_bytes, uploads, answer_bytes
    uint64_t round_trips, reads, waits, parks, cso_hits, cso_mints, suppressed, client_copy_bytes
    uint64_t answer_parts       # copied to the program while the rest of an answer was read
    uint64_t present_waits      # swaps that waited for a credit
    uint64_t finishes           # waits of glFinish: the program asked for them, like reads; neither is a round trip

cdef struct ClientPage:
    PageHead head
    Stats stats
    uint64_t frame_ends[FRAME_RING]     # ordinal of the record that ended frame n, at n % FRAME_RING
    # what others count, as it was at the last flush, wait or end of a frame
    uint64_t applied, shadow_bytes, sent_bytes, received_bytes
    uint32_t topology, server_pid       # as the server names itself: of another machine, perhaps
    uint32_t frames_in_flight           # that the program may be ahead
    uint32_t lost                       # as Session.lost
    uint32_t threads[THREAD_SLOTS]      # that have a context current; 0: nobody
    char driver[16]
    char link[64]
    char renderer[256]
    char server[256]                    # its address, where the program named one

cdef ClientPage* client_page_new(int* descriptor) noexcept nogil    # see page_new
