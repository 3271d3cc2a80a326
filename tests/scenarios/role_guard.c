/* Memory that only one thread may touch. Every page of it is closed; the owner's accesses are let through one instruction
   at a time, any other thread's end the process: 97 from here, SIGSEGV where that thread blocks signals. x86-64. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { RANGES = 8, TRAP_FLAG = 0x100 };

static struct { uintptr_t low, high; } ranges[RANGES];
static int count;
static long owner;
static volatile long let_through;

static void set_access(int access)
{
    for (int i = 0; i < count; i++)
        mprotect((void *)ranges[i].low, ranges[i].high - ranges[i].low, access);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    static const char message[] = "role guard: a thread touched memory that is not its own\n";
    uintptr_t at = (uintptr_t)info->si_addr;
    for (int i = 0; i < count; i++)
        if (at >= ranges[i].low && at < ranges[i].high) {
            if (syscall(SYS_gettid) != owner) {
                (void)!write(2, message, sizeof message - 1);
                _exit(97);
            }
            let_through++;
            set_access(PROT_READ | PROT_WRITE);
            ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
            return;
        }
    signal(number, SIG_DFL);
}

static void on_step(int number, siginfo_t *info, void *context)
{
    set_access(PROT_NONE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* The whole pages within [at, at + size) belong to the calling thread. */
void guard_add(uintptr_t at, uintptr_t size)
{
    ranges[count].low = (at + 4095) & ~(uintptr_t)4095;
    ranges[count].high = (at + size) & ~(uintptr_t)4095;
    if (ranges[count].high > ranges[count].low)
        count++;
}

void guard_begin(void)
{
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    owner = syscall(SYS_gettid);
    sigaction(SIGSEGV, &fault, 0);
    sigaction(SIGTRAP, &step, 0);
    set_access(PROT_NONE);
}

long guard_end(void)
{
    set_access(PROT_READ | PROT_WRITE);
    return let_through;
}

int guard_count(void)
{
    return count;
}
