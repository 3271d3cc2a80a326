"""Values of loose uniforms: glUniform*, glUniformMatrix*, glGetUniform*. See uniforms.pyx."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport (Context, GLboolean, GLdouble, GLfloat, GLint, GLsizei, GLuint, Program, Uniform)

# Columns, rows and scalar type of a GL uniform type; columns 0: opaque.
cdef void uniform_shape(uint32_t gl_type, uint32_t* columns, uint32_t* rows, uint32_t* scalar) noexcept nogil

# glUniform of any program, whatever is current.
cdef void vectors(Context* ctx, Program* program, GLint location, GLsizei count, uint32_t components, uint32_t scalar,
                  const void* value) noexcept nogil
cdef void matrices(Context* ctx, Program* program, GLint location, GLsizei count, bint transpose, uint32_t columns,
                   uint32_t rows, uint32_t scalar, const void* value) noexcept nogil

cdef inline void widen(Program* program, uint32_t stage, uint32_t low, uint32_t high) noexcept nogil:
    """The bytes of a stage's constants that the next verb sends."""
    if low < program.dirty_low[stage]:
        program.dirty_low[stage] = low
    if high > program.dirty_high[stage]:
        program.dirty_high[stage] = high
    program.constants_dirty |= 1 << stage

cdef void Uniform1f(Context* ctx, GLint location, GLfloat v0) noexcept nogil
cdef void Uniform2f(Context* ctx, GLint location, GLfloat v0, GLfloat v1) noexcept nogil
cdef void Uniform3f(Context* ctx, GLint location, GLfloat v0, GLfloat v1, GLfloat v2) noexcept nogil
cdef void Uniform4f(Context* ctx, GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3) noexcept nogil
cdef void Uniform1i(Context* ctx, GLint location, GLint v0) noexcept nogil
cdef void Uniform2i(Context* ctx, GLint location, GLint v0, GLint v1) noexcept nogil
cdef void Uniform3i(Context* ctx, GLint location, GLint v0, GLint v1, GLint v2) noexcept nogil
cdef void Uniform4i(Context* ctx, GLint location, GLint v0, GLint v1, GLint v2, GLint v3) noexcept nogil
cdef void Uniform1ui(Context* ctx, GLint location, GLuint v0) noexcept nogil
cdef void Uniform2ui(Context* ctx, GLint location, GLuint v0, GLuint v1) noexcept nogil
cdef void Uniform3ui(Context* ctx, GLint location, GLuint v0, GLuint v1, GLuint v2) noexcept nogil
cdef void Uniform4ui(Context* ctx, GLint location, GLuint v0, GLuint v1, GLuint v2, GLuint v3) noexcept nogil
cdef void Uniform1fv(Context* ctx, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void Uniform2fv(Context* ctx, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void Uniform3fv(Context* ctx, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void Uniform4fv(Context* ctx, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void Uniform1iv(Context* ctx, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void Uniform2iv(Context* ctx, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void Uniform3iv(Context* ctx, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void Uniform4iv(Context* ctx, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void Uniform1uiv(Context* ctx, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void Uniform2uiv(Context* ctx, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void Uniform3uiv(Context* ctx, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void Uniform4uiv(Context* ctx, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void UniformMatrix2fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix3fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix4fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix2x3fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix3x2fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix2x4fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix4x2fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix3x4fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void UniformMatrix4x3fv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void GetUniformfv(Context* ctx, GLuint program, GLint location, GLfloat* params) noexcept nogil
cdef void GetUniformiv(Context* ctx, GLuint program, GLint location, GLint* params) noexcept nogil
cdef void GetUniformuiv(Context* ctx, GLuint program, GLint location, GLuint* params) noexcept nogil
cdef void Uniform1d(Context* ctx, GLint location, GLdouble x) noexcept nogil
cdef void Uniform2d(Context* ctx, GLint location, GLdouble x, GLdouble y) noexcept nogil
cdef void Uniform3d(Context* ctx, GLint location, GLdouble x, GLdouble y, GLdouble z) noexcept nogil
cdef void Uniform4d(Context* ctx, GLint location, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil
cdef void Uniform1dv(Context* ctx, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void Uniform2dv(Context* ctx, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void Uniform3dv(Context* ctx, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void Uniform4dv(Context* ctx, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void UniformMatrix2dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix2x3dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix2x4dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix3x2dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix3dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix3x4dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix4x2dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix4x3dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void UniformMatrix4dv(Context* ctx, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void GetUniformdv(Context* ctx, GLuint program, GLint location, GLdouble* params) noexcept nogil
