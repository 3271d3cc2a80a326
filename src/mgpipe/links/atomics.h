/* Ordering between two sides that share memory: C11 atomics on plain words, a pause, a futex, a small lock.
 *
 * The words are plain integers so that Cython can name them; whoever shares one touches it only through these functions.
 * They compile to the C11 operations of the same names (what ThreadSanitizer understands), not to volatile accesses:
 * a plain store is right on x86 by luck, wrong on ARM, and a compiler may move it.
 */
#ifndef MGPIPE_ATOMICS_H
#define MGPIPE_ATOMICS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1          /* sched_getcpu, syscall */
#endif
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t load_acquire(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline uint64_t load_relaxed(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void store_release(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
static inline void store_relaxed(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
static inline uint64_t exchange(uint64_t *word, uint64_t value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }

static inline uint32_t load_acquire32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline uint32_t load_relaxed32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void store_relaxed32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
static inline void store_ordered32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
static inline uint32_t exchange32(uint32_t *word, uint32_t value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }
static inline uint32_t add32(uint32_t *word, uint32_t value) { return __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL); }

static inline uint64_t set_bits(uint64_t *word, uint64_t bits) { return __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL); }
static inline uint64_t clear_bits(uint64_t *word, uint64_t bits) { return __atomic_fetch_and(word, ~bits, __ATOMIC_ACQ_REL); }
/* A statistic: exact for one writer, never torn for readers. */
static inline void count_up(uint64_t *word) { store_relaxed(word, load_relaxed(word) + 1); }

static inline void lower_to(uint64_t *word, uint64_t value)
{
    uint64_t seen = load_relaxed(word);
    while (value < seen && !__atomic_compare_exchange_n(word, &seen, value, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) { }
}

/* Parking is Dekker's protocol: I store my flag and then look at your word, you store your word and then look at my
 * flag. Only a sequentially consistent fence between store and look, on both sides, keeps both from missing the other. */
static inline void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static inline void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb" ::: "memory");      /* waits tens of ns; `yield` is a no-op on most cores */
#else
    __asm__ __volatile__("" ::: "memory");
#endif
}

static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint32_t current_cpu(void) { return (uint32_t)sched_getcpu(); }

/* Sleeps while *word == expected. 0: woken or changed meanwhile; ETIMEDOUT, EINTR. Not FUTEX_PRIVATE: the word may lie in
 * memory that another process maps. */
static inline int futex_wait(uint32_t *word, uint32_t expected, uint64_t timeout_ns)
{
    struct timespec timeout = { (time_t)(timeout_ns / 1000000000u), (long)(timeout_ns % 1000000000u) };
    if (syscall(SYS_futex, word, FUTEX_WAIT, expected, &timeout, NULL, 0) == 0 || errno == EAGAIN)
        return 0;
    return errno;
}

static inline void futex_wake_all(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0); }

/* Wakes whoever parked on `flag`. Nobody clears the flag but the waker: with two parkers on one word, one that cleared it
 * on its way out would hide the other. The price is at times a wake for nobody (0.3 us). */
static inline void wake_parked(uint32_t *flag)
{
    if (exchange32(flag, 0))
        futex_wake_all(flag);
}

/* A mutex for short sections between threads of one process: 0 free, 1 held, 2 held and somebody may sleep. */
static inline void lock_acquire(uint32_t *lock)
{
    uint32_t seen = 0;
    if (__atomic_compare_exchange_n(lock, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    for (int i = 0; i < 100; i++) {
        cpu_pause();
        seen = 0;
        if (load_relaxed32(lock) == 0 && __atomic_compare_exchange_n(lock, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
    }
    while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
        futex_wait(lock, 2, 1000000000u);
}

static inline void lock_release(uint32_t *lock)
{
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
        futex_wake_all(lock);
}

#endif
