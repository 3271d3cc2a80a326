# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Framebuffer objects (specification 9). See framebuffers.pxd.

Framebuffers belong to one context; what is attached to them belongs to the share group.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from glenum cimport *
from pipe_formats cimport (FORMAT_KIND_FLOAT, FORMAT_KIND_INT, FORMAT_KIND_SNORM, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo,
                           pipe_formats)
from mgpipe.front.attachments cimport (ATTACHMENTS, DEPTH_POINT, STENCIL_POINT, attachment_at, framebuffer_touch)
from mgpipe.front.completeness cimport Attached, attached, framebuffer_samples, framebuffer_status, point_format
from mgpipe.front.context cimport (COLOR_ATTACHMENTS, DIRTY_FRAMEBUFFER, LEVELS, Context, Framebuffer,
                                   FramebufferAttachment,
                                   GLboolean, GLenum, GLint, GLsizei, GLuint, Renderbuffer, Texture,
                                   name_get, name_make, name_remove, names_generate, set_error)
from mgpipe.front.renderbuffers cimport renderbuffer_named, renderbuffer_release
from mgpipe.front.textures cimport texture_release, texture_retain
from mgpipe.tracker.validate cimport track_delete_framebuffer

# -------------------------------------------------------------------------------------------------------------- names

cdef void GenFramebuffers(Context* ctx, GLsizei n, GLuint* framebuffers) noexcept nogil:
    names_generate(ctx, &ctx.framebuffers, n, framebuffers)


cdef void bind(Context* ctx, Framebuffer* framebuffer, bint draw, bint read) noexcept nogil:
    if draw and ctx.draw_framebuffer != framebuffer:
        ctx.draw_framebuffer = framebuffer
        ctx.dirty |= DIRTY_FRAMEBUFFER
    if read and ctx.read_framebuffer != framebuffer:
        ctx.read_framebuffer = framebuffer
        ctx.dirty |= DIRTY_FRAMEBUFFER


cdef Framebuffer* framebuffer_object(Context* ctx, GLuint name) noexcept nogil:
    cdef Framebuffer* object = <Framebuffer*>name_get(&ctx.framebuffers, name)
    if object == NULL:
        object = <Framebuffer*>name_make(ctx, &ctx.framebuffers, name, sizeof(Framebuffer))
        if object != NULL:
            object.name = name
            object.draw_buffers[0] = object.read_buffer = GL_COLOR_ATTACHMENT0
    return object


cdef void BindFramebuffer(Context* ctx, GLenum target, GLuint framebuffer) noexcept nogil:
    cdef Framebuffer* object = &ctx.default_framebuffer
    if target != GL_FRAMEBUFFER and target != GL_DRAW_FRAMEBUFFER and target != GL_READ_FRAMEBUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if framebuffer != 0:
        object = framebuffer_object(ctx, framebuffer)
        if object == NULL:
            return
    bind(ctx, object, target != GL_READ_FRAMEBUFFER, target != GL_DRAW_FRAMEBUFFER)


cdef void framebuffer_free(Context* ctx, Framebuffer* framebuffer) noexcept nogil:
    cdef uint32_t point
    for point in range(ATTACHMENTS):
        clear_attachment(ctx, attachment_at(framebuffer, point))
    track_delete_framebuffer(ctx, framebuffer)
    free(framebuffer)


cdef void DeleteFramebuffers(Context* ctx, GLsizei n, const GLuint* framebuffers) noexcept nogil:
    cdef GLsizei i
    cdef Framebuffer* framebuffer
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        framebuffer = <Framebuffer*>name_remove(&ctx.framebuffers, framebuffers[i])
        if framebuffer == NULL:
            continue
        bind(ctx, &ctx.default_framebuffer, ctx.draw_framebuffer == framebuffer, ctx.read_framebuffer == framebuffer)
        framebuffer_free(ctx, framebuffer)


cdef void framebuffers_release(Context* ctx) noexcept nogil:
    cdef uint32_t name
    cdef Framebuffer* framebuffer
    bind(ctx, &ctx.default_framebuffer, True, True)
    for name in range(ctx.framebuffers.capacity):
        framebuffer = <Framebuffer*>name_remove(&ctx.framebuffers, name)
        if framebuffer != NULL:
            framebuffer_free(ctx, framebuffer)
    if ctx.renderbuffer != NULL:
        renderbuffer_release(ctx, ctx.renderbuffer)
        ctx.renderbuffer = NULL


cdef GLboolean IsFramebuffer(Context* ctx, GLuint framebuffer) noexcept nogil:
    return name_get(&ctx.framebuffers, framebuffer) != NULL


cdef Framebuffer* framebuffer_of(Context* ctx, GLenum target) noexcept nogil:
    """The framebuffer bound to a target; NULL after INVALID_ENUM."""
    if target == GL_FRAMEBUFFER or target == GL_DRAW_FRAMEBUFFER:
        return ctx.draw_framebuffer
    if target == GL_READ_FRAMEBUFFER:
        return ctx.read_framebuffer
    set_error(ctx, GL_INVALID_ENUM)
    return NULL


# -------------------------------------------------------------------------------------------------------- attachments

cdef void clear_attachment(Context* ctx, FramebufferAttachment* attachment) noexcept nogil:
    cdef Texture* texture = attachment.texture
    cdef Renderbuffer* renderbuffer = attachment.renderbuffer
    memset(attachment, 0, sizeof(attachment[0]))
    if texture != NULL:
        texture_release(ctx, texture)
    if renderbuffer != NULL:
        renderbuffer_release(ctx, renderbuffer)


cdef void put_attachment(Context* ctx, Framebuffer* framebuffer, uint32_t point,
                         const FramebufferAttachment* made) noexcept nogil:
    cdef FramebufferAttachment* attachment = attachment_at(framebuffer, point)
    if made.texture != NULL:                    # before the old one goes: it may be the same
        texture_retain(made.texture)
    if made.renderbuffer != NULL:
        made.renderbuffer.refs += 1
    clear_attachment(ctx, attachment)
    attachment[0] = made[0]
    framebuffer_touch(ctx, framebuffer)


cdef uint32_t point_of(Context* ctx, GLenum attachment) noexcept nogil:
    """NO_POINT after setting the error."""
    if GL_COLOR_ATTACHMENT0 <= attachment < GL_COLOR_ATTACHMENT0 + COLOR_ATTACHMENTS:
        return attachment - GL_COLOR_ATTACHMENT0
    if attachment == GL_DEPTH_ATTACHMENT: return DEPTH_POINT
    if attachment == GL_STENCIL_ATTACHMENT: return STENCIL_POINT
    if attachment == GL_DEPTH_STENCIL_ATTACHMENT: return BOTH_POINTS
    # COLOR_ATTACHMENTm beyond the limit is a name, though not an allowed one
    set_error(ctx,
              GL_INVALID_OPERATION if GL_COLOR_ATTACHMENT0 <= attachment <= GL_COLOR_ATTACHMENT31 else GL_INVALID_ENUM)
    return NO_POINT


cdef void attach(Context* ctx, GLenum target, GLenum attachment, const FramebufferAttachment* made) noexcept nogil:
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    cdef uint32_t point
    if framebuffer == NULL:
        return
    point = point_of(ctx, attachment)
    if point == NO_POINT:
        return
    if framebuffer.is_default:
        set_error(ctx, GL_INVALID_OPERATION)
    elif point == BOTH_POINTS:
        put_attachment(ctx, framebuffer, DEPTH_POINT, made)
        put_attachment(ctx, framebuffer, STENCIL_POINT, made)
    else:
        put_attachment(ctx, framebuffer, point, made)


cdef void attach_texture(Context* ctx, GLenum target, GLenum attachment, Texture* texture, GLint level, uint32_t face,
                         uint32_t layer, bint layered) noexcept nogil:
    cdef FramebufferAttachment made
    memset(&made, 0, sizeof(made))
    if texture != NULL:
        if level < 0 or level >= LEVELS or (level and (texture.samples or texture.target == GL_TEXTURE_RECTANGLE)):
            set_error(ctx, GL_INVALID_VALUE)
            return
        made.kind = GL_TEXTURE
        made.texture = texture
        made.level = <uint32_t>level
        made.face = face
        made.layer = layer
        made.layered = layered
    attach(ctx, target, attachment, &made)


cdef Texture* texture_named(Context* ctx, GLuint name, GLenum missing) noexcept nogil:
    cdef Texture* texture = <Texture*>name_get(&ctx.group.textures, name)
    if texture == NULL:
        set_error(ctx, missing)
    return texture


cdef inline bint has_layers(GLenum target) noexcept nogil:
    return (target == GL_TEXTURE_3D or target == GL_TEXTURE_1D_ARRAY or target == GL_TEXTURE_2D_ARRAY
            or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY or target == GL_TEXTURE_CUBE_MAP_ARRAY)


cdef void FramebufferTexture(Context* ctx, GLenum target, GLenum attachment, GLuint texture,
                             GLint level) noexcept nogil:
    cdef Texture* object = NULL
    if texture != 0:
        object = texture_named(ctx, texture, GL_INVALID_VALUE)
        if object == NULL:
            return
        if object.target == GL_TEXTURE_BUFFER:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    attach_texture(ctx, target, attachment, object, level, 0, 0,
                   object != NULL and (object.faces == 6 or has_layers(object.target)))


cdef void attach_image(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level,
                       uint32_t layer, uint32_t dimensions) noexcept nogil:
    """The forms that name a target: it must be of these dimensions and the texture's own."""
    cdef Texture* object = NULL
    cdef uint32_t face = 0
    cdef bint known
    if texture != 0:
        if GL_TEXTURE_CUBE_MAP_POSITIVE_X <= textarget <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z:
            face = textarget - GL_TEXTURE_CUBE_MAP_POSITIVE_X
            textarget = GL_TEXTURE_CUBE_MAP
        if dimensions == 1:
            known = textarget == GL_TEXTURE_1D
        elif dimensions == 3:
            known = textarget == GL_TEXTURE_3D
        else:
            known = (textarget == GL_TEXTURE_2D or textarget == GL_TEXTURE_RECTANGLE or textarget == GL_TEXTURE_CUBE_MAP
                     or textarget == GL_TEXTURE_2D_MULTISAMPLE)
        object = texture_named(ctx, texture, GL_INVALID_OPERATION)
        if object == NULL:
            return
        if not known or object.target != textarget:
            set_error(ctx, GL_INVALID_OPERATION)
            return
    attach_texture(ctx, target, attachment, object, level, face, layer, False)


cdef void FramebufferTexture1D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level) noexcept nogil:
    attach_image(ctx, target, attachment, textarget, texture, level, 0, 1)


cdef void FramebufferTexture2D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level) noexcept nogil:
    attach_image(ctx, target, attachment, textarget, texture, level, 0, 2)


cdef void FramebufferTexture3D(Context* ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                               GLint level, GLint zoffset) noexcept nogil:
    if texture != 0 and (zoffset < 0 or zoffset >= ctx.session.caps.max_3d_texture_size):
        set_error(ctx, GL_INVALID_VALUE)
        return
    attach_image(ctx, target, attachment, textarget, texture, level, <uint32_t>zoffset, 3)


cdef void FramebufferTextureLayer(Context* ctx, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                  GLint layer) noexcept nogil:
    cdef Texture* object = NULL
    cdef int32_t most
    if texture != 0:
        object = texture_named(ctx, texture, GL_INVALID_OPERATION)
        if object == NULL:
            return
        if not has_layers(object.target):
            set_error(ctx, GL_INVALID_OPERATION)
            return
        most = ctx.session.caps.max_array_texture_layers
        if object.target == GL_TEXTURE_3D:
            most = ctx.session.caps.max_3d_texture_size
        if layer < 0 or layer >= most:
            set_error(ctx, GL_INVALID_VALUE)
            return
    attach_texture(ctx, target, attachment, object, level, 0, <uint32_t>layer, False)


cdef void FramebufferRenderbuffer(Context* ctx, GLenum target, GLenum attachment, GLenum renderbuffertarget,
                                  GLuint renderbuffer) noexcept nogil:
    cdef FramebufferAttachment made
    memset(&made, 0, sizeof(made))
    if renderbuffertarget != GL_RENDERBUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if renderbuffer != 0:
        made.renderbuffer = renderbuffer_named(ctx, renderbuffer)
        if made.renderbuffer == NULL:
            set_error(ctx, GL_INVALID_OPERATION)
            return
        made.kind = GL_RENDERBUFFER
    attach(ctx, target, attachment, &made)


# ----------------------------------------------------------------------------------------------------- buffer selection

cdef GLenum check_buffer(Framebuffer* framebuffer, GLenum buffer, bint several) noexcept nogil:
    """0, or the error of naming a buffer of this framebuffer. `several`: names that may mean more than one pass."""
    cdef bint color = GL_COLOR_ATTACHMENT0 <= buffer <= GL_COLOR_ATTACHMENT31
    cdef bint left = buffer == GL_FRONT_LEFT or buffer == GL_BACK_LEFT
    cdef bint right = buffer == GL_FRONT_RIGHT or buffer == GL_BACK_RIGHT or buffer == GL_RIGHT
    cdef bint plural = buffer == GL_FRONT or buffer == GL_BACK or buffer == GL_LEFT or buffer == GL_FRONT_AND_BACK
    if buffer == GL_NONE:
        return 0
    if not (color or left or right or plural) or (plural and not several and buffer != GL_BACK):
        return GL_INVALID_ENUM
    if framebuffer.is_default:
        return GL_INVALID_OPERATION if color or right else 0
    return 0 if color and buffer < GL_COLOR_ATTACHMENT0 + COLOR_ATTACHMENTS else GL_INVALID_OPERATION


cdef void DrawBuffer(Context* ctx, GLenum buf) noexcept nogil:
    cdef Framebuffer* framebuffer = ctx.draw_framebuffer
    cdef GLenum error = check_buffer(framebuffer, buf, True)
    if error:
        set_error(ctx, error)
        return
    memset(framebuffer.draw_buffers, 0, sizeof(framebuffer.draw_buffers))
    framebuffer.draw_buffers[0] = buf
    framebuffer_touch(ctx, framebuffer)


cdef void DrawBuffers(Context* ctx, GLsizei n, const GLenum* bufs) noexcept nogil:
    cdef Framebuffer* framebuffer = ctx.draw_framebuffer
    cdef uint32_t i, j, changed = 0
    cdef GLenum error, buffer
    if n < 0 or n > COLOR_ATTACHMENTS:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(<uint32_t>n):
        error = check_buffer(framebuffer, bufs[i], False)
        if error == 0 and bufs[i] == GL_BACK and n != 1:
            error = GL_INVALID_OPERATION
        for j in range(i):
            if bufs[i] != GL_NONE and bufs[i] == bufs[j]:
                error = GL_INVALID_OPERATION
        if error:
            set_error(ctx, error)
            return
    for i in range(COLOR_ATTACHMENTS):
        buffer = bufs[i] if i < <uint32_t>n else GL_NONE
        changed |= framebuffer.draw_buffers[i] ^ buffer
        framebuffer.draw_buffers[i] = buffer
    if changed:                                 # moderngl says it again before every clear
        framebuffer_touch(ctx, framebuffer)


cdef void ReadBuffer(Context* ctx, GLenum src) noexcept nogil:
    cdef Framebuffer* framebuffer = ctx.read_framebuffer
    cdef GLenum error = check_buffer(framebuffer, src, True)
    if error == 0 and src == GL_FRONT_AND_BACK:
        error = GL_INVALID_ENUM
    if error:
        set_error(ctx, error)
    elif framebuffer.read_buffer != src:
        framebuffer.read_buffer = src
        framebuffer_touch(ctx, framebuffer)


# ---------------------------------------------------------------------------------------------------------- parameters

cdef void FramebufferParameteri(Context* ctx, GLenum target, GLenum pname, GLint param) noexcept nogil:
    """What a framebuffer without attachments is like (specification 9.2.1)."""
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    cdef uint32_t* field
    cdef int32_t most
    if framebuffer == NULL:
        return
    if pname == GL_FRAMEBUFFER_DEFAULT_WIDTH:
        field, most = &framebuffer.default_width, ctx.session.caps.max_framebuffer_width
    elif pname == GL_FRAMEBUFFER_DEFAULT_HEIGHT:
        field, most = &framebuffer.default_height, ctx.session.caps.max_framebuffer_height
    elif pname == GL_FRAMEBUFFER_DEFAULT_LAYERS:
        field, most = &framebuffer.default_layers, ctx.session.caps.max_framebuffer_layers
    elif pname == GL_FRAMEBUFFER_DEFAULT_SAMPLES:
        field, most = &framebuffer.default_samples, ctx.session.caps.max_framebuffer_samples
    elif pname == GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
        field, most, param = &framebuffer.default_fixed_samples, 1, param != 0
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if param < 0 or param > most:
        set_error(ctx, GL_INVALID_VALUE)
    elif framebuffer.is_default:
        set_error(ctx, GL_INVALID_OPERATION)
    elif field[0] != <uint32_t>param:
        field[0] = <uint32_t>param
        framebuffer_touch(ctx, framebuffer)


cdef void GetFramebufferParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    cdef bint shown = framebuffer != NULL and framebuffer.is_default and ctx.draw_surface != NULL
    cdef uint32_t samples
    if framebuffer == NULL:
        return
    if pname == GL_DOUBLEBUFFER: params[0] = shown
    elif pname == GL_STEREO: params[0] = GL_FALSE
    elif pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT: params[0] = GL_RGBA
    elif pname == GL_IMPLEMENTATION_COLOR_READ_TYPE: params[0] = GL_UNSIGNED_BYTE
    elif pname == GL_SAMPLES or pname == GL_SAMPLE_BUFFERS:
        samples = framebuffer_samples(ctx, framebuffer)
        params[0] = <GLint>(samples if pname == GL_SAMPLES else samples > 0)
    elif pname != GL_FRAMEBUFFER_DEFAULT_WIDTH and pname != GL_FRAMEBUFFER_DEFAULT_HEIGHT \
            and pname != GL_FRAMEBUFFER_DEFAULT_LAYERS and pname != GL_FRAMEBUFFER_DEFAULT_SAMPLES \
            and pname != GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
        set_error(ctx, GL_INVALID_ENUM)
    elif framebuffer.is_default:
        set_error(ctx, GL_INVALID_OPERATION)
    elif pname == GL_FRAMEBUFFER_DEFAULT_WIDTH: params[0] = <GLint>framebuffer.default_width
    elif pname == GL_FRAMEBUFFER_DEFAULT_HEIGHT: params[0] = <GLint>framebuffer.default_height
    elif pname == GL_FRAMEBUFFER_DEFAULT_LAYERS: params[0] = <GLint>framebuffer.default_layers
    elif pname == GL_FRAMEBUFFER_DEFAULT_SAMPLES: params[0] = <GLint>framebuffer.default_samples
    else: params[0] = <GLint>framebuffer.default_fixed_samples


# ------------------------------------------------------------------------------------------------------------- queries

cdef GLenum CheckFramebufferStatus(Context* ctx, GLenum target) noexcept nogil:
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    return framebuffer_status(ctx, framebuffer) if framebuffer != NULL else 0


cdef GLint component_type(uint32_t format, uint32_t point) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[format]
    cdef uint32_t kind = info.kind if point < DEPTH_POINT else info.depth_kind
    if point == STENCIL_POINT: return GL_INDEX
    if kind == FORMAT_KIND_FLOAT: return GL_FLOAT
    if kind == FORMAT_KIND_INT: return GL_INT
    if kind == FORMAT_KIND_UINT: return GL_UNSIGNED_INT
    return GL_SIGNED_NORMALIZED if kind == FORMAT_KIND_SNORM else GL_UNSIGNED_NORMALIZED


cdef bint format_parameter(uint32_t format, uint32_t point, GLenum pname, GLint* params) noexcept nogil:
    """The parameters that both kinds of framebuffer have."""
    if GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE <= pname <= GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE:
        params[0] = pipe_formats[format].bits[pname - GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE]
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE:
        params[0] = component_type(format, point)
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING:
        params[0] = GL_SRGB if pipe_formats[format].srgb else GL_LINEAR
    else:
        return False
    return True


cdef void default_parameter(Context* ctx, Framebuffer* framebuffer, GLenum attachment, GLenum pname,
                            GLint* params) noexcept nogil:
    cdef uint32_t point, format
    if attachment == GL_DEPTH: point = DEPTH_POINT
    elif attachment == GL_STENCIL: point = STENCIL_POINT
    elif attachment == GL_FRONT_LEFT or attachment == GL_BACK_LEFT: point = 0
    elif attachment == GL_FRONT or attachment == GL_BACK: point = 0
    elif attachment == GL_FRONT_RIGHT or attachment == GL_BACK_RIGHT: point = 1
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    format = point_format(ctx, framebuffer, point)
    if pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
        params[0] = GL_FRAMEBUFFER_DEFAULT if format else GL_NONE
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME and format == FORMAT_NONE:
        params[0] = 0
    elif format == FORMAT_NONE:
        set_error(ctx, GL_INVALID_OPERATION)
    elif not format_parameter(format, point, pname, params):
        set_error(ctx, GL_INVALID_ENUM)


cdef void object_parameter(Context* ctx, FramebufferAttachment* attachment, uint32_t point, GLenum pname,
                           GLint* params) noexcept nogil:
    cdef Attached image
    if pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
        params[0] = <GLint>attachment.kind
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
        if attachment.kind == 0:
            params[0] = 0
        else:
            params[0] = <GLint>(attachment.texture.name if attachment.texture != NULL else attachment.renderbuffer.name)
    elif attachment.kind == 0:
        set_error(ctx, GL_INVALID_OPERATION)
    elif attached(attachment, &image) and format_parameter(image.format, point, pname, params):
        return
    elif attachment.texture == NULL:
        set_error(ctx, GL_INVALID_ENUM)
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
        params[0] = <GLint>attachment.level
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
        params[0] = 0
        if attachment.texture.faces == 6 and not attachment.layered:
            params[0] = <GLint>(GL_TEXTURE_CUBE_MAP_POSITIVE_X + attachment.face)
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER:
        params[0] = <GLint>attachment.layer
    elif pname == GL_FRAMEBUFFER_ATTACHMENT_LAYERED:
        params[0] = <GLint>attachment.layered
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetFramebufferAttachmentParameteriv(Context* ctx, GLenum target, GLenum attachment, GLenum pname,
                                              GLint* params) noexcept nogil:
    cdef Framebuffer* framebuffer = framebuffer_of(ctx, target)
    cdef uint32_t point
    if framebuffer == NULL:
        return
    if framebuffer.is_default:
        default_parameter(ctx, framebuffer, attachment, pname, params)
        return
    point = point_of(ctx, attachment)
    if point == NO_POINT:
        return
    if point == BOTH_POINTS:
        if framebuffer.depth.texture != framebuffer.stencil.texture \
                or framebuffer.depth.renderbuffer != framebuffer.stencil.renderbuffer \
                or pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE:
            set_error(ctx, GL_INVALID_OPERATION)
            return
        point = DEPTH_POINT
    object_parameter(ctx, attachment_at(framebuffer, point), point, pname, params)
