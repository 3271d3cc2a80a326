/* libFuzzer, as a library that is loaded before AddressSanitizer's: that one has coverage hooks of its own, which do nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

/* Set by a target that changes its inputs in a way of its own, before libFuzzer starts. */
size_t (*fuzz_mutator)(uint8_t* data, size_t size, size_t most, unsigned int seed) = 0;

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned int seed)
{
    return fuzz_mutator ? fuzz_mutator(data, size, most, seed) : LLVMFuzzerMutate(data, size, most);
}

/* A driver is opened with RTLD_DEEPBIND, so that it finds its own libraries' symbols first. AddressSanitizer refuses that. */
void* dlopen(const char* path, int flags)
{
    void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
    return next(path, flags & ~RTLD_DEEPBIND);
}
