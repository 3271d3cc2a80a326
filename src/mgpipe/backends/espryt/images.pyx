# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Images: textures that shaders load from and store to.

OpenGL ES takes immutable textures only. A mutable one becomes immutable when an image unit first wants it: the same
handle, another name in the driver; `version` tells those who attached the old one.
"""

from libc.stdint cimport uint32_t, uint64_t
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport FORMAT_NONE, pipe_FormatInfo, pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.espryt cimport *


cdef void install_images(BackEnd* table) noexcept nogil:
    table.set_shader_images = set_shader_images


cdef void set_shader_images(void* self, const pipe_set_shader_images* p, const pipe_ImageView* views,
                            void** views_resource) noexcept nogil:
    cdef Espryt* es = <Espryt*>self
    cdef Context* ctx = es.bound
    cdef uint32_t i
    cdef Image* image
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"set_shader_images")
        return
    for i in range(p.count):
        if views[i].slot >= es.images:
            if views_resource[i] != NULL:
                es.host.unimplemented(es.host.self, b"set_shader_images", b"more image units than the driver has")
            continue
        image = &ctx.images[views[i].slot]
        image.resource = ref_to(views_resource[i])
        image.format = format_number(views[i].format)
        image.level = views[i].level
        image.layer = views[i].layer
        image.layered = views[i].layered
        image.access = views[i].access
        bind_image(es, ctx, views[i].slot)
    if es.driver.dialect != DIALECT_GL:
        ctx.dirty |= DIRTY_PROGRAM              # images without a format take that of what is bound


cdef void bind_image(Espryt* es, Context* ctx, uint32_t slot) noexcept nogil:
    cdef Image* image = &ctx.images[slot]
    cdef Resource* texture = <Resource*>alive(&image.resource)
    cdef const pipe_FormatInfo* info = &pipe_formats[image.format]
    cdef bint es_dialect = es.driver.dialect != DIALECT_GL
    if (texture == NULL or image.format == FORMAT_NONE or texture.kind == PIPE_RESOURCE_TARGET_BUFFER
            or texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER):
        gl_of(es).BindImageTexture(slot, 0, 0, 0, 0, GL_READ_ONLY, GL_R32UI)
        return
    if (es_dialect and not texture.immutable and texture.kind != PIPE_RESOURCE_TARGET_TEX_BUFFER
            and not make_immutable(es, texture)):
        # as in desktop GL: an image unit whose texture is incomplete loads zeros and stores nothing
        gl_of(es).BindImageTexture(slot, 0, 0, 0, 0, GL_READ_ONLY, GL_R32UI)
        return
    gl_of(es).BindImageTexture(slot, texture.name, image.level, image.layered, image.layer, image.access,
                               info.es_internal if es_dialect else info.internal)


cdef void rebind_images(Espryt* es, Context* ctx) noexcept nogil:
    cdef uint32_t slot
    for slot in range(es.images):
        if alive(&ctx.images[slot].resource) != NULL:
            bind_image(es, ctx, slot)


# -- mutable to immutable

cdef bint make_immutable(Espryt* es, Resource* texture) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum internal = pipe_formats[texture.format].es_internal
    cdef GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_X if texture.target == GL_TEXTURE_CUBE_MAP else texture.target
    cdef GLint width[LEVELS]
    cdef GLint height[LEVELS]
    cdef GLint depth[LEVELS]
    cdef GLint base = 0, top = 0, value
    cdef GLint parameters[7]
    cdef GLenum* names = [GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL, GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G,
                          GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A, GL_DEPTH_STENCIL_TEXTURE_MODE]
    cdef GLuint fresh = 0, old = texture.name
    cdef uint32_t i, levels = 0
    if texture.format == FORMAT_NONE or texture.width == 0:
        return False
    gl.ActiveTexture(GL_TEXTURE0 + es.scratch_unit)
    if es.bound != NULL:
        es.bound.active_unit = es.scratch_unit
    gl.BindTexture(texture.target, old)
    for i in range(7):
        gl.GetTexParameteriv(texture.target, names[i], &parameters[i])
    while levels < LEVELS:
        gl.GetTexLevelParameteriv(face, levels, GL_TEXTURE_WIDTH, &width[levels])
        gl.GetTexLevelParameteriv(face, levels, GL_TEXTURE_HEIGHT, &height[levels])
        gl.GetTexLevelParameteriv(face, levels, GL_TEXTURE_DEPTH, &depth[levels])
        if width[levels] == 0 or height[levels] == 0:
            break
        levels += 1
    if levels == 0:
        return False
    # Copies want complete textures: only the level that is copied counts meanwhile.
    gl.GenTextures(1, &fresh)
    gl.BindTexture(texture.target, fresh)
    if (texture.target == GL_TEXTURE_3D or texture.target == GL_TEXTURE_2D_ARRAY
            or texture.target == GL_TEXTURE_CUBE_MAP_ARRAY):
        gl.TexStorage3D(texture.target, levels, internal, width[0], height[0], depth[0])
    else:
        gl.TexStorage2D(texture.target, levels, internal, width[0], height[0])
        for i in range(levels):
            depth[i] = 6 if texture.target == GL_TEXTURE_CUBE_MAP else 1
    for i in range(7):
        gl.TexParameteri(texture.target, names[i], parameters[i])
    filter_nearest(es, texture)
    for i in range(levels):
        gl.BindTexture(texture.target, old)
        gl.TexParameteri(texture.target, GL_TEXTURE_BASE_LEVEL, i)
        gl.TexParameteri(texture.target, GL_TEXTURE_MAX_LEVEL, i)
        gl.CopyImageSubData(old, texture.target, i, 0, 0, 0, fresh, texture.target, i, 0, 0, 0, width[i], height[i], depth[i])
    gl.BindTexture(texture.target, fresh)
    texture.immutable = texture.converted = 1
    texture.levels = levels
    rename_texture(es, texture, fresh)
    return True


cdef void filter_nearest(Espryt* es, Resource* texture) noexcept nogil:
    """The filters of the texture itself, which nothing is sampled with, such that one level of any format is complete: an
    image unit of an incomplete texture loads zeros and stores nothing (OpenGL 4.6, 8.26). The texture is bound."""
    gl_of(es).TexParameteri(texture.target, GL_TEXTURE_MIN_FILTER, GL_NEAREST)
    gl_of(es).TexParameteri(texture.target, GL_TEXTURE_MAG_FILTER, GL_NEAREST)


cdef void rename_texture(Espryt* es, Resource* texture, GLuint name) noexcept nogil:
    """The driver's object of a texture is another one now: whoever holds the old one takes the new one."""
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = es.contexts
    cdef GLuint old = texture.name
    cdef uint32_t i
    texture.name = name
    texture.version = new_serial(es)
    while ctx != NULL:
        ctx.dirty |= DIRTY_FRAMEBUFFER
        for i in range(es.units):
            if ctx.unit_serial[i] == texture.serial:
                ctx.unit_serial[i] = <uint64_t>-1
                if ctx == es.bound:
                    gl.ActiveTexture(GL_TEXTURE0 + i)
                    gl.BindTexture(texture.target, name)
                    ctx.active_unit = i
                    ctx.unit_serial[i] = texture.serial
                    ctx.unit_name[i] = name
        ctx = ctx.next
    gl.DeleteTextures(1, &old)
