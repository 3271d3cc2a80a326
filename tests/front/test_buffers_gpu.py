"""Buffers that verbs write: what the client must fetch, and what it still knows. The null driver reads back zeros."""

import ctypes

import pytest

COUNT = 4096


def contents(gl, offset, size, target=None) -> bytes:
    out = ctypes.create_string_buffer(size)
    gl.GetBufferSubData(target or gl.COPY_WRITE_BUFFER, offset, size, out)
    return out.raw


def reads(gl) -> int:
    return gl.loader.stats()["reads"]


@pytest.fixture
def copied(gl, buffer):
    """A buffer of ones in whose bytes 1000 … 1015 the 16 of `buffer` were copied by the server."""
    gl.BindBuffer(gl.COPY_WRITE_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.COPY_WRITE_BUFFER, COUNT, b"\1" * COUNT, gl.STATIC_DRAW)
    gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 1000, 16)


def test_bytes_beside_those_a_verb_wrote_stay_local(gl, copied):
    before = reads(gl)
    assert contents(gl, 0, 1000) == b"\1" * 1000
    assert contents(gl, 1016, COUNT - 1016) == b"\1" * (COUNT - 1016)
    assert reads(gl) == before


def test_bytes_that_a_verb_wrote_are_fetched_once(gl, copied):
    before = reads(gl)
    assert contents(gl, 990, 40) == b"\1" * 10 + bytes(16) + b"\1" * 14
    assert reads(gl) > before
    before = reads(gl)
    assert contents(gl, 1000, 16) == bytes(16)
    assert reads(gl) == before


def test_bytes_written_over_what_a_verb_wrote_are_not_fetched(gl, copied):
    before = reads(gl)
    gl.BufferSubData(gl.COPY_WRITE_BUFFER, 1000, 16, b"x" * 16)
    assert contents(gl, 999, 18) == b"\1" + b"x" * 16 + b"\1"
    assert reads(gl) == before


def test_a_mapping_fetches_what_it_shows_and_no_more(gl, copied):
    before = reads(gl)
    at = gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 0, 500, gl.MAP_READ_BIT)
    assert ctypes.string_at(at, 500) == b"\1" * 500
    gl.UnmapBuffer(gl.COPY_WRITE_BUFFER)
    gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 1000, 16, gl.MAP_WRITE_BIT | gl.MAP_INVALIDATE_RANGE_BIT)
    gl.UnmapBuffer(gl.COPY_WRITE_BUFFER)
    assert reads(gl) == before
    gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 100, 16)
    at = gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 90, 36, gl.MAP_READ_BIT | gl.MAP_WRITE_BIT)
    assert ctypes.string_at(at, 36) == b"\1" * 10 + bytes(16) + b"\1" * 10
    gl.UnmapBuffer(gl.COPY_WRITE_BUFFER)
    assert reads(gl) > before


def test_more_ranges_than_are_kept_apart_lose_none(gl, buffer):
    gl.BindBuffer(gl.COPY_WRITE_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.COPY_WRITE_BUFFER, COUNT, b"\1" * COUNT, gl.STATIC_DRAW)
    places = [(7 * i * i * 64 + 96 * i) % (COUNT - 16) & ~15 for i in range(24)]
    expected = bytearray(b"\1" * COUNT)
    for place in places:
        gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, place, 16)
        expected[place:place + 16] = bytes(16)
    # what the null driver holds is zeros everywhere: only bytes that were kept apart show the ones
    known = contents(gl, 0, COUNT)
    assert all(known[place:place + 16] == bytes(16) for place in places)
    assert b"\1" in known


def test_writes_between_what_verbs_wrote_leave_before_they_run_out_of_room(gl, buffer):
    gl.BindBuffer(gl.COPY_WRITE_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.COPY_WRITE_BUFFER, COUNT, b"\1" * COUNT, gl.STATIC_DRAW)
    gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 2000, 16)
    before = reads(gl)
    for i in range(32):
        gl.BufferSubData(gl.COPY_WRITE_BUFFER, i * 128, 1, b"z")
    assert reads(gl) == before
    assert all(contents(gl, i * 128, 2) == b"z\1" for i in range(15))
    assert reads(gl) == before
