# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Program interface query (OpenGL 4.6 section 7.3.1): the C side of program_resources.py."""

from libc.string cimport memcpy

from glenum cimport GL_INVALID_INDEX, GL_INVALID_VALUE
from mgpipe.front.context cimport Context, GLchar, GLenum, GLint, GLsizei, GLuint, Program, set_error
from mgpipe.front.programs cimport program_of

from mgpipe.front import program_resources
from mgpipe.front.program_objects import GLError


cdef object asked(Context* ctx, GLuint name, str question, tuple arguments):
    """What program_resources answers, or None after the error it raised."""
    cdef Program* program = program_of(ctx, name)
    if program == NULL:
        return None
    try:
        return getattr(program_resources, question)(<object>program.object, *arguments)
    except GLError as error:
        set_error(ctx, error.code)
        return None


cdef str text_of(const GLchar* name):
    return (<bytes><const char*>name).decode("utf-8", "replace")


cdef void GetProgramInterfaceiv(Context* ctx, GLuint program, GLenum programInterface, GLenum pname, GLint* params) noexcept:
    answer = asked(ctx, program, "interface_parameter", (programInterface, pname))
    if answer is not None:
        params[0] = answer


cdef GLuint GetProgramResourceIndex(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept:
    answer = asked(ctx, program, "resource_index", (programInterface, text_of(name)))
    return GL_INVALID_INDEX if answer is None else answer


cdef void GetProgramResourceName(Context* ctx, GLuint program, GLenum programInterface, GLuint index, GLsizei bufSize,
                                 GLsizei* length, GLchar* name) noexcept:
    cdef GLsizei n
    cdef bytes text
    answer = asked(ctx, program, "resource_name", (programInterface, index))
    if answer is None:
        return
    if bufSize < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    text = answer.encode()
    n = <GLsizei>len(text)
    if n > bufSize - 1:
        n = bufSize - 1 if bufSize > 0 else 0
    if bufSize > 0 and name != NULL:
        memcpy(name, <const char*>text, n)
        name[n] = 0
    if length != NULL:
        length[0] = n


cdef void GetProgramResourceiv(Context* ctx, GLuint program, GLenum programInterface, GLuint index, GLsizei propCount,
                               const GLenum* props, GLsizei count, GLsizei* length, GLint* params) noexcept:
    cdef GLsizei i
    if propCount <= 0 or count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    answer = asked(ctx, program, "resource_properties",
                   (programInterface, index, [props[i] for i in range(propCount)]))
    if answer is None:
        return                                      # nothing is written after an error
    for i in range(min(count, <GLsizei>len(answer))):
        params[i] = answer[i]
    if length != NULL:
        length[0] = min(count, <GLsizei>len(answer))


cdef GLint GetProgramResourceLocation(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept:
    answer = asked(ctx, program, "resource_location", (programInterface, text_of(name)))
    return -1 if answer is None else answer


cdef GLint GetProgramResourceLocationIndex(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept:
    answer = asked(ctx, program, "resource_location", (programInterface, text_of(name), True))
    return -1 if answer is None else answer
