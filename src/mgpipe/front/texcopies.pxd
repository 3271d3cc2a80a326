"""Images of textures from elsewhere: the framebuffer, other textures, buffers, the level above."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLenum, GLint, GLintptr, GLsizei, GLsizeiptr, GLuint, Texture
from mgpipe.front.teximages cimport Image

cdef void image_copy_framebuffer(Context* ctx, Image* image, GLint xoffset, GLint yoffset, GLint zoffset, GLint x,
                                 GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void texture_mipmaps(Context* ctx, Texture* texture) noexcept nogil
cdef void texture_buffer(Context* ctx, Texture* texture, GLenum internal_format, GLuint buffer, bint whole,
                         GLintptr offset, GLsizeiptr size) noexcept nogil
cdef void CopyTexImage1D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLint border) noexcept nogil
cdef void CopyTexImage2D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                         GLsizei width, GLsizei height, GLint border) noexcept nogil
cdef void CopyTexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint x, GLint y,
                            GLsizei width) noexcept nogil
cdef void CopyTexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                            GLsizei width, GLsizei height) noexcept nogil
cdef void CopyTexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                            GLint x, GLint y, GLsizei width, GLsizei height) noexcept nogil
cdef void TexBuffer(Context* ctx, GLenum target, GLenum internalformat, GLuint buffer) noexcept nogil
cdef void TexBufferRange(Context* ctx, GLenum target, GLenum internalformat, GLuint buffer, GLintptr offset,
                         GLsizeiptr size) noexcept nogil
cdef void CopyImageSubData(Context* ctx, GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY, GLint srcZ,
                           GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY, GLint dstZ,
                           GLsizei srcWidth, GLsizei srcHeight, GLsizei srcDepth) noexcept nogil
cdef void GenerateMipmap(Context* ctx, GLenum target) noexcept nogil
# Whether a buffer may be seen as texels of the format (table 8.16).
cdef bint buffer_texture_format(uint32_t format) noexcept nogil
