"""Texture views: every target of every other, formats of a class, writes through one and reads through the other, errors."""

import ctypes
import random

SIZE = 8
VERTEX = """#version 330
void main() { gl_Position = vec4(vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }"""
FRAGMENT = """#version 330
uniform {kind} it; out vec4 color;
void main() {{ vec2 p = gl_FragCoord.xy / 8.0; color = {read}; }}"""
READS = {
    "TEXTURE_1D": ("sampler1D", "texture(it, p.x)"), "TEXTURE_1D_ARRAY": ("sampler1DArray", "texture(it, vec2(p.x, 1))"),
    "TEXTURE_2D": ("sampler2D", "texture(it, p)"), "TEXTURE_2D_ARRAY": ("sampler2DArray", "texture(it, vec3(p, 1))"),
    "TEXTURE_3D": ("sampler3D", "texture(it, vec3(p, 0.4))"),
    "TEXTURE_CUBE_MAP": ("samplerCube", "texture(it, vec3(1, p * 2 - 1))"),
    "TEXTURE_CUBE_MAP_ARRAY": ("samplerCubeArray", "texture(it, vec4(-1, p * 2 - 1, 0))"),
    "TEXTURE_RECTANGLE": ("sampler2DRect", "texture(it, p * 8.0)"),
}
TARGETS = tuple(READS) + ("TEXTURE_2D_MULTISAMPLE", "TEXTURE_2D_MULTISAMPLE_ARRAY")
CLASSES = (("RGBA8", "RGBA8UI", "R32F", "RG16F", "SRGB8_ALPHA8", "RGB10_A2", "R11F_G11F_B10F", "RGB9_E5", "RGBA8_SNORM"),
           ("RGBA32F", "RGBA32UI"), ("RGB8", "SRGB8", "RGB8UI"), ("R8", "R8_SNORM", "R8UI"), ("RG32F", "RGBA16", "RGBA16F"),
           ("RGBA4", "RGB5_A1"), ("DEPTH_COMPONENT24", "DEPTH_COMPONENT32F"), ("DEPTH24_STENCIL8",),
           ("COMPRESSED_RED_RGTC1", "COMPRESSED_SIGNED_RED_RGTC1"))
QUERIES = ("IMMUTABLE_FORMAT", "IMMUTABLE_LEVELS", "VIEW_MIN_LEVEL", "VIEW_NUM_LEVELS", "VIEW_MIN_LAYER", "VIEW_NUM_LAYERS",
           "BASE_LEVEL", "MAX_LEVEL", "MIN_FILTER")


def noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def storage(gl, target: str, internal: str = "RGBA8", levels: int = 3, layers: int = 12) -> int:
    """A texture with immutable storage and texels in all levels."""
    name, it = gl.gen("Textures"), getattr(gl, target)
    gl.BindTexture(it, name)
    format = getattr(gl, internal)
    if "MULTISAMPLE" in target:
        if target.endswith("ARRAY"):
            gl.TexStorage3DMultisample(it, 4, format, SIZE, SIZE, 4, True)
        else:
            gl.TexStorage2DMultisample(it, 4, format, SIZE, SIZE, True)
        return name
    if target == "TEXTURE_1D":
        gl.TexStorage1D(it, levels, format, SIZE)
        for level in range(levels):
            gl.TexSubImage1D(it, level, 0, SIZE >> level, gl.RGBA, gl.UNSIGNED_BYTE, noise(level, SIZE * 4))
    elif target == "TEXTURE_RECTANGLE":
        gl.TexStorage2D(it, 1, format, SIZE, SIZE)
        gl.TexSubImage2D(it, 0, 0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, noise(9, SIZE * SIZE * 4))
    elif target == "TEXTURE_CUBE_MAP":
        gl.TexStorage2D(it, levels, format, SIZE, SIZE)
        for level in range(levels):
            for face in range(6):
                gl.TexSubImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, level, 0, 0, SIZE >> level, SIZE >> level, gl.RGBA,
                                 gl.UNSIGNED_BYTE, noise(level * 6 + face, SIZE * SIZE * 4))
    elif target in ("TEXTURE_2D", "TEXTURE_1D_ARRAY"):
        rows = SIZE if target == "TEXTURE_2D" else layers
        gl.TexStorage2D(it, levels, format, SIZE, rows)
        for level in range(levels):
            high = SIZE >> level if target == "TEXTURE_2D" else layers
            gl.TexSubImage2D(it, level, 0, 0, SIZE >> level, high, gl.RGBA, gl.UNSIGNED_BYTE, noise(level, SIZE * 12 * 4))
    else:
        deep = SIZE if target == "TEXTURE_3D" else layers
        gl.TexStorage3D(it, levels, format, SIZE, SIZE, deep)
        for level in range(levels):
            slices = deep >> level if target == "TEXTURE_3D" else layers
            gl.TexSubImage3D(it, level, 0, 0, 0, SIZE >> level, SIZE >> level, slices, gl.RGBA, gl.UNSIGNED_BYTE,
                             noise(level, SIZE * SIZE * 12 * 4))
    return name


def texels(gl, target: str, level: int = 0, face: int | None = None) -> tuple[str, bytes]:
    it = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face if face is not None else getattr(gl, target)
    into = ctypes.create_string_buffer(SIZE * SIZE * 12 * 4)
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.GetTexImage(it, level, gl.RGBA, gl.UNSIGNED_BYTE, into)
    return gl.error(), into.raw


def asked(gl, target: str) -> list:
    it = getattr(gl, target)
    return [gl.ints("GetTexParameteriv", it, getattr(gl, f"TEXTURE_{q}"))[0] for q in QUERIES if it != gl.TEXTURE_RECTANGLE or
            q != "MIN_FILTER"] + [          # linear, says the specification; Mesa forgets it in views
        gl.ints("GetTexLevelParameteriv", gl.TEXTURE_CUBE_MAP_NEGATIVE_Y if target == "TEXTURE_CUBE_MAP" else it, level,
                getattr(gl, f"TEXTURE_{q}"))[0]
        for level in range(1 if "MULTISAMPLE" in target or target == "TEXTURE_RECTANGLE" else 4)
        for q in ("WIDTH", "HEIGHT", "DEPTH", "INTERNAL_FORMAT", "SAMPLES")] + [gl.error()]


def view(gl, target: str, origin: int, internal: str = "RGBA8", level: int = 0, levels: int = 1, layer: int = 0,
         layers: int = 1) -> int:
    name = gl.gen("Textures")
    gl.TextureView(name, getattr(gl, target), origin, getattr(gl, internal), level, levels, layer, layers)
    return name


def nearest(gl, target: str) -> None:
    it = getattr(gl, target)
    gl.TexParameteri(it, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    if target != "TEXTURE_RECTANGLE":
        gl.TexParameteri(it, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)


def targets(gl) -> dict:
    said = {}
    for origin in TARGETS:
        for target in TARGETS:
            parent = storage(gl, origin)
            layers = {"TEXTURE_CUBE_MAP": 6, "TEXTURE_CUBE_MAP_ARRAY": 6, "TEXTURE_1D_ARRAY": 3, "TEXTURE_2D_ARRAY": 3}.get(target, 1)
            first = 2 if "ARRAY" in origin and "MULTI" not in origin else 0
            name = view(gl, target, parent, level=0 if "MULTI" in origin or "RECT" in origin else 1, levels=5, layer=first, layers=layers)
            failed = gl.error()
            said[f"{target} of {origin}"] = failed
            if not failed:
                gl.BindTexture(getattr(gl, target), name)
                said[f"{target} of {origin} asked"] = asked(gl, target)
                if target in READS:
                    said[f"{target} of {origin} texels"] = [texels(gl, target, i, 2 if target == "TEXTURE_CUBE_MAP" else None)
                                                            for i in range(2)]
                    nearest(gl, target)
                    gl.target(SIZE, SIZE)
                    kind, read = READS[target]
                    gl.UseProgram(gl.program(VERTEX, FRAGMENT.format(kind=kind, read=read).replace("#version 330", "#version 400")))
                    gl.DrawArrays(gl.TRIANGLES, 0, 3)
                    said[f"{target} of {origin} sampled"] = gl.pixels(SIZE, SIZE), gl.error()
            gl.delete("Textures", parent, name)
    return said


def formats(gl) -> dict:
    said = {}
    every = [name for names in CLASSES for name in names]
    for origin in every:
        for internal in every:
            parent = gl.gen("Textures")
            gl.BindTexture(gl.TEXTURE_2D, parent)
            gl.TexStorage2D(gl.TEXTURE_2D, 1, getattr(gl, origin), SIZE, SIZE)
            name = view(gl, "TEXTURE_2D", parent, internal)
            said[f"{internal} of {origin}"] = gl.error()
            gl.delete("Textures", parent, name)
    return said


def reinterpreted(gl) -> dict:
    """Bytes of one format read as another, changed through either."""
    said = {}
    gl.UseProgram(gl.program(VERTEX, FRAGMENT.format(kind="sampler2D", read="texture(it, p)")))
    for internal in ("SRGB8_ALPHA8", "RGB10_A2", "RGBA8_SNORM", "RG16", "RGB9_E5"):
        parent = storage(gl, "TEXTURE_2D")
        name = view(gl, "TEXTURE_2D", parent, internal, levels=2)
        gl.BindTexture(gl.TEXTURE_2D, name)
        nearest(gl, "TEXTURE_2D")
        gl.target(SIZE, SIZE, "RGBA32F")
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        said[f"RGBA8 as {internal}"] = gl.error(), gl.pixels(SIZE, SIZE, "RGBA", "FLOAT", 16)
        gl.BindTexture(gl.TEXTURE_2D, parent)
        gl.TexSubImage2D(gl.TEXTURE_2D, 0, 2, 2, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, noise(50, 64))
        gl.BindTexture(gl.TEXTURE_2D, name)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        said[f"RGBA8 as {internal}, changed"] = gl.error(), gl.pixels(SIZE, SIZE, "RGBA", "FLOAT", 16)
    return said


def shared(gl) -> dict:
    """Each sees what the other was given: uploads, renderings, copies, clears, mipmaps; in either order of deletion."""
    said = {}
    parent = storage(gl, "TEXTURE_2D_ARRAY")
    name = view(gl, "TEXTURE_2D", parent, level=1, levels=2, layer=3)
    nested = view(gl, "TEXTURE_2D", name, "RGBA8UI", level=1)
    gl.BindTexture(gl.TEXTURE_2D, nested)
    said["of a view"] = gl.error(), asked(gl, "TEXTURE_2D")
    gl.BindTexture(gl.TEXTURE_2D, name)
    gl.BindTexture(gl.TEXTURE_2D_ARRAY, parent)
    gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, noise(20, 16))
    said["given to the view"] = texels(gl, "TEXTURE_2D"), texels(gl, "TEXTURE_2D_ARRAY", 1)
    gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, 1, 1, 1, 2, 2, 2, 3, gl.RGBA, gl.UNSIGNED_BYTE, noise(21, 64))
    said["given to the viewed"] = texels(gl, "TEXTURE_2D"), texels(gl, "TEXTURE_2D_ARRAY", 1)
    framebuffer = gl.gen("Framebuffers")
    gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 1)
    gl.ClearColor(0.25, 0.5, 0.75, 1)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    said["rendered to the view"] = texels(gl, "TEXTURE_2D_ARRAY", 2), gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
    gl.ClearTexImage(parent, 2, gl.RGBA, gl.UNSIGNED_BYTE, noise(22, 4))
    said["cleared"] = texels(gl, "TEXTURE_2D", 1), gl.pixels(2, 2)
    gl.CopyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 2, 2)
    said["copied into the view"] = texels(gl, "TEXTURE_2D_ARRAY", 1)
    gl.GenerateMipmap(gl.TEXTURE_2D_ARRAY)
    said["mipmaps of the viewed"] = texels(gl, "TEXTURE_2D"), texels(gl, "TEXTURE_2D", 1)
    gl.GenerateMipmap(gl.TEXTURE_2D)
    said["mipmaps of the view"] = texels(gl, "TEXTURE_2D_ARRAY", 2)
    gl.delete("Textures", parent)
    said["outlives"] = texels(gl, "TEXTURE_2D"), gl.IsTexture(name)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    said["defined anew"] = gl.error()
    return said


def errors(gl) -> dict:
    said = {}
    parent = storage(gl, "TEXTURE_2D_ARRAY")
    mutable = gl.gen("Textures")
    gl.BindTexture(gl.TEXTURE_2D, mutable)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    fresh = gl.gen("Textures")
    for what, arguments in {
        "zero": (0, "TEXTURE_2D", parent, "RGBA8", 0, 1, 0, 1), "not generated": (9999, "TEXTURE_2D", parent, "RGBA8", 0, 1, 0, 1),
        "has a target": (mutable, "TEXTURE_2D", parent, "RGBA8", 0, 1, 0, 1),
        "of nothing": (fresh, "TEXTURE_2D", 9999, "RGBA8", 0, 1, 0, 1), "of zero": (fresh, "TEXTURE_2D", 0, "RGBA8", 0, 1, 0, 1),
        "of a mutable one": (fresh, "TEXTURE_2D", mutable, "RGBA8", 0, 1, 0, 1),
        "of a buffer": (fresh, "TEXTURE_BUFFER", parent, "RGBA8", 0, 1, 0, 1),
        "a face": (fresh, "TEXTURE_CUBE_MAP_POSITIVE_X", parent, "RGBA8", 0, 1, 0, 1),
        "level": (fresh, "TEXTURE_2D", parent, "RGBA8", 3, 1, 0, 1), "layer": (fresh, "TEXTURE_2D", parent, "RGBA8", 0, 1, 12, 1),
        "two layers of a 2D": (fresh, "TEXTURE_2D", parent, "RGBA8", 0, 1, 0, 2),
        "five faces": (fresh, "TEXTURE_CUBE_MAP", parent, "RGBA8", 0, 1, 7, 6),
        "seven faces": (fresh, "TEXTURE_CUBE_MAP", parent, "RGBA8", 0, 1, 0, 7),
        "faces of an array": (fresh, "TEXTURE_CUBE_MAP_ARRAY", parent, "RGBA8", 0, 1, 2, 9),
        "unsized": (fresh, "TEXTURE_2D", parent, "RGBA", 0, 1, 0, 1), "unknown": (fresh, "TEXTURE_2D", parent, "RED_BITS", 0, 1, 0, 1),
        "another class": (fresh, "TEXTURE_2D", parent, "RGBA16F", 0, 1, 0, 1),
        "depth": (fresh, "TEXTURE_2D", parent, "DEPTH_COMPONENT24", 0, 1, 0, 1)}.items():
        name, target, origin, internal, *rest = arguments
        gl.TextureView(name, getattr(gl, target), origin, getattr(gl, internal), *rest)
        said[what] = gl.error(), gl.IsTexture(fresh)
    return said


def completeness(gl) -> dict:
    """Immutable storage is complete with the levels that it has, whatever base and maximum level say."""
    said = {}
    gl.UseProgram(gl.program(VERTEX, FRAGMENT.format(kind="sampler2D", read="textureLod(it, p, 1.0)")))
    gl.target(SIZE, SIZE)
    for levels in (1, 2, 4):
        for base, top in ((0, 1000), (1, 1000), (3, 1000), (7, 1000), (0, 0), (2, 1), (9, 2)):
            storage(gl, "TEXTURE_2D", levels=levels)
            nearest(gl, "TEXTURE_2D")
            gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, base)
            gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, top)
            gl.DrawArrays(gl.TRIANGLES, 0, 3)
            said[f"{levels} levels, {base} to {top}"] = gl.pixels(SIZE, SIZE), gl.error()
    return said


def walk(gl) -> dict:
    gl.BindVertexArray(gl.gen("VertexArrays"))
    said = {}
    for part in (targets, formats, reinterpreted, shared, errors, completeness):
        said |= {f"{part.__name__}: {question}": answer for question, answer in part(gl).items()}
    return said
