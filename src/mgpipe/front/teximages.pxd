"""Images of textures: definition, uploads, copies from the framebuffer, mipmaps, reads."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport Context, GLboolean, GLenum, GLfloat, GLint, GLintptr, GLsizei, GLsizeiptr, GLuint

cdef void TexImage1D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLint border,
                     GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void TexImage2D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void TexImage3D(Context* ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                     GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void TexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLsizei width, GLenum format,
                        GLenum type, const void* pixels) noexcept nogil
cdef void TexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                        GLsizei height, GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void TexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                        GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                        const void* pixels) noexcept nogil
cdef void TexImage2DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLboolean fixedsamplelocations) noexcept nogil
cdef void TexImage3DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) noexcept nogil
cdef void TexStorage1D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width) noexcept nogil
cdef void TexStorage2D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height) noexcept nogil
cdef void TexStorage3D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height, GLsizei depth) noexcept nogil
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
cdef void GenerateMipmap(Context* ctx, GLenum target) noexcept nogil
# Whether a buffer may be seen as texels of the format (table 8.16).
cdef bint buffer_texture_format(uint32_t format) noexcept nogil
