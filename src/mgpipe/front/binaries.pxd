"""Binaries of shaders and programs, and what a compiler says of itself (OpenGL 4.1). See binaries.pyx."""

from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, GLuint

cdef void GetProgramBinary(Context* ctx, GLuint program, GLsizei bufSize, GLsizei* length, GLenum* binaryFormat, void* binary) noexcept nogil
cdef void ProgramBinary(Context* ctx, GLuint program, GLenum binaryFormat, const void* binary, GLsizei length) noexcept nogil
cdef void ShaderBinary(Context* ctx, GLsizei count, const GLuint* shaders, GLenum binaryFormat, const void* binary, GLsizei length) noexcept nogil
cdef void ReleaseShaderCompiler(Context* ctx) noexcept nogil
cdef void GetShaderPrecisionFormat(Context* ctx, GLenum shadertype, GLenum precisiontype, GLint* range, GLint* precision) noexcept nogil
