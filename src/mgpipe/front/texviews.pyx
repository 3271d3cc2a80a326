# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Texture views (specification 8.18). See texviews.pxd.

Texels that two textures show have no single owner among the client's levels: they become the server's for good, in the
texture that is viewed and in the view, and uploads to either leave at once (`Texture.shared_storage`).
"""

from libc.stdint cimport uint32_t

from glenum cimport *
from pipe cimport PIPE_FEATURE_TEXTURE_VIEW
from pipe_formats cimport pipe_format_of, pipe_formats
from mgpipe.front.context cimport (OWNER_GPU, Context, GLenum, GLuint, Level, Texture, name_get,
                                   name_reserved, set_error, set_error_why, touch_group)
from mgpipe.front.teximages cimport size_allowed
from mgpipe.front.textures cimport texture_level, texture_make
from mgpipe.tracker.owners cimport mark_level
from mgpipe.tracker.textures cimport track_texture_view


cdef bint shows(GLenum target, GLenum origin) noexcept nogil:
    """Table 8.21: whether a view of that target may be of a texture of the other."""
    if target == GL_TEXTURE_1D or target == GL_TEXTURE_1D_ARRAY:
        return origin == GL_TEXTURE_1D or origin == GL_TEXTURE_1D_ARRAY
    if target == GL_TEXTURE_2D or target == GL_TEXTURE_2D_ARRAY:
        return (origin == GL_TEXTURE_2D or origin == GL_TEXTURE_2D_ARRAY or origin == GL_TEXTURE_CUBE_MAP
                or origin == GL_TEXTURE_CUBE_MAP_ARRAY)
    if target == GL_TEXTURE_CUBE_MAP or target == GL_TEXTURE_CUBE_MAP_ARRAY:
        return origin == GL_TEXTURE_2D_ARRAY or origin == GL_TEXTURE_CUBE_MAP or origin == GL_TEXTURE_CUBE_MAP_ARRAY
    if target == GL_TEXTURE_2D_MULTISAMPLE or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        return origin == GL_TEXTURE_2D_MULTISAMPLE or origin == GL_TEXTURE_2D_MULTISAMPLE_ARRAY
    return target == origin and (target == GL_TEXTURE_3D or target == GL_TEXTURE_RECTANGLE)


cdef bint is_array(GLenum target) noexcept nogil:
    return (target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_2D_ARRAY or target == GL_TEXTURE_CUBE_MAP_ARRAY
            or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)


cdef GLenum layers_error(GLenum target, GLuint given, uint32_t layers) noexcept nogil:
    """`given`: as the program says; `layers`: as many of them as there are."""
    if target == GL_TEXTURE_CUBE_MAP:
        return 0 if layers == 6 else GL_INVALID_VALUE
    if target == GL_TEXTURE_CUBE_MAP_ARRAY:
        return 0 if layers % 6 == 0 else GL_INVALID_VALUE
    return 0 if is_array(target) or given == 1 else GL_INVALID_VALUE


cdef bint formats_match(GLenum internal_format, Level* origin) noexcept nogil:
    cdef uint32_t view = pipe_format_of(internal_format)
    if internal_format == origin.internal_format:
        return True
    return (pipe_formats[view].internal == internal_format and pipe_formats[view].view_class != 0
            and pipe_formats[view].view_class == pipe_formats[origin.format].view_class)


cdef void define_levels(Texture* view, Texture* origin, GLenum internal_format, uint32_t first) noexcept nogil:
    """The shapes of what the view shows. Its texels are the server's."""
    cdef uint32_t face, i
    cdef Level* seen
    cdef Level* level
    for face in range(view.faces):
        for i in range(view.view_levels):
            seen = texture_level(origin, 0, first + i)
            level = texture_level(view, face, i)
            level.width = seen.width
            level.height = seen.height
            level.depth = seen.depth if view.target == GL_TEXTURE_3D else view.view_layers if is_array(view.target) else 1
            level.internal_format = internal_format
            level.format = pipe_format_of(internal_format)
            mark_level(level, OWNER_GPU)


cdef void TextureView(Context* ctx, GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat,
                      GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers) noexcept nogil:
    cdef Texture* origin = <Texture*>name_get(&ctx.group.textures, origtexture)
    cdef Texture* view
    cdef Level* base
    cdef uint32_t levels, layers
    cdef GLenum error = 0
    if texture == 0 or origin == NULL:
        error = GL_INVALID_VALUE
    elif not origin.immutable_levels or not name_reserved(&ctx.group.textures, texture):
        error = GL_INVALID_OPERATION            # `texture` is not generated, or has a target
    elif not shows(target, origin.target):
        error = GL_INVALID_OPERATION
    elif minlevel >= origin.view_levels or minlayer >= origin.view_layers or numlevels == 0 or numlayers == 0:
        error = GL_INVALID_VALUE
    if error:
        set_error(ctx, error)
        return
    levels = min(numlevels, origin.view_levels - minlevel)
    layers = min(numlayers, origin.view_layers - minlayer)
    base = texture_level(origin, 0, minlevel)
    error = layers_error(target, numlayers, layers)
    if error == 0 and not formats_match(internalformat, texture_level(origin, 0, 0)):
        error = GL_INVALID_OPERATION
    if error == 0 and (target == GL_TEXTURE_CUBE_MAP or target == GL_TEXTURE_CUBE_MAP_ARRAY) and base.width != base.height:
        error = GL_INVALID_OPERATION
    if error == 0 and not size_allowed(ctx, target, 0, base.width, layers if target == GL_TEXTURE_1D_ARRAY else base.height,
                                       base.depth if target == GL_TEXTURE_3D else layers):
        error = GL_INVALID_OPERATION
    if error:
        set_error(ctx, error)
        return
    if not ctx.session.caps.features & PIPE_FEATURE_TEXTURE_VIEW:
        set_error_why(ctx, GL_INVALID_OPERATION, b"glTextureView: the driver has no texture views")
        return
    view = texture_make(ctx, texture, target)
    if view == NULL:
        return
    view.immutable_levels = origin.immutable_levels
    view.view_level = origin.view_level + minlevel
    view.view_levels = levels
    view.view_layer = origin.view_layer + minlayer
    view.view_layers = layers
    view.samples = origin.samples
    view.fixed_samples = origin.fixed_samples
    define_levels(view, origin, internalformat, minlevel)
    track_texture_view(ctx, origin, view, minlevel, minlayer)
    touch_group(ctx)
