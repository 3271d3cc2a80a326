# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Value state and bindings. See state.pxd.

Each function compares what the context holds now with what its records said last (`ctx.tracked`) and sends the
difference. They may be called when nothing changed: then nothing is sent, and `suppressed` counts it.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from pipe cimport (PIPE_BUFFER_CLASS_UNIFORM, PIPE_FRAMEBUFFER_TARGET_DRAW, PIPE_FRAMEBUFFER_TARGET_READ,
                   PIPE_HANDLE_FRAMEBUFFER, PIPE_HANDLE_RENDER_STATE, PIPE_HANDLE_SAMPLER, pipe_Attachment, pipe_AttribValue, pipe_BoundSampler, pipe_BoundView,
                   pipe_BufferRange, pipe_DynamicChunk, pipe_DynamicState, pipe_PipelineState, pipe_SamplerState,
                   pipe_bind_compute_state, pipe_bind_render_state, pipe_bind_sampler_states, pipe_bind_shader_state,
                   pipe_create_render_state, pipe_create_sampler_state, pipe_delete_render_state,
                   pipe_delete_sampler_state, pipe_framebuffer_destroy, pipe_handle, pipe_set_dynamic_state, pipe_set_framebuffer_state,
                   pipe_set_sampler_views, pipe_set_shader_buffers, pipe_set_vertex_attrib_defaults)
from mgpipe.client.session cimport Session, handle_free, handle_new
from mgpipe.front.context cimport (ATTRIBS, COLOR_ATTACHMENTS, LEVELS, OWNER_GPU, TEXTURE_UNITS, UNIFORM_BINDINGS,
                                   Buffer, Context, Framebuffer, FramebufferAttachment, IndexedBuffer, Level, Program,
                                   ProgramSlot, Renderbuffer, Sampler, Surface, Texture, TextureUnit, framebuffer_empty)
from mgpipe.tracker.mirror cimport CachedState, Mirror, cache_lookup, hash_bytes, mirror_of, same_handle, was_sent
from mgpipe.tracker.resources cimport (ensure_buffer, ensure_program, ensure_renderbuffer, ensure_texture,
                                       send_constants, slot_target)
from mgpipe.tracker.storage cimport fill_range

cdef enum:
    GL_TEXTURE = 0x1702
    GL_RENDERBUFFER = 0x8D41
    GL_COLOR_ATTACHMENT0 = 0x8CE0
    FIRST_BLOCK_SLOT = 6            # slots 0 to 5 hold the stages' loose uniforms
    MAX_SLOTS = 192
    MAX_BLOCKS = 90


# -------------------------------------------------------------------------------------------------- render state

cdef void send_pipeline(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Mirror* mirror = mirror_of(session)
    cdef pipe_create_render_state create
    cdef pipe_bind_render_state bind
    cdef pipe_delete_render_state dead
    cdef bint found = False
    cdef CachedState* entry = cache_lookup(&mirror.render_states, mirror, &ctx.pipeline, sizeof(pipe_PipelineState),
                                           &found, &dead.cso)
    if dead.cso.gen:
        session.context.delete_render_state(session.self, &dead)
        handle_free(session, PIPE_HANDLE_RENDER_STATE, dead.cso)
    if not found:
        entry.handle = handle_new(session, PIPE_HANDLE_RENDER_STATE)
        create.cso = entry.handle
        create.state = ctx.pipeline
        session.context.create_render_state(session.self, &create)
        session.stats.cso_mints += 1
    else:
        session.stats.cso_hits += 1
    if same_handle(entry.handle, ctx.tracked.pipeline):
        session.stats.suppressed += 1
        return
    bind.cso = entry.handle
    session.context.bind_render_state(session.self, &bind)
    ctx.tracked.pipeline = entry.handle


cdef struct Span:
    uint32_t offset, size


cdef inline void add_span(Context* ctx, Span* spans, uint32_t* count, uint32_t offset, uint32_t size) noexcept nogil:
    """The field, when it differs from what was sent; joined to the span before it when they touch."""
    if memcmp(<uint8_t*>&ctx.dynamic + offset, <uint8_t*>&ctx.tracked.dynamic + offset, size) == 0:
        return
    if count[0] and spans[count[0] - 1].offset + spans[count[0] - 1].size == offset:
        spans[count[0] - 1].size += size
        return
    spans[count[0]].offset = offset
    spans[count[0]].size = size
    count[0] += 1


cdef void send_dynamic(Context* ctx, bint clear_values) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_set_dynamic_state record
    cdef pipe_DynamicChunk chunks[16]
    cdef Span spans[40]
    cdef pipe_DynamicState packed           # as large as all chunks together can be
    cdef pipe_DynamicState* state = &ctx.dynamic
    cdef uint8_t* base = <uint8_t*>state
    cdef uint32_t count = 0
    cdef uint32_t i, at = 0
    for i in range(16):
        add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.viewports[i] - base), sizeof(state.viewports[0]))
    for i in range(16):
        add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.scissors[i] - base), sizeof(state.scissors[0]))
    add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.blend_color - base), sizeof(state.blend_color))
    add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.stencil_ref - base), sizeof(state.stencil_ref))
    add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.line_width - base), 20)     # line, point, offset ×3
    if clear_values:
        add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.clear_color - base), sizeof(state.clear_color))
        add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.clear_stencil - base), 4)
        add_span(ctx, spans, &count, <uint32_t>(<uint8_t*>&state.clear_depth - base), sizeof(state.clear_depth))
    if count == 0:
        session.stats.suppressed += 1
        return
    if count > 16:                          # more holes than a record lists: send it all as one
        spans[0].offset = 0
        spans[0].size = sizeof(pipe_DynamicState)
        count = 1
    for i in range(count):
        chunks[i].offset = spans[i].offset
        chunks[i].size = spans[i].size
        memcpy(<uint8_t*>&packed + at, base + spans[i].offset, spans[i].size)
        memcpy(<uint8_t*>&ctx.tracked.dynamic + spans[i].offset, base + spans[i].offset, spans[i].size)
        at += spans[i].size
    record.chunk_count = count
    record.byte_count = at
    session.context.set_dynamic_state(session.self, &record, chunks, <uint8_t*>&packed)


# ---------------------------------------------------------------------------- attribute values, patches

cdef void send_attrib_values(Context* ctx) noexcept nogil:
    """Current values of the generic attributes, which matter where the array is disabled."""
    cdef Session* session = ctx.session
    cdef pipe_set_vertex_attrib_defaults record
    cdef uint64_t hash = hash_bytes(ctx.attrib_values, ATTRIBS * sizeof(pipe_AttribValue), 0)
    if was_sent(session, &ctx.tracked.attrib_values_hash, hash):
        return
    record.count = ATTRIBS
    record.pad0 = 0
    session.context.set_vertex_attrib_defaults(session.self, &record, ctx.attrib_values)


cdef void send_patches(Context* ctx) noexcept nogil:
    if memcmp(&ctx.patches, &ctx.tracked.patches, sizeof(ctx.patches)) == 0:
        ctx.session.stats.suppressed += 1
        return
    ctx.session.context.set_patch_state(ctx.session.self, &ctx.patches)
    ctx.tracked.patches = ctx.patches


# ------------------------------------------------------------------------------------------------------ programs

cdef void send_program(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_bind_shader_state bind
    cdef pipe_handle none
    none.slot = none.gen = 0
    if ctx.program != NULL:
        ensure_program(ctx, ctx.program)
        if ctx.program.constants_dirty:
            send_constants(ctx, ctx.program)
    bind.cso = ctx.program.handle if ctx.program != NULL else none
    if same_handle(bind.cso, ctx.tracked.shader):
        session.stats.suppressed += 1
        return
    session.context.bind_shader_state(session.self, &bind)
    ctx.tracked.shader = bind.cso


cdef void send_compute_program(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_bind_compute_state bind
    ensure_program(ctx, ctx.program)
    if ctx.program.constants_dirty:
        send_constants(ctx, ctx.program)
    bind.cso = ctx.program.handle
    if same_handle(bind.cso, ctx.tracked.compute):
        session.stats.suppressed += 1
        return
    session.context.bind_compute_state(session.self, &bind)
    ctx.tracked.compute = bind.cso


cdef pipe_handle sampler_handle(Context* ctx, const pipe_SamplerState* state) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Mirror* mirror = mirror_of(session)
    cdef pipe_create_sampler_state create
    cdef pipe_delete_sampler_state dead
    cdef bint found = False
    cdef CachedState* entry = cache_lookup(&mirror.samplers, mirror, state, sizeof(pipe_SamplerState), &found, &dead.cso)
    if dead.cso.gen:
        # Not one of the set being sent: the cache holds more states than a program has slots, and each lookup of
        # this validation made its entry the newest.
        session.context.delete_sampler_state(session.self, &dead)
        handle_free(session, PIPE_HANDLE_SAMPLER, dead.cso)
    if not found:
        entry.handle = handle_new(session, PIPE_HANDLE_SAMPLER)
        create.cso = entry.handle
        create.state = state[0]
        session.context.create_sampler_state(session.self, &create)
        session.stats.cso_mints += 1
    else:
        session.stats.cso_hits += 1
    return entry.handle


cdef void send_textures(Context* ctx) noexcept nogil:
    """Views and samplers of the program's slots: unit and target were chosen by the sampler uniforms."""
    cdef Session* session = ctx.session
    cdef Program* program = ctx.program
    cdef pipe_BoundView views[MAX_SLOTS]
    cdef pipe_BoundSampler samplers[MAX_SLOTS]
    cdef pipe_set_sampler_views set_views
    cdef pipe_bind_sampler_states set_samplers
    cdef ProgramSlot* slot
    cdef TextureUnit* unit
    cdef Texture* texture
    cdef uint32_t i, n
    cdef uint64_t hash
    if program == NULL or program.slot_count == 0:
        return
    n = program.slot_count if program.slot_count < MAX_SLOTS else MAX_SLOTS
    memset(views, 0, n * sizeof(pipe_BoundView))
    memset(samplers, 0, n * sizeof(pipe_BoundSampler))
    for i in range(n):
        slot = &program.slots[i]
        views[i].slot = samplers[i].slot = i
        views[i].target = slot_target(slot.target_index)
        if slot.unit < 0 or slot.unit >= TEXTURE_UNITS:
            continue
        unit = &ctx.units[slot.unit]
        texture = unit.bound[slot.target_index]
        if texture == NULL or texture.target == 0:
            continue
        ensure_texture(ctx, texture)
        views[i].resource = texture.handle
        samplers[i].sampler = sampler_handle(ctx, &unit.sampler.state if unit.sampler != NULL else &texture.sampler)
    hash = hash_bytes(views, n * sizeof(pipe_BoundView), n)
    if not was_sent(session, &ctx.tracked.views_hash, hash):
        set_views.count = n
        set_views.pad0 = 0
        set_views.content_hash = hash
        session.context.set_sampler_views(session.self, &set_views, views)
    # An evicted sampler state may have been bound by a set that compares equal only by handle: gens tell them apart.
    hash = hash_bytes(samplers, n * sizeof(pipe_BoundSampler), n)
    if not was_sent(session, &ctx.tracked.samplers_hash, hash):
        set_samplers.count = n
        set_samplers.pad0 = 0
        set_samplers.content_hash = hash
        session.context.bind_sampler_states(session.self, &set_samplers, samplers)


cdef void send_uniform_buffers(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Program* program = ctx.program
    cdef pipe_BufferRange ranges[MAX_BLOCKS]
    cdef pipe_set_shader_buffers record
    cdef IndexedBuffer* bound
    cdef uint32_t i, at, n = 0
    cdef uint64_t hash
    if program == NULL or program.block_count == 0:
        return
    for i in range(program.block_count):
        at = program.blocks[i].slot - FIRST_BLOCK_SLOT
        if at >= MAX_BLOCKS:
            continue
        if at + 1 > n:
            memset(&ranges[n], 0, (at + 1 - n) * sizeof(ranges[0]))
            n = at + 1
        if program.blocks[i].binding >= UNIFORM_BINDINGS:
            continue
        bound = &ctx.uniform_buffers[program.blocks[i].binding]
        if bound.buffer == NULL:
            continue
        fill_range(ctx, bound, &ranges[at])
    hash = hash_bytes(ranges, n * sizeof(pipe_BufferRange), n)
    if was_sent(session, &ctx.tracked.uniform_buffers_hash, hash):
        return
    record.buffer_class = PIPE_BUFFER_CLASS_UNIFORM
    record.start = FIRST_BLOCK_SLOT
    record.count = n
    record.writable_mask = 0
    record.content_hash = hash
    session.context.set_shader_buffers(session.self, &record, ranges)


# -------------------------------------------------------------------------------------------------- framebuffers

cdef void fill_attachment(Context* ctx, FramebufferAttachment* source, pipe_Attachment* target,
                          pipe_set_framebuffer_state* state) noexcept nogil:
    cdef Level* level
    cdef uint32_t width, height, layers, samples
    if source.kind == GL_TEXTURE and source.texture != NULL:
        ensure_texture(ctx, source.texture)
        level = &source.texture.levels[source.face * LEVELS + source.level]
        target.resource = source.texture.handle
        target.format = level.format
        target.level = source.level
        target.layer = source.face if source.texture.faces == 6 else source.layer
        target.layered = source.layered
        width = level.width
        height = level.height
        layers = (source.texture.faces if source.texture.faces == 6 else level.depth) if source.layered else 0
        samples = source.texture.samples
    elif source.kind == GL_RENDERBUFFER and source.renderbuffer != NULL:
        ensure_renderbuffer(ctx, source.renderbuffer)
        target.resource = source.renderbuffer.handle
        target.format = source.renderbuffer.format
        width = source.renderbuffer.width
        height = source.renderbuffer.height
        layers = 0
        samples = source.renderbuffer.samples
    else:
        return
    if state.width == 0 or width < state.width: state.width = width
    if state.height == 0 or height < state.height: state.height = height
    if layers > state.layers: state.layers = layers
    state.samples = samples


cdef void destroy_framebuffer(Session* session, Framebuffer* framebuffer) noexcept nogil:
    """On the server, if it is there. The context that it belongs to is current."""
    cdef pipe_framebuffer_destroy record
    if framebuffer.handle.gen == 0:
        return
    record.framebuffer = framebuffer.handle
    session.context.framebuffer_destroy(session.self, &record)
    handle_free(session, PIPE_HANDLE_FRAMEBUFFER, framebuffer.handle)
    framebuffer.handle.slot = framebuffer.handle.gen = 0


cdef void send_framebuffer(Context* ctx, Framebuffer* framebuffer, bint read) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_set_framebuffer_state state
    cdef uint32_t i, buffer
    cdef uint64_t hash
    memset(&state, 0, sizeof(state))
    state.target = PIPE_FRAMEBUFFER_TARGET_READ if read else PIPE_FRAMEBUFFER_TARGET_DRAW
    for i in range(COLOR_ATTACHMENTS):
        state.draw_buffers[i] = -1
    state.read_buffer = -1
    if framebuffer.is_default:
        # One colour buffer, made by the server: whatever name of it is selected, it is attachment 0.
        state.draw_buffers[0] = 0 if framebuffer.draw_buffers[0] else -1
        state.read_buffer = 0 if framebuffer.read_buffer else -1
        if ctx.draw_surface != NULL:
            state.width = ctx.draw_surface.width
            state.height = ctx.draw_surface.height
    else:
        if framebuffer.handle.gen == 0 or framebuffer.sent_epoch != session.mirror_epoch + 1:
            destroy_framebuffer(session, framebuffer)       # one of before the mirror was dropped
            framebuffer.handle = handle_new(session, PIPE_HANDLE_FRAMEBUFFER)
            framebuffer.sent_epoch = session.mirror_epoch + 1
        state.framebuffer = framebuffer.handle
        for i in range(COLOR_ATTACHMENTS):
            fill_attachment(ctx, &framebuffer.color[i], &state.color[i], &state)
            buffer = framebuffer.draw_buffers[i]
            if GL_COLOR_ATTACHMENT0 <= buffer < GL_COLOR_ATTACHMENT0 + COLOR_ATTACHMENTS:
                state.draw_buffers[i] = <int32_t>(buffer - GL_COLOR_ATTACHMENT0)
        fill_attachment(ctx, &framebuffer.depth, &state.depth, &state)
        fill_attachment(ctx, &framebuffer.stencil, &state.stencil, &state)
        if framebuffer_empty(framebuffer):
            state.width = framebuffer.default_width
            state.height = framebuffer.default_height
            state.layers = framebuffer.default_layers
            state.samples = framebuffer.default_samples
            state.fixed_samples = framebuffer.default_fixed_samples
        if GL_COLOR_ATTACHMENT0 <= framebuffer.read_buffer < GL_COLOR_ATTACHMENT0 + COLOR_ATTACHMENTS:
            state.read_buffer = <int32_t>(framebuffer.read_buffer - GL_COLOR_ATTACHMENT0)
    hash = hash_bytes(&state, sizeof(state), 0)
    if was_sent(session, &ctx.tracked.read_framebuffer_hash if read else &ctx.tracked.framebuffer_hash, hash):
        return
    state.content_hash = hash
    session.context.set_framebuffer_state(session.self, &state)
