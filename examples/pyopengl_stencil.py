"""Raw PyOpenGL over EGL: a context of its own, a stencil mask, two-sided blending, glGetError after every call."""

import ctypes
import os
import struct

os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
os.environ.setdefault("EGL_PLATFORM", "surfaceless")

import stage  # noqa: E402
from OpenGL import EGL, GL  # noqa: E402


def make_context(size: int) -> None:
    display = EGL.eglGetDisplay(EGL.EGL_DEFAULT_DISPLAY)
    major, minor = ctypes.c_int(), ctypes.c_int()
    if not EGL.eglInitialize(display, major, minor):
        raise SystemExit("eglInitialize failed")
    wanted = (EGL.EGLint * 11)(
        EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_RED_SIZE, 8, EGL.EGL_DEPTH_SIZE, 24,
        EGL.EGL_STENCIL_SIZE, 8, EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT, EGL.EGL_NONE,
    )
    configs, count = (EGL.EGLConfig * 1)(), ctypes.c_int()
    EGL.eglChooseConfig(display, wanted, configs, 1, count)
    EGL.eglBindAPI(EGL.EGL_OPENGL_API)
    core = (EGL.EGLint * 7)(0x3098, 3, 0x30FB, 3, 0x30FD, 1, EGL.EGL_NONE)   # version 3.3, core profile
    context = EGL.eglCreateContext(display, configs[0], EGL.EGL_NO_CONTEXT, core)
    surface = EGL.eglCreatePbufferSurface(
        display, configs[0], (EGL.EGLint * 5)(EGL.EGL_WIDTH, size, EGL.EGL_HEIGHT, size, EGL.EGL_NONE)
    )
    if not EGL.eglMakeCurrent(display, surface, surface, context):
        raise SystemExit("eglMakeCurrent failed")
    return display, surface


def program(vertex: str, fragment: str) -> int:
    made = GL.glCreateProgram()
    for kind, source in ((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment)):
        shader = GL.glCreateShader(kind)
        GL.glShaderSource(shader, source)
        GL.glCompileShader(shader)
        if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
            raise SystemExit(GL.glGetShaderInfoLog(shader).decode())
        GL.glAttachShader(made, shader)
    GL.glLinkProgram(made)
    if not GL.glGetProgramiv(made, GL.GL_LINK_STATUS):
        raise SystemExit(GL.glGetProgramInfoLog(made).decode())
    return made


def main() -> None:
    asked = stage.options()
    size = asked.size
    display, surface = make_context(size)
    painted = program(
        "#version 330 core\nlayout (location = 0) in vec2 p; uniform vec4 place;"
        "void main() { gl_Position = vec4(p * place.zw + place.xy, 0.0, 1.0); }",
        "#version 330 core\nuniform vec4 tint; out vec4 pixel; void main() { pixel = tint; }",
    )
    place, tint = (GL.glGetUniformLocation(painted, name) for name in ("place", "tint"))
    vertices = struct.pack("12f", 0, 1, -1, -1, 1, -1, 0, -1, 1, 1, -1, 1)
    array = GL.glGenVertexArrays(1)
    GL.glBindVertexArray(array)
    buffer = GL.glGenBuffers(1)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
    GL.glBufferData(GL.GL_ARRAY_BUFFER, len(vertices), vertices, GL.GL_STATIC_DRAW)
    GL.glEnableVertexAttribArray(0)
    GL.glVertexAttribPointer(0, 2, GL.GL_FLOAT, GL.GL_FALSE, 8, ctypes.c_void_p(0))
    GL.glViewport(0, 0, size, size)
    GL.glUseProgram(painted)
    for number in range(asked.frames):
        GL.glClearColor(0.1, 0.1, 0.12, 1.0)
        GL.glClearStencil(0)
        GL.glStencilMask(0xFF)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_ALWAYS, 1, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_INCR)
        GL.glUniform4f(place, 0.0, 0.0, 0.8, 0.8)
        GL.glUniform4f(tint, 0.2, 0.3, 0.5, 1.0)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 6)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        for reference, colour in ((1, (0.9, 0.6, 0.1, 1.0)), (2, (0.9, 0.2, 0.4, 0.7))):
            GL.glStencilFunc(GL.GL_EQUAL, reference, 0xFF)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
            for n in range(6):
                GL.glUniform4f(place, 0.0, -0.9 + 0.36 * n + 0.01 * number, 1.0, 0.08)
                GL.glUniform4f(tint, *colour)
                GL.glDrawArrays(GL.GL_TRIANGLES, 0, 6)
            GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_STENCIL_TEST)
        EGL.eglSwapBuffers(display, surface)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    pixels = GL.glReadPixels(0, 0, size, size, GL.GL_RGB, GL.GL_UNSIGNED_BYTE)
    stage.save(asked.picture, (size, size), bytes(pixels))


if __name__ == "__main__":
    main()
