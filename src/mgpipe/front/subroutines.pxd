"""Which function each subroutine uniform calls (OpenGL 4.6 section 7.10). See subroutines.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLchar, GLenum, GLint, GLsizei, GLuint, Program

# After a link: what its reflection says of the program's subroutines, as structs. False: out of memory.
cdef bint subroutines_fill(Program* program, object linked) except? False
# The program becomes current: each uniform calls the first function of its type again.
cdef void subroutines_reset(Program* program) noexcept nogil

cdef GLint GetSubroutineUniformLocation(Context* ctx, GLuint program, GLenum shadertype, const GLchar* name) noexcept
cdef GLuint GetSubroutineIndex(Context* ctx, GLuint program, GLenum shadertype, const GLchar* name) noexcept
cdef void GetActiveSubroutineUniformiv(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLenum pname, GLint* values) noexcept
cdef void GetActiveSubroutineUniformName(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLsizei bufsize, GLsizei* length, GLchar* name) noexcept
cdef void GetActiveSubroutineName(Context* ctx, GLuint program, GLenum shadertype, GLuint index, GLsizei bufsize, GLsizei* length, GLchar* name) noexcept
cdef void UniformSubroutinesuiv(Context* ctx, GLenum shadertype, GLsizei count, const GLuint* indices) noexcept
cdef void GetUniformSubroutineuiv(Context* ctx, GLenum shadertype, GLint location, GLuint* params) noexcept
cdef void GetProgramStageiv(Context* ctx, GLuint program, GLenum shadertype, GLenum pname, GLint* values) noexcept
