# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffers over the client's memory. See pins.pxd.

A hostile client changes these bytes while the driver reads them. That is as safe as any contents it could have uploaded where
a driver checks each offset that it takes from a buffer as it uses it, which llvmpipe does: indices are read once, into
the list of vertices that is then fetched within the bounds of their buffers (draws come without a range of indices to be
believed), indirect draws are copied before they are drawn, and shaders read and write within the size that was bound. The
memory itself stays mapped as long as the session, and its file cannot shrink.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from driver_gl cimport *
from pipe cimport PIPE_FAULT_DRIVER_ERROR
from mgpipe.backends.driver cimport DIALECT_GL, driver_has
from mgpipe.backends.espryt.contexts cimport borrow_context, enter_any_context, leave_any_context, return_context
from mgpipe.backends.espryt.espryt cimport *

cdef extern from *:
    """
    #ifndef _GNU_SOURCE
    #define _GNU_SOURCE
    #endif
    #include <sys/mman.h>
    #include <unistd.h>
    int memfd_create(const char* name, unsigned int flags);
    """
    int memfd_create(const char* name, unsigned int flags) nogil
    void* mmap(void* address, size_t size, int protection, int flags, int fd, int64_t offset) nogil
    int munmap(void* address, size_t size) nogil
    int ftruncate(int fd, int64_t size) nogil
    int close(int fd) nogil
    void* MAP_FAILED
    enum: PROT_READ, PROT_WRITE, MAP_SHARED, MFD_CLOEXEC

cdef enum:
    GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD = 0x9160
    PAGE = 4096
    # Let go of before a fence is made while records keep coming: each ends a scene of llvmpipe's. Half of what a client lets
    # wait (links/arena), so that it hardly ever waits.
    FENCED_BYTES = 2 << 20


cdef bint pins_work(Espryt* es) noexcept nogil:
    """Tried, not looked up: a driver may have the extension and refuse memory that a file backs."""
    if es.pins == 0:
        es.pins = PINS_WORK if try_pin(es) else PINS_FAIL
    return es.pins == PINS_WORK


cdef bint try_pin(Espryt* es) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLuint name = 0
    cdef uint8_t seen = 0
    cdef uint8_t* at
    cdef bint works
    cdef int fd
    if (not es.host.shares_memory or es.driver.dialect != DIALECT_GL or gl.FenceSync == NULL
            or not driver_has(&es.driver, b"GL_AMD_pinned_memory")):
        return False
    fd = memfd_create(b"mgpipe-pin", MFD_CLOEXEC)
    if fd < 0:
        return False
    at = <uint8_t*>MAP_FAILED
    if ftruncate(fd, PAGE) == 0:
        at = <uint8_t*>mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
    close(fd)
    if at == <uint8_t*>MAP_FAILED:
        return False
    gl.GenBuffers(1, &name)
    works = storage(gl, name, at, PAGE, GL_DYNAMIC_DRAW)
    if works:
        at[1] = 90
        gl.BindBuffer(GL_COPY_READ_BUFFER, name)
        gl.GetBufferSubData(GL_COPY_READ_BUFFER, 1, 1, &seen)
        works = seen == 90
    gl.DeleteBuffers(1, &name)
    gl.Finish()
    munmap(at, PAGE)
    return works


cdef bint storage(GL* gl, GLuint name, uint8_t* at, uint64_t size, GLenum usage) noexcept nogil:
    while gl.GetError() != GL_NO_ERROR:
        pass
    gl.BindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, name)
    gl.BufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, size, at, usage)
    gl.BindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0)
    return gl.GetError() == GL_NO_ERROR


cdef void pin_memory(Espryt* es, Resource* buffer, uint8_t* at, uint64_t size, uint32_t usage) noexcept nogil:
    cdef uint64_t before = buffer.pinned_bytes
    if not pins_work(es):
        es.host.unimplemented(es.host.self, b"pin_memory", b"memory that this driver and the client do not share")
    elif size == 0 or <uintptr_t>at & (PAGE - 1):
        es.host.unimplemented(es.host.self, b"pin_memory", b"memory that does not begin with a page")
    elif not storage(gl_of(es), buffer.name, at, size, usage if GL_STREAM_DRAW <= usage <= GL_DYNAMIC_COPY else GL_DYNAMIC_DRAW):
        es.host.fault(es.host.self, PIPE_FAULT_DRIVER_ERROR, b"pin_memory: the driver refused the memory")
    else:
        buffer.size = buffer.pinned_bytes = size
        buffer_changed(es, buffer)
        pin_let_go(es, before)


cdef void pin_let_go(Espryt* es, uint64_t size) noexcept nogil:
    if size == 0:
        return
    if es.host.ordinal == NULL:
        gl_of(es).Finish()
    elif es.bound == NULL or es.contexts.next != NULL:
        finish_all(es)
        pins_finished(es)
    else:
        if es.loose_from == 0:
            es.loose_from = es.host.ordinal[0]
        es.loose_bytes += size
        look(es, es.loose_bytes >= FENCED_BYTES)


cdef void finish_all(Espryt* es) noexcept nogil:
    """Every native context, since each may have been asked to read the memory."""
    cdef Context* ctx = es.contexts
    cdef bint borrowed
    if ctx == NULL:
        borrowed = enter_any_context(es)
        gl_of(es).Finish()
        leave_any_context(es, borrowed)
        return
    while ctx != NULL:
        borrow_context(es, ctx.native)
        gl_of(es).Finish()
        ctx = ctx.next
    return_context(es)


cdef bint look(Espryt* es, bint fence_now) noexcept nogil:
    """One fence at a time; what is let go of meanwhile waits for the next."""
    cdef GLenum state
    if es.pin_fence != NULL:
        state = gl_of(es).ClientWaitSync(es.pin_fence, 0, 0)
        if state == GL_ALREADY_SIGNALED or state == GL_CONDITION_SATISFIED:
            gl_of(es).DeleteSync(es.pin_fence)
            es.pin_fence = NULL
            es.held = 0
    if es.pin_fence == NULL and es.loose_from:
        es.held = es.loose_from
        if fence_now:
            es.loose_from = es.loose_bytes = es.loose_seen = 0
            es.pin_fence = gl_of(es).FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
            gl_of(es).Flush()
            if es.pin_fence == NULL:            # out of memory
                gl_of(es).Finish()
                es.held = 0
    return es.held != 0


cdef bint pins_poll(Espryt* es) noexcept nogil:
    """What came just now may be followed by more of it: it gets its fence when it is seen a second time."""
    cdef bint held
    if es.held == 0:
        return False
    held = look(es, es.loose_seen)
    es.loose_seen = es.loose_from != 0
    return held


cdef void pins_settle(Espryt* es, uint64_t timeout_ns) noexcept nogil:
    if look(es, True) and es.pin_fence != NULL:
        gl_of(es).ClientWaitSync(es.pin_fence, GL_SYNC_FLUSH_COMMANDS_BIT, timeout_ns)
        look(es, True)


cdef void pins_finished(Espryt* es) noexcept nogil:
    if es.pin_fence != NULL:
        gl_of(es).DeleteSync(es.pin_fence)
        es.pin_fence = NULL
    es.held = es.loose_from = es.loose_bytes = es.loose_seen = 0
