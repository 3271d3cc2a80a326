"""Viewports, depth ranges and scissor boxes: all sixteen at once, or one by one (OpenGL 4.1)."""

from mgpipe.front.context cimport Context, GLdouble, GLfloat, GLint, GLsizei, GLuint

cdef void Viewport(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void ViewportArrayv(Context* ctx, GLuint first, GLsizei count, const GLfloat* v) noexcept nogil
cdef void ViewportIndexedf(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat w, GLfloat h) noexcept nogil
cdef void ViewportIndexedfv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil
cdef void DepthRange(Context* ctx, GLdouble n, GLdouble f) noexcept nogil
cdef void DepthRangef(Context* ctx, GLfloat n, GLfloat f) noexcept nogil
cdef void DepthRangeArrayv(Context* ctx, GLuint first, GLsizei count, const GLdouble* v) noexcept nogil
cdef void DepthRangeIndexed(Context* ctx, GLuint index, GLdouble n, GLdouble f) noexcept nogil
cdef void Scissor(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void ScissorArrayv(Context* ctx, GLuint first, GLsizei count, const GLint* v) noexcept nogil
cdef void ScissorIndexed(Context* ctx, GLuint index, GLint left, GLint bottom, GLsizei width,
                         GLsizei height) noexcept nogil
cdef void ScissorIndexedv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
# A new context's first surface: every viewport and scissor box covers it.
cdef void viewports_cover(Context* ctx, GLsizei width, GLsizei height) noexcept nogil
