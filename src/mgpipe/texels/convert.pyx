# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Conversion of rows of texels. See convert.pxd.

Plans, from cheap to dear: copy (same layout), shuffle (same elements, other components or order: RGB to RGBA, BGRA),
general (each group through doubles or 64-bit integers, in the order of the specification's pixel transfer: unpack,
expand to RGBA, clamp, convert).

Components of up to 16 bits are converted in single precision, by a reciprocal and to the nearest even, and depth is cut
to 24 bits: the specification leaves that open, and the drivers that results are compared with (Mesa) do it so. Depth of
24 and 32 bits needs doubles.
"""

from libc.math cimport rint
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_SNORM, FORMAT_KIND_UNORM, PIXEL_SPECIAL_D24S8,
                           PIXEL_SPECIAL_D32FS8, PIXEL_SPECIAL_R11G11B10F, PIXEL_SPECIAL_RGB9E5, PIXEL_TYPE_BYTE,
                           PIXEL_TYPE_FLOAT, PIXEL_TYPE_HALF_FLOAT, PIXEL_TYPE_INT, PIXEL_TYPE_SHORT,
                           PIXEL_TYPE_UNSIGNED_BYTE, PIXEL_TYPE_UNSIGNED_INT, PIXEL_TYPE_UNSIGNED_INT_8_8_8_8,
                           PIXEL_TYPE_UNSIGNED_INT_8_8_8_8_REV, PIXEL_TYPE_UNSIGNED_SHORT, pipe_PixelFormat,
                           pipe_PixelType, pipe_pixel_formats, pipe_pixel_types)
from mgpipe.texels.small_floats cimport (float_to_half, float_to_unsigned, floats_to_rgb9e5, half_to_float,
                                         rgb9e5_to_floats, widen)

cdef enum:
    CHUNK = 64                  # groups converted at a time: 6 KiB of stack
    CHANNELS = 6                # red green blue alpha depth stencil
    ALPHA = 3
    DEPTH = 4
    STENCIL = 5
    ZERO = -1                   # sources of a shuffle that are no component
    ONE = -2

cdef struct Groups:                         # one chunk, by component
    double real[CHANNELS][CHUNK]
    int64_t whole[CHANNELS][CHUNK]

cdef uint32_t group_size(uint32_t format, uint32_t type) noexcept nogil:
    cdef const pipe_PixelType* info = &pipe_pixel_types[type]
    return info.size_bytes if info.packed else info.size_bytes * pipe_pixel_formats[format].count


# -------------------------------------------------------------------------------------------------------------- plans

cdef bint elements(uint32_t format, uint32_t type, uint32_t* element, uint32_t* components) noexcept nogil:
    """Whether a group is plain elements; their type, and components as they lie in memory. 8888 means bytes."""
    cdef const pipe_PixelFormat* info = &pipe_pixel_formats[format]
    cdef uint32_t i
    element[0] = type
    for i in range(info.count):
        components[i] = info.components[i]
    if type == PIXEL_TYPE_UNSIGNED_INT_8_8_8_8_REV:
        element[0] = PIXEL_TYPE_UNSIGNED_BYTE
    elif type == PIXEL_TYPE_UNSIGNED_INT_8_8_8_8:
        element[0] = PIXEL_TYPE_UNSIGNED_BYTE
        for i in range(4):
            components[i] = info.components[3 - i]
    return not pipe_pixel_types[element[0]].packed


cdef uint32_t one_of(uint32_t type, bint integer) noexcept nogil:
    if integer: return 1
    if type == PIXEL_TYPE_UNSIGNED_BYTE: return 0xFF
    if type == PIXEL_TYPE_BYTE: return 0x7F
    if type == PIXEL_TYPE_UNSIGNED_SHORT: return 0xFFFF
    if type == PIXEL_TYPE_SHORT: return 0x7FFF
    if type == PIXEL_TYPE_UNSIGNED_INT: return 0xFFFFFFFF
    if type == PIXEL_TYPE_INT: return 0x7FFFFFFF
    if type == PIXEL_TYPE_HALF_FLOAT: return 0x3C00
    return 0x3F800000


cdef void make_plan(Plan* plan, uint32_t from_format, uint32_t from_type, uint32_t to_format, uint32_t to_type,
                    bint clamp) noexcept nogil:
    cdef uint32_t from_element, to_element, i, j
    cdef uint32_t from_components[4]
    cdef uint32_t to_components[4]
    cdef bint integer = pipe_pixel_formats[to_format].integer
    cdef bint identical = True
    memset(plan, 0, sizeof(plan[0]))
    plan.from_format = from_format
    plan.from_type = from_type
    plan.to_format = to_format
    plan.to_type = to_type
    plan.from_bytes = group_size(from_format, from_type)
    plan.to_bytes = group_size(to_format, to_type)
    # clamping changes nothing that is unsigned normalised already
    plan.clamp = clamp and not integer and pipe_pixel_types[from_type].kind != FORMAT_KIND_UNORM
    plan.kind = PLAN_GENERAL
    if plan.clamp or pipe_pixel_formats[from_format].integer != integer:
        return
    if from_format == to_format and from_type == to_type:
        plan.kind = PLAN_COPY
        return
    if not elements(from_format, from_type, &from_element, from_components):
        return
    if not elements(to_format, to_type, &to_element, to_components) or to_element != from_element:
        return
    if from_components[0] >= 4 or to_components[0] >= 4:        # depth and stencil have one layout, or are made of two
        return
    plan.from_count = pipe_pixel_formats[from_format].count
    plan.to_count = pipe_pixel_formats[to_format].count
    plan.element_bytes = pipe_pixel_types[to_element].size_bytes
    plan.one = one_of(to_element, integer)
    for i in range(plan.to_count):
        plan.source[i] = ONE if to_components[i] == ALPHA else ZERO
        for j in range(plan.from_count):
            if from_components[j] == to_components[i]:
                plan.source[i] = <int32_t>j
        identical = identical and plan.source[i] == <int32_t>i
    plan.kind = PLAN_COPY if identical and plan.from_count == plan.to_count else PLAN_SHUFFLE


# -------------------------------------------------------------------------------------------------------------- shuffle

ctypedef fused element_t:
    uint8_t
    uint16_t
    uint32_t

cdef void shuffle(const Plan* plan, const element_t* source, element_t* target, uint32_t count) noexcept nogil:
    cdef uint32_t i, c, n = plan.to_count, step = plan.from_count
    cdef int32_t a = plan.source[0], b = plan.source[1], g = plan.source[2], h = plan.source[3]
    cdef element_t filler[4]
    if n == 4 and a >= 0 and b >= 0 and g >= 0 and h >= 0:      # BGRA and the like
        for i in range(count):
            target[0] = source[a]
            target[1] = source[b]
            target[2] = source[g]
            target[3] = source[h]
            source += step
            target += 4
    elif n == 3 and a >= 0 and b >= 0 and g >= 0:               # a colour read without its alpha
        for i in range(count):
            target[0] = source[a]
            target[1] = source[b]
            target[2] = source[g]
            source += step
            target += 3
    else:
        for c in range(n):
            filler[c] = <element_t>plan.one if plan.source[c] == ONE else 0
        for i in range(count):
            for c in range(n):
                target[c] = source[plan.source[c]] if plan.source[c] >= 0 else filler[c]
            source += step
            target += n


# -------------------------------------------------------------------------------------------------------------- general

cdef inline int64_t load_integer(uint32_t type, const uint8_t* at) noexcept nogil:
    cdef uint16_t half_word
    cdef uint32_t word
    if type == PIXEL_TYPE_UNSIGNED_BYTE: return at[0]
    if type == PIXEL_TYPE_BYTE: return <int8_t>at[0]
    if type == PIXEL_TYPE_UNSIGNED_SHORT or type == PIXEL_TYPE_SHORT:
        memcpy(&half_word, at, 2)
        if type == PIXEL_TYPE_UNSIGNED_SHORT: return half_word
        return <int16_t>half_word               # not one expression: its common type would lose the sign
    memcpy(&word, at, 4)
    if type == PIXEL_TYPE_UNSIGNED_INT: return word
    return <int32_t>word


cdef inline double load_real(uint32_t type, const uint8_t* at) noexcept nogil:
    cdef uint16_t half
    cdef float real
    if type == PIXEL_TYPE_HALF_FLOAT:
        memcpy(&half, at, 2)
        return half_to_float(half)
    memcpy(&real, at, 4)
    return real


cdef inline double highest(uint32_t type) noexcept nogil:
    return <double>one_of(type, False)


cdef inline double unit(double value) noexcept nogil:
    if not value > 0: return 0                  # NaN too
    return value if value < 1 else 1


cdef inline double to_real(int64_t value, double top) noexcept nogil:
    cdef float single = <float>value
    if top > 65535:
        return value / top
    single *= <float>1 / <float>top
    return single


cdef inline double from_real(double value, double top) noexcept nogil:
    cdef float single = <float>value
    if top > 65535:
        return rint(value * top)
    single *= <float>top
    return rint(single)


cdef inline uint32_t depth24(double value) noexcept nogil:
    """Cut off, not rounded. A 24-bit value that went through a double must come back: hence a trifle more."""
    return <uint32_t>(unit(value) * 16777215.0 + 3.7e-9)


cdef inline int64_t real_to_integer(double value) noexcept nogil:
    if not (value > -9.0e18): return 0 if value != value else <int64_t>-9000000000000000000
    return <int64_t>value if value < 9.0e18 else <int64_t>9000000000000000000


cdef void read_elements(uint32_t type, bint whole, const uint8_t* at, uint32_t step, uint32_t count, double* real,
                        int64_t* integer) noexcept nogil:
    cdef uint32_t i
    cdef double top, value
    if type == PIXEL_TYPE_FLOAT or type == PIXEL_TYPE_HALF_FLOAT:
        for i in range(count):
            real[i] = load_real(type, at)
            if whole:
                integer[i] = real_to_integer(real[i])
            at += step
        return
    if whole:
        for i in range(count):
            integer[i] = load_integer(type, at)
            at += step
        return
    top = highest(type)
    for i in range(count):
        value = to_real(load_integer(type, at), top)
        real[i] = value if value > -1 else -1
        at += step


cdef void read_packed(uint32_t format, uint32_t type, const uint8_t* at, uint32_t count, Groups* groups) noexcept nogil:
    cdef const pipe_PixelType* info = &pipe_pixel_types[type]
    cdef const pipe_PixelFormat* order = &pipe_pixel_formats[format]
    cdef uint32_t i, c, component, word, field, mask
    cdef uint16_t half_word
    cdef double rgb[3]
    cdef float real
    for i in range(count):
        if info.size_bytes == 1:
            word = at[0]
        elif info.size_bytes == 2:
            memcpy(&half_word, at, 2)
            word = half_word
        else:
            memcpy(&word, at, 4)
        if info.special == PIXEL_SPECIAL_R11G11B10F:
            groups.real[0][i] = widen(word & 0x7FF, 6)
            groups.real[1][i] = widen((word >> 11) & 0x7FF, 6)
            groups.real[2][i] = widen(word >> 22, 5)
        elif info.special == PIXEL_SPECIAL_RGB9E5:
            rgb9e5_to_floats(word, rgb)
            for c in range(3):
                groups.real[c][i] = rgb[c]
        elif info.special == PIXEL_SPECIAL_D24S8:
            groups.real[DEPTH][i] = (word >> 8) / 16777215.0
            groups.whole[STENCIL][i] = word & 0xFF
        elif info.special == PIXEL_SPECIAL_D32FS8:
            memcpy(&real, at, 4)
            memcpy(&word, at + 4, 4)
            groups.real[DEPTH][i] = real
            groups.whole[STENCIL][i] = word & 0xFF
        else:
            for c in range(info.packed):
                component = order.components[c]
                mask = (1 << info.bits[c]) - 1
                field = (word >> info.shift[c]) & mask
                groups.whole[component][i] = field
                groups.real[component][i] = to_real(field, mask)
        at += info.size_bytes


cdef void read_groups(uint32_t format, uint32_t type, const uint8_t* at, uint32_t count, Groups* groups) noexcept nogil:
    """Unpack and expand: components that the format lacks are 0, alpha 1."""
    cdef const pipe_PixelFormat* order = &pipe_pixel_formats[format]
    cdef uint32_t c, i, component, step = group_size(format, type), size = pipe_pixel_types[type].size_bytes
    for c in range(CHANNELS):
        for i in range(count):
            groups.real[c][i] = 1 if c == ALPHA else 0
            groups.whole[c][i] = 1 if c == ALPHA else 0
    if pipe_pixel_types[type].packed:
        read_packed(format, type, at, count, groups)
        return
    for c in range(order.count):
        component = order.components[c]
        read_elements(type, order.integer or component == STENCIL, at + c * size, step, count, groups.real[component],
                      groups.whole[component])


cdef inline double signed_unit(double value) noexcept nogil:
    if not value > -1: return -1 if value <= -1 else 0
    return value if value < 1 else 1


cdef inline void store_bits(uint8_t* at, uint32_t size, uint32_t bits) noexcept nogil:
    cdef uint16_t half_word = <uint16_t>bits
    if size == 1:
        at[0] = <uint8_t>bits
    elif size == 2:
        memcpy(at, &half_word, 2)
    else:
        memcpy(at, &bits, 4)


cdef void write_elements(uint32_t type, bint whole, uint8_t* at, uint32_t step, uint32_t count, const double* real,
                         const int64_t* integer) noexcept nogil:
    cdef const pipe_PixelType* info = &pipe_pixel_types[type]
    cdef uint32_t i, size = info.size_bytes
    cdef int64_t low, high, value
    cdef double top
    cdef float number
    if info.kind == FORMAT_KIND_FLOAT:
        for i in range(count):
            number = <float>integer[i] if whole else <float>real[i]
            if size == 2:
                store_bits(at, 2, float_to_half(number))
            else:
                memcpy(at, &number, 4)
            at += step
    elif whole:
        high = one_of(type, False)
        low = -high - 1 if info.kind == FORMAT_KIND_SNORM else 0
        for i in range(count):
            value = integer[i]
            if value < low: value = low
            if value > high: value = high
            store_bits(at, size, <uint32_t>value)
            at += step
    else:
        top = highest(type)
        for i in range(count):
            value = <int64_t>from_real(signed_unit(real[i]) if info.kind == FORMAT_KIND_SNORM else unit(real[i]), top)
            store_bits(at, size, <uint32_t>value)
            at += step


cdef void write_packed(uint32_t format, uint32_t type, uint8_t* at, uint32_t count,
                       const Groups* groups) noexcept nogil:
    cdef const pipe_PixelType* info = &pipe_pixel_types[type]
    cdef const pipe_PixelFormat* order = &pipe_pixel_formats[format]
    cdef uint32_t i, c, component, word, mask, stencil
    cdef int64_t value
    cdef double rgb[3]
    cdef float real
    for i in range(count):
        word = 0
        value = groups.whole[STENCIL][i]
        stencil = 0 if value < 0 else 255 if value > 255 else <uint32_t>value
        if info.special == PIXEL_SPECIAL_R11G11B10F:
            word = (float_to_unsigned(<float>groups.real[0][i], 6) | float_to_unsigned(<float>groups.real[1][i],
                                                                                       6) << 11
                    | float_to_unsigned(<float>groups.real[2][i], 5) << 22)
        elif info.special == PIXEL_SPECIAL_RGB9E5:
            for c in range(3):
                rgb[c] = groups.real[c][i]
            word = floats_to_rgb9e5(rgb)
        elif info.special == PIXEL_SPECIAL_D24S8:
            word = depth24(groups.real[DEPTH][i]) << 8 | stencil
        elif info.special == PIXEL_SPECIAL_D32FS8:
            real = <float>groups.real[DEPTH][i]
            memcpy(at, &real, 4)
            memcpy(at + 4, &stencil, 4)
            at += 8
            continue
        else:
            for c in range(info.packed):
                component = order.components[c]
                mask = (1 << info.bits[c]) - 1
                if order.integer:
                    value = groups.whole[component][i]
                    if value < 0: value = 0
                    if value > mask: value = mask
                else:
                    value = <int64_t>from_real(unit(groups.real[component][i]), mask)
                word |= <uint32_t>value << info.shift[c]
        store_bits(at, info.size_bytes, word)
        at += info.size_bytes


cdef void write_groups(uint32_t format, uint32_t type, uint8_t* at, uint32_t count,
                       const Groups* groups) noexcept nogil:
    cdef const pipe_PixelFormat* order = &pipe_pixel_formats[format]
    cdef uint32_t c, component, step = group_size(format, type), size = pipe_pixel_types[type].size_bytes
    if pipe_pixel_types[type].packed:
        write_packed(format, type, at, count, groups)
        return
    for c in range(order.count):
        component = order.components[c]
        write_elements(type, order.integer or component == STENCIL, at + c * size, step, count, groups.real[component],
                       groups.whole[component])


cdef void convert_general(const Plan* plan, const uint8_t* source, uint8_t* target, uint32_t width) noexcept nogil:
    cdef Groups groups
    cdef uint32_t count, c, i, word
    while width:
        count = width if width < CHUNK else CHUNK
        read_groups(plan.from_format, plan.from_type, source, count, &groups)
        if plan.clamp:
            for c in range(4):
                for i in range(count):
                    groups.real[c][i] = unit(groups.real[c][i])
        if plan.from_depth24:
            for i in range(count):
                groups.real[DEPTH][i] = (<uint32_t>rint(groups.real[DEPTH][i] * 4294967295.0) >> 8) / 16777215.0
        if plan.to_depth24:
            for i in range(count):
                word = depth24(groups.real[DEPTH][i])
                groups.real[DEPTH][i] = (word << 8 | word >> 16) / 4294967295.0
        write_groups(plan.to_format, plan.to_type, target, count, &groups)
        source += count * plan.from_bytes
        target += count * plan.to_bytes
        width -= count


cdef void convert_row(const Plan* plan, const uint8_t* source, uint8_t* target, uint32_t width) noexcept nogil:
    cdef uint32_t i, word
    if plan.kind == PLAN_COPY:
        memcpy(target, source, <uint64_t>width * plan.to_bytes)
        if plan.from_depth24:
            for i in range(width):
                memcpy(&word, target + 4 * i, 4)
                word = ((word >> 8) << 8) | (word >> 24)
                memcpy(target + 4 * i, &word, 4)
    elif plan.kind == PLAN_GENERAL:
        convert_general(plan, source, target, width)
    elif plan.element_bytes == 1:
        shuffle[uint8_t](plan, source, target, width)
    elif plan.element_bytes == 2:
        shuffle[uint16_t](plan, <const uint16_t*>source, <uint16_t*>target, width)
    else:
        shuffle[uint32_t](plan, <const uint32_t*>source, <uint32_t*>target, width)


cdef void reverse_bytes(const uint8_t* source, uint8_t* target, uint64_t size, uint32_t word) noexcept nogil:
    """Byte order of every `word` bytes; source and target may be the same."""
    cdef uint64_t i
    cdef uint8_t low
    if word == 2:
        for i in range(0, size, 2):
            low = source[i]
            target[i] = source[i + 1]
            target[i + 1] = low
    else:
        for i in range(0, size, 4):
            low = source[i]
            target[i] = source[i + 3]
            target[i + 3] = low
            low = source[i + 1]
            target[i + 1] = source[i + 2]
            target[i + 2] = low
