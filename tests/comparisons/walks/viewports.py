"""Viewports, depth ranges and scissors one by one, clip control, clamped polygon offset, framebuffers without attachments."""

import struct

VERTEX = """#version 410
in vec2 at; void main() { gl_Position = vec4(at, 0.5, 1.0); }"""
GEOMETRY = """#version 410
layout(triangles, invocations = 4) in; layout(triangle_strip, max_vertices = 3) out;
flat out int which;
void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; gl_ViewportIndex = gl_InvocationID;
              which = gl_InvocationID; EmitVertex(); } EndPrimitive(); }"""
FRAGMENT = """#version 410
flat in int which; out vec4 color; void main() { color = vec4(float(which + 1) * 0.2, gl_FragCoord.z, 1.0, 1.0); }"""
FLAT = """#version 410
out vec4 color; void main() { color = vec4(gl_FragCoord.xy / 32.0, gl_FragCoord.z, 1.0); }"""
SIZE = 32


def triangle(gl):
    array, buffer = gl.gen("VertexArrays"), gl.gen("Buffers")
    gl.BindVertexArray(array)
    gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
    data = struct.pack("6f", -1, -1, 1, -1, -1, 0.5)
    gl.BufferData(gl.ARRAY_BUFFER, len(data), data, gl.STATIC_DRAW)
    gl.EnableVertexAttribArray(0)
    gl.VertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)


def state(gl) -> list:
    return [(gl.floats("GetFloati_v", gl.VIEWPORT, i, count=4), gl.floats("GetFloati_v", gl.DEPTH_RANGE, i, count=2),
             gl.ints("GetIntegeri_v", gl.SCISSOR_BOX, i, count=4), gl.IsEnabledi(gl.SCISSOR_TEST, i)) for i in (0, 1, 3, 15)]


def drawn(gl, program) -> bytes:
    gl.ClearColor(0, 0, 0, 1)
    gl.Clear(gl.COLOR_BUFFER_BIT)
    gl.UseProgram(program)
    gl.DrawArrays(gl.TRIANGLES, 0, 3)
    return gl.pixels(SIZE, SIZE)


def walk(gl) -> dict:
    said = {}
    gl.target(SIZE, SIZE)
    triangle(gl)
    several, flat = gl.program(VERTEX, FRAGMENT, GEOMETRY), gl.program(VERTEX, FLAT)
    said["limits"] = [gl.ints("GetIntegerv", gl.MAX_VIEWPORTS), gl.floats("GetFloatv", gl.VIEWPORT_BOUNDS_RANGE, count=2)]
    gl.Scissor(1, 2, 3, 4)
    gl.DepthRange(0.25, 0.75)
    said["one sets all"] = state(gl)
    said["all alike"] = drawn(gl, several)
    gl.ViewportArrayv(0, 4, struct.pack("16f", 0, 0, 16, 16, 16.5, 0, 15.5, 16, 0, 16, 16, 16, 16, 16, 16, 16))
    gl.DepthRangeArrayv(1, 2, struct.pack("4d", 0.0, 0.5, 0.5, 1.0))
    gl.DepthRangeIndexed(3, 1.0, 0.0)
    said["apart"] = state(gl)
    said["drawn apart"] = drawn(gl, several)
    gl.Scissor(0, 0, SIZE, SIZE)
    gl.ScissorIndexed(1, 18, 3, 4, 4)
    gl.ScissorArrayv(2, 1, struct.pack("4i", 2, 18, 9, 9))
    gl.Enablei(gl.SCISSOR_TEST, 1)
    gl.Enablei(gl.SCISSOR_TEST, 2)
    said["scissors apart"] = state(gl)
    said["is enabled"] = [gl.IsEnabled(gl.SCISSOR_TEST), gl.ints("GetIntegerv", gl.SCISSOR_TEST)]
    said["drawn scissored"] = drawn(gl, several)
    gl.Viewport(0, 0, SIZE, SIZE)
    gl.Enable(gl.SCISSOR_TEST)
    gl.Scissor(4, 4, 20, 20)
    said["together again"] = state(gl)
    said["drawn together"] = drawn(gl, several)
    gl.Disable(gl.SCISSOR_TEST)
    for name, call in {
        "array": lambda: gl.ViewportArrayv(15, 2, bytes(64)), "negative": lambda: gl.ViewportIndexedf(0, 0, 0, -1, 1),
        "index": lambda: gl.ScissorIndexed(16, 0, 0, 1, 1), "box": lambda: gl.ScissorIndexed(0, 0, 0, 1, -1),
        "range": lambda: gl.DepthRangeIndexed(16, 0, 1), "enable": lambda: gl.Enablei(gl.SCISSOR_TEST, 16),
        "enum": lambda: gl.Enablei(gl.DEPTH_TEST, 0), "get": lambda: gl.ints("GetIntegeri_v", gl.SCISSOR_BOX, 16),
        "clip": lambda: gl.ClipControl(gl.UPPER_LEFT, gl.UPPER_LEFT),
    }.items():
        call()
        said[f"error {name}"] = gl.error()
    for origin in (gl.LOWER_LEFT, gl.UPPER_LEFT):
        for depth in (gl.NEGATIVE_ONE_TO_ONE, gl.ZERO_TO_ONE):
            gl.ClipControl(origin, depth)
            said[f"clip {origin:x} {depth:x}"] = drawn(gl, flat), gl.ints("GetIntegerv", gl.CLIP_ORIGIN), gl.ints(
                "GetIntegerv", gl.CLIP_DEPTH_MODE)
    gl.ClipControl(gl.LOWER_LEFT, gl.NEGATIVE_ONE_TO_ONE)
    return said | without_attachments(gl)


def without_attachments(gl) -> dict:
    said = {}
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    said["empty"] = gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
    for name, value in (("WIDTH", 20), ("HEIGHT", 10), ("SAMPLES", 4), ("LAYERS", 2), ("FIXED_SAMPLE_LOCATIONS", 1)):
        pname = getattr(gl, f"FRAMEBUFFER_DEFAULT_{name}")
        before = gl.ints("GetFramebufferParameteriv", gl.FRAMEBUFFER, pname)
        gl.FramebufferParameteri(gl.FRAMEBUFFER, pname, value)
        said[name] = before, gl.ints("GetFramebufferParameteriv", gl.FRAMEBUFFER, pname)
    said["sized"] = gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
    gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, -1)
    said["negative"] = gl.error()
    gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.TEXTURE_2D, 1)
    said["no parameter"] = gl.error()
    gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
    gl.FramebufferParameteri(gl.FRAMEBUFFER, gl.FRAMEBUFFER_DEFAULT_WIDTH, 1)
    said["of the default one"] = gl.error()
    return said
