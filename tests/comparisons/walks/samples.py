"""Where samples lie: of renderbuffers, textures and a framebuffer without either; errors."""

import ctypes


def positions(gl, count: int) -> list:
    into, said = (ctypes.c_float * 2)(-7, -7), []
    for index in range(count):
        gl.GetMultisamplefv(gl.SAMPLE_POSITION, index, into)
        said.append((tuple(into), gl.error()))
    return said


def attached(gl, samples: int) -> None:
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.BindRenderbuffer(gl.RENDERBUFFER, gl.gen("Renderbuffers"))
    gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.RGBA8, 8, 8)
    gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, gl.ints("GetIntegerv", gl.RENDERBUFFER_BINDING)[0])


def walk(gl) -> dict:
    said = {}
    most = gl.ints("GetIntegerv", gl.MAX_SAMPLES)[0]
    for samples in (0, most):
        attached(gl, samples)
        said[f"renderbuffer of {samples}"] = gl.ints("GetIntegerv", gl.SAMPLES), positions(gl, samples + 1)
    read = gl.ints("GetIntegerv", gl.DRAW_FRAMEBUFFER_BINDING)[0]
    attached(gl, 0)
    gl.BindFramebuffer(gl.READ_FRAMEBUFFER, read)
    said["the draw framebuffer is asked"] = positions(gl, 1)
    gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
    gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, gl.gen("Textures"))
    gl.TexImage2DMultisample(gl.TEXTURE_2D_MULTISAMPLE, most, gl.RGBA8, 8, 8, 1)
    gl.FramebufferTexture(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.ints("GetIntegerv", gl.TEXTURE_BINDING_2D_MULTISAMPLE)[0], 0)
    said["texture"] = positions(gl, most + 1)
    gl.GetMultisamplefv(gl.SAMPLES, 0, (ctypes.c_float * 2)())
    said["no such question"] = gl.error()
    return said
