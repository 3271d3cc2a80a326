# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the driver can do, in the words of catalogue/limits.py.

Limits are asked by the declared table. What formats can do is tried, not looked up: one attachment each.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.string cimport memset, strstr
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport *
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES, driver_has
from mgpipe.backends.espryt.contexts cimport context_forget
from mgpipe.backends.espryt.decoded cimport is_decoded
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.pins cimport pins_work
from mgpipe.backends.espryt.redraw cimport attachable, note_attachable
from mgpipe.backends.espryt.widened cimport widens


cdef void fill_caps(Espryt* es, pipe_Caps* caps) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint32_t i
    memset(caps, 0, sizeof(pipe_Caps))
    caps.dialect = es.driver.dialect
    caps.driver = es.driver.dialect - DIALECT_GL       # numbered in server/applier.pxd
    caps.version_major = es.driver.version // 10
    caps.version_minor = es.driver.version % 10
    caps.glsl_version = 320 if es.driver.dialect == DIALECT_GLES else es.driver.version * 10
    snprintf(caps.vendor, sizeof(caps.vendor), "%s", <const char*>gl.GetString(GL_VENDOR))
    snprintf(caps.renderer, sizeof(caps.renderer), "%s", <const char*>gl.GetString(GL_RENDERER))
    snprintf(caps.version, sizeof(caps.version), "%s", <const char*>gl.GetString(GL_VERSION))
    caps.features = features(es)
    for i in range(PIPE_LIMIT_COUNT):
        fill_limit(es, &pipe_limits[i], <uint8_t*>caps + pipe_limits[i].offset)
    for i in range(1, FORMAT_COUNT):
        fill_format(es, caps, i)
    if es.bound != NULL:
        context_forget(es.bound)        # trying formats bound things
    while gl.GetError() != GL_NO_ERROR:     # a driver may have refused a question: the minimum stands there
        pass


# -- limits

cdef void fill_limit(Espryt* es, const pipe_limit* limit, uint8_t* at) noexcept nogil:
    cdef double values[4]
    cdef uint32_t i
    ask(es, limit, values)
    for i in range(limit.count):
        if limit.beside:
            values[i] = max(values[i] - limit.beside, limit.minimum)
        if limit.source == PIPE_SOURCE_FIXED or (limit.source == PIPE_SOURCE_SMALLER and values[i] > limit.promise):
            values[i] = limit.promise
        if limit.type == PIPE_LIMIT_I64:
            (<int64_t*>at)[i] = <int64_t>values[i]
        elif limit.type == PIPE_LIMIT_F32:
            (<float*>at)[i] = <float>values[i]
        else:
            (<int32_t*>at)[i] = <int32_t>values[i]


cdef void ask(Espryt* es, const pipe_limit* limit, double* values) noexcept nogil:
    """The minimum where the driver does not know the question."""
    cdef GL* gl = gl_of(es)
    cdef GLenum what = limit.gl_enum if es.driver.dialect == DIALECT_GL else limit.gles_enum
    cdef GLint whole[4]
    cdef GLfloat real[4]
    cdef GLint64 long_one[4]
    cdef uint32_t i
    for i in range(limit.count):
        values[i] = limit.minimum
    if what == 0:
        return
    while gl.GetError() != GL_NO_ERROR:
        pass
    if limit.type == PIPE_LIMIT_F32:
        gl.GetFloatv(what, real)
    elif limit.type == PIPE_LIMIT_I64:
        gl.GetInteger64v(what, long_one)
    elif limit.indexed:
        for i in range(limit.count):
            gl.GetIntegeri_v(what, i, &whole[i])
    else:
        gl.GetIntegerv(what, whole)
    if gl.GetError() != GL_NO_ERROR:
        return
    for i in range(limit.count):
        values[i] = (real[i] if limit.type == PIPE_LIMIT_F32 else
                     <double>long_one[i] if limit.type == PIPE_LIMIT_I64 else whole[i])
        # 64-bit answers above what a double holds exactly are waits in nanoseconds: half is as good
        if values[i] > 9.0e18:
            values[i] = 9.0e18


# -- features

cdef uint64_t features(Espryt* es) noexcept nogil:
    """Only what Espryt also implements. A persistent mapping is the client's own memory, on every driver."""
    cdef GL* gl = gl_of(es)
    cdef bint desktop = es.driver.dialect == DIALECT_GL
    cdef uint64_t found = (PIPE_FEATURE_PRIMITIVES_GENERATED | PIPE_FEATURE_BORDER_CLAMP | PIPE_FEATURE_CUBE_MAP_ARRAY
                           | PIPE_FEATURE_GEOMETRY | PIPE_FEATURE_TESSELLATION | PIPE_FEATURE_PERSISTENT_MAP
                           | PIPE_FEATURE_BASE_INSTANCE)
    if gl.DispatchCompute != NULL and gl.BindImageTexture != NULL:
        found |= PIPE_FEATURE_COMPUTE | PIPE_FEATURE_MULTI_DRAW_INDIRECT        # without the driver's, a loop
    if desktop:
        found |= (PIPE_FEATURE_OCCLUSION_COUNT | PIPE_FEATURE_DUAL_SOURCE_BLEND | PIPE_FEATURE_LOGIC_OP
                  | PIPE_FEATURE_POLYGON_MODE | PIPE_FEATURE_DEPTH_CLAMP | PIPE_FEATURE_DOUBLE_PRECISION
                  | PIPE_FEATURE_NORM16 | PIPE_FEATURE_FLOAT_RENDER | PIPE_FEATURE_FLOAT32_FILTER)
    else:
        if gl.PolygonMode != NULL:
            found |= PIPE_FEATURE_POLYGON_MODE
        if driver_has(&es.driver, b"GL_NV_occlusion_query_samples"):
            found |= PIPE_FEATURE_OCCLUSION_COUNT
        if driver_has(&es.driver, b"GL_EXT_depth_clamp"):
            found |= PIPE_FEATURE_DEPTH_CLAMP
        if driver_has(&es.driver, b"GL_EXT_texture_norm16"):
            found |= PIPE_FEATURE_NORM16
        if driver_has(&es.driver, b"GL_EXT_color_buffer_float"):
            found |= PIPE_FEATURE_FLOAT_RENDER
        if driver_has(&es.driver, b"GL_OES_texture_float_linear"):
            found |= PIPE_FEATURE_FLOAT32_FILTER
        if driver_has(&es.driver, b"GL_EXT_blend_func_extended"):
            found |= PIPE_FEATURE_DUAL_SOURCE_BLEND
    if driver_has(&es.driver, b"GL_EXT_texture_filter_anisotropic") or (desktop and es.driver.version >= 46):
        found |= PIPE_FEATURE_ANISOTROPY
    if gl.ClipControl != NULL:
        found |= PIPE_FEATURE_CLIP_CONTROL
    if gl.QueryCounter != NULL:
        found |= PIPE_FEATURE_TIMER_QUERY
    if gl.TextureView != NULL:
        found |= PIPE_FEATURE_TEXTURE_VIEW
    if pins_work(es):
        found |= PIPE_FEATURE_PINNED_MEMORY
        # Where all memory is the processor's. A GPU would read what was uploaded once over its bus for every draw.
        if strstr(<const char*>gl.GetString(GL_RENDERER), b"llvmpipe") != NULL:
            found |= PIPE_FEATURE_PINNED_UPLOADS
    return found


# -- formats

cdef void fill_format(Espryt* es, pipe_Caps* caps, uint32_t i) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef const pipe_FormatInfo* info = &pipe_formats[i]
    cdef bint desktop = es.driver.dialect == DIALECT_GL
    cdef GLenum internal = info.internal if desktop else info.es_internal
    cdef GLenum stored = info.internal if desktop else info.es_render
    cdef uint32_t bits = PIPE_FORMAT_SAMPLE
    if not desktop and info.es_extension != NULL and not driver_has(&es.driver, info.es_extension):
        return
    if info.block_bytes and not is_decoded(es, i) and not stores(gl, info.internal):
        return
    if info.filterable and (desktop or info.kind != FORMAT_KIND_FLOAT or info.bits[0] < 32
                            or driver_has(&es.driver, b"GL_OES_texture_float_linear")):
        bits |= PIPE_FORMAT_FILTER
    note_attachable(es, i, attaches(gl, info, internal))
    if attachable(es, i) or widens(es, i) and attaches(gl, info, stored):
        bits |= PIPE_FORMAT_RENDER
        if info.kind == FORMAT_KIND_UNORM or info.kind == FORMAT_KIND_SNORM or (
                info.kind == FORMAT_KIND_FLOAT and (desktop or info.bits[0] < 32
                                                    or driver_has(&es.driver, b"GL_EXT_float_blend"))):
            bits |= PIPE_FORMAT_BLEND
        caps.sample_counts[i] = sample_counts(gl, stored)
        if caps.sample_counts[i]:
            bits |= PIPE_FORMAT_MULTISAMPLE
    if fits_buffer(info, desktop):
        bits |= PIPE_FORMAT_BUFFER
    if (desktop and gl.BindImageTexture != NULL) or es_image(es, info.internal):
        bits |= PIPE_FORMAT_IMAGE
    caps.formats[i] = bits


cdef uint64_t sample_counts(GL* gl, GLenum stored) noexcept nogil:
    cdef GLint counts[64]
    cdef GLint count = 0, i
    cdef uint64_t found = 0
    gl.GetInternalformativ(GL_RENDERBUFFER, stored, GL_NUM_SAMPLE_COUNTS, 1, &count)
    if gl.GetError() != GL_NO_ERROR or count <= 0:
        return 0
    count = min(count, 64)
    gl.GetInternalformativ(GL_RENDERBUFFER, stored, GL_SAMPLES, count, counts)
    for i in range(count):
        if 1 <= counts[i] <= 64:
            found |= <uint64_t>1 << (counts[i] - 1)
    return found


cdef bint es_image(Espryt* es, GLenum internal) noexcept nogil:
    """What OpenGL ES 3.2 has for images (its table 8.27); an extension brings all of OpenGL's."""
    if es.driver.dialect == DIALECT_GL:
        return False
    return (driver_has(&es.driver, b"GL_NV_image_formats") or internal == GL_RGBA32F or internal == GL_RGBA16F or internal == GL_R32F
            or internal == GL_RGBA32UI or internal == GL_RGBA16UI or internal == GL_RGBA8UI or internal == GL_R32UI
            or internal == GL_RGBA32I or internal == GL_RGBA16I or internal == GL_RGBA8I or internal == GL_R32I
            or internal == GL_RGBA8 or internal == GL_RGBA8_SNORM)


cdef bint stores(GL* gl, GLenum internal) noexcept nogil:
    """Whether the driver has a compressed format. Its extension string does not always say: 4.2 and 4.3 brought some."""
    cdef GLuint texture = 0
    cdef bint stored
    while gl.GetError() != GL_NO_ERROR:
        pass
    gl.GenTextures(1, &texture)
    gl.BindTexture(GL_TEXTURE_2D, texture)
    gl.TexStorage2D(GL_TEXTURE_2D, 1, internal, 4, 4)
    stored = gl.GetError() == GL_NO_ERROR
    gl.DeleteTextures(1, &texture)
    return stored


cdef bint attaches(GL* gl, const pipe_FormatInfo* info, GLenum internal) noexcept nogil:
    cdef GLuint texture = 0, fbo = 0
    cdef bint complete = False
    cdef GLenum point = (GL_COLOR_ATTACHMENT0 if info.color_renderable else
                         GL_DEPTH_STENCIL_ATTACHMENT if info.depth_renderable and info.stencil_renderable else
                         GL_DEPTH_ATTACHMENT if info.depth_renderable else GL_STENCIL_ATTACHMENT)
    if not (info.color_renderable or info.depth_renderable or info.stencil_renderable):
        return False
    while gl.GetError() != GL_NO_ERROR:
        pass
    gl.GenTextures(1, &texture)
    gl.BindTexture(GL_TEXTURE_2D, texture)
    gl.TexStorage2D(GL_TEXTURE_2D, 1, internal, 4, 4)
    if gl.GetError() == GL_NO_ERROR:
        gl.GenFramebuffers(1, &fbo)
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo)
        gl.FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, point, GL_TEXTURE_2D, texture, 0)
        complete = gl.CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0)
        gl.DeleteFramebuffers(1, &fbo)
    gl.DeleteTextures(1, &texture)
    return complete


cdef bint fits_buffer(const pipe_FormatInfo* info, bint desktop) noexcept nogil:
    """The specification's list for buffer textures: one, two or four plain components, or three of 32 bits."""
    cdef uint32_t components = (info.bits[0] != 0) + (info.bits[1] != 0) + (info.bits[2] != 0) + (info.bits[3] != 0)
    if info.srgb or info.block_bytes or info.kind == FORMAT_KIND_NONE or info.kind == FORMAT_KIND_SNORM or info.shared_bits:
        return False
    if info.bits[0] != 8 and info.bits[0] != 16 and info.bits[0] != 32:
        return False
    if info.kind == FORMAT_KIND_UNORM and info.bits[0] == 16 and not desktop:
        return False
    return components == 1 or components == 2 or components == 4 and info.bits[3] == info.bits[0] or (
        components == 3 and info.bits[0] == 32)
