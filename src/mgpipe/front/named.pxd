"""Commands of OpenGL 4.5 that name their object (direct state access).

Most are another command, called while the object stands where that one looks (catalogue/entry_points.py, NAMED); `take_…`
puts it there, `put_back` what was there before. Nothing is bound meanwhile: no reference moves, nothing is sent for it.
"""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport (Context, GLbitfield, GLenum, GLfloat, GLint, GLint64, GLintptr, GLsizei, GLsizeiptr, GLuint)

cdef struct Place:
    void** where
    void* before
    uint32_t dirty              # of what is bound there again
    GLenum target               # of a texture; of its images: a cube map's first face
    GLenum image_target

# Targets that a command on a named texture is for, a bit each by front/limits.pxd's INDEX_….
cdef enum:
    TEXTURES_ANY = 0x7FF
    TEXTURES_NO_BUFFER = TEXTURES_ANY & ~(1 << 8)
    TEXTURES_1D = 1 << 0
    TEXTURES_2D = 1 << 1 | 1 << 3 | 1 << 5
    TEXTURES_2D_OR_CUBE = TEXTURES_2D | 1 << 6
    TEXTURES_3D = 1 << 2 | 1 << 4 | 1 << 7
    TEXTURES_3D_OR_CUBE = TEXTURES_3D | 1 << 6
    TEXTURES_2D_SAMPLES = 1 << 9
    TEXTURES_3D_SAMPLES = 1 << 10
    TEXTURES_WITH_LEVELS = TEXTURES_1D | 1 << 1 | 1 << 3 | 1 << 6 | TEXTURES_3D

# False: there is no such object, or it is of another target; the error is set.
cdef bint take_buffer(Context* ctx, GLuint name, Place* place) noexcept nogil
cdef bint take_renderbuffer(Context* ctx, GLuint name, Place* place) noexcept nogil
cdef bint take_vertex_array(Context* ctx, GLuint name, Place* place) noexcept nogil
cdef bint take_draw_framebuffer(Context* ctx, GLuint name, Place* place) noexcept nogil      # 0: the default framebuffer
cdef bint take_read_framebuffer(Context* ctx, GLuint name, Place* place) noexcept nogil
cdef bint take_texture(Context* ctx, GLuint name, uint32_t targets, Place* place) noexcept nogil
cdef void put_back(Context* ctx, Place* place) noexcept nogil

cdef void CreateBuffers(Context* ctx, GLsizei n, GLuint* buffers) noexcept nogil
cdef void CreateTextures(Context* ctx, GLenum target, GLsizei n, GLuint* textures) noexcept nogil
cdef void CreateVertexArrays(Context* ctx, GLsizei n, GLuint* arrays) noexcept nogil
cdef void CreateFramebuffers(Context* ctx, GLsizei n, GLuint* framebuffers) noexcept nogil
cdef void CreateRenderbuffers(Context* ctx, GLsizei n, GLuint* renderbuffers) noexcept nogil
cdef void CreateSamplers(Context* ctx, GLsizei n, GLuint* samplers) noexcept nogil
cdef void CreateProgramPipelines(Context* ctx, GLsizei n, GLuint* pipelines) noexcept nogil
cdef void CopyNamedBufferSubData(Context* ctx, GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset, GLintptr writeOffset, GLsizeiptr size) noexcept nogil
cdef void BlitNamedFramebuffer(Context* ctx, GLuint readFramebuffer, GLuint drawFramebuffer, GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0, GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) noexcept nogil
cdef GLenum CheckNamedFramebufferStatus(Context* ctx, GLuint framebuffer, GLenum target) noexcept nogil
cdef void TextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void CompressedTextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei imageSize, const void* data) noexcept nogil
cdef void CopyTextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void GetTextureImage(Context* ctx, GLuint texture, GLint level, GLenum format, GLenum type, GLsizei bufSize, void* pixels) noexcept nogil
cdef void GetTextureSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, GLsizei bufSize, void* pixels) noexcept nogil
cdef void GetCompressedTextureImage(Context* ctx, GLuint texture, GLint level, GLsizei bufSize, void* pixels) noexcept nogil
cdef void GetCompressedTextureSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLsizei bufSize, void* pixels) noexcept nogil
cdef void GetVertexArrayiv(Context* ctx, GLuint vaobj, GLenum pname, GLint* param) noexcept nogil
cdef void GetVertexArrayIndexediv(Context* ctx, GLuint vaobj, GLuint index, GLenum pname, GLint* param) noexcept nogil
cdef void GetVertexArrayIndexed64iv(Context* ctx, GLuint vaobj, GLuint index, GLenum pname, GLint64* param) noexcept nogil
