# Sync objects of EGL 1.5 (3.8) and of EGL_KHR_fence_sync, EGL_KHR_wait_sync: fences behind OpenGL commands. Included by egl.pyx.

cdef struct EglSync:
    Session* session
    Context* maker                      # for a wait in a thread without a context, while it lives
    Sync fence

syncs: set = set()                      # addresses of live EglSyncs


cdef EglSync* valid_sync(void* dpy, void* sync) noexcept:
    """Sets the error."""
    if ready(dpy) == NULL:
        return NULL
    if <uintptr_t>sync not in syncs:
        fail(EGL_BAD_PARAMETER)
        return NULL
    ok()
    return <EglSync*>sync


cdef Context* speaker(EglSync* sync) noexcept:
    """A context of the sync's session whose commands may be sent from this thread. NULL: there is none any more."""
    cdef Context* ctx = thread_context()
    if ctx != NULL and ctx.session == sync.session:
        return ctx
    return sync.maker if <uintptr_t>sync.maker in contexts else NULL


cdef void* new_sync(void* dpy, unsigned int type, bint has_attributes) noexcept:
    cdef Context* ctx = thread_context()
    cdef EglSync* sync
    if ready(dpy) == NULL:
        return NULL
    if type != EGL_SYNC_FENCE:
        fail(EGL_BAD_PARAMETER)
        return NULL
    if has_attributes:
        fail(EGL_BAD_ATTRIBUTE)
        return NULL
    if ctx == NULL or egl_thread().display != dpy:
        fail(EGL_BAD_MATCH)
        return NULL
    sync = <EglSync*>calloc(1, sizeof(EglSync))
    if sync == NULL:
        fail(EGL_BAD_ALLOC)
        return NULL
    sync.session = ctx.session
    sync.maker = ctx
    lock_enter(ctx.session)
    if not ctx.session.lost:
        track_fence(ctx, &sync.fence)
    lock_leave(ctx.session)
    syncs.add(<uintptr_t>sync)
    keepers[<uintptr_t>sync] = keepers[<uintptr_t>ctx]
    ok()
    return sync


cdef void* CreateSync(void* dpy, unsigned int type, const Py_ssize_t* attrib_list) noexcept with gil:
    return new_sync(dpy, type, attrib_list != NULL and attrib_list[0] != EGL_NONE)


cdef void* CreateSyncKHR(void* dpy, unsigned int type, const int* attrib_list) noexcept with gil:
    return new_sync(dpy, type, attrib_list != NULL and attrib_list[0] != EGL_NONE)


cdef unsigned int DestroySync(void* dpy, void* sync) noexcept with gil:
    cdef EglSync* found = valid_sync(dpy, sync)
    if found == NULL:
        return EGL_FALSE
    syncs.discard(<uintptr_t>found)
    if is_ours(found.session):
        lock_enter(found.session)
        track_delete_fence(found.session, &found.fence)
        lock_leave(found.session)
    keepers.pop(<uintptr_t>found, None)
    free(found)
    return ok()


cdef unsigned int DestroySyncKHR(void* dpy, void* sync) noexcept with gil:
    return DestroySync(dpy, sync)


cdef int ClientWaitSync(void* dpy, void* sync, int flags, uint64_t timeout) noexcept with gil:
    cdef EglSync* found = valid_sync(dpy, sync)
    cdef Context* ctx
    cdef int outcome = 0
    if found == NULL:
        return EGL_FALSE
    ctx = speaker(found)
    if found.session.lost or (ctx == NULL and not found.fence.signalled):
        return <int>fail(EGL_CONTEXT_LOST)
    if not found.fence.signalled:
        lock_enter(found.session)
        if timeout == 0:
            outcome = track_fence_look(ctx, &found.fence, True)
        else:
            outcome = track_fence_wait(ctx, &found.fence, timeout)
        lock_leave(found.session)
        if outcome < 0:
            return <int>fail(EGL_CONTEXT_LOST)
        if outcome == 0:
            return EGL_TIMEOUT_EXPIRED
    if thread_context() != NULL:
        mappings_fetch(thread_context())
    return EGL_CONDITION_SATISFIED


cdef int ClientWaitSyncKHR(void* dpy, void* sync, int flags, uint64_t timeout) noexcept with gil:
    return ClientWaitSync(dpy, sync, flags, timeout)


cdef unsigned int WaitSync(void* dpy, void* sync, int flags) noexcept with gil:
    cdef EglSync* found = valid_sync(dpy, sync)
    cdef Context* ctx = thread_context()
    if found == NULL:
        return EGL_FALSE
    if ctx == NULL:
        return fail(EGL_BAD_MATCH)
    if flags != 0:
        return fail(EGL_BAD_PARAMETER)
    if ctx.session == found.session and not ctx.session.lost:
        lock_enter(ctx.session)
        track_fence_wait_server(ctx, &found.fence)
        lock_leave(ctx.session)
    return ok()


cdef int WaitSyncKHR(void* dpy, void* sync, int flags) noexcept with gil:
    return <int>WaitSync(dpy, sync, flags)


cdef unsigned int sync_attribute(void* dpy, void* sync, int attribute, Py_ssize_t* value) noexcept:
    cdef EglSync* found = valid_sync(dpy, sync)
    cdef Context* ctx
    if found == NULL:
        return EGL_FALSE
    if value == NULL:
        return fail(EGL_BAD_PARAMETER)
    if attribute == EGL_SYNC_TYPE:
        value[0] = EGL_SYNC_FENCE
    elif attribute == EGL_SYNC_CONDITION:
        value[0] = EGL_SYNC_PRIOR_COMMANDS_COMPLETE
    elif attribute == EGL_SYNC_STATUS:
        ctx = speaker(found)
        if ctx != NULL and not found.session.lost:
            lock_enter(found.session)
            track_fence_look(ctx, &found.fence, True)
            lock_leave(found.session)
        value[0] = EGL_SIGNALED if found.fence.signalled else EGL_UNSIGNALED
    else:
        return fail(EGL_BAD_ATTRIBUTE)
    return ok()


cdef unsigned int GetSyncAttrib(void* dpy, void* sync, int attribute, Py_ssize_t* value) noexcept with gil:
    return sync_attribute(dpy, sync, attribute, value)


cdef unsigned int GetSyncAttribKHR(void* dpy, void* sync, int attribute, int* value) noexcept with gil:
    cdef Py_ssize_t wide = 0
    cdef unsigned int done = sync_attribute(dpy, sync, attribute, &wide if value != NULL else NULL)
    if done:
        value[0] = <int>wide
    return done
