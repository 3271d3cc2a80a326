"""glCopyImageSubData: between all targets and renderbuffers, formats of a class, compressed and not, parts, errors."""

import ctypes
import random

from walks.texture_views import SIZE, storage, texels

ENDS = ("TEXTURE_1D", "TEXTURE_1D_ARRAY", "TEXTURE_2D", "TEXTURE_2D_ARRAY", "TEXTURE_3D", "TEXTURE_CUBE_MAP", "TEXTURE_CUBE_MAP_ARRAY",
        "TEXTURE_RECTANGLE", "RENDERBUFFER")
FORMATS = ("RGBA8", "RGBA8UI", "R32F", "RGB10_A2", "RGBA16F", "RG32UI", "RGBA32F", "RGBA32UI", "RGB8", "RGBA4", "RGB5_A1", "DEPTH_COMPONENT24",
           "DEPTH24_STENCIL8", "DEPTH_COMPONENT32F", "COMPRESSED_RED_RGTC1", "COMPRESSED_SIGNED_RED_RGTC1",
           "COMPRESSED_RG_RGTC2", "COMPRESSED_RGBA_BPTC_UNORM", "COMPRESSED_SRGB_ALPHA_BPTC_UNORM")


def noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def end(gl, target: str) -> int:
    if target != "RENDERBUFFER":
        return storage(gl, target)
    gl.target(SIZE, SIZE)
    gl.ClearColor(0.2, 0.4, 0.6, 0.8)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    return gl.ints("GetIntegerv", gl.RENDERBUFFER_BINDING)[0]


def content(gl, target: str) -> object:
    if target == "RENDERBUFFER":
        return gl.pixels(SIZE, SIZE)
    faces = range(6) if target == "TEXTURE_CUBE_MAP" else (None,)
    return [texels(gl, target, level, face) for level in (0, 1) for face in faces]


def pairs(gl) -> dict:
    said = {}
    for source in ENDS:
        for target in ENDS:
            a, b = end(gl, source), end(gl, target)
            flat = "1D" in source or "1D" in target
            single = {"TEXTURE_RECTANGLE", "RENDERBUFFER"}
            layered = {"TEXTURE_1D_ARRAY", "TEXTURE_2D_ARRAY", "TEXTURE_CUBE_MAP", "TEXTURE_CUBE_MAP_ARRAY", "TEXTURE_3D"}
            depth = 2 if {source, target} <= layered else 1
            gl.CopyImageSubData(a, getattr(gl, source), 0 if source in single else 1, 1, 0 if flat else 1, 1 if source in layered else 0,
                                b, getattr(gl, target), 0, 2, 0 if flat else 4, 2 if target in layered else 0,
                                3, 1 if flat else 2, depth)
            said[f"{source} to {target}"] = gl.error(), content(gl, target)
            if target == "TEXTURE_1D_ARRAY":
                gl.CopyImageSubData(a, getattr(gl, source), 0, 0, 0, 0, b, gl.TEXTURE_1D_ARRAY, 0, 0, 1, 0, 1, 1, 1)
                said[f"{source} to a row of {target}"] = gl.error()
    return said


def made(gl, internal: str, size: int = SIZE) -> int:
    name = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, name)
    gl.TexStorage2D(gl.TEXTURE_2D, 1, getattr(gl, internal), size, size)
    return name


def formats(gl) -> dict:
    said = {}
    for source in FORMATS:
        for target in FORMATS:
            a, b = made(gl, source, 16), made(gl, target, 16)
            gl.CopyImageSubData(a, gl.TEXTURE_2D, 0, 0, 0, 0, b, gl.TEXTURE_2D, 0, 0, 0, 0, 4, 4, 1)
            said[f"{source} to {target}"] = gl.error()
            gl.delete("Textures", a, b)
    return said


def blocks_of(gl, internal: str, block: int, size: int, seed: int) -> int:
    name, count = gl.gen("Textures"), (size + 3) // 4
    gl.BindTexture(gl.TEXTURE_2D, name)
    gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0)
    gl.CompressedTexImage2D(gl.TEXTURE_2D, 0, getattr(gl, internal), size, size, 0, count * count * block,
                            noise(seed, count * count * block))
    return name


def compressed(gl) -> dict:
    """Blocks as texels and texels as blocks."""
    said = {}
    for internal, block, texel, type, format in (("COMPRESSED_RED_RGTC1", 8, "RG32UI", "UNSIGNED_INT", "RG_INTEGER"),
                                                 ("COMPRESSED_RGBA_BPTC_UNORM", 16, "RGBA32UI", "UNSIGNED_INT", "RGBA_INTEGER")):
        blocks = blocks_of(gl, internal, block, 16, 1)
        plain = made(gl, texel)
        gl.CopyImageSubData(blocks, gl.TEXTURE_2D, 0, 4, 8, 0, plain, gl.TEXTURE_2D, 0, 1, 2, 0, 8, 4, 1)
        into = ctypes.create_string_buffer(SIZE * SIZE * 16)
        gl.GetTexImage(gl.TEXTURE_2D, 0, getattr(gl, format), getattr(gl, type), into)
        said[f"{internal} to {texel}"] = gl.error(), into.raw
        gl.BindTexture(gl.TEXTURE_2D, plain)
        gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SIZE, SIZE, getattr(gl, format), getattr(gl, type), noise(3, SIZE * SIZE * block))
        gl.CopyImageSubData(plain, gl.TEXTURE_2D, 0, 2, 3, 0, blocks, gl.TEXTURE_2D, 0, 8, 4, 0, 2, 3, 1)
        gl.BindTexture(gl.TEXTURE_2D, blocks)
        gl.GetCompressedTexImage(gl.TEXTURE_2D, 0, into)
        said[f"{texel} to {internal}"] = gl.error(), into.raw
        other = blocks_of(gl, internal, block, 10, 2)
        gl.CopyImageSubData(blocks, gl.TEXTURE_2D, 0, 4, 4, 0, other, gl.TEXTURE_2D, 0, 4, 0, 0, 4, 8, 1)
        gl.GetCompressedTexImage(gl.TEXTURE_2D, 0, into)
        said[f"{internal} to {internal}"] = gl.error(), into.raw
        for what, (x, y, to_x, to_y, width, height) in {
                "off a block": (2, 0, 0, 0, 4, 4), "off a block there": (0, 0, 0, 2, 4, 4), "short of a block": (0, 0, 0, 0, 6, 4)}.items():
            gl.CopyImageSubData(blocks, gl.TEXTURE_2D, 0, x, y, 0, other, gl.TEXTURE_2D, 0, to_x, to_y, 0, width, height, 1)
            said[f"{internal} {what}"] = gl.error()
    return said


def errors(gl) -> dict:
    said = {}
    a, b = made(gl, "RGBA8"), made(gl, "RGBA8")
    cube = storage(gl, "TEXTURE_CUBE_MAP")
    many = storage(gl, "TEXTURE_2D_MULTISAMPLE")
    incomplete = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, incomplete)
    undefined = gl.gen("Renderbuffers")
    gl.BindRenderbuffer(gl.RENDERBUFFER, undefined)
    halves = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, halves)
    for level in (0, 1):
        gl.TexImage2D(gl.TEXTURE_2D, level, gl.RGBA8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    two = gl.TEXTURE_2D
    for what, arguments in {
        "no texture": (999, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "no target texture": (a, two, 0, 0, 0, 0, 999, two, 0, 0, 0, 0, 1, 1, 1),
        "zero": (0, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "another target": (a, gl.TEXTURE_3D, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "a face": (cube, gl.TEXTURE_CUBE_MAP_POSITIVE_X, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "a buffer": (a, gl.TEXTURE_BUFFER, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "a proxy": (a, gl.PROXY_TEXTURE_2D, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "nonsense": (a, 77, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "no renderbuffer": (999, gl.RENDERBUFFER, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "undefined renderbuffer": (undefined, gl.RENDERBUFFER, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "incomplete": (incomplete, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "incomplete mipmap": (halves, two, 1, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "its base level": (halves, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "level": (a, two, 1, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "negative level": (a, two, -1, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "negative": (a, two, 0, -1, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1),
        "negative size": (a, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, -1, 1, 1), "beyond": (a, two, 0, 5, 0, 0, b, two, 0, 0, 0, 0, 4, 1, 1),
        "beyond there": (a, two, 0, 0, 0, 0, b, two, 0, 0, 5, 0, 1, 4, 1), "deep": (a, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 2),
        "a seventh face": (cube, gl.TEXTURE_CUBE_MAP, 0, 0, 0, 6, b, two, 0, 0, 0, 0, 1, 1, 1),
        "samples": (many, gl.TEXTURE_2D_MULTISAMPLE, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 1, 1, 1), "nothing": (a, two, 0, 0, 0, 0, b, two, 0, 0, 0, 0, 0, 1, 1)}.items():
        gl.CopyImageSubData(*arguments)
        said[what] = gl.error()
    return said


def walk(gl) -> dict:
    said = {}
    for part in (pairs, formats, compressed, errors):
        said |= {f"{part.__name__}: {question}": answer for question, answer in part(gl).items()}
    return said
