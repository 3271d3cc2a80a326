# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Texels that OpenGL ES neither reads nor copies as they are, through a shader.

It all happens in a native context of the server's own, which shares its objects: nothing that a client's context has
bound, captures or counts is touched. An image is first copied into a small texture of the same format, whose parameters
are nobody's, and that is drawn to where it can be read or is wanted.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from driver_gl cimport *
from pipe cimport PIPE_RESOURCE_TARGET_RENDERBUFFER
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_UINT, pipe_FormatInfo, pipe_formats)
from mgpipe.backends.driver cimport DIALECT_GL, driver_new_context
from mgpipe.backends.espryt.contexts cimport borrow_context, context_prepare, return_context
from mgpipe.backends.espryt.espryt cimport *

cdef enum:
    FLOATS, INTS, UINTS             # kinds of components, and of samplers
    ATTACHABLE = 1
    NOT_ATTACHABLE = 2


# -- the context

cdef bint enter_redraw(Espryt* es) noexcept nogil:
    if es.redraw.context == NULL:
        es.redraw.context = driver_new_context(&es.driver, es.contexts.native if es.contexts != NULL else es.spare)
        if es.redraw.context == NULL:
            return False
        borrow_context(es, es.redraw.context)
        context_prepare(es)
        gl_of(es).GenVertexArrays(1, &es.redraw.array)
        gl_of(es).BindVertexArray(es.redraw.array)
        gl_of(es).GenFramebuffers(1, &es.redraw.framebuffer)
        gl_of(es).BindFramebuffer(GL_FRAMEBUFFER, es.redraw.framebuffer)
        gl_of(es).Disable(GL_DITHER)
        return True
    borrow_context(es, es.redraw.context)
    return True


cdef void leave_redraw(Espryt* es) noexcept nogil:
    return_context(es)


cdef void end_redraw(Espryt* es) noexcept nogil:
    cdef uint32_t i
    if es.redraw.context == NULL:
        return
    borrow_context(es, es.redraw.context)
    for i in range(3):
        if es.redraw.programs[i]:
            gl_of(es).DeleteProgram(es.redraw.programs[i])
    return_context(es)
    es.driver.egl.DestroyContext(es.driver.display, es.redraw.context)
    es.redraw.context = NULL


cdef GLuint program_of(Espryt* es, uint32_t kind) noexcept nogil:
    cdef const char* vertex = (b"#version 320 es\n"
        b"void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }\n")
    cdef const char** fragments = [
        b"#version 320 es\nuniform highp sampler2D texels; layout(location = 0) out highp vec4 color;\n"
        b"void main() { color = texelFetch(texels, ivec2(gl_FragCoord.xy), 0); }\n",
        b"#version 320 es\nuniform highp isampler2D texels; layout(location = 0) out highp ivec4 color;\n"
        b"void main() { color = texelFetch(texels, ivec2(gl_FragCoord.xy), 0); }\n",
        b"#version 320 es\nuniform highp usampler2D texels; layout(location = 0) out highp uvec4 color;\n"
        b"void main() { color = texelFetch(texels, ivec2(gl_FragCoord.xy), 0); }\n"]
    cdef GL* gl = gl_of(es)
    cdef GLuint name
    if es.redraw.programs[kind] == 0:
        name = gl.CreateProgram()
        add_shader(gl, name, GL_VERTEX_SHADER, vertex)
        add_shader(gl, name, GL_FRAGMENT_SHADER, fragments[kind])
        gl.LinkProgram(name)            # the unit is 0, as samplers begin
        es.redraw.programs[kind] = name
    return es.redraw.programs[kind]


cdef void add_shader(GL* gl, GLuint program, GLenum stage, const char* text) noexcept nogil:
    cdef GLuint shader = gl.CreateShader(stage)
    gl.ShaderSource(shader, 1, <const char* const*>&text, NULL)
    gl.CompileShader(shader)
    gl.AttachShader(program, shader)
    gl.DeleteShader(shader)


# -- what the driver attaches

cdef void note_attachable(Espryt* es, uint32_t format, bint attaches) noexcept nogil:
    es.attachable[format] = ATTACHABLE if attaches else NOT_ATTACHABLE


cdef bint attachable(Espryt* es, uint32_t format) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef GLenum point = (GL_COLOR_ATTACHMENT0 if info.color_renderable else
                         GL_DEPTH_STENCIL_ATTACHMENT if info.depth_renderable and info.stencil_renderable else
                         GL_DEPTH_ATTACHMENT if info.depth_renderable else GL_STENCIL_ATTACHMENT)
    cdef GLuint texture = 0
    cdef bint complete
    if es.attachable[format] != 0:
        return es.attachable[format] == ATTACHABLE
    if not (info.color_renderable or info.depth_renderable or info.stencil_renderable):
        return False
    if es.driver.dialect == DIALECT_GL:         # what it refuses is seen when it is attached
        return True
    if not enter_redraw(es):
        return False
    gl.GenTextures(1, &texture)
    gl.BindTexture(GL_TEXTURE_2D, texture)
    gl.TexStorage2D(GL_TEXTURE_2D, 1, info.es_internal, 4, 4)
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture, 0)
    complete = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, 0, 0)
    gl.DeleteTextures(1, &texture)
    leave_redraw(es)
    note_attachable(es, format, complete)
    return complete


# -- drawing

cdef Texels level_of(Espryt* es, Resource* texture, uint32_t level, uint32_t layer) noexcept nogil:
    cdef Texels it
    memset(&it, 0, sizeof(it))
    it.name = texture.name
    it.target = texture.target
    it.format = texture.level_formats[level]
    if texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        it.format = texture.format
    it.internal = pipe_formats[it.format].es_internal
    if texture.widened or texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        it.internal = pipe_formats[it.format].es_render
    it.level = level
    it.layer = layer
    it.width = texture.width >> level if texture.width >> level else 1
    it.height = texture.height >> level if texture.height >> level else 1
    it.mutable = not texture.immutable and texture.kind != PIPE_RESOURCE_TARGET_RENDERBUFFER
    return it


cdef uint32_t kind_of(uint32_t format) noexcept nogil:
    return (INTS if pipe_formats[format].kind == FORMAT_KIND_INT else
            UINTS if pipe_formats[format].kind == FORMAT_KIND_UINT else FLOATS)


cdef GLuint copy_image(Espryt* es, const Texels* source, bint stencil, int32_t x, int32_t y, int32_t width,
                       int32_t height) noexcept nogil:
    """A texture of its own for an area of the image; it is bound."""
    cdef GL* gl = gl_of(es)
    cdef GLint base = 0, top = 0
    cdef GLuint copy = 0
    if source.mutable:
        gl.BindTexture(source.target, source.name)
        gl.GetTexParameteriv(source.target, GL_TEXTURE_BASE_LEVEL, &base)
        gl.GetTexParameteriv(source.target, GL_TEXTURE_MAX_LEVEL, &top)
        gl.TexParameteri(source.target, GL_TEXTURE_BASE_LEVEL, source.level)
        gl.TexParameteri(source.target, GL_TEXTURE_MAX_LEVEL, source.level)
    gl.GenTextures(1, &copy)
    gl.BindTexture(GL_TEXTURE_2D, copy)
    gl.TexStorage2D(GL_TEXTURE_2D, 1, source.internal, width, height)
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST)
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST)
    if stencil and pipe_formats[source.format].bits[4]:
        gl.TexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX)
    gl.CopyImageSubData(source.name, source.target, source.level, x, y, source.layer, copy, GL_TEXTURE_2D, 0, 0, 0, 0,
                        width, height, 1)
    if source.mutable:
        gl.BindTexture(source.target, source.name)
        gl.TexParameteri(source.target, GL_TEXTURE_BASE_LEVEL, base)
        gl.TexParameteri(source.target, GL_TEXTURE_MAX_LEVEL, top)
        gl.BindTexture(GL_TEXTURE_2D, copy)
    return copy


cdef void draw(Espryt* es, uint32_t kind, int32_t width, int32_t height) noexcept nogil:
    gl_of(es).UseProgram(program_of(es, kind))
    gl_of(es).Viewport(0, 0, width, height)
    gl_of(es).DrawArrays(GL_TRIANGLES, 0, 3)


cdef bint redraw_read(Espryt* es, const Texels* source, bint stencil, int32_t x, int32_t y, int32_t width, int32_t height,
                      uint8_t* into) noexcept nogil:
    """Colours that are stored as sRGB are drawn to a target that stores them so again: what is read is what is stored."""
    cdef GL* gl = gl_of(es)
    cdef GLenum* formats = [GL_RGBA, GL_RGBA_INTEGER, GL_RGBA_INTEGER]
    cdef GLenum* types = [GL_FLOAT, GL_INT, GL_UNSIGNED_INT]
    cdef GLenum* targets = [GL_RGBA32F, GL_RGBA32I, GL_RGBA32UI]
    cdef uint32_t kind = UINTS if stencil else kind_of(source.format)
    cdef bint blocks = pipe_formats[source.format].block_bytes != 0, srgb = pipe_formats[source.format].srgb != 0
    cdef int32_t left = 0 if blocks else x, bottom = 0 if blocks else y     # blocks are copied whole
    cdef int32_t wide = <int32_t>source.width if blocks else width, high = <int32_t>source.height if blocks else height
    cdef GLuint copy, target = 0
    cdef bint complete
    if not enter_redraw(es):
        return False
    copy = copy_image(es, source, stencil, left, bottom, wide, high)
    gl.GenRenderbuffers(1, &target)
    gl.BindRenderbuffer(GL_RENDERBUFFER, target)
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8 if srgb else targets[kind], wide, high)
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target)
    complete = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
    if complete:
        draw(es, kind, wide, high)
        if srgb:
            complete = read_bytes_as_floats(es, x - left, y - bottom, width, height, <float*>into)
        else:
            gl.ReadPixels(x - left, y - bottom, width, height, formats[kind], types[kind], into)
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 0)
    gl.DeleteRenderbuffers(1, &target)
    gl.DeleteTextures(1, &copy)
    leave_redraw(es)
    return complete


cdef bint read_bytes_as_floats(Espryt* es, int32_t x, int32_t y, int32_t width, int32_t height, float* into) noexcept nogil:
    cdef size_t count = <size_t>width * <size_t>height * 4, i
    cdef uint8_t* texels = <uint8_t*>malloc(count)
    if texels == NULL:
        return False
    gl_of(es).ReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, texels)
    for i in range(count):
        into[i] = texels[i] / <float>255.0
    free(texels)
    return True


cdef bint redraw_level(Espryt* es, const Texels* source, GLuint target_name) noexcept nogil:
    """Within enter_redraw."""
    cdef GL* gl = gl_of(es)
    cdef GLuint copy = copy_image(es, source, False, 0, 0, <int32_t>source.width, <int32_t>source.height)
    cdef bint complete
    if source.target == GL_TEXTURE_2D:
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_name, source.level)
    elif source.target == GL_TEXTURE_CUBE_MAP:
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X + source.layer,
                                target_name, source.level)
    else:
        gl.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target_name, source.level, source.layer)
    complete = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
    if complete:
        draw(es, kind_of(source.format), <int32_t>source.width, <int32_t>source.height)
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 0)
    gl.DeleteTextures(1, &copy)
    return complete
