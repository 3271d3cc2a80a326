"""What glGet* answers: see gets.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLboolean, GLdouble, GLenum, GLfloat, GLint, GLint64, GLubyte, GLuint

# Of the draw framebuffer: GL_SAMPLES.
cdef uint32_t draw_samples(Context* ctx) noexcept nogil

cdef void GetBooleanv(Context* ctx, GLenum pname, GLboolean* data) noexcept nogil
cdef void GetDoublev(Context* ctx, GLenum pname, GLdouble* data) noexcept nogil
cdef void GetFloatv(Context* ctx, GLenum pname, GLfloat* data) noexcept nogil
cdef void GetIntegerv(Context* ctx, GLenum pname, GLint* data) noexcept nogil
cdef void GetInteger64v(Context* ctx, GLenum pname, GLint64* data) noexcept nogil
cdef void GetBooleani_v(Context* ctx, GLenum target, GLuint index, GLboolean* data) noexcept nogil
cdef void GetIntegeri_v(Context* ctx, GLenum target, GLuint index, GLint* data) noexcept nogil
cdef void GetInteger64i_v(Context* ctx, GLenum target, GLuint index, GLint64* data) noexcept nogil
cdef void GetFloati_v(Context* ctx, GLenum target, GLuint index, GLfloat* data) noexcept nogil
cdef void GetDoublei_v(Context* ctx, GLenum target, GLuint index, GLdouble* data) noexcept nogil
cdef const GLubyte* GetString(Context* ctx, GLenum name) noexcept nogil
cdef const GLubyte* GetStringi(Context* ctx, GLenum name, GLuint index) noexcept nogil
cdef GLboolean IsEnabled(Context* ctx, GLenum cap) noexcept nogil
cdef GLboolean IsEnabledi(Context* ctx, GLenum target, GLuint index) noexcept nogil
cdef GLenum GetError(Context* ctx) noexcept nogil
cdef GLenum GetGraphicsResetStatus(Context* ctx) noexcept nogil
