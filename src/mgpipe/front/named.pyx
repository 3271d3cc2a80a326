# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Commands of OpenGL 4.5 that name their object. See named.pxd; here are the ones that are not just another command."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport pipe_Box
from pipe_formats cimport pipe_formats
from mgpipe.front.buffers cimport CopyBufferSubData, GenBuffers, named_buffer
from mgpipe.front.clears cimport BlitFramebuffer
from mgpipe.front.compressed cimport CompressedTexSubImage2D, CompressedTexSubImage3D, image_compressed_box
from mgpipe.front.context cimport (ATTRIBS, DIRTY_FRAMEBUFFER, LEVELS, Buffer, Context, GLbitfield, GLenum, GLint,
                                   GLint64, GLintptr, GLsizei, GLsizeiptr, GLuint, Level, Texture, VertexArray,
                                   name_get, set_error)
from mgpipe.front.formats cimport BLOCK, format_slice
from mgpipe.front.framebuffers cimport CheckFramebufferStatus, GenFramebuffers, framebuffer_object
from mgpipe.front.context cimport INDEX_1D, INDEX_1D_ARRAY, INDEX_NONE, INDEX_RECTANGLE
from mgpipe.front.pipelines cimport GenProgramPipelines, pipeline_of
from mgpipe.front.pixels cimport UserImage, pixels_check, user_image
from mgpipe.front.reads cimport image_read
from mgpipe.front.renderbuffers cimport GenRenderbuffers, renderbuffer_object
from mgpipe.front.samplers cimport GenSamplers
from mgpipe.front.texcopies cimport CopyTexSubImage2D, CopyTexSubImage3D
from mgpipe.front.teximages cimport Image, TexSubImage2D, TexSubImage3D
from mgpipe.front.textures cimport GenTextures, texture_level, texture_object, texture_target_index
from mgpipe.front.vertex_arrays cimport GenVertexArrays, GetVertexAttribiv, vertex_array_object


# ------------------------------------------------------------------------------------------------------ taking, putting

cdef bint take(Context* ctx, void** where, void* object, uint32_t dirty, Place* place) noexcept nogil:
    if object == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    place.where = where
    place.before = where[0]
    place.dirty = dirty if where[0] != object else 0
    where[0] = object
    ctx.dirty |= place.dirty
    return True


cdef void put_back(Context* ctx, Place* place) noexcept nogil:
    place.where[0] = place.before
    ctx.dirty |= place.dirty


cdef bint take_buffer(Context* ctx, GLuint name, Place* place) noexcept nogil:
    return take(ctx, <void**>&ctx.copy_write_buffer, name_get(&ctx.group.buffers, name), 0, place)


cdef bint take_renderbuffer(Context* ctx, GLuint name, Place* place) noexcept nogil:
    return take(ctx, <void**>&ctx.renderbuffer, name_get(&ctx.group.renderbuffers, name), 0, place)


cdef bint take_vertex_array(Context* ctx, GLuint name, Place* place) noexcept nogil:
    return take(ctx, <void**>&ctx.vertex_array, name_get(&ctx.vertex_arrays, name), 0, place)


cdef bint take_draw_framebuffer(Context* ctx, GLuint name, Place* place) noexcept nogil:
    return take(ctx, <void**>&ctx.draw_framebuffer, name_get(&ctx.framebuffers, name) if name else &ctx.default_framebuffer,
                DIRTY_FRAMEBUFFER, place)


cdef bint take_read_framebuffer(Context* ctx, GLuint name, Place* place) noexcept nogil:
    return take(ctx, <void**>&ctx.read_framebuffer, name_get(&ctx.framebuffers, name) if name else &ctx.default_framebuffer,
                DIRTY_FRAMEBUFFER, place)


cdef Texture* texture_of(Context* ctx, GLuint name, uint32_t targets) noexcept nogil:
    """NULL: the error is set."""
    cdef Texture* texture = <Texture*>name_get(&ctx.group.textures, name)
    if texture == NULL or not targets >> texture.target_index & 1:
        set_error(ctx, GL_INVALID_OPERATION)
        return NULL
    return texture


cdef bint take_texture(Context* ctx, GLuint name, uint32_t targets, Place* place) noexcept nogil:
    cdef Texture* texture = texture_of(ctx, name, targets)
    if texture == NULL:
        return False
    place.target = texture.target
    place.image_target = GL_TEXTURE_CUBE_MAP_POSITIVE_X if texture.faces == 6 else texture.target
    return take(ctx, <void**>&ctx.units[ctx.active_unit].bound[texture.target_index], texture, 0, place)


# -------------------------------------------------------------------------------------------------------------- names

cdef void CreateBuffers(Context* ctx, GLsizei n, GLuint* buffers) noexcept nogil:
    cdef Buffer* made
    cdef GLsizei i
    GenBuffers(ctx, n, buffers)
    for i in range(n):
        named_buffer(ctx, buffers[i], &made)


cdef void CreateTextures(Context* ctx, GLenum target, GLsizei n, GLuint* textures) noexcept nogil:
    cdef GLsizei i
    if texture_target_index(target) == INDEX_NONE:
        set_error(ctx, GL_INVALID_ENUM)
        return
    GenTextures(ctx, n, textures)
    for i in range(n):
        texture_object(ctx, textures[i], target)


cdef void CreateVertexArrays(Context* ctx, GLsizei n, GLuint* arrays) noexcept nogil:
    cdef GLsizei i
    GenVertexArrays(ctx, n, arrays)
    for i in range(n):
        vertex_array_object(ctx, arrays[i])


cdef void CreateFramebuffers(Context* ctx, GLsizei n, GLuint* framebuffers) noexcept nogil:
    cdef GLsizei i
    GenFramebuffers(ctx, n, framebuffers)
    for i in range(n):
        framebuffer_object(ctx, framebuffers[i])


cdef void CreateRenderbuffers(Context* ctx, GLsizei n, GLuint* renderbuffers) noexcept nogil:
    cdef GLsizei i
    GenRenderbuffers(ctx, n, renderbuffers)
    for i in range(n):
        renderbuffer_object(ctx, renderbuffers[i])


cdef void CreateSamplers(Context* ctx, GLsizei n, GLuint* samplers) noexcept nogil:
    GenSamplers(ctx, n, samplers)               # they exist from there on


cdef void CreateProgramPipelines(Context* ctx, GLsizei n, GLuint* pipelines) noexcept nogil:
    cdef GLsizei i
    GenProgramPipelines(ctx, n, pipelines)
    for i in range(n):
        pipeline_of(ctx, pipelines[i])


# ----------------------------------------------------------------------------------------------- two objects at a time

cdef void CopyNamedBufferSubData(Context* ctx, GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset, GLintptr writeOffset,
                                 GLsizeiptr size) noexcept nogil:
    cdef Place read, write
    if not take(ctx, <void**>&ctx.copy_read_buffer, name_get(&ctx.group.buffers, readBuffer), 0, &read):
        return
    if take_buffer(ctx, writeBuffer, &write):
        CopyBufferSubData(ctx, GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, readOffset, writeOffset, size)
        put_back(ctx, &write)
    put_back(ctx, &read)


cdef void BlitNamedFramebuffer(Context* ctx, GLuint readFramebuffer, GLuint drawFramebuffer, GLint srcX0, GLint srcY0,
                               GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0, GLint dstX1, GLint dstY1,
                               GLbitfield mask, GLenum filter) noexcept nogil:
    cdef Place read, draw
    if not take_read_framebuffer(ctx, readFramebuffer, &read):
        return
    if take_draw_framebuffer(ctx, drawFramebuffer, &draw):
        BlitFramebuffer(ctx, srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter)
        put_back(ctx, &draw)
    put_back(ctx, &read)


cdef GLenum CheckNamedFramebufferStatus(Context* ctx, GLuint framebuffer, GLenum target) noexcept nogil:
    """As what it would be bound: a default framebuffer may have other surfaces to draw to and to read from."""
    cdef Place place
    cdef GLenum status = 0
    cdef bint taken
    if target == GL_READ_FRAMEBUFFER:
        taken = take_read_framebuffer(ctx, framebuffer, &place)
    else:
        taken = take_draw_framebuffer(ctx, framebuffer, &place)
    if taken:
        status = CheckFramebufferStatus(ctx, target)
        put_back(ctx, &place)
    return status


# ---------------------------------------------------------------------------- textures: a cube map's faces are its layers

cdef bint faces_allowed(Context* ctx, GLint zoffset, GLsizei depth) noexcept nogil:
    if zoffset < 0 or depth < 0 or zoffset > 6 or depth > 6 - zoffset:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


cdef const void* slice_at(const void* pixels, uint64_t slice_stride, GLsizei i) noexcept nogil:
    """Of the program's memory, or of the buffer bound for it."""
    return <const uint8_t*>pixels + slice_stride * <uint64_t>i


cdef void TextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
                            GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) noexcept nogil:
    cdef uint32_t pixel_format = 0, pixel_type = 0
    cdef UserImage image
    cdef GLsizei i
    cdef Place place
    if not take_texture(ctx, texture, TEXTURES_3D_OR_CUBE, &place):
        return
    if place.target != GL_TEXTURE_CUBE_MAP:
        TexSubImage3D(ctx, place.target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels)
    elif pixels_check(format, type, &pixel_format, &pixel_type) != 0:
        TexSubImage2D(ctx, place.image_target, level, xoffset, yoffset, width, height, format, type, pixels)    # says which error
    elif faces_allowed(ctx, zoffset, depth) and width > 0 and height > 0:
        user_image(&image, &ctx.unpack, pixel_format, pixel_type, 3, width, height, depth)
        for i in range(depth):
            # the images that the store skips come before the first face, which is told of no images
            TexSubImage2D(ctx, place.image_target + zoffset + i, level, xoffset, yoffset, width, height, format, type,
                          slice_at(pixels, image.slice_stride, i + ctx.unpack.skip_images))
    put_back(ctx, &place)


cdef void CompressedTextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                      GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei imageSize,
                                      const void* data) noexcept nogil:
    cdef GLsizei i
    cdef Place place
    if not take_texture(ctx, texture, TEXTURES_3D_OR_CUBE, &place):
        return
    if place.target != GL_TEXTURE_CUBE_MAP:
        CompressedTexSubImage3D(ctx, place.target, level, xoffset, yoffset, zoffset, width, height, depth, format, imageSize, data)
    elif faces_allowed(ctx, zoffset, depth) and depth:
        if imageSize % depth:
            set_error(ctx, GL_INVALID_VALUE)
        for i in range(depth if imageSize % depth == 0 else 0):
            CompressedTexSubImage2D(ctx, place.image_target + zoffset + i, level, xoffset, yoffset, width, height, format,
                                    imageSize / depth, slice_at(data, imageSize / depth, i))
    put_back(ctx, &place)


cdef void CopyTextureSubImage3D(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLint x,
                                GLint y, GLsizei width, GLsizei height) noexcept nogil:
    cdef Place place
    if not take_texture(ctx, texture, TEXTURES_3D_OR_CUBE, &place):
        return
    if place.target != GL_TEXTURE_CUBE_MAP:
        CopyTexSubImage3D(ctx, place.target, level, xoffset, yoffset, zoffset, x, y, width, height)
    elif faces_allowed(ctx, zoffset, 1):
        CopyTexSubImage2D(ctx, place.image_target + zoffset, level, xoffset, yoffset, x, y, width, height)
    put_back(ctx, &place)


# ------------------------------------------------------------------------------------------------- reads of textures

cdef struct Part:                   # of a level, in texels; z and depth are layers or a cube map's faces
    Texture* texture
    uint32_t level
    GLint x, y, z
    GLsizei width, height, depth


cdef Level* readable_level(Context* ctx, GLuint name, GLint level, Part* part) noexcept nogil:
    """And all of it as the part; NULL: the error is set."""
    cdef uint32_t single = TEXTURES_NO_BUFFER & ~(TEXTURES_2D_SAMPLES | TEXTURES_3D_SAMPLES)
    cdef Texture* texture = texture_of(ctx, name, single)
    cdef Level* store
    if texture == NULL:
        return NULL
    if level < 0 or level >= LEVELS or (level and texture.target_index == INDEX_RECTANGLE):
        set_error(ctx, GL_INVALID_VALUE)
        return NULL
    store = texture_level(texture, 0, <uint32_t>level)
    part.texture = texture
    part.level = <uint32_t>level
    part.x = part.y = part.z = 0
    part.width = <GLsizei>store.width
    part.height = <GLsizei>(store.depth if texture.target_index == INDEX_1D_ARRAY else store.height)
    part.depth = <GLsizei>(6 if texture.faces == 6 else min(store.depth, 1) if texture.target_index == INDEX_1D_ARRAY else store.depth)
    return store


cdef bint narrow_part(Context* ctx, Part* part, GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth) noexcept nogil:
    """False: it is not within the level; the error is set."""
    if (x < 0 or y < 0 or z < 0 or width < 0 or height < 0 or depth < 0 or x > part.width or width > part.width - x
            or y > part.height or height > part.height - y or z > part.depth or depth > part.depth - z):
        set_error(ctx, GL_INVALID_VALUE)
        return False
    part.x, part.y, part.z, part.width, part.height, part.depth = x, y, z, width, height, depth
    return True


cdef uint32_t dimensions_of(const Texture* texture) noexcept nogil:
    if texture.target_index == INDEX_1D:
        return 1
    return 3 if texture.faces == 6 or TEXTURES_3D >> texture.target_index & 1 else 2


cdef void read_part(Context* ctx, const Part* part, GLenum format, GLenum type, GLsizei limit, void* pixels) noexcept nogil:
    cdef Texture* texture = part.texture
    cdef uint32_t dimensions = dimensions_of(texture), pixel_format = 0, pixel_type = 0
    cdef UserImage image
    cdef pipe_Box box
    cdef GLenum error = pixels_check(format, type, &pixel_format, &pixel_type)
    cdef GLsizei i
    if error == 0 and limit < 0:
        error = GL_INVALID_VALUE
    if error or part.width == 0 or part.height == 0 or part.depth == 0:
        if error:
            set_error(ctx, error)
        return
    user_image(&image, &ctx.pack, pixel_format, pixel_type, dimensions, part.width, part.height, part.depth)
    if ctx.pixel_pack_buffer == NULL and image.first + image.size > <uint64_t>limit:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    box.x, box.y, box.z = part.x, part.y, part.z
    box.width, box.height, box.depth = part.width, part.height, part.depth
    if texture.target_index == INDEX_1D_ARRAY:      # its rows are layers
        box.y, box.z, box.height, box.depth = 0, part.y, 1, part.height
    if texture.faces != 6:
        error = image_read(ctx, texture, 0, part.level, &box, dimensions, format, type, <size_t>-1, pixels)
    else:
        box.z, box.depth = 0, 1
        for i in range(part.depth):
            error = image_read(ctx, texture, <uint32_t>(part.z + i), part.level, &box, 3, format, type, <size_t>-1,
                               <void*>slice_at(pixels, image.slice_stride, i))
            if error:
                break
    if error:
        set_error(ctx, error)


cdef void GetTextureImage(Context* ctx, GLuint texture, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                          void* pixels) noexcept nogil:
    cdef Part part
    if readable_level(ctx, texture, level, &part) != NULL:
        read_part(ctx, &part, format, type, bufSize, pixels)


cdef void GetTextureSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
                             GLsizei height, GLsizei depth, GLenum format, GLenum type, GLsizei bufSize,
                             void* pixels) noexcept nogil:
    cdef Part part
    if (readable_level(ctx, texture, level, &part) != NULL
            and narrow_part(ctx, &part, xoffset, yoffset, zoffset, width, height, depth)):
        read_part(ctx, &part, format, type, bufSize, pixels)


cdef void read_blocks(Context* ctx, const Part* part, const Level* store, GLsizei limit, void* pixels) noexcept nogil:
    cdef uint32_t dimensions = max(<uint32_t>2, dimensions_of(part.texture))
    cdef uint64_t size = format_slice(store.format, <uint32_t>part.width, <uint32_t>part.height)
    cdef Image image
    cdef GLsizei i
    if not pipe_formats[store.format].block_bytes:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if limit < 0 or ctx.pixel_pack_buffer == NULL and size * <uint64_t>part.depth > <uint64_t>limit:
        set_error(ctx, GL_INVALID_VALUE if limit < 0 else GL_INVALID_OPERATION)
        return
    memset(&image, 0, sizeof(image))
    image.texture = part.texture
    image.target = part.texture.target
    image.level = part.level
    if part.texture.faces != 6:
        image_compressed_box(ctx, &image, dimensions, part.x, part.y, part.z, part.width, part.height, part.depth, <size_t>-1, pixels)
        return
    for i in range(part.depth):
        image.face = <uint32_t>(part.z + i)
        image_compressed_box(ctx, &image, 2, part.x, part.y, 0, part.width, part.height, 1, <size_t>-1, <void*>slice_at(pixels, size, i))


cdef void GetCompressedTextureImage(Context* ctx, GLuint texture, GLint level, GLsizei bufSize, void* pixels) noexcept nogil:
    cdef Part part
    cdef Level* store = readable_level(ctx, texture, level, &part)
    if store != NULL:
        read_blocks(ctx, &part, store, bufSize, pixels)


cdef inline bint whole_blocks(GLint offset, GLsizei size, uint32_t end) noexcept nogil:
    return offset % BLOCK == 0 and (size % BLOCK == 0 or <uint32_t>(offset + size) == end)


cdef void GetCompressedTextureSubImage(Context* ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                       GLsizei width, GLsizei height, GLsizei depth, GLsizei bufSize,
                                       void* pixels) noexcept nogil:
    cdef Part part
    cdef Level* store = readable_level(ctx, texture, level, &part)
    if store == NULL or not narrow_part(ctx, &part, xoffset, yoffset, zoffset, width, height, depth):
        return
    if pipe_formats[store.format].block_bytes and not (whole_blocks(xoffset, width, store.width)
                                                       and whole_blocks(yoffset, height, store.height)):
        set_error(ctx, GL_INVALID_VALUE)
    elif width and height and depth:
        read_blocks(ctx, &part, store, bufSize, pixels)


# ------------------------------------------------------------------------------------------------ vertex arrays' answers

cdef void GetVertexArrayiv(Context* ctx, GLuint vaobj, GLenum pname, GLint* param) noexcept nogil:
    cdef VertexArray* array = <VertexArray*>name_get(&ctx.vertex_arrays, vaobj)
    if array == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    elif pname != GL_ELEMENT_ARRAY_BUFFER_BINDING:
        set_error(ctx, GL_INVALID_ENUM)
    else:
        param[0] = <GLint>array.elements.name if array.elements != NULL else 0


cdef void GetVertexArrayIndexediv(Context* ctx, GLuint vaobj, GLuint index, GLenum pname, GLint* param) noexcept nogil:
    cdef Place place
    if not take_vertex_array(ctx, vaobj, &place):
        return
    # the current value is the context's, the buffer the binding's
    if pname == GL_CURRENT_VERTEX_ATTRIB or pname == GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING or pname == GL_VERTEX_ATTRIB_BINDING:
        set_error(ctx, GL_INVALID_ENUM)
    else:
        GetVertexAttribiv(ctx, index, pname, param)
    put_back(ctx, &place)


cdef void GetVertexArrayIndexed64iv(Context* ctx, GLuint vaobj, GLuint index, GLenum pname, GLint64* param) noexcept nogil:
    cdef VertexArray* array = <VertexArray*>name_get(&ctx.vertex_arrays, vaobj)
    if array == NULL:
        set_error(ctx, GL_INVALID_OPERATION)
    elif index >= ATTRIBS:
        set_error(ctx, GL_INVALID_VALUE)
    elif pname != GL_VERTEX_BINDING_OFFSET:
        set_error(ctx, GL_INVALID_ENUM)
    else:
        param[0] = <GLint64>array.bindings[index].offset
