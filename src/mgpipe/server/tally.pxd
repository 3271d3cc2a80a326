"""What the server's side of a session counts, on a page that its supervisor reads, too."""

from libc.stdint cimport uint32_t, uint64_t
from pipe cimport PIPE_OP_COUNT
from mgpipe.links.pages cimport PageHead

cdef enum:
    TEXTS = 7
    TEXT_BYTES = 256

cdef struct ServerPage:
    PageHead head
    uint64_t applied                # the last record that the applier returned from
    uint64_t record_bytes, waits, parks
    uint64_t multi_draws            # that multi-draws were made of
    uint64_t upload_bytes, answer_bytes         # that records named, beside themselves
    uint64_t operations[PIPE_OP_COUNT + 1]      # records of each, by number
    uint32_t stage, seated
    uint32_t thread, pad0           # that applies
    char texts[TEXTS][TEXT_BYTES]

cdef class Tally:
    cdef ServerPage* page
    cdef readonly int descriptor    # by which others find it; -1: not in this process
