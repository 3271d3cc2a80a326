/* The pieces of text that a trace is made of. */
#pragma once
#include <stdint.h>
#include <string.h>

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
