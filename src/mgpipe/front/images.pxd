"""Image units (OpenGL 4.6 section 8.26). See images.pyx."""

from mgpipe.front.context cimport Context, GLboolean, GLenum, GLint, GLsizei, GLuint

cdef bint is_image_format(GLenum format) noexcept nogil

cdef void BindImageTexture(Context* ctx, GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer,
                           GLenum access, GLenum format) noexcept nogil
cdef void BindImageTextures(Context* ctx, GLuint first, GLsizei count, const GLuint* textures) noexcept nogil
