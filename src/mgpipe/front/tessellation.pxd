"""What tessellation is told besides its shaders (OpenGL 4.6 section 10.1.15). See tessellation.pyx."""

from mgpipe.front.context cimport Context, GLenum, GLfloat, GLint

cdef void PatchParameteri(Context* ctx, GLenum pname, GLint value) noexcept nogil
cdef void PatchParameterfv(Context* ctx, GLenum pname, const GLfloat* values) noexcept nogil
