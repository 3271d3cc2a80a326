import pytest


@pytest.fixture
def gl():
    """Bare OpenGL of a fresh context whose driver draws nothing: for state, errors, answers. Leaves no error behind."""
    mgpipe = pytest.importorskip("mgpipe")
    pytest.importorskip("glad")
    from gl import GL

    with mgpipe.context(topology="monolith", driver="null") as loader:
        gl = GL(loader)
        yield gl
        assert gl.error() == "NO_ERROR"
    loader.release()


@pytest.fixture
def buffer(gl):
    """A bound array buffer of the bytes 0 … 15."""
    name = gl.gen("Buffers")
    gl.BindBuffer(gl.ARRAY_BUFFER, name)
    gl.BufferData(gl.ARRAY_BUFFER, 16, bytes(range(16)), gl.STATIC_DRAW)
    return name
