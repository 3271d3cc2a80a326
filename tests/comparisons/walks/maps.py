"""Buffers mapped in every way, immutable ones, fills and invalidation: what commands say and what the bytes then are."""

import ctypes
import itertools
import struct
import tempfile

SIZE = 32
ROOM = 1 << 18
BITS = ("READ", "WRITE", "PERSISTENT", "COHERENT", "INVALIDATE_RANGE", "INVALIDATE_BUFFER", "UNSYNCHRONIZED", "FLUSH_EXPLICIT")
VERTEX = """#version 330
layout(location = 0) in vec2 at; layout(std140) uniform Shift { vec4 shift; };
void main() { gl_Position = vec4(at + shift.xy, 0, 1); }"""
FRAGMENT = """#version 330
layout(std140) uniform Tint { vec4 tint; }; uniform samplerBuffer more; out vec4 color;
void main() { color = tint + texelFetch(more, 0); }"""


def bits(gl, names: str) -> int:
    return sum(getattr(gl, f"MAP_{name}_BIT") for name in names.split())


def contents(gl, target, size: int, offset: int = 0) -> bytes:
    out = ctypes.create_string_buffer(size)
    gl.GetBufferSubData(target, offset, size, out)
    return out.raw


def fresh(gl, target, data: bytes, flags: int | None = None) -> int:
    name = gl.gen("Buffers")
    gl.BindBuffer(target, name)
    if flags is None:
        gl.BufferData(target, len(data), data, gl.STATIC_DRAW)
    else:
        gl.BufferStorage(target, len(data), data, flags)
    return name


def walk(gl) -> dict:
    return refusals(gl) | ordinary(gl) | persistent(gl) | drawn(gl) | fills(gl)


def refusals(gl) -> dict:
    said = {}
    target = gl.COPY_WRITE_BUFFER
    storages = {"mutable": None, "none": 0, "read": bits(gl, "READ"), "write": bits(gl, "WRITE"),
                "kept": bits(gl, "READ WRITE PERSISTENT"), "coherent": bits(gl, "WRITE PERSISTENT COHERENT"),
                "dynamic": gl.DYNAMIC_STORAGE_BIT}
    for kind, flags in storages.items():
        fresh(gl, target, bytes(64), flags)
        said["made", kind] = gl.error(), [gl.ints("GetBufferParameteriv", target, p) for p in (
            gl.BUFFER_SIZE, gl.BUFFER_USAGE, gl.BUFFER_IMMUTABLE_STORAGE, gl.BUFFER_STORAGE_FLAGS, gl.BUFFER_MAPPED)]
        gl.BufferSubData(target, 0, 4, b"abcd")
        said["write", kind] = gl.error(), contents(gl, target, 4)
        gl.BufferData(target, 64, None, gl.STREAM_DRAW)
        said["redefine", kind] = gl.error(), gl.ints("GetBufferParameteriv", target, gl.BUFFER_USAGE)
        if kind != "mutable":
            gl.BufferStorage(target, 64, None, gl.MAP_READ_BIT)
            said["store again", kind] = gl.error()
        for count in range(4):
            for names in itertools.combinations(BITS, count):
                at = gl.MapBufferRange(target, 8, 16, bits(gl, " ".join(names)))
                said["map", kind, names] = bool(at), gl.error(), gl.ints("GetBufferParameteriv", target, gl.BUFFER_ACCESS_FLAGS)
                if at:
                    said["unmap", kind, names] = gl.UnmapBuffer(target), gl.error()
        for access in ("READ_ONLY", "WRITE_ONLY", "READ_WRITE"):
            at = gl.MapBuffer(target, getattr(gl, access))
            said["map whole", kind, access] = bool(at), gl.error(), gl.ints("GetBufferParameteriv", target, gl.BUFFER_ACCESS)
            if at:
                gl.UnmapBuffer(target)
    for size, flags in ((0, "READ"), (-1, "READ"), (4, "COHERENT READ"), (4, "PERSISTENT"), (4, "INVALIDATE_RANGE")):
        gl.BindBuffer(target, gl.gen("Buffers"))
        gl.BufferStorage(target, size, None, bits(gl, flags))
        said["storage", size, flags] = gl.error()
    gl.BindBuffer(target, 0)
    gl.BufferStorage(target, 4, None, 0)
    said["no buffer"] = gl.error()
    gl.BufferStorage(gl.TEXTURE_2D, 4, None, 0)
    said["no target"] = gl.error()
    fresh(gl, target, bytes(64))
    for offset, length in ((0, 0), (-1, 4), (0, -1), (60, 8), (65, 1), (64, 0)):
        gl.MapBufferRange(target, offset, length, bits(gl, "WRITE"))
        said["range", offset, length] = gl.error()
    gl.MapBufferRange(target, 0, 4, 0x1000 | bits(gl, "WRITE"))
    said["unknown bit"] = gl.error()
    return said


def ordinary(gl) -> dict:
    """Mappings that end before the buffer is used."""
    said = {}
    target, data = gl.ARRAY_BUFFER, bytes(range(64))
    for names in ("READ", "WRITE", "READ WRITE", "WRITE UNSYNCHRONIZED", "WRITE FLUSH_EXPLICIT", "WRITE FLUSH_EXPLICIT UNSYNCHRONIZED"):
        fresh(gl, target, data)
        at = gl.MapBufferRange(target, 16, 32, bits(gl, names))
        said["seen", names] = ctypes.string_at(at, 32) if "READ" in names else None
        said["place", names] = [gl.ints("GetBufferParameteriv", target, p) for p in (gl.BUFFER_MAP_OFFSET, gl.BUFFER_MAP_LENGTH)]
        if "WRITE" in names:
            ctypes.memmove(at + 4, b"written", 7)
            gl.BufferSubData(target, 0, 1, b"x")
            said["in use", names] = gl.error()
        if "FLUSH" in names:
            for offset, length in ((4, 7), (30, 4), (-1, 2), (0, 0), (40, 0)):
                gl.FlushMappedBufferRange(target, offset, length)
                said["flush", names, offset, length] = gl.error()
        else:
            gl.FlushMappedBufferRange(target, 0, 1)
            said["flush", names] = gl.error()
        said["end", names] = gl.UnmapBuffer(target), gl.error(), contents(gl, target, 64)
        said["twice", names] = gl.UnmapBuffer(target), gl.error()
    fresh(gl, target, data)
    ctypes.memset(gl.MapBufferRange(target, 8, 8, bits(gl, "WRITE INVALIDATE_RANGE")), 5, 8)
    gl.UnmapBuffer(target)
    said["a range anew"] = contents(gl, target, 64)
    ctypes.memset(gl.MapBufferRange(target, 0, 64, bits(gl, "WRITE INVALIDATE_BUFFER")), 6, 64)
    gl.UnmapBuffer(target)
    said["all anew"] = contents(gl, target, 64)
    # after a copy by the server, parts of which are written, read and mapped again
    fresh(gl, gl.COPY_READ_BUFFER, bytes(64))
    fresh(gl, gl.COPY_WRITE_BUFFER, b"\1" * 4096)
    for place in range(0, 4096, 256):
        gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, place, 32)
        gl.BufferSubData(gl.COPY_WRITE_BUFFER, place + 16, 4, b"here")
    at = gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 1000, 1000, bits(gl, "READ WRITE"))
    said["a window"] = ctypes.string_at(at, 1000)
    ctypes.memset(at + 10, 9, 100)
    gl.UnmapBuffer(gl.COPY_WRITE_BUFFER)
    said["all of it"] = contents(gl, gl.COPY_WRITE_BUFFER, 4096)
    return said


def persistent(gl) -> dict:
    said = {}
    target, other = gl.COPY_WRITE_BUFFER, gl.COPY_READ_BUFFER
    data = bytes(i * 7 & 0xFF for i in range(ROOM))
    for names in ("READ WRITE PERSISTENT COHERENT", "READ WRITE PERSISTENT", "READ WRITE PERSISTENT FLUSH_EXPLICIT"):
        fresh(gl, target, data, bits(gl, "READ WRITE PERSISTENT COHERENT") | gl.DYNAMIC_STORAGE_BIT)
        at = gl.MapBufferRange(target, 100, ROOM - 200, bits(gl, names))
        said["seen", names] = ctypes.string_at(at, ROOM - 200) == data[100:-100]

        def shown() -> None:
            """What the program wrote is to be seen by what comes next."""
            if "FLUSH" in names:
                gl.FlushMappedBufferRange(target, 0, ROOM - 200)
            elif "COHERENT" not in names:
                gl.MemoryBarrier(gl.CLIENT_MAPPED_BUFFER_BARRIER_BIT)

        ctypes.memmove(at + 11, b"written", 7)
        ctypes.memmove(at + 65536 - 100 - 3, b"acrosspieces", 12)
        shown()
        fresh(gl, other, bytes(ROOM))
        gl.CopyBufferSubData(target, other, 0, 0, ROOM)
        said["copied", names] = contents(gl, other, ROOM), gl.error()
        gl.BufferSubData(target, 150, 5, b"subda")
        gl.Finish()
        said["sub data", names] = gl.error(), ctypes.string_at(at + 40, 20)
        gl.BufferSubData(other, 0, 64, b"z" * 64)
        gl.CopyBufferSubData(other, target, 0, 1000, 64)
        gl.Finish()
        said["copied in", names] = ctypes.string_at(at + 880, 100)
        ctypes.memmove(at + 930, b"beside", 6)         # beside and over what the server wrote
        ctypes.memmove(at + 990, b"behind", 6)
        shown()
        said["get", names] = contents(gl, target, 200, 950), gl.error()
        for first, last in ((2000, 2004), (2005, 2012), (2013, 2064)):
            gl.CopyBufferSubData(other, target, 0, first, last - first)
        ctypes.memmove(at + 1900 + 70, b"near", 4)       # in the same page as what nobody has fetched
        for place in (2004, 2012):                      # and in its midst
            ctypes.memmove(at + place - 100, b"\xee", 1)
        shown()
        gl.CopyBufferSubData(target, other, 0, 0, ROOM)
        said["near", names] = contents(gl, other, ROOM)
        with tempfile.TemporaryFile() as file:
            file.write(b"from a file" * 1000)
            file.seek(0)
            view = (ctypes.c_char * 11000).from_address(at + 3000)
            said["read into", names] = file.readinto(view)
        shown()
        gl.CopyBufferSubData(target, other, 0, 0, ROOM)
        said["file", names] = contents(gl, other, 11000, 3100)
        fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
        gl.CopyBufferSubData(other, target, 0, 30000, 64)
        gl.DeleteSync(ctypes.c_void_p(fence))
        fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
        said["waited", names] = gl.ClientWaitSync(ctypes.c_void_p(fence), gl.SYNC_FLUSH_COMMANDS_BIT, 10**9) in (
            gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED), ctypes.string_at(at + 29900, 64)
        gl.DeleteSync(ctypes.c_void_p(fence))
        ctypes.memmove(at + 5, b"last", 4)
        if "FLUSH" in names:
            gl.FlushMappedBufferRange(target, 0, 20)
        said["end", names] = gl.UnmapBuffer(target), gl.error(), contents(gl, target, 4000)
    return said


def drawn(gl) -> dict:
    """Vertices, indices, uniform blocks and texels that change in coherent mappings between draws."""
    said = {}
    flags = bits(gl, "WRITE PERSISTENT COHERENT")
    gl.BindVertexArray(gl.gen("VertexArrays"))
    program = gl.program(VERTEX, FRAGMENT)
    gl.target(SIZE, SIZE)
    gl.UseProgram(program)
    at = {}
    for name, target, data in (("vertices", gl.ARRAY_BUFFER, struct.pack("8f", -1, -1, 0, -1, -1, 0, 0, 0)),
                               ("indices", gl.ELEMENT_ARRAY_BUFFER, struct.pack("8H", 0, 1, 2, 0, 1, 2, 0, 0)),
                               ("tint", gl.UNIFORM_BUFFER, struct.pack("4f", 1, 0, 0, 1)),
                               ("more", gl.TEXTURE_BUFFER, struct.pack("4f", 0, 0.25, 0, 0))):
        buffer = fresh(gl, target, data + bytes(ROOM), flags)
        at[name] = gl.MapBufferRange(target, 0, len(data) + ROOM, flags)
        if name == "tint":
            gl.BindBufferBase(gl.UNIFORM_BUFFER, 1, buffer)
    gl.BindTexture(gl.TEXTURE_BUFFER, gl.gen("Textures"))
    gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA32F, buffer)
    fresh(gl, gl.UNIFORM_BUFFER, bytes(16))
    gl.BindBufferBase(gl.UNIFORM_BUFFER, 0, gl.ints("GetIntegerv", gl.UNIFORM_BUFFER_BINDING)[0])
    for i, block in enumerate((b"Shift", b"Tint")):
        gl.UniformBlockBinding(program, gl.GetUniformBlockIndex(program, block), i)
    gl.EnableVertexAttribArray(0)
    gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)

    def picture() -> bytes:
        gl.ClearColor(0, 0, 0, 0)
        gl.Clear(gl.COLOR_BUFFER_BIT)
        gl.DrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, None)
        return gl.pixels(SIZE, SIZE)

    said["drawn first"] = picture()
    ctypes.memmove(at["vertices"] + 8, struct.pack("2f", 1, -1), 8)
    said["drawn vertex"] = picture()
    ctypes.memmove(at["tint"], struct.pack("4f", 0, 0.5, 1, 1), 16)
    said["drawn tint"] = picture()
    ctypes.memmove(at["more"] + 4, struct.pack("f", 0.5), 4)
    said["drawn texel"] = picture()
    ctypes.memmove(at["indices"], struct.pack("3H", 0, 1, 3), 6)
    said["drawn index"] = picture()
    said["drawn again"] = picture()
    said["drawn error"] = gl.error()
    return said


def fills(gl) -> dict:
    said = {}
    target = gl.COPY_WRITE_BUFFER
    values = {"R8": ("RED", "UNSIGNED_BYTE", b"\x55"), "RG16": ("RG", "FLOAT", struct.pack("2f", 0.5, 1)),
              "RGBA8": ("RGB", "UNSIGNED_BYTE", b"\1\2\3"), "R32F": ("RED", "FLOAT", struct.pack("f", 1.5)),
              "RGBA16F": ("RGBA", "FLOAT", struct.pack("4f", 0.25, -1, 3, 100)), "R32UI": ("RED_INTEGER", "UNSIGNED_INT", struct.pack("I", 77777)),
              "RGBA32I": ("RGBA_INTEGER", "INT", struct.pack("4i", -1, 2, -3, 4)), "RGB32F": ("RGB", "FLOAT", struct.pack("3f", 1, 2, 3)),
              "RG8UI": ("RG_INTEGER", "UNSIGNED_SHORT", struct.pack("2H", 3, 300))}
    for internal, (format, type, value) in values.items():
        for data in (value, None):
            fresh(gl, target, b"\7" * 96)
            gl.ClearBufferSubData(target, getattr(gl, internal), 48, 48, getattr(gl, format), getattr(gl, type), data)
            said["part", internal, data] = gl.error(), contents(gl, target, 96)
            gl.BufferSubData(target, 0, 4, b"head")
            gl.ClearBufferData(target, getattr(gl, internal), getattr(gl, format), getattr(gl, type), data)
            said["whole", internal, data] = gl.error(), contents(gl, target, 96)
    fresh(gl, target, b"\7" * 96)
    byte = gl.RED, gl.UNSIGNED_BYTE, b"\1"
    for name, call in {
        "internal": lambda: gl.ClearBufferData(target, gl.RGB8, *byte), "unsized": lambda: gl.ClearBufferData(target, gl.RGBA, *byte),
        "offset": lambda: gl.ClearBufferSubData(target, gl.R32UI, 2, 4, gl.RED_INTEGER, gl.UNSIGNED_INT, None),
        "size": lambda: gl.ClearBufferSubData(target, gl.R32UI, 4, 2, gl.RED_INTEGER, gl.UNSIGNED_INT, None),
        "range": lambda: gl.ClearBufferSubData(target, gl.R8, 90, 10, *byte), "negative": lambda: gl.ClearBufferSubData(target, gl.R8, -1, 1, *byte),
        "integers": lambda: gl.ClearBufferData(target, gl.R8, gl.RED_INTEGER, gl.UNSIGNED_BYTE, None),
        "format": lambda: gl.ClearBufferData(target, gl.R8, gl.TEXTURE_2D, gl.UNSIGNED_BYTE, None),
        "target": lambda: gl.ClearBufferData(gl.TEXTURE_2D, gl.R8, *byte),
        "no buffer": lambda: (gl.BindBuffer(gl.COPY_READ_BUFFER, 0), gl.ClearBufferData(gl.COPY_READ_BUFFER, gl.R8, *byte)),
        "no name": lambda: gl.InvalidateBufferData(4711), "no name either": lambda: gl.InvalidateBufferSubData(4711, 0, 0),
        "beyond": lambda: gl.InvalidateBufferSubData(gl.ints("GetIntegerv", gl.COPY_WRITE_BUFFER_BINDING)[0], 90, 7),
        "fine": lambda: gl.InvalidateBufferSubData(gl.ints("GetIntegerv", gl.COPY_WRITE_BUFFER_BINDING)[0], 90, 6),
    }.items():
        call()
        said["fill error", name] = gl.error()
    name = gl.ints("GetIntegerv", gl.COPY_WRITE_BUFFER_BINDING)[0]
    gl.MapBufferRange(target, 0, 16, bits(gl, "READ"))
    for call in (lambda: gl.ClearBufferData(target, gl.R8, *byte), lambda: gl.InvalidateBufferData(name),
                 lambda: gl.InvalidateBufferSubData(name, 8, 16), lambda: gl.InvalidateBufferSubData(name, 16, 16)):
        call()
        said.setdefault("mapped", []).append(gl.error())
    gl.UnmapBuffer(target)
    gl.InvalidateBufferData(name)
    gl.BufferSubData(target, 4, 4, b"anew")
    said["after"] = gl.error(), contents(gl, target, 4, 4)
    return said
