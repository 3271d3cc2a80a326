"""Query objects and conditional rendering (specification 4.2, 10.9, 10.10)."""

from mgpipe.front.context cimport (Context, GLboolean, GLenum, GLint, GLint64, GLintptr, GLsizei, GLuint, GLuint64)

# A context ends: its queries leave the server.
cdef void queries_release(Context* ctx) noexcept nogil
# GL_TIMESTAMP of glGet*: an answer that the program asked for. 0: the driver has no clock.
cdef GLint64 timestamp(Context* ctx) noexcept nogil

cdef void GenQueries(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil
cdef void CreateQueries(Context* ctx, GLenum target, GLsizei n, GLuint* ids) noexcept nogil
cdef void DeleteQueries(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil
cdef GLboolean IsQuery(Context* ctx, GLuint id) noexcept nogil
cdef void BeginQuery(Context* ctx, GLenum target, GLuint id) noexcept nogil
cdef void EndQuery(Context* ctx, GLenum target) noexcept nogil
cdef void BeginQueryIndexed(Context* ctx, GLenum target, GLuint index, GLuint id) noexcept nogil
cdef void EndQueryIndexed(Context* ctx, GLenum target, GLuint index) noexcept nogil
cdef void QueryCounter(Context* ctx, GLuint id, GLenum target) noexcept nogil
cdef void GetQueryiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void GetQueryIndexediv(Context* ctx, GLenum target, GLuint index, GLenum pname, GLint* params) noexcept nogil
cdef void GetQueryObjectiv(Context* ctx, GLuint id, GLenum pname, GLint* params) noexcept nogil
cdef void GetQueryObjectuiv(Context* ctx, GLuint id, GLenum pname, GLuint* params) noexcept nogil
cdef void GetQueryObjecti64v(Context* ctx, GLuint id, GLenum pname, GLint64* params) noexcept nogil
cdef void GetQueryObjectui64v(Context* ctx, GLuint id, GLenum pname, GLuint64* params) noexcept nogil
cdef void GetQueryBufferObjectiv(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil
cdef void GetQueryBufferObjectuiv(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil
cdef void GetQueryBufferObjecti64v(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil
cdef void GetQueryBufferObjectui64v(Context* ctx, GLuint id, GLuint buffer, GLenum pname, GLintptr offset) noexcept nogil
cdef void BeginConditionalRender(Context* ctx, GLuint id, GLenum mode) noexcept nogil
cdef void EndConditionalRender(Context* ctx) noexcept nogil
