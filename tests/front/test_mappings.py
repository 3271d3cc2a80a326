"""Persistent mappings: what leaves, and when; with pages that the kernel tracks, and by comparing."""

import ctypes
import os
import resource

import pytest

from mgpipe import testing

SIZE = 1 << 20
CONSUMED = "READ WRITE PERSISTENT COHERENT"


@pytest.fixture(params=[True, False], ids=["tracked", "compared"])
def tracking(request):
    testing.track_pages(request.param)
    yield request.param
    testing.track_pages(True)


def bits(gl, names: str) -> int:
    return sum(getattr(gl, f"MAP_{name}_BIT") for name in names.split())


def mapped(gl, names: str = CONSUMED, size: int = SIZE) -> int:
    gl.BindBuffer(gl.ARRAY_BUFFER, gl.gen("Buffers"))
    gl.BufferStorage(gl.ARRAY_BUFFER, size, bytes(size), bits(gl, "READ WRITE PERSISTENT COHERENT") | gl.DYNAMIC_STORAGE_BIT)
    return gl.MapBufferRange(gl.ARRAY_BUFFER, 0, size, bits(gl, names))


def consume(gl) -> dict[str, int]:
    """The server copies from it; what that sent."""
    before = gl.loader.stats()
    gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, 16)
    return {k: v - before[k] for k, v in gl.loader.stats().items() if isinstance(v, int)}


@pytest.fixture
def target(gl):
    gl.BindBuffer(gl.COPY_WRITE_BUFFER, gl.gen("Buffers"))
    gl.BufferData(gl.COPY_WRITE_BUFFER, 16, None, gl.STATIC_DRAW)


def test_only_what_changed_leaves(gl, target, tracking):
    at = mapped(gl)
    assert consume(gl)["upload_bytes"] == SIZE
    assert consume(gl)["upload_bytes"] == 0
    ctypes.memmove(at + 300_000, b"changed", 7)
    ctypes.memset(at + 500_000, 9, 200_000)
    assert consume(gl)["upload_bytes"] == 7 + 200_000
    sent = consume(gl)
    assert (sent["records"], sent["uploads"]) == (1, 0)
    gl.UnmapBuffer(gl.ARRAY_BUFFER)


def test_equal_bytes_written_again_do_not_leave(gl, target, tracking):
    at = mapped(gl)
    consume(gl)
    ctypes.memset(at, 0, SIZE)
    assert consume(gl)["uploads"] == 0


def test_the_pointer_stays_while_the_buffer_is_used(gl, target, tracking):
    at = mapped(gl)
    for i in range(20):
        ctypes.memset(at + i * 50_000, i + 1, 100)
        gl.BufferSubData(gl.ARRAY_BUFFER, i * 50_000 + 200, 4, b"data")
        consume(gl)
        if i % 7 == 3:
            testing.drop_mirror()
    out = ctypes.create_string_buffer(4)
    for i in range(20):
        assert ctypes.string_at(at + i * 50_000, 100) == bytes([i + 1]) * 100
        assert ctypes.string_at(at + i * 50_000 + 200, 4) == b"data"
        gl.GetBufferSubData(gl.ARRAY_BUFFER, i * 50_000 + 99, 4, out)
        assert out.raw == bytes([i + 1, 0, 0, 0])
    pointer = ctypes.c_void_p()
    gl.GetBufferPointerv(gl.ARRAY_BUFFER, gl.BUFFER_MAP_POINTER, ctypes.byref(pointer))
    assert pointer.value == at


def test_after_the_mirror_is_dropped_all_of_it_leaves_again(gl, target, tracking):
    at = mapped(gl)
    consume(gl)
    ctypes.memmove(at + 10, b"x", 1)
    testing.drop_mirror()
    assert consume(gl)["upload_bytes"] == SIZE
    assert consume(gl)["upload_bytes"] == 0


def test_without_coherence_changes_leave_when_they_are_flushed(gl, target, tracking):
    at = mapped(gl, "WRITE PERSISTENT FLUSH_EXPLICIT")
    consume(gl)
    ctypes.memmove(at + 5000, b"abcdef", 6)
    ctypes.memmove(at + 700_000, b"later", 5)
    assert consume(gl)["uploads"] == 0
    before = gl.loader.stats()["upload_bytes"]
    gl.FlushMappedBufferRange(gl.ARRAY_BUFFER, 5000, 6)
    consume(gl)
    assert gl.loader.stats()["upload_bytes"] - before == 6
    gl.FlushMappedBufferRange(gl.ARRAY_BUFFER, 0, SIZE)
    consume(gl)
    assert gl.loader.stats()["upload_bytes"] - before == 11


def test_a_file_is_read_into_a_mapping(gl, target, tracking, tmp_path):
    (tmp_path / "bytes").write_bytes(b"0123456789" * 1000)
    at = mapped(gl)
    consume(gl)
    with open(tmp_path / "bytes", "rb", buffering=0) as file:
        assert file.readinto((ctypes.c_char * 10_000).from_address(at + 123)) == 10_000
    assert consume(gl)["upload_bytes"] == 10_000


def test_deleting_a_mapped_buffer_ends_its_mapping(gl, target, tracking):
    mapped(gl)
    name = gl.get_int("GetIntegerv", gl.ARRAY_BUFFER_BINDING)
    gl.delete("Buffers", name)
    mapped(gl, size=100)
    assert consume(gl)["upload_bytes"] == 100


def test_a_forked_child_neither_disturbs_the_tracking_nor_is_disturbed(gl, target, tracking):
    at = mapped(gl)
    consume(gl)
    child = os.fork()
    if child == 0:
        ctypes.memset(at, 5, SIZE)          # its own copy of the pages
        os._exit(0 if ctypes.string_at(at + 99, 1) == b"\5" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert consume(gl)["upload_bytes"] == 0
    ctypes.memset(at + 77, 1, 1)
    assert consume(gl)["upload_bytes"] == 1


def test_mutable_storage_cannot_be_mapped_persistently(gl, buffer):
    assert not gl.MapBufferRange(gl.ARRAY_BUFFER, 0, 4, bits(gl, "WRITE PERSISTENT"))
    assert gl.error() == "INVALID_OPERATION"


def test_many_changes_far_apart_leave_alone(gl, target, tracking):
    """More of them than a buffer's pending ranges hold: nothing between them is sent."""
    at = mapped(gl)
    consume(gl)
    places = range(10_000, SIZE, 50_000)
    for place in places:
        ctypes.memset(at + place, 7, 100)
    assert len(places) > 20 and consume(gl)["upload_bytes"] == 100 * len(places)
    gl.UnmapBuffer(gl.ARRAY_BUFFER)


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def test_a_page_that_always_changes_costs_no_faults(gl, target):
    at = mapped(gl)
    consume(gl)
    pages = range(at, at + SIZE, 16384)
    took = []
    for i in range(30):
        before = faults()
        for page in pages:
            ctypes.memset(page, i + 1, 8)
        took.append(faults() - before)
        assert consume(gl)["upload_bytes"] == 8 * len(pages)
    assert took[0] >= len(pages) and sum(took[10:]) < 5 * len(pages)


def test_changes_are_found_whether_a_page_was_steady_is_or_was_again(gl, target, tracking):
    """Pages that change for 5, 30 and 60 verbs on end and rest for as many, each beginning at another time."""
    at = mapped(gl)
    consume(gl)
    for i in range(200):
        changed = 0
        for page in range(SIZE // 4096):
            if (i // (5, 30, 60)[page % 3] + page) % 2:
                ctypes.memset(at + page * 4096 + i * 8, i + 1, 3)
                changed += 3
        assert consume(gl)["upload_bytes"] == changed
