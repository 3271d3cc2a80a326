# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Buffer objects: names, bindings, contents. Bytes are copied once, at the call, into the buffer's shadow; nothing is sent from here.

What a verb could notice is covered twice: a binding raises the context's dirty bit, new bytes or storage raise the group's
generation and put the buffer on the list of what leaves first.

The shadow has the newest bytes of all but the ranges in `buffer.gpu`, which verbs may have written (tracker/outputs.pxd).
What the program writes leaves that set, what it reads is fetched and leaves it too: a read waits only for bytes in it.
Bytes that are `pending` are never in it.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy

from glenum cimport *
from pipe cimport PIPE_REPLY_OK, pipe_Blob
from mgpipe.client.session cimport Session, Taker, reply_at, reply_in_shadow, reply_lands, reply_limit, reply_release, reply_reserve
from mgpipe.front.context cimport (ATOMIC_BINDINGS, ATTRIBS, DIRTY_STORAGE, DIRTY_UNIFORM_BUFFERS, DIRTY_VERTEX,
                                   FEEDBACK_BINDINGS, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, STORAGE_BINDINGS,
                                   UNIFORM_BINDINGS, Buffer, Context, GLbitfield, GLboolean, GLenum,
                                   GLint, GLint64, GLintptr, GLsizei, GLsizeiptr, GLuint, IndexedBuffer, VertexArray,
                                   buffer_free, buffer_mapped, buffer_range_mapped, name_get, name_make, name_remove, names_generate,
                                   pending_add, set_error, touch_group)
from mgpipe.links.shadow cimport (Block, block_data, shadow_answer, shadow_answered, shadow_clear, shadow_init, shadow_init_pages, shadow_keep,
                                  shadow_read, shadow_write)
from mgpipe.tracker.buffers cimport track_settle_pinned, track_write_pinned
from mgpipe.tracker.maps cimport map_end, map_refresh
from mgpipe.tracker.pins cimport pins_storage
from mgpipe.tracker.ranges cimport RANGES, ranges_add, ranges_join, ranges_meet, ranges_remove, ranges_within
from mgpipe.tracker.validate cimport track_buffer_readback, track_copy_buffer, track_delete_buffer, track_push_map, track_send_buffer

cdef enum:
    STORAGE_BITS = (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | GL_DYNAMIC_STORAGE_BIT
                    | GL_CLIENT_STORAGE_BIT)
    MUTABLE_FLAGS = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT
    OWN_BINDINGS = 14
    DIRECT_READ = 65536         # bytes; more are worth no second copy, even if they are read again


# --------------------------------------------------------------------------------------------------- references

cdef void buffer_hold(Context* ctx, Buffer** place, Buffer* buffer) noexcept nogil:
    cdef Buffer* before = place[0]
    if before == buffer:
        return
    if buffer != NULL:
        buffer.refs += 1
    place[0] = buffer
    if before != NULL:
        let_go(ctx, before)


cdef void let_go(Context* ctx, Buffer* buffer) noexcept nogil:
    buffer.refs -= 1
    if buffer.refs == 0:
        track_delete_buffer(ctx, buffer)
        buffer_free(ctx.group, buffer)


cdef void own_bindings(Context* ctx, Buffer*** places) noexcept nogil:
    """Every binding point without an index that is the context's own."""
    places[0] = &ctx.array_buffer
    places[1] = &ctx.copy_read_buffer
    places[2] = &ctx.copy_write_buffer
    places[3] = &ctx.pixel_pack_buffer
    places[4] = &ctx.pixel_unpack_buffer
    places[5] = &ctx.texture_buffer
    places[6] = &ctx.uniform_buffer
    places[7] = &ctx.feedback_buffer
    places[8] = &ctx.storage_buffer
    places[9] = &ctx.atomic_buffer
    places[10] = &ctx.draw_indirect_buffer
    places[11] = &ctx.dispatch_indirect_buffer
    places[12] = &ctx.parameter_buffer
    places[13] = &ctx.query_buffer


cdef void buffers_release(Context* ctx) noexcept nogil:
    cdef Buffer** places[OWN_BINDINGS]
    cdef uint32_t i
    own_bindings(ctx, places)
    for i in range(OWN_BINDINGS):
        buffer_hold(ctx, places[i], NULL)
    for i in range(UNIFORM_BINDINGS):
        buffer_hold(ctx, &ctx.uniform_buffers[i].buffer, NULL)
    for i in range(STORAGE_BINDINGS):
        buffer_hold(ctx, &ctx.storage_buffers[i].buffer, NULL)
    for i in range(ATOMIC_BINDINGS):
        buffer_hold(ctx, &ctx.atomic_buffers[i].buffer, NULL)


# -------------------------------------------------------------------------------------------------- binding points

cdef inline Buffer** binding_point(Context* ctx, GLenum target) noexcept nogil:
    """Where a target's buffer stands; NULL: no target."""
    if target == GL_ARRAY_BUFFER: return &ctx.array_buffer
    if target == GL_ELEMENT_ARRAY_BUFFER: return &ctx.vertex_array.elements
    if target == GL_UNIFORM_BUFFER: return &ctx.uniform_buffer
    if target == GL_COPY_READ_BUFFER: return &ctx.copy_read_buffer
    if target == GL_COPY_WRITE_BUFFER: return &ctx.copy_write_buffer
    if target == GL_PIXEL_PACK_BUFFER: return &ctx.pixel_pack_buffer
    if target == GL_PIXEL_UNPACK_BUFFER: return &ctx.pixel_unpack_buffer
    if target == GL_TEXTURE_BUFFER: return &ctx.texture_buffer
    if target == GL_TRANSFORM_FEEDBACK_BUFFER: return &ctx.feedback_buffer
    if target == GL_SHADER_STORAGE_BUFFER: return &ctx.storage_buffer
    if target == GL_ATOMIC_COUNTER_BUFFER: return &ctx.atomic_buffer
    if target == GL_DRAW_INDIRECT_BUFFER: return &ctx.draw_indirect_buffer
    if target == GL_DISPATCH_INDIRECT_BUFFER: return &ctx.dispatch_indirect_buffer
    if target == GL_PARAMETER_BUFFER: return &ctx.parameter_buffer
    if target == GL_QUERY_BUFFER and ctx.version >= 44: return &ctx.query_buffer
    return NULL


cdef bint buffer_target(Context* ctx, GLenum target) noexcept nogil:
    return binding_point(ctx, target) != NULL


cdef Buffer* bound_buffer(Context* ctx, GLenum target) noexcept nogil:
    """The buffer that a command on `target` works on; NULL: the error is set."""
    cdef Buffer** place = binding_point(ctx, target)
    if place == NULL:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    if place[0] == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    return place[0]


cdef bint named_buffer(Context* ctx, GLuint name, Buffer** found) noexcept nogil:
    """The object of a name that is about to be bound, made now if need be; 0 is none. False: the error is set."""
    cdef Buffer* buffer
    found[0] = NULL
    if name == 0:
        return True
    buffer = <Buffer*>name_get(&ctx.group.buffers, name)
    if buffer == NULL:
        buffer = <Buffer*>name_make(ctx, &ctx.group.buffers, name, sizeof(Buffer))
        if buffer == NULL:
            return False
        buffer.name = name
        buffer.refs = 1
        buffer.usage = GL_STATIC_DRAW
    found[0] = buffer
    return True


cdef bint existing_buffer(Context* ctx, GLuint name, Buffer** found) noexcept nogil:
    found[0] = <Buffer*>name_get(&ctx.group.buffers, name) if name else NULL
    if found[0] == NULL and name:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void GenBuffers(Context* ctx, GLsizei n, GLuint* buffers) noexcept nogil:
    names_generate(ctx, &ctx.group.buffers, n, buffers)


cdef void unbind_indexed(Context* ctx, IndexedBuffer* bound, uint32_t count, Buffer* buffer, uint32_t dirty) noexcept nogil:
    cdef uint32_t i
    for i in range(count):
        if bound[i].buffer == buffer:
            buffer_hold(ctx, &bound[i].buffer, NULL)
            bound[i].offset = bound[i].size = 0
            ctx.dirty |= dirty


cdef void unbind_everywhere(Context* ctx, Buffer* buffer) noexcept nogil:
    """As if 0 were bound wherever this context and its bound vertex array have the buffer (specification 5.1.2)."""
    cdef VertexArray* array = ctx.vertex_array
    cdef Buffer** places[OWN_BINDINGS]
    cdef uint32_t i
    unbind_indexed(ctx, ctx.storage_buffers, STORAGE_BINDINGS, buffer, DIRTY_STORAGE)
    unbind_indexed(ctx, ctx.atomic_buffers, ATOMIC_BINDINGS, buffer, DIRTY_STORAGE)
    own_bindings(ctx, places)
    for i in range(OWN_BINDINGS):
        if places[i][0] == buffer:
            buffer_hold(ctx, places[i], NULL)
    for i in range(UNIFORM_BINDINGS):
        if ctx.uniform_buffers[i].buffer == buffer:
            buffer_hold(ctx, &ctx.uniform_buffers[i].buffer, NULL)
            ctx.uniform_buffers[i].offset = ctx.uniform_buffers[i].size = 0
            ctx.dirty |= DIRTY_UNIFORM_BUFFERS
    for i in range(FEEDBACK_BINDINGS):
        if ctx.feedback.buffers[i].buffer == buffer:
            buffer_hold(ctx, &ctx.feedback.buffers[i].buffer, NULL)
            ctx.feedback.buffers[i].offset = ctx.feedback.buffers[i].size = 0
    for i in range(ATTRIBS):
        if array.bindings[i].buffer == buffer:
            buffer_hold(ctx, &array.bindings[i].buffer, NULL)
            array.generation += 1
            ctx.dirty |= DIRTY_VERTEX
    if array.elements == buffer:
        buffer_hold(ctx, &array.elements, NULL)
        array.generation += 1
        ctx.dirty |= DIRTY_VERTEX


cdef void map_drop(Context* ctx, Buffer* buffer) noexcept nogil:
    map_end(ctx.group, buffer)
    buffer.map_access = 0
    buffer.map_pointer = NULL
    buffer.map_offset = buffer.map_length = 0


cdef void DeleteBuffers(Context* ctx, GLsizei n, const GLuint* buffers) noexcept nogil:
    cdef Buffer* buffer
    cdef GLsizei i
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        if buffers[i] == 0:
            continue
        buffer = <Buffer*>name_remove(&ctx.group.buffers, buffers[i])
        if buffer == NULL:
            continue
        map_drop(ctx, buffer)                   # a mapping ends with the name
        buffer.deleted = 1
        unbind_everywhere(ctx, buffer)
        touch_group(ctx)
        let_go(ctx, buffer)


cdef GLboolean IsBuffer(Context* ctx, GLuint buffer) noexcept nogil:
    return name_get(&ctx.group.buffers, buffer) != NULL


cdef void BindBuffer(Context* ctx, GLenum target, GLuint buffer) noexcept nogil:
    cdef Buffer** place = binding_point(ctx, target)
    cdef Buffer* object
    if place == NULL:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if (place[0] == NULL and buffer == 0) or (place[0] != NULL and place[0].name == buffer and not place[0].deleted):
        return
    if not named_buffer(ctx, buffer, &object):
        return
    buffer_hold(ctx, place, object)
    if target == GL_ELEMENT_ARRAY_BUFFER:       # part of the vertex array; the others are looked at by commands only
        ctx.vertex_array.generation += 1
        ctx.dirty |= DIRTY_VERTEX


cdef IndexedBuffer* indexed_bindings(Context* ctx, GLenum target, uint32_t* count) noexcept nogil:
    """A target's binding points and how many there are; NULL: the error is set."""
    if target == GL_UNIFORM_BUFFER:
        count[0] = min(<uint32_t>UNIFORM_BINDINGS, <uint32_t>ctx.session.caps.max_uniform_buffer_bindings)
        return ctx.uniform_buffers
    if target == GL_SHADER_STORAGE_BUFFER:
        count[0] = min(<uint32_t>STORAGE_BINDINGS, <uint32_t>ctx.session.caps.max_shader_storage_buffer_bindings)
        return ctx.storage_buffers
    if target == GL_ATOMIC_COUNTER_BUFFER:
        count[0] = min(<uint32_t>ATOMIC_BINDINGS, <uint32_t>ctx.session.caps.max_atomic_counter_buffer_bindings)
        return ctx.atomic_buffers
    if target == GL_TRANSFORM_FEEDBACK_BUFFER:
        count[0] = FEEDBACK_BINDINGS
        return ctx.feedback.buffers
    set_error(ctx, GL_INVALID_ENUM)
    return NULL


cdef void put_indexed(Context* ctx, GLenum target, IndexedBuffer* bound, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    if bound.buffer == buffer and bound.offset == offset and bound.size == size:
        return
    buffer_hold(ctx, &bound.buffer, buffer)
    bound.offset = offset
    bound.size = size
    if target == GL_UNIFORM_BUFFER:
        ctx.dirty |= DIRTY_UNIFORM_BUFFERS
    elif target != GL_TRANSFORM_FEEDBACK_BUFFER:
        ctx.dirty |= DIRTY_STORAGE


cdef bint captures(Context* ctx, GLenum target) noexcept nogil:
    """A capture's buffers stay what they are while it is active, paused or not."""
    if target == GL_TRANSFORM_FEEDBACK_BUFFER and ctx.feedback.active:
        set_error(ctx, GL_INVALID_OPERATION)
        return True
    return False


cdef void bind_indexed(Context* ctx, GLenum target, GLuint index, GLuint name, uint64_t offset, uint64_t size) noexcept nogil:
    cdef uint32_t count = 0
    cdef IndexedBuffer* bindings = indexed_bindings(ctx, target, &count)
    cdef Buffer* object
    if bindings == NULL:
        return
    if index >= count:
        set_error(ctx, GL_INVALID_VALUE)
    elif not captures(ctx, target) and named_buffer(ctx, name, &object):
        buffer_hold(ctx, binding_point(ctx, target), object)
        put_indexed(ctx, target, &bindings[index], object, offset, size)


cdef bint range_allowed(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr size) noexcept nogil:
    """False: the error is set."""
    cdef int64_t alignment = 1
    if target == GL_UNIFORM_BUFFER:
        alignment = ctx.session.caps.uniform_buffer_offset_alignment
    elif target == GL_SHADER_STORAGE_BUFFER:
        alignment = ctx.session.caps.shader_storage_buffer_offset_alignment
    elif target == GL_TRANSFORM_FEEDBACK_BUFFER or target == GL_ATOMIC_COUNTER_BUFFER:
        alignment = 4
    if (size <= 0 or offset < 0 or (alignment > 1 and offset % alignment)
            or (target == GL_TRANSFORM_FEEDBACK_BUFFER and size & 3)):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


cdef void BindBufferBase(Context* ctx, GLenum target, GLuint index, GLuint buffer) noexcept nogil:
    bind_indexed(ctx, target, index, buffer, 0, 0)


cdef void BindBufferRange(Context* ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                          GLsizeiptr size) noexcept nogil:
    if buffer == 0:                             # offset and size mean nothing then
        bind_indexed(ctx, target, index, 0, 0, 0)
    elif range_allowed(ctx, target, offset, size):
        bind_indexed(ctx, target, index, buffer, offset, size)


cdef void bind_many(Context* ctx, GLenum target, GLuint first, GLsizei count, const GLuint* names, const GLintptr* offsets,
                    const GLsizeiptr* sizes) noexcept nogil:
    """Without names: none is bound. An error leaves only its binding point as it was; the target's own binding stays."""
    cdef uint32_t points = 0
    cdef IndexedBuffer* bindings = indexed_bindings(ctx, target, &points)
    cdef Buffer* object
    cdef GLsizei i
    if bindings == NULL:
        return
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if first > points or <uint32_t>count > points - first:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if captures(ctx, target):
        return
    for i in range(count):
        if names == NULL or names[i] == 0:
            put_indexed(ctx, target, &bindings[first + i], NULL, 0, 0)
        elif sizes != NULL and not range_allowed(ctx, target, offsets[i], sizes[i]):
            continue
        elif existing_buffer(ctx, names[i], &object):
            put_indexed(ctx, target, &bindings[first + i], object, offsets[i] if sizes != NULL else 0,
                        sizes[i] if sizes != NULL else 0)


cdef void BindBuffersBase(Context* ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers) noexcept nogil:
    bind_many(ctx, target, first, count, buffers, NULL, NULL)


cdef void BindBuffersRange(Context* ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers,
                           const GLintptr* offsets, const GLsizeiptr* sizes) noexcept nogil:
    bind_many(ctx, target, first, count, buffers, offsets, sizes)


# -------------------------------------------------------------------------------------------------------- contents

cdef void buffer_take_back(Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil:
    """The client has the newest of these bytes."""
    ranges_remove(&buffer.gpu, low, high)
    buffer.owner = OWNER_GPU if buffer.gpu.count else OWNER_CLIENT


cdef void buffer_wrote(Context* ctx, Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil:
    if low >= high:
        return
    buffer_take_back(buffer, low, high)
    # One more range may not fit in, and what lies between two may not be ours to send.
    if buffer.gpu.count and not ranges_join(&buffer.pending, low, high):
        track_send_buffer(ctx, buffer)
    ranges_add(&buffer.pending, low, high)
    pending_add(ctx.group, buffer, False)
    touch_group(ctx)


cdef bint keep_answer(Context* ctx, Buffer* buffer, uint64_t offset, const uint8_t* at, uint64_t size) noexcept nogil:
    """Into the shadow, but for what another thread wrote while this one waited: that is newer."""
    cdef uint64_t low, high
    cdef uint32_t i
    if buffer.persistent != NULL:
        track_push_map(ctx, buffer, offset, size)
    for i in range(buffer.gpu.count):
        low = max(buffer.gpu.low[i], offset)
        high = min(buffer.gpu.high[i], offset + size)
        if low >= high:
            continue
        if shadow_keep(ctx.session.shadow, &buffer.shadow, low, at + (low - offset), high - low) != 0:
            return False
        if buffer.persistent != NULL:
            map_refresh(ctx.session, buffer, low, high)
    return True


cdef struct Bytes:                  # of one answer, on their way to the program
    Taker taker
    const uint8_t* source
    uint8_t* target
    uint64_t taken, size


cdef void take_bytes(Taker* taker, uint64_t done) noexcept nogil:
    cdef Bytes* bytes = <Bytes*>taker
    done = min(done, bytes.size)
    if done > bytes.taken and bytes.source != bytes.target:
        memcpy(bytes.target + bytes.taken, bytes.source + bytes.taken, done - bytes.taken)
        bytes.taken = done


cdef bint read_in_place(Context* ctx, Buffer* buffer, Block* block, uint64_t offset, pipe_Blob* blob) noexcept nogil:
    """The server's bytes, which it writes to where they lie in the shadow."""
    cdef Session* session = ctx.session
    cdef bint failed = track_buffer_readback(ctx, buffer, offset, blob, NULL) != PIPE_REPLY_OK
    session.stats.answer_bytes += blob.size
    if not failed and not keep_answer(ctx, buffer, offset, block_data(session.shadow, block) + (blob.offset - block.offset), blob.size):
        set_error(ctx, GL_OUT_OF_MEMORY)
        failed = True
    shadow_answered(session.shadow, block, session.emitted)
    return not failed


cdef bint read_server(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size, uint8_t* target) noexcept nogil:
    """The server's bytes, into `target` or (NULL) into the shadow; through answers, in as many as those may be long, only where
    it cannot write there itself."""
    cdef pipe_Blob blob
    cdef uint64_t band, end = offset + size
    cdef bint lands = target != NULL and reply_lands(ctx.session, <uintptr_t>target)
    cdef Bytes bytes
    cdef Block* block
    cdef uint8_t* at
    cdef bint failed
    bytes.taker.take = take_bytes
    ctx.session.stats.reads += 1
    if target == NULL and buffer.persistent == NULL and reply_in_shadow(ctx.session):    # else the mapping is compared with the old bytes
        block = shadow_answer(ctx.session.shadow, &buffer.shadow, offset, size, &blob)
        if block != NULL:
            return read_in_place(ctx, buffer, block, offset, &blob)
    while offset < end:
        band = end - offset if lands else min(end - offset, reply_limit(ctx.session))
        at = reply_at(ctx.session, target, band, &blob) if lands else reply_reserve(ctx.session, band, &blob)
        if at == NULL:
            set_error(ctx, GL_OUT_OF_MEMORY)
            return False
        bytes.source = at
        bytes.target = target
        bytes.taken = 0
        bytes.size = band
        failed = track_buffer_readback(ctx, buffer, offset, &blob, &bytes.taker if target != NULL else NULL) != PIPE_REPLY_OK
        if not failed:
            if target != NULL:
                take_bytes(&bytes.taker, band)
                target += band
            elif not keep_answer(ctx, buffer, offset, at, band):
                set_error(ctx, GL_OUT_OF_MEMORY)
                failed = True
        reply_release(ctx.session, &blob)
        if failed:
            return False
        offset += band
    return True


cdef bint buffer_pull(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil:
    cdef uint64_t end = offset + size, low, high
    cdef uint32_t i = 0, marks = buffer.gpu_marks
    if buffer.pinned:
        if not ranges_meet(&buffer.gpu, offset, end):
            return True
        ctx.session.stats.reads += 1
        return track_settle_pinned(ctx, buffer)
    if buffer.persistent != NULL:               # what the program wrote there is newer than either
        track_push_map(ctx, buffer, 0, buffer.size)
    while i < buffer.gpu.count:
        low = buffer.gpu.low[i]
        high = buffer.gpu.high[i]
        if high <= offset or end <= low:
            i += 1
            continue
        if buffer.gpu.count < RANGES:           # else the rest could not be kept apart: fetch it along
            low = max(low, offset)
            high = min(high, end)
        if not read_server(ctx, buffer, low, high - low, NULL):
            return False
        if buffer.gpu_marks != marks:           # by another thread, perhaps after the answer: it stays the server's
            marks = buffer.gpu_marks
            i += 1
            continue
        buffer_take_back(buffer, low, high)
        touch_group(ctx)                        # a verb that writes it is to mark it again
    return True


cdef bint buffer_new_storage(Context* ctx, Buffer* buffer, uint64_t size) noexcept nogil:
    """Storage with undefined contents. The old blocks stay until the server has read them: an orphan never waits."""
    cdef int failed
    shadow_clear(ctx.session.shadow, &buffer.shadow)
    buffer.pending.count = buffer.gpu.count = 0
    buffer.owner = OWNER_NONE
    buffer.respecify = 1
    buffer.size = size
    if buffer.pinned:
        failed = shadow_init_pages(ctx.session.shadow, &buffer.shadow, size)
    else:
        failed = shadow_init(ctx.session.shadow, &buffer.shadow, size)
    if failed:
        buffer.size = 0
        set_error(ctx, GL_OUT_OF_MEMORY)
    pending_add(ctx.group, buffer, False)
    touch_group(ctx)
    return buffer.size == size


cdef bint write(Context* ctx, Buffer* buffer, uint64_t offset, const void* data, uint64_t size) noexcept nogil:
    if buffer.pinned:
        if track_write_pinned(ctx, buffer, offset, <const uint8_t*>data, size):
            return True
        set_error(ctx, GL_OUT_OF_MEMORY)
        return False
    if buffer.persistent != NULL:               # what the program wrote there came before
        track_push_map(ctx, buffer, 0, buffer.size)
    if shadow_write(ctx.session.shadow, &buffer.shadow, offset, data, size) != 0:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return False
    ctx.session.stats.client_copy_bytes += size
    if buffer.persistent != NULL:
        map_refresh(ctx.session, buffer, offset, offset + size)
    buffer_wrote(ctx, buffer, offset, offset + size)
    return True


cdef inline bint is_usage(GLenum usage) noexcept nogil:
    return (GL_STREAM_DRAW <= usage <= GL_STREAM_COPY or GL_STATIC_DRAW <= usage <= GL_STATIC_COPY
            or GL_DYNAMIC_DRAW <= usage <= GL_DYNAMIC_COPY)


cdef void BufferData(Context* ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) noexcept nogil:
    cdef Buffer* buffer
    if binding_point(ctx, target) == NULL or not is_usage(usage):
        set_error(ctx, GL_INVALID_ENUM)
        return
    if size < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return
    if buffer.immutable:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    map_drop(ctx, buffer)                       # new storage ends a mapping
    buffer.usage = usage
    if buffer_new_storage(ctx, buffer, size) and data != NULL and size:
        write(ctx, buffer, 0, data, size)


cdef void BufferStorage(Context* ctx, GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) noexcept nogil:
    cdef Buffer* buffer
    if binding_point(ctx, target) == NULL:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if (size <= 0 or flags & ~<GLbitfield>STORAGE_BITS
            or (flags & GL_MAP_PERSISTENT_BIT and not flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT))
            or (flags & GL_MAP_COHERENT_BIT and not flags & GL_MAP_PERSISTENT_BIT)):
        set_error(ctx, GL_INVALID_VALUE)
        return
    buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return
    if buffer.immutable:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    map_drop(ctx, buffer)
    buffer.usage = GL_DYNAMIC_DRAW
    buffer.pinned = flags & GL_MAP_PERSISTENT_BIT and pins_storage(ctx)
    if buffer_new_storage(ctx, buffer, size):
        buffer.immutable = 1
        buffer.storage_flags = flags
        if data != NULL:
            write(ctx, buffer, 0, data, size)


cdef void BufferSubData(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr size, const void* data) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return
    if buffer_outside(buffer, offset, size):
        set_error(ctx, GL_INVALID_VALUE)
    elif buffer_range_mapped(buffer, offset, size) or (buffer.immutable and not buffer.storage_flags & GL_DYNAMIC_STORAGE_BIT):
        set_error(ctx, GL_INVALID_OPERATION)
    elif size and data != NULL:
        write(ctx, buffer, offset, data, size)


cdef void GetBufferSubData(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr size, void* data) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return
    if buffer_outside(buffer, offset, size):
        set_error(ctx, GL_INVALID_VALUE)
    elif buffer_mapped(buffer):
        set_error(ctx, GL_INVALID_OPERATION)
    elif size == 0:
        return
    elif size > DIRECT_READ and buffer.persistent == NULL and not buffer.pinned and ranges_within(&buffer.gpu, offset, offset + size):
        read_server(ctx, buffer, offset, size, <uint8_t*>data)      # one copy, not two: it stays the server's
    elif buffer_pull(ctx, buffer, offset, size):
        shadow_read(ctx.session.shadow, &buffer.shadow, offset, data, size)


cdef void CopyBufferSubData(Context* ctx, GLenum readTarget, GLenum writeTarget, GLintptr readOffset, GLintptr writeOffset,
                            GLsizeiptr size) noexcept nogil:
    cdef Buffer* source
    cdef Buffer* target
    if binding_point(ctx, readTarget) == NULL or binding_point(ctx, writeTarget) == NULL:
        set_error(ctx, GL_INVALID_ENUM)
        return
    source = bound_buffer(ctx, readTarget)
    target = bound_buffer(ctx, writeTarget)
    if source == NULL or target == NULL:
        return
    if buffer_mapped(source) or buffer_mapped(target):
        set_error(ctx, GL_INVALID_OPERATION)
    elif buffer_outside(source, readOffset, size) or buffer_outside(target, writeOffset, size):
        set_error(ctx, GL_INVALID_VALUE)
    elif source == target and readOffset < writeOffset + size and writeOffset < readOffset + size:
        set_error(ctx, GL_INVALID_VALUE)
    elif size:
        track_copy_buffer(ctx, source, target, readOffset, writeOffset, size)


# --------------------------------------------------------------------------------------------------------- queries

cdef int64_t parameter(Context* ctx, GLenum target, GLenum pname, bint* failed) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    failed[0] = buffer == NULL
    if failed[0]:
        return 0
    if pname == GL_BUFFER_SIZE: return <int64_t>buffer.size
    if pname == GL_BUFFER_USAGE: return buffer.usage
    if pname == GL_BUFFER_MAPPED: return buffer.map_access != 0
    if pname == GL_BUFFER_ACCESS_FLAGS: return buffer.map_access
    if pname == GL_BUFFER_MAP_OFFSET: return <int64_t>buffer.map_offset
    if pname == GL_BUFFER_MAP_LENGTH: return <int64_t>buffer.map_length
    if pname == GL_BUFFER_ACCESS:
        if buffer.map_access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT) == GL_MAP_READ_BIT:
            return GL_READ_ONLY
        return GL_WRITE_ONLY if buffer.map_access and not buffer.map_access & GL_MAP_READ_BIT else GL_READ_WRITE
    if pname == GL_BUFFER_IMMUTABLE_STORAGE: return buffer.immutable
    if pname == GL_BUFFER_STORAGE_FLAGS:        # of BufferData: as table 6.3 says
        return buffer.storage_flags if buffer.immutable else MUTABLE_FLAGS
    set_error(ctx, GL_INVALID_ENUM)
    failed[0] = True
    return 0


cdef void GetBufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    cdef bint failed
    cdef int64_t value = parameter(ctx, target, pname, &failed)
    if not failed:
        params[0] = 0x7FFFFFFF if value > 0x7FFFFFFF else <GLint>value


cdef void GetBufferParameteri64v(Context* ctx, GLenum target, GLenum pname, GLint64* params) noexcept nogil:
    cdef bint failed
    cdef int64_t value = parameter(ctx, target, pname, &failed)
    if not failed:
        params[0] = value
