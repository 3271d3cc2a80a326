"""Current vertex attributes: what a disabled array hands to the shader. glVertexAttrib* in all their spellings."""

from mgpipe.front.context cimport (Context, GLboolean, GLbyte, GLdouble, GLenum, GLfloat, GLint, GLshort, GLubyte, GLuint,
                                   GLushort)

cdef void VertexAttrib1s(Context* ctx, GLuint index, GLshort x) noexcept nogil
cdef void VertexAttrib1sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttrib1f(Context* ctx, GLuint index, GLfloat x) noexcept nogil
cdef void VertexAttrib1fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil
cdef void VertexAttrib1d(Context* ctx, GLuint index, GLdouble x) noexcept nogil
cdef void VertexAttrib1dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttrib2s(Context* ctx, GLuint index, GLshort x, GLshort y) noexcept nogil
cdef void VertexAttrib2sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttrib2f(Context* ctx, GLuint index, GLfloat x, GLfloat y) noexcept nogil
cdef void VertexAttrib2fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil
cdef void VertexAttrib2d(Context* ctx, GLuint index, GLdouble x, GLdouble y) noexcept nogil
cdef void VertexAttrib2dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttrib3s(Context* ctx, GLuint index, GLshort x, GLshort y, GLshort z) noexcept nogil
cdef void VertexAttrib3sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttrib3f(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z) noexcept nogil
cdef void VertexAttrib3fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil
cdef void VertexAttrib3d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z) noexcept nogil
cdef void VertexAttrib3dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttrib4s(Context* ctx, GLuint index, GLshort x, GLshort y, GLshort z, GLshort w) noexcept nogil
cdef void VertexAttrib4sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttrib4f(Context* ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) noexcept nogil
cdef void VertexAttrib4fv(Context* ctx, GLuint index, const GLfloat* v) noexcept nogil
cdef void VertexAttrib4d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil
cdef void VertexAttrib4dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttrib4bv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil
cdef void VertexAttrib4iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttrib4ubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil
cdef void VertexAttrib4usv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil
cdef void VertexAttrib4uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttrib4Nbv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil
cdef void VertexAttrib4Nsv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttrib4Niv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttrib4Nubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil
cdef void VertexAttrib4Nusv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil
cdef void VertexAttrib4Nuiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttrib4Nub(Context* ctx, GLuint index, GLubyte x, GLubyte y, GLubyte z, GLubyte w) noexcept nogil
cdef void VertexAttribI1i(Context* ctx, GLuint index, GLint x) noexcept nogil
cdef void VertexAttribI1iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttribI1ui(Context* ctx, GLuint index, GLuint x) noexcept nogil
cdef void VertexAttribI1uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttribI2i(Context* ctx, GLuint index, GLint x, GLint y) noexcept nogil
cdef void VertexAttribI2iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttribI2ui(Context* ctx, GLuint index, GLuint x, GLuint y) noexcept nogil
cdef void VertexAttribI2uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttribI3i(Context* ctx, GLuint index, GLint x, GLint y, GLint z) noexcept nogil
cdef void VertexAttribI3iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttribI3ui(Context* ctx, GLuint index, GLuint x, GLuint y, GLuint z) noexcept nogil
cdef void VertexAttribI3uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttribI4i(Context* ctx, GLuint index, GLint x, GLint y, GLint z, GLint w) noexcept nogil
cdef void VertexAttribI4iv(Context* ctx, GLuint index, const GLint* v) noexcept nogil
cdef void VertexAttribI4ui(Context* ctx, GLuint index, GLuint x, GLuint y, GLuint z, GLuint w) noexcept nogil
cdef void VertexAttribI4uiv(Context* ctx, GLuint index, const GLuint* v) noexcept nogil
cdef void VertexAttribI4bv(Context* ctx, GLuint index, const GLbyte* v) noexcept nogil
cdef void VertexAttribI4sv(Context* ctx, GLuint index, const GLshort* v) noexcept nogil
cdef void VertexAttribI4ubv(Context* ctx, GLuint index, const GLubyte* v) noexcept nogil
cdef void VertexAttribI4usv(Context* ctx, GLuint index, const GLushort* v) noexcept nogil
cdef void VertexAttribP1ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil
cdef void VertexAttribP1uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil
cdef void VertexAttribP2ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil
cdef void VertexAttribP2uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil
cdef void VertexAttribP3ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil
cdef void VertexAttribP3uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil
cdef void VertexAttribP4ui(Context* ctx, GLuint index, GLenum type, GLboolean normalized, GLuint value) noexcept nogil
cdef void VertexAttribP4uiv(Context* ctx, GLuint index, GLenum type, GLboolean normalized, const GLuint* value) noexcept nogil
cdef void VertexAttribL1d(Context* ctx, GLuint index, GLdouble x) noexcept nogil
cdef void VertexAttribL1dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttribL2d(Context* ctx, GLuint index, GLdouble x, GLdouble y) noexcept nogil
cdef void VertexAttribL2dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttribL3d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z) noexcept nogil
cdef void VertexAttribL3dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
cdef void VertexAttribL4d(Context* ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w) noexcept nogil
cdef void VertexAttribL4dv(Context* ctx, GLuint index, const GLdouble* v) noexcept nogil
