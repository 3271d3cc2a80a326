"""Write every enumerant of OpenGL, and of EGL, and the few of extensions that we answer to: `from glenum cimport …`, `eglenum`.

usage: gl_enums.py GLENUM.pxd EGLENUM.pxd
"""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import glad

GL_EXTENSIONS = ("GL_EXT_texture_filter_anisotropic", "GL_EXT_texture_compression_s3tc", "GL_EXT_texture_sRGB", "GL_KHR_debug",
                 "GL_KHR_robustness", "GL_ARB_ES3_compatibility")
EGL_EXTENSIONS = ("EGL_KHR_create_context", "EGL_KHR_create_context_no_error", "EGL_EXT_create_context_robustness",
                  "EGL_EXT_device_query", "EGL_EXT_platform_device", "EGL_IMG_context_priority", "EGL_MESA_platform_surfaceless")


def enumerants(file: str, api: str, extensions: tuple[str, ...]) -> str:
    root = ET.parse(Path(glad.__file__).parent / "files" / file).getroot()
    values = {e.get("name"): e.get("value") for e in root.iter("enum") if e.get("value") and e.get("api") in (None, api)}
    names = set()
    for feature in root.iter("feature"):
        if feature.get("api") == api:       # what core removed stays: programs still ask, and are answered with errors
            names |= {e.get("name") for e in feature.iter("enum")}
    for extension in root.iter("extension"):
        if extension.get("name") in extensions:
            names |= {e.get("name") for e in extension.iter("enum")}
    small = [name for name in sorted(names) if re.fullmatch(r"0x[0-9A-Fa-f]{1,8}|\d+", values[name])]
    defines = "".join(f"    #define {name} {values[name]}{'u' if api == 'gl' else ''}\n" for name in small)
    return f'cdef extern from *:\n    """\n{defines}    """\n    enum:\n' + "".join(f"        {name}\n" for name in small)


def main(gl: str, egl: str) -> None:
    for out, text in ((gl, enumerants("gl.xml", "gl", GL_EXTENSIONS)), (egl, enumerants("egl.xml", "egl", EGL_EXTENSIONS))):
        if not Path(out).exists() or Path(out).read_text() != text:
            Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
