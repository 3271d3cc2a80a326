# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Textures of three components, stored as four where OpenGL ES renders to no others.

A texture is stored as the program said until it is first attached, or its levels are made: most are only sampled. Then it
becomes one of four components, the same handle with another name in the driver. Samplers see the alpha of one that three components have.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy, memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_SNORM, FORMAT_KIND_UINT, FORMAT_NONE,
                           pipe_FormatInfo, pipe_formats)
from mgpipe.backends.driver cimport DIALECT_GL
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.images cimport rename_texture
from mgpipe.backends.espryt.redraw cimport Texels, attachable, enter_redraw, leave_redraw, level_of, redraw_level


cdef bint has_wide_form(Espryt* es, uint32_t format) noexcept nogil:
    return es.driver.dialect != DIALECT_GL and pipe_formats[format].es_render != pipe_formats[format].es_internal


cdef bint widens(Espryt* es, uint32_t format) noexcept nogil:
    return has_wide_form(es, format) and not attachable(es, format)


cdef bint widen(Espryt* es, Resource* texture, const char* call) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum* names = [GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL, GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G,
                          GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A]
    cdef GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_X if texture.target == GL_TEXTURE_CUBE_MAP else texture.target
    cdef GLint parameters[6]
    cdef GLint width, height, depth
    cdef GLuint fresh = 0
    cdef uint32_t i
    cdef bint drawn = True
    if texture.widened or texture.format == FORMAT_NONE:
        return True
    if texture.shared:
        es.host.unimplemented(es.host.self, call, b"three components as a target, where texture views share them")
        return False
    if not enter_redraw(es):
        es.host.unimplemented(es.host.self, call, b"three components as a target, where the driver makes no other context")
        return False
    gl.BindTexture(texture.target, texture.name)
    for i in range(6):
        gl.GetTexParameteriv(texture.target, names[i], &parameters[i])
    gl.GenTextures(1, &fresh)
    gl.BindTexture(texture.target, fresh)
    if texture.immutable:
        gl.BindTexture(texture.target, texture.name)
        gl.GetTexLevelParameteriv(face, 0, GL_TEXTURE_DEPTH, &depth)
        gl.BindTexture(texture.target, fresh)
        if is_flat(texture):
            gl.TexStorage2D(texture.target, texture.levels, pipe_formats[texture.format].es_render, texture.width,
                            texture.height)
        else:
            gl.TexStorage3D(texture.target, texture.levels, pipe_formats[texture.format].es_render, texture.width,
                            texture.height, depth)
    for i in range(LEVELS):
        if texture.level_formats[i] == FORMAT_NONE or texture.immutable and i >= texture.levels:
            continue
        if i and (texture.width | texture.height | texture.depth) >> i == 0:
            break                       # no texture has so many
        width = height = depth = 0
        gl.BindTexture(texture.target, texture.name)
        gl.GetTexLevelParameteriv(face, i, GL_TEXTURE_WIDTH, &width)
        gl.GetTexLevelParameteriv(face, i, GL_TEXTURE_HEIGHT, &height)
        gl.GetTexLevelParameteriv(face, i, GL_TEXTURE_DEPTH, &depth)
        if width > 0 and height > 0:
            drawn = widen_level(es, texture, fresh, i, width, height, depth) and drawn
    gl.BindTexture(texture.target, fresh)
    for i in range(6):
        gl.TexParameteri(texture.target, names[i], GL_ONE if parameters[i] == GL_ALPHA and i > 1 else parameters[i])
    leave_redraw(es)
    if not drawn:
        gl.DeleteTextures(1, &fresh)
        es.host.unimplemented(es.host.self, call, b"a target of three components that this driver cannot store as four")
        return False
    texture.widened = es.wide_targets = 1
    rename_texture(es, texture, fresh)
    return True


cdef bint is_flat(Resource* texture) noexcept nogil:
    return texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_CUBE_MAP


cdef bint widen_level(Espryt* es, Resource* texture, GLuint fresh, uint32_t level, GLint width, GLint height,
                      GLint depth) noexcept nogil:
    """The level's storage, if the texture has none for all of them, and its texels."""
    cdef GL* gl = gl_of(es)
    cdef pipe_FormatInfo wide = wide_layout(texture.level_formats[level])
    cdef uint32_t layers = 6 if texture.target == GL_TEXTURE_CUBE_MAP else 1 if is_flat(texture) else <uint32_t>depth, i
    cdef Texels source
    cdef bint drawn = True
    gl.BindTexture(texture.target, fresh)
    if texture.immutable:
        pass
    elif texture.target == GL_TEXTURE_2D:
        gl.TexImage2D(GL_TEXTURE_2D, level, wide.es_render, width, height, 0, wide.upload_format, wide.upload_type, NULL)
    elif texture.target == GL_TEXTURE_CUBE_MAP:
        for i in range(6):
            gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, level, wide.es_render, width, height, 0, wide.upload_format,
                          wide.upload_type, NULL)
    else:
        gl.TexImage3D(texture.target, level, wide.es_render, width, height, depth, 0, wide.upload_format,
                      wide.upload_type, NULL)
    gl.TexParameteri(texture.target, GL_TEXTURE_BASE_LEVEL, level)      # only levels of complete textures can be attached
    gl.TexParameteri(texture.target, GL_TEXTURE_MAX_LEVEL, level)
    for i in range(layers):
        source = level_of(es, texture, level, i)
        source.width = width
        source.height = height
        drawn = redraw_level(es, &source, fresh) and drawn
    return drawn


# -- texels

cdef pipe_FormatInfo wide_layout(uint32_t format) noexcept nogil:
    cdef pipe_FormatInfo wide = pipe_formats[format]
    wide.upload_format = GL_RGBA_INTEGER if wide.kind == FORMAT_KIND_INT or wide.kind == FORMAT_KIND_UINT else GL_RGBA
    wide.texel_bytes = wide.texel_bytes // 3 * 4
    return wide


cdef uint8_t* widen_texels(uint32_t format, const uint8_t* bytes, const pipe_SubRegion* region, pipe_SubRegion* tight) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint32_t size = info.texel_bytes // 3, x, y, z
    cdef uint64_t row = <uint64_t>region.box.width * 4 * size
    cdef uint8_t* wide
    cdef uint8_t* out
    cdef const uint8_t* texel
    if row > 0x7FFFFFFF or row * region.box.height > 0x7FFFFFFF:        # each at most 2^31
        return NULL
    wide = out = <uint8_t*>malloc(row * region.box.height * region.box.depth)
    if wide == NULL:
        return NULL
    tight[0] = region[0]
    tight.source_offset = 0
    tight.row_stride = <uint32_t>row
    tight.slice_stride = <uint32_t>(row * region.box.height)
    for z in range(region.box.depth):
        for y in range(region.box.height):
            texel = bytes + z * <uint64_t>region.slice_stride + y * <uint64_t>region.row_stride
            for x in range(region.box.width):
                widen_texel(format, texel, out)
                texel += 3 * size
                out += 4 * size
    return wide


cdef void widen_texel(uint32_t format, const uint8_t* texel, uint8_t* wide) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint32_t size = info.texel_bytes // 3
    cdef uint8_t* one = wide + 3 * size
    cdef float real = 1
    cdef uint16_t half = 0x3C00
    memcpy(wide, texel, 3 * size)
    if info.kind == FORMAT_KIND_FLOAT:
        memcpy(one, <void*>&real if size == 4 else <void*>&half, size)
    elif info.kind == FORMAT_KIND_INT or info.kind == FORMAT_KIND_UINT:
        memset(one, 0, size)
        one[0] = 1
    else:
        memset(one, 0xFF, size)
        if info.kind == FORMAT_KIND_SNORM:
            one[size - 1] = 0x7F


cdef GLenum wide_swizzle(Resource* texture, GLenum wanted) noexcept nogil:
    return GL_ONE if texture.widened and wanted == GL_ALPHA else wanted
