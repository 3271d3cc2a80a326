# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Textures and renderbuffers: storage, texels, parameters, copies.

In records z and depth are always the slice, layer or face; x and y always lie in the image. OpenGL ES has no 1D
textures: there they are 2D ones of height 1, as SPIRV-Cross makes the shaders believe.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free
from driver_gl cimport *
from pipe cimport *
from pipe_formats cimport FORMAT_NONE, pipe_FormatInfo, pipe_formats
from mgpipe.backends.driver cimport DIALECT_GL, DIALECT_GLES
from mgpipe.backends.espryt.decoded cimport decode_region, is_decoded
from mgpipe.backends.espryt.espryt cimport *
from mgpipe.backends.espryt.framebuffers cimport bind_read
from mgpipe.backends.espryt.images cimport filter_nearest, rename_texture
from mgpipe.backends.espryt.widened cimport has_wide_form, wide_layout, wide_swizzle, widen, widen_texels, widens

cdef enum:
    BLOCK = 4               # texels of a compressed block's edge
    LARGEST = 1 << 20       # texels of an edge and bytes of a stride that are believed: keeps products inside 64 bits


cdef GLenum driver_target(Espryt* es, uint32_t kind) noexcept nogil:
    cdef bint gl = es.driver.dialect == DIALECT_GL
    if kind == PIPE_RESOURCE_TARGET_BUFFER: return GL_COPY_WRITE_BUFFER
    if kind == PIPE_RESOURCE_TARGET_TEX1D: return GL_TEXTURE_1D if gl else GL_TEXTURE_2D
    if kind == PIPE_RESOURCE_TARGET_TEX2D: return GL_TEXTURE_2D
    if kind == PIPE_RESOURCE_TARGET_TEX3D: return GL_TEXTURE_3D
    if kind == PIPE_RESOURCE_TARGET_TEX1D_ARRAY: return GL_TEXTURE_1D_ARRAY if gl else GL_TEXTURE_2D_ARRAY
    if kind == PIPE_RESOURCE_TARGET_TEX2D_ARRAY: return GL_TEXTURE_2D_ARRAY
    if kind == PIPE_RESOURCE_TARGET_TEX_CUBE: return GL_TEXTURE_CUBE_MAP
    if kind == PIPE_RESOURCE_TARGET_TEX_CUBE_ARRAY: return GL_TEXTURE_CUBE_MAP_ARRAY
    if kind == PIPE_RESOURCE_TARGET_TEX2D_MS: return GL_TEXTURE_2D_MULTISAMPLE
    if kind == PIPE_RESOURCE_TARGET_TEX2D_MS_ARRAY: return GL_TEXTURE_2D_MULTISAMPLE_ARRAY
    if kind == PIPE_RESOURCE_TARGET_RENDERBUFFER: return GL_RENDERBUFFER
    if kind == PIPE_RESOURCE_TARGET_TEX_BUFFER: return GL_TEXTURE_BUFFER
    return GL_TEXTURE_RECTANGLE if gl else GL_TEXTURE_2D        # as spirv_planar.cpp makes the shaders believe


cdef GLenum internal_format(Espryt* es, Resource* texture) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.format]
    if es.driver.dialect == DIALECT_GL:
        return info.internal
    return info.es_render if texture.widened or texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER else info.es_internal


cdef void edit_texture(Espryt* es, Resource* texture) noexcept nogil:
    if es.bound == NULL or es.bound.active_unit != es.scratch_unit:
        gl_of(es).ActiveTexture(GL_TEXTURE0 + es.scratch_unit)
        if es.bound != NULL:
            es.bound.active_unit = es.scratch_unit
    gl_of(es).BindTexture(texture.target, texture.name)


# -- storage

cdef void texture_storage(Espryt* es, Resource* texture, const pipe_resource_respecify* p, Resource* view_of,
                          Resource* buffer) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef uint32_t format = format_number(p.format)
    cdef uint32_t i
    cdef char what[64]
    if format == FORMAT_NONE:
        snprintf(what, sizeof(what), "format number %u", p.format)
        es.host.unimplemented(es.host.self, b"resource_respecify", what)
        return
    for i in range(LEVELS if p.immutable else 0):
        texture.level_formats[i] = <uint8_t>format
    texture.level_formats[p.level] = <uint8_t>format
    if p.level == 0 or view_of != NULL:
        texture.format = format
        texture.width = p.width
        texture.height = p.height
        texture.depth = p.depth
        texture.samples = p.samples
        if not texture.converted:
            texture.levels = p.levels
            texture.immutable = p.immutable
    if texture.kind == PIPE_RESOURCE_TARGET_RENDERBUFFER:
        gl.BindRenderbuffer(GL_RENDERBUFFER, texture.name)
        gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, p.samples, internal_format(es, texture), p.width, p.height)
    elif texture.kind == PIPE_RESOURCE_TARGET_TEX_BUFFER:
        edit_texture(es, texture)
        if buffer != NULL:
            gpu_writes_to(es, buffer)       # a shader may store to it as an image
        if buffer == NULL:
            gl.TexBuffer(GL_TEXTURE_BUFFER, internal_format(es, texture), 0)
        elif p.offset == 0 and p.size >= buffer.size:
            gl.TexBuffer(GL_TEXTURE_BUFFER, internal_format(es, texture), buffer.name)
        else:
            gl.TexBufferRange(GL_TEXTURE_BUFFER, internal_format(es, texture), buffer.name, p.offset, p.size)
    elif view_of != NULL:
        show_view(es, texture, p, view_of)
    elif p.samples:
        multisampled(es, texture, p)
    elif p.immutable:
        immutable(es, texture, p)
        filter_nearest(es, texture)
    else:
        mutable_level(es, texture, &pipe_formats[format], p)
        if p.level == 0:
            filter_nearest(es, texture)


cdef void show_view(Espryt* es, Resource* texture, const pipe_resource_respecify* p, Resource* view_of) noexcept nogil:
    """The driver checks the rest: what it refuses is a texture without storage."""
    cdef bint cube = texture.kind == PIPE_RESOURCE_TARGET_TEX_CUBE
    if not view_of.immutable or view_of.group != texture.group or p.levels == 0:
        es.host.fault(es.host.self, PIPE_FAULT_WRONG_OBJECT, b"resource_respecify.view_of: nothing to make this view of")
        return
    if gl_of(es).TextureView == NULL:
        es.host.unimplemented(es.host.self, b"resource_respecify", b"texture views, on a driver without them")
        return
    if widens(es, texture.format) and widens(es, view_of.format):       # now, or never
        widen(es, view_of, b"resource_respecify")
    texture.widened = view_of.widened
    texture.immutable = texture.shared = view_of.shared = 1
    gl_of(es).TextureView(texture.name, texture.target, view_of.name, internal_format(es, texture), p.level, p.levels,
                          p.first_layer, 6 if cube else 1 if texture.kind == PIPE_RESOURCE_TARGET_TEX3D else p.depth)
    edit_texture(es, texture)
    if not p.samples:
        filter_nearest(es, texture)


cdef void multisampled(Espryt* es, Resource* texture, const pipe_resource_respecify* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum internal
    texture.widened = widens(es, texture.format)        # what has several samples is drawn to
    internal = internal_format(es, texture)
    edit_texture(es, texture)
    if texture.kind == PIPE_RESOURCE_TARGET_TEX2D_MS:
        if p.immutable or es.driver.dialect == DIALECT_GLES:
            gl.TexStorage2DMultisample(texture.target, p.samples, internal, p.width, p.height, p.fixed_samples)
        else:
            gl.TexImage2DMultisample(texture.target, p.samples, internal, p.width, p.height, p.fixed_samples)
    elif p.immutable or es.driver.dialect == DIALECT_GLES:
        gl.TexStorage3DMultisample(texture.target, p.samples, internal, p.width, p.height, p.depth, p.fixed_samples)
    else:
        gl.TexImage3DMultisample(texture.target, p.samples, internal, p.width, p.height, p.depth, p.fixed_samples)


cdef void immutable(Espryt* es, Resource* texture, const pipe_resource_respecify* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum internal = internal_format(es, texture)
    edit_texture(es, texture)
    if texture.target == GL_TEXTURE_1D:
        gl.TexStorage1D(texture.target, p.levels, internal, p.width)
    elif texture.target == GL_TEXTURE_1D_ARRAY:
        gl.TexStorage2D(texture.target, p.levels, internal, p.width, p.depth)
    elif (texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_CUBE_MAP
          or texture.target == GL_TEXTURE_RECTANGLE):
        gl.TexStorage2D(texture.target, p.levels, internal, p.width, p.height)
    else:
        gl.TexStorage3D(texture.target, p.levels, internal, p.width, p.height, p.depth)


cdef bint forget_immutable(Espryt* es, Resource* texture, const pipe_resource_respecify* p) noexcept nogil:
    """A mutable texture that an image unit made immutable is defined anew. False: its storage can stay, the size is the
    same. Else it gets a new object, as if only this level had ever been defined."""
    cdef GL* gl = gl_of(es)
    cdef GLenum image = GL_TEXTURE_CUBE_MAP_POSITIVE_X if texture.target == GL_TEXTURE_CUBE_MAP else texture.target
    cdef bint flat = texture.target == GL_TEXTURE_CUBE_MAP or texture.target == GL_TEXTURE_2D
    cdef GLint width = 0, height = 0, depth = 0, internal = 0
    cdef GLuint name = 0
    edit_texture(es, texture)
    if p.level < texture.levels:
        gl.GetTexLevelParameteriv(image, p.level, GL_TEXTURE_WIDTH, &width)
        gl.GetTexLevelParameteriv(image, p.level, GL_TEXTURE_HEIGHT, &height)
        gl.GetTexLevelParameteriv(image, p.level, GL_TEXTURE_DEPTH, &depth)
        gl.GetTexLevelParameteriv(image, p.level, GL_TEXTURE_INTERNAL_FORMAT, &internal)
        if (<uint32_t>width == p.width and <uint32_t>height == p.height and (flat or <uint32_t>depth == p.depth)
                and <GLenum>internal == pipe_formats[format_number(p.format)].es_internal):
            return False
    if p.level:
        es.host.unimplemented(es.host.self, b"resource_respecify",
                              b"another size of one level of a texture that was bound as an image, on OpenGL ES")
        return False
    gl.GenTextures(1, &name)
    texture.converted = texture.immutable = 0
    rename_texture(es, texture, name)
    return True


cdef void mutable_level(Espryt* es, Resource* texture, const pipe_FormatInfo* info, const pipe_resource_respecify* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum internal = info.internal if es.driver.dialect == DIALECT_GL else info.es_internal
    cdef GLenum format = info.upload_format
    cdef GLenum kind = info.upload_type
    if texture.widened and info.es_render == info.es_internal:
        texture.widened = 0                 # another format than it was widened for
    elif texture.widened:
        internal = info.es_render
        format = wide_layout(format_number(p.format)).upload_format
    if texture.converted and not forget_immutable(es, texture, p):
        return
    if info.block_bytes and not is_decoded(es, format_number(p.format)):
        compressed_level(es, texture, info, p)
        return
    edit_texture(es, texture)
    if texture.target == GL_TEXTURE_1D:
        gl.TexImage1D(texture.target, p.level, internal, p.width, 0, format, kind, NULL)
    elif texture.target == GL_TEXTURE_1D_ARRAY:
        gl.TexImage2D(texture.target, p.level, internal, p.width, p.depth, 0, format, kind, NULL)
    elif texture.target == GL_TEXTURE_CUBE_MAP:
        gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + p.upload_target % 6, p.level, internal, p.width, p.height, 0,
                      format, kind, NULL)
    elif texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_RECTANGLE:
        gl.TexImage2D(texture.target, p.level, internal, p.width, p.height, 0, format, kind, NULL)
    else:
        gl.TexImage3D(texture.target, p.level, internal, p.width, p.height, p.depth, 0, format, kind, NULL)


cdef void texture_params(Espryt* es, Resource* texture, const pipe_set_texture_params* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef GLenum target = texture.target
    if target == GL_COPY_WRITE_BUFFER or target == GL_RENDERBUFFER or target == GL_TEXTURE_BUFFER:
        return
    edit_texture(es, texture)
    if (target != GL_TEXTURE_2D_MULTISAMPLE and target != GL_TEXTURE_2D_MULTISAMPLE_ARRAY
            and target != GL_TEXTURE_RECTANGLE):
        gl.TexParameteri(target, GL_TEXTURE_BASE_LEVEL, p.base_level)
        gl.TexParameteri(target, GL_TEXTURE_MAX_LEVEL, p.max_level)
    gl.TexParameteri(target, GL_TEXTURE_SWIZZLE_R, wide_swizzle(texture, p.swizzle[0]))
    gl.TexParameteri(target, GL_TEXTURE_SWIZZLE_G, wide_swizzle(texture, p.swizzle[1]))
    gl.TexParameteri(target, GL_TEXTURE_SWIZZLE_B, wide_swizzle(texture, p.swizzle[2]))
    gl.TexParameteri(target, GL_TEXTURE_SWIZZLE_A, wide_swizzle(texture, p.swizzle[3]))
    if pipe_formats[texture.format].bits[4] and pipe_formats[texture.format].bits[5]:
        gl.TexParameteri(target, GL_DEPTH_STENCIL_TEXTURE_MODE,
                         GL_STENCIL_INDEX if p.stencil_sampling else GL_DEPTH_COMPONENT)


# -- compressed blocks

cdef void compressed_level(Espryt* es, Resource* texture, const pipe_FormatInfo* info,
                           const pipe_resource_respecify* p) noexcept nogil:
    """Zeros, since not every driver takes no data at all for a compressed image."""
    cdef uint64_t size = ((p.width + BLOCK - 1) // BLOCK) * <uint64_t>((p.height + BLOCK - 1) // BLOCK) * info.block_bytes
    cdef uint8_t* zeros
    if p.width > LARGEST or p.height > LARGEST or p.depth > LARGEST:
        return
    if texture.target != GL_TEXTURE_2D and texture.target != GL_TEXTURE_CUBE_MAP:
        size *= p.depth
    zeros = <uint8_t*>calloc(size + 1, 1) if size < 0x7FFFFFFF else NULL
    if zeros == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"resource_respecify: a compressed image")
        return
    edit_texture(es, texture)
    if texture.target == GL_TEXTURE_CUBE_MAP:
        gl_of(es).CompressedTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + p.upload_target % 6, p.level, info.internal,
                                       p.width, p.height, 0, <GLsizei>size, zeros)
    elif texture.target == GL_TEXTURE_2D:
        gl_of(es).CompressedTexImage2D(texture.target, p.level, info.internal, p.width, p.height, 0, <GLsizei>size,
                                       zeros)
    elif texture.target == GL_TEXTURE_3D or texture.target == GL_TEXTURE_2D_ARRAY \
            or texture.target == GL_TEXTURE_CUBE_MAP_ARRAY:
        gl_of(es).CompressedTexImage3D(texture.target, p.level, info.internal, p.width, p.height, p.depth, 0,
                                       <GLsizei>size, zeros)
    free(zeros)


cdef void write_blocks(Espryt* es, Resource* texture, const pipe_FormatInfo* info, uint32_t level, const uint8_t* bytes,
                       const pipe_SubRegion* region) noexcept nogil:
    """The driver takes tight blocks: slices, then rows of blocks one by one where the strides leave gaps."""
    cdef GL* gl = gl_of(es)
    cdef uint32_t row = (region.box.width + BLOCK - 1) // BLOCK * info.block_bytes
    cdef uint64_t slice_ = (region.box.height + BLOCK - 1) // BLOCK * <uint64_t>row
    cdef uint64_t size = slice_ * region.box.depth
    cdef pipe_SubRegion part = region[0]
    cdef uint32_t i
    if region.box.height > BLOCK and region.row_stride != row:
        for i in range((region.box.height + BLOCK - 1) // BLOCK):
            part.box.y = region.box.y + <int32_t>(i * BLOCK)
            part.box.height = region.box.height - i * BLOCK
            if part.box.height > BLOCK:
                part.box.height = BLOCK
            write_blocks(es, texture, info, level, bytes + i * <uint64_t>region.row_stride, &part)
    elif region.box.depth > 1 and (texture.target == GL_TEXTURE_CUBE_MAP or region.slice_stride != slice_):
        part.box.depth = 1
        for i in range(region.box.depth):
            part.box.z = region.box.z + <int32_t>i
            write_blocks(es, texture, info, level, bytes + i * <uint64_t>region.slice_stride, &part)
    elif size > 0x7FFFFFFF:
        es.host.unimplemented(es.host.self, b"resource_subdata", b"2 GiB of compressed texels at once")
    elif texture.target == GL_TEXTURE_CUBE_MAP:
        gl.CompressedTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + <uint32_t>region.box.z % 6, level, region.box.x,
                                   region.box.y, region.box.width, region.box.height, info.internal, <GLsizei>size, bytes)
    elif texture.target == GL_TEXTURE_2D:
        gl.CompressedTexSubImage2D(texture.target, level, region.box.x, region.box.y, region.box.width,
                                   region.box.height, info.internal, <GLsizei>size, bytes)
    else:
        gl.CompressedTexSubImage3D(texture.target, level, region.box.x, region.box.y, region.box.z, region.box.width,
                                   region.box.height, region.box.depth, info.internal, <GLsizei>size, bytes)


# -- texels

cdef bint texture_write(Espryt* es, Resource* texture, uint32_t level, const uint8_t* bytes, uint64_t size,
                        const pipe_SubRegion* regions, uint32_t count, bint texels) noexcept nogil:
    cdef const pipe_FormatInfo* info = &pipe_formats[texture.level_formats[level]]
    cdef bint blocks = info.block_bytes != 0 and not texels
    cdef const pipe_SubRegion* region
    cdef uint64_t end
    cdef uint32_t i
    if count and texture.level_formats[level] == FORMAT_NONE:
        return False
    for i in range(count):
        region = &regions[i]
        if region.box.width == 0 or region.box.height == 0 or region.box.depth == 0:
            continue
        if (region.box.width > LARGEST or region.box.height > LARGEST or region.box.depth > LARGEST
                or region.source_offset > size):
            return False
        end = region.source_offset + (region.box.depth - 1) * <uint64_t>region.slice_stride
        if blocks:
            end += ((region.box.height - 1) // BLOCK * <uint64_t>region.row_stride
                    + (region.box.width + BLOCK - 1) // BLOCK * <uint64_t>info.block_bytes)
        else:
            end += ((region.box.height - 1) * <uint64_t>region.row_stride
                    + region.box.width * <uint64_t>info.texel_bytes)
        if end > size:
            return False
    if info.block_bytes and texels and es.driver.dialect != DIALECT_GL and not is_decoded(es, texture.level_formats[level]):
        es.host.unimplemented(es.host.self, b"resource_subdata", b"compressing texels on OpenGL ES")
        return True
    edit_texture(es, texture)
    for i in range(count):
        region = &regions[i]
        if region.box.width == 0 or region.box.height == 0 or region.box.depth == 0:
            continue
        if blocks and is_decoded(es, texture.level_formats[level]):
            write_decoded(es, texture, info, level, bytes + region.source_offset, region)
        elif blocks:
            write_blocks(es, texture, info, level, bytes + region.source_offset, region)
        elif texture.widened:
            write_widened(es, texture, level, bytes + region.source_offset, region)
        else:
            write_region(es, texture, info, level, bytes + region.source_offset, region)
    return True


cdef void write_decoded(Espryt* es, Resource* texture, const pipe_FormatInfo* info, uint32_t level, const uint8_t* bytes,
                        const pipe_SubRegion* region) noexcept nogil:
    cdef pipe_SubRegion tight
    cdef uint8_t* texels = decode_region(texture.level_formats[level], bytes, region, &tight)
    if texels == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"resource_subdata")
        return
    write_region(es, texture, info, level, texels, &tight)
    free(texels)


cdef void write_widened(Espryt* es, Resource* texture, uint32_t level, const uint8_t* bytes,
                        const pipe_SubRegion* region) noexcept nogil:
    cdef pipe_FormatInfo wide = wide_layout(texture.level_formats[level])
    cdef pipe_SubRegion tight
    cdef uint8_t* texels = widen_texels(texture.level_formats[level], bytes, region, &tight)
    if texels == NULL:
        es.host.fault(es.host.self, PIPE_FAULT_OUT_OF_MEMORY, b"resource_subdata")
        return
    write_region(es, texture, &wide, level, texels, &tight)
    free(texels)


cdef void write_region(Espryt* es, Resource* texture, const pipe_FormatInfo* info, uint32_t level, const uint8_t* bytes,
                       const pipe_SubRegion* region) noexcept nogil:
    """One driver call where the strides are whole texels and rows, as they are for everything the client sends."""
    cdef GL* gl = gl_of(es)
    cdef uint32_t texel = info.texel_bytes
    cdef uint32_t row = region.row_stride, slice_ = region.slice_stride
    cdef pipe_SubRegion part = region[0]
    cdef uint32_t i
    # a distance that is none to the driver, 0, would be the tight one there, and more bytes than were checked
    if region.box.depth > 1 and (texture.target == GL_TEXTURE_CUBE_MAP or row == 0 or slice_ < row or slice_ % row != 0
                                 or (texture.target == GL_TEXTURE_1D_ARRAY and slice_ < texel)):
        part.box.depth = 1
        for i in range(region.box.depth):
            part.box.z = region.box.z + <int32_t>i
            write_region(es, texture, info, level, bytes + i * <uint64_t>slice_, &part)
        return
    if region.box.height > 1 and (row < texel or row % texel != 0):
        part.box.height = 1
        for i in range(region.box.height):
            part.box.y = region.box.y + <int32_t>i
            write_region(es, texture, info, level, bytes + i * <uint64_t>row, &part)
        return
    if texture.target == GL_TEXTURE_1D_ARRAY:       # its layers are rows to the driver
        gl.PixelStorei(GL_UNPACK_ROW_LENGTH, slice_ // texel)
        gl.TexSubImage2D(texture.target, level, region.box.x, region.box.z, region.box.width, region.box.depth,
                         info.upload_format, info.upload_type, bytes)
        gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 0)
        return
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, row // texel if region.box.height > 1 or region.box.depth > 1 else 0)
    if texture.target == GL_TEXTURE_1D:
        gl.TexSubImage1D(texture.target, level, region.box.x, region.box.width, info.upload_format, info.upload_type, bytes)
    elif texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_RECTANGLE:
        gl.TexSubImage2D(texture.target, level, region.box.x, region.box.y, region.box.width, region.box.height,
                         info.upload_format, info.upload_type, bytes)
    elif texture.target == GL_TEXTURE_CUBE_MAP:
        gl.TexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + <uint32_t>region.box.z % 6, level, region.box.x, region.box.y,
                         region.box.width, region.box.height, info.upload_format, info.upload_type, bytes)
    else:
        gl.PixelStorei(GL_UNPACK_IMAGE_HEIGHT, slice_ // row if row and region.box.depth > 1 else 0)
        gl.TexSubImage3D(texture.target, level, region.box.x, region.box.y, region.box.z, region.box.width,
                         region.box.height, region.box.depth, info.upload_format, info.upload_type, bytes)
        gl.PixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0)
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 0)


cdef void texture_mipmaps(Espryt* es, Resource* texture, uint32_t base_level, uint32_t max_level) noexcept nogil:
    """base_level and max_level are the texture's own parameters, which the driver has already."""
    cdef uint32_t i
    for i in range(base_level + 1, LEVELS if base_level < LEVELS else 0):       # those it makes have the base's format
        texture.level_formats[i] = texture.level_formats[base_level]
    if es.driver.dialect != DIALECT_GL and pipe_formats[texture.format].block_bytes and not is_decoded(es, texture.format):
        es.host.unimplemented(es.host.self, b"generate_mipmap", b"compressed formats on OpenGL ES")
        return
    # ES makes levels only of what it can render to.
    if es.driver.dialect != DIALECT_GL and pipe_formats[texture.format].shared_bits:
        es.host.unimplemented(es.host.self, b"generate_mipmap", b"a shared exponent on OpenGL ES")
        return
    if has_wide_form(es, texture.format) and not widen(es, texture, b"generate_mipmap"):
        return
    edit_texture(es, texture)
    gl_of(es).GenerateMipmap(texture.target)


# -- copies

cdef void texture_copy(Espryt* es, Resource* source, Resource* target, const pipe_resource_copy_region* p) noexcept nogil:
    if is_decoded(es, source.level_formats[p.source_level]) != is_decoded(es, target.level_formats[p.target_level]):
        es.host.unimplemented(es.host.self, b"resource_copy_region", b"RGTC blocks as texels of another format, on OpenGL ES")
        return
    if source.widened != target.widened:        # three components on both sides, else the client would have refused
        if not widen(es, source, b"resource_copy_region") or not widen(es, target, b"resource_copy_region"):
            return
    gl_of(es).CopyImageSubData(source.name, source.target, p.source_level, p.box.x, p.box.y, p.box.z,
                               target.name, target.target, p.target_level, p.x, p.y, p.z,
                               p.box.width, p.box.height, p.box.depth)


cdef void texture_copy_from_framebuffer(Espryt* es, Context* ctx, Resource* texture,
                                        const pipe_copy_framebuffer_to_texture* p) noexcept nogil:
    cdef GL* gl = gl_of(es)
    cdef int32_t x = p.area.x0, y = p.area.y0
    cdef int32_t width = p.area.x1 - x, height = p.area.y1 - y
    if es.driver.dialect != DIALECT_GL and pipe_formats[texture.level_formats[p.level]].shared_bits:
        es.host.unimplemented(es.host.self, b"copy_framebuffer_to_texture", b"a shared exponent on OpenGL ES")
        return
    bind_read(es, ctx)
    edit_texture(es, texture)
    if texture.target == GL_TEXTURE_1D:
        gl.CopyTexSubImage1D(texture.target, p.level, p.x, x, y, width)
    elif texture.target == GL_TEXTURE_1D_ARRAY:
        gl.CopyTexSubImage2D(texture.target, p.level, p.x, p.layer, x, y, width, height)
    elif texture.target == GL_TEXTURE_CUBE_MAP:
        gl.CopyTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + p.layer % 6, p.level, p.x, p.y, x, y, width, height)
    elif texture.target == GL_TEXTURE_2D or texture.target == GL_TEXTURE_RECTANGLE:
        gl.CopyTexSubImage2D(texture.target, p.level, p.x, p.y, x, y, width, height)
    else:
        gl.CopyTexSubImage3D(texture.target, p.level, p.x, p.y, p.layer, x, y, width, height)
