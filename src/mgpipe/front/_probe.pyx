# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pixel conversion as Python functions, for tests."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from pipe_formats cimport FORMAT_NONE, pipe_FormatInfo, pipe_format_of, pipe_formats, pipe_read_layouts
from mgpipe.front.context cimport PixelStore
from mgpipe.front.pixels cimport (Tight, UserImage, canonical_layout, pixels_check, pixels_match, pixels_pack,
                                  pixels_unpack,
                                   user_image)
from mgpipe.links.segments cimport segment_map, segment_unmap
from mgpipe.links.shadow cimport (Arena, Shadow, arena_free, arena_new, shadow_clear, shadow_init, shadow_pointer,
                                  shadow_read)

from mgpipe.texels.rgtc cimport rgtc_decode as decode_blocks, rgtc_encode as encode_blocks

cdef enum:
    CEILING = 1 << 24


cdef PixelStore _store(dict values):
    cdef PixelStore store
    memset(&store, 0, sizeof(store))
    store.alignment = values.get("alignment", 4)
    store.swap_bytes = values.get("swap_bytes", 0)
    store.row_length = values.get("row_length", 0)
    store.image_height = values.get("image_height", 0)
    store.skip_rows = values.get("skip_rows", 0)
    store.skip_pixels = values.get("skip_pixels", 0)
    store.skip_images = values.get("skip_images", 0)
    return store


def check(format, type, internal=None, reading=False):
    """The error of a pixel format and type, then of their use with an internal format; 0: none."""
    cdef uint32_t pixel_format = 0, pixel_type = 0
    error = pixels_check(format, type, &pixel_format, &pixel_type)
    if error == 0 and internal is not None:
        error = pixels_match(pixel_format, pipe_format_of(internal), reading)
    return error


cdef UserImage _image(format, type, size, store) except *:
    cdef UserImage image
    cdef uint32_t pixel_format = 0, pixel_type = 0
    cdef PixelStore c_store = _store(store)
    if pixels_check(format, type, &pixel_format, &pixel_type) != 0:
        raise ValueError("format and type do not go together")
    width, height, depth = size
    user_image(&image, &c_store, pixel_format, pixel_type, 3, width, height, depth)
    return image


def extent(format, type, size, **store):
    """(bytes before the first texel, bytes from there to the end of the last)"""
    cdef UserImage image = _image(format, type, size, store)
    return image.first, image.size


def unpack(const uint8_t[::1] data, format, type, internal, size, row_texels=None, offset_texels=0, **store):
    """The canonical texels of a level `row_texels` wide that starts as zeros, after an upload at `offset_texels`."""
    cdef UserImage image = _image(format, type, size, store)
    cdef uint32_t number = pipe_format_of(internal)
    cdef const pipe_FormatInfo* info = &pipe_formats[number]
    cdef uint64_t applied = 0, offset, total
    cdef uint8_t* base
    cdef Arena* arena
    cdef Shadow shadow
    cdef Tight target
    if number == FORMAT_NONE:
        raise ValueError("no internal format")
    if image.first + image.size > <uint64_t>data.shape[0]:
        raise ValueError("too few bytes")
    width, height, depth = size
    canonical_layout(&target, number)
    target.row_stride = (row_texels or width) * info.texel_bytes
    target.slice_stride = target.row_stride * height
    offset = offset_texels * info.texel_bytes
    total = target.slice_stride * depth + offset
    base = segment_map(-1, CEILING)
    arena = arena_new(base, -1, CEILING, &applied)
    memset(&shadow, 0, sizeof(shadow))
    try:
        if shadow_init(arena, &shadow, total) != 0:
            raise MemoryError
        memset(shadow_pointer(arena, &shadow, 0, total), 0, total)
        if pixels_unpack(arena, &shadow, offset, &target, &image, &data[0] + image.first) != 0:
            raise MemoryError
        texels = bytearray(total)
        shadow_read(arena, &shadow, 0, <uint8_t*>texels, total)
        return bytes(texels)
    finally:
        shadow_clear(arena, &shadow)
        arena_free(arena)
        segment_unmap(base, CEILING)


def pack(const uint8_t[::1] texels, format, type, size, uint8_t[::1] into, internal=None, layout=None, clamp=False,
         **store):
    """Texels in an internal format's canonical layout, or a read layout, into the program's memory."""
    cdef UserImage image = _image(format, type, size, store)
    cdef Tight source
    cdef uint32_t texel_bytes
    if layout is not None:
        source.format = pipe_read_layouts[<uint32_t>layout].pixel_format
        source.type = pipe_read_layouts[<uint32_t>layout].pixel_type
        source.depth_bits = 0
        texel_bytes = pipe_read_layouts[<uint32_t>layout].texel_bytes
    else:
        canonical_layout(&source, pipe_format_of(internal))
        texel_bytes = pipe_formats[pipe_format_of(internal)].texel_bytes
    width, height, depth = size
    source.row_stride = width * texel_bytes
    source.slice_stride = source.row_stride * height
    if source.slice_stride * depth > <uint64_t>texels.shape[0] or image.first + image.size > <uint64_t>into.shape[0]:
        raise ValueError("too few bytes")
    pixels_pack(&into[0] + image.first, &image, &source, &texels[0], clamp)


def rgtc_decode(const uint8_t[::1] blocks, uint32_t width, uint32_t height, uint32_t components, bint is_signed) -> bytes:
    cdef uint64_t row = (width + 3) // 4 * components * 8
    texels = bytearray(width * height * components)
    cdef uint8_t[::1] into = texels
    assert blocks.shape[0] == row * ((height + 3) // 4)
    decode_blocks(&blocks[0], row, &into[0], width, height, components, is_signed)
    return bytes(texels)


def rgtc_encode(const uint8_t[::1] texels, uint32_t width, uint32_t height, uint32_t components, bint is_signed) -> bytes:
    blocks = bytearray((width + 3) // 4 * ((height + 3) // 4) * components * 8)
    cdef uint8_t[::1] into = blocks
    assert texels.shape[0] == width * height * components
    encode_blocks(&texels[0], &into[0], width, height, components, is_signed)
    return bytes(blocks)
