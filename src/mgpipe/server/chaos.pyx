# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""See chaos.pxd."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.signal cimport SIGKILL, SIGSTOP, raise_

cdef extern from "<sys/socket.h>" nogil:
    int shutdown(int fd, int how)
    int SHUT_RDWR

cdef extern from "<poll.h>" nogil:
    int poll(void* descriptors, unsigned long count, int timeout_ms)

cdef enum:
    CORRUPT_ONE_IN = 1000
    END_MS = 5000


cdef uint64_t random_bits(Chaos* chaos) noexcept nogil:
    """xorshift64*, after Vigna: the same for the same seed everywhere."""
    chaos.corrupt ^= chaos.corrupt >> 12
    chaos.corrupt ^= chaos.corrupt << 25
    chaos.corrupt ^= chaos.corrupt >> 27
    return chaos.corrupt * <uint64_t>0x2545F4914F6CDD1D >> 32


cdef bint chaos_meddle(Chaos* chaos, uint64_t ordinal, uint8_t* record, uint32_t size) noexcept nogil:
    cdef uint64_t bit
    if ordinal == chaos.delay_at:
        poll(NULL, 0, <int>min(chaos.delay_ms, <uint64_t>0x7FFFFFFF))
    if ordinal == chaos.freeze_at:
        raise_(SIGSTOP)     # at this thread: it stops here, and the others with it
    if ordinal == chaos.kill_at:
        raise_(SIGKILL)
    if ordinal == chaos.drop_at:
        if chaos.data >= 0:
            shutdown(chaos.data, SHUT_RDWR)
        shutdown(chaos.control, SHUT_RDWR)
        poll(NULL, 0, END_MS)   # nothing more is applied: whoever watches the connection ends the process
    if chaos.corrupt != 0 and random_bits(chaos) % CORRUPT_ONE_IN == 0:
        bit = random_bits(chaos) % (<uint64_t>size * 8)
        record[bit >> 3] ^= <uint8_t>1 << (bit & 7)
    return ordinal == chaos.fail_at
