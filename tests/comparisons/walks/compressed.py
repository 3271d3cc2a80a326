"""Compressed formats: definition in blocks and in texels, parts, storage, reads in both forms, levels, errors, sampling."""

import ctypes
import random

VERTEX = """#version 330
void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }"""
FRAGMENT = """#version 330
uniform sampler2D it; out vec4 color;
void main() { color = texelFetch(it, ivec2(gl_FragCoord.xy), 0) * 0.5 + 0.25; }"""
FORMATS = {   # bytes of a block; what a read of its texels asks for
    "RED_RGTC1": (8, "RED"), "SIGNED_RED_RGTC1": (8, "RED"), "RG_RGTC2": (16, "RG"), "SIGNED_RG_RGTC2": (16, "RG"),
    "RGBA_BPTC_UNORM": (16, "RGBA"), "SRGB_ALPHA_BPTC_UNORM": (16, "RGBA"), "RGB_BPTC_SIGNED_FLOAT": (16, "RGB"),
    "RGB_BPTC_UNSIGNED_FLOAT": (16, "RGB"), "RGB_S3TC_DXT1_EXT": (8, "RGB"), "RGBA_S3TC_DXT1_EXT": (8, "RGBA"),
    "RGBA_S3TC_DXT3_EXT": (16, "RGBA"), "RGBA_S3TC_DXT5_EXT": (16, "RGBA"), "SRGB_S3TC_DXT1_EXT": (8, "RGB"),
    "SRGB_ALPHA_S3TC_DXT1_EXT": (8, "RGBA"), "SRGB_ALPHA_S3TC_DXT5_EXT": (16, "RGBA"), "RGB8_ETC2": (8, "RGB"),
    "SRGB8_ETC2": (8, "RGB"), "RGB8_PUNCHTHROUGH_ALPHA1_ETC2": (8, "RGBA"), "RGBA8_ETC2_EAC": (16, "RGBA"),
    "SRGB8_ALPHA8_ETC2_EAC": (16, "RGBA"), "R11_EAC": (8, "RED"), "SIGNED_R11_EAC": (8, "RED"), "RG11_EAC": (16, "RG"),
    "SIGNED_RG11_EAC": (16, "RG"),
}
WIDTH, HEIGHT = 12, 10          # the last row of blocks reaches over the edge
QUERIES = ("WIDTH", "HEIGHT", "DEPTH", "INTERNAL_FORMAT", "COMPRESSED", "COMPRESSED_IMAGE_SIZE", "RED_TYPE", "ALPHA_TYPE")


def blocks(seed: int, size: int) -> bytes:
    """Any bytes are blocks; all ones in the exponents of BC6H would be infinite, which nobody compares."""
    return bytes(value & 0x7B for value in random.Random(seed).randbytes(size))


def size_of(width: int, height: int, block: int, depth: int = 1) -> int:
    return (width + 3) // 4 * ((height + 3) // 4) * block * depth


def compressed(gl, target: int, size: int, level: int = 0) -> tuple[str, bytes]:
    into = ctypes.create_string_buffer(b"\xCD" * (size + 8), size + 8)
    gl.GetCompressedTexImage(target, level, into)
    return gl.error(), into.raw


def texels(gl, target: int, format: str, count: int, level: int = 0) -> tuple[str, bytes]:
    into = ctypes.create_string_buffer(count * {"RED": 1, "RG": 2, "RGB": 3, "RGBA": 4}[format] * 4)
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.GetTexImage(target, level, getattr(gl, format), gl.FLOAT, into)
    return gl.error(), into.raw


def levels(gl, target: int, level: int = 0) -> list:
    return [(gl.ints("GetTexLevelParameteriv", target, level, getattr(gl, f"TEXTURE_{q}"))[0], gl.error()) for q in QUERIES]


def texture(gl, target: int) -> int:
    name = gl.gen("Textures")
    gl.BindTexture(target, name)
    gl.TexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.TexParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    return name


def sampled(gl, program: int) -> bytes:
    gl.target(WIDTH, HEIGHT, "RGBA32F")
    gl.UseProgram(program)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    return gl.pixels(WIDTH, HEIGHT, "RGBA", "FLOAT", 16)


def one_format(gl, name: str, block: int, format: str, program: int) -> dict:
    said = {}
    internal, target = getattr(gl, f"COMPRESSED_{name}"), gl.TEXTURE_2D
    size = size_of(WIDTH, HEIGHT, block)
    texture(gl, target)
    gl.CompressedTexImage2D(target, 0, internal, WIDTH, HEIGHT, 0, size, blocks(1, size))
    said["defined"] = gl.error(), levels(gl, target), compressed(gl, target, size)
    said["texels"] = texels(gl, target, format, WIDTH * HEIGHT)
    said["sampled"] = sampled(gl, program)
    gl.CompressedTexSubImage2D(target, 0, 4, 4, 8, 6, internal, size_of(8, 6, block), blocks(2, size_of(8, 6, block)))
    said["part"] = gl.error(), compressed(gl, target, size), texels(gl, target, format, WIDTH * HEIGHT)
    for what, box in (("off a block", (2, 0, 4, 4)), ("short of a block", (0, 0, 6, 4)), ("outside", (8, 8, 8, 4))):
        gl.CompressedTexSubImage2D(target, 0, *box, internal, size_of(*box[2:], block), bytes(64))
        said[what] = gl.error()
    gl.CompressedTexSubImage2D(target, 0, 0, 0, 4, 4, internal, block + 1, bytes(64))
    said["wrong size"] = gl.error()
    gl.CompressedTexSubImage2D(target, 0, 0, 0, 4, 4, gl.COMPRESSED_RGBA_BPTC_UNORM if block == 8 else gl.COMPRESSED_RED_RGTC1,
                               24 - block, bytes(64))
    said["another format"] = gl.error()
    gl.CompressedTexImage2D(target, 1, internal, 6, 5, 0, size_of(6, 5, block), blocks(3, size_of(6, 5, block)))
    said["level 1"] = gl.error(), levels(gl, target, 1), compressed(gl, target, size_of(6, 5, block), 1)
    given_in_blocks_only = "ETC2" in name or "EAC" in name
    gl.GenerateMipmap(target)
    said["mipmap"] = bool(gl.error()) if given_in_blocks_only else (gl.error(), levels(gl, target, 2))
    texture(gl, target)
    gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
    pixels = random.Random(4).randbytes(WIDTH * HEIGHT * 4)
    gl.TexImage2D(target, 0, internal, WIDTH, HEIGHT, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    said["given in texels"] = gl.error(), levels(gl, target)
    if not given_in_blocks_only:
        said["compressed"] = compressed(gl, target, size), texels(gl, target, format, WIDTH * HEIGHT)
        gl.TexSubImage2D(target, 0, 4, 4, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        said["part in texels"] = gl.error(), compressed(gl, target, size)
        gl.TexSubImage2D(target, 0, 1, 4, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, bytes(64))
        said["part in texels off a block"] = gl.error()
    texture(gl, target)
    gl.TexStorage2D(target, 2, internal, WIDTH, HEIGHT)
    said["stored"] = gl.error(), levels(gl, target), levels(gl, target, 1), levels(gl, target, 2)
    gl.CompressedTexSubImage2D(target, 1, 0, 0, 6, 5, internal, size_of(6, 5, block), blocks(5, size_of(6, 5, block)))
    said["stored part"] = gl.error(), compressed(gl, target, size_of(6, 5, block), 1)
    for what in ("TEXTURE_3D", "TEXTURE_2D_ARRAY", "TEXTURE_CUBE_MAP_ARRAY"):
        other = getattr(gl, what)
        texture(gl, other)
        gl.CompressedTexImage3D(other, 0, internal, 8, 8, 6, 0, 24 * block, blocks(6, 24 * block))
        if what == "TEXTURE_3D" and "BPTC" not in name:     # INVALID_OPERATION, says the specification; Mesa, INVALID_ENUM
            said[what] = bool(gl.error())
            continue
        said[what] = gl.error(), levels(gl, other)
        gl.CompressedTexSubImage3D(other, 0, 0, 4, 2, 8, 4, 2, internal, 4 * block, blocks(7, 4 * block))
        said[f"{what} part"] = gl.error(), compressed(gl, other, 24 * block)
    for what in ("TEXTURE_1D", "TEXTURE_1D_ARRAY", "TEXTURE_RECTANGLE", "TEXTURE_CUBE_MAP_NEGATIVE_Y"):
        other = getattr(gl, what)
        if what == "TEXTURE_1D":
            gl.CompressedTexImage1D(other, 0, internal, 4, 0, block, bytes(block))
        else:
            gl.CompressedTexImage2D(other, 0, internal, 4, 4, 0, block, blocks(8, block))
        said[what] = gl.error(), what.endswith("_Y") and compressed(gl, other, block)
    return said


def formats(gl) -> list[int]:
    """Of those a driver recommends, the ones that the specification asks for: ETC2 and EAC."""
    count = gl.ints("GetIntegerv", gl.NUM_COMPRESSED_TEXTURE_FORMATS)[0]
    found = gl.ints("GetIntegerv", gl.COMPRESSED_TEXTURE_FORMATS, count=count)
    return sorted(f for f in found if gl.COMPRESSED_R11_EAC <= f <= gl.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC)


def walk(gl) -> dict:
    said = {}
    program = gl.program(VERTEX, FRAGMENT)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    for name, (block, format) in FORMATS.items():
        said |= {f"{name} {question}": answer for question, answer in one_format(gl, name, block, format, program).items()}
    said["formats"] = formats(gl)
    return said | block_store(gl) | errors(gl)


def block_store(gl) -> dict:
    """Block parameters of the pixel store, in both directions, and a pack buffer."""
    said = {}
    target, internal = gl.TEXTURE_2D, gl.COMPRESSED_RED_RGTC1
    for end in ("UNPACK", "PACK"):
        for what, value in (("WIDTH", 4), ("HEIGHT", 4), ("DEPTH", 1), ("SIZE", 8)):
            gl.PixelStorei(getattr(gl, f"{end}_COMPRESSED_BLOCK_{what}"), value)
    said["stored"] = [gl.ints("GetIntegerv", getattr(gl, f"PACK_COMPRESSED_BLOCK_{w}")) for w in ("WIDTH", "SIZE")]
    gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 16)
    gl.PixelStorei(gl.UNPACK_SKIP_PIXELS, 4)
    gl.PixelStorei(gl.UNPACK_SKIP_ROWS, 4)
    texture(gl, target)
    gl.CompressedTexImage2D(target, 0, internal, 8, 8, 0, 32, blocks(9, 256))
    said["unpacked"] = gl.error(), compressed(gl, target, 32)
    for what in ("ROW_LENGTH", "SKIP_PIXELS", "SKIP_ROWS"):
        gl.PixelStorei(getattr(gl, f"UNPACK_{what}"), 0)
    gl.PixelStorei(gl.PACK_ROW_LENGTH, 12)
    gl.PixelStorei(gl.PACK_SKIP_ROWS, 4)
    said["packed"] = compressed(gl, target, 96)
    gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
    gl.PixelStorei(gl.PACK_SKIP_ROWS, 0)
    for end in ("UNPACK", "PACK"):
        for what in ("WIDTH", "HEIGHT", "DEPTH", "SIZE"):
            gl.PixelStorei(getattr(gl, f"{end}_COMPRESSED_BLOCK_{what}"), 0)
    buffer = gl.gen("Buffers")
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
    gl.BufferData(gl.PIXEL_PACK_BUFFER, 48, bytes(48), gl.STREAM_READ)
    gl.GetCompressedTexImage(target, 0, 8)
    got = ctypes.create_string_buffer(48)
    gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, 0, 48, got)
    said["to a buffer"] = gl.error(), got.raw
    gl.GetCompressedTexImage(target, 0, 24)
    said["beyond a buffer"] = gl.error()
    gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
    return said


def errors(gl) -> dict:
    said = {}
    target = gl.TEXTURE_2D
    texture(gl, target)
    for name in ("COMPRESSED_RED", "COMPRESSED_RGBA", "RGBA8", "RGBA"):
        gl.CompressedTexImage2D(target, 0, getattr(gl, name), 4, 4, 0, 8, bytes(64))
        said[f"in blocks of {name}"] = gl.error()
    gl.CompressedTexImage2D(target, 0, gl.COMPRESSED_RED_RGTC1, 4, 4, 1, 8, bytes(64))
    said["border"] = gl.error()
    gl.CompressedTexImage2D(target, -1, gl.COMPRESSED_RED_RGTC1, 4, 4, 0, 8, bytes(64))
    said["level"] = gl.error()
    gl.CompressedTexImage2D(target, 0, gl.COMPRESSED_RED_RGTC1, 4, 4, 0, 16, bytes(64))
    said["size"] = gl.error()
    gl.TexImage2D(target, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    said["get of texels"] = compressed(gl, target, 8)
    gl.CompressedTexSubImage2D(target, 0, 0, 0, 4, 4, gl.COMPRESSED_RED_RGTC1, 8, bytes(64))
    said["part of texels"] = gl.error()
    gl.ints("GetTexLevelParameteriv", target, 0, gl.TEXTURE_COMPRESSED_IMAGE_SIZE)
    said["size of texels"] = gl.error()
    return said
