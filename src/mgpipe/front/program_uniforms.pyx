# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""glProgramUniform* (OpenGL 4.1): glUniform* of a named program, whichever is current."""

from glenum cimport GL_DOUBLE, GL_FLOAT, GL_INT, GL_INVALID_OPERATION, GL_UNSIGNED_INT
from mgpipe.front.context cimport (Context, GLboolean, GLdouble, GLfloat, GLint, GLsizei, GLuint, Program, set_error)
from mgpipe.front.programs cimport program_of
from mgpipe.front.uniforms cimport matrices, vectors


cdef inline Program* linked(Context* ctx, GLuint name) noexcept nogil:
    cdef Program* program = program_of(ctx, name)
    if program != NULL and not program.linked:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return program


cdef void ProgramUniform1f(Context* ctx, GLuint program, GLint location, GLfloat x) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLfloat[1] value = [x]
    if to != NULL:
        vectors(ctx, to, location, 1, 1, GL_FLOAT, value)


cdef void ProgramUniform1fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 1, GL_FLOAT, value)


cdef void ProgramUniform2f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLfloat[2] value = [x, y]
    if to != NULL:
        vectors(ctx, to, location, 1, 2, GL_FLOAT, value)


cdef void ProgramUniform2fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 2, GL_FLOAT, value)


cdef void ProgramUniform3f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y, GLfloat z) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLfloat[3] value = [x, y, z]
    if to != NULL:
        vectors(ctx, to, location, 1, 3, GL_FLOAT, value)


cdef void ProgramUniform3fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 3, GL_FLOAT, value)


cdef void ProgramUniform4f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y, GLfloat z, GLfloat w) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLfloat[4] value = [x, y, z, w]
    if to != NULL:
        vectors(ctx, to, location, 1, 4, GL_FLOAT, value)


cdef void ProgramUniform4fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 4, GL_FLOAT, value)


cdef void ProgramUniform1i(Context* ctx, GLuint program, GLint location, GLint x) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLint[1] value = [x]
    if to != NULL:
        vectors(ctx, to, location, 1, 1, GL_INT, value)


cdef void ProgramUniform1iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 1, GL_INT, value)


cdef void ProgramUniform2i(Context* ctx, GLuint program, GLint location, GLint x, GLint y) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLint[2] value = [x, y]
    if to != NULL:
        vectors(ctx, to, location, 1, 2, GL_INT, value)


cdef void ProgramUniform2iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 2, GL_INT, value)


cdef void ProgramUniform3i(Context* ctx, GLuint program, GLint location, GLint x, GLint y, GLint z) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLint[3] value = [x, y, z]
    if to != NULL:
        vectors(ctx, to, location, 1, 3, GL_INT, value)


cdef void ProgramUniform3iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 3, GL_INT, value)


cdef void ProgramUniform4i(Context* ctx, GLuint program, GLint location, GLint x, GLint y, GLint z, GLint w) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLint[4] value = [x, y, z, w]
    if to != NULL:
        vectors(ctx, to, location, 1, 4, GL_INT, value)


cdef void ProgramUniform4iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 4, GL_INT, value)


cdef void ProgramUniform1ui(Context* ctx, GLuint program, GLint location, GLuint x) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLuint[1] value = [x]
    if to != NULL:
        vectors(ctx, to, location, 1, 1, GL_UNSIGNED_INT, value)


cdef void ProgramUniform1uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 1, GL_UNSIGNED_INT, value)


cdef void ProgramUniform2ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLuint[2] value = [x, y]
    if to != NULL:
        vectors(ctx, to, location, 1, 2, GL_UNSIGNED_INT, value)


cdef void ProgramUniform2uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 2, GL_UNSIGNED_INT, value)


cdef void ProgramUniform3ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y, GLuint z) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLuint[3] value = [x, y, z]
    if to != NULL:
        vectors(ctx, to, location, 1, 3, GL_UNSIGNED_INT, value)


cdef void ProgramUniform3uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 3, GL_UNSIGNED_INT, value)


cdef void ProgramUniform4ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y, GLuint z, GLuint w) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLuint[4] value = [x, y, z, w]
    if to != NULL:
        vectors(ctx, to, location, 1, 4, GL_UNSIGNED_INT, value)


cdef void ProgramUniform4uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 4, GL_UNSIGNED_INT, value)


cdef void ProgramUniform1d(Context* ctx, GLuint program, GLint location, GLdouble x) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLdouble[1] value = [x]
    if to != NULL:
        vectors(ctx, to, location, 1, 1, GL_DOUBLE, value)


cdef void ProgramUniform1dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 1, GL_DOUBLE, value)


cdef void ProgramUniform2d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLdouble[2] value = [x, y]
    if to != NULL:
        vectors(ctx, to, location, 1, 2, GL_DOUBLE, value)


cdef void ProgramUniform2dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 2, GL_DOUBLE, value)


cdef void ProgramUniform3d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y, GLdouble z) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLdouble[3] value = [x, y, z]
    if to != NULL:
        vectors(ctx, to, location, 1, 3, GL_DOUBLE, value)


cdef void ProgramUniform3dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 3, GL_DOUBLE, value)


cdef void ProgramUniform4d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    cdef GLdouble[4] value = [x, y, z, w]
    if to != NULL:
        vectors(ctx, to, location, 1, 4, GL_DOUBLE, value)


cdef void ProgramUniform4dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        vectors(ctx, to, location, count, 4, GL_DOUBLE, value)


cdef void ProgramUniformMatrix2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 2, GL_FLOAT, value)


cdef void ProgramUniformMatrix2x3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 3, GL_FLOAT, value)


cdef void ProgramUniformMatrix2x4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 4, GL_FLOAT, value)


cdef void ProgramUniformMatrix3x2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 2, GL_FLOAT, value)


cdef void ProgramUniformMatrix3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 3, GL_FLOAT, value)


cdef void ProgramUniformMatrix3x4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 4, GL_FLOAT, value)


cdef void ProgramUniformMatrix4x2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 2, GL_FLOAT, value)


cdef void ProgramUniformMatrix4x3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 3, GL_FLOAT, value)


cdef void ProgramUniformMatrix4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 4, GL_FLOAT, value)


cdef void ProgramUniformMatrix2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 2, GL_DOUBLE, value)


cdef void ProgramUniformMatrix2x3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 3, GL_DOUBLE, value)


cdef void ProgramUniformMatrix2x4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 2, 4, GL_DOUBLE, value)


cdef void ProgramUniformMatrix3x2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 2, GL_DOUBLE, value)


cdef void ProgramUniformMatrix3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 3, GL_DOUBLE, value)


cdef void ProgramUniformMatrix3x4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 3, 4, GL_DOUBLE, value)


cdef void ProgramUniformMatrix4x2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 2, GL_DOUBLE, value)


cdef void ProgramUniformMatrix4x3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 3, GL_DOUBLE, value)


cdef void ProgramUniformMatrix4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil:
    cdef Program* to = linked(ctx, program)
    if to != NULL:
        matrices(ctx, to, location, count, transpose, 4, 4, GL_DOUBLE, value)
