"""The fixture that zengl's own tests ask for; its sdist has the tests and no conftest."""

import glcontext
import pytest

import zengl


@pytest.fixture(scope="session")
def loader():
    context = glcontext.get_backend_by_name("egl")(mode="standalone", glversion=330)
    zengl.init()
    return context


@pytest.fixture
def ctx(loader):
    """A context of zengl's, and nothing alive in it when the test is over."""
    context = zengl.context()
    yield context
    context.release("all")
