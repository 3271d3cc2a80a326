"""Write the format tables as C and Cython from src/mgpipe/catalogue/formats.py.

usage: formats.py CATALOGUE OUT.h OUT.pxd

The header holds static tables: what includes it (the front end, the back ends) carries its own few kilobytes.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

SPECIALS = ("", "R11G11B10F", "RGB9E5", "D24S8", "D32FS8")
CHANNELS = 6


class Inconsistent(Exception):
    """The declaration contradicts itself; the message names the row."""


def load(path: str) -> ModuleType:
    spec = spec_from_file_location("formats_declaration", path)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module    # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def texel_bytes(formats: ModuleType, upload: str, type_name: str) -> int:
    """Bytes of one group of pixels; refuses a packed type that does not go with the format."""
    pixel_format = next(f for f in formats.PIXEL_FORMATS if f.name == upload)
    pixel_type = next(t for t in formats.PIXEL_TYPES if t.name == type_name)
    if not pixel_type.fields:
        return pixel_type.size_bytes * len(pixel_format.components)
    if upload not in pixel_type.formats:
        raise Inconsistent(f"{type_name} does not go with {upload}")
    return pixel_type.size_bytes


def check(formats: ModuleType) -> None:
    """Refuse what would make a table that lies."""
    for what, rows in (("format", formats.FORMATS), ("pixel format", formats.PIXEL_FORMATS), ("pixel type",
                                                                                              formats.PIXEL_TYPES)):
        for key in ("name", "value"):
            seen = [getattr(row, key) for row in rows]
            for value in seen:
                if seen.count(value) > 1:
                    raise Inconsistent(f"{what} {value} is declared twice")
    uploads = {f.name: f for f in formats.PIXEL_FORMATS}
    types = {t.name: t for t in formats.PIXEL_TYPES}
    names = {f.name for f in formats.FORMATS}
    for pixel_type in formats.PIXEL_TYPES:
        covered = sum(((1 << bits) - 1) << shift for shift, bits in pixel_type.fields)
        if pixel_type.special != "D32FS8" and pixel_type.special != "RGB9E5" and pixel_type.fields and \
                covered != (1 << 8 * pixel_type.size_bytes) - 1:
            raise Inconsistent(f"{pixel_type.name}: its fields do not fill it")
        if pixel_type.special not in SPECIALS:
            raise Inconsistent(f"{pixel_type.name}: no code handles {pixel_type.special}")
        for name in pixel_type.formats:
            if name not in uploads:
                raise Inconsistent(f"{pixel_type.name}: unknown format {name}")
            if len(uploads[name].components) != len(pixel_type.fields):
                raise Inconsistent(f"{pixel_type.name}: {name} has another number of components")
    for f in formats.FORMATS:
        if f.upload not in uploads or f.type not in types:
            raise Inconsistent(f"{f.name}: unknown canonical layout {f.upload}, {f.type}")
        texel_bytes(formats, f.upload, f.type)
        if f.block_bytes and (f.renderable or f.block_bytes not in (8, 16)):
            raise Inconsistent(f"{f.name}: no compressed format like that")
        integer = f.kind in (formats.Kind.INT, formats.Kind.UINT)
        if uploads[f.upload].integer != integer:
            raise Inconsistent(f"{f.name}: {f.upload} and {f.kind.name} contradict each other")
        held = {c for c, bits in enumerate((*f.bits, f.depth_bits, f.stencil_bits)) if bits}
        if held != set(uploads[f.upload].components):
            raise Inconsistent(f"{f.name}: {f.upload} does not carry its components")
        layout = formats.READ_LAYOUTS[f.read]
        if not held <= set(uploads[layout[0]].components):
            raise Inconsistent(f"{f.name}: {f.read.name} does not carry its components")
        if f.view_class and f.view_class not in formats.VIEW_CLASSES:
            raise Inconsistent(f"{f.name}: there is no view class {f.view_class}")
        for stored in (f.es, f.es_render):
            if stored and stored not in names:
                raise Inconsistent(f"{f.name}: stored in ES as {stored}, which does not exist")
    for (name, value), stored in formats.STORED_AS.items():
        if stored not in names:
            raise Inconsistent(f"{name} is stored as {stored}, which does not exist")
        if any(f.value == value for f in formats.FORMATS):
            raise Inconsistent(f"{name} is both a format and stored as another")


FIELDS = """\
    uint32_t internal;           /* GL enum of the sized internal format */
    uint32_t base;               /* GL enum of its base internal format */
    uint32_t upload_format;      /* GL enums of the canonical layout */
    uint32_t upload_type;
    uint32_t es_internal;        /* GL enum of what stores it in ES */
    uint32_t es_render;          /* the same where it must be an attachment; other components than es_internal: widen */
    uint32_t texel_bytes;
    uint8_t bits[6];             /* red green blue alpha depth stencil */
    uint8_t shared_bits;
    uint8_t kind;                /* FORMAT_KIND_* of the colour components */
    uint8_t depth_kind;
    uint8_t read_layout;         /* pipe_read_layouts[] */
    uint8_t pixel_format;        /* pipe_pixel_formats[] of the canonical layout */
    uint8_t pixel_type;          /* pipe_pixel_types[] of it */
    uint8_t color_renderable;
    uint8_t depth_renderable;
    uint8_t stencil_renderable;
    uint8_t required_renderable; /* 0: a driver may refuse it as an attachment */
    uint8_t filterable;
    uint8_t srgb;
    uint8_t block_bytes;         /* of 4 x 4 texels, 0: not compressed */
    uint8_t encodes;             /* a driver compresses texels of the canonical layout */
    uint32_t view_class;         /* GL enum of those whose texels it may show; 0: only its own */
    const char *es_extension;    /* needed to store it in ES; NULL: none */
    const char *name;"""

PIXEL_FORMAT_FIELDS = """\
    uint32_t value;
    uint8_t count;               /* components of a group */
    uint8_t components[4];       /* 0 to 3: red green blue alpha; 4 depth, 5 stencil */
    uint8_t integer;
    const char *name;"""

PIXEL_TYPE_FIELDS = """\
    uint32_t value;
    uint8_t size_bytes;          /* of an element; of the whole group when packed */
    uint8_t kind;                /* FORMAT_KIND_* in a format that is not integer */
    uint8_t packed;              /* fields in a group, 0: not packed */
    uint8_t special;             /* PIXEL_SPECIAL_* */
    uint8_t swap_bytes;          /* unit of GL_PACK_SWAP_BYTES */
    uint8_t shift[4];
    uint8_t bits[4];
    uint32_t formats;            /* bit per pipe_pixel_formats[] that a packed type goes with */
    const char *name;"""

READ_LAYOUT_FIELDS = """\
    uint32_t format, type;       /* GL enums */
    uint32_t texel_bytes;
    uint8_t pixel_format, pixel_type;"""

STRUCTS = (("pipe_FormatInfo", FIELDS), ("pipe_PixelFormat", PIXEL_FORMAT_FIELDS), ("pipe_PixelType",
                                                                                    PIXEL_TYPE_FIELDS),
           ("pipe_ReadLayout", READ_LAYOUT_FIELDS))


def row(*values: object) -> str:
    return "    {" + ", ".join(braced(v) for v in values) + "},"


def braced(value: object) -> str:
    if value is None:
        return "0"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (tuple, list)):
        return "{" + ", ".join(str(v) for v in value) + "}"
    return hex(value) if isinstance(value, int) and value > 255 else str(int(value))


def padded(values: list[int], count: int) -> list[int]:
    return list(values) + [0] * (count - len(values))


def format_rows(formats: ModuleType) -> list[str]:
    value_of = {f.name: f.value for f in formats.FORMATS} | {f.name: f.value for f in formats.PIXEL_FORMATS}
    upload_names = [f.name for f in formats.PIXEL_FORMATS]
    type_names = [t.name for t in formats.PIXEL_TYPES]
    types = {t.name: t for t in formats.PIXEL_TYPES}
    rows = ["    {0},"]
    for f in formats.FORMATS:
        es = f.es or f.name
        color = f.renderable and any(f.bits)
        rows.append(row(
            f.value, value_of[f.base], value_of[f.upload], types[f.type].value, value_of[es], value_of[f.es_render
                                                                                                       or es],
            texel_bytes(formats, f.upload, f.type), [*f.bits, f.depth_bits, f.stencil_bits], f.shared_bits, f.kind,
            f.depth_kind, f.read, upload_names.index(f.upload), type_names.index(f.type), color,
            f.renderable and f.depth_bits > 0, f.renderable and f.stencil_bits > 0, f.required_renderable, f.filterable,
            f.srgb, f.block_bytes, f.encodes, formats.VIEW_CLASSES.get(f.view_class, 0), f.es_extension or None, f.name))
    return rows


def table(c_type: str, name: str, rows: list[str]) -> list[str]:
    return [f"static const {c_type} {name}[{len(rows)}] = {{", *rows, "};", ""]


def constants(formats: ModuleType) -> list[tuple[str, list[str]]]:
    """Enumerators, as (comment, names); each list counts from 0."""
    return [
        ("position in pipe_formats[]", ["FORMAT_NONE", *(f"FORMAT_{f.name}" for f in formats.FORMATS), "FORMAT_COUNT"]),
        ("meaning of a component", [f"FORMAT_KIND_{k.name}" for k in formats.Kind]),
        ("packed types that need code", [f"PIXEL_SPECIAL_{s or 'NONE'}" for s in SPECIALS]),
        ("position in pipe_pixel_formats[]", [*(f"PIXEL_{f.name}" for f in formats.PIXEL_FORMATS),
                                              "PIXEL_FORMAT_COUNT"]),
        ("position in pipe_pixel_types[]", [*(f"PIXEL_TYPE_{t.name}" for t in formats.PIXEL_TYPES),
                                            "PIXEL_TYPE_COUNT"]),
    ]


def lookup(name: str, cases: list[tuple[int, str]], missing: str) -> list[str]:
    return [f"static inline uint32_t {name}(uint32_t value) {{", "    switch (value) {",
            *(f"    case 0x{value:04X}: return {result};" for value, result in cases),
            f"    default: return {missing};", "    }", "}", ""]


def header(formats: ModuleType) -> str:
    upload_names = [f.name for f in formats.PIXEL_FORMATS]
    type_names = [t.name for t in formats.PIXEL_TYPES]
    values = {f.name: f.value for f in (*formats.PIXEL_FORMATS, *formats.PIXEL_TYPES)}
    lines = ["/* Generated by generator/formats.py from src/mgpipe/catalogue/formats.py. */", "#pragma once", "",
             "#include <stdint.h>", ""]
    for comment, names in constants(formats):
        lines += [f"enum {{ /* {comment} */", *(f"    {name}," for name in names), "};", ""]
    for name, fields in STRUCTS:
        lines += [f"typedef struct {{\n{fields}\n}} {name};", ""]
    lines += ["#if defined(__GNUC__)", "#pragma GCC diagnostic push",
              '#pragma GCC diagnostic ignored "-Wunused-variable"',
              '#pragma GCC diagnostic ignored "-Wunused-const-variable"',
              '#pragma GCC diagnostic ignored "-Wmissing-field-initializers"', "#endif", ""]
    lines += table("pipe_FormatInfo", "pipe_formats", format_rows(formats))
    lines += table("pipe_PixelFormat", "pipe_pixel_formats", [
        row(f.value, len(f.components), padded(f.components, 4), f.integer, f.name) for f in formats.PIXEL_FORMATS])
    lines += table("pipe_PixelType", "pipe_pixel_types", [
        row(t.value, t.size_bytes, t.kind, len(t.fields), SPECIALS.index(t.special), t.swap_bytes or t.size_bytes,
            padded([s for s, _ in t.fields], 4), padded([b for _, b in t.fields], 4),
            sum(1 << upload_names.index(n) for n in t.formats), t.name) for t in formats.PIXEL_TYPES])
    lines += table("pipe_ReadLayout", "pipe_read_layouts", [
        row(values[f], values[t], texel_bytes(formats, f, t), upload_names.index(f), type_names.index(t))
        for f, t in (formats.READ_LAYOUTS[layout] for layout in formats.ReadLayout)])
    lines += ["#if defined(__GNUC__)", "#pragma GCC diagnostic pop", "#endif", "",
              "/* Position of an internal format, sized or not, in pipe_formats[]; FORMAT_NONE: not one. */"]
    lines += lookup("pipe_format_of", [(f.value, f"FORMAT_{f.name}") for f in formats.FORMATS] +
                    [(value, f"FORMAT_{stored}") for (_, value), stored in formats.STORED_AS.items()], "FORMAT_NONE")
    lines += ["/* Whether the program asked for exactly that sized format (else it was chosen for it). */"]
    lines += lookup("pipe_format_sized", [(f.value, "1") for f in formats.FORMATS], "0")
    lines += lookup("pipe_pixel_format_of", [(f.value, f"PIXEL_{f.name}") for f in formats.PIXEL_FORMATS],
                    "PIXEL_FORMAT_COUNT")
    lines += lookup("pipe_pixel_type_of", [(t.value, f"PIXEL_TYPE_{t.name}") for t in formats.PIXEL_TYPES],
                    "PIXEL_TYPE_COUNT")
    return "\n".join(lines)


def pxd(formats: ModuleType) -> str:
    lines = ["# Generated by generator/formats.py from src/mgpipe/catalogue/formats.py.", "",
             "from libc.stdint cimport uint8_t, uint32_t", "", 'cdef extern from "pipe_formats.h" nogil:']
    for comment, names in constants(formats):
        lines += [f"    enum:    # {comment}", *(f"        {name}" for name in names), ""]
    for name, fields in STRUCTS:
        lines.append(f"    ctypedef struct {name}:")
        for field in fields.splitlines():
            text, _, comment = field.strip().partition(";")
            comment = comment.strip().removeprefix("/* ").removesuffix(" */")
            lines.append(f"        {text.replace(' *', '* ')}" + (f"    # {comment}" if comment else ""))
        lines.append("")
    lines += [f"    const pipe_FormatInfo pipe_formats[{len(formats.FORMATS) + 1}]",
              f"    const pipe_PixelFormat pipe_pixel_formats[{len(formats.PIXEL_FORMATS)}]",
              f"    const pipe_PixelType pipe_pixel_types[{len(formats.PIXEL_TYPES)}]",
              f"    const pipe_ReadLayout pipe_read_layouts[{len(formats.READ_LAYOUTS)}]"]
    lines += [f"    uint32_t {name}(uint32_t value)" for name in (
        "pipe_format_of", "pipe_format_sized", "pipe_pixel_format_of", "pipe_pixel_type_of")]
    return "\n".join(lines) + "\n"


def write_if_changed(path: str, text: str) -> None:
    """An untouched file rebuilds nothing."""
    target = Path(path)
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


def main(catalogue: str, out_header: str, out_pxd: str) -> None:
    formats = load(catalogue)
    check(formats)
    write_if_changed(out_header, header(formats))
    write_if_changed(out_pxd, pxd(formats))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Inconsistent as error:
        sys.exit(f"formats.py: {error}")
