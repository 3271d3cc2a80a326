# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Binaries, of which there are no formats: the specification allows none (sections 7.2 and 7.5), and every format is unknown
then. What would be worth keeping is kept without the program's help (shaders/cache.py).
"""

from glenum cimport (GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, GL_HIGH_INT, GL_INVALID_ENUM, GL_INVALID_OPERATION,
                     GL_INVALID_VALUE, GL_LOW_FLOAT, GL_LOW_INT, GL_VERTEX_SHADER)
from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, GLuint, Program, set_error
from mgpipe.front.programs cimport program_of, shader_of


cdef void GetProgramBinary(Context* ctx, GLuint program, GLsizei bufSize, GLsizei* length, GLenum* binaryFormat, void* binary) noexcept nogil:
    if program_of(ctx, program) == NULL:
        return
    if length != NULL:
        length[0] = 0
    set_error(ctx, GL_INVALID_VALUE if bufSize < 0 else GL_INVALID_OPERATION)


cdef void ProgramBinary(Context* ctx, GLuint program, GLenum binaryFormat, const void* binary, GLsizei length) noexcept nogil:
    if program_of(ctx, program) != NULL:
        set_error(ctx, GL_INVALID_VALUE if length < 0 else GL_INVALID_ENUM)


cdef void ShaderBinary(Context* ctx, GLsizei count, const GLuint* shaders, GLenum binaryFormat, const void* binary, GLsizei length) noexcept nogil:
    cdef GLsizei i
    if count < 0 or length < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(count):
        if shader_of(ctx, shaders[i]) == NULL:
            return
    set_error(ctx, GL_INVALID_ENUM)


cdef void ReleaseShaderCompiler(Context* ctx) noexcept nogil:
    """A hint, which nothing is gained by: what glslang holds is shared and of constant size."""


cdef void GetShaderPrecisionFormat(Context* ctx, GLenum shadertype, GLenum precisiontype, GLint* range, GLint* precision) noexcept nogil:
    """Precision qualifiers mean nothing in GLSL: every float has 32 bits, and so has every integer."""
    if shadertype != GL_VERTEX_SHADER and shadertype != GL_FRAGMENT_SHADER:
        set_error(ctx, GL_INVALID_ENUM)
    elif GL_LOW_FLOAT <= precisiontype <= GL_HIGH_FLOAT:
        range[0] = range[1] = 127
        precision[0] = 23
    elif GL_LOW_INT <= precisiontype <= GL_HIGH_INT:
        range[0] = 31
        range[1] = 30
        precision[0] = 0
    else:
        set_error(ctx, GL_INVALID_ENUM)
