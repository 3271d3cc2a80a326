"""What Espryt counts, and whom it tells, in both dialects."""

import struct
import time

import pytest
from server import NULL, Handle, Server
from wire import enum

from mgpipe.server._probe import SessionFault

VERTEX = "#version 330\nlayout(location = 0) in vec2 place; void main() { gl_Position = vec4(place, 0, 1); }"
FRAGMENT = "#version 330\nout vec4 color; void main() { color = vec4(0, 1, 0, 1); }"
WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
SAMPLES, ANY, GENERATED, ELAPSED, TIMESTAMP = 0x8914, 0x8C2F, 0x8C87, 0x88BF, 0x8E28
GREEN, BLACK = (0, 255, 0, 255), (0, 0, 0, 255)
COMPLETED = 10              # event query_completed


def scene(server: Server) -> None:
    server.context()
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    server.program(VERTEX, FRAGMENT)
    server.clear(0, 0, 0, 1)


def query(server: Server, target: int) -> Handle:
    made = server.handle("query")
    server.call("query_create", query=made, target=target)
    return made


def counted(server: Server, target: int, count: int) -> Handle:
    made = query(server, target)
    count_again(server, made, target, count)
    return made


def count_again(server: Server, made: Handle, target: int, count: int) -> None:
    server.call("query_begin", query=made, target=target)
    if count:
        server.draw(count)
    server.call("query_end", query=made, target=target)


def result(server: Server, made: Handle) -> int:
    status, _, values = server.call("query_result", query=made, wait=1)
    assert status == 0 and values[0] == 1
    return values[1]


def completed(server: Server) -> list[tuple[Handle, int, int]]:
    return [(struct.unpack_from("<II", payload), *struct.unpack_from("<QI", payload, 8))
            for op, payload, _ in server.session.events if op == COMPLETED]


def test_results(server: Server):
    scene(server)
    exact = server.driver == "gl"
    assert result(server, counted(server, SAMPLES, 3)) == (64 * 64 if exact else 1)
    assert result(server, counted(server, SAMPLES, 0)) == 0
    assert result(server, counted(server, ANY, 3)) == 1
    assert result(server, counted(server, GENERATED, 3)) == 1
    assert result(server, counted(server, ELAPSED, 3)) > 0


def test_timestamps_pass_in_order(server: Server):
    scene(server)
    first, second = query(server, TIMESTAMP), query(server, TIMESTAMP)
    server.call("query_counter", query=first)
    server.draw(3)
    server.call("query_counter", query=second)
    assert 0 < result(server, first) <= result(server, second)
    assert server.call("timestamp")[2][0] > 0


def test_a_result_is_told_without_being_asked_for(server: Server):
    scene(server)
    made = counted(server, GENERATED, 3)
    while not completed(server):
        server.call("flush")
    assert completed(server) == [(made, 1, 1)]
    count_again(server, made, GENERATED, 0)
    while len(completed(server)) < 2:
        server.call("flush")
    assert completed(server)[1] == (made, 0, 2)
    server.call("flush")
    assert len(completed(server)) == 2


def test_a_query_begun_again_before_it_was_told_of_is_not_told_of(server: Server):
    scene(server)
    made = counted(server, GENERATED, 3)
    count_again(server, made, GENERATED, 0)
    server.call("finish")
    assert completed(server) == [(made, 0, 2)]


def test_a_query_destroyed_while_it_is_awaited(server: Server):
    scene(server)
    made = counted(server, GENERATED, 3)
    server.call("query_destroy", query=made)
    server.call("finish")
    assert completed(server) == []


@pytest.mark.parametrize("type, pname, expected", [
    ("UNSIGNED_INT", "RESULT", struct.pack("<I", 1)), ("INT64", "RESULT", struct.pack("<q", 1)),
    ("UNSIGNED_INT", "AVAILABLE", struct.pack("<I", 1)), ("UNSIGNED_INT64", "NO_WAIT", struct.pack("<Q", 1)),
])
def test_results_into_a_buffer(server: Server, type, pname, expected):
    scene(server)
    made, buffer = counted(server, GENERATED, 3), server.buffer(b"\xAA" * 24)
    server.call("finish")
    server.call("query_result_to_buffer", query=made, buffer=buffer, offset=8, type=enum("RESULT_TYPE", type),
                pname=enum("QUERY_RESULT", pname))
    data = server.answer("resource_readback", 24, resource=buffer)
    assert data == b"\xAA" * 8 + expected + b"\xAA" * (16 - len(expected))


def test_a_result_beyond_its_buffer_ends_the_session(server: Server):
    scene(server)
    made, buffer = counted(server, GENERATED, 3), server.buffer(bytes(8))
    with pytest.raises(SessionFault, match="RegionOutside: query_result_to_buffer"):
        server.call("query_result_to_buffer", query=made, buffer=buffer, offset=4, type=enum("RESULT_TYPE", "INT64"),
                    pname=enum("QUERY_RESULT", "RESULT"))


MODES = ["QUERY_WAIT", "QUERY_BY_REGION_WAIT", "QUERY_WAIT_INVERTED", "QUERY_BY_REGION_WAIT_INVERTED"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("passes", [False, True])
def test_draws_and_clears_on_a_condition(server: Server, mode, passes):
    scene(server)
    made = counted(server, ANY, 3 if passes else 0)
    server.clear(0, 0, 0, 1)
    server.call("render_condition", query=made, mode=enum("CONDITION", mode))
    server.draw(3)
    drawn = passes != mode.endswith("INVERTED")
    assert server.pixel(5, 5) == (GREEN if drawn else BLACK)
    server.clear(1, 0, 0, 1)
    assert server.pixel(5, 5) == ((255, 0, 0, 255) if drawn else BLACK)
    server.call("render_condition", query=NULL)
    server.draw(3)
    assert server.pixel(5, 5) == GREEN


def test_without_waiting_everything_may_be_drawn(server: Server):
    scene(server)
    made = counted(server, ANY, 0)
    server.call("finish")
    server.call("render_condition", query=made, mode=enum("CONDITION", "QUERY_NO_WAIT"))
    server.draw(3)
    server.call("render_condition", query=NULL)
    assert server.pixel(5, 5) == BLACK


@pytest.mark.parametrize("mode", ["QUERY_WAIT", "QUERY_WAIT_INVERTED"])
def test_what_the_server_does_by_itself_is_on_no_condition(server: Server, mode):
    """The first look at a new surface clears it; a read of several samples resolves them."""
    server.context(samples=4)
    server.vertices(WHOLE, (0, 2, 0), stride=8)
    server.program(VERTEX, FRAGMENT)
    server.draw(3)
    made = counted(server, ANY, 3 if mode.endswith("INVERTED") else 0)
    server.call("render_condition", query=made, mode=enum("CONDITION", mode))
    assert server.pixel(5, 5) == GREEN
    server.context(group=server.group)
    assert server.read() == bytes(64 * 64 * 4)


@pytest.mark.parametrize("misuse", [
    lambda s, made: s.call("query_begin", query=made, target=SAMPLES),
    lambda s, made: s.call("query_end", query=made, target=SAMPLES),
    lambda s, made: s.call("render_condition", query=made, mode=enum("CONDITION", "NONE")),
    lambda s, made: s.call("render_condition", query=query(s, ANY), mode=enum("CONDITION", "QUERY_WAIT")),
])
def test_misuse_ends_the_session(server: Server, misuse):
    scene(server)
    made = counted(server, ANY, 3)
    with pytest.raises(SessionFault):
        misuse(server, made)


def test_pipeline_statistics(server: Server):
    scene(server)
    invocations = counted(server, enum("QUERY_TARGET", "VERTEX_SHADER_INVOCATIONS"), 3)
    if server.driver == "gl":
        assert result(server, invocations) >= 3
    else:                                               # refused by name, and told as nothing counted
        assert completed(server) == [(invocations, 0, 1)]
        assert server.log() == ["Unimplemented: query_create: pipeline statistics on this driver"]


def test_fences_are_told_of_when_nobody_waits(server: Server):
    scene(server)
    fence = server.handle("fence")
    server.draw(3)
    server.call("fence_create", fence=fence)
    deadline = time.monotonic() + 10
    while not [op for op, _, _ in server.session.events if op == 9] and time.monotonic() < deadline:
        server.call("flush")
    told = [struct.unpack("<II", payload[:8]) for op, payload, _ in server.session.events if op == 9]
    assert told == [fence]
