# The session lock. Only one thread at a time validates and emits.
#
# Nearly every program has one GL thread, so until a second one makes a context of the session current the lock costs two
# plain stores. The second thread arms it: it makes the mutex visible, makes the first thread pass a memory barrier
# (membarrier, so that the first needs none of its own) and waits until that thread is outside. Once armed, always armed.

cdef extern from "<linux/membarrier.h>" nogil:
    enum: MEMBARRIER_CMD_PRIVATE_EXPEDITED, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED

cdef extern from "<sys/syscall.h>" nogil:
    long SYS_membarrier, SYS_gettid

cdef extern from "<unistd.h>" nogil:
    long syscall(long number, ...)

cdef extern from * nogil:
    """
    static __thread uint32_t mgpipe_thread_id;
    static inline void compiler_barrier(void) { __asm__ __volatile__("" ::: "memory"); }
    static inline void store_release32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
    static inline int try_lock(uint32_t *lock)
    {
        uint32_t free = 0;
        return __atomic_compare_exchange_n(lock, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    }
    """
    uint32_t mgpipe_thread_id
    void compiler_barrier()
    void store_release32(uint32_t* word, uint32_t value)
    bint try_lock(uint32_t* lock)


cdef enum:
    LOCK_SLICE_NS = 100000000


cdef uint32_t thread_id() noexcept nogil:
    global mgpipe_thread_id
    if mgpipe_thread_id == 0:
        mgpipe_thread_id = <uint32_t>syscall(SYS_gettid)
    return mgpipe_thread_id


cdef bint can_bias() noexcept nogil:
    """Seccomp filters may refuse membarrier; then the lock is armed from the start."""
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0


cdef void arm_lock(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    cdef void* gil
    cdef uint32_t never = 0
    session.lock = &link.mutex
    if syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0:
        fence()
    gil = gil_let_go()
    while load_acquire32(&link.bias_depth) != 0:
        futex_wait(&never, 0, 50000)        # a verb takes microseconds, and this happens once in a session
    gil_take_back(gil)
    if session.shadow != NULL:
        arena_set_threaded(session.shadow)


cdef void show_thread(Session* session, uint32_t before, uint32_t after) noexcept nogil:
    """On the page, in a slot that held `before`: for those who look at who draws."""
    cdef Link* link = <Link*>session.link
    cdef uint32_t i
    lock_acquire(&link.threads_lock)
    for i in range(THREAD_SLOTS):
        if link.page.threads[i] == before:
            link.page.threads[i] = after
            break
    lock_release(&link.threads_lock)


cdef void thread_attached(Session* session) noexcept nogil:
    show_thread(session, 0, thread_id())
    if add32(&session.threads, 1) == 2 and session.lock == NULL:
        arm_lock(session)


cdef void thread_detached(Session* session) noexcept nogil:
    show_thread(session, thread_id(), 0)
    add32(&session.threads, <uint32_t>-1)


cdef void lock_enter(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    if session.lock == NULL:
        link.bias_depth += 1
        compiler_barrier()
        if session.lock == NULL:
            return
        store_release32(&link.bias_depth, link.bias_depth - 1)     # armed in between
    lock_armed(session)


cdef void lock_armed(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    cdef void* gil
    cdef bint told = False
    if link.mutex_owner == thread_id():
        link.mutex_depth += 1
        return
    while not try_lock(&link.mutex):
        if session.trace != NULL and not told:
            told = True
            trace_wait_begins(session, TRACE_WAIT_LOCK)
        # The holder may be waiting for the GIL that we hold. And we must not wait for the GIL once we hold the lock:
        # so sleep until it is free, take the GIL back, and only then try again.
        gil = gil_let_go()
        wait_for_lock(session)
        if gil == NULL:
            break
        lock_release(&link.mutex)
        gil_take_back(gil)
    link.mutex_owner = thread_id()
    link.mutex_depth = 1
    if told:
        trace_wait_ends(session)


cdef void wait_for_lock(Session* session) noexcept nogil:
    """The holder may itself wait for a server that is frozen: Ctrl-C must reach it through us."""
    cdef Link* link = <Link*>session.link
    while exchange32(&link.mutex, 2) != 0:
        if futex_wait(&link.mutex, 2, LOCK_SLICE_NS) != 0:
            client_alive(session)


cdef void lock_leave(Session* session) noexcept nogil:
    cdef Link* link = <Link*>session.link
    if link.bias_depth != 0:                # only the thread that entered unarmed ever sees this: see arm_lock
        store_release32(&link.bias_depth, link.bias_depth - 1)
        return
    if link.mutex_owner != thread_id():
        return
    link.mutex_depth -= 1
    if link.mutex_depth == 0:
        link.mutex_owner = 0
        lock_release(&link.mutex)


cdef uint32_t lock_suspend(Session* session) noexcept nogil:
    """Leave wholly while an answer is awaited; returns how often to enter again."""
    cdef Link* link = <Link*>session.link
    cdef uint32_t depth = 0
    if link.bias_depth != 0:
        depth = link.bias_depth
        store_release32(&link.bias_depth, 0)
    if session.lock != NULL and link.mutex_owner == thread_id():
        depth += link.mutex_depth
        link.mutex_owner = link.mutex_depth = 0
        lock_release(&link.mutex)
    return depth


cdef void lock_resume(Session* session, uint32_t depth) noexcept nogil:
    cdef uint32_t i
    for i in range(depth):
        lock_enter(session)
