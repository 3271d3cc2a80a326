"""Queries and syncs: who may begin what, and what a GLsync may be (specification chapters 4.1, 4.2)."""

import ctypes

import pytest
from gl import GL

import mgpipe


def test_one_query_of_a_kind_at_a_time(gl):
    a, b = gl.gen("Queries"), gl.gen("Queries")
    gl.BeginQuery(gl.SAMPLES_PASSED, a)
    assert gl.get_int("GetQueryiv", gl.SAMPLES_PASSED, gl.CURRENT_QUERY) == a
    gl.BeginQuery(gl.SAMPLES_PASSED, b)
    assert gl.error() == "INVALID_OPERATION"
    gl.BeginQuery(gl.ANY_SAMPLES_PASSED, b)
    assert gl.error() == "INVALID_OPERATION"
    gl.BeginQuery(gl.TIME_ELAPSED, a)
    assert gl.error() == "INVALID_OPERATION"
    gl.EndQuery(gl.ANY_SAMPLES_PASSED)
    assert gl.error() == "INVALID_OPERATION"
    gl.EndQuery(gl.SAMPLES_PASSED)
    gl.BeginQuery(gl.TIME_ELAPSED, a)
    assert gl.error() == "INVALID_OPERATION"
    gl.delete("Queries", a, b)


@pytest.mark.parametrize("call, error", [
    (lambda gl: gl.BeginQuery(gl.TIMESTAMP, gl.gen("Queries")), "INVALID_ENUM"),
    (lambda gl: gl.BeginQuery(gl.SAMPLES_PASSED, 0), "INVALID_OPERATION"),
    (lambda gl: gl.BeginQuery(gl.SAMPLES_PASSED, 4711), "INVALID_OPERATION"),
    (lambda gl: gl.EndQuery(gl.SAMPLES_PASSED), "INVALID_OPERATION"),
    (lambda gl: gl.QueryCounter(gl.gen("Queries"), gl.TIME_ELAPSED), "INVALID_ENUM"),
    (lambda gl: gl.get_int("GetQueryObjectuiv", gl.gen("Queries"), gl.QUERY_RESULT), "INVALID_OPERATION"),
    (lambda gl: gl.get_int("GetQueryiv", gl.SAMPLES_PASSED, gl.QUERY_RESULT), "INVALID_ENUM"),
    (lambda gl: gl.GenQueries(-1, None), "INVALID_VALUE"),
    (lambda gl: gl.FenceSync(gl.TIMESTAMP, 0), "INVALID_ENUM"),
    (lambda gl: gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 1), "INVALID_VALUE"),
    (lambda gl: gl.DeleteSync(1), "INVALID_VALUE"),
    (lambda gl: gl.ClientWaitSync(0xDEADBEEF00, 0, 0), "INVALID_VALUE"),
    (lambda gl: gl.WaitSync(7, 0, 2**64 - 1), "INVALID_VALUE"),
])
def test_errors_that_the_client_raises(gl, call, error):
    call(gl)
    assert gl.error() == error


def fresh(version: str):
    return mgpipe.context(topology="monolith", driver="null", gl_version=version)


@pytest.fixture
def newest():
    """A context that promises all there is."""
    with fresh("4.6") as loader:
        gl = GL(loader)
        yield gl
        assert gl.error() == "NO_ERROR"
    loader.release()


def finished(gl, target: int) -> int:
    query = gl.gen("Queries")
    gl.BeginQuery(target, query)
    gl.EndQuery(target)
    return query


def test_streams_count_apart(newest):
    gl = newest
    a, b = gl.gen("Queries", 2)
    gl.BeginQueryIndexed(gl.PRIMITIVES_GENERATED, 1, a)
    gl.BeginQueryIndexed(gl.PRIMITIVES_GENERATED, 0, b)
    assert gl.get_int("GetQueryIndexediv", gl.PRIMITIVES_GENERATED, 1, gl.CURRENT_QUERY) == a
    assert gl.get_int("GetQueryiv", gl.PRIMITIVES_GENERATED, gl.CURRENT_QUERY) == b
    gl.EndQueryIndexed(gl.PRIMITIVES_GENERATED, 2)
    assert gl.error() == "INVALID_OPERATION"
    gl.EndQueryIndexed(gl.PRIMITIVES_GENERATED, 1)
    gl.EndQuery(gl.PRIMITIVES_GENERATED)
    gl.BeginQueryIndexed(gl.PRIMITIVES_GENERATED, 4, a)
    assert gl.error() == "INVALID_VALUE"
    gl.BeginQueryIndexed(gl.SAMPLES_PASSED, 1, gl.gen("Queries"))
    assert gl.error() == "INVALID_VALUE"


def test_targets_come_with_their_version(newest):
    query = newest.gen("Queries")
    newest.BeginQuery(newest.FRAGMENT_SHADER_INVOCATIONS, query)
    newest.EndQuery(newest.FRAGMENT_SHADER_INVOCATIONS)
    with fresh("3.3") as loader:
        older = GL(loader)
        for target in (older.FRAGMENT_SHADER_INVOCATIONS, older.ANY_SAMPLES_PASSED_CONSERVATIVE):
            older.BeginQuery(target, older.gen("Queries"))
            assert older.error() == "INVALID_ENUM"


def test_polling_makes_no_round_trip(newest):
    gl = newest
    before = gl.loader.stats()
    query = finished(gl, gl.PRIMITIVES_GENERATED)
    sync = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    assert gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT_AVAILABLE) == 1
    assert gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT) == 0
    assert gl.ClientWaitSync(sync, 0, 0) == gl.ALREADY_SIGNALED
    after = gl.loader.stats()
    assert after["records"] > before["records"]
    assert after["round_trips"] == before["round_trips"] and after["reads"] == before["reads"]


def test_results_in_a_query_buffer(newest):
    gl = newest
    query, buffer = finished(gl, gl.PRIMITIVES_GENERATED), gl.gen("Buffers")
    gl.BindBuffer(gl.QUERY_BUFFER, buffer)
    gl.BufferData(gl.QUERY_BUFFER, 16, None, gl.STATIC_DRAW)
    assert gl.get_int("GetIntegerv", gl.QUERY_BUFFER_BINDING) == buffer
    gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, 8)
    assert gl.error() == "NO_ERROR"
    for offset in (12, 16, 4):
        gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, offset)
        assert gl.error() == "INVALID_OPERATION"
    gl.GetQueryBufferObjectiv(query, buffer, gl.QUERY_RESULT, -4)
    assert gl.error() == "INVALID_VALUE"
    gl.GetQueryBufferObjectiv(query, 4711, gl.QUERY_RESULT, 0)
    assert gl.error() == "INVALID_OPERATION"
    gl.BindBuffer(gl.QUERY_BUFFER, 0)


def test_no_result_leaves_memory_alone(gl):
    query = gl.gen("Queries")
    gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT_NO_WAIT)
    assert gl.error() == "INVALID_OPERATION"
    query = finished(gl, gl.PRIMITIVES_GENERATED)
    gl.get_int("GetQueryObjectuiv", query, gl.CURRENT_QUERY)
    assert gl.error() == "INVALID_ENUM"


def test_conditional_rendering(gl):
    passed, generated = finished(gl, gl.ANY_SAMPLES_PASSED), finished(gl, gl.PRIMITIVES_GENERATED)
    gl.EndConditionalRender()
    assert gl.error() == "INVALID_OPERATION"
    for query, mode, error in ((passed, gl.FLOAT, "INVALID_ENUM"), (4711, gl.QUERY_WAIT, "INVALID_VALUE"),
                               (generated, gl.QUERY_WAIT, "INVALID_OPERATION")):
        gl.BeginConditionalRender(query, mode)
        assert gl.error() == error
    gl.BeginQuery(gl.ANY_SAMPLES_PASSED, passed)
    gl.BeginConditionalRender(passed, gl.QUERY_NO_WAIT)
    assert gl.error() == "INVALID_OPERATION"            # it still counts
    gl.EndQuery(gl.ANY_SAMPLES_PASSED)
    gl.BeginConditionalRender(passed, gl.QUERY_BY_REGION_NO_WAIT)
    gl.BeginConditionalRender(passed, gl.QUERY_WAIT)
    assert gl.error() == "INVALID_OPERATION"
    gl.delete("Queries", passed)
    gl.EndConditionalRender()
    assert gl.error() == "INVALID_OPERATION"            # the condition went with its query


def test_an_active_query_has_no_result(gl):
    query = gl.gen("Queries")
    gl.BeginQuery(gl.PRIMITIVES_GENERATED, query)
    gl.get_int("GetQueryObjectuiv", query, gl.QUERY_RESULT)
    assert gl.error() == "INVALID_OPERATION"
    gl.EndQuery(gl.PRIMITIVES_GENERATED)


def test_a_sync_is_signalled_once_waited_for(gl):
    sync = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    assert gl.IsSync(sync)
    assert gl.ClientWaitSync(sync, gl.SYNC_FLUSH_COMMANDS_BIT, 10**9) in (gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED)
    assert gl.ClientWaitSync(sync, 0, 0) == gl.ALREADY_SIGNALED
    value, length = ctypes.c_int(), ctypes.c_int()
    gl.GetSynciv(sync, gl.SYNC_STATUS, 1, ctypes.addressof(length), ctypes.addressof(value))
    assert (value.value, length.value) == (gl.SIGNALED, 1)
    gl.WaitSync(sync, 0, 2**64 - 1)
    gl.WaitSync(sync, 0, 5)
    assert gl.error() == "INVALID_VALUE"
    gl.DeleteSync(sync)
    gl.DeleteSync(None)
    assert not gl.IsSync(sync)
