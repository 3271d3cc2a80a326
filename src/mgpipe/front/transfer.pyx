# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory of pixel transfers. See transfer.pxd.

A pixel buffer is read and written through its shadow: correct, though a pack waits for its pixels.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memset

from glenum cimport GL_INVALID_OPERATION, GL_MAP_PERSISTENT_BIT, GL_OUT_OF_MEMORY
from pipe cimport pipe_Blob
from pipe_formats cimport pipe_pixel_types
from mgpipe.client.session cimport reply_limit, reply_release, reply_reserve
from mgpipe.front.context cimport (OWNER_BOTH, OWNER_CLIENT, OWNER_GPU, Buffer, Context, pending_add, set_error, touch_group)
from mgpipe.front.pixels cimport UserImage
from mgpipe.links.shadow cimport Arena, shadow_init, shadow_pointer, shadow_view, shadow_write
from mgpipe.tracker.validate cimport track_buffer_readback

cdef bint buffer_download(Context* ctx, Buffer* buffer) noexcept nogil:
    cdef Arena* arena = ctx.session.shadow
    cdef uint64_t limit = reply_limit(ctx.session)
    cdef uint64_t at = 0, size
    cdef pipe_Blob blob
    cdef uint8_t* bytes
    cdef bint failed = False
    if buffer.shadow.size != buffer.size:
        if shadow_init(arena, &buffer.shadow, buffer.size) != 0:
            return False
        if buffer.owner != OWNER_GPU:           # nobody ever wrote: give zeros rather than another buffer's bytes
            bytes = shadow_pointer(arena, &buffer.shadow, 0, buffer.size)
            if bytes == NULL:
                return False
            memset(bytes, 0, buffer.size)
    if buffer.owner != OWNER_GPU:
        return True
    while at < buffer.size and not failed:
        size = buffer.size - at
        if size > limit:
            size = limit
        bytes = reply_reserve(ctx.session, size, &blob)
        if bytes == NULL:
            return False
        failed = track_buffer_readback(ctx, buffer, at, &blob) != 0 \
            or shadow_write(arena, &buffer.shadow, at, bytes, size) != 0
        reply_release(ctx.session, &blob)
        at += size
    if not failed:
        buffer.owner = OWNER_BOTH
    return not failed


cdef bint buffer_range(Context* ctx, Buffer* buffer, const UserImage* image, const void* pixels) noexcept nogil:
    """The rules for an offset into a pixel buffer (specification 8.4.1, 18.2.8)."""
    cdef uint64_t offset = <uintptr_t>pixels
    cdef uint32_t unit = pipe_pixel_types[image.type].swap_bytes        # of an element
    if buffer.map_access and not buffer.map_access & GL_MAP_PERSISTENT_BIT:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if offset % unit or (image.size and offset + image.first + image.size > buffer.size):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef Given unpack_source(Context* ctx, const UserImage* image, const void* pixels, const uint8_t** bytes) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_unpack_buffer
    if buffer == NULL:
        if pixels == NULL or image.size == 0:
            return GIVEN_NOTHING
        bytes[0] = <const uint8_t*>pixels + image.first
        return GIVEN
    if not buffer_range(ctx, buffer, image, pixels):
        return GIVEN_ERROR
    if image.size == 0:
        return GIVEN_NOTHING
    if buffer_download(ctx, buffer):
        bytes[0] = shadow_view(ctx.session.shadow, &buffer.shadow, <uintptr_t>pixels + image.first, image.size)
        if bytes[0] != NULL:
            return GIVEN
    set_error(ctx, GL_OUT_OF_MEMORY)
    return GIVEN_ERROR


cdef Given pack_target(Context* ctx, const UserImage* image, void* pixels, uint8_t** bytes) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_pack_buffer
    if buffer == NULL:
        if pixels == NULL or image.size == 0:
            return GIVEN_NOTHING
        bytes[0] = <uint8_t*>pixels + image.first
        return GIVEN
    if not buffer_range(ctx, buffer, image, pixels):
        return GIVEN_ERROR
    if image.size == 0:
        return GIVEN_NOTHING
    if buffer_download(ctx, buffer):
        bytes[0] = shadow_pointer(ctx.session.shadow, &buffer.shadow, <uintptr_t>pixels + image.first, image.size)
        if bytes[0] != NULL:
            return GIVEN
    set_error(ctx, GL_OUT_OF_MEMORY)
    return GIVEN_ERROR


cdef void pack_done(Context* ctx, const UserImage* image, void* pixels) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_pack_buffer
    cdef uint64_t low, high
    if buffer == NULL:
        return
    low = <uintptr_t>pixels + image.first
    high = low + image.size
    if buffer.pending_low >= buffer.pending_high:
        buffer.pending_low = low
        buffer.pending_high = high
    else:
        buffer.pending_low = low if low < buffer.pending_low else buffer.pending_low
        buffer.pending_high = high if high > buffer.pending_high else buffer.pending_high
    buffer.owner = OWNER_CLIENT
    pending_add(ctx.group, buffer, False)
    touch_group(ctx)
