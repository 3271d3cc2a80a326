/* The control page that both sides of a ring map. One page of words, one page of reply slots.
 *
 * Words are grouped by who writes them, each group on cache lines of its own: a line that both sides write travels
 * between their cores on every record (24 ns instead of 4). Touch them only through atomics.h.
 */
#ifndef MGPIPE_RING_PAGE_H
#define MGPIPE_RING_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CACHE_LINE _Alignas(64)
#define NOBODY UINT64_MAX

typedef struct ReplySlot {      /* one line: the server writes it, its client waits on it */
    uint64_t ordinal;           /* of the record that is answered; stored last */
    int32_t status;
    uint32_t size;
    uint64_t value[4];
    uint32_t parked;            /* the client sleeps on this word while it is 1 */
    uint32_t unused;
    uint64_t done;              /* bytes of the answer that are there already; the client begins it with 0 */
} ReplySlot;

enum { REPLY_SLOTS = 64 };

typedef struct ControlPage {
    /* producer */
    CACHE_LINE uint64_t head;   /* bytes ever published */
    uint32_t producer_cpu;      /* where it last ran: a hint, never trusted */
    /* consumer, per 16 KiB */
    CACHE_LINE uint64_t tail;   /* bytes ever consumed */
    uint32_t consumer_cpu;
    int32_t consumer_thread;    /* its kernel's number, for a producer that may place it; 0: not told */
    /* consumer, per batch; read by the producer's arena for every block it reuses */
    CACHE_LINE uint64_t applied;
    /* parked flags: set by the one who sleeps, cleared by the one who wakes it; 1 means asleep or about to be */
    CACHE_LINE uint32_t consumer_parked;
    CACHE_LINE uint32_t producer_parked;
    CACHE_LINE uint32_t applied_parked;
    uint64_t applied_wanted;    /* the lowest ordinal that a sleeper waits for, NOBODY: none; spares wakes on the way there */
    /* both, hardly ever */
    CACHE_LINE uint32_t stop;   /* nobody parks on this page any more */
    uint32_t nudges;            /* raised when the sleepers of this page should look at something else (a full event ring) */
    _Alignas(4096) ReplySlot replies[REPLY_SLOTS];
} ControlPage;

_Static_assert(sizeof(ReplySlot) == 64, "a reply slot is one cache line");
_Static_assert(sizeof(ControlPage) == 8192, "two pages");
_Static_assert(offsetof(ControlPage, head) == 0 && offsetof(ControlPage, tail) == 64 && offsetof(ControlPage, applied) == 128,
               "one line for each writer");

#endif
