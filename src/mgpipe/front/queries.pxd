"""Query objects and sync objects."""

from mgpipe.front.context cimport (Context, GLbitfield, GLboolean, GLenum, GLint, GLint64, GLsizei, GLuint, GLuint64)

# A context ends: its queries leave the server.
cdef void queries_release(Context* ctx) noexcept nogil

cdef void GenQueries(Context* ctx, GLsizei n, GLuint* ids) noexcept nogil
cdef void DeleteQueries(Context* ctx, GLsizei n, const GLuint* ids) noexcept nogil
cdef GLboolean IsQuery(Context* ctx, GLuint id) noexcept nogil
cdef void BeginQuery(Context* ctx, GLenum target, GLuint id) noexcept nogil
cdef void EndQuery(Context* ctx, GLenum target) noexcept nogil
cdef void QueryCounter(Context* ctx, GLuint id, GLenum target) noexcept nogil
cdef void GetQueryiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void GetQueryObjectiv(Context* ctx, GLuint id, GLenum pname, GLint* params) noexcept nogil
cdef void GetQueryObjectuiv(Context* ctx, GLuint id, GLenum pname, GLuint* params) noexcept nogil
cdef void GetQueryObjecti64v(Context* ctx, GLuint id, GLenum pname, GLint64* params) noexcept nogil
cdef void GetQueryObjectui64v(Context* ctx, GLuint id, GLenum pname, GLuint64* params) noexcept nogil
# A GLsync is the object's name in the share group as a pointer: never dereferenced, so a wrong one is only an error.
cdef void* FenceSync(Context* ctx, GLenum condition, GLbitfield flags) noexcept nogil
cdef void DeleteSync(Context* ctx, void* sync) noexcept nogil
cdef GLboolean IsSync(Context* ctx, void* sync) noexcept nogil
cdef GLenum ClientWaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil
cdef void WaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil
cdef void GetSynciv(Context* ctx, void* sync, GLenum pname, GLsizei count, GLsizei* length, GLint* values) noexcept nogil
