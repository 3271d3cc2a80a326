"""Internal formats, pixel formats and pixel types: what a texel is, declared once.

Three tables. `FORMATS` says of every internal format what its texels hold, how they cross the boundary (one canonical
layout each, tight rows) and how a read of them comes back. `PIXEL_FORMATS` and `PIXEL_TYPES` are the two enums of
glTexImage and glReadPixels. The generator (generator/formats.py) makes pipe_formats.h and pipe_formats.pxd of them.

A canonical layout is one that desktop OpenGL 3.3 and OpenGL ES 3.2 both take for the same sized format, so that a
driver of either kind stores an upload without converting it. Where ES has no such format, `es` names what stores it there:
with the same layout, or (`es_extension`) only where that extension is present.
"""

from dataclasses import dataclass, field
from enum import IntEnum


class Kind(IntEnum):
    """What the bits of a component mean."""

    NONE = 0
    UNORM = 1
    SNORM = 2
    FLOAT = 3
    INT = 4
    UINT = 5


class ReadLayout(IntEnum):
    """The layouts in which a driver is asked for texels; the client makes the program's format and type from them."""

    RGBA8 = 0
    RGBA16 = 1
    RGBA32F = 2
    RGBA32I = 3
    RGBA32UI = 4
    DEPTH32F = 5
    STENCIL8 = 6
    DEPTH24_STENCIL8 = 7
    DEPTH32F_STENCIL8 = 8
    BLOCKS = 9                          # of a compressed format, as bytes: rows of blocks


@dataclass(frozen=True)
class PixelFormat:
    """A `format` argument: which component each element of a group is (RGBA by 0 1 2 3, depth 4, stencil 5)."""

    name: str
    value: int
    components: tuple[int, ...]
    integer: bool = False


@dataclass(frozen=True)
class PixelType:
    """A `type` argument. Packed types hold one whole group: `fields` are (shift, bits) of its components, in order."""

    name: str
    value: int
    size_bytes: int                     # of one element, or of the whole group when packed
    kind: Kind                          # of an element in a format that is not integer
    fields: tuple[tuple[int, int], ...] = ()
    special: str = ""                   # packed types whose fields are no plain integers
    formats: tuple[str, ...] = ()       # the only formats that a packed type goes with
    swap_bytes: int = 0                 # unit of GL_PACK_SWAP_BYTES, 0: size_bytes


# Formats of one class may show each other's texels (specification table 8.22): GL_VIEW_CLASS_….
VIEW_CLASSES = {
    "128_BITS": 0x82C4, "96_BITS": 0x82C5, "64_BITS": 0x82C6, "48_BITS": 0x82C7, "32_BITS": 0x82C8, "24_BITS": 0x82C9,
    "16_BITS": 0x82CA, "8_BITS": 0x82CB, "S3TC_DXT1_RGB": 0x82CC, "S3TC_DXT1_RGBA": 0x82CD, "S3TC_DXT3_RGBA": 0x82CE,
    "S3TC_DXT5_RGBA": 0x82CF, "RGTC1_RED": 0x82D0, "RGTC2_RG": 0x82D1, "BPTC_UNORM": 0x82D2, "BPTC_FLOAT": 0x82D3,
}
_VIEW_CLASS_OF = {              # where the name does not say it by its bits
    "RGB_S3TC_DXT1": "S3TC_DXT1_RGB", "SRGB_S3TC_DXT1": "S3TC_DXT1_RGB", "ALPHA_S3TC_DXT1": "S3TC_DXT1_RGBA",
    "RGBA_S3TC_DXT1": "S3TC_DXT1_RGBA", "_DXT3": "S3TC_DXT3_RGBA", "_DXT5": "S3TC_DXT5_RGBA", "RGTC1": "RGTC1_RED",
    "RGTC2": "RGTC2_RG", "BPTC_UNORM": "BPTC_UNORM", "_FLOAT": "BPTC_FLOAT",
}


def _view_class(row: "Format") -> str:
    if row.block_bytes:
        return next((name for part, name in _VIEW_CLASS_OF.items() if part in row.name), "")
    if row.depth_bits or row.stencil_bits or row.type.startswith("UNSIGNED_SHORT_"):
        return ""                           # RGB565, RGBA4, RGB5_A1 are in no class
    bits = sum(row.bits) + row.shared_bits
    return f"{bits}_BITS"


@dataclass(frozen=True)
class Format:
    """One sized internal format."""

    name: str
    value: int
    base: str                           # base internal format
    bits: tuple[int, int, int, int]     # red green blue alpha
    kind: Kind
    upload: str                         # PIXEL_FORMATS name of the canonical layout
    type: str                           # PIXEL_TYPES name of the canonical layout
    read: ReadLayout
    depth_bits: int = 0
    depth_kind: Kind = Kind.NONE
    stencil_bits: int = 0
    shared_bits: int = 0                # of a shared exponent
    srgb: bool = False
    renderable: bool = True             # may be an attachment, and the storage of a renderbuffer
    required_renderable: bool = True    # false: a driver may answer FRAMEBUFFER_UNSUPPORTED (texture-only)
    es: str = ""                        # what stores it in ES; empty: itself
    es_render: str = ""                 # what stores it in ES where it must be an attachment; empty: as `es`
    es_extension: str = ""              # needed for that by ES
    block_bytes: int = 0                # of a compressed block of 4 × 4 texels, which is what crosses; 0: not compressed
    encodes: bool = False               # a driver must compress texels given in the canonical layout
    filterable: bool = field(init=False)
    view_class: str = field(init=False) # of VIEW_CLASSES; empty: only textures of the same format share its texels

    def __post_init__(self) -> None:
        filterable = self.kind in (Kind.UNORM, Kind.SNORM, Kind.FLOAT) or self.depth_bits > 0
        object.__setattr__(self, "filterable", filterable)
        object.__setattr__(self, "view_class", _view_class(self))


R, G, B, A, D, S = range(6)

PIXEL_FORMATS = (
    PixelFormat("STENCIL_INDEX", 0x1901, (S,)),
    PixelFormat("DEPTH_COMPONENT", 0x1902, (D,)),
    PixelFormat("DEPTH_STENCIL", 0x84F9, (D, S)),
    PixelFormat("RED", 0x1903, (R,)),
    PixelFormat("GREEN", 0x1904, (G,)),
    PixelFormat("BLUE", 0x1905, (B,)),
    PixelFormat("RG", 0x8227, (R, G)),
    PixelFormat("RGB", 0x1907, (R, G, B)),
    PixelFormat("BGR", 0x80E0, (B, G, R)),
    PixelFormat("RGBA", 0x1908, (R, G, B, A)),
    PixelFormat("BGRA", 0x80E1, (B, G, R, A)),
    PixelFormat("RED_INTEGER", 0x8D94, (R,), integer=True),
    PixelFormat("GREEN_INTEGER", 0x8D95, (G,), integer=True),
    PixelFormat("BLUE_INTEGER", 0x8D96, (B,), integer=True),
    PixelFormat("RG_INTEGER", 0x8228, (R, G), integer=True),
    PixelFormat("RGB_INTEGER", 0x8D98, (R, G, B), integer=True),
    PixelFormat("BGR_INTEGER", 0x8D9A, (B, G, R), integer=True),
    PixelFormat("RGBA_INTEGER", 0x8D99, (R, G, B, A), integer=True),
    PixelFormat("BGRA_INTEGER", 0x8D9B, (B, G, R, A), integer=True),
)

_RGB = ("RGB", "RGB_INTEGER")
_RGBA = ("RGBA", "BGRA", "RGBA_INTEGER", "BGRA_INTEGER")

PIXEL_TYPES = (
    PixelType("UNSIGNED_BYTE", 0x1401, 1, Kind.UNORM),
    PixelType("BYTE", 0x1400, 1, Kind.SNORM),
    PixelType("UNSIGNED_SHORT", 0x1403, 2, Kind.UNORM),
    PixelType("SHORT", 0x1402, 2, Kind.SNORM),
    PixelType("UNSIGNED_INT", 0x1405, 4, Kind.UNORM),
    PixelType("INT", 0x1404, 4, Kind.SNORM),
    PixelType("HALF_FLOAT", 0x140B, 2, Kind.FLOAT),
    PixelType("FLOAT", 0x1406, 4, Kind.FLOAT),
    PixelType("UNSIGNED_BYTE_3_3_2", 0x8032, 1, Kind.UNORM, ((5, 3), (2, 3), (0, 2)), formats=_RGB),
    PixelType("UNSIGNED_BYTE_2_3_3_REV", 0x8362, 1, Kind.UNORM, ((0, 3), (3, 3), (6, 2)), formats=_RGB),
    PixelType("UNSIGNED_SHORT_5_6_5", 0x8363, 2, Kind.UNORM, ((11, 5), (5, 6), (0, 5)), formats=_RGB),
    PixelType("UNSIGNED_SHORT_5_6_5_REV", 0x8364, 2, Kind.UNORM, ((0, 5), (5, 6), (11, 5)), formats=_RGB),
    PixelType("UNSIGNED_SHORT_4_4_4_4", 0x8033, 2, Kind.UNORM, ((12, 4), (8, 4), (4, 4), (0, 4)), formats=_RGBA),
    PixelType("UNSIGNED_SHORT_4_4_4_4_REV", 0x8365, 2, Kind.UNORM, ((0, 4), (4, 4), (8, 4), (12, 4)), formats=_RGBA),
    PixelType("UNSIGNED_SHORT_5_5_5_1", 0x8034, 2, Kind.UNORM, ((11, 5), (6, 5), (1, 5), (0, 1)), formats=_RGBA),
    PixelType("UNSIGNED_SHORT_1_5_5_5_REV", 0x8366, 2, Kind.UNORM, ((0, 5), (5, 5), (10, 5), (15, 1)), formats=_RGBA),
    PixelType("UNSIGNED_INT_8_8_8_8", 0x8035, 4, Kind.UNORM, ((24, 8), (16, 8), (8, 8), (0, 8)), formats=_RGBA),
    PixelType("UNSIGNED_INT_8_8_8_8_REV", 0x8367, 4, Kind.UNORM, ((0, 8), (8, 8), (16, 8), (24, 8)), formats=_RGBA),
    PixelType("UNSIGNED_INT_10_10_10_2", 0x8036, 4, Kind.UNORM, ((22, 10), (12, 10), (2, 10), (0, 2)), formats=_RGBA),
    PixelType("UNSIGNED_INT_2_10_10_10_REV", 0x8368, 4, Kind.UNORM, ((0, 10), (10, 10), (20, 10), (30, 2)),
              formats=_RGBA),
    PixelType("UNSIGNED_INT_10F_11F_11F_REV", 0x8C3B, 4, Kind.FLOAT, ((0, 11), (11, 11), (22, 10)), "R11G11B10F",
              ("RGB",)),
    PixelType("UNSIGNED_INT_5_9_9_9_REV", 0x8C3E, 4, Kind.FLOAT, ((0, 9), (9, 9), (18, 9)), "RGB9E5", ("RGB",)),
    PixelType("UNSIGNED_INT_24_8", 0x84FA, 4, Kind.UNORM, ((8, 24), (0, 8)), "D24S8", ("DEPTH_STENCIL",)),
    PixelType("FLOAT_32_UNSIGNED_INT_24_8_REV", 0x8DAD, 8, Kind.FLOAT, ((0, 32), (32, 8)), "D32FS8",
              ("DEPTH_STENCIL",), 4),
)

# What a read layout is in terms of the two tables above.
READ_LAYOUTS = {
    ReadLayout.RGBA8: ("RGBA", "UNSIGNED_BYTE"),
    ReadLayout.RGBA16: ("RGBA", "UNSIGNED_SHORT"),
    ReadLayout.RGBA32F: ("RGBA", "FLOAT"),
    ReadLayout.RGBA32I: ("RGBA_INTEGER", "INT"),
    ReadLayout.RGBA32UI: ("RGBA_INTEGER", "UNSIGNED_INT"),
    ReadLayout.DEPTH32F: ("DEPTH_COMPONENT", "FLOAT"),
    ReadLayout.DEPTH24_STENCIL8: ("DEPTH_STENCIL", "UNSIGNED_INT_24_8"),
    ReadLayout.DEPTH32F_STENCIL8: ("DEPTH_STENCIL", "FLOAT_32_UNSIGNED_INT_24_8_REV"),
    ReadLayout.STENCIL8: ("STENCIL_INDEX", "UNSIGNED_BYTE"),
    ReadLayout.BLOCKS: ("RED", "UNSIGNED_BYTE"),
}

_NORM16 = "GL_EXT_texture_norm16"
_UNORM, _SNORM, _FLOAT, _INT, _UINT = Kind.UNORM, Kind.SNORM, Kind.FLOAT, Kind.INT, Kind.UINT
_NO_COLOR = (0, 0, 0, 0)


def _color(name, value, base, bits, kind, type, **more):
    upload = f"{base}_INTEGER" if kind in (_INT, _UINT) else base
    read = {_INT: ReadLayout.RGBA32I, _UINT: ReadLayout.RGBA32UI}.get(kind, ReadLayout.RGBA32F)
    if kind is _UNORM and {*bits} <= {0, 1, 2, 4, 8, 16}:       # 31 does not divide 255, nor 1023 65535
        read = ReadLayout.RGBA8 if max(bits) <= 8 else ReadLayout.RGBA16
    return Format(name, value, base, bits, kind, upload, type, read, **more)


def _rgb(name, value, bits, kind, type, **more):
    """Three components: the specification asks nobody to render to them (except RGB8 in ES and RGB565)."""
    return _color(name, value, "RGB", bits, kind, type, required_renderable=False, **more)


def _depth(name, value, bits, kind, type, **more):
    return Format(name, value, "DEPTH_COMPONENT", _NO_COLOR, Kind.NONE, "DEPTH_COMPONENT", type, ReadLayout.DEPTH32F,
                  depth_bits=bits, depth_kind=kind, **more)


def _blocks(name, value, bits, kind, type, block_bytes, **more):
    """A compressed format of 4 × 4 texels a block. Its canonical layout is what the driver compresses."""
    base = ("RED", "RG", "RGB", "RGBA")[sum(b > 0 for b in bits) - 1]
    return _color(f"COMPRESSED_{name}", value, base, bits, kind, type, renderable=False, required_renderable=False,
                  block_bytes=block_bytes, **more)


# Row 0 is "no format"; a format's number, in structs and in records, is its position here counted from 1. Only append.
FORMATS = (
    _color("R8", 0x8229, "RED", (8, 0, 0, 0), _UNORM, "UNSIGNED_BYTE"),
    _color("R8_SNORM", 0x8F94, "RED", (8, 0, 0, 0), _SNORM, "BYTE", required_renderable=False),
    _color("R16", 0x822A, "RED", (16, 0, 0, 0), _UNORM, "UNSIGNED_SHORT", es_extension=_NORM16),
    _color("R16_SNORM", 0x8F98, "RED", (16, 0, 0, 0), _SNORM, "SHORT", required_renderable=False, es_extension=_NORM16),
    _color("R16F", 0x822D, "RED", (16, 0, 0, 0), _FLOAT, "HALF_FLOAT"),
    _color("R32F", 0x822E, "RED", (32, 0, 0, 0), _FLOAT, "FLOAT"),
    _color("R8I", 0x8231, "RED", (8, 0, 0, 0), _INT, "BYTE"),
    _color("R8UI", 0x8232, "RED", (8, 0, 0, 0), _UINT, "UNSIGNED_BYTE"),
    _color("R16I", 0x8233, "RED", (16, 0, 0, 0), _INT, "SHORT"),
    _color("R16UI", 0x8234, "RED", (16, 0, 0, 0), _UINT, "UNSIGNED_SHORT"),
    _color("R32I", 0x8235, "RED", (32, 0, 0, 0), _INT, "INT"),
    _color("R32UI", 0x8236, "RED", (32, 0, 0, 0), _UINT, "UNSIGNED_INT"),

    _color("RG8", 0x822B, "RG", (8, 8, 0, 0), _UNORM, "UNSIGNED_BYTE"),
    _color("RG8_SNORM", 0x8F95, "RG", (8, 8, 0, 0), _SNORM, "BYTE", required_renderable=False),
    _color("RG16", 0x822C, "RG", (16, 16, 0, 0), _UNORM, "UNSIGNED_SHORT", es_extension=_NORM16),
    _color("RG16_SNORM", 0x8F99, "RG", (16, 16, 0, 0), _SNORM, "SHORT", required_renderable=False,
           es_extension=_NORM16),
    _color("RG16F", 0x822F, "RG", (16, 16, 0, 0), _FLOAT, "HALF_FLOAT"),
    _color("RG32F", 0x8230, "RG", (32, 32, 0, 0), _FLOAT, "FLOAT"),
    _color("RG8I", 0x8237, "RG", (8, 8, 0, 0), _INT, "BYTE"),
    _color("RG8UI", 0x8238, "RG", (8, 8, 0, 0), _UINT, "UNSIGNED_BYTE"),
    _color("RG16I", 0x8239, "RG", (16, 16, 0, 0), _INT, "SHORT"),
    _color("RG16UI", 0x823A, "RG", (16, 16, 0, 0), _UINT, "UNSIGNED_SHORT"),
    _color("RG32I", 0x823B, "RG", (32, 32, 0, 0), _INT, "INT"),
    _color("RG32UI", 0x823C, "RG", (32, 32, 0, 0), _UINT, "UNSIGNED_INT"),

    _rgb("RGB8", 0x8051, (8, 8, 8, 0), _UNORM, "UNSIGNED_BYTE"),
    _rgb("RGB8_SNORM", 0x8F96, (8, 8, 8, 0), _SNORM, "BYTE", es_render="RGBA8_SNORM"),
    _rgb("RGB16", 0x8054, (16, 16, 16, 0), _UNORM, "UNSIGNED_SHORT", es_render="RGBA16", es_extension=_NORM16),
    _rgb("RGB16_SNORM", 0x8F9A, (16, 16, 16, 0), _SNORM, "SHORT", es_render="RGBA16_SNORM", es_extension=_NORM16),
    _rgb("RGB16F", 0x881B, (16, 16, 16, 0), _FLOAT, "HALF_FLOAT", es_render="RGBA16F"),
    _rgb("RGB32F", 0x8815, (32, 32, 32, 0), _FLOAT, "FLOAT", es_render="RGBA32F"),
    _rgb("RGB8I", 0x8D8F, (8, 8, 8, 0), _INT, "BYTE", es_render="RGBA8I"),
    _rgb("RGB8UI", 0x8D7D, (8, 8, 8, 0), _UINT, "UNSIGNED_BYTE", es_render="RGBA8UI"),
    _rgb("RGB16I", 0x8D89, (16, 16, 16, 0), _INT, "SHORT", es_render="RGBA16I"),
    _rgb("RGB16UI", 0x8D77, (16, 16, 16, 0), _UINT, "UNSIGNED_SHORT", es_render="RGBA16UI"),
    _rgb("RGB32I", 0x8D83, (32, 32, 32, 0), _INT, "INT", es_render="RGBA32I"),
    _rgb("RGB32UI", 0x8D71, (32, 32, 32, 0), _UINT, "UNSIGNED_INT", es_render="RGBA32UI"),
    _rgb("SRGB8", 0x8C41, (8, 8, 8, 0), _UNORM, "UNSIGNED_BYTE", srgb=True, es_render="SRGB8_ALPHA8"),
    _rgb("RGB565", 0x8D62, (5, 6, 5, 0), _UNORM, "UNSIGNED_SHORT_5_6_5"),
    _color("R11F_G11F_B10F", 0x8C3A, "RGB", (11, 11, 10, 0), _FLOAT, "UNSIGNED_INT_10F_11F_11F_REV"),
    _rgb("RGB9_E5", 0x8C3D, (9, 9, 9, 0), _FLOAT, "UNSIGNED_INT_5_9_9_9_REV", shared_bits=5, renderable=False),

    _color("RGBA8", 0x8058, "RGBA", (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE"),
    _color("RGBA8_SNORM", 0x8F97, "RGBA", (8, 8, 8, 8), _SNORM, "BYTE", required_renderable=False),
    _color("RGBA16", 0x805B, "RGBA", (16, 16, 16, 16), _UNORM, "UNSIGNED_SHORT", es_extension=_NORM16),
    _color("RGBA16_SNORM", 0x8F9B, "RGBA", (16, 16, 16, 16), _SNORM, "SHORT", required_renderable=False,
           es_extension=_NORM16),
    _color("RGBA16F", 0x881A, "RGBA", (16, 16, 16, 16), _FLOAT, "HALF_FLOAT"),
    _color("RGBA32F", 0x8814, "RGBA", (32, 32, 32, 32), _FLOAT, "FLOAT"),
    _color("RGBA8I", 0x8D8E, "RGBA", (8, 8, 8, 8), _INT, "BYTE"),
    _color("RGBA8UI", 0x8D7C, "RGBA", (8, 8, 8, 8), _UINT, "UNSIGNED_BYTE"),
    _color("RGBA16I", 0x8D88, "RGBA", (16, 16, 16, 16), _INT, "SHORT"),
    _color("RGBA16UI", 0x8D76, "RGBA", (16, 16, 16, 16), _UINT, "UNSIGNED_SHORT"),
    _color("RGBA32I", 0x8D82, "RGBA", (32, 32, 32, 32), _INT, "INT"),
    _color("RGBA32UI", 0x8D70, "RGBA", (32, 32, 32, 32), _UINT, "UNSIGNED_INT"),
    _color("SRGB8_ALPHA8", 0x8C43, "RGBA", (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE", srgb=True),
    _color("RGBA4", 0x8056, "RGBA", (4, 4, 4, 4), _UNORM, "UNSIGNED_SHORT_4_4_4_4", required_renderable=False),
    _color("RGB5_A1", 0x8057, "RGBA", (5, 5, 5, 1), _UNORM, "UNSIGNED_SHORT_5_5_5_1", required_renderable=False),
    _color("RGB10_A2", 0x8059, "RGBA", (10, 10, 10, 2), _UNORM, "UNSIGNED_INT_2_10_10_10_REV"),
    _color("RGB10_A2UI", 0x906F, "RGBA", (10, 10, 10, 2), _UINT, "UNSIGNED_INT_2_10_10_10_REV"),

    _depth("DEPTH_COMPONENT16", 0x81A5, 16, _UNORM, "UNSIGNED_SHORT"),
    _depth("DEPTH_COMPONENT24", 0x81A6, 24, _UNORM, "UNSIGNED_INT"),
    _depth("DEPTH_COMPONENT32", 0x81A7, 32, _UNORM, "UNSIGNED_INT", required_renderable=False, es="DEPTH_COMPONENT24"),
    _depth("DEPTH_COMPONENT32F", 0x8CAC, 32, _FLOAT, "FLOAT"),
    Format("DEPTH24_STENCIL8", 0x88F0, "DEPTH_STENCIL", _NO_COLOR, Kind.NONE, "DEPTH_STENCIL", "UNSIGNED_INT_24_8",
           ReadLayout.DEPTH24_STENCIL8, depth_bits=24, depth_kind=_UNORM, stencil_bits=8),
    Format("DEPTH32F_STENCIL8", 0x8CAD, "DEPTH_STENCIL", _NO_COLOR, Kind.NONE, "DEPTH_STENCIL",
           "FLOAT_32_UNSIGNED_INT_24_8_REV", ReadLayout.DEPTH32F_STENCIL8, depth_bits=32, depth_kind=_FLOAT,
           stencil_bits=8),
    Format("STENCIL_INDEX8", 0x8D48, "STENCIL_INDEX", _NO_COLOR, Kind.NONE, "STENCIL_INDEX", "UNSIGNED_BYTE",
           ReadLayout.STENCIL8, stencil_bits=8),

    # Compressed. A driver of OpenGL 3.3 has RGTC, one of 4.2 BPTC, one of 4.3 ETC2 and EAC; S3TC is an extension.
    # OpenGL ES compresses nothing and filters no blocks into levels: there RGTC is stored as the texels that it stands for.
    _blocks("RED_RGTC1", 0x8DBB, (8, 0, 0, 0), _UNORM, "UNSIGNED_BYTE", 8, encodes=True, es="R8"),
    _blocks("SIGNED_RED_RGTC1", 0x8DBC, (8, 0, 0, 0), _SNORM, "BYTE", 8, encodes=True, es="R8_SNORM"),
    _blocks("RG_RGTC2", 0x8DBD, (8, 8, 0, 0), _UNORM, "UNSIGNED_BYTE", 16, encodes=True, es="RG8"),
    _blocks("SIGNED_RG_RGTC2", 0x8DBE, (8, 8, 0, 0), _SNORM, "BYTE", 16, encodes=True, es="RG8_SNORM"),
    _blocks("RGBA_BPTC_UNORM", 0x8E8C, (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE", 16, encodes=True),
    _blocks("SRGB_ALPHA_BPTC_UNORM", 0x8E8D, (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE", 16, encodes=True, srgb=True),
    _blocks("RGB_BPTC_SIGNED_FLOAT", 0x8E8E, (16, 16, 16, 0), _FLOAT, "FLOAT", 16, encodes=True),
    _blocks("RGB_BPTC_UNSIGNED_FLOAT", 0x8E8F, (16, 16, 16, 0), _FLOAT, "FLOAT", 16, encodes=True),
    _blocks("RGB_S3TC_DXT1_EXT", 0x83F0, (4, 4, 4, 0), _UNORM, "UNSIGNED_BYTE", 8, encodes=True),
    _blocks("RGBA_S3TC_DXT1_EXT", 0x83F1, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 8, encodes=True),
    _blocks("RGBA_S3TC_DXT3_EXT", 0x83F2, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 16, encodes=True),
    _blocks("RGBA_S3TC_DXT5_EXT", 0x83F3, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 16, encodes=True),
    _blocks("SRGB_S3TC_DXT1_EXT", 0x8C4C, (4, 4, 4, 0), _UNORM, "UNSIGNED_BYTE", 8, encodes=True, srgb=True),
    _blocks("SRGB_ALPHA_S3TC_DXT1_EXT", 0x8C4D, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 8, encodes=True, srgb=True),
    _blocks("SRGB_ALPHA_S3TC_DXT3_EXT", 0x8C4E, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 16, encodes=True, srgb=True),
    _blocks("SRGB_ALPHA_S3TC_DXT5_EXT", 0x8C4F, (4, 4, 4, 4), _UNORM, "UNSIGNED_BYTE", 16, encodes=True, srgb=True),
    _blocks("RGB8_ETC2", 0x9274, (8, 8, 8, 0), _UNORM, "UNSIGNED_BYTE", 8),
    _blocks("SRGB8_ETC2", 0x9275, (8, 8, 8, 0), _UNORM, "UNSIGNED_BYTE", 8, srgb=True),
    _blocks("RGB8_PUNCHTHROUGH_ALPHA1_ETC2", 0x9276, (8, 8, 8, 1), _UNORM, "UNSIGNED_BYTE", 8),
    _blocks("SRGB8_PUNCHTHROUGH_ALPHA1_ETC2", 0x9277, (8, 8, 8, 1), _UNORM, "UNSIGNED_BYTE", 8, srgb=True),
    _blocks("RGBA8_ETC2_EAC", 0x9278, (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE", 16),
    _blocks("SRGB8_ALPHA8_ETC2_EAC", 0x9279, (8, 8, 8, 8), _UNORM, "UNSIGNED_BYTE", 16, srgb=True),
    _blocks("R11_EAC", 0x9270, (11, 0, 0, 0), _UNORM, "UNSIGNED_SHORT", 8),
    _blocks("SIGNED_R11_EAC", 0x9271, (11, 0, 0, 0), _SNORM, "SHORT", 8),
    _blocks("RG11_EAC", 0x9272, (11, 11, 0, 0), _UNORM, "UNSIGNED_SHORT", 16),
    _blocks("SIGNED_RG11_EAC", 0x9273, (11, 11, 0, 0), _SNORM, "SHORT", 16),
)

# Internal formats stored as another one. The specification lets an implementation choose for unsized and generic
# compressed formats, and give more bits than a sized one asks for; these have no layout that both dialects take.
STORED_AS = {
    ("RED", 0x1903): "R8", ("RG", 0x8227): "RG8", ("RGB", 0x1907): "RGB8", ("RGBA", 0x1908): "RGBA8",
    ("SRGB", 0x8C40): "SRGB8", ("SRGB_ALPHA", 0x8C42): "SRGB8_ALPHA8",
    ("DEPTH_COMPONENT", 0x1902): "DEPTH_COMPONENT24", ("DEPTH_STENCIL", 0x84F9): "DEPTH24_STENCIL8",
    ("STENCIL_INDEX", 0x1901): "STENCIL_INDEX8",
    ("R3_G3_B2", 0x2A10): "RGB8", ("RGB4", 0x804F): "RGB8", ("RGB5", 0x8050): "RGB8",
    ("RGB10", 0x8052): "RGB16", ("RGB12", 0x8053): "RGB16",
    ("RGBA2", 0x8055): "RGBA8", ("RGBA12", 0x805A): "RGBA16",
    ("STENCIL_INDEX1", 0x8D46): "STENCIL_INDEX8", ("STENCIL_INDEX4", 0x8D47): "STENCIL_INDEX8",
    ("COMPRESSED_RED", 0x8225): "R8", ("COMPRESSED_RG", 0x8226): "RG8", ("COMPRESSED_RGB", 0x84ED): "RGB8",
    ("COMPRESSED_RGBA", 0x84EE): "RGBA8", ("COMPRESSED_SRGB", 0x8C48): "SRGB8",
    ("COMPRESSED_SRGB_ALPHA", 0x8C49): "SRGB8_ALPHA8",
}
