/* Where the thread at the other end of a ring may run: not on the CPU of the one that keeps it busy.
 *
 * A kernel that wakes a thread next to its waker, or packs what runs on few CPUs, puts a consumer where its producer is, and
 * there the two take turns. Only the producer can prevent that: it takes its own CPU from the other's set before it wakes
 * it in the midst of work, and gives it back before it sleeps itself. Where other programs keep the rest of the CPUs busy
 * that is a loss, which shows as waits in which the consumer does not run: then it is left alone for a while.
 *
 * The producer at the other end of a stream may belong to somebody else. It says where it works, and the consumer places
 * itself: it asks the kernel how long it stood in line for a CPU.
 */
#ifndef MGPIPE_PLACEMENT_H
#define MGPIPE_PLACEMENT_H

#include "atomics.h"            /* before the system's headers */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LOST_NS = 300000,           /* of a wait, in which the consumer did not run: more than a wake and a sleep take */
    LOOK_NS = 1000000,          /* between two looks of a consumer that places itself at what it lost, … */
    LEAST_ALONE_NS = 100000000, /* … after a loss it stays out of it for so long, after loss upon loss for longer */
    MOST_ALONE_NS = 1600000000,
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

/* -- a consumer that places itself ------------------------------------------------------------------------------------ */

typedef struct OwnPlacement {
    Placement placement;
    int line;                   /* the kernel's account of this thread; -1: there is none, and a loss would not show */
    uint64_t stood_ns, ran_ns, looked_ns;
    uint64_t alone_ns, alone_until_ns;
} OwnPlacement;

/* By the consumer's thread. */
static inline void placement_own_begin(OwnPlacement *own)
{
    own->line = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (own->line >= 0)
        placement_begin(&own->placement, (int32_t)syscall(SYS_gettid), 0);
}

static inline void placement_own_end(OwnPlacement *own)
{
    if (own->line >= 0)
        close(own->line);
    own->line = -1;
}

/* How long this thread was ready to run and did not. */
static inline uint64_t placement_stood_ns(const OwnPlacement *own)
{
    unsigned long long ran = 0, stood = 0;
    char text[64];
    ssize_t size = pread(own->line, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = 0;
    sscanf(text, "%llu %llu", &ran, &stood);
    return stood;
}

static inline void placement_own_join(OwnPlacement *own)
{
    if (own->placement.apart) {
        own->placement.apart = 0;
        placement_give(&own->placement, &own->placement.allowed);
    }
}

/* The producer goes on working on this CPU. */
static inline void placement_own_part(OwnPlacement *own, uint32_t cpu)
{
    uint64_t now_ns = clock_ns();
    if (now_ns < own->alone_until_ns)
        return;
    if (!own->placement.apart) {
        own->stood_ns = placement_stood_ns(own);
        own->ran_ns = placement_ran_ns(&own->placement);
        own->looked_ns = now_ns;
    }
    placement_part(&own->placement, cpu);
}

/* Now and then: whoever stood in line for more than a quarter of the time that it had work had better run anywhere. */
static inline void placement_own_judge(OwnPlacement *own)
{
    uint64_t now_ns, stood_ns, ran_ns, lost_ns;
    if (!own->placement.apart || (now_ns = clock_ns()) - own->looked_ns < LOOK_NS)
        return;
    stood_ns = placement_stood_ns(own);
    ran_ns = placement_ran_ns(&own->placement);
    lost_ns = stood_ns - own->stood_ns;
    if (lost_ns > LOST_NS && 3 * lost_ns > ran_ns - own->ran_ns) {
        own->alone_ns = own->alone_ns * 2 < LEAST_ALONE_NS ? LEAST_ALONE_NS : own->alone_ns * 2;
        if (own->alone_ns > MOST_ALONE_NS)
            own->alone_ns = MOST_ALONE_NS;
        own->alone_until_ns = now_ns + own->alone_ns;
        placement_own_join(own);
    } else {
        own->alone_ns /= 2;
    }
    own->stood_ns = stood_ns;
    own->ran_ns = ran_ns;
    own->looked_ns = now_ns;
}

#endif
