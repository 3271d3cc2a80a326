# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Current vertex attributes. Each command converts as section 2.3.5 of the specification says, then writes if it differs."""

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcmp, memcpy, memset

from glenum cimport GL_INT_2_10_10_10_REV, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_UNSIGNED_INT_2_10_10_10_REV
from pipe cimport PIPE_ATTRIB_KIND_DOUBLE, PIPE_ATTRIB_KIND_FLOAT, PIPE_ATTRIB_KIND_INTEGER, pipe_AttribValue
from mgpipe.front.context cimport (ATTRIBS, DIRTY_ATTRIB_VALUES, Context, GLboolean, GLbyte, GLdouble, GLenum, GLfloat, GLint,
                                   GLshort, GLubyte, GLuint, GLushort, set_error)


cdef void put(Context* ctx, GLuint index, uint32_t kind, const void* value, uint32_t size) noexcept nogil:
    """`size`: bytes of the four components. What a float leaves of the room for doubles stays zero."""
    cdef pipe_AttribValue* current
    if index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
        return
    current = &ctx.attrib_values[index]
    if current.kind != kind or memcmp(current.value, value, size) != 0:
        current.kind = kind
        memset(current.value, 0, sizeof(current.value))
        memcpy(current.value, value, size)
        ctx.dirty |= DIRTY_ATTRIB_VALUES


cdef inline void put_float(Context* ctx, GLuint index, double x, double y, double z, double w) noexcept nogil:
    cdef float[4] value
    value[0], value[1], value[2], value[3] = <float>x, <float>y, <float>z, <float>w
    put(ctx, index, PIPE_ATTRIB_KIND_FLOAT, value, 16)


cdef inline void put_integer(Context* ctx, GLuint index, uint32_t x, uint32_t y, uint32_t z, uint32_t w) noexcept nogil:
    cdef uint32_t[4] value
    value[0], value[1], value[2], value[3] = x, y, z, w
    put(ctx, index, PIPE_ATTRIB_KIND_INTEGER, value, 16)


cdef inline void put_double(Context* ctx, GLuint index, double x, double y, double z, double w) noexcept nogil:
    cdef double[4] value
    value[0], value[1], value[2], value[3] = x, y, z, w
    put(ctx, index, PIPE_ATTRIB_KIND_DOUBLE, value, 32)


cdef inline double signed_unit(double value, double largest) noexcept nogil:
    return value / largest if value > -largest else -1.0


cdef inline double packed_field(uint32_t value, uint32_t shift, uint32_t bits, bint signed, bint normalized) noexcept nogil:
    cdef uint32_t field = value >> shift & ((1 << bits) - 1)
    cdef int32_t extended
    if not signed:
        return field / <double>((1 << bits) - 1) if normalized else field
    extended = <int32_t>(field << (32 - bits)) >> (32 - bits)
    return signed_unit(extended, (1 << (bits - 1)) - 1) if normalized else extended


cdef void put_packed(Context* ctx, GLuint index, GLenum type, bint normalized, uint32_t components, uint32_t value) noexcept nogil:
    cdef bint signed = type == GL_INT_2_10_10_10_REV
    if not signed and type != GL_UNSIGNED_INT_2_10_10_10_REV:
        set_error(ctx, GL_INVALID_ENUM)
        return
    put_float(ctx, index,
              packed_field(value, 0, 10, signed, normalized),
              packed_field(value, 10, 10, signed, normalized) if components > 1 else 0,
              packed_field(value, 20, 10, signed, normalized) if components > 2 else 0,
              packed_field(value, 30, 2, signed, normalized) if components > 3 else 1)


cdef void VertexAttrib1s(Context* ctx, GLuint index, GLshort x) noexcept nogil:
    put_float(ctx, index, x, 0, 0, 1)

cdef void VertexAttrib1sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_float(ctx, index, v[0], 0, 0, 1)

cdef void VertexAttrib1f(Context* ctx, GLuint index, GLfloat x) noexcept nogil:
    put_float(ctx, index, x, 0, 0, 1)

cdef void VertexAttrib1fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil:
    put_float(ctx, index, v[0], 0, 0, 1)

cdef void VertexAttrib1d(Context* ctx, GLuint index, GLdouble x) noexcept nogil:
    put_float(ctx, index, x, 0, 0, 1)

cdef void VertexAttrib1dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_float(ctx, index, v[0], 0, 0, 1)

cdef void VertexAttrib2s(Context* ctx, GLuint index, GLshort x, GLshort y) noexcept nogil:
    put_float(ctx, index, x, y, 0, 1)

cdef void VertexAttrib2sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], 0, 1)

cdef void VertexAttrib2f(Context* ctx, GLuint index, GLfloat x, GLfloat y) noexcept nogil:
    put_float(ctx, index, x, y, 0, 1)

cdef void VertexAttrib2fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], 0, 1)

cdef void VertexAttrib2d(Context* ctx, GLuint index, GLdouble x, GLdouble y) noexcept nogil:
    put_float(ctx, index, x, y, 0, 1)

cdef void VertexAttrib2dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], 0, 1)

cdef void VertexAttrib3s(Context* ctx, GLuint index, GLshort x, GLshort y, GLshort z) noexcept nogil:
    put_float(ctx, index, x, y, z, 1)

cdef void VertexAttrib3sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], 1)

cdef void VertexAttrib3f(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z) noexcept nogil:
    put_float(ctx, index, x, y, z, 1)

cdef void VertexAttrib3fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], 1)

cdef void VertexAttrib3d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z) noexcept nogil:
    put_float(ctx, index, x, y, z, 1)

cdef void VertexAttrib3dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], 1)

cdef void VertexAttrib4s(Context* ctx, GLuint index, GLshort x, GLshort y, GLshort z, GLshort w) noexcept nogil:
    put_float(ctx, index, x, y, z, w)

cdef void VertexAttrib4sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttrib4f(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) noexcept nogil:
    put_float(ctx, index, x, y, z, w)

cdef void VertexAttrib4fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttrib4d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil:
    put_float(ctx, index, x, y, z, w)

cdef void VertexAttrib4dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_float(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttrib4bv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil:
    put_float(ctx, index, <float>v[0], <float>v[1], <float>v[2], <float>v[3])

cdef void VertexAttrib4iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_float(ctx, index, <float>v[0], <float>v[1], <float>v[2], <float>v[3])

cdef void VertexAttrib4ubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil:
    put_float(ctx, index, <float>v[0], <float>v[1], <float>v[2], <float>v[3])

cdef void VertexAttrib4usv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil:
    put_float(ctx, index, <float>v[0], <float>v[1], <float>v[2], <float>v[3])

cdef void VertexAttrib4uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_float(ctx, index, <float>v[0], <float>v[1], <float>v[2], <float>v[3])

cdef void VertexAttrib4Nbv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil:
    put_float(ctx, index, signed_unit(v[0], 127), signed_unit(v[1], 127), signed_unit(v[2], 127), signed_unit(v[3], 127))

cdef void VertexAttrib4Nsv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_float(ctx, index, signed_unit(v[0], 32767), signed_unit(v[1], 32767), signed_unit(v[2], 32767), signed_unit(v[3], 32767))

cdef void VertexAttrib4Niv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_float(ctx, index, signed_unit(v[0], 2147483647), signed_unit(v[1], 2147483647), signed_unit(v[2], 2147483647), signed_unit(v[3], 2147483647))

cdef void VertexAttrib4Nubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil:
    put_float(ctx, index, v[0] / 255.0, v[1] / 255.0, v[2] / 255.0, v[3] / 255.0)

cdef void VertexAttrib4Nusv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil:
    put_float(ctx, index, v[0] / 65535.0, v[1] / 65535.0, v[2] / 65535.0, v[3] / 65535.0)

cdef void VertexAttrib4Nuiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_float(ctx, index, v[0] / 4294967295.0, v[1] / 4294967295.0, v[2] / 4294967295.0, v[3] / 4294967295.0)

cdef void VertexAttrib4Nub(Context* ctx, GLuint index, GLubyte x, GLubyte y, GLubyte z, GLubyte w) noexcept nogil:
    put_float(ctx, index, x / 255.0, y / 255.0, z / 255.0, w / 255.0)

cdef void VertexAttribI1i(Context* ctx, GLuint index, GLint x) noexcept nogil:
    put_integer(ctx, index, <uint32_t>x, 0, 0, 1)

cdef void VertexAttribI1iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t>v[0], 0, 0, 1)

cdef void VertexAttribI1ui(Context* ctx, GLuint index, GLuint x) noexcept nogil:
    put_integer(ctx, index, x, 0, 0, 1)

cdef void VertexAttribI1uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_integer(ctx, index, v[0], 0, 0, 1)

cdef void VertexAttribI2i(Context* ctx, GLuint index, GLint x, GLint y) noexcept nogil:
    put_integer(ctx, index, <uint32_t>x, <uint32_t>y, 0, 1)

cdef void VertexAttribI2iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t>v[0], <uint32_t>v[1], 0, 1)

cdef void VertexAttribI2ui(Context* ctx, GLuint index, GLuint x, GLuint y) noexcept nogil:
    put_integer(ctx, index, x, y, 0, 1)

cdef void VertexAttribI2uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_integer(ctx, index, v[0], v[1], 0, 1)

cdef void VertexAttribI3i(Context* ctx, GLuint index, GLint x, GLint y, GLint z) noexcept nogil:
    put_integer(ctx, index, <uint32_t>x, <uint32_t>y, <uint32_t>z, 1)

cdef void VertexAttribI3iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t>v[0], <uint32_t>v[1], <uint32_t>v[2], 1)

cdef void VertexAttribI3ui(Context* ctx, GLuint index, GLuint x, GLuint y, GLuint z) noexcept nogil:
    put_integer(ctx, index, x, y, z, 1)

cdef void VertexAttribI3uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_integer(ctx, index, v[0], v[1], v[2], 1)

cdef void VertexAttribI4i(Context* ctx, GLuint index, GLint x, GLint y, GLint z, GLint w) noexcept nogil:
    put_integer(ctx, index, <uint32_t>x, <uint32_t>y, <uint32_t>z, <uint32_t>w)

cdef void VertexAttribI4iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t>v[0], <uint32_t>v[1], <uint32_t>v[2], <uint32_t>v[3])

cdef void VertexAttribI4ui(Context* ctx, GLuint index, GLuint x, GLuint y, GLuint z, GLuint w) noexcept nogil:
    put_integer(ctx, index, x, y, z, w)

cdef void VertexAttribI4uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil:
    put_integer(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttribI4bv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t><GLint>v[0], <uint32_t><GLint>v[1], <uint32_t><GLint>v[2], <uint32_t><GLint>v[3])

cdef void VertexAttribI4sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil:
    put_integer(ctx, index, <uint32_t><GLint>v[0], <uint32_t><GLint>v[1], <uint32_t><GLint>v[2], <uint32_t><GLint>v[3])

cdef void VertexAttribI4ubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil:
    put_integer(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttribI4usv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil:
    put_integer(ctx, index, v[0], v[1], v[2], v[3])

cdef void VertexAttribP1ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 1, value)

cdef void VertexAttribP1uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 1, value[0])

cdef void VertexAttribP2ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 2, value)

cdef void VertexAttribP2uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 2, value[0])

cdef void VertexAttribP3ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 3, value)

cdef void VertexAttribP3uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 3, value[0])

cdef void VertexAttribP4ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 4, value)

cdef void VertexAttribP4uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil:
    put_packed(ctx, index, type, normalized, 4, value[0])

cdef void VertexAttribL1d(Context* ctx, GLuint index, GLdouble x) noexcept nogil:
    put_double(ctx, index, x, 0, 0, 1)

cdef void VertexAttribL1dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_double(ctx, index, v[0], 0, 0, 1)

cdef void VertexAttribL2d(Context* ctx, GLuint index, GLdouble x, GLdouble y) noexcept nogil:
    put_double(ctx, index, x, y, 0, 1)

cdef void VertexAttribL2dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_double(ctx, index, v[0], v[1], 0, 1)

cdef void VertexAttribL3d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z) noexcept nogil:
    put_double(ctx, index, x, y, z, 1)

cdef void VertexAttribL3dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_double(ctx, index, v[0], v[1], v[2], 1)

cdef void VertexAttribL4d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil:
    put_double(ctx, index, x, y, z, w)

cdef void VertexAttribL4dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil:
    put_double(ctx, index, v[0], v[1], v[2], v[3])
