# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Server mirror: caches of constant state and the current context. See mirror.pxd."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from pipe cimport (PIPE_HANDLE_CONTEXT, PIPE_HANDLE_RENDER_STATE, PIPE_HANDLE_SAMPLER, PIPE_HANDLE_SHARE_GROUP,
                   PIPE_HANDLE_SURFACE, PIPE_HANDLE_VERTEX_ELEMENTS, pipe_PipelineState, pipe_SamplerState,
                   pipe_bind_context, pipe_create_context, pipe_create_share_group, pipe_create_surface,
                   pipe_VertexAttrib, pipe_VertexBinding, pipe_delete_render_state, pipe_delete_sampler_state,
                   pipe_delete_vertex_elements, pipe_handle)
from pipe_formats cimport (FORMAT_DEPTH24_STENCIL8, FORMAT_DEPTH_COMPONENT24, FORMAT_NONE, FORMAT_RGBA8,
                           FORMAT_SRGB8_ALPHA8)
from mgpipe.client.session cimport Session, handle_free, handle_new
from mgpipe.front.context cimport DIRTY_ALL, Context, ShareGroup, Surface
from mgpipe.tracker.verify cimport verify_begin

cdef void cache_init(StateCache* cache, uint32_t kind, uint32_t capacity, uint32_t size) noexcept nogil:
    cache.kind = kind
    cache.capacity = capacity
    cache.size = size
    cache.entries = <CachedState*>calloc(capacity, sizeof(CachedState))


cdef Mirror* mirror_new() noexcept nogil:
    cdef Mirror* mirror = <Mirror*>calloc(1, sizeof(Mirror))
    if mirror == NULL:
        return NULL
    cache_init(&mirror.render_states, PIPE_HANDLE_RENDER_STATE, RENDER_STATES, sizeof(pipe_PipelineState))
    cache_init(&mirror.samplers, PIPE_HANDLE_SAMPLER, SAMPLER_STATES, sizeof(pipe_SamplerState))
    cache_init(&mirror.vertex_elements, PIPE_HANDLE_VERTEX_ELEMENTS, VERTEX_ELEMENTS,
               32 * sizeof(pipe_VertexAttrib) + 32 * sizeof(pipe_VertexBinding))
    return mirror


cdef void cache_forget(StateCache* cache) noexcept nogil:
    cdef uint32_t i
    if cache.entries == NULL:
        return
    for i in range(cache.capacity):
        free(cache.entries[i].bytes)
    memset(cache.entries, 0, cache.capacity * sizeof(CachedState))
    cache.live = 0
    cache.evictions += 1                # whoever remembers a handle of this cache must look again


cdef void mirror_free(Mirror* mirror) noexcept nogil:
    if mirror == NULL:
        return
    cache_forget(&mirror.render_states)
    cache_forget(&mirror.samplers)
    cache_forget(&mirror.vertex_elements)
    free(mirror.render_states.entries)
    free(mirror.samplers.entries)
    free(mirror.vertex_elements.entries)
    free(mirror)


cdef uint64_t hash_bytes(const void* data, uint64_t size, uint64_t seed) noexcept nogil:
    """Multiply-and-fold over 8-byte words. Never 0, which means "nothing remembered"; sizes are multiples of 4."""
    cdef const uint8_t* p = <const uint8_t*>data
    cdef uint64_t h = seed ^ (size * <uint64_t>0x9E3779B97F4A7C15)
    cdef uint64_t word
    cdef uint64_t i = 0
    while i + 8 <= size:
        memcpy(&word, p + i, 8)
        h = (h ^ word) * <uint64_t>0xD6E8FEB86659FD93
        h ^= h >> 32
        i += 8
    if i < size:
        word = 0
        memcpy(&word, p + i, size - i)
        h = (h ^ word) * <uint64_t>0xD6E8FEB86659FD93
        h ^= h >> 32
    return h if h != 0 else 1


cdef inline CachedState* use(StateCache* cache, Mirror* mirror, CachedState* entry) noexcept nogil:
    cdef uint32_t at = <uint32_t>(entry - cache.entries)
    entry.used = mirror.tick
    if at != cache.recent[0]:
        cache.recent[1] = cache.recent[0]
        cache.recent[0] = at
    return entry


cdef CachedState* cache_lookup(StateCache* cache, Mirror* mirror, const void* content, uint32_t size, bint* found,
                               pipe_handle* evicted) noexcept nogil:
    cdef uint64_t hash
    cdef uint32_t i
    cdef CachedState* entry
    cdef CachedState* empty = NULL
    cdef CachedState* oldest = NULL
    mirror.tick += 1
    evicted.slot = 0
    evicted.gen = 0
    for i in range(2):
        entry = &cache.entries[cache.recent[i]]
        if entry.hash != 0 and memcmp(entry.bytes, content, size) == 0:
            found[0] = True
            return use(cache, mirror, entry)
    hash = hash_bytes(content, size, 0)
    for i in range(cache.capacity):
        entry = &cache.entries[i]
        if entry.hash == 0:
            # entries fill from the front and leave only all together or one for one: the first hole ends the search
            empty = entry
            break
        if entry.hash == hash and memcmp(entry.bytes, content, size) == 0:
            found[0] = True
            return use(cache, mirror, entry)
        if oldest == NULL or entry.used < oldest.used:
            oldest = entry
    found[0] = False
    if empty == NULL:
        empty = oldest
        evicted[0] = empty.handle
        cache.evictions += 1
    else:
        cache.live += 1
        empty.bytes = calloc(1, cache.size)     # zeroed: contents shorter than the entry compare equal beyond their end
    if empty.bytes == NULL:
        found[0] = True                         # out of memory: hand out an empty handle, the record will be refused
        empty.hash = 0
        return empty
    memset(empty.bytes, 0, cache.size)
    memcpy(empty.bytes, content, size)
    empty.hash = hash
    return use(cache, mirror, empty)


cdef void ensure_surface(Session* session, Surface* surface) noexcept nogil:
    cdef pipe_create_surface create
    if surface == NULL or surface.sent_epoch == session.mirror_epoch + 1:
        return
    surface.sent_epoch = session.mirror_epoch + 1
    if surface.handle.gen:              # the mirror was dropped, the surface and its pixels were not
        return
    surface.handle = handle_new(session, PIPE_HANDLE_SURFACE)
    create.surface = surface.handle
    create.width = surface.width
    create.height = surface.height
    create.color_format = FORMAT_SRGB8_ALPHA8 if surface.srgb else FORMAT_RGBA8
    create.depth_format = FORMAT_NONE
    if surface.stencil_size:
        create.depth_format = FORMAT_DEPTH24_STENCIL8
    elif surface.depth_size:
        create.depth_format = FORMAT_DEPTH_COMPONENT24
    create.samples = surface.samples
    create.srgb = surface.srgb
    session.screen.create_surface(session.self, &create)


cdef void enter_context(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef ShareGroup* group = ctx.group
    cdef Mirror* mirror = mirror_of(session)
    cdef pipe_create_share_group create_group
    cdef pipe_create_context create
    cdef pipe_bind_context bind
    cdef uint64_t epoch = session.mirror_epoch + 1      # sent_epoch 0 means never
    if mirror == NULL:
        mirror = mirror_new()
        session.mirror = mirror
        verify_begin(session)
    if group.sent_epoch != epoch and group.handle.gen == 0:
        group.handle = handle_new(session, PIPE_HANDLE_SHARE_GROUP)
        create_group.group = group.handle
        session.screen.create_share_group(session.self, &create_group)
    group.sent_epoch = epoch
    if ctx.sent_epoch != epoch and ctx.handle.gen == 0:
        ctx.handle = handle_new(session, PIPE_HANDLE_CONTEXT)
        create.context = ctx.handle
        create.group = group.handle
        create.flags = ctx.flags
        create.pad0 = 0
        session.screen.create_context(session.self, &create)
        mirror.current = NULL
    if ctx.sent_epoch != epoch or ctx.tracked.epoch != epoch:
        # Nothing is remembered: no handle equals a null one, no float equals this NaN pattern, no hash is 0.
        memset(&ctx.tracked, 0, sizeof(ctx.tracked))
        memset(&ctx.tracked.dynamic, 0xFF, sizeof(ctx.tracked.dynamic))
        ctx.tracked.epoch = epoch
        ctx.tracked.shader.slot = <uint32_t>-1              # null is a binding of its own
        ctx.dirty |= DIRTY_ALL
        ctx.sent_epoch = epoch
    ensure_surface(session, ctx.draw_surface)
    ensure_surface(session, ctx.read_surface)
    memset(&bind, 0, sizeof(bind))
    bind.context = ctx.handle
    if ctx.draw_surface != NULL:
        bind.draw = ctx.draw_surface.handle
    if ctx.read_surface != NULL:
        bind.read = ctx.read_surface.handle
    if (mirror.current == ctx and bind.draw.slot == mirror.current_draw.slot and bind.draw.gen == mirror.current_draw.gen
            and bind.read.slot == mirror.current_read.slot and bind.read.gen == mirror.current_read.gen):
        return
    session.screen.bind_context(session.self, &bind)
    mirror.current = ctx
    mirror.current_draw = bind.draw
    mirror.current_read = bind.read


cdef void cache_delete_all(Session* session, StateCache* cache) noexcept nogil:
    cdef uint32_t i
    cdef pipe_delete_render_state render_state
    cdef pipe_delete_sampler_state sampler
    cdef pipe_delete_vertex_elements elements
    for i in range(cache.capacity):
        if cache.entries[i].hash == 0:
            continue
        if cache.kind == PIPE_HANDLE_RENDER_STATE:
            render_state.cso = cache.entries[i].handle
            session.context.delete_render_state(session.self, &render_state)
        elif cache.kind == PIPE_HANDLE_SAMPLER:
            sampler.cso = cache.entries[i].handle
            session.context.delete_sampler_state(session.self, &sampler)
        else:
            elements.cso = cache.entries[i].handle
            session.context.delete_vertex_elements(session.self, &elements)
        handle_free(session, cache.kind, cache.entries[i].handle)
    cache_forget(cache)


cdef void mirror_forget(Session* session) noexcept nogil:
    """Forget what the server holds. It is still there: what the client can make again is deleted first, so that the
    next validation really rebuilds it; contents that only the GPU has stay with their handles."""
    cdef Mirror* mirror = mirror_of(session)
    if mirror == NULL:
        return
    cache_delete_all(session, &mirror.render_states)
    cache_delete_all(session, &mirror.samplers)
    cache_delete_all(session, &mirror.vertex_elements)
    mirror.current = NULL
    session.mirror_epoch += 1
