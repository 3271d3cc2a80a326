"""Reads into pack buffers: formats, types, and every way in which rows may lie, of framebuffers and of textures."""

import ctypes
import struct

SIZE = 13
ROOM = 1 << 16
PIXELS = {      # format and type by what the texels are
    "normalised": [("RGBA", "UNSIGNED_BYTE", 1), ("BGRA", "UNSIGNED_BYTE", 1), ("RGB", "UNSIGNED_BYTE", 1), ("RED", "UNSIGNED_SHORT", 2),
                   ("RG", "FLOAT", 4), ("RGBA", "HALF_FLOAT", 2), ("RGB", "UNSIGNED_SHORT_5_6_5", 2),
                   ("BGRA", "UNSIGNED_INT_8_8_8_8_REV", 4), ("RGBA", "UNSIGNED_INT_2_10_10_10_REV", 4), ("BLUE", "BYTE", 1)],
    "float": [("RGBA", "FLOAT", 4), ("RGB", "FLOAT", 4), ("RGBA", "UNSIGNED_BYTE", 1), ("RED", "HALF_FLOAT", 2)],
    "integer": [("RGBA_INTEGER", "UNSIGNED_INT", 4), ("RG_INTEGER", "UNSIGNED_SHORT", 2), ("RED_INTEGER", "UNSIGNED_BYTE", 1)],
    "depth": [("DEPTH_COMPONENT", "FLOAT", 4), ("DEPTH_COMPONENT", "UNSIGNED_INT", 4), ("DEPTH_COMPONENT", "UNSIGNED_SHORT", 2)],
}
TARGETS = {"RGBA8": "normalised", "RGB8": "normalised", "RG8": "normalised", "RGBA16F": "float", "R32F": "float", "RGBA32UI": "integer"}
STORES = [{}, {"PACK_ALIGNMENT": 1}, {"PACK_ALIGNMENT": 8}, {"PACK_ROW_LENGTH": 19, "PACK_SKIP_ROWS": 2, "PACK_SKIP_PIXELS": 3},
          {"PACK_SWAP_BYTES": 1, "PACK_ALIGNMENT": 2}]
VERTEX = "#version 330\nconst vec2 at[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3)); " \
         "void main() { gl_Position = vec4(at[gl_VertexID], at[gl_VertexID].x * 0.25, 1); }"
COLORS = "#version 330\nout vec4 color; void main() { color = vec4(gl_FragCoord.xy / 16.0, 1.5 - gl_FragCoord.x / 8.0, 0.75); }"
WHOLE = "#version 330\nout uvec4 color; void main() { color = uvec4(gl_FragCoord.xy * 40.0, 70000u, 3u); }"


def with_store(gl, store, call):
    for name, value in store.items():
        gl.PixelStorei(getattr(gl, name), value)
    call()
    for name in store:
        gl.PixelStorei(getattr(gl, name), 4 if name == "PACK_ALIGNMENT" else 0)


class Pack:
    """A pack buffer of sevens; what was written to it."""

    def __init__(self, gl) -> None:
        self.gl = gl
        self.buffer = gl.gen("Buffers")
        gl.BindBuffer(gl.PIXEL_PACK_BUFFER, self.buffer)

    def read(self, call) -> tuple[str, bytes]:
        gl = self.gl
        gl.BufferData(gl.PIXEL_PACK_BUFFER, ROOM, b"\7" * ROOM, gl.STREAM_READ)
        call()
        out = ctypes.create_string_buffer(ROOM)
        gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, 0, ROOM, out)
        return gl.error(), out.raw.rstrip(b"\7")


def walk(gl) -> dict:
    said = {}
    gl.BindVertexArray(gl.gen("VertexArrays"))
    colors, whole = gl.program(VERTEX, COLORS), gl.program(VERTEX, WHOLE)
    pack = Pack(gl)
    for internal, kind in TARGETS.items():
        texture = gl.gen("Textures")
        gl.BindTexture(gl.TEXTURE_2D, texture)
        pixels = (gl.RGBA_INTEGER, gl.UNSIGNED_INT) if kind == "integer" else (gl.RGBA, gl.FLOAT)
        gl.TexImage2D(gl.TEXTURE_2D, 0, getattr(gl, internal), SIZE, SIZE, 0, *pixels, None)
        depth = gl.gen("Renderbuffers")
        gl.BindRenderbuffer(gl.RENDERBUFFER, depth)
        gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT32F, SIZE, SIZE)
        gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
        gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth)
        gl.Viewport(0, 0, SIZE, SIZE)
        gl.Enable(gl.DEPTH_TEST)
        gl.Clear(gl.DEPTH_BUFFER_BIT)
        gl.UseProgram(whole if kind == "integer" else colors)
        gl.DrawArrays(gl.TRIANGLES, 0, 3)
        for format, type, unit in PIXELS[kind] + (PIXELS["depth"] if internal == "RGBA8" else []):
            for store in STORES:
                for offset in (0, unit * 3):
                    said["pixels", internal, format, type, str(store), offset] = pack.read(lambda: with_store(gl, store, lambda: gl.ReadPixels(
                        1, 2, 9, 7, getattr(gl, format), getattr(gl, type), ctypes.c_void_p(offset))))
                if format != "DEPTH_COMPONENT":
                    said["image", internal, format, type, str(store)] = pack.read(lambda: with_store(gl, store, lambda: gl.GetTexImage(
                        gl.TEXTURE_2D, 0, getattr(gl, format), getattr(gl, type), ctypes.c_void_p(unit))))
        said["unclamped", internal] = pack.read(lambda: (gl.ClampColor(gl.CLAMP_READ_COLOR, gl.TRUE), gl.ReadPixels(
            0, 0, 4, 4, pixels[0], pixels[1], None), gl.ClampColor(gl.CLAMP_READ_COLOR, gl.FIXED_ONLY)))
    said |= outside(gl, pack)
    return said | layers(gl, pack, colors)


def outside(gl, pack) -> dict:
    """Pixels outside of the framebuffer are left; what the rules forbid is refused."""
    said = {"errors": []}
    gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
    gl.target(SIZE, SIZE)
    gl.ClearColor(0.2, 0.4, 0.6, 0.8)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    # the pixels outside are undefined: only those inside are told
    error, bytes_ = pack.read(lambda: gl.ReadPixels(10, 10, 6, 6, gl.RGBA, gl.UNSIGNED_BYTE, None))
    said["inside"] = error, [bytes_[row * 24:row * 24 + 12] for row in range(3)]
    for name, call in {
        "odd offset": lambda: gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, ctypes.c_void_p(2)),
        "too far": lambda: gl.ReadPixels(0, 0, 13, 13, gl.RGBA, gl.UNSIGNED_BYTE, ctypes.c_void_p(ROOM - 600)),
        "mapped": lambda: (gl.MapBuffer(gl.PIXEL_PACK_BUFFER, gl.READ_ONLY),
                           gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, None)),
    }.items():
        call()
        said["errors"].append((name, gl.error()))
    gl.UnmapBuffer(gl.PIXEL_PACK_BUFFER)
    # partial: what was in the buffer beside it stays, and a second read goes elsewhere
    data = struct.pack("64B", *range(64))
    gl.BufferData(gl.PIXEL_PACK_BUFFER, 64, data, gl.STREAM_READ)
    gl.ReadPixels(0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, ctypes.c_void_p(8))
    gl.BufferSubData(gl.PIXEL_PACK_BUFFER, 12, 2, b"zz")
    gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, ctypes.c_void_p(40))
    gl.BufferSubData(gl.PIXEL_PACK_BUFFER, 60, 4, b"wxyz")
    out = ctypes.create_string_buffer(64)
    gl.GetBufferSubData(gl.PIXEL_PACK_BUFFER, 0, 64, out)
    said["beside"] = out.raw
    return said


def layers(gl, pack, program) -> dict:
    """Textures with slices that were drawn to."""
    said = {}
    for target, kind in (("TEXTURE_3D", 3), ("TEXTURE_2D_ARRAY", 3), ("TEXTURE_1D_ARRAY", 2), ("TEXTURE_CUBE_MAP", 0)):
        name, texture = getattr(gl, target), gl.gen("Textures")
        gl.BindTexture(name, texture)
        if kind == 3:
            gl.TexImage3D(name, 0, gl.RGBA8, 6, 5, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        elif kind == 2:
            gl.TexImage2D(name, 0, gl.RGBA8, 6, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        else:
            for face in range(6):
                gl.TexImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.RGBA8, 5, 5, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
        for layer in range(4 if kind else 6):
            if kind:
                gl.FramebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, layer)
            else:
                gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_CUBE_MAP_POSITIVE_X + layer, texture, 0)
            gl.ClearColor(layer / 8, 0.5, 1 - layer / 8, 1)
            gl.Clear(gl.COLOR_BUFFER_BIT)
        face = name if kind else gl.TEXTURE_CUBE_MAP_NEGATIVE_Y
        images = [{"PACK_IMAGE_HEIGHT": 6, "PACK_SKIP_IMAGES": 1}] if kind != 2 else []    # Mesa heeds them for 1D arrays
        for store in [{}, {"PACK_ROW_LENGTH": 7, "PACK_ALIGNMENT": 1}, *images]:
            for format in ("RGBA", "RGB"):
                said[target, format, str(store)] = pack.read(lambda: with_store(gl, store, lambda: gl.GetTexImage(
                    face, 0, getattr(gl, format), gl.UNSIGNED_BYTE, None)))
    return said
