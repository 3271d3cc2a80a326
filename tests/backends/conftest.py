"""Servers for the tests: each driver by fixture; after every test nothing it made may live on."""

import pytest
from server import Server

from mgpipe.catalogue.calls import HANDLE_KINDS

DIALECTS = ("gl", "gles")


@pytest.fixture(params=DIALECTS)
def server(request):
    """A real driver in both dialects. After the test a reset must leave nothing living."""
    made = Server(request.param)
    yield made
    if not made.session.fault:
        made.call("session_reset")
        assert {kind: made.living(kind) for kind in HANDLE_KINDS if made.living(kind)} == {}
    made.close()


@pytest.fixture
def null():
    made = Server("null")
    yield made
    made.close()
