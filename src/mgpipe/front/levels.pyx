# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Contents of texture levels. See levels.pxd.

Uploads are copied once into the level's shadow; what the server lacks is a list of boxes that leaves at the next
validation as one record. Every function here raises the group's generation: a level may be an attachment, and a draw
that only looks at the generation must come by again to mark what it renders to.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from glenum cimport GL_OUT_OF_MEMORY
from pipe cimport pipe_Box
from pipe_formats cimport pipe_formats
from mgpipe.front.context cimport (LEVELS, OWNER_CLIENT, OWNER_GPU, OWNER_NONE, Context, Level, Texture, pending_add,
                                   set_error,
                                   touch_group)
from mgpipe.front.formats cimport format_offset, format_row, format_slice
from mgpipe.front.pixels cimport Tight, UserImage, canonical_layout, pixels_unpack
from mgpipe.front.textures cimport INDEX_1D_ARRAY
from mgpipe.links.shadow cimport Arena, Shadow, shadow_clear, shadow_init, shadow_pointer
from mgpipe.tracker.owners cimport mark_layers, mark_level
from mgpipe.tracker.textures cimport track_compress_texels, track_flush_pending

cdef enum:
    # Boxes kept apart. Beyond, their union is sent: 32 small boxes cost the server about as much as one large one.
    REGIONS_APART = 32
    FIRST_REGIONS = 4

# ------------------------------------------------------------------------------------------------------------ storage

cdef void level_define(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t width, uint32_t height,
                       uint32_t depth, uint32_t internal_format, uint32_t format) noexcept nogil:
    cdef Level* store = &texture.levels[face * LEVELS + level]
    touch_group(ctx)
    if store.format == format and store.width == width and store.height == height and store.depth == depth \
            and store.internal_format == internal_format:
        return                                  # undefined contents may be the old ones
    shadow_clear(ctx.session.shadow, &store.shadow)
    store.width = width
    store.height = height
    store.depth = depth
    store.internal_format = internal_format
    store.format = format
    mark_level(store, OWNER_NONE)
    store.respecify = 1
    store.region_count = 0
    pending_add(ctx.group, texture, True)


cdef void level_gpu_wrote(Context* ctx, Texture* texture, uint32_t face, uint32_t level, uint32_t first,
                          uint32_t count) noexcept nogil:
    """What was pending of them was sent before the verb that wrote, or is overwritten by it."""
    cdef Level* store = &texture.levels[face * LEVELS + level]
    mark_layers(store, first, count, OWNER_GPU)
    touch_group(ctx)


# ------------------------------------------------------------------------------------------------------------ regions

cdef inline bint contains(const pipe_Box* outer, const pipe_Box* inner) noexcept nogil:
    return (outer.x <= inner.x and outer.y <= inner.y and outer.z <= inner.z
            and inner.x + <int32_t>inner.width <= outer.x + <int32_t>outer.width
            and inner.y + <int32_t>inner.height <= outer.y + <int32_t>outer.height
            and inner.z + <int32_t>inner.depth <= outer.z + <int32_t>outer.depth)


cdef inline void enclose(pipe_Box* box, const pipe_Box* other) noexcept nogil:
    """The smallest box around both."""
    cdef int32_t x1 = max(box.x + <int32_t>box.width, other.x + <int32_t>other.width)
    cdef int32_t y1 = max(box.y + <int32_t>box.height, other.y + <int32_t>other.height)
    cdef int32_t z1 = max(box.z + <int32_t>box.depth, other.z + <int32_t>other.depth)
    box.x = min(box.x, other.x)
    box.y = min(box.y, other.y)
    box.z = min(box.z, other.z)
    box.width = <uint32_t>(x1 - box.x)
    box.height = <uint32_t>(y1 - box.y)
    box.depth = <uint32_t>(z1 - box.z)


cdef inline bint continues(const pipe_Box* box, const pipe_Box* following) noexcept nogil:
    """Whether the next rows of the same columns, as uploads by rows make them."""
    return (box.x == following.x and box.width == following.width and box.z == following.z
            and box.depth == following.depth
            and following.y == box.y + <int32_t>box.height)


cdef bint add_region(Level* level, const pipe_Box* added) noexcept nogil:
    cdef pipe_Box* boxes = <pipe_Box*>level.regions
    cdef void* larger
    cdef uint32_t i, kept = 0, capacity
    for i in range(level.region_count):
        if contains(&boxes[i], added):
            return True
    if level.region_count <= REGIONS_APART:
        for i in range(level.region_count):
            if not contains(added, &boxes[i]):
                boxes[kept] = boxes[i]
                kept += 1
        level.region_count = kept
    if level.region_count and continues(&boxes[level.region_count - 1], added):
        boxes[level.region_count - 1].height += added.height
        return True
    # A union covers texels nobody wrote here. Where the server holds newer ones, they must not be overwritten.
    if level.region_count >= REGIONS_APART and not level.owner & OWNER_GPU:
        for i in range(1, level.region_count):
            enclose(&boxes[0], &boxes[i])
        enclose(&boxes[0], added)
        level.region_count = 1
        return True
    if level.region_count == level.region_capacity:
        capacity = level.region_capacity * 2 if level.region_capacity else FIRST_REGIONS
        larger = realloc(level.regions, capacity * sizeof(pipe_Box))
        if larger == NULL:
            return False
        level.regions = larger
        level.region_capacity = capacity
        boxes = <pipe_Box*>larger
    boxes[level.region_count] = added[0]
    level.region_count += 1
    return True


# ------------------------------------------------------------------------------------------------------------ uploads

cdef bint make_shadow(Arena* arena, Level* level, uint64_t size, bint whole) noexcept nogil:
    """A whole upload takes fresh blocks, so that no piece the server still reads must be copied first."""
    cdef uint8_t* bytes
    if whole:
        shadow_clear(arena, &level.shadow)
    elif level.shadow.size == size:
        return True
    if shadow_init(arena, &level.shadow, size) != 0:
        return False
    if not whole:
        bytes = shadow_pointer(arena, &level.shadow, 0, size)
        if bytes == NULL:
            return False
        memset(bytes, 0, size)                  # never another texture's bytes
    return True


cdef void level_upload(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                       const UserImage* image, const void* bytes) noexcept nogil:
    cdef Level* store = &texture.levels[face * LEVELS + level]
    cdef Arena* arena = ctx.session.shadow
    cdef bint flat = box.width == store.width and box.height == store.height        # all of each layer it touches
    cdef bint whole = flat and box.depth == store.depth
    cdef uint32_t z = <uint32_t>box.z
    cdef Tight target
    if pipe_formats[store.format].block_bytes:  # an image of blocks, as an image of bytes
        target.format = image.format
        target.type = image.type
        target.depth_bits = target.pad0 = 0
    else:
        canonical_layout(&target, store.format)
    target.row_stride = format_row(store.format, store.width)
    target.slice_stride = format_slice(store.format, store.width, store.height)
    if texture.target_index == INDEX_1D_ARRAY:  # rows of the program's image are layers
        target.row_stride = target.slice_stride
    if not make_shadow(arena, store, format_slice(store.format, store.width, store.height) * store.depth, whole) or \
            pixels_unpack(arena, &store.shadow, format_offset(store.format, store.width, store.height, box.x, box.y,
                                                              box.z), &target, image, <const uint8_t*>bytes) != 0 or \
            not add_region(store, box):
        set_error(ctx, GL_OUT_OF_MEMORY)
        return
    ctx.session.stats.client_copy_bytes += format_slice(store.format, box.width, box.height) * box.depth
    if whole or not store.owner & OWNER_GPU:
        mark_level(store, OWNER_CLIENT)
    elif flat:
        mark_layers(store, z, box.depth, OWNER_CLIENT)
    pending_add(ctx.group, texture, True)
    touch_group(ctx)
    if texture.shared_storage:                  # others see these texels: in their order, and kept by the server
        track_flush_pending(ctx)
        mark_level(store, OWNER_GPU)
        shadow_clear(arena, &store.shadow)


cdef void level_compress(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                         const UserImage* image, const void* bytes) noexcept nogil:
    cdef Level* store = &texture.levels[face * LEVELS + level]
    cdef Arena* arena = ctx.session.shadow
    cdef uint64_t texel = pipe_formats[store.format].texel_bytes
    cdef Shadow texels
    cdef Tight target
    memset(&texels, 0, sizeof(texels))
    canonical_layout(&target, store.format)
    target.row_stride = texel * box.width
    target.slice_stride = target.row_stride * box.height
    if shadow_init(arena, &texels, target.slice_stride * box.depth) != 0 \
            or pixels_unpack(arena, &texels, 0, &target, image, <const uint8_t*>bytes) != 0:
        set_error(ctx, GL_OUT_OF_MEMORY)
    else:
        ctx.session.stats.client_copy_bytes += target.slice_stride * box.depth
        track_compress_texels(ctx, texture, face, level, box, &texels)
        level_gpu_wrote(ctx, texture, face, level, <uint32_t>box.z, box.depth)
    shadow_clear(arena, &texels)
