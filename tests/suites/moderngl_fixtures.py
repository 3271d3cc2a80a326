"""The fixtures that moderngl's own tests ask for; its sdist has the tests and no conftest."""

import struct

import pytest

import moderngl


def create_context() -> moderngl.Context:
    return moderngl.create_context(standalone=True, backend="egl")


@pytest.fixture(scope="session")
def ctx_static():
    """One context for the whole suite, as those tests were written for."""
    return create_context()


@pytest.fixture
def ctx(ctx_static):
    """The same, in its initial state; a test neither meets nor leaves a GL error."""
    assert ctx_static.error == "GL_NO_ERROR"
    ctx_static.gc_mode = None
    ctx_static.enable_only(moderngl.NOTHING)
    ctx_static.blend_func = moderngl.DEFAULT_BLENDING
    yield ctx_static
    assert ctx_static.error == "GL_NO_ERROR"


@pytest.fixture
def ctx_new(ctx_static):
    context = create_context()
    yield context
    context.release()
    ctx_static.__enter__()


@pytest.fixture(scope="session")
def color_prog(ctx_static):
    return ctx_static.program(
        vertex_shader="""
            #version 330
            in vec2 in_vert;
            void main() { gl_Position = vec4(in_vert, 0.0, 1.0); }
        """,
        fragment_shader="""
            #version 330
            uniform vec4 color;
            out vec4 fragment;
            void main() { fragment = color; }
        """,
    )


@pytest.fixture(scope="session")
def ndc_quad(ctx_static):
    """A triangle strip over the whole of clip space."""
    return ctx_static.buffer(struct.pack("8f", -1, 1, -1, -1, 1, 1, 1, -1))
