# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pages that `mgpipe top` and a supervisor read beside the one process that writes each.

A page is a memfd whose descriptor stays open in its process: /proc names it, and the kernel asks whoever opens it there for
the right to look into that process. It is sealed, so nobody else can write it or make it another size.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset
from posix.unistd cimport close, ftruncate
from pipe cimport PIPE_FINGERPRINT

from mgpipe.links.atomics cimport clock_ns

cdef extern from "atomics.h" nogil:     # for _GNU_SOURCE, before the system's headers
    pass
cdef extern from "<sys/mman.h>" nogil:
    void* mmap(void* address, size_t size, int protection, int flags, int fd, long offset)
    int munmap(void* address, size_t size)
    int memfd_create(const char* name, unsigned int flags)
    void* MAP_FAILED
    enum: PROT_READ, PROT_WRITE, MAP_SHARED, MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS, MFD_CLOEXEC, MFD_ALLOW_SEALING
cdef extern from * nogil:
    """
    #include <fcntl.h>
    #ifndef F_SEAL_FUTURE_WRITE
    #define F_SEAL_FUTURE_WRITE 0x10
    #endif
    """
    int fcntl(int fd, int command, ...)
    enum: F_ADD_SEALS, F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_FUTURE_WRITE


cdef uint8_t* page_new(const char* name, uint64_t struct_bytes, int* descriptor) noexcept nogil:
    cdef void* page = MAP_FAILED
    descriptor[0] = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)
    if descriptor[0] >= 0 and ftruncate(descriptor[0], PAGE_BYTES) == 0:
        page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor[0], 0)
    if page == MAP_FAILED:
        if descriptor[0] >= 0:
            close(descriptor[0])
            descriptor[0] = -1
        return page_private(struct_bytes)
    # This mapping stays writable; there will be no other.
    fcntl(descriptor[0], F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE)
    begin(<PageHead*>page, struct_bytes)
    return <uint8_t*>page


cdef uint8_t* page_private(uint64_t struct_bytes) noexcept nogil:
    cdef void* page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    if page == MAP_FAILED:
        return NULL
    begin(<PageHead*>page, struct_bytes)
    return <uint8_t*>page


cdef void begin(PageHead* head, uint64_t struct_bytes) noexcept nogil:
    head.size = struct_bytes
    memcpy(&head.build, <const char*>PIPE_FINGERPRINT, sizeof(head.build))
    head.since_ns = clock_ns()


cdef void page_withdraw(uint8_t* page) noexcept nogil:
    cdef uint8_t[PAGE_BYTES] content
    memcpy(content, page, PAGE_BYTES)
    if mmap(page, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED:
        memcpy(page, content, PAGE_BYTES)


cdef void page_free(uint8_t* page) noexcept nogil:
    if page != NULL:
        munmap(page, PAGE_BYTES)


cdef void page_say(char* at, uint64_t room, bytes text):
    cdef uint64_t size = min(<uint64_t>len(text), room - 1)
    memcpy(at, <const char*>text, size)
    memset(at + size, 0, room - size)


cdef str page_text(const char* at, uint64_t room):
    text = at[:room].split(b"\0", 1)[0].decode(errors="replace")
    return "".join([letter if letter.isprintable() else "?" for letter in text])


cdef bint page_is_known(const uint8_t* copy, uint64_t struct_bytes) noexcept nogil:
    cdef const PageHead* head = <const PageHead*>copy
    return head.size == struct_bytes and memcmp(&head.build, <const char*>PIPE_FINGERPRINT, sizeof(head.build)) == 0
