# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Storage buffers, atomic counter buffers and images of the program's slots. See storage.pxd.

Atomic counters are storage blocks for the server: both kinds of bindings end in one set of slots.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from pipe cimport (PIPE_BUFFER_CLASS_STORAGE, pipe_BufferRange, pipe_ImageView, pipe_set_indirect_buffers,
                   pipe_set_shader_buffers, pipe_set_shader_images)
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport (ATOMIC_BINDINGS, IMAGE_UNITS, LEVELS, OWNER_GPU, STORAGE_BINDINGS, Buffer, Context,
                                   ImageSlot, ImageUnit, IndexedBuffer, Program, StorageBlock, Texture)
from mgpipe.tracker.owners cimport mark_layers, mark_level
from mgpipe.tracker.mirror cimport hash_bytes, same_handle, was_sent
from mgpipe.tracker.outputs cimport buffer_gpu_wrote
from mgpipe.tracker.resources cimport ensure_buffer, ensure_texture

cdef enum:
    SLOTS = 32                      # of a program, in either set (shaders/numbering.py)
    GL_READ_ONLY = 0x88B8
    GL_TEXTURE_BUFFER = 0x8C2A
    GL_TEXTURE_CUBE_MAP = 0x8513


cdef inline IndexedBuffer* bound_to(Context* ctx, const StorageBlock* block) noexcept nogil:
    """The binding that a block reads and writes; NULL: nothing is bound there."""
    cdef IndexedBuffer* bound
    if block.slot >= SLOTS or block.binding >= (ATOMIC_BINDINGS if block.is_atomic else STORAGE_BINDINGS):
        return NULL
    bound = &ctx.atomic_buffers[block.binding] if block.is_atomic else &ctx.storage_buffers[block.binding]
    return bound if bound.buffer != NULL else NULL


cdef void fill_range(Context* ctx, IndexedBuffer* bound, pipe_BufferRange* said) noexcept nogil:
    ensure_buffer(ctx, bound.buffer)
    said.resource = bound.buffer.handle
    said.offset = bound.offset
    said.size = bound.size if bound.size else <uint64_t>-1


cdef void send_storage(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Program* program = ctx.program
    cdef pipe_BufferRange ranges[SLOTS]
    cdef pipe_set_shader_buffers record
    cdef StorageBlock* block
    cdef IndexedBuffer* bound
    cdef uint32_t i
    cdef uint64_t hash
    if program.storage_count == 0:
        return
    memset(ranges, 0, sizeof(ranges))
    record.writable_mask = 0
    for i in range(program.storage_count):
        block = &program.storage[i]
        if block.slot < SLOTS and block.writable:
            record.writable_mask |= <uint32_t>1 << block.slot
        bound = bound_to(ctx, block)
        if bound == NULL:
            continue
        fill_range(ctx, bound, &ranges[block.slot])
    record.count = program.storage_slots if program.storage_slots < SLOTS else SLOTS
    hash = hash_bytes(ranges, record.count * sizeof(pipe_BufferRange), record.writable_mask)
    if was_sent(session, &ctx.tracked.storage_hash, hash):
        return
    record.buffer_class = PIPE_BUFFER_CLASS_STORAGE
    record.start = 0
    record.content_hash = hash
    session.context.set_shader_buffers(session.self, &record, ranges)


cdef inline ImageUnit* unit_of(Context* ctx, const ImageSlot* slot) noexcept nogil:
    """The image unit that a uniform names; NULL: without a texture."""
    if slot.unit < 0 or slot.unit >= IMAGE_UNITS or ctx.images[slot.unit].texture == NULL:
        return NULL
    return &ctx.images[slot.unit]


cdef void send_images(Context* ctx) noexcept nogil:
    cdef Session* session = ctx.session
    cdef Program* program = ctx.program
    cdef pipe_ImageView views[SLOTS]
    cdef pipe_set_shader_images record
    cdef ImageUnit* unit
    cdef uint32_t i
    cdef uint64_t hash
    if program.image_count == 0:
        return
    memset(views, 0, sizeof(views))
    record.count = program.image_count if program.image_count < SLOTS else SLOTS
    for i in range(record.count):
        views[i].slot = i
        views[i].access = GL_READ_ONLY
        unit = unit_of(ctx, &program.images[i])
        if unit == NULL or unit.level >= LEVELS:
            continue
        ensure_texture(ctx, unit.texture)
        views[i].resource = unit.texture.handle
        views[i].format = unit.number
        views[i].level = unit.level
        views[i].layer = unit.layer
        views[i].layered = unit.layered
        views[i].access = unit.access
    hash = hash_bytes(views, record.count * sizeof(pipe_ImageView), record.count)
    if was_sent(session, &ctx.tracked.images_hash, hash):
        return
    record.pad0 = 0
    record.content_hash = hash
    session.context.set_shader_images(session.self, &record, views)


cdef bint stores_reach(Context* ctx, const Buffer* buffer) noexcept nogil:
    cdef Program* program = ctx.program
    cdef IndexedBuffer* bound
    cdef ImageUnit* unit
    cdef uint32_t i
    for i in range(program.storage_count):
        bound = bound_to(ctx, &program.storage[i])
        if bound != NULL and bound.buffer == buffer:
            return True
    for i in range(program.image_count):
        unit = unit_of(ctx, &program.images[i])
        if unit != NULL and unit.texture.buffer == buffer:
            return True
    return False


cdef void mark_image(const ImageUnit* unit) noexcept nogil:
    cdef Texture* texture = unit.texture
    cdef uint32_t face
    if texture.target == GL_TEXTURE_BUFFER:
        if texture.buffer != NULL:
            buffer_gpu_wrote(texture.buffer, texture.buffer_offset,
                             texture.buffer_size if texture.buffer_size else texture.buffer.size)
        return
    if unit.level >= LEVELS:
        return
    if texture.target != GL_TEXTURE_CUBE_MAP:
        if unit.layered:
            mark_level(&texture.levels[unit.level], OWNER_GPU)
        else:
            mark_layers(&texture.levels[unit.level], unit.layer, 1, OWNER_GPU)
        return
    for face in range(texture.faces):
        if unit.layered or face == unit.layer:
            mark_level(&texture.levels[face * LEVELS + unit.level], OWNER_GPU)


cdef void mark_stores(Context* ctx) noexcept nogil:
    """Like the framebuffer's marks, made when a verb validates: whoever takes bytes back for the client raises the
    group's generation, and the next verb validates and marks again."""
    cdef Program* program = ctx.program
    cdef IndexedBuffer* bound
    cdef ImageUnit* unit
    cdef uint32_t i
    for i in range(program.storage_count):
        bound = bound_to(ctx, &program.storage[i]) if program.storage[i].writable else NULL
        if bound != NULL:
            buffer_gpu_wrote(bound.buffer, bound.offset, bound.size if bound.size else bound.buffer.size)
    for i in range(program.image_count):
        unit = unit_of(ctx, &program.images[i]) if program.images[i].writable else NULL
        if unit != NULL and unit.access != GL_READ_ONLY:
            mark_image(unit)


cdef void send_indirect_buffers(Context* ctx, Buffer* draw, Buffer* parameter, Buffer* dispatch) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_set_indirect_buffers record
    memset(&record, 0, sizeof(record))
    if draw != NULL:
        ensure_buffer(ctx, draw)
        record.draw = draw.handle
    if parameter != NULL:
        ensure_buffer(ctx, parameter)
        record.parameter = parameter.handle
    if dispatch != NULL:
        ensure_buffer(ctx, dispatch)
        record.dispatch = dispatch.handle
    if (same_handle(record.draw, ctx.tracked.draw_indirect) and same_handle(record.parameter, ctx.tracked.draw_parameter)
            and same_handle(record.dispatch, ctx.tracked.dispatch_indirect)):
        return
    session.context.set_indirect_buffers(session.self, &record)
    ctx.tracked.draw_indirect = record.draw
    ctx.tracked.draw_parameter = record.parameter
    ctx.tracked.dispatch_indirect = record.dispatch
