"""Vertex arrays as objects: what each keeps while others are bound, and where it goes with its context."""

import struct

import pytest
from server import NULL, Handle, Server

from mgpipe.server._probe import SessionFault

WHOLE = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
NOWHERE = struct.pack("<6f", *[9.0] * 6)
VERTEX = """#version 330
    layout(location = 0) in vec2 place; layout(location = 1) in vec4 tint; out vec4 shade;
    void main() { shade = tint; gl_Position = vec4(place, 0, 1); }"""
FRAGMENT = "#version 330\nin vec4 shade; out vec4 color; void main() { color = shade; }"
BLACK, RED, GREEN = (0, 0, 0, 255), (255, 0, 0, 255), (0, 255, 0, 255)


def tinted(places: bytes, *tint: float) -> bytes:
    """Three vertices: a place and a colour each."""
    return b"".join(places[8 * i:8 * i + 8] + struct.pack("<4f", *tint) for i in range(3))


def array(server: Server, vertices: bytes, attributes=((0, 2, 0), (1, 4, 8)), stride: int = 24) -> Handle:
    """One of these vertices, bound."""
    made = server.handle("vertex_array")
    server.call("bind_vertex_array", array=made)
    server.vertices(vertices, *attributes, stride=stride)
    return made


def drawn(server: Server) -> tuple[int, ...]:
    server.clear(0, 0, 0, 1)
    server.draw(3)
    return server.pixel(3, 3)


def test_each_keeps_its_elements_and_buffers(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    red = array(server, tinted(WHOLE, 1, 0, 0, 1))
    nowhere = array(server, tinted(NOWHERE, 1, 0, 0, 1))
    green = array(server, tinted(WHOLE, 0, 1, 0, 1) + bytes(24), ((1, 4, 8), (0, 2, 0)))
    for bound, colour in ((red, RED), (nowhere, BLACK), (green, GREEN), (red, RED), (green, GREEN)):
        server.call("bind_vertex_array", array=bound)
        assert drawn(server) == colour


def test_null_is_the_contexts_own(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    server.vertices(tinted(WHOLE, 0, 1, 0, 1), (0, 2, 0), (1, 4, 8), stride=24)
    red = array(server, tinted(WHOLE, 1, 0, 0, 1))
    assert drawn(server) == RED
    server.call("bind_vertex_array", array=NULL)
    assert drawn(server) == GREEN
    server.call("bind_vertex_array", array=red)
    assert drawn(server) == RED


def test_indices_are_part_of_it(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    first = array(server, tinted(WHOLE, 1, 0, 0, 1))
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<3H", 0, 1, 2)))
    second = array(server, tinted(WHOLE, 0, 1, 0, 1))
    server.call("set_index_buffer", resource=server.buffer(struct.pack("<3H", 0, 0, 0)))
    for bound, colour in ((first, RED), (second, BLACK), (first, RED)):
        server.call("bind_vertex_array", array=bound)
        server.clear(0, 0, 0, 1)
        server.draw(3, index_size=2)
        assert server.pixel(3, 3) == colour


def test_one_that_is_described_anew_forgets_what_it_had(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    array(server, tinted(WHOLE, 1, 0, 0, 1))
    assert drawn(server) == RED
    server.vertices(WHOLE, (0, 2, 0), stride=8)             # no tint: the attribute's current value, as in the beginning
    assert drawn(server) == BLACK
    server.vertices(tinted(WHOLE, 0, 1, 0, 1), (0, 2, 0), (1, 4, 8), stride=24)
    assert drawn(server) == GREEN


def test_a_buffer_that_ended_is_zeros_in_it(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    kept = server.handle("vertex_array")
    server.call("bind_vertex_array", array=kept)
    buffer = server.vertices(tinted(WHOLE, 1, 0, 0, 1), (0, 2, 0), (1, 4, 8), stride=24)
    assert drawn(server) == RED
    server.call("bind_vertex_array", array=NULL)
    server.call("resource_destroy", resource=buffer)
    server.call("bind_vertex_array", array=kept)
    assert drawn(server) == BLACK


def test_another_context_makes_its_own_of_it(server: Server):
    first, surface = server.context(), server.surface
    program = server.program(VERTEX, FRAGMENT)
    red = array(server, tinted(WHOLE, 1, 0, 0, 1))
    assert drawn(server) == RED
    server.context(group=server.group)
    server.call("bind_shader_state", cso=program)
    server.call("bind_vertex_array", array=red)
    assert drawn(server) == RED
    server.call("bind_context", context=first, draw=surface, read=surface)
    assert drawn(server) == RED


def test_one_that_ended_is_bound_no_more(server: Server):
    server.context()
    server.program(VERTEX, FRAGMENT)
    red = array(server, tinted(WHOLE, 1, 0, 0, 1))
    assert drawn(server) == RED and server.living("vertex_array") == 1
    server.call("vertex_array_destroy", array=red)
    assert server.living("vertex_array") == 0
    with pytest.raises(SessionFault, match="NotSupplied"):
        server.draw(3)


def test_one_ends_after_its_context(server: Server):
    context = server.context()
    server.program(VERTEX, FRAGMENT)
    red = array(server, tinted(WHOLE, 1, 0, 0, 1))
    assert drawn(server) == RED
    server.call("bind_context")
    server.call("destroy_context", context=context)
    server.call("vertex_array_destroy", array=red)
    server.context()
    server.program(VERTEX, FRAGMENT)
    array(server, tinted(WHOLE, 0, 1, 0, 1))
    assert drawn(server) == GREEN
