"""Queries and syncs: who may begin what, and what a GLsync may be (specification chapters 4.1, 4.2)."""

import ctypes

import pytest


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
