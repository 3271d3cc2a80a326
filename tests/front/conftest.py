import pytest


def fresh(**options):
    """As gl.fresh, where what it needs is installed."""
    pytest.importorskip("mgpipe")
    pytest.importorskip("glad")
    from gl import fresh

    return fresh(**options)


@pytest.fixture
def gl():
    """A context whose driver draws nothing: for state, errors, answers."""
    with fresh(driver="null") as gl:
        yield gl


@pytest.fixture
def gl46():
    """The same, with all of OpenGL 4.6 promised."""
    with fresh(driver="null", gl_version="4.6") as gl:
        yield gl


@pytest.fixture
def drawing():
    """All of OpenGL 4.6 promised, and drawn by the machine's desktop driver, into 32 times 32 texels of RGBA8."""
    with fresh(driver="gl", gl_version="4.6") as gl:
        color = gl.gen("Renderbuffers")
        gl.BindRenderbuffer(gl.RENDERBUFFER, color)
        gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 32, 32)
        gl.BindFramebuffer(gl.FRAMEBUFFER, gl.gen("Framebuffers"))
        gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
        gl.Viewport(0, 0, 32, 32)
        yield gl


def bytes_0_to_15(gl):
    name = gl.gen("Buffers")
    gl.BindBuffer(gl.ARRAY_BUFFER, name)
    gl.BufferData(gl.ARRAY_BUFFER, 16, bytes(range(16)), gl.STATIC_DRAW)
    return name


@pytest.fixture
def buffer(gl):
    """A bound array buffer of the bytes 0 … 15."""
    return bytes_0_to_15(gl)


@pytest.fixture
def buffer46(gl46):
    return bytes_0_to_15(gl46)
