"""Shaders and programs: names, compiling, linking, introspection. See programs.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLboolean, GLchar, GLenum, GLint, GLsizei, GLuint, Program, Shader, ShareGroup

# The program of that name; NULL after INVALID_VALUE (no such name) or INVALID_OPERATION (a shader).
cdef Program* program_of(Context* ctx, GLuint name) noexcept nogil
cdef void program_let_go(Context* ctx, Program* program) noexcept nogil     # one use of it less
cdef void program_release(Context* ctx, Program* program) noexcept with gil  # one reference less
cdef void shader_release(Context* ctx, Shader* shader) noexcept with gil
cdef Shader* shader_of(Context* ctx, GLuint name) noexcept nogil
cdef void programs_release(Context* ctx) noexcept nogil     # a context ends: its program is no longer current

# The program that has this stage of the current program or pipeline; NULL: none has.
cdef Program* stage_program(Context* ctx, uint32_t stage) noexcept nogil
cdef void leave_program(Context* ctx, Program* program) noexcept nogil          # a reference less
cdef void put_text(Context* ctx, bytes text, GLsizei size, GLsizei* length, GLchar* target) noexcept

cdef void ProgramParameteri(Context* ctx, GLuint program, GLenum pname, GLint value) noexcept nogil
cdef void UseProgram(Context* ctx, GLuint program) noexcept nogil
cdef GLboolean IsProgram(Context* ctx, GLuint program) noexcept nogil
cdef GLboolean IsShader(Context* ctx, GLuint shader) noexcept nogil
cdef void UniformBlockBinding(Context* ctx, GLuint program, GLuint index, GLuint binding) noexcept nogil

# cold: with the GIL
cdef GLuint CreateShader(Context* ctx, GLenum type) noexcept
cdef void DeleteShader(Context* ctx, GLuint shader) noexcept
cdef void ShaderSource(Context* ctx, GLuint shader, GLsizei count, const GLchar* const* string, const GLint* length) noexcept
cdef void CompileShader(Context* ctx, GLuint shader) noexcept
cdef void GetShaderiv(Context* ctx, GLuint shader, GLenum pname, GLint* params) noexcept
cdef void GetShaderInfoLog(Context* ctx, GLuint shader, GLsizei size, GLsizei* length, GLchar* log) noexcept
cdef void GetShaderSource(Context* ctx, GLuint shader, GLsizei size, GLsizei* length, GLchar* source) noexcept
cdef GLuint CreateProgram(Context* ctx) noexcept
cdef void DeleteProgram(Context* ctx, GLuint program) noexcept
cdef void AttachShader(Context* ctx, GLuint program, GLuint shader) noexcept
cdef void DetachShader(Context* ctx, GLuint program, GLuint shader) noexcept
cdef void GetAttachedShaders(Context* ctx, GLuint program, GLsizei size, GLsizei* count, GLuint* shaders) noexcept
cdef void LinkProgram(Context* ctx, GLuint program) noexcept
cdef void ValidateProgram(Context* ctx, GLuint program) noexcept
cdef void GetProgramiv(Context* ctx, GLuint program, GLenum pname, GLint* params) noexcept
cdef void GetProgramInfoLog(Context* ctx, GLuint program, GLsizei size, GLsizei* length, GLchar* log) noexcept
cdef void BindAttribLocation(Context* ctx, GLuint program, GLuint index, const GLchar* name) noexcept
cdef void BindFragDataLocation(Context* ctx, GLuint program, GLuint color, const GLchar* name) noexcept
cdef void BindFragDataLocationIndexed(Context* ctx, GLuint program, GLuint color, GLuint index, const GLchar* name) noexcept
cdef GLint GetFragDataLocation(Context* ctx, GLuint program, const GLchar* name) noexcept
cdef GLint GetFragDataIndex(Context* ctx, GLuint program, const GLchar* name) noexcept
cdef GLint GetAttribLocation(Context* ctx, GLuint program, const GLchar* name) noexcept
cdef GLint GetUniformLocation(Context* ctx, GLuint program, const GLchar* name) noexcept
cdef void GetActiveAttrib(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLint* count, GLenum* type, GLchar* name) noexcept
cdef void GetActiveUniform(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLint* count, GLenum* type, GLchar* name) noexcept
cdef void GetActiveUniformName(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLchar* name) noexcept
cdef void GetActiveUniformsiv(Context* ctx, GLuint program, GLsizei count, const GLuint* indices, GLenum pname, GLint* params) noexcept
cdef void GetUniformIndices(Context* ctx, GLuint program, GLsizei count, const GLchar* const* names, GLuint* indices) noexcept
cdef GLuint GetUniformBlockIndex(Context* ctx, GLuint program, const GLchar* name) noexcept
cdef void GetActiveUniformBlockiv(Context* ctx, GLuint program, GLuint index, GLenum pname, GLint* params) noexcept
cdef void GetActiveUniformBlockName(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLchar* name) noexcept
cdef void TransformFeedbackVaryings(Context* ctx, GLuint program, GLsizei count, const GLchar* const* names, GLenum mode) noexcept
cdef void GetTransformFeedbackVarying(Context* ctx, GLuint program, GLuint index, GLsizei size, GLsizei* length, GLsizei* count, GLenum* type, GLchar* name) noexcept
