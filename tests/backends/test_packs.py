"""Reads into buffers, record by record: where rows lie, and what a hostile record may not do."""

import pytest
from server import NULL, Server
from wire import enum

from mgpipe.catalogue.formats import PIXEL_FORMATS, PIXEL_TYPES
from mgpipe.server._probe import SessionFault


def format_of(name: str) -> int:
    return [f.name for f in PIXEL_FORMATS].index(name)


def type_of(name: str) -> int:
    return [t.name for t in PIXEL_TYPES].index(name)


def pack(server: Server, target, width=4, height=3, format="RGBA", type="UNSIGNED_BYTE", **more) -> None:
    server.call("read_pixels_to_buffer", **dict(
        area=dict(x0=0, y0=0, x1=width, y1=height), target=target, format=format_of(format), type=type_of(type),
        row_stride=width * 4, layout=enum("READ_LAYOUT", "RGBA8")) | more)


def contents(server: Server, buffer, size: int) -> bytes:
    return server.answer("resource_readback", size, resource=buffer)


def test_rows_lie_where_the_record_says_and_the_rest_stays(server: Server):
    server.context()
    server.clear(1, 0, 0, 1)
    buffer = server.buffer(b"\7" * 64)
    pack(server, buffer, 2, 2, offset=4, row_stride=20)
    red = b"\xFF\0\0\xFF" * 2
    assert contents(server, buffer, 64) == b"\7" * 4 + red + b"\7" * 12 + red + b"\7" * 32


def test_rows_at_odd_distances_and_in_three_components(server: Server):
    server.context()
    server.clear(0, 1, 0, 1)
    buffer = server.buffer(b"\7" * 32)
    pack(server, buffer, 2, 3, format="RGB", row_stride=7, offset=1)
    assert contents(server, buffer, 32) == b"\7" + b"\7".join([b"\0\xFF\0" * 2] * 3) + b"\7" * 11


def test_elements_are_converted_and_turned(server: Server):
    server.context()
    server.clear(1, 0, 1, 1)
    buffer = server.buffer(b"\7" * 16)
    pack(server, buffer, 1, 1, format="RG", type="FLOAT", swap_group=4)
    assert contents(server, buffer, 16) == b"\x3F\x80\0\0" + bytes(4) + b"\7" * 8


HOSTILE = {
    "one row too far": (dict(offset=20), "RegionOutside: read_pixels_to_buffer"),
    "beyond the end": (dict(offset=1 << 63), "RegionOutside: read_pixels_to_buffer"),
    "distances that overflow": (dict(row_stride=1 << 63), "RegionOutside: read_pixels_to_buffer"),
    "rows in each other": (dict(row_stride=8), "RegionOutside: read_pixels_to_buffer"),
    "no such type": (dict(type=63), "ValueOutOfRange: read_pixels_to_buffer"),
    "a type of another format": (dict(type=type_of("UNSIGNED_SHORT_5_6_5")), "ValueOutOfRange: read_pixels_to_buffer"),
    "a swap that is none": (dict(swap_group=3), "ValueOutOfRange: read_pixels_to_buffer"),
    "depth of nothing": (dict(format=format_of("DEPTH_STENCIL")), "ValueOutOfRange: read_pixels_to_buffer"),
    "no buffer": (dict(target=NULL), "NullHandle: read_pixels_to_buffer.target"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_a_hostile_record_may_not_do(server: Server, what):
    changes, sentence = HOSTILE[what]
    server.context()
    buffer = server.buffer(bytes(64))
    fields = dict(area=dict(x0=0, y0=0, x1=4, y1=3), target=buffer, format=format_of("RGBA"), type=type_of("UNSIGNED_BYTE"),
                  row_stride=16, layout=enum("READ_LAYOUT", "RGBA8"))
    with pytest.raises(SessionFault, match=sentence):
        server.call("read_pixels_to_buffer", **fields | changes)


def test_a_texture_is_no_pack_buffer(server: Server):
    server.context()
    texture = server.handle("resource")
    server.call("resource_create", resource=texture, group=server.group, target=enum("RESOURCE_TARGET", "TEX2D"))
    with pytest.raises(SessionFault, match="WrongObject: read_pixels_to_buffer"):
        pack(server, texture)
