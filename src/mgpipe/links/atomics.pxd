"""What Cython sees of atomics.h. A word two sides share is touched through these functions only."""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "atomics.h" nogil:
    uint64_t load_acquire(const uint64_t* word)
    uint64_t load_relaxed(const uint64_t* word)
    void store_release(uint64_t* word, uint64_t value)
    void store_relaxed(uint64_t* word, uint64_t value)
    uint64_t exchange(uint64_t* word, uint64_t value)
    uint32_t load_acquire32(const uint32_t* word)
    uint32_t load_relaxed32(const uint32_t* word)
    void store_relaxed32(uint32_t* word, uint32_t value)
    void store_ordered32(uint32_t* word, uint32_t value)
    uint32_t exchange32(uint32_t* word, uint32_t value)
    uint32_t add32(uint32_t* word, uint32_t value)
    uint64_t set_bits(uint64_t* word, uint64_t bits)         # the word as it was before
    uint64_t clear_bits(uint64_t* word, uint64_t bits)
    void count_up(uint64_t* word)
    void lower_to(uint64_t* word, uint64_t value)
    void fence()
    void cpu_pause()
    uint64_t clock_ns()
    uint32_t current_cpu()
    int futex_wait(uint32_t* word, uint32_t expected, uint64_t timeout_ns)
    void futex_wake_all(uint32_t* word)
    void wake_parked(uint32_t* flag)
    void lock_acquire(uint32_t* lock)
    void lock_release(uint32_t* lock)
