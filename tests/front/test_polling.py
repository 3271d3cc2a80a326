"""Polling a query or a fence with a real driver: the loop ends, no answer is waited for, and the result is right."""

import ctypes
import time

import pytest
from gl import GL

import mgpipe


@pytest.fixture(params=["monolith", "inproc", "spawn"])
def gl(request):
    with mgpipe.context(topology=request.param, driver="gl") as loader:
        made = GL(loader)
        made.stats = loader.stats
        yield made
        assert made.error() == "NO_ERROR"
    loader.release()


def work(gl) -> None:
    """Something that takes the driver a while."""
    texture, framebuffer = gl.gen("Textures"), gl.gen("Framebuffers")
    gl.BindTexture(gl.TEXTURE_2D, texture)
    gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1024, 1024, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    for _ in range(20):
        gl.Clear(gl.COLOR_BUFFER_BIT)


def until(done) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline, "the loop does not end"


def answers(gl) -> int:
    stats = gl.stats()
    return stats["round_trips"] + stats["reads"] + stats["finishes"]


def test_queries(gl):
    before, queries = answers(gl), gl.gen("Queries", 4)
    for query in queries:
        gl.BeginQuery(gl.TIME_ELAPSED, query)
        work(gl)
        gl.EndQuery(gl.TIME_ELAPSED)
    for query in queries:
        until(lambda query=query: gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT_AVAILABLE))
        elapsed = ctypes.c_uint64()
        gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, ctypes.addressof(elapsed))
        assert elapsed.value > 0
    assert answers(gl) == before


def test_fences(gl):
    before = answers(gl)
    for _ in range(4):
        work(gl)
        sync = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
        until(lambda sync=sync: gl.ClientWaitSync(sync, 0, 0) == gl.ALREADY_SIGNALED)
        gl.DeleteSync(sync)
    assert answers(gl) == before


def test_a_result_begun_anew_is_not_the_old_one(gl):
    query = gl.gen("Queries")
    for _ in range(20):
        gl.BeginQuery(gl.TIME_ELAPSED, query)
        gl.EndQuery(gl.TIME_ELAPSED)
        gl.Flush()
    gl.QueryCounter(gl.gen("Queries"), gl.TIMESTAMP)
    gl.BeginQuery(gl.PRIMITIVES_GENERATED, other := gl.gen("Queries"))
    gl.EndQuery(gl.PRIMITIVES_GENERATED)
    until(lambda: gl.get_int("GetQueryObjectuiv", other, gl.QUERY_RESULT_AVAILABLE))
    assert gl.get_int("GetQueryObjectuiv", other, gl.QUERY_RESULT) == 0


def test_timestamps(gl):
    first, second = ctypes.c_int64(), ctypes.c_int64()
    gl.GetInteger64v(gl.TIMESTAMP, ctypes.addressof(first))
    gl.GetInteger64v(gl.TIMESTAMP, ctypes.addressof(second))
    assert 0 < first.value <= second.value


def test_a_result_that_is_waited_for_counts_as_a_read(gl):
    query = gl.gen("Queries")
    gl.BeginQuery(gl.TIME_ELAPSED, query)
    work(gl)
    gl.EndQuery(gl.TIME_ELAPSED)
    before = gl.stats()
    assert gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT) != 0
    after = gl.stats()
    assert after["reads"] == before["reads"] + 1 and after["round_trips"] == before["round_trips"]
