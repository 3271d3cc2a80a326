/* Where the thread at the other end of a ring may run: not on the CPU of the one that keeps it busy.
 *
 * A kernel that wakes a thread next to its waker, or packs what runs on few CPUs, puts a consumer where its producer is, and
 * there the two take turns. Only the producer can prevent that: it takes its own CPU from the other's set before it wakes
 * it in the midst of work, and gives it back before it sleeps itself. Where other programs keep the rest of the CPUs busy
 * that is a loss, which shows as waits in which the consumer does not run: then it is left alone for a while.
 */
#ifndef MGPIPE_PLACEMENT_H
#define MGPIPE_PLACEMENT_H

#include "atomics.h"            /* before the system's headers */
#include <sched.h>
#include <stdint.h>
#include <time.h>

enum {
    LOST_NS = 300000,           /* of a wait, in which the consumer did not run: more than a wake and a sleep take */
    MOST_SKIPPED = 1023         /* wakes that it is left alone for at most, after loss upon loss */
};

typedef struct Placement {
    int32_t thread;             /* 0: nobody whom we may place */
    clockid_t clock;            /* CPU time of its process, or its own */
    uint32_t apart;             /* its set is less one CPU now */
    uint32_t skip, skipped;     /* so many wakes are left alone still; so many were the last time */
    cpu_set_t allowed, given;   /* where it could run before, and what we have made of that */
} Placement;

typedef struct PlacedWait {     /* of one thread of the producer's, for the consumer */
    uint64_t since_ns;          /* 0: the consumer's place has nothing to do with it */
    uint64_t ran_ns;            /* the consumer's CPU time then */
} PlacedWait;

/* `process`: that of the thread, 0: our own. */
static inline void placement_begin(Placement *placement, int32_t thread, int32_t process)
{
    if (thread > 0 && sched_getaffinity(thread, sizeof(cpu_set_t), &placement->allowed) == 0 && CPU_COUNT(&placement->allowed) > 1) {
        placement->given = placement->allowed;
        placement->thread = thread;
        /* As the kernel encodes them: clock_getcpuclockid, and the same of a thread of ours. */
        placement->clock = process ? ~process * 8 | 2 : ~thread * 8 | 6;
    }
}

static inline uint64_t placement_ran_ns(const Placement *placement)
{
    struct timespec ran = { 0, 0 };
    clock_gettime(placement->clock, &ran);
    return (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
}

static inline void placement_give(Placement *placement, const cpu_set_t *set)
{
    if (sched_setaffinity(placement->thread, sizeof(cpu_set_t), set) != 0)
        placement->thread = 0;
    placement->given = *set;
}

/* The consumer is about to be woken by a thread on this CPU that goes on working. */
static inline void placement_part(Placement *placement, uint32_t cpu)
{
    cpu_set_t set;
    if (placement->thread == 0 || cpu >= CPU_SETSIZE)
        return;
    if (load_relaxed32(&placement->skip) != 0) {
        store_relaxed32(&placement->skip, placement->skip - 1);
        return;
    }
    if (sched_getaffinity(placement->thread, sizeof(set), &set) != 0) {
        placement->thread = 0;
        return;
    }
    if (!CPU_EQUAL(&set, &placement->given))        /* somebody has a wish of their own */
        placement->allowed = placement->given = set;
    set = placement->allowed;
    CPU_CLR(cpu, &set);
    if (CPU_COUNT(&set) == 0)
        return;
    store_relaxed32(&placement->apart, 1);
    if (!CPU_EQUAL(&set, &placement->given))
        placement_give(placement, &set);
}

/* The producer is about to sleep until the consumer is done: its CPU is free. Several threads may sleep; one gives it back. */
static inline PlacedWait placement_join(Placement *placement)
{
    PlacedWait wait = { 0, 0 };
    if (placement->thread != 0 && load_relaxed32(&placement->apart) != 0 && exchange32(&placement->apart, 0) != 0) {
        placement_give(placement, &placement->allowed);
        wait.since_ns = clock_ns();
        wait.ran_ns = placement_ran_ns(placement);
    }
    return wait;
}

/* It has slept. */
static inline void placement_judge(Placement *placement, PlacedWait wait)
{
    uint32_t skipped = 0;
    if (wait.since_ns == 0)
        return;
    if (clock_ns() - wait.since_ns > placement_ran_ns(placement) - wait.ran_ns + LOST_NS)
        skipped = placement->skipped < MOST_SKIPPED ? placement->skipped * 2 + 1 : MOST_SKIPPED;
    placement->skipped = skipped;
    store_relaxed32(&placement->skip, skipped);
}

#endif
