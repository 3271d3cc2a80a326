# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sampler objects and sampling state (specification 8.2, 8.10). See samplers.pxd."""

from libc.math cimport lrintf
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from glenum cimport *
from mgpipe.front.context cimport (DIRTY_TEXTURES, TEXTURE_UNITS, Context, GLboolean, GLenum, GLfloat, GLint,
                                   GLsizei, GLuint, Sampler, name_get, name_make, name_remove, names_generate,
                                   pipe_SamplerState, set_error, touch_group)

cdef enum:
    UNCHANGED = 1
    FLOATS = 0          # PIPE_BORDER_KIND_*
    INTS = 1
    UINTS = 2

# ------------------------------------------------------------------------------------------------------------- values

cdef float value_float(const Value* value) noexcept nogil:
    if value.kind == VALUE_FLOAT:
        return (<const float*>value.at)[0]
    if value.kind == VALUE_UINT:
        return <float>(<const uint32_t*>value.at)[0]
    return <float>(<const int32_t*>value.at)[0]


cdef int32_t value_int(const Value* value) noexcept nogil:
    if value.kind == VALUE_FLOAT:
        return <int32_t>lrintf((<const float*>value.at)[0])
    return (<const int32_t*>value.at)[0]


cdef void put_value(ValueKind kind, void* params, double value) noexcept nogil:
    if kind == VALUE_FLOAT:
        (<float*>params)[0] = <float>value
    elif kind == VALUE_UINT:
        (<uint32_t*>params)[0] = <uint32_t><int64_t>value
    else:
        (<int32_t*>params)[0] = <int32_t>(value + 0.5 if value >= 0 else value - 0.5)


# --------------------------------------------------------------------------------------------------------- parameters

cdef void sampler_defaults(pipe_SamplerState* state, bint rectangle) noexcept nogil:
    memset(state, 0, sizeof(state[0]))
    state.min_filter = GL_LINEAR if rectangle else GL_NEAREST_MIPMAP_LINEAR
    state.mag_filter = GL_LINEAR
    state.wrap_s = state.wrap_t = state.wrap_r = GL_CLAMP_TO_EDGE if rectangle else GL_REPEAT
    state.compare_func = GL_LEQUAL
    state.min_lod = -1000
    state.max_lod = 1000
    state.max_anisotropy = 1


cdef GLenum put(uint32_t* field, uint32_t value, bint allowed) noexcept nogil:
    if not allowed:
        return GL_INVALID_ENUM
    if field[0] == value:
        return UNCHANGED
    field[0] = value
    return 0


cdef GLenum put_float(float* field, float value) noexcept nogil:
    if field[0] == value:
        return UNCHANGED
    field[0] = value
    return 0


cdef bint is_wrap(uint32_t mode, bint rectangle) noexcept nogil:
    if mode == GL_CLAMP_TO_EDGE or mode == GL_CLAMP_TO_BORDER:
        return True
    return not rectangle and (mode == GL_REPEAT or mode == GL_MIRRORED_REPEAT)


cdef GLenum set_border(pipe_SamplerState* state, const Value* value) noexcept nogil:
    cdef float normalised[4]
    cdef uint32_t i
    cdef uint32_t kind = FLOATS
    if not value.vector:
        return GL_INVALID_ENUM
    if value.kind == VALUE_NORMALISED:
        for i in range(4):
            normalised[i] = <float>((<const int32_t*>value.at)[i] / 2147483647.0)
            if normalised[i] < -1: normalised[i] = -1
        memcpy(state.border, normalised, 16)
    else:
        kind = <uint32_t>value.kind
        memcpy(state.border, value.at, 16)
    state.border_kind = kind
    return 0


cdef GLenum sampler_set(Context* ctx, pipe_SamplerState* state, GLenum pname, const Value* value,
                        bint rectangle) noexcept nogil:
    cdef uint32_t as_enum
    if pname == GL_TEXTURE_BORDER_COLOR:
        return set_border(state, value)
    if pname == GL_TEXTURE_MIN_LOD:
        return put_float(&state.min_lod, value_float(value))
    if pname == GL_TEXTURE_MAX_LOD:
        return put_float(&state.max_lod, value_float(value))
    if pname == GL_TEXTURE_LOD_BIAS:
        return put_float(&state.lod_bias, value_float(value))
    if pname == GL_TEXTURE_MAX_ANISOTROPY:
        if not value_float(value) >= 1:
            return GL_INVALID_VALUE
        return put_float(&state.max_anisotropy, value_float(value))
    as_enum = <uint32_t>value_int(value)
    if pname == GL_TEXTURE_MIN_FILTER:
        return put(&state.min_filter, as_enum, as_enum == GL_NEAREST or as_enum == GL_LINEAR or
                   (not rectangle and GL_NEAREST_MIPMAP_NEAREST <= as_enum <= GL_LINEAR_MIPMAP_LINEAR))
    if pname == GL_TEXTURE_MAG_FILTER:
        return put(&state.mag_filter, as_enum, as_enum == GL_NEAREST or as_enum == GL_LINEAR)
    if pname == GL_TEXTURE_WRAP_S:
        return put(&state.wrap_s, as_enum, is_wrap(as_enum, rectangle))
    if pname == GL_TEXTURE_WRAP_T:
        return put(&state.wrap_t, as_enum, is_wrap(as_enum, rectangle))
    if pname == GL_TEXTURE_WRAP_R:
        return put(&state.wrap_r, as_enum, is_wrap(as_enum, rectangle))
    if pname == GL_TEXTURE_COMPARE_MODE:
        return put(&state.compare_mode, as_enum, as_enum == GL_NONE or as_enum == GL_COMPARE_REF_TO_TEXTURE)
    if pname == GL_TEXTURE_COMPARE_FUNC:
        return put(&state.compare_func, as_enum, GL_NEVER <= as_enum <= GL_ALWAYS)
    return GL_INVALID_ENUM


cdef void get_border(const pipe_SamplerState* state, ValueKind kind, void* params) noexcept nogil:
    """As numbers of the kind asked for; a float colour becomes a normalised integer in the plain integer query."""
    cdef uint32_t i
    cdef double component
    for i in range(4):
        if kind == VALUE_INT or kind == VALUE_UINT:
            memcpy(<uint32_t*>params + i, &state.border[i], 4)
            continue
        if state.border_kind == FLOATS:
            component = (<const float*>state.border)[i]
        elif state.border_kind == INTS:
            component = (<const int32_t*>state.border)[i]
        else:
            component = state.border[i]
        if kind == VALUE_FLOAT:
            (<float*>params)[i] = <float>component
        else:
            if state.border_kind == FLOATS:
                component = (-1 if component < -1 else 1 if component > 1 else component) * 2147483647.0
            put_value(kind, <int32_t*>params + i, component)


cdef bint sampler_get(const pipe_SamplerState* state, GLenum pname, ValueKind kind, void* params) noexcept nogil:
    cdef double value
    if pname == GL_TEXTURE_BORDER_COLOR:
        get_border(state, kind, params)
        return True
    if pname == GL_TEXTURE_MIN_LOD: value = state.min_lod
    elif pname == GL_TEXTURE_MAX_LOD: value = state.max_lod
    elif pname == GL_TEXTURE_LOD_BIAS: value = state.lod_bias
    elif pname == GL_TEXTURE_MAX_ANISOTROPY: value = state.max_anisotropy
    elif pname == GL_TEXTURE_MIN_FILTER: value = state.min_filter
    elif pname == GL_TEXTURE_MAG_FILTER: value = state.mag_filter
    elif pname == GL_TEXTURE_WRAP_S: value = state.wrap_s
    elif pname == GL_TEXTURE_WRAP_T: value = state.wrap_t
    elif pname == GL_TEXTURE_WRAP_R: value = state.wrap_r
    elif pname == GL_TEXTURE_COMPARE_MODE: value = state.compare_mode
    elif pname == GL_TEXTURE_COMPARE_FUNC: value = state.compare_func
    else:
        return False
    put_value(kind, params, value)
    return True


# ------------------------------------------------------------------------------------------------------------ objects

cdef void sampler_release(Context* ctx, Sampler* sampler) noexcept nogil:
    sampler.refs -= 1
    if sampler.refs == 0:
        free(sampler)


cdef Sampler* sampler_object(Context* ctx, GLuint name) noexcept nogil:
    """NULL: the error is set."""
    cdef Sampler* sampler = <Sampler*>name_get(&ctx.group.samplers, name)
    if sampler == NULL:
        sampler = <Sampler*>name_make(ctx, &ctx.group.samplers, name, sizeof(Sampler))
        if sampler != NULL:
            sampler.name = name
            sampler.refs = 1
            sampler_defaults(&sampler.state, False)
    return sampler


cdef void GenSamplers(Context* ctx, GLsizei count, GLuint* samplers) noexcept nogil:
    cdef GLsizei i
    names_generate(ctx, &ctx.group.samplers, count, samplers)
    for i in range(count):
        sampler_object(ctx, samplers[i])        # exists from here on (specification 8.2)


cdef void DeleteSamplers(Context* ctx, GLsizei count, const GLuint* samplers) noexcept nogil:
    cdef GLsizei i
    cdef uint32_t unit
    cdef Sampler* sampler
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return
    for i in range(count):
        sampler = <Sampler*>name_remove(&ctx.group.samplers, samplers[i])
        if sampler == NULL:
            continue
        sampler.deleted = 1
        for unit in range(TEXTURE_UNITS):
            if ctx.units[unit].sampler == sampler:
                ctx.units[unit].sampler = NULL
                ctx.dirty |= DIRTY_TEXTURES
                sampler.refs -= 1               # never the last: the name's is still counted
        sampler_release(ctx, sampler)


cdef GLboolean IsSampler(Context* ctx, GLuint sampler) noexcept nogil:
    return name_get(&ctx.group.samplers, sampler) != NULL


cdef void put_sampler(Context* ctx, GLuint unit, GLuint sampler) noexcept nogil:
    cdef Sampler* object = NULL
    if sampler != 0:
        object = sampler_object(ctx, sampler)
        if object == NULL:
            return
    if ctx.units[unit].sampler == object:
        return
    if ctx.units[unit].sampler != NULL:
        sampler_release(ctx, ctx.units[unit].sampler)
    if object != NULL:
        object.refs += 1
    ctx.units[unit].sampler = object
    ctx.dirty |= DIRTY_TEXTURES


cdef void BindSampler(Context* ctx, GLuint unit, GLuint sampler) noexcept nogil:
    if unit >= TEXTURE_UNITS:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        put_sampler(ctx, unit, sampler)


cdef void BindSamplers(Context* ctx, GLuint first, GLsizei count, const GLuint* samplers) noexcept nogil:
    """Without names: none. An error leaves only its unit as it was."""
    cdef GLsizei i
    if units_allowed(ctx, first, count):
        for i in range(count):
            put_sampler(ctx, first + i, samplers[i] if samplers != NULL else 0)


cdef bint units_allowed(Context* ctx, GLuint first, GLsizei count) noexcept nogil:
    """Of a command that binds to many texture units. False: the error is set."""
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    if first > TEXTURE_UNITS or <uint32_t>count > TEXTURE_UNITS - first:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef void set_parameter(Context* ctx, GLuint name, GLenum pname, ValueKind kind, bint vector,
                        const void* at) noexcept nogil:
    cdef Sampler* sampler = sampler_object(ctx, name)
    cdef Value value
    cdef GLenum error
    if sampler == NULL:
        return
    value.kind = kind
    value.vector = vector
    value.at = at
    error = sampler_set(ctx, &sampler.state, pname, &value, False)
    if error == 0:
        touch_group(ctx)
    elif error != UNCHANGED:
        set_error(ctx, error)


cdef void get_parameter(Context* ctx, GLuint name, GLenum pname, ValueKind kind, void* params) noexcept nogil:
    cdef Sampler* sampler = sampler_object(ctx, name)
    if sampler != NULL and not sampler_get(&sampler.state, pname, kind, params):
        set_error(ctx, GL_INVALID_ENUM)


cdef void SamplerParameteri(Context* ctx, GLuint sampler, GLenum pname, GLint param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_NORMALISED, False, &param)


cdef void SamplerParameterf(Context* ctx, GLuint sampler, GLenum pname, GLfloat param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_FLOAT, False, &param)


cdef void SamplerParameteriv(Context* ctx, GLuint sampler, GLenum pname, const GLint* param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_NORMALISED, True, param)


cdef void SamplerParameterfv(Context* ctx, GLuint sampler, GLenum pname, const GLfloat* param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_FLOAT, True, param)


cdef void SamplerParameterIiv(Context* ctx, GLuint sampler, GLenum pname, const GLint* param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_INT, True, param)


cdef void SamplerParameterIuiv(Context* ctx, GLuint sampler, GLenum pname, const GLuint* param) noexcept nogil:
    set_parameter(ctx, sampler, pname, VALUE_UINT, True, param)


cdef void GetSamplerParameteriv(Context* ctx, GLuint sampler, GLenum pname, GLint* params) noexcept nogil:
    get_parameter(ctx, sampler, pname, VALUE_NORMALISED, params)


cdef void GetSamplerParameterfv(Context* ctx, GLuint sampler, GLenum pname, GLfloat* params) noexcept nogil:
    get_parameter(ctx, sampler, pname, VALUE_FLOAT, params)


cdef void GetSamplerParameterIiv(Context* ctx, GLuint sampler, GLenum pname, GLint* params) noexcept nogil:
    get_parameter(ctx, sampler, pname, VALUE_INT, params)


cdef void GetSamplerParameterIuiv(Context* ctx, GLuint sampler, GLenum pname, GLuint* params) noexcept nogil:
    get_parameter(ctx, sampler, pname, VALUE_UINT, params)
