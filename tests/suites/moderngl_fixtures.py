"""The fixtures that moderngl's own tests ask for; its sdist has the tests and no conftest.

A context lives as long as one test, so that each can be asked what it leaves behind. Some of those tests' fixtures keep
objects for a class or a module: they, too, are made for each test.
"""

import struct

import pytest

import moderngl
from leaks import nothing_is_left  # noqa: F401


def for_each_test(*functions, fixture=pytest.fixture, **keywords):
    return fixture(*functions, **keywords | {"scope": "function"})


pytest.fixture = for_each_test


def create_context() -> moderngl.Context:
    return moderngl.create_context(standalone=True, backend="egl")


@pytest.fixture
def ctx_static():
    """Draws into a framebuffer from the start: many of those tests do with the one that an earlier test left bound."""
    context = create_context()
    context.simple_framebuffer((16, 16)).use()
    yield context
    context.release()


@pytest.fixture
def ctx(ctx_static):
    """The same; a test leaves no GL error."""
    yield ctx_static
    assert ctx_static.error == "GL_NO_ERROR"


@pytest.fixture
def ctx_new(ctx_static):
    context = create_context()
    yield context
    context.release()
    ctx_static.__enter__()


@pytest.fixture
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


@pytest.fixture
def ndc_quad(ctx_static):
    """A triangle strip over the whole of clip space."""
    return ctx_static.buffer(struct.pack("8f", -1, 1, -1, -1, 1, 1, 1, -1))
