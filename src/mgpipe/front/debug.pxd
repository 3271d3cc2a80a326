"""Debug output, debug groups and labels (OpenGL 4.6, chapter 20): see debug.pyx."""

from mgpipe.front.context cimport Context, GLboolean, GLchar, GLenum, GLsizei, GLuint

# After a command that raised an error or waited, where debug output is on: outside of the session lock.
cdef void tell(Context* ctx, const char* command) noexcept with gil
cdef void debug_free(Context* ctx) noexcept with gil

cdef void DebugMessageCallback(Context* ctx, void* callback, const void* userParam) noexcept nogil
cdef void DebugMessageControl(Context* ctx, GLenum source, GLenum type, GLenum severity, GLsizei count, const GLuint* ids,
                              GLboolean enabled) noexcept with gil
cdef void DebugMessageInsert(Context* ctx, GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                             const GLchar* buf) noexcept with gil
cdef GLuint GetDebugMessageLog(Context* ctx, GLuint count, GLsizei bufSize, GLenum* sources, GLenum* types, GLuint* ids,
                               GLenum* severities, GLsizei* lengths, GLchar* messageLog) noexcept with gil
cdef void PushDebugGroup(Context* ctx, GLenum source, GLuint id, GLsizei length, const GLchar* message) noexcept with gil
cdef void PopDebugGroup(Context* ctx) noexcept with gil
cdef void ObjectLabel(Context* ctx, GLenum identifier, GLuint name, GLsizei length, const GLchar* label) noexcept nogil
cdef void GetObjectLabel(Context* ctx, GLenum identifier, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* label) noexcept nogil
cdef void ObjectPtrLabel(Context* ctx, const void* ptr, GLsizei length, const GLchar* label) noexcept nogil
cdef void GetObjectPtrLabel(Context* ctx, const void* ptr, GLsizei bufSize, GLsizei* length, GLchar* label) noexcept nogil
cdef void GetPointerv(Context* ctx, GLenum pname, void** params) noexcept nogil
