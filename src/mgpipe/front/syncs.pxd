"""Sync objects, of the share group (specification 4.1)."""

from mgpipe.front.context cimport Context, GLbitfield, GLboolean, GLenum, GLint, GLsizei, GLuint64

# A GLsync is the object's name in the share group as a pointer: never dereferenced, so a wrong one is only an error.
cdef void* FenceSync(Context* ctx, GLenum condition, GLbitfield flags) noexcept nogil
cdef void DeleteSync(Context* ctx, void* sync) noexcept nogil
cdef GLboolean IsSync(Context* ctx, void* sync) noexcept nogil
cdef GLenum ClientWaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil
cdef void WaitSync(Context* ctx, void* sync, GLbitfield flags, GLuint64 timeout) noexcept nogil
cdef void GetSynciv(Context* ctx, void* sync, GLenum pname, GLsizei count, GLsizei* length, GLint* values) noexcept nogil
