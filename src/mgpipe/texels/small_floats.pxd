"""Floats of 16, 11, 10 and 9 + 5 shared bits (specification 2.3.4, 8.25). Narrowing rounds to nearest, ties to even."""

from libc.math cimport floor, frexp, ldexp, rint
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy

cdef inline uint32_t float_bits(float value) noexcept nogil:
    cdef uint32_t bits
    memcpy(&bits, &value, 4)
    return bits

cdef inline float bits_float(uint32_t bits) noexcept nogil:
    cdef float value
    memcpy(&value, &bits, 4)
    return value

# A float of `mantissa` bits and 5 exponent bits without sign: the bits below the sign of a half, 11F or 10F.
cdef inline float widen(uint32_t bits, uint32_t mantissa) noexcept nogil:
    cdef uint32_t exponent = bits >> mantissa
    cdef uint32_t fraction = bits & ((1 << mantissa) - 1)
    if exponent == 0:
        return <float>ldexp(fraction, -14 - <int>mantissa)
    if exponent == 31:
        return bits_float(0x7F800000 | (fraction << (23 - mantissa)))
    return bits_float(((exponent + 112) << 23) | (fraction << (23 - mantissa)))

# `value` is not negative (or is NaN). Overflow gives infinity; what has no infinity of its own clamps afterwards.
cdef inline uint32_t narrow(float value, uint32_t mantissa) noexcept nogil:
    cdef uint32_t bits = float_bits(value) & 0x7FFFFFFF
    cdef uint32_t shift = 23 - mantissa
    cdef uint32_t rounded
    if bits >= 0x7F800000:
        return (31 << mantissa) | (1 if bits > 0x7F800000 else 0)
    if bits < (113 << 23):                              # denormal there: units of 2^(-14 - mantissa)
        return <uint32_t>rint(ldexp(value, 14 + <int>mantissa))
    bits -= 112 << 23
    rounded = (bits + ((1 << (shift - 1)) - 1) + ((bits >> shift) & 1)) >> shift
    return rounded if rounded < (<uint32_t>31 << mantissa) else <uint32_t>31 << mantissa

cdef inline float half_to_float(uint32_t half) noexcept nogil:
    cdef float magnitude = widen(half & 0x7FFF, 10)
    return -magnitude if half & 0x8000 else magnitude

cdef inline uint32_t float_to_half(float value) noexcept nogil:
    cdef uint32_t sign = (float_bits(value) >> 16) & 0x8000
    return sign | narrow(bits_float(float_bits(value) & 0x7FFFFFFF), 10)

# Unsigned floats: negative values become zero, finite ones stay finite.
cdef inline uint32_t float_to_unsigned(float value, uint32_t mantissa) noexcept nogil:
    cdef uint32_t bits
    if value <= 0:
        return 0
    bits = narrow(value, mantissa)
    if bits == <uint32_t>31 << mantissa and float_bits(value) < 0x7F800000:
        return bits - 1
    return bits

cdef inline void rgb9e5_to_floats(uint32_t texel, double* rgb) noexcept nogil:
    cdef int exponent = <int>(texel >> 27) - 24
    rgb[0] = ldexp(texel & 0x1FF, exponent)
    rgb[1] = ldexp((texel >> 9) & 0x1FF, exponent)
    rgb[2] = ldexp((texel >> 18) & 0x1FF, exponent)

cdef inline double clamp_9e5(double value) noexcept nogil:
    if not value > 0:                                   # NaN too
        return 0
    return value if value < 65408.0 else 65408.0        # 511 / 512 * 2^16

cdef inline uint32_t floats_to_rgb9e5(const double* rgb) noexcept nogil:
    cdef double r = clamp_9e5(rgb[0]), g = clamp_9e5(rgb[1]), b = clamp_9e5(rgb[2])
    cdef double top = r
    cdef int exponent = 0
    cdef double scale
    if g > top: top = g
    if b > top: top = b
    if top == 0:
        return 0
    frexp(top,
          &exponent)                               # top = m * 2^exponent, m in [0.5, 1): floor(log2) = exponent - 1
    exponent += 15
    if exponent < 0:
        exponent = 0
    scale = ldexp(1, 24 - exponent)
    if floor(top * scale + 0.5) == 512:
        exponent += 1
        scale *= 0.5
    return (<uint32_t>floor(r * scale + 0.5) | <uint32_t>floor(g * scale + 0.5) << 9
            | <uint32_t>floor(b * scale + 0.5) << 18 | <uint32_t>exponent << 27)
