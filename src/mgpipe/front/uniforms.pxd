"""Values of loose uniforms: glUniform*, glProgramUniform*, glGetUniform*. See uniforms.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport (Context, GLboolean, GLdouble, GLfloat, GLint, GLsizei, GLuint, Program, Uniform)

# Columns, rows and scalar type of a GL uniform type; columns 0: opaque.
cdef void uniform_shape(uint32_t gl_type, uint32_t* columns, uint32_t* rows, uint32_t* scalar) noexcept nogil

cdef inline void widen(Program* program, uint32_t stage, uint32_t low, uint32_t high) noexcept nogil:
    """The bytes of a stage's constants that the next verb sends."""
    if low < program.dirty_low[stage]:
        program.dirty_low[stage] = low
    if high > program.dirty_high[stage]:
        program.dirty_high[stage] = high
    program.constants_dirty |= 1 << stage

cdef void GetnUniformfv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLfloat* params) noexcept nogil
cdef void GetnUniformdv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLdouble* params) noexcept nogil
cdef void GetnUniformiv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLint* params) noexcept nogil
cdef void GetnUniformuiv(Context* ctx, GLuint program, GLint location, GLsizei bufSize, GLuint* params) noexcept nogil
cdef void GetUniformfv(Context* ctx, GLuint program, GLint location, GLfloat* params) noexcept nogil
cdef void GetUniformiv(Context* ctx, GLuint program, GLint location, GLint* params) noexcept nogil
cdef void GetUniformuiv(Context* ctx, GLuint program, GLint location, GLuint* params) noexcept nogil
cdef void GetUniformdv(Context* ctx, GLuint program, GLint location, GLdouble* params) noexcept nogil

include "uniform_setters_declared.pxi"
