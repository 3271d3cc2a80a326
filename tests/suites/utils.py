"""What zengl's tests import as `utils`: the GL error state, through PyOpenGL."""

from OpenGL import GL


def clear_gl_error() -> None:
    while GL.glGetError() != GL.GL_NO_ERROR:
        pass


def assert_gl_error(what: str = "") -> None:
    error = GL.glGetError()
    assert error == GL.GL_NO_ERROR, f"{what}: GL error {error:#06x}"
