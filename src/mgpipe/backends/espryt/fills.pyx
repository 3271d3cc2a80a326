# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Textures filled with one texel. See fills.pxd.

OpenGL 4.4 has a command for it. Elsewhere rows of that texel are uploaded; textures of several samples, which take no
uploads, are cleared as attachments.
"""

from libc.math cimport powf
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport *
from mgpipe.backends.espryt.contexts cimport context_forget
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport bind_scratch
from mgpipe.backends.espryt.queries cimport hold_condition, release_condition
from mgpipe.backends.espryt.textures cimport edit_texture, texture_write
from mgpipe.backends.espryt.widened cimport wide_layout, widen_texel
from mgpipe.texels.convert cimport Plan, convert_row, make_plan

cdef enum:
    BAND = 1 << 20          # bytes of rows that are uploaded at a time


cdef void texture_fill(Espryt* es, Resource* texture, const pipe_resource_clear* p) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.level_formats[p.level]]
    if texture.level_formats[p.level] == FORMAT_NONE or info.block_bytes or texture.kind == PIPE_RESOURCE_TARGET_TEX_BUFFER:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resource_clear.resource: no texels to clear")
    elif p.pattern_size != 0 and p.pattern_size != info.texel_bytes:
        es.host.fault(es.host.self, PIPE_FAULT_VALUE_OUT_OF_RANGE, b"resource_clear.pattern_size: not one texel")
    elif p.bounds.width == 0 or p.bounds.height == 0 or p.bounds.depth == 0:
        return
    elif gl_of(es).ClearTexSubImage != NULL:
        driver_fills(es, texture, info, p)
    elif not in_level(es, texture, p):
        es.host.fault(es.host.self, PIPE_FAULT_REGION_OUTSIDE, b"resource_clear.bounds")
    elif texture.samples:
        clear_samples(es, texture, info, p)
    else:
        upload_rows(es, texture, info, p)


cdef void driver_fills(Espryt* es, Resource* texture, const pipe_FormatInfo* info, const pipe_resource_clear* p) noexcept nogil:
    cdef uint8_t wide_texel[16]
    cdef const uint8_t* zeros = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    cdef pipe_FormatInfo wide
    cdef const void* texel = p.pattern if p.pattern_size else NULL
    if texture.widened:
        wide = wide_layout(texture.level_formats[p.level])
        widen_texel(texture.level_formats[p.level], <const uint8_t*>p.pattern if p.pattern_size else zeros, wide_texel)
        info = &wide
        texel = wide_texel
    if texture.target == GL_TEXTURE_1D_ARRAY:       # its layers are rows to the driver
        gl_of(es).ClearTexSubImage(texture.name, p.level, p.bounds.x, p.bounds.z, 0, p.bounds.width, p.bounds.depth, 1,
                                   info.upload_format, info.upload_type, texel)
    else:
        gl_of(es).ClearTexSubImage(texture.name, p.level, p.bounds.x, p.bounds.y, p.bounds.z, p.bounds.width,
                                   p.bounds.height, p.bounds.depth, info.upload_format, info.upload_type, texel)


cdef bint in_level(Espryt* es, Resource* texture, const pipe_resource_clear* p) noexcept nogil:
    """Asked of the driver, which alone knows the sizes of a mutable texture's levels."""
    cdef GLenum image = GL_TEXTURE_CUBE_MAP_POSITIVE_X if texture.target == GL_TEXTURE_CUBE_MAP else texture.target
    cdef GLint width = 0, height = 0, depth = 0
    edit_texture(es, texture)
    gl_of(es).GetTexLevelParameteriv(image, p.level, GL_TEXTURE_WIDTH, &width)
    gl_of(es).GetTexLevelParameteriv(image, p.level, GL_TEXTURE_HEIGHT, &height)
    gl_of(es).GetTexLevelParameteriv(image, p.level, GL_TEXTURE_DEPTH, &depth)
    if texture.target == GL_TEXTURE_CUBE_MAP:
        depth = 6
    elif texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_2D_MULTISAMPLE:
        depth = 1
    return (p.bounds.x >= 0 and p.bounds.y >= 0 and p.bounds.z >= 0
            and p.bounds.x + <uint64_t>p.bounds.width <= <uint64_t>width
            and p.bounds.y + <uint64_t>p.bounds.height <= <uint64_t>height
            and p.bounds.z + <uint64_t>p.bounds.depth <= <uint64_t>depth)


# -- by uploads

cdef void upload_rows(Espryt* es, Resource* texture, const pipe_FormatInfo* info, const pipe_resource_clear* p) noexcept nogil:
    cdef uint64_t row = <uint64_t>p.bounds.width * info.texel_bytes, i
    cdef uint32_t rows = <uint32_t>(BAND / row) if row < BAND else 1
    cdef uint32_t y, z
    cdef uint8_t* band
    cdef pipe_SubRegion region
    if rows > p.bounds.height:
        rows = p.bounds.height
    band = <uint8_t*>malloc(row * rows)
    if band == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"resource_clear")
        return
    memset(band, 0, row * rows)
    for i in range(<uint64_t>p.bounds.width * rows if p.pattern_size else 0):
        memcpy(band + i * info.texel_bytes, p.pattern, info.texel_bytes)
    memset(&region, 0, sizeof(region))
    region.box = p.bounds
    region.box.depth = 1
    region.row_stride = <uint32_t>row
    for z in range(p.bounds.depth):
        region.box.z = p.bounds.z + <int32_t>z
        y = 0
        while y < p.bounds.height:
            region.box.y = p.bounds.y + <int32_t>y
            region.box.height = min(rows, p.bounds.height - y)
            texture_write(es, texture, p.level, band, row * rows, &region, 1, False)
            y += rows
    free(band)


# -- by clears

cdef float linear(float value) noexcept nogil:
    """Of a component that an attachment encodes as sRGB (specification 8.24)."""
    return value / <float>12.92 if value <= <float>0.04045 else powf((value + <float>0.055) / <float>1.055, 2.4)


cdef void clear_samples(Espryt* es, Resource* texture, const pipe_FormatInfo* info, const pipe_resource_clear* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef Context* ctx = es.bound
    cdef uint32_t value[4]
    cdef uint32_t z
    if ctx == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_NO_CONTEXT, b"resource_clear")
        return
    color_of(info, p, value)
    hold_condition(es, ctx)
    for z in range(p.bounds.depth):
        bind_scratch(es, ctx, GL_DRAW_FRAMEBUFFER, texture, p.level, <uint32_t>p.bounds.z + z)
        gl.Enable(GL_SCISSOR_TEST)
        gl.Scissor(p.bounds.x, p.bounds.y, p.bounds.width, p.bounds.height)
        gl.Disable(GL_RASTERIZER_DISCARD)
        gl.ColorMask(1, 1, 1, 1)
        gl.DepthMask(1)
        gl.StencilMask(0xFF)
        if info.bits[4] and info.bits[5]:
            gl.ClearBufferfi(GL_DEPTH_STENCIL, 0, (<float*>value)[0], <GLint>value[1])
        elif info.bits[4]:
            gl.ClearBufferfv(GL_DEPTH, 0, <float*>value)
        elif info.bits[5]:
            gl.ClearBufferiv(GL_STENCIL, 0, <GLint*>value)
        elif info.kind == FORMAT_KIND_INT:
            gl.ClearBufferiv(GL_COLOR, 0, <GLint*>value)
        elif info.kind == FORMAT_KIND_UINT:
            gl.ClearBufferuiv(GL_COLOR, 0, value)
        else:
            gl.ClearBufferfv(GL_COLOR, 0, <float*>value)
    release_condition(es, ctx)
    context_forget(ctx)


cdef void color_of(const pipe_FormatInfo* info, const pipe_resource_clear* p, uint32_t* value) noexcept nogil:
    """The canonical texel as what glClearBuffer takes: four components, or depth and stencil."""
    cdef const pipe_ReadLayout* wanted = &pipe_read_layouts[info.read_layout]
    cdef const uint8_t* texel = <const uint8_t*>p.pattern
    cdef uint8_t zeros[16]
    cdef Plan plan
    cdef uint32_t i
    memset(value, 0, 16)
    memset(zeros, 0, 16)
    if p.pattern_size == 0:
        texel = zeros
    if info.bits[4] and info.bits[5]:
        wanted = &pipe_read_layouts[PIPE_READ_LAYOUT_DEPTH32F_STENCIL8]
    elif info.bits[5]:
        value[0] = texel[0]
        return
    elif info.bits[4] == 0 and info.kind != FORMAT_KIND_INT and info.kind != FORMAT_KIND_UINT:
        wanted = &pipe_read_layouts[PIPE_READ_LAYOUT_RGBA32F]
    make_plan(&plan, info.pixel_format, info.pixel_type, wanted.pixel_format, wanted.pixel_type, False)
    plan.from_depth24 = info.bits[4] == 24 and info.bits[5] == 0
    convert_row(&plan, texel, <uint8_t*>value, 1)
    if info.bits[4] and info.bits[5]:
        value[1] &= 0xFF
    for i in range(3 if info.srgb else 0):
        (<float*>value)[i] = linear((<float*>value)[i])
