# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images in the program's memory. See pixels.pxd; rows are converted by texels/convert."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_UINT, PIXEL_DEPTH_COMPONENT,
                           PIXEL_DEPTH_STENCIL, PIXEL_FORMAT_COUNT, PIXEL_SPECIAL_D24S8, PIXEL_SPECIAL_D32FS8,
                           PIXEL_STENCIL_INDEX, PIXEL_TYPE_COUNT, pipe_FormatInfo, pipe_PixelFormat, pipe_PixelType,
                           pipe_formats, pipe_pixel_format_of, pipe_pixel_formats, pipe_pixel_type_of,
                           pipe_pixel_types)
from mgpipe.front.context cimport GLenum, PixelStore
from mgpipe.links.shadow cimport Arena, Shadow, shadow_in_place, shadow_pointer, shadow_write
from mgpipe.texels.convert cimport PLAN_COPY, Plan, convert_row, group_size, make_plan, reverse_bytes

cdef enum:
    INVALID_ENUM = 0x0500
    INVALID_OPERATION = 0x0502

# ------------------------------------------------------------------------------------------------------------ checks

cdef GLenum pixels_check(GLenum format, GLenum type, uint32_t* format_index, uint32_t* type_index) noexcept nogil:
    cdef uint32_t f = pipe_pixel_format_of(format)
    cdef uint32_t t = pipe_pixel_type_of(type)
    cdef const pipe_PixelType* info
    if f == PIXEL_FORMAT_COUNT or t == PIXEL_TYPE_COUNT:
        return INVALID_ENUM
    info = &pipe_pixel_types[t]
    format_index[0] = f
    type_index[0] = t
    if f == PIXEL_DEPTH_STENCIL and info.special != PIXEL_SPECIAL_D24S8 and info.special != PIXEL_SPECIAL_D32FS8:
        return INVALID_ENUM
    if info.packed and not (info.formats >> f) & 1:
        return INVALID_OPERATION
    if pipe_pixel_formats[f].integer and info.kind == FORMAT_KIND_FLOAT:
        return INVALID_ENUM
    return 0


cdef GLenum pixels_match(uint32_t pixel_format, uint32_t internal, bint reading) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[internal]
    cdef bint depth = info.bits[4] != 0, stencil = info.bits[5] != 0
    cdef bint integer = info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT
    if pixel_format == PIXEL_STENCIL_INDEX:
        return 0 if stencil and (reading or not depth) else INVALID_OPERATION
    if pixel_format == PIXEL_DEPTH_COMPONENT:
        return 0 if depth else INVALID_OPERATION
    if pixel_format == PIXEL_DEPTH_STENCIL:
        return 0 if depth and (stencil or not reading) else INVALID_OPERATION
    if depth or stencil or pipe_pixel_formats[pixel_format].integer != integer:
        return INVALID_OPERATION
    return 0


cdef void user_image(UserImage* image, const PixelStore* store, uint32_t format, uint32_t type, uint32_t dimensions,
                     uint32_t width, uint32_t height, uint32_t depth) noexcept nogil:
    """Addresses as in specification 8.4.4.1. One dimension knows no row skips, two know no image skips."""
    cdef uint64_t group = group_size(format, type)
    cdef uint64_t row = group * <uint64_t>(store.row_length if store.row_length > 0 else <int32_t>width)
    cdef uint64_t rows = <uint64_t>store.image_height if dimensions > 2 and store.image_height > 0 else height
    row = (row + store.alignment - 1) & ~(<uint64_t>store.alignment - 1)
    memset(image, 0, sizeof(image[0]))
    image.format = format
    image.type = type
    image.group_bytes = <uint32_t>group
    if store.swap_bytes and pipe_pixel_types[type].swap_bytes > 1:
        image.swap_bytes = pipe_pixel_types[type].swap_bytes
    image.width = width
    image.height = height
    image.depth = depth
    image.row_stride = row
    image.slice_stride = row * rows
    image.first = group * store.skip_pixels
    if dimensions > 1:
        image.first += row * store.skip_rows
    if dimensions > 2:
        image.first += image.slice_stride * store.skip_images
    if width and height and depth:
        image.size = image.slice_stride * (depth - 1) + row * (height - 1) + group * width


cdef void canonical_layout(Tight* layout, uint32_t internal) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[internal]
    layout.format = info.pixel_format
    layout.type = info.pixel_type
    layout.depth_bits = 24 if info.bits[4] == 24 and info.bits[5] == 0 else 0
    layout.pad0 = 0


# -------------------------------------------------------------------------------------------------------------- images

cdef void copy_rows(uint8_t* into, const Tight* target, const uint8_t* bytes, const UserImage* source, uint64_t row_bytes) noexcept nogil:
    cdef uint32_t y, z
    for z in range(source.depth):
        for y in range(source.height):
            memcpy(into + z * target.slice_stride + y * target.row_stride,
                   bytes + z * source.slice_stride + y * source.row_stride, row_bytes)


cdef int pixels_unpack(Arena* arena, Shadow* shadow, uint64_t offset, const Tight* target, const UserImage* source,
                       const uint8_t* bytes) noexcept nogil:
    cdef Plan plan
    cdef uint32_t y, z
    cdef uint64_t row, row_bytes
    cdef const uint8_t* line
    cdef uint8_t* whole = NULL
    cdef uint8_t* converted = NULL
    cdef uint8_t* native = NULL
    cdef int failed = 0
    make_plan(&plan, source.format, source.type, target.format, target.type, False)
    plan.to_depth24 = target.depth_bits == 24
    row_bytes = <uint64_t>source.width * plan.to_bytes
    cdef bint tight = row_bytes == target.row_stride and (source.depth == 1
                                                          or row_bytes * source.height == target.slice_stride)
    if plan.kind == PLAN_COPY and not source.swap_bytes and tight and row_bytes == source.row_stride \
            and (source.depth == 1 or row_bytes * source.height == source.slice_stride):
        return shadow_write(arena, shadow, offset, bytes, row_bytes * source.height * source.depth)
    if tight:           # convert in place: no byte is copied twice
        whole = shadow_pointer(arena, shadow, offset, row_bytes * source.height * source.depth)
        failed = whole == NULL
    elif source.height and source.depth:
        whole = shadow_in_place(arena, shadow, offset, (source.depth - 1) * target.slice_stride
                                + (source.height - 1) * target.row_stride + row_bytes)
    if whole != NULL and plan.kind == PLAN_COPY and not source.swap_bytes:
        copy_rows(whole, target, bytes, source, row_bytes)
        return 0
    if whole == NULL and not tight and plan.kind != PLAN_COPY:
        converted = <uint8_t*>malloc(row_bytes)
        failed = converted == NULL
    if source.swap_bytes:
        native = <uint8_t*>malloc(<uint64_t>source.width * plan.from_bytes)
        failed = failed or native == NULL
    if not failed:
        for z in range(source.depth):
            for y in range(source.height):
                line = bytes + z * source.slice_stride + y * source.row_stride
                row = z * target.slice_stride + y * target.row_stride
                if native != NULL:
                    reverse_bytes(line, native, <uint64_t>source.width * plan.from_bytes, source.swap_bytes)
                    line = native
                if whole != NULL:
                    convert_row(&plan, line, whole + row, source.width)
                else:
                    if converted != NULL:
                        convert_row(&plan, line, converted, source.width)
                        line = converted
                    failed = failed or shadow_write(arena, shadow, offset + row, line, row_bytes) != 0
    free(converted)
    free(native)
    return -1 if failed else 0


cdef void pixels_texel(uint8_t* texel, uint32_t internal, uint32_t format, uint32_t type, const void* data) noexcept nogil:
    cdef Tight layout
    cdef Plan plan
    memset(texel, 0, 16)
    if data == NULL:
        return
    canonical_layout(&layout, internal)
    make_plan(&plan, format, type, layout.format, layout.type, False)
    plan.to_depth24 = layout.depth_bits == 24
    convert_row(&plan, <const uint8_t*>data, texel, 1)


cdef bint pixels_agree(const UserImage* target, const Tight* source, bint clamp) noexcept nogil:
    cdef Plan plan
    make_plan(&plan, source.format, source.type, target.format, target.type, clamp)
    return (plan.kind == PLAN_COPY and not target.swap_bytes and source.depth_bits != 24
            and (target.height == 1 or target.row_stride == source.row_stride))


cdef void pixels_pack(uint8_t* bytes, const UserImage* target, const Tight* source, const uint8_t* texels,
                      bint clamp) noexcept nogil:
    cdef Plan plan
    cdef uint32_t y, z
    cdef uint8_t* line
    make_plan(&plan, source.format, source.type, target.format, target.type, clamp)
    plan.from_depth24 = source.depth_bits == 24
    for z in range(target.depth):
        for y in range(target.height):
            line = bytes + z * target.slice_stride + y * target.row_stride
            convert_row(&plan, texels + z * source.slice_stride + y * source.row_stride, line, target.width)
            if target.swap_bytes:
                reverse_bytes(line, line, <uint64_t>target.width * plan.to_bytes, target.swap_bytes)
