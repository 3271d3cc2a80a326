# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sync objects, of the share group (specification 4.1). Making one and polling it never wait: see tracker/queries.pyx."""

from libc.stdint cimport uint32_t, uintptr_t
from libc.stdlib cimport calloc, free

from glenum cimport *
from mgpipe.front.context cimport (Context, GLbitfield, GLboolean, GLenum, GLint, GLsizei, GLuint64, Sync, name_generate,
                                   name_get, name_put, name_remove, set_error)
from mgpipe.front.mappings cimport mappings_fetch
from mgpipe.tracker.queries cimport (track_delete_fence, track_fence, track_fence_look, track_fence_wait,
                                     track_fence_wait_server)


cdef Sync* sync_of(Context* ctx, void* sync) noexcept nogil:
    """NULL: no sync object of this share group; the error is set."""
    cdef Sync* found = NULL
    if <uintptr_t>sync < ctx.group.syncs.capacity:
        found = <Sync*>name_get(&ctx.group.syncs, <uint32_t><uintptr_t>sync)
    if found == NULL:
        set_error(ctx, GL_INVALID_VALUE)
    return found


cdef void* FenceSync(Context* ctx, GLenum condition, GLbitfield flags) noexcept nogil:
    cdef Sync* sync
    cdef uint32_t name
    if condition != GL_SYNC_GPU_COMMANDS_COMPLETE:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    if flags != 0:
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    sync = <Sync*>calloc(1, sizeof(Sync))
    name = name_generate(&ctx.group.syncs)
    if sync == NULL or name == 0:
        free(sync)
        name_remove(&ctx.group.syncs, name)
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    sync.refs = 1
    name_put(&ctx.group.syncs, name, sync)
    track_fence(ctx, sync)
    return <void*><uintptr_t>name


cdef void DeleteSync(Context* ctx, void* sync) noexcept nogil:
    cdef Sync* found
    if sync == NULL:
        return
    found = sync_of(ctx, sync)
    if found != NULL:
        name_remove(&ctx.group.syncs, <uint32_t><uintptr_t>sync)
        track_delete_fence(ctx.session, found)
        free(found)


cdef GLboolean IsSync(Context* ctx, void* sync) noexcept nogil:
    return (<uintptr_t>sync < ctx.group.syncs.capacity
            and name_get(&ctx.group.syncs, <uint32_t><uintptr_t>sync) != NULL)


cdef GLenum ClientWaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    cdef int outcome
    if found == NULL:
        return GL_WAIT_FAILED
    if flags & ~<GLbitfield>GL_SYNC_FLUSH_COMMANDS_BIT:
        set_error(ctx, GL_INVALID_VALUE)
        return GL_WAIT_FAILED
    if track_fence_look(ctx, found, True):
        mappings_fetch(ctx)
        return GL_ALREADY_SIGNALED
    if timeout == 0:
        return GL_TIMEOUT_EXPIRED
    outcome = track_fence_wait(ctx, found, timeout)
    if outcome < 0:
        return GL_WAIT_FAILED
    if outcome:
        mappings_fetch(ctx)
    return GL_CONDITION_SATISFIED if outcome else GL_TIMEOUT_EXPIRED


cdef void WaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    if found == NULL:
        return
    if flags != 0 or timeout != <GLuint64>-1:       # GL_TIMEOUT_IGNORED
        set_error(ctx, GL_INVALID_VALUE)
        return
    track_fence_wait_server(ctx, found)


cdef void GetSynciv(Context* ctx, void* sync, GLenum pname, GLsizei count, GLsizei* length, GLint* values) noexcept nogil:
    cdef Sync* found = sync_of(ctx, sync)
    cdef GLint value
    if found == NULL:
        return
    if pname == GL_OBJECT_TYPE:
        value = GL_SYNC_FENCE
    elif pname == GL_SYNC_STATUS:
        value = GL_SIGNALED if track_fence_look(ctx, found, True) else GL_UNSIGNALED
        if value == <GLint>GL_SIGNALED:
            mappings_fetch(ctx)
    elif pname == GL_SYNC_CONDITION:
        value = GL_SYNC_GPU_COMMANDS_COMPLETE
    elif pname == GL_SYNC_FLAGS:
        value = 0
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if count > 0:
        values[0] = value
    if length != NULL:
        length[0] = 1 if count > 0 else 0
