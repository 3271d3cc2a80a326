"""A fixture of both suites: when a test and its contexts are gone, nothing of them is left, on either side."""

import gc
import os

import pytest


@pytest.fixture(autouse=True)
def nothing_is_left(request):
    """Around every other fixture of a test. Without mgpipe there is nothing to ask."""
    gc.freeze()                         # so that collecting, here and in the tests, looks through what is new only
    if "MGPIPE_PRELOAD" not in os.environ:
        yield
        return
    from mgpipe import testing
    from mgpipe.client import connect
    from mgpipe.front import egl

    connect.connect()
    before = testing.living()
    yield
    request.node.funcargs.clear()       # pytest would hold what the fixtures gave until later
    gc.collect()
    egl.release_current()               # a context that was destroyed while current ends only now
    changed = testing.changed(before)
    then, now = changed.get("descriptors of servers", (0, 0))
    if now < then:                      # one that a driver's thread held open for a moment, before the test
        del changed["descriptors of servers"]
    assert not changed, f"before and after the test: {changed}"
