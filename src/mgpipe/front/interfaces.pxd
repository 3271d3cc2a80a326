"""Program interface query (OpenGL 4.3). With the GIL: program_resources.py answers."""

from mgpipe.front.context cimport Context, GLchar, GLenum, GLint, GLsizei, GLuint

cdef void GetProgramInterfaceiv(Context* ctx, GLuint program, GLenum programInterface, GLenum pname, GLint* params) noexcept
cdef GLuint GetProgramResourceIndex(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept
cdef void GetProgramResourceName(Context* ctx, GLuint program, GLenum programInterface, GLuint index, GLsizei bufSize, GLsizei* length, GLchar* name) noexcept
cdef void GetProgramResourceiv(Context* ctx, GLuint program, GLenum programInterface, GLuint index, GLsizei propCount, const GLenum* props, GLsizei count, GLsizei* length, GLint* params) noexcept
cdef GLint GetProgramResourceLocation(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept
cdef GLint GetProgramResourceLocationIndex(Context* ctx, GLuint program, GLenum programInterface, const GLchar* name) noexcept
