/* What a trace keeps of each thread. */
#pragma once
#include <stdint.h>

enum { TRACE_DEPTH = 8 };           /* calls within calls: a finaliser that runs in one */

typedef struct TraceThread {
    uint64_t serial;                /* of the trace that `buffer` belongs to */
    void *buffer;
    uint64_t noted;                 /* records and waits of this thread so far */
    uint64_t emit_began, emit_ordinal, emit_bytes;
    uint64_t wait_began, wait_parked;
    uint32_t wait_depth, wait_why, wait_line;
    uint32_t why;                   /* why the next wait for what is applied will be */
    uint32_t depth;
    uint32_t call[TRACE_DEPTH];
    uint64_t call_began[TRACE_DEPTH], call_noted[TRACE_DEPTH];
} TraceThread;

static __thread TraceThread trace_thread;
static inline TraceThread *this_thread(void) { return &trace_thread; }
