"""Texture objects: names, bindings to units, parameters. Their images are in teximages.pyx."""

from libc.stdint cimport uint32_t
from mgpipe.front.context cimport (INDEX_1D, INDEX_1D_ARRAY, INDEX_2D, INDEX_2D_ARRAY, INDEX_2D_MULTISAMPLE,
                                   INDEX_2D_MULTISAMPLE_ARRAY, INDEX_3D, INDEX_BUFFER, INDEX_CUBE, INDEX_CUBE_ARRAY,
                                   INDEX_NONE, INDEX_RECTANGLE)
from mgpipe.front.context cimport (Context, Framebuffer, GLboolean, GLenum, GLfloat, GLint, GLsizei, GLuint, ImageUnit, Level,
                                   Texture,
                                   pipe_SamplerState)

cdef uint32_t texture_target_index(GLenum target) noexcept nogil            # INDEX_NONE: no target of this version
# The texture bound to a target of the active unit (or its default texture). NULL after INVALID_ENUM or OUT_OF_MEMORY.
cdef Texture* bound_texture(Context* ctx, GLenum target) noexcept nogil
# The object of a name that is about to be bound to a target, made now if need be; NULL: the error is set.
cdef Texture* texture_object(Context* ctx, GLuint name, GLenum target) noexcept nogil
cdef Texture* texture_make(Context* ctx, GLuint name, GLenum target) noexcept nogil
cdef Level* texture_level(Texture* texture, uint32_t face, uint32_t level) noexcept nogil
cdef void texture_retain(Texture* texture) noexcept nogil
cdef void texture_release(Context* ctx,
                          Texture* texture) noexcept nogil    # the last reference ends it, here and on the server
cdef void image_unit_clear(Context* ctx, ImageUnit* unit) noexcept nogil
cdef void texture_units_release(Context* ctx) noexcept nogil                # a context ends: its units let go
# Levels from the base level on that a complete mipmap has, at most up to the maximum level.
cdef uint32_t mipmap_levels(Texture* texture) noexcept nogil
cdef bint texture_complete(Texture* texture, const pipe_SamplerState* sampler) noexcept nogil
# Specification 8.17: the base level has texels; all levels fit it. Whatever a sampler makes of them.
cdef bint base_complete(Texture* texture) noexcept nogil
cdef bint mipmap_complete(Texture* texture) noexcept nogil

cdef void ActiveTexture(Context* ctx, GLenum texture) noexcept nogil
cdef void GenTextures(Context* ctx, GLsizei n, GLuint* textures) noexcept nogil
cdef void DeleteTextures(Context* ctx, GLsizei n, const GLuint* textures) noexcept nogil
cdef GLboolean IsTexture(Context* ctx, GLuint texture) noexcept nogil
cdef void BindTexture(Context* ctx, GLenum target, GLuint texture) noexcept nogil
cdef void BindTextures(Context* ctx, GLuint first, GLsizei count, const GLuint* textures) noexcept nogil
cdef void BindTextureUnit(Context* ctx, GLuint unit, GLuint texture) noexcept nogil
cdef void TexParameterf(Context* ctx, GLenum target, GLenum pname, GLfloat param) noexcept nogil
cdef void TexParameteri(Context* ctx, GLenum target, GLenum pname, GLint param) noexcept nogil
cdef void TexParameterfv(Context* ctx, GLenum target, GLenum pname, const GLfloat* params) noexcept nogil
cdef void TexParameteriv(Context* ctx, GLenum target, GLenum pname, const GLint* params) noexcept nogil
cdef void TexParameterIiv(Context* ctx, GLenum target, GLenum pname, const GLint* params) noexcept nogil
cdef void TexParameterIuiv(Context* ctx, GLenum target, GLenum pname, const GLuint* params) noexcept nogil
cdef void GetTexParameterfv(Context* ctx, GLenum target, GLenum pname, GLfloat* params) noexcept nogil
cdef void GetTexParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void GetTexParameterIiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil
cdef void GetTexParameterIuiv(Context* ctx, GLenum target, GLenum pname, GLuint* params) noexcept nogil
