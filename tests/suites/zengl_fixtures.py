"""The fixture that zengl's own tests ask for; its sdist has the tests and no conftest."""

import glcontext
import pytest
from leaks import nothing_is_left  # noqa: F401

import zengl


@pytest.fixture
def ctx():
    """A context of the driver's and zengl's for it, each test its own."""
    native = glcontext.get_backend_by_name("egl")(mode="standalone", glversion=330)
    zengl.init(native)
    context = zengl.context()
    yield context
    context.release("all")
    native.release()
