"""Buffer objects: names, binding points, contents."""

from libc.stdint cimport uint64_t
from mgpipe.front.context cimport (Buffer, Context, GLbitfield, GLboolean, GLenum, GLint, GLint64, GLintptr, GLsizei,
                                   GLsizeiptr, GLuint)

# Every pointer to a buffer (its name, a binding of any context, a vertex array, a texture) holds one reference. `hold` puts
# a buffer (or NULL) where `place` points and lets go of what was there; the last one to let go ends the buffer.
cdef void buffer_hold(Context* ctx, Buffer** place, Buffer* buffer) noexcept nogil
# The object of a name about to be bound, made now if need be; 0 is none. False: the error is set.
cdef bint named_buffer(Context* ctx, GLuint name, Buffer** found) noexcept nogil
# The same of a name that must have an object already, as the commands that bind many ask for.
cdef bint existing_buffer(Context* ctx, GLuint name, Buffer** found) noexcept nogil
# Bytes [low, high) of the shadow are new: they leave before the next verb.
cdef void buffer_wrote(Context* ctx, Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil
# Makes the shadow's bytes as new as the server's; waits only when a verb may have written some of them. False: the
# session is lost, or no memory (the error is set).
cdef bint buffer_pull(Context* ctx, Buffer* buffer, uint64_t offset, uint64_t size) noexcept nogil
# The client has the newest of these bytes: they are not the server's any more.
cdef void buffer_take_back(Buffer* buffer, uint64_t low, uint64_t high) noexcept nogil
# Storage with undefined contents. False: out of memory, the error is set.
cdef bint buffer_new_storage(Context* ctx, Buffer* buffer, uint64_t size) noexcept nogil
# Whether buffers may be bound to a target; the one that is, or NULL with the error set.
cdef bint buffer_target(Context* ctx, GLenum target) noexcept nogil
cdef Buffer* bound_buffer(Context* ctx, GLenum target) noexcept nogil

cdef inline bint buffer_outside(const Buffer* buffer, GLintptr offset, GLsizeiptr size) noexcept nogil:
    """Whether a range leaves the buffer, or is none."""
    return offset < 0 or size < 0 or <uint64_t>offset > buffer.size or <uint64_t>size > buffer.size - <uint64_t>offset

# A context ends: its binding points let go.
cdef void buffers_release(Context* ctx) noexcept nogil

cdef void GenBuffers(Context* ctx, GLsizei n, GLuint* buffers) noexcept nogil
cdef void DeleteBuffers(Context* ctx, GLsizei n, const GLuint* buffers) noexcept nogil
cdef GLboolean IsBuffer(Context* ctx, GLuint buffer) noexcept nogil
cdef void BindBuffer(Context* ctx, GLenum target, GLuint buffer) noexcept nogil
cdef void BindBufferBase(Context* ctx, GLenum target, GLuint index, GLuint buffer) noexcept nogil
cdef void BindBufferRange(Context* ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) noexcept nogil
cdef void BindBuffersBase(Context* ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers) noexcept nogil
cdef void BindBuffersRange(Context* ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers, const GLintptr* offsets, const GLsizeiptr* sizes) noexcept nogil
cdef void BufferData(Context* ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) noexcept nogil
cdef void BufferStorage(Context* ctx, GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) noexcept nogil
cdef void BufferSubData(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr size, const void* data) noexcept nogil
cdef void GetBufferSubData(Context* ctx, GLenum target, GLintptr offset, GLsizeiptr size, void* data) noexcept nogil
cdef void CopyBufferSubData(Context* ctx, GLenum readTarget, GLenum writeTarget, GLintptr readOffset, GLintptr writeOffset, GLsizeiptr size) noexcept nogil
cdef void GetBufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void GetBufferParameteri64v(Context* ctx, GLenum target, GLenum pname, GLint64* params) noexcept nogil
