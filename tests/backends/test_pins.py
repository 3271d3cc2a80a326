"""Buffers over the client's memory: what it writes is there without a record, and what it asks for beyond its own is refused."""

import struct

import pytest
from server import Server

from mgpipe.catalogue.limits import FEATURES
from mgpipe.server._probe import SessionFault

PAGE = 4096
AT = 1 << 20                # of the segment; its first bytes are the fixture's own


@pytest.fixture
def desktop():
    made = Server("gl")
    made.context()
    yield made
    made.close()


def pinned(server, size=3 * PAGE, offset=AT, **more):
    buffer = server.handle("resource")
    server.call("resource_create", resource=buffer, group=server.group)
    server.call("pin_memory", resource=buffer, usage=0x88E8, bytes=dict(offset=offset, size=size, segment=1), **more)
    return buffer


def contents(server, buffer, offset, size):
    return server.answer("resource_readback", size, resource=buffer, offset=offset)


def test_both_sides_see_what_the_other_writes(desktop):
    buffer = pinned(desktop)
    desktop.session.write(AT + 5000, b"of the client")
    assert contents(desktop, buffer, 5000, 13) == b"of the client"
    desktop.call("resource_subdata", resource=buffer, offset=5003, bytes=desktop.blob(b"THE"))
    assert desktop.session.read(AT + 5000, 13) == b"of THE client"
    desktop.call("resource_clear", resource=buffer, offset=2, size=2, pattern_size=1, pattern=[0x41, 0, 0, 0])
    assert desktop.session.read(AT, 5) == b"\0\0AA\0"


def test_a_draw_reads_the_memory_as_it_is_then(desktop):
    desktop.program("#version 330\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }",
                    "#version 330\nout vec4 pixel; void main() { pixel = vec4(1.0); }")
    desktop.vertices(bytes(24), (0, 2, 0), stride=8)
    buffer = pinned(desktop)
    desktop.call("set_vertex_buffers", [[dict(resource=buffer, stride=8, binding=0)]], count=1)
    for corners, colour in (((-1, -1, 3, -1, -1, 3), 255), ((5, 5, 6, 5, 5, 6), 0)):
        desktop.session.write(AT, struct.pack("<6f", *corners))
        desktop.clear(0.0, 0.0, 0.0, 1.0)
        desktop.call("draw_vbo", mode=4, count=3, instance_count=1)
        assert desktop.pixel(30, 30)[0] == colour


def test_other_storage_leaves_the_memory_alone(desktop):
    buffer = pinned(desktop)
    desktop.session.write(AT, b"mine")
    desktop.call("resource_respecify", resource=buffer, size=3 * PAGE, usage=0x88E8)
    desktop.call("resource_subdata", resource=buffer, bytes=desktop.blob(b"other"))
    assert desktop.session.read(AT, 5) == b"mine\0"
    assert contents(desktop, buffer, 0, 5) == b"other"
    desktop.call("pin_memory", resource=buffer, usage=0x88E8, bytes=dict(offset=AT + PAGE, size=PAGE, segment=1))
    assert contents(desktop, buffer, 0, 5) == bytes(5)
    desktop.call("resource_destroy", resource=buffer)
    assert desktop.session.read(AT, 5) == b"mine\0"


def test_what_leaves_the_buffer_or_the_segment_is_refused(desktop):
    buffer = pinned(desktop, size=100)
    with pytest.raises(SessionFault, match="RegionOutside"):
        desktop.call("resource_subdata", resource=buffer, offset=98, bytes=desktop.blob(b"over"))
    other = Server("gl")
    other.context()
    with pytest.raises(SessionFault, match="BlobOutside: pin_memory.bytes"):
        pinned(other, offset=(1 << 24) - PAGE, size=PAGE + 1)
    other.close()


def test_memory_within_a_page_is_refused_by_name(desktop):
    pinned(desktop, offset=AT + 64)
    assert desktop.log() == ["Unimplemented: pin_memory: memory that does not begin with a page"]


def test_only_buffers_stand_on_memory(desktop):
    texture = desktop.texture("TEX2D", "RGBA8", 4, 4)
    with pytest.raises(SessionFault, match="WrongObject: pin_memory.resource"):
        desktop.call("pin_memory", resource=texture, usage=0x88E8, bytes=dict(offset=AT, size=PAGE, segment=1))


def test_a_driver_without_it_says_so():
    made = Server("gles")
    made.context()
    pinned(made)
    assert made.log() == ["Unimplemented: pin_memory: memory that this driver and the client do not share"]
    made.close()


def test_the_capability_is_told(desktop):
    features = desktop.caps()["features"]
    names = {name for i, (name, _) in enumerate(FEATURES) if features >> i & 1}
    assert {"pinned_memory", "pinned_uploads"} <= names
