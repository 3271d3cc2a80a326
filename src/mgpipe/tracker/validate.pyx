# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Verbs of the tracker. See validate.pxd.

A draw with nothing changed costs the five compares of `clean` and one draw record. Everything else is in `validate`.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from pipe cimport (PIPE_CLEAR_KIND_WHOLE, PIPE_HANDLE_CONTEXT, PIPE_HANDLE_RESOURCE,
                   PIPE_HANDLE_SHADER, PIPE_HANDLE_SHARE_GROUP, PIPE_HANDLE_SURFACE, pipe_Blob, pipe_Box,
                   pipe_bind_context, pipe_Rect, pipe_blit, pipe_buffer_copy, pipe_clear,
                   pipe_copy_framebuffer_to_texture, pipe_delete_shader_state, pipe_destroy_context,
                   pipe_destroy_share_group, pipe_destroy_surface, pipe_draw_vbo, pipe_flush,
                   pipe_framebuffer_invalidate, pipe_generate_mipmap, pipe_get_sample_positions, pipe_get_texture_image,
                   pipe_get_texture_image_to_buffer, pipe_handle, pipe_multi_draw_arrays, pipe_multi_draw_elements, pipe_read_pixels,
                   pipe_read_pixels_to_buffer, pipe_reply, pipe_resource_clear, pipe_resource_destroy,
                   pipe_resource_readback)
from mgpipe.client.session cimport (TOPOLOGY_MONOLITH, Session, Taker, handle_free, handle_new, session_end_frame,
                                    session_publish, session_take_parts)
from mgpipe.front.context cimport (COLOR_ATTACHMENTS, DIRTY_ATTRIB_VALUES, DIRTY_CLEAR_VALUES, DIRTY_DYNAMIC,
                                   DIRTY_FOR_COMPUTE, DIRTY_FOR_DRAWS, DIRTY_FRAMEBUFFER, DIRTY_IMAGES, DIRTY_PATCHES,
                                   DIRTY_PIPELINE, DIRTY_PROGRAM, DIRTY_STORAGE, DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS,
                                   DIRTY_VERTEX, FEEDBACK_BINDINGS, LEVELS, OWNER_GPU, Buffer,
                                   Context, Framebuffer, FramebufferAttachment, IndexedBuffer, Program, Renderbuffer,
                                   Surface, Texture)
from mgpipe.front.context cimport ATTRIBS, DIRTY_MAPS, TEXTURE_UNITS, UNIFORM_BINDINGS, VertexArray      # of mappings
from mgpipe.tracker.maps cimport map_next
from mgpipe.tracker.mirror cimport Mirror, enter_context, mirror_forget, mirror_free, mirror_of
from mgpipe.tracker.outputs cimport buffer_gpu_wrote
from mgpipe.tracker.resources cimport push_map
from mgpipe.tracker.owners cimport mark_layers, mark_level
from mgpipe.tracker.pins cimport store_let_go
from mgpipe.tracker.resources cimport (ensure_buffer, ensure_texture, flush_pending, forget_pending, send_constants)
from mgpipe.tracker.storage cimport mark_stores, send_images, send_storage, stores_reach
from mgpipe.tracker.state cimport (destroy_framebuffer, send_attrib_values, send_dynamic, send_framebuffer, send_patches, send_pipeline, send_program,
                                   send_textures, send_uniform_buffers)
from mgpipe.tracker.verify cimport verify_end
from mgpipe.tracker.vertex_arrays cimport send_vertex_array

cdef enum:
    GL_TEXTURE = 0x1702
    GL_RENDERBUFFER = 0x8D41
    GL_COLOR_ATTACHMENT0 = 0x8CE0
    # What a draw consumes, as bits of ctx.dirty; clear values are looked at by clear only.
    DRAW_STATE = (DIRTY_PIPELINE | DIRTY_DYNAMIC | DIRTY_FRAMEBUFFER | DIRTY_PROGRAM | DIRTY_VERTEX
                  | DIRTY_ATTRIB_VALUES | DIRTY_TEXTURES | DIRTY_UNIFORM_BUFFERS | DIRTY_STORAGE | DIRTY_IMAGES
                  | DIRTY_PATCHES | DIRTY_MAPS | DIRTY_FOR_DRAWS)
    # A shared object changed: its users are validated again. Value state is the context's own.
    SHARED_STATE = (DIRTY_FRAMEBUFFER | DIRTY_PROGRAM | DIRTY_VERTEX | DIRTY_TEXTURES | DIRTY_UNIFORM_BUFFERS
                    | DIRTY_STORAGE | DIRTY_IMAGES)
    MAX_DRAWS = 8192                # that one record may carry (catalogue/calls.py)
    VERBS_PER_FRAME = 4096          # a program without swaps still gets its memory retired
    # attachments of an invalidate record
    DEPTH_BIT = 1 << 8
    STENCIL_BIT = 1 << 9


# ------------------------------------------------------------------------------------------------------ validation

cdef inline bint clean(Context* ctx) noexcept nogil:
    cdef Mirror* mirror = mirror_of(ctx.session)
    return (not ctx.dirty & DRAW_STATE and ctx.group.generation == ctx.tracked.generation and mirror != NULL
            and mirror.current == ctx and not ctx.program.constants_dirty)


cdef void begin_verb(Context* ctx) noexcept nogil:
    begin(ctx)


cdef void end_verb(Context* ctx) noexcept nogil:
    count_verb(ctx.session)


cdef void validate_draw(Context* ctx) noexcept nogil:
    if not clean(ctx):
        validate(ctx)


cdef void begin(Context* ctx) noexcept nogil:
    """Of every verb: records belong to this context, and whatever it has unsent leaves."""
    cdef Mirror* mirror = mirror_of(ctx.session)
    if mirror == NULL or mirror.current != ctx:
        enter_context(ctx)
    if ctx.group.generation != ctx.tracked.generation:
        ctx.dirty |= SHARED_STATE
        ctx.tracked.generation = ctx.group.generation
    if ctx.group.coherent_maps:
        ctx.dirty |= DIRTY_MAPS
    flush_pending(ctx)


cdef bint consumes(Context* ctx, Buffer* buffer) noexcept nogil:
    """Whether the next draw may read the buffer: it is bound where a draw looks."""
    cdef VertexArray* array = ctx.vertex_array
    cdef Program* program = ctx.program
    cdef Texture* texture
    cdef uint32_t i
    if array.elements == buffer:
        return True
    for i in range(ATTRIBS):
        if array.bindings[i].buffer == buffer:
            return True
    for i in range(UNIFORM_BINDINGS):
        if ctx.uniform_buffers[i].buffer == buffer:
            return True
    for i in range(program.slot_count if program != NULL else 0):
        if 0 <= program.slots[i].unit < TEXTURE_UNITS:
            texture = ctx.units[program.slots[i].unit].bound[program.slots[i].target_index]
            if texture != NULL and texture.buffer == buffer:
                return True
    return program != NULL and stores_reach(ctx, buffer)


cdef void push_coherent(Context* ctx) noexcept nogil:
    """What the program wrote through coherent mappings into buffers that the next draw or dispatch reads."""
    cdef Buffer* buffer = map_next(ctx.group, NULL)
    while buffer != NULL:
        if buffer.coherent and consumes(ctx, buffer):
            ensure_buffer(ctx, buffer)
        buffer = map_next(ctx.group, buffer)


cdef void validate_framebuffer(Context* ctx, bint marks) noexcept nogil:
    """A verb that writes nothing leaves the bit to the next one that does: who writes marks what it writes."""
    if ctx.dirty & DIRTY_FRAMEBUFFER:
        send_framebuffer(ctx, ctx.draw_framebuffer, False)
        if marks:
            mark_outputs(ctx)
            ctx.dirty &= ~<uint32_t>DIRTY_FRAMEBUFFER


cdef void validate(Context* ctx) noexcept nogil:
    """Everything a draw consumes."""
    cdef uint32_t dirty
    begin(ctx)
    if ctx.group.coherent_maps:
        push_coherent(ctx)
    dirty = ctx.dirty & ~<uint32_t>DIRTY_MAPS
    if ctx.program.constants_dirty and not dirty & DIRTY_PROGRAM and dirty & DRAW_STATE == 0:
        send_constants(ctx, ctx.program)        # by far the most frequent change
        return
    if dirty & (DIRTY_PROGRAM | DIRTY_FOR_DRAWS):
        # the slots are the program's
        dirty |= DIRTY_TEXTURES | DIRTY_UNIFORM_BUFFERS | DIRTY_VERTEX | DIRTY_STORAGE | DIRTY_IMAGES
        send_program(ctx)
    elif ctx.program.constants_dirty:
        send_constants(ctx, ctx.program)
    if dirty & DIRTY_VERTEX:
        send_vertex_array(ctx)
    if dirty & DIRTY_ATTRIB_VALUES:
        send_attrib_values(ctx)
    if dirty & DIRTY_PATCHES:
        send_patches(ctx)
    if dirty & DIRTY_TEXTURES:
        send_textures(ctx)
    if dirty & DIRTY_UNIFORM_BUFFERS:
        send_uniform_buffers(ctx)
    if dirty & DIRTY_STORAGE:
        send_storage(ctx)
    if dirty & DIRTY_IMAGES:
        send_images(ctx)
    validate_framebuffer(ctx, True)
    if ctx.capture:
        mark_captured(ctx)
    if ctx.program.storage_count or ctx.program.image_count:
        mark_stores(ctx)
    if dirty & DIRTY_PIPELINE:
        send_pipeline(ctx)
    if dirty & DIRTY_DYNAMIC:
        send_dynamic(ctx, False)
    ctx.dirty = ctx.dirty & (DIRTY_CLEAR_VALUES | (DIRTY_MAPS if ctx.group.coherent_maps else 0)) | DIRTY_FOR_COMPUTE


cdef void mark_attachment(FramebufferAttachment* attachment) noexcept nogil:
    cdef uint32_t face
    if attachment.kind == GL_TEXTURE and attachment.texture != NULL:
        if attachment.layered and attachment.texture.faces == 6:
            for face in range(6):
                mark_level(&attachment.texture.levels[face * LEVELS + attachment.level], OWNER_GPU)
        elif attachment.layered:
            mark_level(&attachment.texture.levels[attachment.level], OWNER_GPU)
        else:
            mark_layers(&attachment.texture.levels[attachment.face * LEVELS + attachment.level], attachment.layer, 1,
                        OWNER_GPU)
    elif attachment.kind == GL_RENDERBUFFER and attachment.renderbuffer != NULL:
        attachment.renderbuffer.owner = OWNER_GPU


cdef void mark_outputs(Context* ctx) noexcept nogil:
    """The draw framebuffer's attachments hold newer bytes than any shadow.

    Later verbs with the same framebuffer need not mark again: whoever takes ownership back for the client (an upload)
    raises the group's generation, and the next verb looks at the framebuffer again.
    """
    cdef Framebuffer* framebuffer = ctx.draw_framebuffer
    cdef uint32_t i, buffer
    if framebuffer.is_default:
        if ctx.draw_surface != NULL:
            ctx.draw_surface.owner = OWNER_GPU
        return
    for i in range(COLOR_ATTACHMENTS):
        buffer = framebuffer.draw_buffers[i]
        if GL_COLOR_ATTACHMENT0 <= buffer < GL_COLOR_ATTACHMENT0 + COLOR_ATTACHMENTS:
            mark_attachment(&framebuffer.color[buffer - GL_COLOR_ATTACHMENT0])
    mark_attachment(&framebuffer.depth)
    mark_attachment(&framebuffer.stencil)


cdef void mark_captured(Context* ctx) noexcept nogil:
    """Like mark_outputs, for what transform feedback captures into: a read that makes the shadow whole again raises the
    group's generation, too."""
    cdef uint32_t targets = ctx.feedback.program.feedback_buffers
    cdef IndexedBuffer* bound
    cdef uint32_t i
    for i in range(FEEDBACK_BINDINGS):
        bound = &ctx.feedback.buffers[i]
        if targets >> i & 1 and bound.buffer != NULL:
            buffer_gpu_wrote(bound.buffer, bound.offset, bound.size if bound.size else bound.buffer.size)


cdef void count_verb(Session* session) noexcept nogil:
    session.stats.verbs += 1
    session.verbs_in_frame += 1
    if session.verbs_in_frame >= VERBS_PER_FRAME:
        session_end_frame(session)


# ----------------------------------------------------------------------------------------------------------- draws

cdef void track_draw(Context* ctx, uint32_t mode, uint32_t index_size, uint32_t first, uint32_t count, uint32_t instances,
                     uint32_t base_instance, int32_t base_vertex) noexcept nogil:
    """Programs make it by the thousand: nothing between the compares of `clean` and the record."""
    cdef Session* session = ctx.session
    cdef pipe_draw_vbo record
    if not clean(ctx):
        validate(ctx)
    record.mode = mode
    record.index_size = index_size
    record.first = first
    record.count = count
    record.instance_count = instances
    record.base_instance = base_instance
    record.base_vertex = base_vertex
    record.pad0 = 0
    session.context.draw_vbo(session.self, &record)
    session.stats.draws += 1
    count_verb(session)


cdef void track_multi_draw_arrays(Context* ctx, uint32_t mode, const uint32_t* firsts, const uint32_t* counts,
                                  uint32_t draws) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_multi_draw_arrays record
    if not clean(ctx):
        validate(ctx)
    record.mode = mode
    record.draw_id = 0
    record.pad0 = 0
    while record.draw_id < draws:
        record.draw_count = min(draws - record.draw_id, <uint32_t>MAX_DRAWS)
        session.context.multi_draw_arrays(session.self, &record, firsts + record.draw_id, counts + record.draw_id)
        record.draw_id += record.draw_count
    session.stats.draws += draws
    count_verb(session)


cdef void track_multi_draw_elements(Context* ctx, uint32_t mode, uint32_t index_size, const uint32_t* firsts, const uint32_t* counts,
                                    const int32_t* base_vertices, uint32_t draw_id, uint32_t draws) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_multi_draw_elements record
    if not clean(ctx):
        validate(ctx)
    record.mode = mode
    record.index_size = index_size
    record.draw_id = draw_id
    record.draw_count = draws
    session.context.multi_draw_elements(session.self, &record, firsts, counts, base_vertices)
    session.stats.draws += draws
    count_verb(session)


# ---------------------------------------------------------------------------------------------------------- clears

cdef void validate_clear(Context* ctx) noexcept nogil:
    begin(ctx)
    validate_framebuffer(ctx, True)
    if ctx.dirty & DIRTY_PIPELINE:              # masks, scissor enable, sRGB
        send_pipeline(ctx)
    if ctx.dirty & (DIRTY_DYNAMIC | DIRTY_CLEAR_VALUES):
        send_dynamic(ctx, True)
    ctx.dirty &= ~<uint32_t>(DIRTY_PIPELINE | DIRTY_DYNAMIC | DIRTY_CLEAR_VALUES)


cdef void track_clear(Context* ctx, uint32_t mask) noexcept nogil:
    cdef pipe_clear record
    validate_clear(ctx)
    memset(&record, 0, sizeof(record))
    record.kind = PIPE_CLEAR_KIND_WHOLE
    record.buffers = 0
    if mask & 0x4000: record.buffers |= 1       # GL_COLOR_BUFFER_BIT
    if mask & 0x100: record.buffers |= 2        # GL_DEPTH_BUFFER_BIT
    if mask & 0x400: record.buffers |= 4        # GL_STENCIL_BUFFER_BIT
    ctx.session.context.clear(ctx.session.self, &record)
    count_verb(ctx.session)


cdef void track_clear_buffer(Context* ctx, uint32_t kind, int32_t draw_buffer, uint32_t value_class,
                             const uint32_t* color, float depth, int32_t stencil) noexcept nogil:
    cdef pipe_clear record
    validate_clear(ctx)
    memset(&record, 0, sizeof(record))
    record.kind = kind
    record.draw_buffer = draw_buffer
    record.value_class = value_class
    if color != NULL:
        memcpy(record.color, color, 16)
    record.depth = depth
    record.stencil = stencil
    ctx.session.context.clear(ctx.session.self, &record)
    count_verb(ctx.session)


cdef void track_invalidate_framebuffer(Context* ctx, Framebuffer* framebuffer, uint32_t attachments,
                                       const pipe_Rect* area) noexcept nogil:
    cdef pipe_framebuffer_invalidate record
    begin(ctx)
    send_framebuffer(ctx, framebuffer, framebuffer != ctx.draw_framebuffer)
    memset(&record, 0, sizeof(record))
    record.framebuffer = framebuffer.handle
    record.attachments = attachments
    record.target = 0 if framebuffer == ctx.draw_framebuffer else 1
    record.area = area[0]
    ctx.session.context.framebuffer_invalidate(ctx.session.self, &record)


# ------------------------------------------------------------------------------------------------- copies and reads

cdef void validate_read(Context* ctx) noexcept nogil:
    begin(ctx)
    send_framebuffer(ctx, ctx.read_framebuffer, True)


cdef void track_blit(Context* ctx, const pipe_Rect* source, const pipe_Rect* target, uint32_t mask, bint linear) noexcept nogil:
    cdef pipe_blit record
    validate_read(ctx)
    validate_framebuffer(ctx, True)
    if ctx.dirty & DIRTY_PIPELINE:
        send_pipeline(ctx)
    if ctx.dirty & DIRTY_DYNAMIC:               # the scissor applies
        send_dynamic(ctx, False)
    ctx.dirty &= ~<uint32_t>(DIRTY_PIPELINE | DIRTY_DYNAMIC)
    memset(&record, 0, sizeof(record))
    record.source = ctx.read_framebuffer.handle
    record.target = ctx.draw_framebuffer.handle
    record.source_area = source[0]
    record.target_area = target[0]
    record.mask = mask
    record.linear = linear
    ctx.session.context.blit(ctx.session.self, &record)
    count_verb(ctx.session)


cdef int track_read_pixels(Context* ctx, const pipe_Rect* area, int32_t attachment, uint32_t layout, pipe_Blob* blob,
                           Taker* taker) noexcept nogil:
    cdef pipe_read_pixels record
    cdef pipe_reply reply
    validate_read(ctx)
    memset(&record, 0, sizeof(record))
    memset(&reply, 0, sizeof(reply))
    record.area = area[0]
    record.attachment = attachment
    record.layout = layout
    record.into = blob[0]
    session_take_parts(ctx.session, taker)
    ctx.session.context.read_pixels(ctx.session.self, &record, &reply)
    session_take_parts(ctx.session, NULL)       # a session that is lost has not asked
    session_end_frame(ctx.session)
    return reply.status


cdef int track_get_texture_image(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t layout,
                                 const pipe_Box* box, pipe_Blob* blob) noexcept nogil:
    cdef pipe_get_texture_image record
    cdef pipe_reply reply
    begin(ctx)
    ensure_texture(ctx, texture)
    memset(&record, 0, sizeof(record))
    memset(&reply, 0, sizeof(reply))
    record.resource = texture.handle
    record.level = level
    record.layout = layout
    record.box = box[0]
    if texture.faces == 6:
        record.box.z = <int32_t>face
    record.into = blob[0]
    ctx.session.context.get_texture_image(ctx.session.self, &record, &reply)
    session_end_frame(ctx.session)
    return reply.status


cdef int track_sample_positions(Context* ctx, pipe_Blob* blob) noexcept nogil:
    cdef pipe_get_sample_positions record
    cdef pipe_reply reply
    begin(ctx)
    validate_framebuffer(ctx, False)
    memset(&reply, 0, sizeof(reply))
    record.into = blob[0]
    ctx.session.context.get_sample_positions(ctx.session.self, &record, &reply)
    session_end_frame(ctx.session)
    return reply.status


cdef void track_read_pixels_to_buffer(Context* ctx, const pipe_Rect* area, int32_t attachment, Buffer* buffer,
                                      const PackedRows* rows) noexcept nogil:
    cdef pipe_read_pixels_to_buffer record
    validate_read(ctx)
    ensure_buffer(ctx, buffer)
    record.area = area[0]
    record.target = buffer.handle
    record.offset = rows.offset
    record.row_stride = rows.row_stride
    record.format = rows.format
    record.type = rows.type
    record.swap_group = rows.swap_bytes
    record.layout = rows.layout
    record.attachment = attachment
    record.clamp = rows.clamp
    ctx.session.context.read_pixels_to_buffer(ctx.session.self, &record)
    buffer_gpu_wrote(buffer, rows.offset, rows.size)
    count_verb(ctx.session)


cdef void track_get_texture_image_to_buffer(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                                            Buffer* buffer, const PackedRows* rows) noexcept nogil:
    cdef pipe_get_texture_image_to_buffer record
    begin(ctx)
    ensure_texture(ctx, texture)
    ensure_buffer(ctx, buffer)
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.level = level
    record.layout = rows.layout
    record.box = box[0]
    if texture.faces == 6:
        record.box.z = <int32_t>face
    record.target = buffer.handle
    record.offset = rows.offset
    record.row_stride = rows.row_stride
    record.slice_stride = rows.slice_stride
    record.format = rows.format
    record.type = rows.type
    record.swap_group = rows.swap_bytes
    ctx.session.context.get_texture_image_to_buffer(ctx.session.self, &record)
    buffer_gpu_wrote(buffer, rows.offset, rows.size)
    count_verb(ctx.session)


cdef int track_buffer_readback(Context* ctx, Buffer* buffer, uint64_t offset, pipe_Blob* blob, Taker* taker) noexcept nogil:
    cdef pipe_resource_readback record
    cdef pipe_reply reply
    begin(ctx)
    ensure_buffer(ctx, buffer)
    memset(&reply, 0, sizeof(reply))
    record.resource = buffer.handle
    record.offset = offset
    record.into = blob[0]
    session_take_parts(ctx.session, taker)
    ctx.session.context.resource_readback(ctx.session.self, &record, &reply)
    session_take_parts(ctx.session, NULL)
    session_end_frame(ctx.session)
    return reply.status


cdef void track_push_map(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    begin(ctx)
    push_map(ctx, buffer, offset, size)


cdef void track_clear_buffer_data(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size, const void* pattern,
                                  uint32_t pattern_size) noexcept nogil:
    cdef pipe_resource_clear record
    begin(ctx)
    ensure_buffer(ctx, buffer)
    memset(&record, 0, sizeof(record))
    record.resource = buffer.handle
    record.offset = offset
    record.size = size
    record.pattern_size = pattern_size
    if pattern_size:
        memcpy(record.pattern, pattern, pattern_size)
    ctx.session.context.resource_clear(ctx.session.self, &record)
    buffer_gpu_wrote(buffer, offset, size)
    count_verb(ctx.session)


cdef void track_send_buffer(Context* ctx, Buffer* buffer) noexcept nogil:
    begin(ctx)
    ensure_buffer(ctx, buffer)


cdef void track_generate_mipmap(Context* ctx, Texture* texture) noexcept nogil:
    cdef pipe_generate_mipmap record
    begin(ctx)
    ensure_texture(ctx, texture)
    record.resource = texture.handle
    record.base_level = texture.base_level
    record.max_level = texture.max_level
    ctx.session.context.generate_mipmap(ctx.session.self, &record)
    count_verb(ctx.session)


cdef void track_copy_buffer(Context* ctx, Buffer* source, Buffer* target, uint64_t source_offset, uint64_t target_offset,
                            uint64_t size) noexcept nogil:
    cdef pipe_buffer_copy record
    begin(ctx)
    ensure_buffer(ctx, source)
    ensure_buffer(ctx, target)
    record.source = source.handle
    record.target = target.handle
    record.source_offset = source_offset
    record.target_offset = target_offset
    record.size = size
    ctx.session.context.buffer_copy(ctx.session.self, &record)
    buffer_gpu_wrote(target, target_offset, size)
    count_verb(ctx.session)


cdef void track_copy_framebuffer_to_texture(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t layer,
                                            int32_t x, int32_t y, const pipe_Rect* area) noexcept nogil:
    cdef pipe_copy_framebuffer_to_texture record
    validate_read(ctx)
    ensure_texture(ctx, texture)
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.level = level
    record.layer = face if texture.faces == 6 else layer
    record.x = x
    record.y = y
    record.area = area[0]
    ctx.session.context.copy_framebuffer_to_texture(ctx.session.self, &record)
    count_verb(ctx.session)


# --------------------------------------------------------------------------------------------------- frames, waits

cdef void track_flush(Context* ctx) noexcept nogil:
    cdef pipe_flush record
    begin(ctx)
    memset(&record, 0, sizeof(record))
    ctx.session.context.flush(ctx.session.self, &record)
    ctx.session.looked = ctx.session.emitted
    session_publish(ctx.session)


cdef void track_finish(Context* ctx) noexcept nogil:
    cdef pipe_reply reply
    begin(ctx)
    memset(&reply, 0, sizeof(reply))
    ctx.session.context.finish(ctx.session.self, &reply)
    ctx.session.looked = ctx.session.emitted
    session_end_frame(ctx.session)


cdef void track_bind_context(Context* ctx) noexcept nogil:
    """The surfaces may differ from last time: look again before the next verb."""
    cdef Mirror* mirror = mirror_of(ctx.session)
    if mirror != NULL and mirror.current == ctx:
        mirror.current = NULL
    ctx.dirty |= DIRTY_FRAMEBUFFER


cdef void track_release_context(Context* ctx) noexcept nogil:
    """In monolith the driver's context is current in this very thread, and another thread may want it next."""
    cdef pipe_bind_context none
    cdef Mirror* mirror = mirror_of(ctx.session)
    if ctx.session.topology != TOPOLOGY_MONOLITH or mirror == NULL:
        return
    memset(&none, 0, sizeof(none))
    ctx.session.screen.bind_context(ctx.session.self, &none)
    mirror.current = NULL


# ---------------------------------------------------------------------------------------------------------- deaths

cdef void destroy_resource(Context* ctx, pipe_handle* handle) noexcept nogil:
    cdef pipe_resource_destroy record
    if handle.gen == 0:
        return
    enter_context(ctx)                      # a driver deletes objects in a context of theirs
    record.resource = handle[0]
    ctx.session.screen.resource_destroy(ctx.session.self, &record)
    handle_free(ctx.session, PIPE_HANDLE_RESOURCE, handle[0])
    handle.slot = handle.gen = 0


cdef void track_delete_buffer(Context* ctx, Buffer* buffer) noexcept nogil:
    if buffer.pending_linked:
        forget_pending(ctx.group, buffer)
        buffer.pending_linked = 0
    if buffer.store != NULL:
        enter_context(ctx)                  # so that the next record is the one that ends it
        store_let_go(ctx, buffer)
    destroy_resource(ctx, &buffer.handle)


cdef void track_delete_texture(Context* ctx, Texture* texture) noexcept nogil:
    if texture.pending_linked:
        forget_pending(ctx.group, texture)
        texture.pending_linked = 0
    destroy_resource(ctx, &texture.handle)


cdef void track_delete_renderbuffer(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil:
    destroy_resource(ctx, &renderbuffer.handle)


cdef void track_delete_framebuffer(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    if framebuffer.handle.gen == 0:
        return
    enter_context(ctx)                      # framebuffers are the context's own
    destroy_framebuffer(ctx.session, framebuffer)
    ctx.tracked.framebuffer_hash = ctx.tracked.read_framebuffer_hash = 0
    ctx.dirty |= DIRTY_FRAMEBUFFER


cdef void track_delete_program(Context* ctx, void* program) noexcept nogil:
    cdef Program* p = <Program*>program
    cdef pipe_delete_shader_state record
    if p.handle.gen == 0:
        return
    enter_context(ctx)
    record.cso = p.handle
    ctx.session.context.delete_shader_state(ctx.session.self, &record)
    handle_free(ctx.session, PIPE_HANDLE_SHADER, p.handle)
    p.handle.slot = p.handle.gen = 0
    p.sent_epoch = 0


cdef void track_destroy_context(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Mirror* mirror = mirror_of(session)
    cdef pipe_destroy_context record
    cdef pipe_destroy_share_group group
    if ctx.handle.gen == 0:
        return
    record.context = ctx.handle
    session.screen.destroy_context(session.self, &record)
    handle_free(session, PIPE_HANDLE_CONTEXT, ctx.handle)
    ctx.handle.slot = ctx.handle.gen = 0
    ctx.sent_epoch = 0
    if mirror != NULL and mirror.current == ctx:
        mirror.current = NULL
    if ctx.group.contexts <= 1 and ctx.group.handle.gen:    # the last context takes the share group along
        group.group = ctx.group.handle
        session.screen.destroy_share_group(session.self, &group)
        handle_free(session, PIPE_HANDLE_SHARE_GROUP, ctx.group.handle)
        ctx.group.handle.slot = ctx.group.handle.gen = 0
        ctx.group.sent_epoch = 0


cdef void track_session_unused(Session* session) noexcept nogil:
    """The last context is gone: what the mirror held for them goes, on the server and here."""
    if not session.lost:
        mirror_forget(session)
    mirror_free(mirror_of(session))
    session.mirror = NULL
    verify_end(session)


cdef void track_destroy_surface(void* surface) noexcept nogil:
    cdef Surface* s = <Surface*>surface
    cdef Mirror* mirror = mirror_of(s.session)
    cdef pipe_destroy_surface record
    if s.handle.gen == 0:
        return
    record.surface = s.handle
    s.session.screen.destroy_surface(s.session.self, &record)
    handle_free(s.session, PIPE_HANDLE_SURFACE, s.handle)
    s.handle.slot = s.handle.gen = 0
    s.sent_epoch = 0
    if mirror != NULL:
        mirror.current = NULL


cdef void mirror_drop(Context* ctx) noexcept nogil:
    mirror_forget(ctx.session)
