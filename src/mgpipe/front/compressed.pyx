# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compressed images (specification 8.7, 8.11.4). See compressed.pxd.

A level of blocks is kept, sent and read as an image of bytes: a row of it is a row of blocks. The pixel store counts for
such an image only where all its block parameters are set (8.4.4.3, 18.2.9).
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from glenum cimport *
from pipe cimport PIPE_READ_LAYOUT_BLOCKS, pipe_Box
from pipe_formats cimport (FORMAT_NONE, PIXEL_RED, PIXEL_TYPE_UNSIGNED_BYTE, pipe_FormatInfo, pipe_format_of,
                           pipe_formats)
from mgpipe.front.context cimport Context, GLenum, GLint, GLsizei, Level, PixelStore, set_error
from mgpipe.front.formats cimport format_row, format_rows, format_slice
from mgpipe.front.levels cimport level_upload
from mgpipe.front.pixels cimport UserImage, user_image
from mgpipe.front.reads cimport level_of, read_level
from mgpipe.front.teximages cimport (Image, dimensions_of, forget_proxy, image_bound, image_box, image_define,
                                     image_defined, image_part, target_error, usable_format)
from mgpipe.front.textures cimport texture_level
from mgpipe.front.transfer cimport GIVEN, GIVEN_ERROR, Given, unpack_source


# ------------------------------------------------------------------------------------------------------- blocks as bytes

cdef inline int32_t blocks_of(int32_t texels, int32_t block) noexcept nogil:
    return (texels + block - 1) / block


cdef void block_image(UserImage* image, const PixelStore* store, uint32_t format, uint32_t dimensions, uint32_t width,
                      uint32_t height, uint32_t depth) noexcept nogil:
    """Where the blocks of a box of texels lie in the program's memory."""
    cdef PixelStore bytes
    memset(&bytes, 0, sizeof(bytes))
    bytes.alignment = 1
    if store.block_width and store.block_size:
        bytes.row_length = blocks_of(store.row_length, store.block_width) * store.block_size
        bytes.skip_pixels = store.skip_pixels / store.block_width * store.block_size
        if dimensions > 1 and store.block_height:
            bytes.skip_rows = store.skip_rows / store.block_height
            bytes.image_height = blocks_of(store.image_height, store.block_height)
            if dimensions > 2 and store.block_depth:
                bytes.skip_images = store.skip_images / store.block_depth
    user_image(image, &bytes, PIXEL_RED, PIXEL_TYPE_UNSIGNED_BYTE, dimensions, <uint32_t>format_row(format, width),
               format_rows(format, height), depth)


cdef bint store_fits(Context* ctx, const PixelStore* store, uint32_t format) noexcept nogil:
    """Block parameters that are set must be those of the format (specification 8.7)."""
    if store.block_width and store.block_size and (
            <uint32_t>store.block_size != pipe_formats[format].block_bytes or store.block_width != 4
            or (store.block_height and store.block_height != 4)):
        set_error(ctx, GL_INVALID_OPERATION)
        return False
    return True


cdef bint size_right(Context* ctx, Image* image, GLsizei image_size) noexcept nogil:
    cdef uint64_t size = format_slice(image.format, image.width, image.height) * image.depth
    if image_size < 0 or <uint64_t>image_size != size:
        set_error(ctx, GL_INVALID_VALUE)
        return False
    return True


# ---------------------------------------------------------------------------------------------------------- definition

cdef void put_blocks(Context* ctx, Image* image, GLint x, GLint y, GLint z, const UserImage* source,
                     const void* bytes) noexcept nogil:
    cdef pipe_Box box
    image_box(image, x, y, z, &box)
    level_upload(ctx, image.texture, image.face, image.level, &box, source, bytes)


cdef void compressed_image(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLenum internal_format,
                           GLsizei width, GLsizei height, GLsizei depth, GLint border, GLsizei image_size,
                           const void* data) noexcept nogil:
    cdef Image image
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    cdef Given given
    cdef bint fits = False
    cdef uint32_t format = usable_format(ctx, internal_format)
    if not pipe_formats[format].block_bytes:
        set_error(ctx, GL_INVALID_ENUM)         # generic compressed formats, too
        return
    if not (image_bound(ctx, &image, target, dimensions, level, True)
            and image_defined(ctx, &image, internal_format, width, height, depth, border, &fits)
            and size_right(ctx, &image, image_size) and store_fits(ctx, &ctx.unpack, format)):
        return
    if image.proxy:
        if fits:
            image_define(ctx, &image, internal_format)
        else:
            forget_proxy(ctx, &image)
        return
    block_image(&source, &ctx.unpack, format, dimensions, image.width, image.height, image.depth)
    given = unpack_source(ctx, &source, data, &bytes)
    if given == GIVEN_ERROR:
        return
    image_define(ctx, &image, internal_format)
    if given == GIVEN:
        put_blocks(ctx, &image, 0, 0, 0, &source, bytes)


cdef void CompressedTexImage1D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLint border, GLsizei imageSize, const void* data) noexcept nogil:
    compressed_image(ctx, target, 1, level, internalformat, width, 1, 1, border, imageSize, data)


cdef void CompressedTexImage2D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLsizei height, GLint border, GLsizei imageSize, const void* data) noexcept nogil:
    compressed_image(ctx, target, 2, level, internalformat, width, height, 1, border, imageSize, data)


cdef void CompressedTexImage3D(Context* ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                               GLsizei height, GLsizei depth, GLint border, GLsizei imageSize,
                               const void* data) noexcept nogil:
    compressed_image(ctx, target, 3, level, internalformat, width, height, depth, border, imageSize, data)


# --------------------------------------------------------------------------------------------------------------- parts

cdef void image_compressed_part(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z,
                                GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei image_size,
                                const void* data) noexcept nogil:
    cdef UserImage source
    cdef const uint8_t* bytes = NULL
    cdef uint32_t number = usable_format(ctx, format)
    if not pipe_formats[number].block_bytes:
        set_error(ctx, GL_INVALID_ENUM)
        return
    if not image_part(ctx, image, x, y, z, width, height, depth):
        return
    if image.format != number:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not (size_right(ctx, image, image_size) and store_fits(ctx, &ctx.unpack, number)):
        return
    block_image(&source, &ctx.unpack, number, dimensions, image.width, image.height, image.depth)
    if unpack_source(ctx, &source, data, &bytes) == GIVEN:
        put_blocks(ctx, image, x, y, z, &source, bytes)


cdef void compressed_part(Context* ctx, GLenum target, uint32_t dimensions, GLint level, GLint x, GLint y, GLint z,
                          GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei image_size,
                          const void* data) noexcept nogil:
    cdef Image image
    if target == GL_TEXTURE_RECTANGLE:
        set_error(ctx, GL_INVALID_ENUM)
    elif image_bound(ctx, &image, target, dimensions, level, False):
        image_compressed_part(ctx, &image, dimensions, x, y, z, width, height, depth, format, image_size, data)


cdef void CompressedTexSubImage1D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLsizei width, GLenum format,
                                  GLsizei imageSize, const void* data) noexcept nogil:
    compressed_part(ctx, target, 1, level, xoffset, 0, 0, width, 1, 1, format, imageSize, data)


cdef void CompressedTexSubImage2D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                  GLsizei height, GLenum format, GLsizei imageSize, const void* data) noexcept nogil:
    compressed_part(ctx, target, 2, level, xoffset, yoffset, 0, width, height, 1, format, imageSize, data)


cdef void CompressedTexSubImage3D(Context* ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                  GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLsizei imageSize,
                                  const void* data) noexcept nogil:
    compressed_part(ctx, target, 3, level, xoffset, yoffset, zoffset, width, height, depth, format, imageSize, data)


# --------------------------------------------------------------------------------------------------------------- reads

cdef void image_compressed_box(Context* ctx, Image* image, uint32_t dimensions, GLint x, GLint y, GLint z, GLsizei width,
                               GLsizei height, GLsizei depth, size_t limit, void* pixels) noexcept nogil:
    cdef Level* level = texture_level(image.texture, image.face, image.level)
    cdef UserImage target
    cdef pipe_Box box
    if not pipe_formats[level.format].block_bytes:
        set_error(ctx, GL_INVALID_OPERATION)
        return
    if not store_fits(ctx, &ctx.pack, level.format):
        return
    image.width = <uint32_t>width
    image.height = <uint32_t>height
    image.depth = <uint32_t>depth
    block_image(&target, &ctx.pack, level.format, dimensions, image.width, image.height, image.depth)
    image_box(image, x, y, z, &box)
    read_level(ctx, image.texture, image.face, image.level, &box, &target, PIPE_READ_LAYOUT_BLOCKS, limit, pixels)


cdef void image_compressed_get(Context* ctx, Image* image, uint32_t dimensions, size_t limit,
                               void* pixels) noexcept nogil:
    cdef Level* level = texture_level(image.texture, image.face, image.level)
    image_compressed_box(ctx, image, dimensions, 0, 0, 0, <GLsizei>level.width, <GLsizei>level.height, <GLsizei>level.depth,
                         limit, pixels)


cdef void compressed_get(Context* ctx, GLenum target, GLint level, size_t limit, void* pixels) noexcept nogil:
    cdef Image image
    memset(&image, 0, sizeof(image))
    if level_of(ctx, target, level, &image.texture, &image.face, False) == NULL:
        return
    if image.texture.samples or target == GL_TEXTURE_BUFFER:
        set_error(ctx, GL_INVALID_ENUM)
        return
    image.target = image.texture.target
    image.level = <uint32_t>level
    image_compressed_get(ctx, &image, 3 if image.target == GL_TEXTURE_3D or image.target == GL_TEXTURE_2D_ARRAY
                         or image.target == GL_TEXTURE_CUBE_MAP_ARRAY else 2, limit, pixels)


cdef void GetCompressedTexImage(Context* ctx, GLenum target, GLint level, void* img) noexcept nogil:
    compressed_get(ctx, target, level, <size_t>-1, img)


cdef void GetnCompressedTexImage(Context* ctx, GLenum target, GLint lod, GLsizei bufSize, void* pixels) noexcept nogil:
    if bufSize < 0:
        set_error(ctx, GL_INVALID_VALUE)
    else:
        compressed_get(ctx, target, lod, <size_t>bufSize, pixels)
