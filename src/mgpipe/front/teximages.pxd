"""Images of textures: definition and uploads. What one command names is an Image; the rest is in texcopies.pyx."""

from libc.stdint cimport int32_t, uint32_t
from mgpipe.front.context cimport Context, GLboolean, GLenum, GLfloat, GLint, GLsizei, Level, Texture
from mgpipe.front.pixels cimport UserImage
from pipe cimport pipe_Box

cdef struct Image:              # one command's image, as its checks find it
    Texture* texture            # NULL: of a proxy target
    GLenum target               # the texture's, or what the proxy stands for
    bint proxy
    uint32_t face, level, format
    uint32_t width, height, depth           # as the program says them
    uint32_t pixel_format, pixel_type

cdef int32_t most_samples(Context* ctx, uint32_t format) noexcept nogil         # of a texture
# Of the texture bound to a target. `defines`: proxy targets count, too. False after setting the error.
cdef bint image_bound(Context* ctx, Image* image, GLenum target, uint32_t dimensions, GLint level,
                      bint defines) noexcept nogil
# A new image of that format and size may be defined. A proxy that is too large is no error, it does not fit.
cdef bint image_defined(Context* ctx, Image* image, GLenum internal_format, GLsizei width, GLsizei height,
                        GLsizei depth, GLint border, bint* fits) noexcept nogil
cdef void image_define(Context* ctx, Image* image, GLenum internal_format) noexcept nogil
cdef void forget_proxy(Context* ctx, Image* image) noexcept nogil
# The level exists and has this box.
cdef bint image_part(Context* ctx, Image* image, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                     GLsizei depth) noexcept nogil
cdef void image_box(Image* image, GLint x, GLint y, GLint z, pipe_Box* box) noexcept nogil
cdef void image_sub_image(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z, GLsizei width,
                          GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) noexcept nogil
cdef void image_storage(Context* ctx, Image* image, GLsizei levels, GLenum internal_format, GLsizei width,
                        GLsizei height, GLsizei depth) noexcept nogil
cdef void image_multisample(Context* ctx, Image* image, GLsizei samples, GLenum internal_format, GLsizei width,
                            GLsizei height, GLsizei depth, GLboolean fixed, bint immutable) noexcept nogil
# Within the limits of a target's level.
cdef bint size_allowed(Context* ctx, GLenum target, uint32_t level, uint32_t width, uint32_t height,
                       uint32_t depth) noexcept nogil
cdef uint32_t usable_format(Context* ctx, GLenum internal_format) noexcept nogil
cdef GLenum target_error(uint32_t format, GLenum target) noexcept nogil
cdef bint is_depth_or_stencil(uint32_t format) noexcept nogil
cdef bint is_face(GLenum target) noexcept nogil
cdef uint32_t dimensions_of(GLenum target) noexcept nogil
cdef GLenum proxied(GLenum target) noexcept nogil
cdef Level* proxy_level(Context* ctx, GLenum target, uint32_t level) noexcept nogil

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
cdef void TexStorage2DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                  GLsizei height, GLboolean fixedsamplelocations) noexcept nogil
cdef void TexStorage3DMultisample(Context* ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                  GLsizei height, GLsizei depth, GLboolean fixedsamplelocations) noexcept nogil
cdef void TexStorage1D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width) noexcept nogil
cdef void TexStorage2D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height) noexcept nogil
cdef void TexStorage3D(Context* ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                       GLsizei height, GLsizei depth) noexcept nogil
