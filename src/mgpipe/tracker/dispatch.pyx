# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dispatches, barriers, indirect draws. See dispatch.pxd.

Draws and dispatches share the program's slots, and each leaves the other a dirty bit. A dispatch with nothing changed
costs the compares of `clean` and one record.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from pipe cimport (pipe_draw_indirect, pipe_launch_grid, pipe_memory_barrier)
from mgpipe.client.session cimport Session
from mgpipe.front.context cimport (DIRTY_FOR_COMPUTE, DIRTY_FOR_DRAWS, DIRTY_IMAGES, DIRTY_MAPS, DIRTY_PROGRAM, DIRTY_STORAGE,
                                   DIRTY_TEXTURES, DIRTY_UNIFORM_BUFFERS, Buffer, Context)
from mgpipe.tracker.mirror cimport Mirror, mirror_of
from mgpipe.tracker.state cimport send_compute_program, send_textures, send_uniform_buffers
from mgpipe.tracker.storage cimport mark_stores, send_images, send_indirect_buffers, send_storage
from mgpipe.tracker.validate cimport begin_verb, end_verb, push_coherent, validate_draw

cdef enum:
    # What a dispatch consumes, as bits of ctx.dirty.
    COMPUTE_STATE = (DIRTY_PROGRAM | DIRTY_TEXTURES | DIRTY_UNIFORM_BUFFERS | DIRTY_STORAGE | DIRTY_IMAGES
                     | DIRTY_MAPS | DIRTY_FOR_COMPUTE)


cdef inline bint clean(Context* ctx) noexcept nogil:
    cdef Mirror* mirror = mirror_of(ctx.session)
    return (not ctx.dirty & COMPUTE_STATE and ctx.group.generation == ctx.tracked.generation and mirror != NULL
            and mirror.current == ctx and not ctx.program.constants_dirty)


cdef void validate(Context* ctx) noexcept nogil:
    begin_verb(ctx)
    if ctx.group.coherent_maps:
        push_coherent(ctx)
    send_compute_program(ctx)
    send_textures(ctx)
    send_uniform_buffers(ctx)
    send_storage(ctx)
    send_images(ctx)
    mark_stores(ctx)
    ctx.dirty = (ctx.dirty & ~<uint32_t>COMPUTE_STATE | DIRTY_FOR_DRAWS
                 | (DIRTY_MAPS if ctx.group.coherent_maps else 0))


cdef void launch(Context* ctx, const pipe_launch_grid* record) noexcept nogil:
    ctx.session.context.launch_grid(ctx.session.self, record)
    end_verb(ctx)


cdef void track_launch_grid(Context* ctx, uint32_t x, uint32_t y, uint32_t z) noexcept nogil:
    cdef pipe_launch_grid record
    if not clean(ctx):
        validate(ctx)
    record.grid[0] = x
    record.grid[1] = y
    record.grid[2] = z
    record.indirect = 0
    record.offset = 0
    launch(ctx, &record)


cdef void track_launch_grid_indirect(Context* ctx, Buffer* commands, uint64_t offset) noexcept nogil:
    cdef pipe_launch_grid record
    if not clean(ctx):
        validate(ctx)
    send_indirect_buffers(ctx, NULL, NULL, commands)
    memset(&record, 0, sizeof(record))
    record.indirect = 1
    record.offset = offset
    launch(ctx, &record)


cdef void track_memory_barrier(Context* ctx, uint32_t bits, bint by_region) noexcept nogil:
    cdef pipe_memory_barrier record
    begin_verb(ctx)
    record.bits = bits
    record.by_region = by_region
    ctx.session.context.memory_barrier(ctx.session.self, &record)


cdef void track_texture_barrier(Context* ctx) noexcept nogil:
    begin_verb(ctx)
    ctx.session.context.texture_barrier(ctx.session.self)


cdef void track_draw_indirect(Context* ctx, uint32_t mode, uint32_t index_size, Buffer* commands, uint64_t offset,
                              uint32_t count, uint32_t stride, Buffer* parameter, uint64_t parameter_offset) noexcept nogil:
    cdef Session* session = ctx.session
    cdef pipe_draw_indirect record
    validate_draw(ctx)
    send_indirect_buffers(ctx, commands, parameter, NULL)
    record.mode = mode
    record.index_size = index_size
    record.offset = offset
    record.count_offset = parameter_offset
    record.draw_count = count
    record.stride = stride
    record.has_count = parameter != NULL
    record.pad0 = 0
    session.context.draw_indirect(session.self, &record)
    session.stats.draws += count
    end_verb(ctx)
