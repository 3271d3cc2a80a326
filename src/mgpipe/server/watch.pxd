"""Verify mode, server side: a table in front of a back end that notes what records say, and compares it with snapshots."""

from libc.stdint cimport uint64_t
from pipe cimport BackEnd, pipe_verify_snapshot
from mgpipe.backends.host cimport Host

cdef struct Watch                       # opaque: see watch.pyx

# Replaces `table` by one that watches and hands everything on. NULL: out of memory, nothing is replaced.
cdef Watch* watch_begin(BackEnd* table, Host* host) noexcept nogil
cdef const char* watch_verb(Watch* watch) noexcept nogil                # that runs
cdef void watch_withhold(Watch* watch, uint64_t sections) noexcept nogil     # for tests: supply no verb with these
cdef void watch_end(Watch* watch, BackEnd* table) noexcept nogil        # the table is as it was
