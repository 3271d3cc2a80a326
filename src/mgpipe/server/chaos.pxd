"""Failures on purpose, in a session that asked for them and a server that takes such wishes: catalogue/chaos.py."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct Chaos:
    uint32_t family             # of the fault, PIPE_FAULT_*
    uint64_t fail_at, delay_at, freeze_at, drop_at, kill_at     # ordinals; 0: never
    uint64_t delay_ms
    uint64_t corrupt            # state of the random numbers; 0: nothing is corrupted
    int control, data           # what is hung up; -1: not there

# Before a record is applied. What it may change is a private copy. True: it shall fail with `family`.
cdef bint chaos_meddle(Chaos* chaos, uint64_t ordinal, uint8_t* record, uint32_t size) noexcept nogil
