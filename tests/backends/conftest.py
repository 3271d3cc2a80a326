"""Servers for the tests: each driver by fixture; after every test nothing it made may live on."""

import pytest
from server import Server

from mgpipe.catalogue.calls import HANDLE_KINDS

DIALECTS = ("gl", "gles")


@pytest.fixture(params=DIALECTS)
def server(request, monkeypatch):
    """A real driver in both dialects, which may not report one error; a reset then must leave nothing living."""
    monkeypatch.setenv("MGPIPE_DRIVER_ERRORS", "1")
    made = Server(request.param)
    yield made
    assert [text for text in made.log() if text.startswith("DriverError")] == []
    if not made.session.fault:
        made.call("session_reset")
        assert {kind: made.living(kind) for kind in HANDLE_KINDS if made.living(kind)} == {}
    made.close()


@pytest.fixture
def null():
    made = Server("null")
    yield made
    made.close()
