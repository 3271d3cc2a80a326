"""glProgramUniform* (OpenGL 4.1). See program_uniforms.pyx."""

from mgpipe.front.context cimport Context, GLboolean, GLdouble, GLfloat, GLint, GLsizei, GLuint

cdef void ProgramUniform1f(Context* ctx, GLuint program, GLint location, GLfloat x) noexcept nogil
cdef void ProgramUniform1fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void ProgramUniform2f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y) noexcept nogil
cdef void ProgramUniform2fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void ProgramUniform3f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y, GLfloat z) noexcept nogil
cdef void ProgramUniform3fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void ProgramUniform4f(Context* ctx, GLuint program, GLint location, GLfloat x, GLfloat y, GLfloat z, GLfloat w) noexcept nogil
cdef void ProgramUniform4fv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLfloat* value) noexcept nogil
cdef void ProgramUniform1i(Context* ctx, GLuint program, GLint location, GLint x) noexcept nogil
cdef void ProgramUniform1iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void ProgramUniform2i(Context* ctx, GLuint program, GLint location, GLint x, GLint y) noexcept nogil
cdef void ProgramUniform2iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void ProgramUniform3i(Context* ctx, GLuint program, GLint location, GLint x, GLint y, GLint z) noexcept nogil
cdef void ProgramUniform3iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void ProgramUniform4i(Context* ctx, GLuint program, GLint location, GLint x, GLint y, GLint z, GLint w) noexcept nogil
cdef void ProgramUniform4iv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLint* value) noexcept nogil
cdef void ProgramUniform1ui(Context* ctx, GLuint program, GLint location, GLuint x) noexcept nogil
cdef void ProgramUniform1uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void ProgramUniform2ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y) noexcept nogil
cdef void ProgramUniform2uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void ProgramUniform3ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y, GLuint z) noexcept nogil
cdef void ProgramUniform3uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void ProgramUniform4ui(Context* ctx, GLuint program, GLint location, GLuint x, GLuint y, GLuint z, GLuint w) noexcept nogil
cdef void ProgramUniform4uiv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLuint* value) noexcept nogil
cdef void ProgramUniform1d(Context* ctx, GLuint program, GLint location, GLdouble x) noexcept nogil
cdef void ProgramUniform1dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void ProgramUniform2d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y) noexcept nogil
cdef void ProgramUniform2dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void ProgramUniform3d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y, GLdouble z) noexcept nogil
cdef void ProgramUniform3dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void ProgramUniform4d(Context* ctx, GLuint program, GLint location, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil
cdef void ProgramUniform4dv(Context* ctx, GLuint program, GLint location, GLsizei count, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix2x3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix2x4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix3x2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix3x4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix4x2fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix4x3fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix4fv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) noexcept nogil
cdef void ProgramUniformMatrix2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix2x3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix2x4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix3x2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix3x4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix4x2dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix4x3dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
cdef void ProgramUniformMatrix4dv(Context* ctx, GLuint program, GLint location, GLsizei count, GLboolean transpose, const GLdouble* value) noexcept nogil
