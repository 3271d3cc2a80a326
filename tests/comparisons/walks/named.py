"""Objects by their names (OpenGL 4.5): made, filled, asked and drawn with, without being bound; bindings stay; errors."""

import ctypes
import struct

VERTEX = """#version 450
layout(location = 0) in vec2 place; layout(location = 1) in vec4 tint; out vec4 colour;
void main() { gl_Position = vec4(place, 0, 1); colour = tint; }"""
FRAGMENT = "#version 450\nin vec4 colour; layout(binding = 3) uniform sampler2D image; out vec4 color; void main() { color = colour + texelFetch(image, ivec2(1, 0), 0); }"
MAKERS = ("Buffers", "VertexArrays", "Framebuffers", "Renderbuffers", "Samplers", "ProgramPipelines")
BINDINGS = ("ARRAY_BUFFER_BINDING", "COPY_WRITE_BUFFER_BINDING", "COPY_READ_BUFFER_BINDING", "VERTEX_ARRAY_BINDING", "DRAW_FRAMEBUFFER_BINDING",
            "READ_FRAMEBUFFER_BINDING", "RENDERBUFFER_BINDING", "TEXTURE_BINDING_2D", "TEXTURE_BINDING_CUBE_MAP", "ELEMENT_ARRAY_BUFFER_BINDING")


def create(gl, kind: str, *target: int) -> int:
    name = ctypes.c_uint()
    getattr(gl, f"Create{kind}")(*target, 1, ctypes.byref(name))
    return name.value


def bindings(gl) -> list[bool]:
    return [gl.ints("GetIntegerv", getattr(gl, name))[0] for name in BINDINGS]


def buffers(gl) -> dict:
    said = {}
    name, other = create(gl, "Buffers"), create(gl, "Buffers")
    gl.NamedBufferStorage(name, 64, bytes(range(64)), gl.DYNAMIC_STORAGE_BIT | gl.MAP_READ_BIT | gl.MAP_WRITE_BIT)
    gl.NamedBufferData(other, 64, None, gl.STREAM_DRAW)
    gl.NamedBufferSubData(name, 4, 4, b"abcd")
    gl.CopyNamedBufferSubData(name, other, 0, 32, 16)
    gl.ClearNamedBufferSubData(other, gl.R8UI, 0, 8, gl.RED_INTEGER, gl.UNSIGNED_BYTE, b"\7")
    into = ctypes.create_string_buffer(64)
    gl.GetNamedBufferSubData(other, 32, 16, into)
    said["copied"] = into.raw[:16], gl.error()
    gl.GetNamedBufferSubData(other, 0, 8, into)
    said["cleared"] = into.raw[:8]
    gl.ClearNamedBufferData(other, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, struct.pack("I", 99))
    gl.GetNamedBufferSubData(other, 60, 4, into)
    said["all cleared"] = into.raw[:4], gl.error()
    gl.MapNamedBufferRange.restype = gl.MapNamedBuffer.restype = ctypes.c_void_p
    address = gl.MapNamedBufferRange(name, 0, 16, gl.MAP_READ_BIT | gl.MAP_WRITE_BIT)
    said["mapped"] = ctypes.string_at(address, 16), gl.ints("GetNamedBufferParameteriv", name, gl.BUFFER_MAPPED), gl.error()
    pointer = ctypes.c_void_p()
    gl.GetNamedBufferPointerv(name, gl.BUFFER_MAP_POINTER, ctypes.byref(pointer))
    said["the pointer"] = pointer.value == address
    ctypes.memmove(address, b"WXYZ", 4)
    said["unmapped"] = gl.UnmapNamedBuffer(name), gl.UnmapNamedBuffer(name), gl.error()
    gl.GetNamedBufferSubData(name, 0, 8, into)
    said["written"] = into.raw[:8]
    for q in ("SIZE", "USAGE", "IMMUTABLE_STORAGE", "STORAGE_FLAGS"):
        said[f"BUFFER_{q}"] = [gl.ints("GetNamedBufferParameteriv", n, getattr(gl, f"BUFFER_{q}")) for n in (name, other)]
    for what, call in {"no such buffer": (gl.NamedBufferData, 999, 4, None, gl.STATIC_DRAW), "only generated": (gl.NamedBufferData, gl.gen("Buffers"), 4, None, gl.STATIC_DRAW),
                       "zero": (gl.NamedBufferData, 0, 4, None, gl.STATIC_DRAW), "immutable": (gl.NamedBufferData, name, 4, None, gl.STATIC_DRAW),
                       "outside": (gl.NamedBufferSubData, name, 60, 8, bytes(8)), "copy of nothing": (gl.CopyNamedBufferSubData, 0, name, 0, 0, 4),
                       "unmap of nothing": (gl.UnmapNamedBuffer, 0)}.items():
        call[0](*call[1:])
        said[what] = gl.error()
    return said


def texels(gl, name: int, level: int = 0, size: int = 4096, part: tuple = ()) -> tuple:
    into = ctypes.create_string_buffer(b"\xCD" * size, size)
    if part:
        gl.GetTextureSubImage(name, level, *part, gl.RGBA, gl.UNSIGNED_BYTE, size, into)
    else:
        gl.GetTextureImage(name, level, gl.RGBA, gl.UNSIGNED_BYTE, size, into)
    return gl.error(), into.raw


def textures(gl) -> dict:
    said = {}
    ramp = bytes(range(256)) * 4
    shapes = {"TEXTURE_1D": (8,), "TEXTURE_2D": (8, 4), "TEXTURE_1D_ARRAY": (8, 3), "TEXTURE_RECTANGLE": (8, 4), "TEXTURE_CUBE_MAP": (4, 4),
              "TEXTURE_3D": (4, 4, 3), "TEXTURE_2D_ARRAY": (4, 4, 3), "TEXTURE_CUBE_MAP_ARRAY": (4, 4, 6)}
    for target, size in shapes.items():
        name = create(gl, "Textures", getattr(gl, target))
        getattr(gl, f"TextureStorage{len(size)}D")(name, 1, gl.RGBA8, *size)
        said[f"{target} storage"] = gl.error()
        whole = (*size, 6) if target == "TEXTURE_CUBE_MAP" else size
        getattr(gl, f"TextureSubImage{len(whole)}D")(name, 0, *[0] * len(whole), *whole, gl.RGBA, gl.UNSIGNED_BYTE, ramp)
        said[f"{target} filled"] = gl.error(), texels(gl, name, size=512)
        part = [1, 1 if len(whole) > 1 and target != "TEXTURE_1D_ARRAY" else 0, 1 if len(whole) > 2 else 0], [2, min(2, (*whole, 1)[1]), 2 if len(whole) > 2 else 1]
        if len(whole) == 1:
            part[1][1] = 1
        said[f"{target} part"] = texels(gl, name, size=64, part=(*part[0], *part[1]))
        said[f"{target} outside"] = texels(gl, name, size=64, part=(7, 0, 0, 2, 1, 1))[0]
        said[f"{target} no room"] = texels(gl, name, size=8)
        gl.TextureParameteri(name, gl.TEXTURE_SWIZZLE_R, gl.GREEN)
        said[f"{target} parameters"] = gl.ints("GetTextureParameteriv", name, gl.TEXTURE_SWIZZLE_R), gl.ints("GetTextureParameteriv", name, gl.TEXTURE_IMMUTABLE_LEVELS)
        said[f"{target} level"] = [gl.ints("GetTextureLevelParameteriv", name, 0, getattr(gl, f"TEXTURE_{q}")) for q in ("WIDTH", "HEIGHT", "DEPTH", "INTERNAL_FORMAT")]
        for dimensions in (1, 2, 3):
            getattr(gl, f"TextureSubImage{dimensions}D")(name, 0, *[0] * dimensions, *[1] * dimensions, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
            said[f"{target} by {dimensions}"] = gl.error()
        said[f"{target} error"] = gl.error()
    gl.PixelStorei(gl.UNPACK_SKIP_IMAGES, 1)
    gl.PixelStorei(gl.UNPACK_IMAGE_HEIGHT, 5)
    cube = create(gl, "Textures", gl.TEXTURE_CUBE_MAP)
    gl.TextureStorage2D(cube, 3, gl.RGBA8, 4, 4)
    gl.TextureSubImage3D(cube, 0, 0, 0, 2, 4, 4, 3, gl.RGBA, gl.UNSIGNED_BYTE, ramp)
    gl.PixelStorei(gl.UNPACK_SKIP_IMAGES, 0)
    gl.PixelStorei(gl.UNPACK_IMAGE_HEIGHT, 0)
    said["faces with gaps"] = gl.error(), texels(gl, cube, size=400, part=(0, 0, 2, 4, 4, 3))
    gl.GenerateTextureMipmap(cube)
    said["mipmaps"] = gl.error(), texels(gl, cube, 1, 96, (0, 0, 2, 2, 2, 3))[0]
    said["too many faces"] = texels(gl, cube, 0, 512, (0, 0, 4, 4, 4, 3))[0]
    texel_buffer, store = create(gl, "Textures", gl.TEXTURE_BUFFER), create(gl, "Buffers")
    gl.NamedBufferData(store, 1024, None, gl.STATIC_DRAW)
    gl.TextureBuffer(texel_buffer, gl.RGBA8, store)
    said["buffer"] = gl.ints("GetTextureLevelParameteriv", texel_buffer, 0, gl.TEXTURE_WIDTH), gl.error()
    gl.TextureBufferRange(texel_buffer, gl.RGBA8, store, 256, 64)
    said["buffer range"] = gl.ints("GetTextureLevelParameteriv", texel_buffer, 0, gl.TEXTURE_WIDTH), gl.error()
    many = create(gl, "Textures", gl.TEXTURE_2D_MULTISAMPLE)
    gl.TextureStorage2DMultisample(many, 4, gl.RGBA8, 4, 4, 1)
    said["samples"] = gl.ints("GetTextureLevelParameteriv", many, 0, gl.TEXTURE_SAMPLES), gl.error()
    blocks = create(gl, "Textures", gl.TEXTURE_2D)
    gl.TextureStorage2D(blocks, 1, gl.COMPRESSED_RED_RGTC1, 8, 8)
    gl.CompressedTextureSubImage2D(blocks, 0, 0, 0, 8, 8, gl.COMPRESSED_RED_RGTC1, 32, bytes(range(32)))
    for what, part in {"all blocks": (), "two blocks": (4, 0, 0, 4, 8, 1), "half a block": (2, 0, 0, 4, 4, 1)}.items():
        into = ctypes.create_string_buffer(b"\xCD" * 40, 40)
        if part:
            gl.GetCompressedTextureSubImage(blocks, 0, *part, 32, into)
        else:
            gl.GetCompressedTextureImage(blocks, 0, 32, into)
        said[what] = gl.error(), into.raw
    for what, call in {"no such target": (gl.CreateTextures, gl.RGBA, 1, (ctypes.c_uint * 1)()), "negative": (gl.CreateTextures, gl.TEXTURE_2D, -1, None),
                       "no such texture": (gl.TextureParameteri, 999, gl.TEXTURE_SWIZZLE_R, gl.RED), "parameter": (gl.TextureParameteri, cube, gl.RGBA, 0),
                       "buffer's parameter": (gl.TextureParameteri, texel_buffer, gl.TEXTURE_SWIZZLE_R, gl.RED), "storage of another shape": (gl.TextureStorage3D, create(gl, "Textures", gl.TEXTURE_2D), 1, gl.RGBA8, 4, 4, 4),
                       "mipmaps of samples": (gl.GenerateTextureMipmap, many), "storage twice": (gl.TextureStorage2D, cube, 1, gl.RGBA8, 4, 4),
                       "unit": (gl.BindTextureUnit, 9999, cube), "no such texture for a unit": (gl.BindTextureUnit, 0, 999)}.items():
        call[0](*call[1:])
        said[what] = gl.error()
    return said


def framebuffers(gl) -> dict:
    said = {}
    renderbuffer, framebuffer, second = create(gl, "Renderbuffers"), create(gl, "Framebuffers"), create(gl, "Framebuffers")
    gl.NamedRenderbufferStorage(renderbuffer, gl.RGBA8, 4, 4)
    said["renderbuffer"] = gl.ints("GetNamedRenderbufferParameteriv", renderbuffer, gl.RENDERBUFFER_WIDTH), gl.error()
    gl.NamedFramebufferRenderbuffer(framebuffer, gl.COLOR_ATTACHMENT1, gl.RENDERBUFFER, renderbuffer)
    gl.NamedFramebufferDrawBuffer(framebuffer, gl.COLOR_ATTACHMENT1)
    gl.NamedFramebufferReadBuffer(framebuffer, gl.COLOR_ATTACHMENT1)
    said["status"] = [gl.CheckNamedFramebufferStatus(name, target) for name in (framebuffer, second) for target in (gl.DRAW_FRAMEBUFFER, gl.READ_FRAMEBUFFER)], gl.error()
    gl.ClearNamedFramebufferfv(framebuffer, gl.COLOR, 0, (ctypes.c_float * 4)(0.25, 0.5, 0.75, 1))
    texture = create(gl, "Textures", gl.TEXTURE_2D_ARRAY)
    gl.TextureStorage3D(texture, 1, gl.RGBA8, 4, 4, 2)
    gl.NamedFramebufferTextureLayer(second, gl.COLOR_ATTACHMENT0, texture, 0, 1)
    gl.BlitNamedFramebuffer(framebuffer, second, 0, 0, 4, 4, 0, 0, 2, 2, gl.COLOR_BUFFER_BIT, gl.NEAREST)
    said["blitted"] = gl.error(), texels(gl, texture, size=128)
    said["attachment"] = [gl.ints("GetNamedFramebufferAttachmentParameteriv", second, gl.COLOR_ATTACHMENT0, getattr(gl, f"FRAMEBUFFER_ATTACHMENT_{q}"))
                          for q in ("OBJECT_TYPE", "TEXTURE_LAYER")], gl.error()
    gl.NamedFramebufferTexture(second, gl.COLOR_ATTACHMENT0, texture, 0)
    said["layered"] = gl.ints("GetNamedFramebufferAttachmentParameteriv", second, gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_LAYERED), gl.error()
    gl.NamedFramebufferParameteri(second, gl.FRAMEBUFFER_DEFAULT_WIDTH, 17)
    said["parameter"] = gl.ints("GetNamedFramebufferParameteriv", second, gl.FRAMEBUFFER_DEFAULT_WIDTH), gl.error()
    gl.InvalidateNamedFramebufferData(second, 1, (ctypes.c_uint * 1)(gl.COLOR_ATTACHMENT0))
    gl.InvalidateNamedFramebufferSubData(framebuffer, 1, (ctypes.c_uint * 1)(gl.COLOR_ATTACHMENT1), 0, 0, 2, 2)
    said["invalidated"] = gl.error()
    for what, call in {"no such framebuffer": (gl.NamedFramebufferTexture, 999, gl.COLOR_ATTACHMENT0, texture, 0), "default": (gl.NamedFramebufferTexture, 0, gl.COLOR_ATTACHMENT0, texture, 0),
                       "no such renderbuffer": (gl.NamedRenderbufferStorage, 999, gl.RGBA8, 4, 4), "draw buffer": (gl.NamedFramebufferDrawBuffer, framebuffer, gl.RGBA),
                       "blit of nothing": (gl.BlitNamedFramebuffer, 999, second, 0, 0, 4, 4, 0, 0, 2, 2, gl.COLOR_BUFFER_BIT, gl.NEAREST),
                       "target": (gl.CheckNamedFramebufferStatus, framebuffer, gl.TEXTURE_2D)}.items():
        call[0](*call[1:])
        said[what] = gl.error()
    return said


def vertices(gl) -> dict:
    said = {}
    gl.target(8, 8, "RGBA32F")
    gl.UseProgram(gl.program(VERTEX, FRAGMENT))
    array, store, indices, texture = create(gl, "VertexArrays"), create(gl, "Buffers"), create(gl, "Buffers"), create(gl, "Textures", gl.TEXTURE_2D)
    gl.TextureStorage2D(texture, 1, gl.RGBA32F, 2, 1)
    gl.TextureSubImage2D(texture, 0, 0, 0, 2, 1, gl.RGBA, gl.FLOAT, struct.pack("8f", *(i / 16 for i in range(8))))
    gl.BindTextureUnit(3, texture)
    gl.NamedBufferData(store, 96, struct.pack("24f", *(v for p in ((-1, -1), (3, -1), (-1, 3), (9, 9)) for v in (*p, 0.25, 0.5, 0, 1))), gl.STATIC_DRAW)
    gl.NamedBufferData(indices, 3, bytes((0, 1, 2)), gl.STATIC_DRAW)
    gl.VertexArrayVertexBuffer(array, 2, store, 0, 24)
    gl.VertexArrayElementBuffer(array, indices)
    for index, (size, offset) in enumerate(((2, 0), (4, 8))):
        gl.EnableVertexArrayAttrib(array, index)
        gl.VertexArrayAttribFormat(array, index, size, gl.FLOAT, 0, offset)
        gl.VertexArrayAttribBinding(array, index, 2)
    gl.VertexArrayBindingDivisor(array, 5, 3)
    said["described"] = [gl.ints("GetVertexArrayIndexediv", array, i, getattr(gl, f"VERTEX_ATTRIB_{q}")) for i in (0, 1, 2)
                         for q in ("ARRAY_ENABLED", "ARRAY_SIZE", "ARRAY_TYPE", "RELATIVE_OFFSET")], gl.error()
    said["elements"] = gl.ints("GetVertexArrayiv", array, gl.ELEMENT_ARRAY_BUFFER_BINDING) == [indices], gl.error()
    gl.BindVertexArray(array)
    gl.DrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_BYTE, None)
    said["drawn"] = gl.error(), gl.pixels(8, 8, "RGBA", "FLOAT", 16)
    gl.DisableVertexArrayAttrib(array, 1)
    gl.VertexArrayAttribIFormat(array, 4, 2, gl.INT, 4)
    gl.VertexArrayAttribLFormat(array, 5, 2, gl.DOUBLE, 8)
    gl.VertexArrayVertexBuffers(array, 3, 2, (ctypes.c_uint * 2)(store, 0), (ctypes.c_ssize_t * 2)(8, 0), (ctypes.c_int * 2)(8, 8))
    long = ctypes.c_int64()
    gl.GetVertexArrayIndexed64iv(array, 3, gl.VERTEX_BINDING_OFFSET, ctypes.byref(long))
    said["offset"] = long.value, gl.error()
    said["more"] = [gl.ints("GetVertexArrayIndexediv", array, i, getattr(gl, f"VERTEX_ATTRIB_ARRAY_{q}")) for i in (1, 4, 5) for q in ("ENABLED", "INTEGER", "LONG", "DIVISOR")]
    for what, call in {"no such array": (gl.EnableVertexArrayAttrib, 999, 0), "zero": (gl.VertexArrayAttribFormat, 0, 0, 4, gl.FLOAT, 0, 0),
                       "attribute": (gl.EnableVertexArrayAttrib, array, 99), "query": (gl.GetVertexArrayiv, array, gl.RGBA, (ctypes.c_int * 1)()),
                       "indexed query": (gl.GetVertexArrayIndexediv, array, 0, gl.CURRENT_VERTEX_ATTRIB, (ctypes.c_int * 4)())}.items():
        call[0](*call[1:])
        said[what] = gl.error()
    program = gl.ints("GetIntegerv", gl.CURRENT_PROGRAM)[0]
    value = (ctypes.c_int * 4)(*[-7] * 4)
    for size in (4, 0, -1):
        gl.GetnUniformiv(program, gl.GetUniformLocation(program, b"image"), size, value)
        said[f"uniform into {size} bytes"] = list(value), gl.error()
    return said


def walk(gl) -> dict:
    said = {}
    for kind in MAKERS:
        name = create(gl, kind)
        said[f"{kind} exist"] = getattr(gl, f"Is{kind[:-1]}")(name), gl.error()
        getattr(gl, f"Create{kind}")(-1, None)
        said[f"{kind} of a negative number"] = gl.error()
    before = bindings(gl)
    for part in (buffers, textures, framebuffers):
        said |= {f"{part.__name__}: {what}": answer for what, answer in part(gl).items()}
        said[f"{part.__name__}: what was bound is"] = bindings(gl) == before
    return said | {f"vertices: {what}": answer for what, answer in vertices(gl).items()}
