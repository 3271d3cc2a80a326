# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory of pixel transfers. See transfer.pxd.

A buffer bound for unpacking is read through its shadow. Into one bound for packing the server writes, and only texels that
the client owns are packed here, into the shadow.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t, uintptr_t

from glenum cimport GL_INVALID_OPERATION, GL_OUT_OF_MEMORY
from pipe_formats cimport pipe_pixel_types
from mgpipe.front.buffers cimport buffer_pull, buffer_wrote
from mgpipe.front.context cimport Buffer, Context, buffer_mapped, set_error
from mgpipe.front.pixels cimport UserImage
from mgpipe.links.shadow cimport shadow_pointer, shadow_view
from mgpipe.tracker.buffers cimport track_settle_pinned
from mgpipe.tracker.maps cimport map_refresh
from mgpipe.tracker.pins cimport pinned_bytes
from mgpipe.tracker.ranges cimport ranges_meet

cdef bint buffer_range(Context* ctx, Buffer* buffer, const UserImage* image, const void* pixels) noexcept nogil:
    """The rules for an offset into a pixel buffer (specification 8.4.1, 18.2.8)."""
    cdef uint64_t offset = <uintptr_t>pixels
    cdef uint32_t unit = pipe_pixel_types[image.type].swap_bytes        # of an element
    if buffer_mapped(buffer):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    if offset % unit or (image.size and offset + image.first + image.size > buffer.size):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef Given unpack_source(Context* ctx, const UserImage* image, const void* pixels,
                         const uint8_t** bytes) noexcept nogil:
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
    if not buffer_pull(ctx, buffer, <uintptr_t>pixels + image.first, image.size):
        return GIVEN_ERROR
    bytes[0] = shadow_view(ctx.session.shadow, &buffer.shadow, <uintptr_t>pixels + image.first, image.size)
    if bytes[0] != NULL:
        return GIVEN
    set_error(ctx, GL_OUT_OF_MEMORY)
    return GIVEN_ERROR


cdef Given unpack_texels(Context* ctx, const UserImage* image, const void* pixels,
                         const uint8_t** bytes) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_unpack_buffer
    cdef uint64_t low = <uintptr_t>pixels + image.first
    # of a persistent mapping, what the program wrote without telling comes first
    if (buffer == NULL or buffer.persistent != NULL or image.size == 0
            or not ranges_meet(&buffer.gpu, low, low + image.size)):
        return unpack_source(ctx, image, pixels, bytes)
    if not buffer_range(ctx, buffer, image, pixels):
        return GIVEN_ERROR
    bytes[0] = <const uint8_t*>low
    return GIVEN_ON_SERVER


cdef Given pack_offset(Context* ctx, const UserImage* image, void* pixels, uint64_t* offset) noexcept nogil:
    if not buffer_range(ctx, ctx.pixel_pack_buffer, image, pixels):
        return GIVEN_ERROR
    offset[0] = <uintptr_t>pixels + image.first
    return GIVEN if image.size else GIVEN_NOTHING


cdef inline bint gapless(const UserImage* image) noexcept nogil:
    cdef uint64_t row = <uint64_t>image.width * image.group_bytes
    return (image.height == 1 or image.row_stride == row) and (image.depth == 1 or image.slice_stride == row * image.height)


cdef Given pack_target(Context* ctx, const UserImage* image, void* pixels, uint8_t** bytes) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_pack_buffer
    cdef uint64_t offset = 0
    cdef Given given
    if buffer == NULL:
        if pixels == NULL or image.size == 0:
            return GIVEN_NOTHING
        bytes[0] = <uint8_t*>pixels + image.first
        return GIVEN
    given = pack_offset(ctx, image, pixels, &offset)
    if given != GIVEN:
        return given
    if buffer.pinned:                           # the driver may be using these bytes; then they are written in place
        if not track_settle_pinned(ctx, buffer):
            return GIVEN_ERROR
        bytes[0] = pinned_bytes(ctx, buffer) + offset
        return GIVEN
    if (buffer.persistent != NULL or not gapless(image)) and not buffer_pull(ctx, buffer, offset, image.size):     # what lies between rows stays
        return GIVEN_ERROR
    bytes[0] = shadow_pointer(ctx.session.shadow, &buffer.shadow, offset, image.size)
    if bytes[0] != NULL:
        return GIVEN
    set_error(ctx, GL_OUT_OF_MEMORY)
    return GIVEN_ERROR


cdef void pack_done(Context* ctx, const UserImage* image, void* pixels) noexcept nogil:
    cdef Buffer* buffer = ctx.pixel_pack_buffer
    cdef uint64_t low = <uintptr_t>pixels + image.first
    if buffer != NULL and not buffer.pinned:
        if buffer.persistent != NULL:
            map_refresh(ctx.session, buffer, low, low + image.size)
        buffer_wrote(ctx, buffer, low, low + image.size)
