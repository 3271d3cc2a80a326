"""What a server does with blobs and descriptors it does not trust."""

import fcntl
import os
import tempfile

import pytest

from mgpipe.links import memory
from mgpipe.links._probe import SegmentsProbe

KIB = 1024


@pytest.fixture
def shared():
    fd = memory.create_memory("test", 64 * KIB)
    yield fd
    os.close(fd)


def test_a_blob_inside_its_segment_is_resolved(shared):
    os.pwrite(shared, b"hello", 4096)
    segments = SegmentsProbe(1 << 30, shared, 64 * KIB)
    assert segments.resolve(4096, 5) == 4096
    assert segments.read(4096, 5) == b"hello"
    assert segments.resolve(0, 64 * KIB) == 0
    assert segments.resolve(64 * KIB, 0) == 64 * KIB


@pytest.mark.parametrize("offset, size", [
    (0, 64 * KIB + 1), (64 * KIB, 1), (64 * KIB + 1, 0), (2**64 - 1, 1), (2**64 - 8, 16), (1, 2**64 - 1), (0, 2**64 - 1),
    (2**63, 2**63)])
def test_a_blob_that_leaves_its_segment_is_refused(shared, offset, size):
    assert SegmentsProbe(1 << 30, shared, 64 * KIB).resolve(offset, size) is None


@pytest.mark.parametrize("segment", [0, 2, 3, 4, 255, 2**32 - 1])
def test_a_segment_that_is_not_there_is_refused(shared, segment):
    assert SegmentsProbe(1 << 30, shared, 64 * KIB).resolve(0, 8, segment) is None


def test_growth_is_seen_but_never_beyond_the_mapping(shared):
    segments = SegmentsProbe(256 * KIB, shared, 64 * KIB)
    assert segments.resolve(100 * KIB, 8) is None
    os.ftruncate(shared, 128 * KIB)
    assert segments.resolve(100 * KIB, 8) == 100 * KIB
    os.ftruncate(shared, 1024 * KIB)
    assert segments.resolve(255 * KIB, KIB) == 255 * KIB
    assert segments.resolve(256 * KIB, 1) is None


def test_misaligned_words_are_refused(shared):
    segments = SegmentsProbe(1 << 20, shared, 64 * KIB)
    assert segments.resolve(8, 8, alignment=8) == 8
    assert segments.resolve(12, 8, alignment=8) is None


def test_anonymous_memory_has_its_size_for_good():
    segments = SegmentsProbe(64 * KIB, -1, 64 * KIB)
    assert segments.resolve(0, 64 * KIB) == 0
    assert segments.resolve(0, 64 * KIB + 1) is None


# Seals


def test_our_memory_grows_but_never_shrinks_and_is_accepted(shared):
    assert memory.check_memory(shared, 64 * KIB) == 64 * KIB
    os.ftruncate(shared, 128 * KIB)
    with pytest.raises(PermissionError):
        os.ftruncate(shared, 64 * KIB)
    with pytest.raises(PermissionError):
        fcntl.fcntl(shared, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
    assert not os.get_inheritable(shared)


def test_memory_that_could_be_taken_away_is_refused():
    fd = os.memfd_create("open", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, 4096)
    with pytest.raises(memory.UnsealedMemory, match="not sealed against shrinking"):
        memory.check_memory(fd, 4096)
    os.close(fd)


def test_a_plain_file_is_refused():
    with tempfile.TemporaryFile() as file:
        file.truncate(4096)
        with pytest.raises(memory.UnsealedMemory):
            memory.check_memory(file.fileno(), 4096)


def test_memory_sealed_against_writing_is_refused():
    fd = os.memfd_create("fixed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, 4096)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, memory.SEALS | fcntl.F_SEAL_WRITE)
    with pytest.raises(memory.UnsealedMemory, match="against writing"):
        memory.check_memory(fd, 4096)
    os.close(fd)


def test_memory_that_is_too_small_is_refused(shared):
    with pytest.raises(memory.UnsealedMemory, match="65536 bytes, not the agreed 65537"):
        memory.check_memory(shared, 64 * KIB + 1)
