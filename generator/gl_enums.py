"""Write every enumerant of OpenGL 4.6 core, and the few of extensions that we answer to, as a .pxd: `from glenum cimport …`.

usage: gl_enums.py OUT.pxd
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import glad

EXTENSIONS = ("GL_EXT_texture_filter_anisotropic", "GL_EXT_texture_compression_s3tc", "GL_EXT_texture_sRGB", "GL_KHR_debug",
              "GL_KHR_robustness", "GL_ARB_ES3_compatibility")


def main(out: str) -> None:
    root = ET.parse(Path(glad.__file__).parent / "files" / "gl.xml").getroot()
    values = {e.get("name"): e.get("value") for e in root.iter("enum") if e.get("value") and e.get("api") in (None, "gl")}
    names = set()
    for feature in root.iter("feature"):
        if feature.get("api") == "gl":      # what core removed stays: programs still ask, and are answered with errors
            names |= {e.get("name") for e in feature.iter("enum")}
    for extension in root.iter("extension"):
        if extension.get("name") in EXTENSIONS:
            names |= {e.get("name") for e in extension.iter("enum")}
    lines = [f"        {name}" for name in sorted(names) if int(values[name], 0) < 1 << 32]
    defines = "".join(f"    #define {name} {values[name]}u\n" for name in sorted(names) if int(values[name], 0) < 1 << 32)
    text = f'cdef extern from *:\n    """\n{defines}    """\n    enum:\n' + "\n".join(lines) + "\n"
    if not Path(out).exists() or Path(out).read_text() != text:
        Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
