"""What a source text needs before glslang reads it: its version, words that clash, extensions that are core by now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mgpipe.shaders import subroutines

# Words that glslang keeps for Vulkan and OpenGL leaves to the user. A shader that uses one as a name gets it under
# another name by a #define; reflection takes the prefix off again.
VULKAN_WORDS = frozenset(
    ["sampler", "samplerShadow", "subpassInput", "isubpassInput", "usubpassInput", "subpassInputMS", "isubpassInputMS",
     "usubpassInputMS"]
    + [f"{kind}texture{shape}" for kind in ("", "i", "u")
       for shape in ("1D", "2D", "3D", "Cube", "2DRect", "Buffer", "1DArray", "2DArray", "CubeArray", "2DMS",
                     "2DMSArray")])
RENAMED = "mgpipe_word_"

# The texture functions of GLSL 1.20 are deprecated, not gone, up to 4.10: drivers accept them in the core profile.
OLD_TEXTURE_FUNCTIONS = {
    **{f"texture{dim}": "texture" for dim in ("1D", "2D", "3D", "Cube", "2DRect")},
    **{f"texture{dim}Lod": "textureLod" for dim in ("1D", "2D", "3D", "Cube")},
    **{f"texture{dim}Proj": "textureProj" for dim in ("1D", "2D", "3D", "2DRect")},
    **{f"texture{dim}ProjLod": "textureProjLod" for dim in ("1D", "2D", "3D")},
}

# Part of GLSL 4.60 core. A shader that asks for one which glslang does not list is read as 4.60 with the request
# taken out.
CORE_EXTENSIONS = frozenset("""
    AMD_conservative_depth ARB_arrays_of_arrays ARB_compute_shader ARB_conservative_depth ARB_cull_distance
    ARB_derivative_control ARB_draw_buffers ARB_draw_instanced ARB_enhanced_layouts ARB_ES3_1_compatibility
    ARB_ES3_compatibility ARB_explicit_attrib_location ARB_explicit_uniform_location ARB_fragment_coord_conventions
    ARB_fragment_layer_viewport ARB_gpu_shader5 ARB_gpu_shader_fp64 ARB_sample_shading ARB_separate_shader_objects ARB_shader_draw_parameters
    ARB_shader_bit_encoding ARB_shader_image_load_store ARB_shader_image_size ARB_shader_precision
    ARB_shader_storage_buffer_object ARB_shader_subroutine ARB_shader_texture_image_samples ARB_shader_texture_lod ARB_shading_language_100
    ARB_shading_language_420pack ARB_shading_language_packing ARB_tessellation_shader ARB_texture_buffer_object
    ARB_texture_cube_map_array ARB_texture_gather ARB_texture_multisample ARB_texture_query_levels ARB_texture_query_lod
    ARB_texture_rectangle ARB_uniform_buffer_object ARB_vertex_attrib_64bit ARB_viewport_array EXT_gpu_shader4
    EXT_shader_integer_mix EXT_texture_array MESA_shader_integer_functions ARB_blend_func_extended
""".split())

NEWEST = 460        # version of GLSL that glslang reads

# Names that an extension gave to what GLSL 4.60 has under another.
DRAW_PARAMETERS = {"gl_BaseVertexARB": "gl_BaseVertex", "gl_BaseInstanceARB": "gl_BaseInstance", "gl_DrawIDARB": "gl_DrawID"}

_COMMENT = re.compile(rb"//(?:[^\n\\]|\\.|\\\n)*|/\*.*?(?:\*/|\Z)", re.S)
_VERSION = re.compile(rb"^[ \t]*#[ \t]*version[ \t]+(\d+)(?:[ \t]+(\w+))?", re.M)
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_EXTENSION = re.compile(rb"^([ \t]*)#([ \t]*extension[ \t]+GL_(\w+)[ \t]*:)", re.M)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:extension|version|pragma|line|if|ifdef|ifndef|elif|else|endif)\b[^\n]*", re.M)
_CONTINUED = re.compile(rb"(?:[^\n]*\\\r?\n)+[^\n]*\n?")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b[^\n]*", re.M)


class Refused(Exception):
    """A shader that mgpipe does not take, with the line for its log."""


@dataclass(slots=True)
class Source:
    """One shader object, ready for glslang."""

    stage: int
    version_line: bytes    # what glslang is told
    strings: list[bytes]   # what the user wrote, its #version blank
    version: int           # what the user asked for
    is_es: bool
    view_preamble: bytes   # #defines for the pass that reads as OpenGL does
    spirv_preamble: bytes  # … and for the one that makes SPIR-V
    declared: subroutines.Declared | None = None


def without_comments(text: bytes) -> bytes:
    """The same text, the same length, comments blank: positions stay true."""
    return _COMMENT.sub(lambda comment: re.sub(rb"[^\n]", b" ", comment[0]), text)


def prepare(stage: int, strings: Sequence[bytes], newest: int = NEWEST) -> Source:
    """Check the version, at most `newest`, and choose the preambles. Line numbers in logs stay the user's."""
    code = without_comments(b"".join(strings))
    found = _VERSION.search(code)
    if found is None:
        raise Refused("ERROR: 0:1: '#version' : missing, which means GLSL 1.10; mgpipe takes GLSL 1.40 and later, "
                      "begin the shader with '#version 330 core'")
    line = code.count(b"\n", 0, found.start()) + 1
    version, profile = int(found[1]), (found[2] or b"").decode()
    is_es = profile == "es" or version == 100
    if code[:found.start()].strip():
        raise Refused(f"ERROR: 0:{line}: '#version' : must occur first in the shader")
    if profile == "compatibility":
        raise Refused(f"ERROR: 0:{line}: '#version' : the compatibility profile is not supported; "
                      f"use '#version {max(version, 330)} core'")
    if version < 140 or (is_es and version < 300):
        language = "GLSL ES" if is_es else "GLSL"
        raise Refused(f"ERROR: 0:{line}: '#version' : {language} {version // 100}.{version % 100:02} is not supported; "
                      "mgpipe takes GLSL 1.40 and later, and GLSL ES 3.00 and later")
    if not is_es and version > newest:
        raise Refused(f"ERROR: 0:{line}: '#version' : GLSL {version // 100}.{version % 100:02} is not supported; "
                      f"this context takes GLSL 1.40 to {newest // 100}.{newest % 100:02}")
    # glslang wants at least these for SPIR-V. Both are supersets of what the shader asked for.
    if is_es:
        line_now = f"#version {max(version, 310)} es\n"
    else:
        line_now = f"#version {max(version, 330)} {profile or 'core'}\n"
    strings = _blank(strings, found.start(), found.end())
    declared = None
    if not is_es and b"subroutine" in code and (version >= 400 or b"GL_ARB_shader_subroutine" in code):
        strings, declared = _without_subroutines(strings, stage)
    if not is_es and version < 420:
        # Continued lines came with GLSL 4.20, and glslang insists; drivers take them everywhere.
        strings = [_CONTINUED.sub(_one_line, text) for text in strings]

    words = set(_WORD.findall(code)) - set(_DEFINED.findall(code))  # what the shader defines itself is its own business
    old: dict[str, str] = {}
    if not is_es and version < 420:
        old = {name: new for name, new in OLD_TEXTURE_FUNCTIONS.items()
               if name.encode() in words and _only_called(name, code)}
    renamed = {word: RENAMED + word for word in sorted(VULKAN_WORDS) if word.encode() in words and word not in old}
    return Source(stage, line_now.encode(), strings, version, is_es, _defines(old), _defines(old | renamed), declared)


def _without_subroutines(strings: Sequence[bytes], stage: int) -> tuple[list[bytes], subroutines.Declared | None]:
    """In one string: a subroutine may be declared in one and called in another."""
    text = b"".join(strings)
    code = _DIRECTIVE.sub(lambda line: b" " * len(line[0]), without_comments(text)).decode("latin-1")
    if not subroutines.used_in(code):
        return list(strings), None
    try:
        rewritten, declared = subroutines.rewrite(text.decode("latin-1"), code, stage)
    except subroutines.NotUnderstood as what:
        raise Refused(f"ERROR: 0:{what.line}: 'subroutine' : {what}") from None
    return [rewritten.encode("latin-1")], declared


def _one_line(continued: re.Match[bytes]) -> bytes:
    """Joined, with the line ends behind it: the lines below keep their numbers."""
    line, ends = re.subn(rb"\\\r?\n", b"", continued[0])
    return line + b"\n" * ends


def _only_called(name: str, code: bytes) -> bool:
    """Whether every mention is a call: neither `uniform sampler2D name;` nor `vec4 name(…) {`."""
    mentions = re.finditer(rb"(?:(\w+)\s+)?\b%b\b(\s*\()?" % name.encode(), code)
    return all(mention[2] and mention[1] in (None, b"return", b"else") for mention in mentions)


def _defines(macros: dict[str, str]) -> bytes:
    return b"".join(f"#define {name} {text}\n".encode() for name, text in macros.items())


def promote(source: Source) -> Source | None:
    """The shader as GLSL 4.60 with its core extensions taken for granted; None when it asks for none."""
    if source.is_es:
        return None
    taken: set[bytes] = set()

    def comment_out(found: re.Match[bytes]) -> bytes:
        if found[3].decode() not in CORE_EXTENSIONS:
            return found[0]
        taken.add(found[3])
        return found[1] + b"//" + found[2]

    strings = [_EXTENSION.sub(comment_out, text) for text in source.strings]
    if not taken:
        return None
    # No macro may begin with GL_, so '#ifdef GL_ARB_x' asks for another one that is defined.
    defined: set[bytes] = set()

    def rename(word: re.Match[bytes]) -> bytes:
        if word[1].decode() not in CORE_EXTENSIONS:
            return word[0]
        defined.add(word[1])
        return b"MGPIPE_GL_" + word[1]

    strings = [_CONDITION.sub(lambda line: re.sub(rb"\bGL_(\w+)\b", rename, line[0]), text) for text in strings]
    defines = b"".join(b"#define MGPIPE_GL_%b 1\n" % name for name in sorted(defined))
    if b"ARB_shader_draw_parameters" in taken:
        defines += _defines(DRAW_PARAMETERS)
    return Source(source.stage, b"#version 460 core\n", strings, source.version, False, source.view_preamble + defines,
                  source.spirv_preamble + defines, source.declared)


def _blank(strings: Sequence[bytes], start: int, end: int) -> list[bytes]:
    """Put spaces in a range of the strings' concatenation: every line keeps its number."""
    blanked = []
    at = 0
    for text in strings:
        first, last = (min(max(edge - at, 0), len(text)) for edge in (start, end))
        blanked.append(text[:first] + b" " * (last - first) + text[last:])
        at += len(text)
    return blanked
