"""Write the driver's functions and constants that a back end uses, with their signatures from the Khronos registry.

usage: driver_functions.py OUT.pxd OUT.h SOURCE.pyx…

A back end calls `gl.BindBuffer(…)` and `egl.Initialize(…)` and says GL_… and EGL_…; this reads its sources and declares
exactly those. The loader's table says for every function which version or extension brings it under which name, because
a loader through glvnd answers every name: a pointer proves nothing, only the version and the extension string do.
"""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import glad

TYPES = """\
ctypedef uint32_t GLenum
ctypedef uint32_t GLbitfield
ctypedef uint32_t GLuint
ctypedef int32_t GLint
ctypedef int GLsizei
ctypedef unsigned char GLboolean
ctypedef unsigned char GLubyte
ctypedef float GLfloat
ctypedef double GLdouble
ctypedef char GLchar
ctypedef ptrdiff_t GLintptr
ctypedef ptrdiff_t GLsizeiptr
ctypedef int64_t GLint64
ctypedef uint64_t GLuint64
ctypedef void* GLsync
ctypedef void (*GLDEBUGPROC)(GLenum, GLenum, GLuint, GLenum, GLsizei, const char*, const void*) noexcept nogil
ctypedef unsigned int EGLBoolean
ctypedef unsigned int EGLenum
ctypedef int EGLint
ctypedef ptrdiff_t EGLAttrib
ctypedef void* EGLDisplay
ctypedef void* EGLConfig
ctypedef void* EGLContext
ctypedef void* EGLSurface
ctypedef void* EGLDeviceEXT
ctypedef void* EGLNativeDisplayType
ctypedef void (*__eglMustCastToProperFunctionPointerType)() noexcept nogil
"""

SUFFIXES = ("", "EXT", "OES", "NV", "KHR", "ARB", "MESA", "ANDROID")
APIS = {"gl": ("gl", "glcore"), "gles2": ("gles2",)}


class Registry:
    """gl.xml or egl.xml: commands with their types, values, and what brings each command."""

    def __init__(self, file: str) -> None:
        root = ET.parse(Path(glad.__file__).parent / "files" / file).getroot()
        self.commands = {}
        for command in root.find("commands"):
            proto, *params = (typed(e) for e in command if e.tag in ("proto", "param"))
            self.commands[proto[1]] = (proto[0], params)
        self.values = {e.get("name"): e.get("value") for group in root.findall("enums") for e in group.findall("enum")}
        self.bringers: dict[str, list[tuple[str, int, str]]] = {}    # command → (api, version * 10, extension)
        for feature in root.findall("feature"):
            if feature.get("api") in APIS:
                self._bring(feature, [feature.get("api")], int(feature.get("number").replace(".", "")), "")
        for extension in root.findall("extensions/extension"):
            supported = extension.get("supported").split("|")
            self._bring(extension, [api for api, tags in APIS.items() if set(tags) & set(supported)], 0,
                        extension.get("name"))

    def _bring(self, element: ET.Element, apis: list[str], version: int, extension: str) -> None:
        for command in element.findall("require/command"):
            for api in apis:
                self.bringers.setdefault(command.get("name"), []).append((api, version, extension))


def typed(element: ET.Element) -> tuple[str, str]:
    text = "".join(element.itertext())
    name = element.find("name").text
    return re.sub(rf"\b{name}\b.*$", "", text).replace("struct ", "").strip(), name


def field(registry: Registry, prefix: str, name: str) -> str:
    spelled = next((prefix + name + s for s in SUFFIXES if prefix + name + s in registry.commands), None)
    if spelled is None:
        sys.exit(f"{prefix}{name}: no such function in the registry")
    result, params = registry.commands[spelled]
    return f"    {result} (*{name})({', '.join(kind for kind, _ in params)}) noexcept nogil"


def rows(registry: Registry, index: int, name: str) -> list[str]:
    found = []
    for suffix in SUFFIXES:
        for api, version, extension in registry.bringers.get(f"gl{name}{suffix}", []):
            found.append((not version, version, f'    {{{index}, {int(api == "gles2")}, {version}, '
                          f'"{extension}", "gl{name}{suffix}"}},'))
    return [text for _, _, text in sorted(found)]


def main(pxd: str, header: str, *sources: str) -> None:
    text = "\n".join(re.sub(r'"""(.|\n)*?"""|"[^"\n]*"', "", Path(source).read_text()) for source in sources)
    gl, egl = Registry("gl.xml"), Registry("egl.xml")
    functions = {api: sorted(set(re.findall(rf"\b{api}(?:_of\([^)]*\))?\.([A-Z]\w+)", text))) for api in ("gl", "egl")}
    constants = sorted(set(re.findall(r"\bE?GL_[A-Z0-9]\w*", text)))
    values = gl.values | egl.values
    if unknown := [c for c in constants if c not in values]:
        sys.exit(f"not in the registry: {', '.join(unknown)}")
    numbers = [(c, re.sub(r"EGL_CAST\([^,]*,(.*)\)", r"\1", values[c])) for c in constants]

    table = [row for i, name in enumerate(functions["gl"]) for row in rows(gl, i, name)]
    write(pxd, '"""What the back ends use of GL and EGL. Generated: see generator/driver_functions.py."""\n\n'
          "from libc.stddef cimport ptrdiff_t\nfrom libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t\n\n" + TYPES
          + "\ncdef enum:\n" + "\n".join(f"    {name} = {value}" for name, value in numbers)
          + "\n\ncdef struct GL:\n" + "\n".join(field(gl, "gl", n) for n in functions["gl"])
          + "\n\ncdef struct EGL:\n" + "\n".join(field(egl, "egl", n) for n in functions["egl"]) + "\n")
    write(header, "/* How the loader finds them. Generated: see generator/driver_functions.py. */\n"
          "#pragma once\n\n"
          "struct gl_bringer {\n    unsigned function;       /* position in struct GL */\n"
          "    unsigned es;             /* of which API */\n    unsigned version;        /* ten times, or 0 */\n"
          "    const char* extension;   /* or the empty string */\n    const char* name;\n};\n\n"
          f"#define DRIVER_EGL_FUNCTIONS {len(functions['egl'])}\n\n"
          "static const char* const egl_names[] = {\n" + "\n".join(f'    "egl{n}",' for n in functions["egl"]) + "\n};\n\n"
          "/* Versions first: a plain name is preferred to an extension's. */\n"
          "static const struct gl_bringer gl_bringers[] = {\n" + "\n".join(table) + "\n};\n\n"
          "#define DRIVER_BRINGERS (sizeof gl_bringers / sizeof *gl_bringers)\n")


def write(path: str, text: str) -> None:
    """Leave an equal file untouched: nothing is rebuilt for it."""
    if not Path(path).exists() or Path(path).read_text() != text:
        Path(path).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
