# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""RGTC. See rgtc.pxd.

A block of one component is two values and 16 numbers of 3 bits. The first value above the second: eight values in even
steps between them. Else six, and the least and the greatest that there are.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

cdef enum:
    BLOCK = 4
    BYTES = 8               # of a block of one component


cdef void palette(int32_t first, int32_t second, bint is_signed, int32_t* values) noexcept nogil:
    cdef int32_t i
    values[0] = first
    values[1] = second
    if first > second:
        for i in range(1, 7):
            values[i + 1] = ((7 - i) * first + i * second) / 7
        return
    for i in range(1, 5):
        values[i + 1] = ((5 - i) * first + i * second) / 5
    values[6] = -127 if is_signed else 0
    values[7] = 127 if is_signed else 255


cdef inline int32_t value_of(uint8_t byte, bint is_signed) noexcept nogil:
    """-128 and -127 are the same."""
    return max(<int32_t><int8_t>byte, -127) if is_signed else byte


cdef void decode_block(const uint8_t* block, uint8_t* texels, uint64_t stride, uint32_t step, uint32_t columns, uint32_t rows,
                       bint is_signed) noexcept nogil:
    cdef int32_t values[8]
    cdef uint64_t numbers = 0
    cdef uint32_t i, x, y
    palette(value_of(block[0], is_signed), value_of(block[1], is_signed), is_signed, values)
    for i in range(6):
        numbers |= <uint64_t>block[2 + i] << 8 * i
    for y in range(rows):
        for x in range(columns):
            texels[y * stride + x * step] = <uint8_t>values[numbers >> 3 * (y * BLOCK + x) & 7]


cdef void rgtc_decode(const uint8_t* blocks, uint64_t block_stride, uint8_t* texels, uint32_t width, uint32_t height,
                      uint32_t components, bint is_signed) noexcept nogil:
    cdef uint64_t stride = <uint64_t>width * components
    cdef uint32_t x = 0, y = 0, c
    cdef const uint8_t* block
    while y < height:
        block = blocks + y / BLOCK * block_stride
        x = 0
        while x < width:
            for c in range(components):
                decode_block(block, texels + y * stride + <uint64_t>x * components + c, stride, components,
                             min(<uint32_t>BLOCK, width - x), min(<uint32_t>BLOCK, height - y), is_signed)
                block += BYTES
            x += BLOCK
        y += BLOCK


cdef void encode_block(const int32_t* texels, uint8_t* block, bint is_signed) noexcept nogil:
    """Between the least and the greatest of them, each the nearest of eight."""
    cdef int32_t values[8]
    cdef int32_t least = texels[0], greatest = texels[0], distance, apart
    cdef uint64_t numbers = 0
    cdef uint32_t i, k, nearest
    for i in range(16):
        least = min(least, texels[i])
        greatest = max(greatest, texels[i])
    palette(greatest, least, is_signed, values)
    for i in range(16 if greatest > least else 0):
        nearest = 0
        distance = 1000
        for k in range(8):
            apart = values[k] - texels[i] if values[k] > texels[i] else texels[i] - values[k]
            if apart < distance:
                distance = apart
                nearest = k
        numbers |= <uint64_t>nearest << 3 * i
    block[0] = <uint8_t>greatest
    block[1] = <uint8_t>least
    for i in range(6):
        block[2 + i] = <uint8_t>(numbers >> 8 * i)


cdef void rgtc_encode(const uint8_t* texels, uint8_t* blocks, uint32_t width, uint32_t height, uint32_t components,
                      bint is_signed) noexcept nogil:
    """What reaches over an edge repeats the last row or column."""
    cdef uint64_t stride = <uint64_t>width * components
    cdef uint32_t x = 0, y = 0, c, i
    cdef int32_t one[16]
    while y < height:
        x = 0
        while x < width:
            for c in range(components):
                for i in range(16):
                    one[i] = value_of(texels[min(y + i / BLOCK, height - 1) * stride
                                             + <uint64_t>min(x + i % BLOCK, width - 1) * components + c], is_signed)
                encode_block(one, blocks, is_signed)
                blocks += BYTES
            x += BLOCK
        y += BLOCK
