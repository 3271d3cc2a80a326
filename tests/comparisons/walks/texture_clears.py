"""glClearTexImage, glClearTexSubImage: every format, every target, parts, what is left, values in other types, errors."""

import ctypes
import random

from walks.texture_views import SIZE, storage, texels

COLORS = ("R8", "R8_SNORM", "R16", "R16F", "R32F", "RG8", "RG16_SNORM", "RG32F", "RGB8", "SRGB8", "RGB565", "RGB16F", "RGB32F", "R11F_G11F_B10F",
          "RGB9_E5", "RGBA8", "RGBA8_SNORM", "RGBA16", "RGBA16F", "RGBA32F", "SRGB8_ALPHA8", "RGBA4", "RGB5_A1", "RGB10_A2")
INTEGERS = ("R8I", "R8UI", "R16I", "R32UI", "RG8I", "RG16UI", "RG32I", "RGB8UI", "RGB32I", "RGBA8I", "RGBA16UI", "RGBA32I", "RGBA32UI", "RGB10_A2UI")
DEPTHS = {"DEPTH_COMPONENT16": "DEPTH_COMPONENT", "DEPTH_COMPONENT24": "DEPTH_COMPONENT", "DEPTH_COMPONENT32F": "DEPTH_COMPONENT",
          "DEPTH24_STENCIL8": "DEPTH_STENCIL", "DEPTH32F_STENCIL8": "DEPTH_STENCIL"}
TARGETS = ("TEXTURE_1D", "TEXTURE_1D_ARRAY", "TEXTURE_2D", "TEXTURE_2D_ARRAY", "TEXTURE_3D", "TEXTURE_CUBE_MAP", "TEXTURE_CUBE_MAP_ARRAY",
           "TEXTURE_RECTANGLE")
BOXES = {"TEXTURE_1D": ((2, 0, 0, 3, 1, 1), (1, 0, 0, 2, 1, 1)), "TEXTURE_1D_ARRAY": ((2, 3, 0, 3, 4, 1), (1, 2, 0, 2, 1, 1))}
OTHERS = ((2, 1, 0, 3, 4, 1), (1, 2, 0, 2, 2, 1))
DEEP = ((2, 1, 2, 3, 4, 3), (1, 2, 1, 2, 2, 2))
TRIANGLE = """#version 330
void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }"""
SAMPLES = """#version 330
uniform sampler2DMS it; out vec4 color;
void main() { color = texelFetch(it, ivec2(gl_FragCoord.xy), 3); }"""


def noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def got(gl, format: str, type: str, level: int = 0) -> tuple[str, bytes]:
    into = ctypes.create_string_buffer(SIZE * SIZE * 16)
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.GetTexImage(gl.TEXTURE_2D, level, getattr(gl, format), getattr(gl, type), into)
    return gl.error(), into.raw


def formats(gl) -> dict:
    said = {}
    floats = (ctypes.c_float * 4)(0.3, 0.7, 0.2, 0.9)
    for internal in (*COLORS, *INTEGERS, *DEPTHS):
        integer, format = internal in INTEGERS, DEPTHS.get(internal, "RGBA")
        name = gl.gen("Textures")
        gl.BindTexture(gl.TEXTURE_2D, name)
        gl.TexImage2D(gl.TEXTURE_2D, 0, getattr(gl, internal), SIZE, SIZE, 0,
                      gl.RGBA_INTEGER if integer else getattr(gl, format), gl.UNSIGNED_INT_24_8 if format == "DEPTH_STENCIL" else
                      gl.UNSIGNED_BYTE, noise(1, SIZE * SIZE * 4))
        signed = integer and not internal.endswith("UI")
        read = ("RGBA_INTEGER", "INT" if signed else "UNSIGNED_INT") if integer else \
            (format, "UNSIGNED_INT_24_8" if format == "DEPTH_STENCIL" else "FLOAT")
        given = (("RGBA_INTEGER", "UNSIGNED_BYTE", noise(2, 4)), ("RGBA_INTEGER", "SHORT" if signed else "UNSIGNED_SHORT", noise(3, 8))) if integer \
            else (("DEPTH_STENCIL", "UNSIGNED_INT_24_8", noise(4, 4)),) if format == "DEPTH_STENCIL" \
            else ((format, "FLOAT", floats), (format, "UNSIGNED_BYTE", noise(5, 4)), (format, "UNSIGNED_SHORT", noise(6, 8)))
        for pixel_format, type, data in given:
            gl.ClearTexSubImage(name, 0, 1, 2, 0, 4, 3, 1, getattr(gl, pixel_format), getattr(gl, type), data)
            said[f"{internal} {type}"] = gl.error(), got(gl, *read)
        gl.ClearTexImage(name, 0, getattr(gl, given[0][0]), getattr(gl, given[0][1]), None)
        said[f"{internal} zero"] = gl.error(), got(gl, *read)
    return said


def targets(gl) -> dict:
    said = {}
    for target in TARGETS:
        name = storage(gl, target)
        faces = range(6) if target == "TEXTURE_CUBE_MAP" else (None,)
        boxes = BOXES.get(target) or (OTHERS if target in ("TEXTURE_2D", "TEXTURE_RECTANGLE") else DEEP)
        for level, box in enumerate(boxes if target != "TEXTURE_RECTANGLE" else boxes[:1]):
            gl.ClearTexSubImage(name, level, *box, gl.RGBA, gl.UNSIGNED_BYTE, noise(7 + level, 4))
            said[f"{target} part of {level}"] = gl.error(), [texels(gl, target, level, face) for face in faces]
        gl.ClearTexImage(name, 0, gl.BGRA, gl.UNSIGNED_BYTE, noise(9, 4))
        said[f"{target} all"] = gl.error(), [texels(gl, target, level, face) for face in faces for level in range(1 + (target[-1] == "Y"))]
        for what, other in (("x", (6, 0, 0, 3, 1, 1)), ("y", (0, 11, 0, 1, 2, 1)), ("z", (0, 0, 12, 1, 1, 1)), ("negative", (-1, 0, 0, 1, 1, 1))):
            gl.ClearTexSubImage(name, 0, *other, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
            said[f"{target} beyond {what}"] = bool(gl.error())
    return said


def samples(gl) -> dict:
    said = {}
    gl.UseProgram(gl.program(TRIANGLE, SAMPLES))
    for internal in ("RGBA8", "SRGB8_ALPHA8", "RGBA16F"):
        name = gl.gen("Textures")
        gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, name)
        gl.TexImage2DMultisample(gl.TEXTURE_2D_MULTISAMPLE, 4, getattr(gl, internal), SIZE, SIZE, True)
        gl.ClearTexImage(name, 0, gl.RGBA, gl.UNSIGNED_BYTE, noise(10, 4))
        gl.ClearTexSubImage(name, 0, 2, 3, 0, 4, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, noise(11, 4))
        said[f"{internal} cleared"] = gl.error()
        gl.target(SIZE, SIZE, "RGBA16F")
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        said[f"{internal} sampled"] = gl.pixels(SIZE, SIZE), gl.error()
    return said


def errors(gl) -> dict:
    said = {}
    name = storage(gl, "TEXTURE_2D")
    mutable, buffer, depth, integer, blocks = (gl.gen("Textures") for _ in range(5))
    gl.BindTexture(gl.TEXTURE_2D, mutable)
    gl.BindTexture(gl.TEXTURE_BUFFER, buffer)
    for other, internal in ((depth, gl.DEPTH_COMPONENT24), (integer, gl.RGBA8UI), (blocks, gl.COMPRESSED_RED_RGTC1)):
        gl.BindTexture(gl.TEXTURE_2D, other)
        gl.TexStorage2D(gl.TEXTURE_2D, 1, internal, SIZE, SIZE)
    for what, arguments in {
        "zero": (0, 0, "RGBA", "UNSIGNED_BYTE"), "no texture": (999, 0, "RGBA", "UNSIGNED_BYTE"), "without image": (mutable, 0, "RGBA", "UNSIGNED_BYTE"),
        "a buffer": (buffer, 0, "RGBA", "UNSIGNED_BYTE"), "level": (name, 3, "RGBA", "UNSIGNED_BYTE"),
        "blocks": (blocks, 0, "RED", "UNSIGNED_BYTE"), "depth as colour": (depth, 0, "RGBA", "UNSIGNED_BYTE"),
        "colour as depth": (name, 0, "DEPTH_COMPONENT", "FLOAT"), "integer as colour": (integer, 0, "RGBA", "UNSIGNED_BYTE"),
        "colour as integer": (name, 0, "RGBA_INTEGER", "UNSIGNED_BYTE"),
        "packed": (name, 0, "RED", "UNSIGNED_SHORT_5_6_5")}.items():
        gl.ClearTexImage(arguments[0], arguments[1], getattr(gl, arguments[2]), getattr(gl, arguments[3]), bytes(16))
        said[what] = gl.error()
    gl.ClearTexSubImage(name, 0, 0, 0, 0, -1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
    said["negative size"] = bool(gl.error())
    gl.ClearTexSubImage(name, 0, 0, 0, 0, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
    said["nothing"] = gl.error()
    return said


def walk(gl) -> dict:
    gl.BindVertexArray(gl.gen("VertexArrays"))
    said = {}
    for part in (formats, targets, samples, errors):
        said |= {f"{part.__name__}: {question}": answer for question, answer in part(gl).items()}
    return said
