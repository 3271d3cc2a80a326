"""Vertex array objects: where each attribute's values come from."""

from mgpipe.front.context cimport (Context, GLboolean, GLdouble, GLenum, GLfloat, GLint, GLintptr, GLsizei, GLuint,
                                   VertexArray)

# The object of a name that is about to be bound, made now if need be; NULL: the error is set.
cdef VertexArray* vertex_array_object(Context* ctx, GLuint name) noexcept nogil
# A context ends: its vertex arrays let go of their buffers.
cdef void vertex_arrays_release(Context* ctx) noexcept nogil

cdef void GenVertexArrays(Context* ctx, GLsizei n, GLuint* arrays) noexcept nogil
cdef void DeleteVertexArrays(Context* ctx, GLsizei n, const GLuint* arrays) noexcept nogil
cdef GLboolean IsVertexArray(Context* ctx, GLuint array) noexcept nogil
cdef void BindVertexArray(Context* ctx, GLuint array) noexcept nogil
cdef void EnableVertexAttribArray(Context* ctx, GLuint index) noexcept nogil
cdef void DisableVertexAttribArray(Context* ctx, GLuint index) noexcept nogil
cdef void VertexAttribPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride, const void* pointer) noexcept nogil
cdef void VertexAttribIPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) noexcept nogil
cdef void VertexAttribDivisor(Context* ctx, GLuint index, GLuint divisor) noexcept nogil
cdef void GetVertexAttribfv(Context* ctx, GLuint index, GLenum pname, GLfloat* params) noexcept nogil
cdef void GetVertexAttribdv(Context* ctx, GLuint index, GLenum pname, GLdouble* params) noexcept nogil
cdef void GetVertexAttribiv(Context* ctx, GLuint index, GLenum pname, GLint* params) noexcept nogil
cdef void GetVertexAttribIiv(Context* ctx, GLuint index, GLenum pname, GLint* params) noexcept nogil
cdef void GetVertexAttribIuiv(Context* ctx, GLuint index, GLenum pname, GLuint* params) noexcept nogil
cdef void GetVertexAttribPointerv(Context* ctx, GLuint index, GLenum pname, void** pointer) noexcept nogil
cdef void VertexAttribLPointer(Context* ctx, GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) noexcept nogil
cdef void GetVertexAttribLdv(Context* ctx, GLuint index, GLenum pname, GLdouble* params) noexcept nogil
cdef void VertexAttribFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLboolean normalized, GLuint relativeoffset) noexcept nogil
cdef void VertexAttribIFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) noexcept nogil
cdef void VertexAttribLFormat(Context* ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) noexcept nogil
cdef void VertexAttribBinding(Context* ctx, GLuint attribindex, GLuint bindingindex) noexcept nogil
cdef void VertexBindingDivisor(Context* ctx, GLuint bindingindex, GLuint divisor) noexcept nogil
cdef void BindVertexBuffer(Context* ctx, GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride) noexcept nogil
cdef void BindVertexBuffers(Context* ctx, GLuint first, GLsizei count, const GLuint* buffers, const GLintptr* offsets, const GLsizei* strides) noexcept nogil
