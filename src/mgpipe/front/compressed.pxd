"""Compressed images, given and got as blocks."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei
from mgpipe.front.teximages cimport Image

cdef void image_compressed_part(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z,
                                GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei image_size,
                                const void* data) noexcept nogil
# Everything a texture level has, or a box of it; `limit`: bytes that may be written, all ones for no limit.
cdef void image_compressed_box(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z, GLsizei width,
                               GLsizei height, GLsizei depth, size_t limit, void* pixels) noexcept nogil
cdef void image_compressed_get(Context* ctx, Image* image, uint32_t dimensions, size_t limit,
                               void* pixels) noexcept nogil

cdef void CompressedTexImage1D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLint border, GLsizei imageSize, const void* data) noexcept nogil
cdef void CompressedTexImage2D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLsizei height, GLint border, GLsizei imageSize, const void* data) noexcept nogil
cdef void CompressedTexImage3D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLsizei height, GLsizei depth, GLint border, GLsizei imageSize,
                               const void* data) noexcept nogil
cdef void CompressedTexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLsizei width, GLenum format,
                                  GLsizei imageSize, const void* data) noexcept nogil
cdef void CompressedTexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                  GLsizei height, GLenum format, GLsizei imageSize, const void* data) noexcept nogil
cdef void CompressedTexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                  GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei imageSize,
                                  const void* data) noexcept nogil
cdef void GetCompressedTexImage(Context* ctx, GLenum target, GLint level, void* img) noexcept nogil
cdef void GetnCompressedTexImage(Context* ctx, GLenum target, GLint lod, GLsizei bufSize, void* pixels) noexcept nogil
