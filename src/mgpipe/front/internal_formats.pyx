# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What internal formats can do here (specification 22.3): the format table, and what the driver said of each format.

An answer of a format that its target cannot have is 0, GL_NONE or GL_FALSE. Support is full or none: what the server makes
up for is not told apart.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint64_t

from glenum cimport *
from pipe cimport (PIPE_FEATURE_COMPUTE, PIPE_FEATURE_TESSELLATION, PIPE_FEATURE_TEXTURE_VIEW, PIPE_FORMAT_BLEND, PIPE_FORMAT_BUFFER,
                   PIPE_FORMAT_FILTER, PIPE_FORMAT_IMAGE, PIPE_FORMAT_MULTISAMPLE, PIPE_FORMAT_RENDER, PIPE_FORMAT_SAMPLE)
from pipe_formats cimport (FORMAT_KIND_INT, FORMAT_KIND_UINT, FORMAT_NONE, pipe_FormatInfo, pipe_format_of, pipe_formats)
from mgpipe.front.context cimport Context, GLenum, GLint, GLint64, GLsizei, set_error
from mgpipe.front.formats cimport BLOCK
from mgpipe.front.images cimport is_image_format
from mgpipe.front.reads cimport component_type
from mgpipe.front.teximages cimport most_samples

cdef enum:
    MOST_SAMPLES = 64

# What a target is like, as bits.
cdef enum:
    HAS_HEIGHT = 1
    HAS_DEPTH = 2
    HAS_LAYERS = 4
    IS_TEXTURE = 8
    IS_CUBE = 16
    HAS_SAMPLES = 32
    HAS_LEVELS = 64
    IS_BUFFER = 128
    GATHERS = 256
    COMPARES = 512

cdef struct Question:
    Context* ctx
    GLenum target
    uint32_t shape                  # of the target
    uint32_t format                 # position in pipe_formats[]
    const pipe_FormatInfo* info
    uint32_t can                    # PIPE_FORMAT_* of the driver
    bint supported


cdef uint32_t shape_of(GLenum target) noexcept nogil:
    """0: no target of this command."""
    if target == GL_TEXTURE_1D: return IS_TEXTURE | HAS_LEVELS | COMPARES
    if target == GL_TEXTURE_1D_ARRAY: return IS_TEXTURE | HAS_LEVELS | HAS_LAYERS | COMPARES
    if target == GL_TEXTURE_2D: return IS_TEXTURE | HAS_LEVELS | HAS_HEIGHT | GATHERS | COMPARES
    if target == GL_TEXTURE_2D_ARRAY: return IS_TEXTURE | HAS_LEVELS | HAS_HEIGHT | HAS_LAYERS | GATHERS | COMPARES
    if target == GL_TEXTURE_3D: return IS_TEXTURE | HAS_LEVELS | HAS_HEIGHT | HAS_DEPTH
    if target == GL_TEXTURE_CUBE_MAP: return IS_TEXTURE | HAS_LEVELS | HAS_HEIGHT | IS_CUBE | GATHERS | COMPARES
    if target == GL_TEXTURE_CUBE_MAP_ARRAY: return IS_TEXTURE | HAS_LEVELS | HAS_HEIGHT | HAS_LAYERS | IS_CUBE | GATHERS | COMPARES
    if target == GL_TEXTURE_RECTANGLE: return IS_TEXTURE | HAS_HEIGHT | GATHERS | COMPARES
    if target == GL_TEXTURE_BUFFER: return IS_TEXTURE | IS_BUFFER
    if target == GL_TEXTURE_2D_MULTISAMPLE: return IS_TEXTURE | HAS_HEIGHT | HAS_SAMPLES
    if target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY: return IS_TEXTURE | HAS_HEIGHT | HAS_LAYERS | HAS_SAMPLES
    return HAS_HEIGHT | HAS_SAMPLES if target == GL_RENDERBUFFER else 0


cdef bint is_bptc(GLenum internal) noexcept nogil:
    """The only blocks that slices of three dimensions may have."""
    return GL_COMPRESSED_RGBA_BPTC_UNORM <= internal <= GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT


cdef bint is_supported(const Question* q) noexcept nogil:
    cdef bint flat = not q.shape & (HAS_HEIGHT | IS_BUFFER)
    if q.format == FORMAT_NONE or not q.can:
        return False
    if q.shape & IS_BUFFER:
        return q.can & PIPE_FORMAT_BUFFER
    if q.shape & HAS_SAMPLES:
        return q.can & PIPE_FORMAT_RENDER
    if q.info.block_bytes:
        return not flat and q.target != GL_TEXTURE_RECTANGLE and (not q.shape & HAS_DEPTH or is_bptc(q.info.internal))
    if q.shape & HAS_DEPTH and (q.info.bits[4] or q.info.bits[5]):
        return False
    return q.can & PIPE_FORMAT_SAMPLE


# -------------------------------------------------------------------------------------------------------- the parts

cdef uint32_t sample_counts(const Question* q, int64_t* values) noexcept nogil:
    """Those that a target may have, the most first."""
    cdef uint64_t counts = q.ctx.session.caps.sample_counts[q.format]
    cdef uint32_t found = 0, samples = MOST_SAMPLES
    cdef int32_t most = q.ctx.session.caps.max_samples
    if not q.shape & HAS_SAMPLES:
        return 0
    if q.shape & IS_TEXTURE:
        most = most_samples(q.ctx, q.format)
    while samples:
        if counts >> (samples - 1) & 1 and samples <= <uint32_t>most:
            values[found] = samples
            found += 1
        samples -= 1
    return found


cdef int64_t extent(const Question* q, uint32_t which) noexcept nogil:
    """The largest width, height, depth or number of layers (HAS_…; 0: width); 0 of what the target has not. The layers of an
    array are its last dimension, too."""
    cdef int64_t size = q.ctx.session.caps.max_texture_size
    if q.shape & HAS_LAYERS and which == (HAS_DEPTH if q.shape & HAS_HEIGHT else HAS_HEIGHT):
        which = HAS_LAYERS
    if which and not q.shape & which:
        return 0
    if which == HAS_LAYERS: return q.ctx.session.caps.max_array_texture_layers
    if q.target == GL_RENDERBUFFER: size = q.ctx.session.caps.max_renderbuffer_size
    elif q.shape & IS_BUFFER: size = q.ctx.session.caps.max_texture_buffer_size
    elif q.shape & HAS_DEPTH: size = q.ctx.session.caps.max_3d_texture_size
    elif q.shape & IS_CUBE: size = q.ctx.session.caps.max_cube_map_texture_size
    elif q.target == GL_TEXTURE_RECTANGLE: size = q.ctx.session.caps.max_rectangle_texture_size
    return size


cdef int64_t combined_extent(const Question* q) noexcept nogil:
    """The product of them all, of a cube's faces and of a texture's samples: where tables end, not what fits into memory."""
    cdef int64_t values[MOST_SAMPLES]
    cdef int64_t product = extent(q, 0) * max(<int64_t>1, extent(q, HAS_HEIGHT)) * max(<int64_t>1, extent(q, HAS_DEPTH))
    if q.shape & IS_CUBE:
        product *= 6
    if q.shape & IS_TEXTURE and sample_counts(q, values):
        product *= values[0]
    return product


cdef int64_t component_size(const Question* q, uint32_t component) noexcept nogil:
    return q.info.bits[component]


cdef int64_t component_kind(const Question* q, uint32_t component) noexcept nogil:
    if not q.info.bits[component]:
        return GL_NONE
    if component == 5:
        return GL_UNSIGNED_INT
    return component_type(q.info.depth_kind if component == 4 else q.info.kind)


cdef inline bint has_color(const Question* q) noexcept nogil:
    return (q.info.bits[0] | q.info.bits[1] | q.info.bits[2] | q.info.bits[3]) != 0


cdef inline int64_t full(bint supported) noexcept nogil:
    return GL_FULL_SUPPORT if supported else GL_NONE


cdef bint renders(const Question* q) noexcept nogil:
    return q.can & PIPE_FORMAT_RENDER and not q.shape & IS_BUFFER and not q.info.block_bytes


cdef bint integers(const Question* q) noexcept nogil:
    return q.info.kind == FORMAT_KIND_INT or q.info.kind == FORMAT_KIND_UINT


cdef bint is_image(const Question* q) noexcept nogil:
    return (q.shape & IS_TEXTURE and q.can & PIPE_FORMAT_IMAGE and is_image_format(q.info.internal)
            and (not q.shape & HAS_SAMPLES or q.ctx.session.caps.max_image_samples > 0))


cdef bint makes_mipmaps(const Question* q) noexcept nogil:
    return q.shape & HAS_LEVELS and q.can & PIPE_FORMAT_FILTER and not integers(q) and not q.info.bits[5] and (not q.info.block_bytes or q.info.encodes)


cdef int64_t image_class(const Question* q) noexcept nogil:
    """Table 8.27, by the components: how many, and of how many bits."""
    cdef GLenum internal = q.info.internal
    cdef uint32_t bits = q.info.bits[0], count = (q.info.bits[0] != 0) + (q.info.bits[1] != 0) + (q.info.bits[2] != 0) + (q.info.bits[3] != 0)
    if internal == GL_R11F_G11F_B10F: return GL_IMAGE_CLASS_11_11_10
    if internal == GL_RGB10_A2 or internal == GL_RGB10_A2UI: return GL_IMAGE_CLASS_10_10_10_2
    if count == 4: return GL_IMAGE_CLASS_4_X_32 if bits == 32 else GL_IMAGE_CLASS_4_X_16 if bits == 16 else GL_IMAGE_CLASS_4_X_8
    if count == 2: return GL_IMAGE_CLASS_2_X_32 if bits == 32 else GL_IMAGE_CLASS_2_X_16 if bits == 16 else GL_IMAGE_CLASS_2_X_8
    return GL_IMAGE_CLASS_1_X_32 if bits == 32 else GL_IMAGE_CLASS_1_X_16 if bits == 16 else GL_IMAGE_CLASS_1_X_8


# ------------------------------------------------------------------------------------------------------ the answers

cdef bint known(GLenum pname) noexcept nogil:
    return (GL_INTERNALFORMAT_SUPPORTED <= pname <= GL_VIEW_COMPATIBILITY_CLASS or pname == GL_SAMPLES
            or pname == GL_NUM_SAMPLE_COUNTS or pname == GL_IMAGE_FORMAT_COMPATIBILITY_TYPE or pname == GL_TEXTURE_COMPRESSED)


cdef int64_t of_texels(const Question* q, GLenum pname) noexcept nogil:
    """What a texel is like."""
    if pname == GL_INTERNALFORMAT_SUPPORTED: return GL_TRUE
    if pname == GL_INTERNALFORMAT_PREFERRED: return q.info.internal
    if GL_INTERNALFORMAT_RED_SIZE <= pname <= GL_INTERNALFORMAT_STENCIL_SIZE:
        return component_size(q, pname - GL_INTERNALFORMAT_RED_SIZE)
    if pname == GL_INTERNALFORMAT_SHARED_SIZE: return q.info.shared_bits
    if GL_INTERNALFORMAT_RED_TYPE <= pname <= GL_INTERNALFORMAT_STENCIL_TYPE:
        return component_kind(q, pname - GL_INTERNALFORMAT_RED_TYPE)
    if pname == GL_COLOR_COMPONENTS: return has_color(q)
    if pname == GL_DEPTH_COMPONENTS: return q.info.bits[4] != 0
    if pname == GL_STENCIL_COMPONENTS: return q.info.bits[5] != 0
    if pname == GL_COLOR_ENCODING: return GL_NONE if not has_color(q) else GL_SRGB if q.info.srgb else GL_LINEAR
    if pname == GL_TEXTURE_COMPRESSED: return q.info.block_bytes != 0
    if pname == GL_TEXTURE_COMPRESSED_BLOCK_WIDTH or pname == GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT:
        return BLOCK if q.info.block_bytes else 0
    return q.info.block_bytes                   # GL_TEXTURE_COMPRESSED_BLOCK_SIZE


cdef int64_t of_framebuffers(const Question* q, GLenum pname) noexcept nogil:
    cdef bint rendered = renders(q)
    if pname == GL_COLOR_RENDERABLE: return rendered and q.info.color_renderable
    if pname == GL_DEPTH_RENDERABLE: return rendered and q.info.depth_renderable
    if pname == GL_STENCIL_RENDERABLE: return rendered and q.info.stencil_renderable
    if pname == GL_FRAMEBUFFER_RENDERABLE: return full(rendered)
    if pname == GL_FRAMEBUFFER_RENDERABLE_LAYERED: return full(rendered and q.shape & (HAS_LAYERS | HAS_DEPTH | IS_CUBE))
    if pname == GL_FRAMEBUFFER_BLEND: return full(rendered and q.info.color_renderable and q.can & PIPE_FORMAT_BLEND)
    if pname == GL_SRGB_WRITE: return full(rendered and q.info.srgb)
    if pname == GL_READ_PIXELS: return full(rendered)
    if pname == GL_READ_PIXELS_FORMAT: return q.info.upload_format if rendered else GL_NONE
    return q.info.upload_type if rendered else GL_NONE     # GL_READ_PIXELS_TYPE


cdef int64_t of_textures(const Question* q, GLenum pname) noexcept nogil:
    cdef bint texture = q.shape & IS_TEXTURE, transfers = texture and not q.shape & (HAS_SAMPLES | IS_BUFFER)
    cdef bint depth = q.info.bits[4] != 0
    cdef uint64_t features = q.ctx.session.caps.features
    if pname == GL_TEXTURE_IMAGE_FORMAT or pname == GL_GET_TEXTURE_IMAGE_FORMAT: return q.info.upload_format if transfers else GL_NONE
    if pname == GL_TEXTURE_IMAGE_TYPE or pname == GL_GET_TEXTURE_IMAGE_TYPE: return q.info.upload_type if transfers else GL_NONE
    if pname == GL_MIPMAP: return (q.shape & HAS_LEVELS) != 0
    if pname == GL_MANUAL_GENERATE_MIPMAP: return full(makes_mipmaps(q))
    if pname == GL_SRGB_READ: return full(texture and q.info.srgb)
    if pname == GL_FILTER: return full(transfers and q.can & PIPE_FORMAT_FILTER and not integers(q))
    if pname == GL_VERTEX_TEXTURE or pname == GL_GEOMETRY_TEXTURE or pname == GL_FRAGMENT_TEXTURE: return full(texture)
    if pname == GL_TESS_CONTROL_TEXTURE or pname == GL_TESS_EVALUATION_TEXTURE:
        return full(texture and features & PIPE_FEATURE_TESSELLATION)
    if pname == GL_COMPUTE_TEXTURE: return full(texture and features & PIPE_FEATURE_COMPUTE)
    if pname == GL_TEXTURE_SHADOW: return full(q.shape & COMPARES and depth)
    if pname == GL_TEXTURE_GATHER: return full(q.shape & GATHERS)
    if pname == GL_TEXTURE_GATHER_SHADOW: return full(q.shape & GATHERS and depth)
    if pname == GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_TEST: return full(texture and renders(q) and depth)
    if pname == GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_TEST: return full(texture and renders(q) and q.info.bits[5])
    if pname == GL_CLEAR_BUFFER: return full(q.shape & IS_BUFFER)
    if pname == GL_CLEAR_TEXTURE: return full(texture and not q.shape & IS_BUFFER and not q.info.block_bytes)
    if pname == GL_TEXTURE_VIEW: return full(texture and not q.shape & IS_BUFFER and features & PIPE_FEATURE_TEXTURE_VIEW)
    if pname == GL_VIEW_COMPATIBILITY_CLASS: return q.info.view_class if texture and not q.shape & IS_BUFFER else GL_NONE
    return GL_NONE          # GL_AUTO_GENERATE_MIPMAP is not of core, a simultaneous write is not defined


cdef int64_t of_images(const Question* q, GLenum pname) noexcept nogil:
    cdef bint image = is_image(q)
    if pname == GL_SHADER_IMAGE_LOAD or pname == GL_SHADER_IMAGE_STORE: return full(image)
    if pname == GL_SHADER_IMAGE_ATOMIC: return full(image and (q.info.internal == GL_R32I or q.info.internal == GL_R32UI))
    if not image: return 0
    if pname == GL_IMAGE_TEXEL_SIZE: return q.info.texel_bytes * 8
    if pname == GL_IMAGE_COMPATIBILITY_CLASS: return image_class(q)
    if pname == GL_IMAGE_PIXEL_FORMAT: return q.info.upload_format
    if pname == GL_IMAGE_PIXEL_TYPE: return q.info.upload_type
    return GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE


cdef uint32_t answer(const Question* q, GLenum pname, int64_t* values) noexcept nogil:
    """How many values; of GL_SAMPLES there may be none."""
    if pname == GL_SAMPLES:
        return sample_counts(q, values) if q.supported else 0
    values[0] = 0
    if not q.supported:
        return 1
    if pname == GL_NUM_SAMPLE_COUNTS: values[0] = sample_counts(q, values)
    elif pname == GL_MAX_WIDTH: values[0] = extent(q, 0)
    elif pname == GL_MAX_HEIGHT: values[0] = extent(q, HAS_HEIGHT)
    elif pname == GL_MAX_DEPTH: values[0] = extent(q, HAS_DEPTH)
    elif pname == GL_MAX_LAYERS: values[0] = extent(q, HAS_LAYERS)
    elif pname == GL_MAX_COMBINED_DIMENSIONS: values[0] = combined_extent(q)
    elif (GL_INTERNALFORMAT_SUPPORTED <= pname <= GL_INTERNALFORMAT_STENCIL_TYPE or pname == GL_TEXTURE_COMPRESSED
          or pname == GL_COLOR_COMPONENTS or pname == GL_DEPTH_COMPONENTS or pname == GL_STENCIL_COMPONENTS
          or pname == GL_COLOR_ENCODING or pname == GL_TEXTURE_COMPRESSED_BLOCK_WIDTH
          or pname == GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT or pname == GL_TEXTURE_COMPRESSED_BLOCK_SIZE):
        values[0] = of_texels(q, pname)
    elif GL_COLOR_RENDERABLE <= pname <= GL_READ_PIXELS_TYPE or pname == GL_SRGB_WRITE:
        values[0] = of_framebuffers(q, pname)
    elif (GL_SHADER_IMAGE_LOAD <= pname <= GL_IMAGE_PIXEL_TYPE or pname == GL_IMAGE_FORMAT_COMPATIBILITY_TYPE):
        values[0] = of_images(q, pname)
    else:
        values[0] = of_textures(q, pname)
    return 1


cdef uint32_t ask(Context* ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count, int64_t* values) noexcept nogil:
    cdef Question q
    q.ctx = ctx
    q.target = target
    q.shape = shape_of(target)
    if q.shape == 0 or not known(pname):
        set_error(ctx, GL_INVALID_ENUM)
        return 0
    if count < 0:
        set_error(ctx, GL_INVALID_VALUE)
        return 0
    q.format = pipe_format_of(internalformat)
    q.info = &pipe_formats[q.format]
    q.can = ctx.session.caps.formats[q.format]
    q.supported = is_supported(&q)
    return min(answer(&q, pname, values), <uint32_t>count)


cdef void GetInternalformativ(Context* ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                              GLint* params) noexcept nogil:
    """A number of 64 bits that does not fit is the largest that does, but for GL_MAX_COMBINED_DIMENSIONS: two words."""
    cdef int64_t values[MOST_SAMPLES]
    cdef uint32_t i, n = ask(ctx, target, internalformat, pname, count, values)
    for i in range(n):
        params[i] = <GLint>min(values[i], <int64_t>INT32_MAX)
    if pname == GL_MAX_COMBINED_DIMENSIONS and n and count > 1:
        params[0] = <GLint><uint32_t>values[0]
        params[1] = <GLint>(<uint64_t>values[0] >> 32)


cdef void GetInternalformati64v(Context* ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                                GLint64* params) noexcept nogil:
    cdef int64_t values[MOST_SAMPLES]
    cdef uint32_t i, n = ask(ctx, target, internalformat, pname, count, values)
    for i in range(n):
        params[i] = values[i]
