"""PyOpenGL with its default error checking, which asks glGetError after every call: a textured, instanced grid."""

import ctypes
import os
import sys

os.environ["PYOPENGL_PLATFORM"] = "egl"

from array import array

from OpenGL import EGL, GL
from OpenGL.GL import shaders
from PIL import Image

OUT, FRAMES, SIZE = sys.argv[1], int(sys.argv[2]), 256

VERTEX = """#version 330 core
layout(location = 0) in vec2 corner;
uniform float angle;
out vec2 place;
void main() {
    vec2 cell = vec2(gl_InstanceID % 4, gl_InstanceID / 4) * 0.5 - 0.75;
    float s = sin(angle + gl_InstanceID), c = cos(angle + gl_InstanceID);
    place = corner * 0.5 + 0.5;
    gl_Position = vec4(cell + mat2(c, s, -s, c) * corner * 0.2, 0.0, 1.0);
}"""
FRAGMENT = """#version 330 core
uniform sampler2D picture;
in vec2 place;
out vec4 colour;
void main() { colour = texture(picture, place); }"""


def make_context():
    display = EGL.eglGetDisplay(EGL.EGL_DEFAULT_DISPLAY)
    EGL.eglInitialize(display, ctypes.c_long(), ctypes.c_long())
    EGL.eglBindAPI(EGL.EGL_OPENGL_API)
    wanted = (EGL.EGLint * 5)(EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT, EGL.EGL_NONE)
    configs, count = (EGL.EGLConfig * 1)(), ctypes.c_long()
    EGL.eglChooseConfig(display, wanted, configs, 1, count)
    asked = (EGL.EGLint * 7)(EGL.EGL_CONTEXT_MAJOR_VERSION, 3, EGL.EGL_CONTEXT_MINOR_VERSION, 3,
                             EGL.EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL.EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL.EGL_NONE)
    context = EGL.eglCreateContext(display, configs[0], EGL.EGL_NO_CONTEXT, asked)
    EGL.eglMakeCurrent(display, EGL.EGL_NO_SURFACE, EGL.EGL_NO_SURFACE, context)


make_context()
array_object = GL.glGenVertexArrays(1)
GL.glBindVertexArray(array_object)
program = shaders.compileProgram(shaders.compileShader(VERTEX, GL.GL_VERTEX_SHADER),
                                 shaders.compileShader(FRAGMENT, GL.GL_FRAGMENT_SHADER))
corners = array("f", (-1, -1, 1, -1, -1, 1, 1, 1))
GL.glBindBuffer(GL.GL_ARRAY_BUFFER, GL.glGenBuffers(1))
GL.glBufferData(GL.GL_ARRAY_BUFFER, corners.tobytes(), GL.GL_STATIC_DRAW)
GL.glEnableVertexAttribArray(0)
GL.glVertexAttribPointer(0, 2, GL.GL_FLOAT, False, 0, None)
GL.glBindTexture(GL.GL_TEXTURE_2D, GL.glGenTextures(1))
texels = bytes(v for y in range(16) for x in range(16) for v in (16 * x, 16 * y, 255 if (x ^ y) & 4 else 0))
GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGB8, 16, 16, 0, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, texels)
GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_NEAREST)
GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST)
GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, GL.glGenFramebuffers(1))
GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, GL.glGenRenderbuffers(1))
GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, GL.GL_RGBA8, SIZE, SIZE)
GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_RENDERBUFFER, 1)
assert GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) == GL.GL_FRAMEBUFFER_COMPLETE
GL.glViewport(0, 0, SIZE, SIZE)
GL.glUseProgram(program)
angle = GL.glGetUniformLocation(program, "angle")
for frame in range(FRAMES):
    GL.glClearColor(0.1, 0.1, 0.15, 1.0)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    GL.glUniform1f(angle, 0.3)
    GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, 16)
    GL.glFlush()
pixels = GL.glReadPixels(0, 0, SIZE, SIZE, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
try:
    GL.glEnable(0x1234)
    raise AssertionError("PyOpenGL did not see the error")
except GL.GLError as error:
    assert error.err == GL.GL_INVALID_ENUM
Image.frombytes("RGBA", (SIZE, SIZE), pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(OUT)
