# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Everything that glGet* and glIsEnabled answer about the context, from client state alone: no call here leaves the process.

Where each value lives is data: catalogue/gets.py and catalogue/limits.py. It is fetched in its own kind, then converted.
"""

from libc.math cimport rint
from libc.stdint cimport INT32_MAX, INT32_MIN, int64_t, uint32_t
from libc.stdio cimport snprintf
from posix.unistd cimport getpid

from glenum cimport *
from mgpipe.client.link cimport LOSS_CLOSED
from pipe cimport PIPE_FEATURE_ANISOTROPY, PIPE_FORMAT_SAMPLE, pipe_Caps
from pipe_formats cimport FORMAT_COUNT, FORMAT_KIND_UNORM, pipe_FormatInfo, pipe_formats
from mgpipe.front.context cimport (ATOMIC_BINDINGS, ATTRIBS, COLOR_ATTACHMENTS, FEEDBACK_BINDINGS, IMAGE_UNITS, STORAGE_BINDINGS, UNIFORM_BINDINGS,
                                   Buffer, Context, Framebuffer, FramebufferAttachment, GLboolean, GLdouble, GLenum, GLfloat,
                                   GLint, GLint64, GLubyte, GLuint, framebuffer_empty, set_error)
from mgpipe.front.limits cimport MAX_DEBUG_GROUPS, MAX_DEBUG_LOGGED, MAX_DEBUG_MESSAGE, MAX_LABEL
from mgpipe.front.queries cimport timestamp
from mgpipe.front.state cimport capability, pixel_store
from mgpipe.front.context cimport (INDEX_1D, INDEX_1D_ARRAY, INDEX_2D, INDEX_2D_ARRAY, INDEX_2D_MULTISAMPLE,
                                   INDEX_2D_MULTISAMPLE_ARRAY, INDEX_3D, INDEX_BUFFER, INDEX_CUBE, INDEX_CUBE_ARRAY,
                                   INDEX_RECTANGLE)

cdef extern from *:
    """
    #define PACKAGE_VERSION MGPIPE_VERSION
    """
    const char* PACKAGE_VERSION         # from meson.build

cdef enum:
    NOT_FOUND = 0
    FOUND = 1
    OUT_OF_RANGE = 2
    MAX_COMPONENTS = 32             # of the longest list, GL_COMPRESSED_TEXTURE_FORMATS

cdef enum Kind:
    KIND_BOOL
    KIND_INT
    KIND_UINT
    KIND_FLOAT
    KIND_UNIT                   # 0 to 1 (or beyond): as an integer, 1.0 is the largest

cdef struct Value:
    Kind kind
    uint32_t count
    int64_t integers[MAX_COMPONENTS]
    double reals[MAX_COMPONENTS]


cdef inline void put_integer(Value* value, uint32_t i, int64_t number) noexcept nogil:
    value.integers[i] = number
    value.reals[i] = <double>number


cdef inline void put_real(Value* value, uint32_t i, double number) noexcept nogil:
    value.reals[i] = number
    if value.kind == KIND_UNIT:
        number = number if number > -1.0 else -1.0
        value.integers[i] = <int64_t>rint((number if number < 1.0 else 1.0) * INT32_MAX)
    else:
        value.integers[i] = <int64_t>rint(number)


# ------------------------------------------------------------------------------- what the table's expressions call

cdef inline uint32_t buffer_name(const Buffer* buffer) noexcept nogil:
    return buffer.name if buffer != NULL else 0


cdef inline uint32_t texture_name(Context* ctx, uint32_t index) noexcept nogil:
    return ctx.units[ctx.active_unit].bound[index].name if ctx.units[ctx.active_unit].bound[index] != NULL else 0


cdef inline uint32_t sampler_name(Context* ctx) noexcept nogil:
    return ctx.units[ctx.active_unit].sampler.name if ctx.units[ctx.active_unit].sampler != NULL else 0


cdef inline uint32_t attachment_samples(const FramebufferAttachment* attachment) noexcept nogil:
    if attachment.kind == GL_TEXTURE and attachment.texture != NULL:
        return attachment.texture.samples
    if attachment.kind == GL_RENDERBUFFER and attachment.renderbuffer != NULL:
        return attachment.renderbuffer.samples
    return 0


cdef uint32_t draw_samples(Context* ctx) noexcept nogil:
    """All attachments of a complete framebuffer have the same number: the first that has any tells."""
    cdef Framebuffer* framebuffer = ctx.draw_framebuffer
    cdef uint32_t i, samples
    if framebuffer.is_default:
        return framebuffer.default_samples
    for i in range(COLOR_ATTACHMENTS):
        samples = attachment_samples(&framebuffer.color[i])
        if samples:
            return samples
    samples = attachment_samples(&framebuffer.depth)
    if samples == 0:
        samples = attachment_samples(&framebuffer.stencil)
    return samples if samples or not framebuffer_empty(framebuffer) else framebuffer.default_samples


cdef uint32_t context_flags(Context* ctx) noexcept nogil:
    """EGL's bits in OpenGL's order."""
    return ((GL_CONTEXT_FLAG_DEBUG_BIT if ctx.flags & 1 else 0) | (GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT if ctx.flags & 2 else 0)
            | (GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT if ctx.flags & 4 else 0))


cdef uint32_t extension_count(Context* ctx) noexcept nogil:
    cdef uint32_t count = 0
    extension(ctx, <uint32_t>-1, &count)
    return count


include "gets.pxi"


# ------------------------------------------------------------------------------------------------------ conversions

cdef inline bint fetch(Context* ctx, GLenum pname, Value* value) noexcept nogil:
    if find_value(ctx, pname, value) == FOUND:
        return True
    if GL_CLIP_DISTANCE0 <= pname < GL_CLIP_DISTANCE0 + 8:
        value.kind, value.count = KIND_BOOL, 1
        put_integer(value, 0, ctx.pipeline.clip_distance_mask >> (pname - GL_CLIP_DISTANCE0) & 1)
        return True
    if pname == GL_NUM_COMPRESSED_TEXTURE_FORMATS or pname == GL_COMPRESSED_TEXTURE_FORMATS:
        compressed_formats(ctx, value)
        if pname == GL_NUM_COMPRESSED_TEXTURE_FORMATS:
            put_integer(value, 0, value.count)
            value.count = 1
        return True
    set_error(ctx, GL_INVALID_ENUM)
    return False


cdef void compressed_formats(Context* ctx, Value* value) noexcept nogil:
    """Those for general use (specification 8.5), and those of OpenGL ES, which must be among them."""
    cdef const pipe_FormatInfo* info
    cdef uint32_t i
    value.kind, value.count = KIND_INT, 0
    for i in range(1, FORMAT_COUNT):
        info = &pipe_formats[i]
        if info.block_bytes and not info.srgb and ctx.session.caps.formats[i] & PIPE_FORMAT_SAMPLE and (
                not info.encodes or (info.kind == FORMAT_KIND_UNORM and info.bits[2])):
            put_integer(value, value.count, pipe_formats[i].internal)
            value.count += 1


cdef inline bint fetch_indexed(Context* ctx, GLenum pname, GLuint index, Value* value) noexcept nogil:
    cdef int found = find_indexed(ctx, pname, index, value)
    if found == FOUND:
        return True
    set_error(ctx, GL_INVALID_VALUE if found == OUT_OF_RANGE else GL_INVALID_ENUM)
    return False


cdef inline int narrowed(const Value* value, uint32_t i) noexcept nogil:
    cdef int64_t number = value.integers[i]
    if value.kind == KIND_UINT:
        return <int><uint32_t>number
    return INT32_MAX if number > INT32_MAX else (INT32_MIN if number < INT32_MIN else <int>number)


cdef void give_ints(const Value* value, GLint* data) noexcept nogil:
    cdef uint32_t i
    for i in range(value.count):
        data[i] = narrowed(value, i)


cdef void give_longs(const Value* value, GLint64* data) noexcept nogil:
    cdef uint32_t i
    for i in range(value.count):
        data[i] = value.integers[i]


cdef void give_floats(const Value* value, GLfloat* data) noexcept nogil:
    cdef uint32_t i
    for i in range(value.count):
        data[i] = <float>value.reals[i]


cdef void give_doubles(const Value* value, GLdouble* data) noexcept nogil:
    cdef uint32_t i
    for i in range(value.count):
        data[i] = value.reals[i]


cdef void give_booleans(const Value* value, GLboolean* data) noexcept nogil:
    cdef uint32_t i
    for i in range(value.count):
        data[i] = value.reals[i] != 0.0


cdef void GetIntegerv(Context* ctx, GLenum pname, GLint* data) noexcept nogil:
    cdef Value value
    if fetch(ctx, pname, &value):
        give_ints(&value, data)


cdef void GetInteger64v(Context* ctx, GLenum pname, GLint64* data) noexcept nogil:
    cdef Value value
    if fetch(ctx, pname, &value):
        give_longs(&value, data)


cdef void GetFloatv(Context* ctx, GLenum pname, GLfloat* data) noexcept nogil:
    cdef Value value
    if fetch(ctx, pname, &value):
        give_floats(&value, data)


cdef void GetDoublev(Context* ctx, GLenum pname, GLdouble* data) noexcept nogil:
    cdef Value value
    if fetch(ctx, pname, &value):
        give_doubles(&value, data)


cdef void GetBooleanv(Context* ctx, GLenum pname, GLboolean* data) noexcept nogil:
    cdef Value value
    if fetch(ctx, pname, &value):
        give_booleans(&value, data)


cdef void GetIntegeri_v(Context* ctx, GLenum target, GLuint index, GLint* data) noexcept nogil:
    cdef Value value
    if fetch_indexed(ctx, target, index, &value):
        give_ints(&value, data)


cdef void GetInteger64i_v(Context* ctx, GLenum target, GLuint index, GLint64* data) noexcept nogil:
    cdef Value value
    if fetch_indexed(ctx, target, index, &value):
        give_longs(&value, data)


cdef void GetBooleani_v(Context* ctx, GLenum target, GLuint index, GLboolean* data) noexcept nogil:
    cdef Value value
    if fetch_indexed(ctx, target, index, &value):
        give_booleans(&value, data)


cdef void GetFloati_v(Context* ctx, GLenum target, GLuint index, GLfloat* data) noexcept nogil:
    cdef Value value
    if fetch_indexed(ctx, target, index, &value):
        give_floats(&value, data)


cdef void GetDoublei_v(Context* ctx, GLenum target, GLuint index, GLdouble* data) noexcept nogil:
    cdef Value value
    if fetch_indexed(ctx, target, index, &value):
        give_doubles(&value, data)


cdef GLboolean IsEnabled(Context* ctx, GLenum cap) noexcept nogil:
    cdef uint32_t* field = capability(ctx, cap)
    if field != NULL:
        return field[0] != 0
    if cap == GL_BLEND:
        return ctx.pipeline.blend[0].enable != 0
    if cap == GL_SCISSOR_TEST:
        return ctx.pipeline.scissor_mask & 1
    if GL_CLIP_DISTANCE0 <= cap < GL_CLIP_DISTANCE0 + 8:
        return ctx.pipeline.clip_distance_mask >> (cap - GL_CLIP_DISTANCE0) & 1
    if cap == GL_DEBUG_OUTPUT or cap == GL_DEBUG_OUTPUT_SYNCHRONOUS:
        return ctx.debug_flags >> (cap == GL_DEBUG_OUTPUT_SYNCHRONOUS) & 1
    set_error(ctx, GL_INVALID_ENUM)
    return GL_FALSE


cdef GLboolean IsEnabledi(Context* ctx, GLenum target, GLuint index) noexcept nogil:
    if target != GL_BLEND and target != GL_SCISSOR_TEST:
        set_error(ctx, GL_INVALID_ENUM)
    elif index >= (8 if target == GL_BLEND else 16):
        set_error(ctx, GL_INVALID_VALUE)
    elif target == GL_BLEND:
        return ctx.pipeline.blend[index].enable != 0
    else:
        return ctx.pipeline.scissor_mask >> index & 1
    return GL_FALSE


# --------------------------------------------------------------------------------------------------------- strings

cdef const GLubyte* GetString(Context* ctx, GLenum name) noexcept nogil:
    cdef const char* text = NULL
    if name == GL_VENDOR: text = b"mgpipe"
    elif name == GL_VERSION:
        snprintf(ctx.version_text, sizeof(ctx.version_text), b"%u.%u (Core Profile) mgpipe %s", ctx.version // 10,
                 ctx.version % 10, PACKAGE_VERSION)
        text = ctx.version_text
    elif name == GL_SHADING_LANGUAGE_VERSION:
        snprintf(ctx.language_text, sizeof(ctx.language_text), b"%u.%u0", ctx.version // 10, ctx.version % 10)
        text = ctx.language_text
    elif name == GL_RENDERER:
        if ctx.renderer[0] == 0:
            snprintf(ctx.renderer, sizeof(ctx.renderer), b"mgpipe on %s", ctx.session.caps.renderer)
        text = ctx.renderer
    else:                               # GL_EXTENSIONS, too: core profile asks by index
        set_error(ctx, GL_INVALID_ENUM)
    return <const GLubyte*>text


cdef const GLubyte* GetStringi(Context* ctx, GLenum name, GLuint index) noexcept nogil:
    cdef const char* text
    cdef uint32_t count
    if name != GL_EXTENSIONS:
        set_error(ctx, GL_INVALID_ENUM)
        return NULL
    text = extension(ctx, index, &count)
    if text == NULL:
        set_error(ctx, GL_INVALID_VALUE)
    return <const GLubyte*>text


# ---------------------------------------------------------------------------------------------------------- errors

cdef inline bint is_lost(Context* ctx) noexcept nogil:
    """A forked child lost nothing: what it inherited was never its own, and its finalisers must not see errors.

    Nor did a process that closed its session, as every process does when it exits."""
    return ctx.session.lost != 0 and ctx.session.lost != LOSS_CLOSED and ctx.session.owner_pid == <uint32_t>getpid()


cdef GLenum GetError(Context* ctx) noexcept nogil:
    cdef GLenum error
    if ctx == NULL:
        return GL_NO_ERROR
    if is_lost(ctx) and not ctx.reset_reported:
        ctx.reset_reported = 1          # each command after that sets the error again, and a loop over glGetError ends
        ctx.error = GL_NO_ERROR
        return GL_CONTEXT_LOST
    error = ctx.error
    ctx.error = GL_NO_ERROR
    return GL_NO_ERROR if error == GL_CONTEXT_LOST and not is_lost(ctx) else error


cdef GLenum GetGraphicsResetStatus(Context* ctx) noexcept nogil:
    return GL_UNKNOWN_CONTEXT_RESET if ctx != NULL and is_lost(ctx) else GL_NO_ERROR
