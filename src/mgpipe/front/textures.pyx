# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Texture objects. See textures.pxd.

A texture lives while anything refers to it: its name, a unit of any context, an attachment. Bindings are context state
(DIRTY_TEXTURES); parameters belong to the object, so they raise the group's generation.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from glenum cimport *
from pipe_formats cimport FORMAT_KIND_INT, FORMAT_KIND_UINT, pipe_formats
from mgpipe.front.attachments cimport framebuffer_detach
from mgpipe.front.buffers cimport buffer_hold
from mgpipe.front.context cimport (DIRTY_IMAGES, DIRTY_TEXTURES, IMAGE_UNITS, LEVELS, TEXTURE_UNITS, Context, ImageUnit, GLboolean, GLenum, GLfloat,
                                   GLint, GLsizei, GLuint, Level, Texture, name_get, name_put, name_remove, name_reserved,
                                   names_generate, pending_add, pipe_SamplerState, set_error, texture_free, touch_group)
from mgpipe.front.samplers cimport (VALUE_FLOAT, VALUE_INT, VALUE_NORMALISED, VALUE_UINT, Value, ValueKind,
                                    sampler_defaults,
                                    sampler_get, sampler_release, sampler_set, units_allowed, value_float, value_int)
from mgpipe.tracker.validate cimport track_delete_texture

cdef enum:
    UNCHANGED = 1

# ------------------------------------------------------------------------------------------------------------ targets

cdef uint32_t texture_target_index(GLenum target) noexcept nogil:
    if target == GL_TEXTURE_2D: return INDEX_2D
    if target == GL_TEXTURE_1D: return INDEX_1D
    if target == GL_TEXTURE_3D: return INDEX_3D
    if target == GL_TEXTURE_1D_ARRAY: return INDEX_1D_ARRAY
    if target == GL_TEXTURE_2D_ARRAY: return INDEX_2D_ARRAY
    if target == GL_TEXTURE_RECTANGLE: return INDEX_RECTANGLE
    if target == GL_TEXTURE_CUBE_MAP: return INDEX_CUBE
    if target == GL_TEXTURE_CUBE_MAP_ARRAY: return INDEX_CUBE_ARRAY
    if target == GL_TEXTURE_BUFFER: return INDEX_BUFFER
    if target == GL_TEXTURE_2D_MULTISAMPLE: return INDEX_2D_MULTISAMPLE
    if target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY: return INDEX_2D_MULTISAMPLE_ARRAY
    return INDEX_NONE


cdef bint is_multisample(GLenum target) noexcept nogil:
    return target == GL_TEXTURE_2D_MULTISAMPLE or target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY


cdef Texture* texture_new(GLuint name, GLenum target) noexcept nogil:
    cdef Texture* texture = <Texture*>calloc(1, sizeof(Texture))
    if texture == NULL:
        return NULL
    texture.faces = 6 if target == GL_TEXTURE_CUBE_MAP else 1
    texture.levels = <Level*>calloc(texture.faces * LEVELS, sizeof(Level))
    if texture.levels == NULL:
        free(texture)
        return NULL
    texture.name = name
    texture.refs = 1
    texture.target = target
    texture.target_index = texture_target_index(target)
    texture.fixed_samples = 1
    texture.max_level = 1000
    texture.swizzle[0] = GL_RED
    texture.swizzle[1] = GL_GREEN
    texture.swizzle[2] = GL_BLUE
    texture.swizzle[3] = GL_ALPHA
    texture.depth_stencil_mode = GL_DEPTH_COMPONENT
    texture.params_dirty = 1
    sampler_defaults(&texture.sampler, target == GL_TEXTURE_RECTANGLE)
    return texture


cdef Texture* default_texture(Context* ctx, uint32_t index, GLenum target) noexcept nogil:
    """The texture named zero exists from the first command that needs it; until then a unit without texture is NULL."""
    cdef Texture* texture = ctx.group.default_textures[index]
    if texture == NULL:
        texture = texture_new(0, target)
        ctx.group.default_textures[index] = texture
    return texture


cdef Texture* bound_texture(Context* ctx, GLenum target) noexcept nogil:
    cdef uint32_t index = texture_target_index(target)
    cdef Texture** slot
    if index == INDEX_NONE:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    slot = &ctx.units[ctx.active_unit].bound[index]
    if slot[0] == NULL:
        slot[0] = default_texture(ctx, index, target)
        if slot[0] == NULL:
            set_error(ctx, GL_OUT_OF_MEMORY)
            return NULL
        texture_retain(slot[0])
        ctx.dirty |= DIRTY_TEXTURES
    return slot[0]


cdef Level* texture_level(Texture* texture, uint32_t face, uint32_t level) noexcept nogil:
    return &texture.levels[face * LEVELS + level]


# --------------------------------------------------------------------------------------------------------- references

cdef void texture_retain(Texture* texture) noexcept nogil:
    texture.refs += 1


cdef void texture_release(Context* ctx, Texture* texture) noexcept nogil:
    texture.refs -= 1
    if texture.refs == 0:
        buffer_hold(ctx, &texture.buffer, NULL)
        track_delete_texture(ctx, texture)
        texture_free(ctx.group, texture)


cdef void put_binding(Context* ctx, Texture** slot, Texture* texture) noexcept nogil:
    cdef Texture* before = slot[0]
    if before == texture:
        return
    if texture != NULL:
        texture_retain(texture)
    slot[0] = texture
    if before != NULL:
        texture_release(ctx, before)
    ctx.dirty |= DIRTY_TEXTURES


cdef void image_unit_clear(Context* ctx, ImageUnit* unit) noexcept nogil:
    """The initial state (specification table 23.45)."""
    cdef Texture* before = unit.texture
    memset(unit, 0, sizeof(ImageUnit))
    unit.access = GL_READ_ONLY
    unit.format = GL_R8
    if before != NULL:
        texture_release(ctx, before)
        ctx.dirty |= DIRTY_IMAGES


cdef void texture_units_release(Context* ctx) noexcept nogil:
    cdef uint32_t unit, index
    for unit in range(IMAGE_UNITS):
        image_unit_clear(ctx, &ctx.images[unit])
    for unit in range(TEXTURE_UNITS):
        for index in range(INDEX_NONE):
            put_binding(ctx, &ctx.units[unit].bound[index], NULL)
        if ctx.units[unit].sampler != NULL:
            sampler_release(ctx, ctx.units[unit].sampler)
            ctx.units[unit].sampler = NULL


# -------------------------------------------------------------------------------------------------------------- names

cdef void ActiveTexture(Context* ctx, GLenum texture) noexcept nogil:
    if texture < GL_TEXTURE0 or texture >= GL_TEXTURE0 + TEXTURE_UNITS:
        set_error(ctx, GL_INVALID_ENUM)
        return
    ctx.active_unit = texture - GL_TEXTURE0


cdef void GenTextures(Context* ctx, GLsizei n, GLuint* textures) noexcept nogil:
    names_generate(ctx, &ctx.group.textures, n, textures)


cdef void DeleteTextures(Context* ctx, GLsizei n, const GLuint* textures) noexcept nogil:
    cdef GLsizei i
    cdef uint32_t unit
    cdef Texture* texture
    if n < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(n):
        texture = <Texture*>name_remove(&ctx.group.textures, textures[i])
        if texture == NULL:
            continue
        texture.deleted = 1
        for unit in range(TEXTURE_UNITS):
            if ctx.units[unit].bound[texture.target_index] == texture:
                put_binding(ctx, &ctx.units[unit].bound[texture.target_index], NULL)
        for unit in range(IMAGE_UNITS):
            if ctx.images[unit].texture == texture:
                image_unit_clear(ctx, &ctx.images[unit])
        # attachments of the bound framebuffers only (specification 9.2.8); others keep it alive
        framebuffer_detach(ctx, ctx.draw_framebuffer, texture, &texture.refs)
        if ctx.read_framebuffer != ctx.draw_framebuffer:
            framebuffer_detach(ctx, ctx.read_framebuffer, texture, &texture.refs)
        texture_release(ctx, texture)


cdef GLboolean IsTexture(Context* ctx, GLuint texture) noexcept nogil:
    return name_get(&ctx.group.textures, texture) != NULL


cdef Texture* texture_make(Context* ctx, GLuint name, GLenum target) noexcept nogil:
    """For a generated name that has no object yet. NULL: the error is set."""
    cdef Texture* object
    if not name_reserved(&ctx.group.textures, name):
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    object = texture_new(name, target)
    if object == NULL:
        set_error(ctx, GL_OUT_OF_MEMORY)
        return NULL
    name_put(&ctx.group.textures, name, object)
    return object


cdef Texture* texture_object(Context* ctx, GLuint name, GLenum target) noexcept nogil:
    cdef Texture* object = <Texture*>name_get(&ctx.group.textures, name)
    if object == NULL:
        return texture_make(ctx, name, target)
    if object.target != target:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return object


cdef void BindTexture(Context* ctx, GLenum target, GLuint texture) noexcept nogil:
    cdef uint32_t index = texture_target_index(target)
    cdef Texture* object
    if index == INDEX_NONE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if texture == 0:
        put_binding(ctx, &ctx.units[ctx.active_unit].bound[index], ctx.group.default_textures[index])
        return
    object = texture_object(ctx, texture, target)
    if object == NULL:
        return
    put_binding(ctx, &ctx.units[ctx.active_unit].bound[index], object)


cdef void put_unit(Context* ctx, uint32_t unit, GLuint name) noexcept nogil:
    """A texture at its own target; 0: no target has one."""
    cdef Texture* texture
    cdef uint32_t index
    if name == 0:
        for index in range(INDEX_NONE):
            put_binding(ctx, &ctx.units[unit].bound[index], ctx.group.default_textures[index])
        return
    texture = <Texture*>name_get(&ctx.group.textures, name)
    if texture == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    else:
        put_binding(ctx, &ctx.units[unit].bound[texture.target_index], texture)


cdef void BindTextures(Context* ctx, GLuint first, GLsizei count, const GLuint* textures) noexcept nogil:
    """Without names: none. An error leaves only its unit as it was."""
    cdef GLsizei i
    if units_allowed(ctx, first, count):
        for i in range(count):
            put_unit(ctx, first + i, textures[i] if textures != NULL else 0)


cdef void BindTextureUnit(Context* ctx, GLuint unit, GLuint texture) noexcept nogil:
    if unit >= TEXTURE_UNITS:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        put_unit(ctx, unit, texture)


# --------------------------------------------------------------------------------------------------------- parameters

cdef bint is_sampling(GLenum pname) noexcept nogil:
    return (pname == GL_TEXTURE_MIN_FILTER or pname == GL_TEXTURE_MAG_FILTER or pname == GL_TEXTURE_WRAP_S or
            pname == GL_TEXTURE_WRAP_T or pname == GL_TEXTURE_WRAP_R or pname == GL_TEXTURE_MIN_LOD or
            pname == GL_TEXTURE_MAX_LOD or pname == GL_TEXTURE_LOD_BIAS or pname == GL_TEXTURE_COMPARE_MODE or
            pname == GL_TEXTURE_COMPARE_FUNC or pname == GL_TEXTURE_BORDER_COLOR or pname == GL_TEXTURE_MAX_ANISOTROPY)


cdef bint is_swizzle(uint32_t value) noexcept nogil:
    return (value == GL_RED or value == GL_GREEN or value == GL_BLUE or value == GL_ALPHA or value == GL_ZERO
            or value == GL_ONE)


cdef GLenum set_level(Texture* texture, uint32_t* field, int32_t value, bint base) noexcept nogil:
    if value < 0:
        return GL_INVALID_VALUE
    if base and value and (is_multisample(texture.target) or texture.target == GL_TEXTURE_RECTANGLE):
        return GL_INVALID_OPERATION
    if field[0] == <uint32_t>value:
        return UNCHANGED
    field[0] = <uint32_t>value
    texture.params_dirty = 1
    return 0


cdef GLenum set_swizzle(Texture* texture, GLenum pname, const Value* value) noexcept nogil:
    cdef uint32_t i, first = 0, count = 4
    cdef Value one = value[0]
    cdef uint32_t chosen[4]
    if pname != GL_TEXTURE_SWIZZLE_RGBA:
        first = pname - GL_TEXTURE_SWIZZLE_R
        count = 1
    elif not value.vector:
        return GL_INVALID_ENUM
    for i in range(count):
        one.at = <const int32_t*>value.at + i
        chosen[i] = <uint32_t>value_int(&one)
        if not is_swizzle(chosen[i]):
            return GL_INVALID_ENUM
    for i in range(count):
        texture.swizzle[first + i] = chosen[i]
    texture.params_dirty = 1
    return 0


cdef GLenum texture_set(Context* ctx, Texture* texture, GLenum pname, const Value* value) noexcept nogil:
    cdef uint32_t mode
    if is_sampling(pname):
        if is_multisample(texture.target):
            return GL_INVALID_ENUM
        return sampler_set(ctx, &texture.sampler, pname, value, texture.target == GL_TEXTURE_RECTANGLE)
    if pname == GL_TEXTURE_BASE_LEVEL:
        return set_level(texture, &texture.base_level, value_int(value), True)
    if pname == GL_TEXTURE_MAX_LEVEL:
        return set_level(texture, &texture.max_level, value_int(value), False)
    if GL_TEXTURE_SWIZZLE_R <= pname <= GL_TEXTURE_SWIZZLE_A or pname == GL_TEXTURE_SWIZZLE_RGBA:
        return set_swizzle(texture, pname, value)
    if pname == GL_DEPTH_STENCIL_TEXTURE_MODE:
        mode = <uint32_t>value_int(value)
        if mode != GL_DEPTH_COMPONENT and mode != GL_STENCIL_INDEX:
            return GL_INVALID_ENUM
        texture.depth_stencil_mode = mode
        texture.params_dirty = 1
        return 0
    return GL_INVALID_ENUM


cdef void set_parameter(Context* ctx, GLenum target, GLenum pname, ValueKind kind, bint vector,
                        const void* at) noexcept nogil:
    cdef Texture* texture
    cdef Value value
    cdef GLenum error
    if target == GL_TEXTURE_BUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture == NULL:
        return
    value.kind = kind
    value.vector = vector
    value.at = at
    error = texture_set(ctx, texture, pname, &value)
    if error == 0:
        touch_group(ctx)
    elif error != UNCHANGED:
        set_error(ctx, error)


cdef void TexParameterf(Context* ctx, GLenum target, GLenum pname, GLfloat param) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_FLOAT, False, &param)


cdef void TexParameteri(Context* ctx, GLenum target, GLenum pname, GLint param) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_NORMALISED, False, &param)


cdef void TexParameterfv(Context* ctx, GLenum target, GLenum pname, const GLfloat* params) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_FLOAT, True, params)


cdef void TexParameteriv(Context* ctx, GLenum target, GLenum pname, const GLint* params) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_NORMALISED, True, params)


cdef void TexParameterIiv(Context* ctx, GLenum target, GLenum pname, const GLint* params) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_INT, True, params)


cdef void TexParameterIuiv(Context* ctx, GLenum target, GLenum pname, const GLuint* params) noexcept nogil:
    set_parameter(ctx, target, pname, VALUE_UINT, True, params)


cdef void put_value(ValueKind kind, void* params, uint32_t at, uint32_t value) noexcept nogil:
    if kind == VALUE_FLOAT:
        (<float*>params)[at] = <float>value
    else:
        (<uint32_t*>params)[at] = value


cdef void get_parameter(Context* ctx, GLenum target, GLenum pname, ValueKind kind, void* params) noexcept nogil:
    cdef Texture* texture
    cdef uint32_t i
    if target == GL_TEXTURE_BUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    texture = bound_texture(ctx, target)
    if texture == NULL or sampler_get(&texture.sampler, pname, kind, params):
        return
    if pname == GL_TEXTURE_BASE_LEVEL:
        put_value(kind, params, 0, texture.base_level)
    elif pname == GL_TEXTURE_MAX_LEVEL:
        put_value(kind, params, 0, texture.max_level)
    elif GL_TEXTURE_SWIZZLE_R <= pname <= GL_TEXTURE_SWIZZLE_A:
        put_value(kind, params, 0, texture.swizzle[pname - GL_TEXTURE_SWIZZLE_R])
    elif pname == GL_TEXTURE_SWIZZLE_RGBA:
        for i in range(4):
            put_value(kind, params, i, texture.swizzle[i])
    elif pname == GL_DEPTH_STENCIL_TEXTURE_MODE:
        put_value(kind, params, 0, texture.depth_stencil_mode)
    elif pname == GL_TEXTURE_IMMUTABLE_FORMAT:
        put_value(kind, params, 0, texture.immutable_levels != 0)
    elif pname == GL_TEXTURE_IMMUTABLE_LEVELS:
        put_value(kind, params, 0, texture.immutable_levels)
    elif pname == GL_TEXTURE_VIEW_MIN_LEVEL:
        put_value(kind, params, 0, texture.view_level)
    elif pname == GL_TEXTURE_VIEW_NUM_LEVELS:
        put_value(kind, params, 0, texture.view_levels)
    elif pname == GL_TEXTURE_VIEW_MIN_LAYER:
        put_value(kind, params, 0, texture.view_layer)
    elif pname == GL_TEXTURE_VIEW_NUM_LAYERS:
        put_value(kind, params, 0, texture.view_layers)
    else:
        set_error(ctx, GL_INVALID_ENUM)


cdef void GetTexParameterfv(Context* ctx, GLenum target, GLenum pname, GLfloat* params) noexcept nogil:
    get_parameter(ctx, target, pname, VALUE_FLOAT, params)


cdef void GetTexParameteriv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    get_parameter(ctx, target, pname, VALUE_NORMALISED, params)


cdef void GetTexParameterIiv(Context* ctx, GLenum target, GLenum pname, GLint* params) noexcept nogil:
    get_parameter(ctx, target, pname, VALUE_INT, params)


cdef void GetTexParameterIuiv(Context* ctx, GLenum target, GLenum pname, GLuint* params) noexcept nogil:
    get_parameter(ctx, target, pname, VALUE_UINT, params)


# ------------------------------------------------------------------------------------------------------- completeness

cdef inline uint32_t halved(uint32_t size) noexcept nogil:
    return size >> 1 if size > 1 else 1


cdef uint32_t first_level(const Texture* texture) noexcept nogil:
    """The base level that counts: of immutable storage, the nearest that it has."""
    if texture.view_levels and texture.base_level >= texture.view_levels:
        return texture.view_levels - 1
    return texture.base_level


cdef uint32_t mipmap_levels(Texture* texture) noexcept nogil:
    """Of a base level of that size: halve (not the layers) until everything is 1, or immutable storage ends."""
    cdef uint32_t count = 1, first = first_level(texture), most = LEVELS
    cdef uint32_t width, height, depth
    cdef Level* base
    if texture.view_levels:
        most = texture.view_levels
    if first >= LEVELS:
        return 0
    base = texture_level(texture, 0, first)
    if base.format == 0:
        return 0
    width = base.width
    height = base.height
    depth = base.depth if texture.target == GL_TEXTURE_3D else 1
    while (width > 1 or height > 1 or depth > 1) and first + count <= texture.max_level and first + count < most:
        width = halved(width)
        height = halved(height)
        depth = halved(depth)
        count += 1
    return count


cdef bint levels_alike(Texture* texture, uint32_t count) noexcept nogil:
    """Whether so many levels, from the base level on, have the sizes and the format that a mipmap has."""
    cdef uint32_t face, i, first = first_level(texture)
    cdef Level* base = texture_level(texture, 0, first)
    cdef Level* level
    cdef uint32_t width = base.width, height = base.height, depth = base.depth
    for i in range(count):
        for face in range(texture.faces):
            level = texture_level(texture, face, first + i)
            if level.format != base.format or level.width != width or level.height != height or level.depth != depth:
                return False
        width = halved(width)
        height = halved(height)
        if texture.target == GL_TEXTURE_3D:
            depth = halved(depth)
    return True


cdef bint base_complete(Texture* texture) noexcept nogil:
    cdef uint32_t first = first_level(texture)
    cdef Level* base
    if first >= LEVELS or (first > texture.max_level and not texture.view_levels):
        return False
    base = texture_level(texture, 0, first)
    if base.format == 0 or base.width == 0 or base.height == 0 or base.depth == 0:
        return False
    if (texture.faces == 6 or texture.target == GL_TEXTURE_CUBE_MAP_ARRAY) and base.width != base.height:
        return False
    return levels_alike(texture, 1)


cdef bint mipmap_complete(Texture* texture) noexcept nogil:
    return base_complete(texture) and levels_alike(texture, mipmap_levels(texture))


cdef bint texture_complete(Texture* texture, const pipe_SamplerState* sampler) noexcept nogil:
    """Specification 8.17: what a sampler of that state can read from."""
    cdef Level* base
    cdef uint32_t kind
    if texture.target == GL_TEXTURE_BUFFER:
        return texture.buffer != NULL
    if not base_complete(texture):
        return False
    if is_multisample(texture.target):
        return True
    base = texture_level(texture, 0, first_level(texture))
    kind = pipe_formats[base.format].kind
    if kind == FORMAT_KIND_INT or kind == FORMAT_KIND_UINT or \
            (pipe_formats[base.format].bits[5] and texture.depth_stencil_mode == GL_STENCIL_INDEX):
        if sampler.mag_filter != GL_NEAREST or \
                (sampler.min_filter != GL_NEAREST and sampler.min_filter != GL_NEAREST_MIPMAP_NEAREST):
            return False
    if sampler.min_filter == GL_NEAREST or sampler.min_filter == GL_LINEAR:
        return True
    return levels_alike(texture, mipmap_levels(texture))
