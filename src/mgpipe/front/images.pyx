# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Image units (OpenGL 4.6 section 8.26): context state, like texture units. A unit keeps its texture alive."""

from libc.stdint cimport uint32_t

from glenum cimport *
from pipe_formats cimport pipe_format_of
from mgpipe.front.context cimport (DIRTY_IMAGES, IMAGE_UNITS, Context, GLboolean, GLenum, GLint, GLsizei, GLuint, ImageUnit,
                                   Texture, name_get, set_error)
from mgpipe.front.textures cimport image_unit_clear, texture_release, texture_retain


cdef bint is_image_format(GLenum format) noexcept nogil:
    """Table 8.26 of the specification."""
    return (format == GL_RGBA32F or format == GL_RGBA16F or format == GL_RG32F or format == GL_RG16F
            or format == GL_R11F_G11F_B10F or format == GL_R32F or format == GL_R16F
            or format == GL_RGBA32UI or format == GL_RGBA16UI or format == GL_RGB10_A2UI or format == GL_RGBA8UI
            or format == GL_RG32UI or format == GL_RG16UI or format == GL_RG8UI or format == GL_R32UI
            or format == GL_R16UI or format == GL_R8UI
            or format == GL_RGBA32I or format == GL_RGBA16I or format == GL_RGBA8I or format == GL_RG32I
            or format == GL_RG16I or format == GL_RG8I or format == GL_R32I or format == GL_R16I or format == GL_R8I
            or format == GL_RGBA16 or format == GL_RGB10_A2 or format == GL_RGBA8 or format == GL_RG16
            or format == GL_RG8 or format == GL_R16 or format == GL_R8
            or format == GL_RGBA16_SNORM or format == GL_RGBA8_SNORM or format == GL_RG16_SNORM
            or format == GL_RG8_SNORM or format == GL_R16_SNORM or format == GL_R8_SNORM)


cdef inline uint32_t image_units(Context* ctx) noexcept nogil:
    cdef uint32_t units = <uint32_t>ctx.session.caps.max_image_units
    return units if units < IMAGE_UNITS else IMAGE_UNITS


cdef void set_unit(Context* ctx, ImageUnit* unit, Texture* texture, uint32_t level, uint32_t layered, uint32_t layer,
                   GLenum access, GLenum format) noexcept nogil:
    cdef Texture* before = unit.texture
    if texture != NULL:
        texture_retain(texture)
    unit.texture = texture
    unit.level = level
    unit.layered = layered
    unit.layer = layer
    unit.access = access
    unit.format = format
    unit.number = pipe_format_of(format)
    if before != NULL:
        texture_release(ctx, before)
    ctx.dirty |= DIRTY_IMAGES


cdef void BindImageTexture(Context* ctx, GLuint unit, GLuint name, GLint level, GLboolean layered, GLint layer,
                           GLenum access, GLenum format) noexcept nogil:
    cdef Texture* texture = NULL
    if unit >= image_units(ctx) or level < 0 or layer < 0 or not is_image_format(format):
        set_error(ctx, GL_INVALID_VALUE)
        return
    if not GL_READ_ONLY <= access <= GL_READ_WRITE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if name:
        texture = <Texture*>name_get(&ctx.group.textures, name)
        if texture == NULL:
            set_error(ctx, GL_INVALID_VALUE)
            return
    set_unit(ctx, &ctx.images[unit], texture, level, layered != 0, layer, access, format)


cdef void BindImageTextures(Context* ctx, GLuint first, GLsizei count, const GLuint* textures) noexcept nogil:
    """Level 0, layered, for reading and writing, in each texture's own format. An error leaves only its unit as it was."""
    cdef Texture* texture
    cdef GLenum format
    cdef GLsizei i
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    if first > image_units(ctx) or <uint32_t>count > image_units(ctx) - first:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    for i in range(count):
        if textures == NULL or textures[i] == 0:
            image_unit_clear(ctx, &ctx.images[first + i])
            continue
        texture = <Texture*>name_get(&ctx.group.textures, textures[i])
        format = texture.levels[0].internal_format if texture != NULL else 0
        if texture == NULL or not is_image_format(format) or (texture.target != GL_TEXTURE_BUFFER
                                                              and texture.levels[0].width == 0):
            set_error(ctx, GL_INVALID_OPERATION)
            continue
        set_unit(ctx, &ctx.images[first + i], texture, 0, 1, 0, GL_READ_WRITE, format)
