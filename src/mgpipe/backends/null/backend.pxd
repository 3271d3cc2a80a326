"""Null as the applier sees it."""

from libc.stdint cimport uint32_t
from pipe cimport BackEnd
from mgpipe.backends.host cimport Host

cdef void null_start(BackEnd* table, Host* host, uint32_t* item_sizes) noexcept nogil
