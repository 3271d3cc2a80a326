/* What a trace keeps of each thread, and the pieces of text that its file is made of. */
#pragma once
#include <stdint.h>
#include <string.h>

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

static inline char *put_text(char *at, const char *text)
{
    size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

static inline char *put_number(char *at, uint64_t value)
{
    char digits[20];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (n)
        *at++ = digits[--n];
    return at;
}

/* Nanoseconds as the format's microseconds: 1234567 → 1234.567. */
static inline char *put_time(char *at, uint64_t ns)
{
    at = put_number(at, ns / 1000);
    *at++ = '.';
    *at++ = (char)('0' + ns / 100 % 10);
    *at++ = (char)('0' + ns / 10 % 10);
    *at++ = (char)('0' + ns % 10);
    return at;
}

/* Between quotes; `room` for what comes out, the rest is left off. */
static inline char *put_escaped(char *at, const char *text, size_t room)
{
    static const char hex[] = "0123456789abcdef";
    for (char *end = at + room - 6; *text && at < end; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            *at++ = '\\';
            *at++ = (char)c;
        } else if (c < 0x20) {
            at = put_text(at, "\\u00");
            *at++ = hex[c >> 4];
            *at++ = hex[c & 15];
        } else {
            *at++ = (char)c;
        }
    }
    return at;
}
