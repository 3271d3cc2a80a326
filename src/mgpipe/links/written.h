/* Which pages of a mapping were written: asynchronous write-protection by userfaultfd (Linux 6.7), asked for with
 * PAGEMAP_SCAN. A first write to a page costs a minor fault that the kernel resolves by itself: no signal, no handler,
 * and a write by the kernel (readinto) passes in the same way. All is declared here: the build needs no new headers. */
#ifndef MGPIPE_LINKS_WRITTEN_H
#define MGPIPE_LINKS_WRITTEN_H

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct written_api { uint64_t api, features, ioctls; };
struct written_register { uint64_t start, length, mode, ioctls; };
struct written_protect { uint64_t start, length, mode; };
struct written_run { uint64_t start, end, categories; };
struct written_scan {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

enum { WRITTEN_USER_MODE_ONLY = 1, WRITTEN_MODE_WP = 2, WRITTEN_PROTECT = 1 };

#define WRITTEN_FEATURE_WP_UNPOPULATED (1ull << 13)
#define WRITTEN_FEATURE_WP_ASYNC (1ull << 15)
#define WRITTEN_PAGE (1ull << 1)                                /* PAGE_IS_WRITTEN */
#define WRITTEN_SCAN_PROTECT (1ull << 0)                        /* what is reported */
#define WRITTEN_SCAN_TRACKED (1ull << 1)                        /* refuse what is not tracked */
#define WRITTEN_IOCTL_API _IOWR(0xAA, 0x3F, struct written_api)
#define WRITTEN_IOCTL_REGISTER _IOWR(0xAA, 0x00, struct written_register)
#define WRITTEN_IOCTL_PROTECT _IOWR(0xAA, 0x06, struct written_protect)
#define WRITTEN_IOCTL_SCAN _IOWR('f', 16, struct written_scan)

/* The userfaultfd of this process; -1: the kernel offers none that can do this. */
static inline int written_open(int *pagemap)
{
    struct written_api api = {0xAA, WRITTEN_FEATURE_WP_ASYNC | WRITTEN_FEATURE_WP_UNPOPULATED, 0};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | WRITTEN_USER_MODE_ONLY);
    if (fd < 0)
        return -1;
    *pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (*pagemap >= 0 && ioctl(fd, WRITTEN_IOCTL_API, &api) == 0)
        return fd;
    if (*pagemap >= 0)
        close(*pagemap);
    close(fd);
    return -1;
}

/* 0: these pages count as unwritten from now on. */
static inline int written_protect(int fd, void *base, uint64_t size)
{
    struct written_protect protect = {(uintptr_t)base, size, WRITTEN_PROTECT};
    return ioctl(fd, WRITTEN_IOCTL_PROTECT, &protect);
}

static inline int written_begin(int fd, void *base, uint64_t size)
{
    struct written_register range = {(uintptr_t)base, size, WRITTEN_MODE_WP, 0};
    return ioctl(fd, WRITTEN_IOCTL_REGISTER, &range) != 0 || written_protect(fd, base, size) != 0 ? -1 : 0;
}

/* Runs of pages written since they were last protected, at most `room`; *next: where to go on. -1: refused. */
static inline long written_take(int pagemap, uint64_t start, uint64_t end, struct written_run *runs, uint64_t room,
                                int protect, uint64_t *next)
{
    struct written_scan scan;
    long count;
    memset(&scan, 0, sizeof(scan));
    scan.size = sizeof(scan);
    scan.flags = WRITTEN_SCAN_TRACKED | (protect ? WRITTEN_SCAN_PROTECT : 0);
    scan.start = start;
    scan.end = end;
    scan.vec = (uintptr_t)runs;
    scan.vec_len = room;
    scan.category_mask = WRITTEN_PAGE;
    scan.return_mask = WRITTEN_PAGE;
    count = ioctl(pagemap, WRITTEN_IOCTL_SCAN, &scan);
    *next = scan.walk_end;
    return count;
}

#endif
