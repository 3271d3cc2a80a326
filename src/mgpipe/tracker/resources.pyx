# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Objects of the share group on the server. See resources.pxd.

The order for every object is the same: create (handle), respecify (storage), subdata (contents the client owns). Each
step is skipped when the server has it already: `sent_epoch`, `respecify`, pending ranges and regions say so.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from pipe cimport (PIPE_HANDLE_RESOURCE, PIPE_HANDLE_SHADER, PIPE_RESOURCE_TARGET_BUFFER,
                   PIPE_RESOURCE_TARGET_RENDERBUFFER, PIPE_RESOURCE_TARGET_TEX1D, PIPE_RESOURCE_TARGET_TEX1D_ARRAY,
                   PIPE_RESOURCE_TARGET_TEX2D, PIPE_RESOURCE_TARGET_TEX2D_ARRAY, PIPE_RESOURCE_TARGET_TEX2D_MS,
                   PIPE_RESOURCE_TARGET_TEX2D_MS_ARRAY, PIPE_RESOURCE_TARGET_TEX3D, PIPE_RESOURCE_TARGET_TEX_BUFFER,
                   PIPE_RESOURCE_TARGET_TEX_CUBE, PIPE_RESOURCE_TARGET_TEX_CUBE_ARRAY, PIPE_RESOURCE_TARGET_TEX_RECT,
                   PIPE_TEXTURE_TARGET_TEX1D, PIPE_TEXTURE_TARGET_TEX1D_ARRAY, PIPE_TEXTURE_TARGET_TEX2D, PIPE_TEXTURE_TARGET_TEX2D_ARRAY,
                   PIPE_TEXTURE_TARGET_TEX2D_MS, PIPE_TEXTURE_TARGET_TEX2D_MS_ARRAY, PIPE_TEXTURE_TARGET_TEX3D,
                   PIPE_TEXTURE_TARGET_TEX_BUFFER, PIPE_TEXTURE_TARGET_TEX_CUBE, PIPE_TEXTURE_TARGET_TEX_CUBE_ARRAY, PIPE_TEXTURE_TARGET_TEX_RECT,
                   pipe_Blob, pipe_Box, pipe_SubRegion, pipe_create_shader_state, pipe_delete_shader_state, pipe_handle,
                   pipe_resource_create, pipe_resource_destroy, pipe_resource_respecify, pipe_resource_subdata, pipe_set_constants, pipe_set_texture_params)
from mgpipe.client.session cimport Session, handle_free, handle_new, next_ordinal
from mgpipe.front.context cimport (LEVELS, OWNER_BOTH, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, STAGES, Buffer, Context,
                                   Level, Pending, Program, Renderbuffer, ShareGroup, Texture)
from mgpipe.front.formats cimport format_offset, format_row, format_rows, format_slice
from mgpipe.front.context cimport (INDEX_1D, INDEX_1D_ARRAY, INDEX_2D, INDEX_2D_ARRAY, INDEX_2D_MULTISAMPLE, INDEX_2D_MULTISAMPLE_ARRAY,
                                   INDEX_3D, INDEX_BUFFER, INDEX_CUBE, INDEX_CUBE_ARRAY, INDEX_NONE, INDEX_RECTANGLE)
from mgpipe.links.shadow cimport (Arena, Block, SEGMENT_SHADOW, arena_alloc, block_data, block_release,
                                  shadow_lies_together, shadow_span, shadow_view, staging_reserve)
from mgpipe.tracker.maps cimport map_number, map_push
from mgpipe.tracker.pins cimport pin_upload, send_pin, store_let_go
from mgpipe.tracker.ranges cimport ranges_add

cdef enum:
    # Up to here bytes take the staging ring: one short copy costs less than holding a shadow's block busy.
    STAGED_BYTES = 4096


cdef inline uint64_t epoch_of(Session* session) noexcept nogil:
    return session.mirror_epoch + 1


cdef void destroy_old(Session* session, pipe_handle* handle) noexcept nogil:
    """What the server holds under a handle from before the mirror was dropped."""
    cdef pipe_resource_destroy dead
    if handle.gen == 0:
        return
    dead.resource = handle[0]
    session.screen.resource_destroy(session.self, &dead)
    handle_free(session, PIPE_HANDLE_RESOURCE, handle[0])
    handle.slot = handle.gen = 0


cdef bint texture_on_gpu(Texture* texture) noexcept nogil:
    """Does any level hold bytes that only the GPU has?"""
    cdef uint32_t i
    for i in range(texture.faces * LEVELS):
        if texture.levels[i].format and texture.levels[i].owner & OWNER_GPU:
            return True
    return False


# ---------------------------------------------------------------------------------------------------------- buffers

cdef void send_buffer_bytes(Context* ctx, Buffer* buffer, uint64_t low, uint64_t high, uint32_t mapping) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_subdata record
    cdef uint64_t size
    cdef uint8_t* staged
    memset(&record, 0, sizeof(record))
    record.resource = buffer.handle
    record.mapping = mapping
    while low < high:
        record.offset = low
        size = high - low
        staged = NULL
        if size <= STAGED_BYTES:
            staged = staging_reserve(session.shadow, <uint32_t>size, next_ordinal(session), &record.bytes)
        if staged != NULL:
            memcpy(staged, shadow_view(session.shadow, &buffer.shadow, low, size), size)
            session.stats.staging_bytes += size
        else:
            size = shadow_span(session.shadow, &buffer.shadow, low, size, next_ordinal(session), &record.bytes)
        record.bounds.x = 0
        session.stats.uploads += 1
        session.stats.upload_bytes += size
        session.context.resource_subdata(session.self, &record, NULL)
        low += size


cdef inline void send_ranges(Context* ctx, Buffer* buffer, uint32_t mapping) noexcept nogil:
    cdef uint32_t i
    for i in range(buffer.pending.count):
        send_buffer_bytes(ctx, buffer, buffer.pending.low[i], buffer.pending.high[i], mapping)
    buffer.pending.count = 0


cdef void send_pending(Context* ctx, Buffer* buffer) noexcept nogil:
    send_ranges(ctx, buffer, 0)


cdef void send_mapped(Context* ctx, Buffer* buffer) noexcept nogil:
    send_ranges(ctx, buffer, map_number(buffer))


cdef void send_map(Context* ctx, Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil:
    """What was written through the mapping; nothing else is pending."""
    map_push(ctx, buffer, low, high, send_mapped)
    send_mapped(ctx, buffer)


cdef void push_map(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    ensure_buffer(ctx, buffer)                  # so that the server knows it
    if not buffer.coherent:
        send_map(ctx, buffer, offset, offset + size)


cdef void ensure_buffer(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_create create
    cdef pipe_resource_respecify storage
    cdef bint fresh = buffer.sent_epoch != epoch_of(session)
    if not fresh and not buffer.respecify and buffer.pending.count == 0 and not buffer.coherent:
        return
    if fresh and buffer.handle.gen and buffer.owner & OWNER_GPU:
        buffer.sent_epoch = epoch_of(session)       # its bytes are only there: it kept its handle
        fresh = False
    if fresh:
        store_let_go(ctx, buffer)
        destroy_old(session, &buffer.handle)
        buffer.handle = handle_new(session, PIPE_HANDLE_RESOURCE)
        create.resource = buffer.handle
        create.group = ctx.group.handle
        create.target = PIPE_RESOURCE_TARGET_BUFFER
        create.gl_name = buffer.name
        session.screen.resource_create(session.self, &create)
        buffer.sent_epoch = epoch_of(session)
        if buffer.owner == OWNER_CLIENT or buffer.owner == OWNER_BOTH:
            buffer.pending.count = 0
            ranges_add(&buffer.pending, 0, buffer.size)
    if buffer.pinned:
        buffer.pending.count = 0
        if fresh or buffer.respecify:
            send_pin(ctx, buffer)
        return
    if pin_upload(ctx, buffer):
        return
    if fresh or buffer.respecify:
        store_let_go(ctx, buffer)
        memset(&storage, 0, sizeof(storage))
        storage.resource = buffer.handle
        storage.target = PIPE_RESOURCE_TARGET_BUFFER
        storage.size = buffer.size
        storage.usage = buffer.usage
        storage.storage_flags = buffer.storage_flags
        storage.immutable = buffer.immutable
        session.screen.resource_respecify(session.self, &storage)
        buffer.respecify = 0
    if buffer.coherent and buffer.pending.count == 0:
        send_map(ctx, buffer, 0, buffer.size)
        return
    if buffer.coherent:         # together with what commands wrote, so as a command
        map_push(ctx, buffer, 0, buffer.size, send_pending)
    send_pending(ctx, buffer)


# --------------------------------------------------------------------------------------------------------- textures

cdef uint32_t resource_target(uint32_t target) noexcept nogil:
    if target == 0x0DE0: return PIPE_RESOURCE_TARGET_TEX1D
    if target == 0x0DE1: return PIPE_RESOURCE_TARGET_TEX2D
    if target == 0x806F: return PIPE_RESOURCE_TARGET_TEX3D
    if target == 0x8C18: return PIPE_RESOURCE_TARGET_TEX1D_ARRAY
    if target == 0x8C1A: return PIPE_RESOURCE_TARGET_TEX2D_ARRAY
    if target == 0x8513: return PIPE_RESOURCE_TARGET_TEX_CUBE
    if target == 0x9009: return PIPE_RESOURCE_TARGET_TEX_CUBE_ARRAY
    if target == 0x9100: return PIPE_RESOURCE_TARGET_TEX2D_MS
    if target == 0x9102: return PIPE_RESOURCE_TARGET_TEX2D_MS_ARRAY
    if target == 0x8C2A: return PIPE_RESOURCE_TARGET_TEX_BUFFER
    return PIPE_RESOURCE_TARGET_TEX_RECT


cdef uint32_t[INDEX_NONE] _slot_targets
_slot_targets[INDEX_1D] = PIPE_TEXTURE_TARGET_TEX1D
_slot_targets[INDEX_2D] = PIPE_TEXTURE_TARGET_TEX2D
_slot_targets[INDEX_3D] = PIPE_TEXTURE_TARGET_TEX3D
_slot_targets[INDEX_1D_ARRAY] = PIPE_TEXTURE_TARGET_TEX1D_ARRAY
_slot_targets[INDEX_2D_ARRAY] = PIPE_TEXTURE_TARGET_TEX2D_ARRAY
_slot_targets[INDEX_RECTANGLE] = PIPE_TEXTURE_TARGET_TEX_RECT
_slot_targets[INDEX_CUBE] = PIPE_TEXTURE_TARGET_TEX_CUBE
_slot_targets[INDEX_CUBE_ARRAY] = PIPE_TEXTURE_TARGET_TEX_CUBE_ARRAY
_slot_targets[INDEX_BUFFER] = PIPE_TEXTURE_TARGET_TEX_BUFFER
_slot_targets[INDEX_2D_MULTISAMPLE] = PIPE_TEXTURE_TARGET_TEX2D_MS
_slot_targets[INDEX_2D_MULTISAMPLE_ARRAY] = PIPE_TEXTURE_TARGET_TEX2D_MS_ARRAY


cdef uint32_t slot_target(uint32_t index) noexcept nogil:
    return _slot_targets[index]


cdef void respecify_level(Session* session, Texture* texture, uint32_t face, uint32_t number, Level* level) noexcept nogil:
    cdef pipe_resource_respecify storage
    memset(&storage, 0, sizeof(storage))
    storage.resource = texture.handle
    storage.target = resource_target(texture.target)
    storage.format = level.format
    storage.width = level.width
    storage.height = level.height
    storage.depth = level.depth
    storage.samples = texture.samples
    storage.fixed_samples = texture.fixed_samples
    storage.levels = texture.immutable_levels
    storage.immutable = 1 if texture.immutable_levels else 0
    storage.level = number
    storage.upload_target = face
    session.screen.resource_respecify(session.self, &storage)
    level.respecify = 0


cdef bint together(Level* level, const pipe_Box* a, const pipe_Box* b) noexcept nogil:
    """Whether nothing has to be copied for one span of the shadow that has both."""
    cdef uint64_t low = format_offset(level.format, level.width, level.height, a.x, a.y, a.z)
    cdef uint64_t high = format_offset(level.format, level.width, level.height, b.x, b.y, b.z)
    cdef uint64_t size = (format_rows(level.format, b.height) - 1) * format_row(level.format, level.width) + format_row(level.format, b.width)
    return shadow_lies_together(&level.shadow, low, high + size - low)


cdef uint32_t join_boxes(Level* level, pipe_Box* boxes, uint32_t count) noexcept nogil:
    """Boxes that make up a larger one become that, beside each other first, then below: tiles written row by row become bands. How
    many are left. The shadow has the newest bytes of all of them, so their order means nothing."""
    cdef uint32_t i, left = 0
    cdef pipe_Box* a
    cdef pipe_Box* b
    for i in range(count):
        boxes[left] = boxes[i]
        left += 1
        while left > 1:
            a = &boxes[left - 2]
            b = &boxes[left - 1]
            if a.z != b.z or a.depth != 1 or b.depth != 1 or not together(level, a, b):
                break
            if a.y == b.y and a.height == b.height and a.x + <int32_t>a.width == b.x:
                a.width += b.width
            elif a.x == b.x and a.width == b.width and a.y + <int32_t>a.height == b.y:
                a.height += b.height
            else:
                break
            left -= 1
    return left


cdef void send_level_bytes(Session* session, Texture* texture, uint32_t face, uint32_t number, Level* level,
                           const pipe_Box* boxes, uint32_t count) noexcept nogil:
    """The regions, and the rows from the first to the last touched one as a single blob of the shadow: one record, or several
    where a copy-on-write parted the shadow between two regions."""
    cdef pipe_resource_subdata record
    cdef pipe_SubRegion regions[64]
    cdef uint64_t row = format_row(level.format, level.width)
    cdef uint64_t slice_ = format_slice(level.format, level.width, level.height)
    cdef uint64_t first, last, at, size, named
    cdef uint32_t i, n
    cdef int32_t x1, y1, z1
    cdef const pipe_Box* b
    while count:
        n = count if count < 64 else 64
        memset(&record, 0, sizeof(record))
        memset(regions, 0, sizeof(regions))
        first = <uint64_t>-1
        last = named = 0
        record.bounds = boxes[0]
        x1 = boxes[0].x + <int32_t>boxes[0].width
        y1 = boxes[0].y + <int32_t>boxes[0].height
        z1 = boxes[0].z + <int32_t>boxes[0].depth
        for i in range(n):
            b = &boxes[i]
            at = format_offset(level.format, level.width, level.height, b.x, b.y, b.z)
            size = (b.depth - 1) * slice_ + (format_rows(level.format, b.height) - 1) * row + format_row(level.format, b.width)
            if i > 0 and not shadow_lies_together(&level.shadow, min(first, at), max(last, at + size) - min(first, at)):
                n = i           # joining what was parted would copy all that lies between
                break
            if at < first: first = at
            if at + size > last: last = at + size
            if b.x < record.bounds.x: record.bounds.x = b.x
            if b.y < record.bounds.y: record.bounds.y = b.y
            if b.z < record.bounds.z: record.bounds.z = b.z
            if b.x + <int32_t>b.width > x1: x1 = b.x + <int32_t>b.width
            if b.y + <int32_t>b.height > y1: y1 = b.y + <int32_t>b.height
            if b.z + <int32_t>b.depth > z1: z1 = b.z + <int32_t>b.depth
        for i in range(n):
            b = &boxes[i]
            regions[i].box = b[0]
            named += b.depth * format_rows(level.format, b.height) * format_row(level.format, b.width)
            regions[i].source_offset = format_offset(level.format, level.width, level.height, b.x, b.y, b.z) - first
            regions[i].row_stride = <uint32_t>row
            regions[i].slice_stride = <uint32_t>slice_
            if texture.faces == 6:
                regions[i].box.z = <int32_t>face
        record.resource = texture.handle
        record.level = number
        record.region_count = n
        record.bounds.width = <uint32_t>(x1 - record.bounds.x)
        record.bounds.height = <uint32_t>(y1 - record.bounds.y)
        record.bounds.depth = <uint32_t>(z1 - record.bounds.z)
        if texture.faces == 6:
            record.bounds.z = <int32_t>face
        # a view of the range first: it joins pieces that a copy-on-write parted within a region, so that one span covers it
        shadow_view(session.shadow, &level.shadow, first, last - first)
        shadow_span(session.shadow, &level.shadow, first, last - first, next_ordinal(session), &record.bytes)
        session.stats.uploads += 1
        session.stats.upload_bytes += named
        session.context.resource_subdata(session.self, &record, regions)
        boxes += n
        count -= n


cdef void send_texture_params(Session* session, Texture* texture) noexcept nogil:
    cdef pipe_set_texture_params record
    cdef uint32_t i
    memset(&record, 0, sizeof(record))
    record.resource = texture.handle
    record.base_level = texture.base_level
    record.max_level = texture.max_level
    for i in range(4):
        record.swizzle[i] = texture.swizzle[i]
    record.stencil_sampling = 1 if texture.depth_stencil_mode == 0x1901 else 0      # GL_STENCIL_INDEX
    session.context.set_texture_params(session.self, &record)
    texture.params_dirty = 0


cdef void ensure_texture(Context* ctx, Texture* texture) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_create create
    cdef pipe_resource_respecify storage
    cdef pipe_Box whole
    cdef uint32_t face, number
    cdef Level* level
    cdef bint fresh = texture.sent_epoch != epoch_of(session)
    if texture.target == 0:
        return
    if fresh and texture.handle.gen and (texture.shared_storage or texture_on_gpu(texture)):
        texture.sent_epoch = epoch_of(session)
        texture.params_dirty = 1
        fresh = False
    if fresh:
        destroy_old(session, &texture.handle)
        texture.handle = handle_new(session, PIPE_HANDLE_RESOURCE)
        create.resource = texture.handle
        create.group = ctx.group.handle
        create.target = resource_target(texture.target)
        create.gl_name = texture.name
        session.screen.resource_create(session.self, &create)
        texture.sent_epoch = epoch_of(session)
        texture.params_dirty = 1
    if texture.target == 0x8C2A:                                                # GL_TEXTURE_BUFFER
        if texture.buffer != NULL:
            ensure_buffer(ctx, texture.buffer)
            if fresh or texture.params_dirty:
                memset(&storage, 0, sizeof(storage))
                storage.resource = texture.handle
                storage.target = PIPE_RESOURCE_TARGET_TEX_BUFFER
                storage.format = texture.levels[0].format
                storage.buffer = texture.buffer.handle
                storage.offset = texture.buffer_offset
                storage.size = texture.buffer_size
                session.screen.resource_respecify(session.self, &storage)
        texture.params_dirty = 0
        return
    for face in range(texture.faces):
        for number in range(LEVELS):
            level = &texture.levels[face * LEVELS + number]
            if level.format == 0:
                continue
            if fresh or level.respecify:
                # immutable storage is one record for all levels and faces
                if not texture.immutable_levels or (face == 0 and number == 0):
                    respecify_level(session, texture, face, number, level)
                level.respecify = 0
            if fresh and level.shadow.size and (level.owner == OWNER_CLIENT or level.owner == OWNER_BOTH):
                whole.x = whole.y = whole.z = 0
                whole.width = level.width
                whole.height = level.height
                whole.depth = level.depth
                send_level_bytes(session, texture, face, number, level, &whole, 1)
                level.region_count = 0
            elif level.region_count:
                send_level_bytes(session, texture, face, number, level, <pipe_Box*>level.regions,
                                 join_boxes(level, <pipe_Box*>level.regions, level.region_count))
                level.region_count = 0
    if texture.params_dirty:
        send_texture_params(session, texture)


cdef void ensure_renderbuffer(Context* ctx, Renderbuffer* renderbuffer) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_resource_create create
    cdef pipe_resource_respecify storage
    cdef bint fresh = renderbuffer.sent_epoch != epoch_of(session)
    if fresh and renderbuffer.handle.gen and renderbuffer.owner & OWNER_GPU:
        renderbuffer.sent_epoch = epoch_of(session)
        fresh = False
    if fresh:
        destroy_old(session, &renderbuffer.handle)
        renderbuffer.handle = handle_new(session, PIPE_HANDLE_RESOURCE)
        create.resource = renderbuffer.handle
        create.group = ctx.group.handle
        create.target = PIPE_RESOURCE_TARGET_RENDERBUFFER
        create.gl_name = renderbuffer.name
        session.screen.resource_create(session.self, &create)
        renderbuffer.sent_epoch = epoch_of(session)
    if (fresh or renderbuffer.respecify) and renderbuffer.format:
        memset(&storage, 0, sizeof(storage))
        storage.resource = renderbuffer.handle
        storage.target = PIPE_RESOURCE_TARGET_RENDERBUFFER
        storage.format = renderbuffer.format
        storage.width = renderbuffer.width
        storage.height = renderbuffer.height
        storage.depth = 1
        storage.samples = renderbuffer.samples
        session.screen.resource_respecify(session.self, &storage)
        renderbuffer.respecify = 0


# --------------------------------------------------------------------------------------------------------- programs

cdef void ensure_program(Context* ctx, Program* program) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_create_shader_state create
    cdef pipe_delete_shader_state dead
    cdef Block* blocks[STAGES]
    cdef uint8_t* names
    cdef uint32_t stage
    if program.sent_epoch == epoch_of(session):
        return
    if program.captures and program.handle.gen:     # a capture goes on with this very program
        program.sent_epoch = epoch_of(session)
        for stage in range(STAGES):
            constants_unsent(program, stage)
        return
    memset(&create, 0, sizeof(create))
    if program.handle.gen:
        dead.cso = program.handle
        session.context.delete_shader_state(session.self, &dead)
        handle_free(session, PIPE_HANDLE_SHADER, program.handle)
    program.handle = handle_new(session, PIPE_HANDLE_SHADER)
    create.cso = program.handle
    create.group = ctx.group.handle
    for stage in range(STAGES):
        blocks[stage] = NULL
        create.stages[stage].constants_size = program.constants_size[stage]
        if program.stage_spirv_size[stage] == 0:
            continue
        blocks[stage] = arena_alloc(session.shadow, program.stage_spirv_size[stage])
        if blocks[stage] == NULL:
            continue                            # the server refuses a program without this stage, by name
        memcpy(block_data(session.shadow, blocks[stage]), program.stage_spirv[stage], program.stage_spirv_size[stage])
        blocks[stage].last_use = next_ordinal(session)
        create.stages[stage].code.segment = SEGMENT_SHADOW
        create.stages[stage].code.offset = blocks[stage].offset
        create.stages[stage].code.size = program.stage_spirv_size[stage]
    if program.feedback_size:
        names = staging_reserve(session.shadow, program.feedback_size, next_ordinal(session), &create.feedback)
        if names != NULL:
            memcpy(names, program.feedback, program.feedback_size)
            create.feedback_mode = program.feedback_mode
    session.context.create_shader_state(session.self, &create)
    for stage in range(STAGES):
        if blocks[stage] != NULL:
            block_release(session.shadow, blocks[stage])
        constants_unsent(program, stage)
    program.sent_epoch = epoch_of(session)


cdef inline void constants_unsent(Program* program, uint32_t stage) noexcept nogil:
    if program.constants_size[stage]:
        program.dirty_low[stage] = 0
        program.dirty_high[stage] = program.constants_size[stage]
        program.constants_dirty |= 1 << stage


cdef void send_constants(Context* ctx, Program* program) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_set_constants record
    cdef uint32_t dirty = program.constants_dirty
    cdef uint32_t stage, size
    cdef uint8_t* staged
    cdef Block* block
    for stage in range(STAGES):
        if not dirty >> stage:
            break
        if not dirty >> stage & 1:
            continue
        size = program.dirty_high[stage] - program.dirty_low[stage]
        if size:
            record.shader = program.handle
            record.stage = stage
            record.offset = program.dirty_low[stage]
            block = NULL
            staged = staging_reserve(session.shadow, size, next_ordinal(session), &record.bytes)
            if staged == NULL:                  # larger than the staging ring has room for: a block of its own
                block = arena_alloc(session.shadow, size)
                if block == NULL:
                    continue                    # stays dirty; tried again at the next verb
                staged = block_data(session.shadow, block)
                block.last_use = next_ordinal(session)
                record.bytes.segment = SEGMENT_SHADOW
                record.bytes.pad0 = 0
                record.bytes.offset = block.offset
                record.bytes.size = size
            memcpy(staged, program.constants[stage] + record.offset, size)
            session.stats.staging_bytes += size
            session.context.set_constants(session.self, &record)
            if block != NULL:
                block_release(session.shadow, block)
        program.dirty_low[stage] = <uint32_t>-1
        program.dirty_high[stage] = 0
        program.constants_dirty &= ~(<uint32_t>1 << stage)


# ---------------------------------------------------------------------------------------------------------- pending

cdef void flush_pending(Context* ctx) noexcept nogil:
    cdef ShareGroup* group = ctx.group
    cdef Pending* item
    while group.pending != NULL:
        item = group.pending
        group.pending = item.next
        if item.next == NULL:
            group.pending_last = NULL
        if item.is_texture:
            (<Texture*>item.resource).pending_linked = 0
            ensure_texture(ctx, <Texture*>item.resource)
        else:
            (<Buffer*>item.resource).pending_linked = 0
            ensure_buffer(ctx, <Buffer*>item.resource)
        free(item)


cdef void forget_pending(ShareGroup* group, void* resource) noexcept nogil:
    cdef Pending** at = &group.pending
    cdef Pending* item
    cdef Pending* previous = NULL
    while at[0] != NULL:
        item = at[0]
        if item.resource == resource:
            at[0] = item.next
            if group.pending_last == item:
                group.pending_last = previous
            free(item)
            return
        previous = item
        at = &item.next
