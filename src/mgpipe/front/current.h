/* What the gate in _gl.pyx and eglMakeCurrent agree on across threads, in C because Cython has no word for it. */
#pragma once
#include <stdint.h>
#include <unistd.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>

/* Keeps the compiler from moving the load of `gate` before the store of `inside`. The processor may still do that; the
   one who arms the gate then makes every thread pass a barrier (let_others_see). So a command pays two plain stores. */
static inline void compiler_barrier(void) { __asm__ __volatile__("" ::: "memory"); }

static inline void let_others_see(void)
{
    /* Registering again is free. Where a filter refuses membarrier, a fence of our own and the wait that follows must do:
       a store leaves any store buffer within microseconds. */
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0 ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        usleep(1000);
    }
}

static inline int is_set(const uint32_t *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0; }

static inline void pause_briefly(void)
{
    struct timespec slice = { 0, 20000 };
    nanosleep(&slice, 0);
}

/* The kernel's number of the calling thread. A thread that forked keeps its number's copy: hence the process's, too. */
static inline uint32_t thread_number(void)
{
    static __thread uint32_t number;
    static __thread pid_t process;
    if (process != getpid()) {
        process = getpid();
        number = (uint32_t)syscall(SYS_gettid);
    }
    return number;
}
