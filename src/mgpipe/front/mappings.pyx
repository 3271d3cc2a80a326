# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Mappings (specification 6.3). An ordinary one points into the shadow: what the program writes there is the one copy.

Storage that can be mapped persistently is pinned where the driver can do that (tracker/pins): every mapping of it is the driver's
own memory. Elsewhere a persistent one is memory of its own (tracker/maps), since the buffer goes on being used: its blocks in the shadow are
sent, replaced and written while the program keeps its pointer. Changes are found before the verbs that read the buffer.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from glenum cimport *
from mgpipe.front.buffers cimport (bound_buffer, buffer_new_storage, buffer_outside, buffer_pull, buffer_target, buffer_take_back,
                                   buffer_wrote)
from mgpipe.front.context cimport (Buffer, Context, GLbitfield, GLboolean, GLenum, GLintptr, GLsizeiptr, set_error,
                                   touch_group)
from mgpipe.links.shadow cimport shadow_pointer, shadow_view
from mgpipe.tracker.buffers cimport track_settle_pinned
from mgpipe.tracker.maps cimport map_begin, map_end, map_next
from mgpipe.tracker.pins cimport pinned_bytes
from mgpipe.tracker.ranges cimport ranges_meet
from mgpipe.tracker.validate cimport track_push_map

cdef enum:
    MAP_BITS = 0xFF             # all there are: read, write, invalidate range and buffer, flush explicit, unsynchronized,
                                # persistent, coherent
    ROUNDS = 1024               # fetches at one time
    STORED_BITS = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT


# ----------------------------------------------------------------------------------------------------------- rules

cdef bint allowed(Context* ctx, Buffer* buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil:
    cdef GLbitfield may = buffer.storage_flags if buffer.immutable else GL_MAP_READ_BIT | GL_MAP_WRITE_BIT
    if buffer_outside(buffer, offset, length) or access & ~<GLbitfield>MAP_BITS:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if (length == 0 or buffer.map_access or not access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)
            or (access & GL_MAP_READ_BIT and access & (GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT
                                                       | GL_MAP_UNSYNCHRONIZED_BIT))
            or (access & GL_MAP_FLUSH_EXPLICIT_BIT and not access & GL_MAP_WRITE_BIT)
            or access & STORED_BITS & ~may):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


# --------------------------------------------------------------------------------------------------------- mapping

cdef bint map_pinned(Context* ctx, Buffer* buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil:
    """Waits for what came before, where a driver would: it may be reading what the program is about to change."""
    if access & GL_MAP_WRITE_BIT and not access & GL_MAP_UNSYNCHRONIZED_BIT:
        if not track_settle_pinned(ctx, buffer):
            return False
    elif access & GL_MAP_READ_BIT and not buffer_pull(ctx, buffer, offset, length):
        return False
    buffer.map_pointer = pinned_bytes(ctx, buffer) + offset
    return True


cdef bint map_shadow(Context* ctx, Buffer* buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil:
    cdef bint whole = offset == 0 and <uint64_t>length == buffer.size
    if access & GL_MAP_INVALIDATE_BUFFER_BIT or (access & GL_MAP_INVALIDATE_RANGE_BIT and whole):
        if not buffer_new_storage(ctx, buffer, buffer.size):
            return False
    elif access & GL_MAP_INVALIDATE_RANGE_BIT:
        buffer_take_back(buffer, offset, offset + length)
    elif not buffer_pull(ctx, buffer, offset, length):      # what is not written must survive, and be whole when it is sent
        return False
    if access & GL_MAP_PERSISTENT_BIT:
        buffer.map_pointer = map_begin(ctx.group, buffer, offset, length, access)
    elif access & GL_MAP_WRITE_BIT:
        buffer.map_pointer = shadow_pointer(ctx.session.shadow, &buffer.shadow, offset, length)
    else:
        buffer.map_pointer = <uint8_t*>shadow_view(ctx.session.shadow, &buffer.shadow, offset, length)
    if buffer.map_pointer == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
    return buffer.map_pointer != NULL


cdef void* map_range(Context* ctx, Buffer* buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil:
    cdef bint mapped
    if buffer.pinned:
        mapped = map_pinned(ctx, buffer, offset, length, access)
    else:
        mapped = map_shadow(ctx, buffer, offset, length, access)
    if not mapped:
        return NULL
    buffer.map_access = access
    buffer.map_offset = offset
    buffer.map_length = length
    touch_group(ctx)                            # drawing from it is an error now, or looks at the mapping
    return buffer.map_pointer


cdef void* MapBufferRange(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    if buffer == NULL or not allowed(ctx, buffer, offset, length, access):
        return NULL
    return map_range(ctx, buffer, offset, length, access)


cdef void* MapBuffer(Context* ctx, GLenum target, GLenum access) noexcept nogil:
    cdef Buffer* buffer
    cdef GLbitfield bits
    if not buffer_target(ctx, target) or not GL_READ_ONLY <= access <= GL_READ_WRITE:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    buffer = bound_buffer(ctx, target)
    bits = access - GL_READ_ONLY + 1            # the three accesses lie in the order of the two bits
    if buffer == NULL or not allowed(ctx, buffer, 0, buffer.size, bits):
        return NULL
    return map_range(ctx, buffer, 0, buffer.size, bits)


cdef void written(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t length) noexcept nogil:
    """Bytes of the mapping, from its start, are the buffer's."""
    if buffer.pinned:                           # always were
        return
    offset += buffer.map_offset
    if buffer.persistent != NULL:
        track_push_map(ctx, buffer, offset, length)
    else:
        buffer_wrote(ctx, buffer, offset, offset + length)


cdef void FlushMappedBufferRange(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr length) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return
    if not buffer.map_access & GL_MAP_FLUSH_EXPLICIT_BIT:
        set_error(ctx, GL_INVALID_OPERATION)
    elif offset < 0 or length < 0 or <uint64_t>offset > buffer.map_length or <uint64_t>length > buffer.map_length - offset:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        written(ctx, buffer, offset, length)


cdef void end(Context* ctx, Buffer* buffer) noexcept nogil:
    map_end(ctx.group, buffer)
    buffer.map_access = 0
    buffer.map_pointer = NULL
    buffer.map_offset = buffer.map_length = 0
    touch_group(ctx)


cdef GLboolean UnmapBuffer(Context* ctx, GLenum target) noexcept nogil:
    cdef Buffer* buffer = bound_buffer(ctx, target)
    if buffer == NULL:
        return GL_FALSE
    if not buffer.map_access:
        set_error(ctx, GL_INVALID_OPERATION)
        return GL_FALSE
    if buffer.map_access & GL_MAP_WRITE_BIT and not buffer.map_access & GL_MAP_FLUSH_EXPLICIT_BIT:
        written(ctx, buffer, 0, buffer.map_length)
    end(ctx, buffer)
    return GL_TRUE


cdef void GetBufferPointerv(Context* ctx, GLenum target, GLenum pname, void** params) noexcept nogil:
    cdef Buffer* buffer
    if not buffer_target(ctx, target) or pname != GL_BUFFER_MAP_POINTER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    buffer = bound_buffer(ctx, target)
    if buffer != NULL:
        params[0] = buffer.map_pointer


# ------------------------------------------------------------------------------------------- persistent mappings

cdef void mappings_fetch(Context* ctx) noexcept nogil:
    cdef Buffer* buffer
    cdef uint32_t rounds = 0
    if ctx.group.maps == NULL or ctx.session.lost:
        return
    buffer = map_next(ctx.group, NULL)
    while buffer != NULL:
        if buffer.map_access & GL_MAP_READ_BIT and ranges_meet(&buffer.gpu, buffer.map_offset,
                                                               buffer.map_offset + buffer.map_length):
            if not buffer_pull(ctx, buffer, buffer.map_offset, buffer.map_length):
                return
            rounds += 1
            if rounds == ROUNDS:                # another thread goes on writing to one
                return
            buffer = map_next(ctx.group, NULL)  # while this one waited, others may have unmapped some
            continue
        buffer = map_next(ctx.group, buffer)


cdef void mappings_barrier(Context* ctx) noexcept nogil:
    cdef Buffer* buffer
    if ctx.group.maps == NULL or ctx.session.lost:
        return
    buffer = map_next(ctx.group, NULL)
    while buffer != NULL:
        if not buffer.map_access & GL_MAP_FLUSH_EXPLICIT_BIT:
            track_push_map(ctx, buffer, buffer.map_offset, buffer.map_length)
        buffer = map_next(ctx.group, buffer)
