"""Buffer objects: names, contents, mappings, and the errors of specification chapter 6."""

import ctypes

import pytest


def contents(gl, size=16, target=None, offset=0) -> bytes:
    out = ctypes.create_string_buffer(size)
    gl.GetBufferSubData(target or gl.ARRAY_BUFFER, offset, size, out)
    return out.raw


def test_names_become_objects_when_first_bound(gl):
    name = gl.gen("Buffers")
    assert not gl.IsBuffer(name)
    gl.BindBuffer(gl.ARRAY_BUFFER, name)
    assert gl.IsBuffer(name)
    gl.delete("Buffers", name, 0, 4711)
    assert not gl.IsBuffer(name)
    assert gl.get_int("GetIntegerv", gl.ARRAY_BUFFER_BINDING) == 0


def test_a_name_that_was_never_generated_cannot_be_bound(gl):
    gl.BindBuffer(gl.ARRAY_BUFFER, 99)
    assert gl.error() == "INVALID_OPERATION"
    gl.BindBufferBase(gl.UNIFORM_BUFFER, 0, 99)
    assert gl.error() == "INVALID_OPERATION"


def test_what_is_written_is_read_back(gl, buffer):
    assert contents(gl) == bytes(range(16))
    gl.BufferSubData(gl.ARRAY_BUFFER, 4, 3, b"abc")
    assert contents(gl) == bytes(range(4)) + b"abc" + bytes(range(7, 16))
    assert contents(gl, 3, offset=4) == b"abc"


def test_new_storage_replaces_size_and_usage(gl, buffer):
    gl.BufferData(gl.ARRAY_BUFFER, 4, b"wxyz", gl.STREAM_READ)
    assert contents(gl, 4) == b"wxyz"
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_SIZE) == 4
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_USAGE) == gl.STREAM_READ
    gl.BufferData(gl.ARRAY_BUFFER, 0, None, gl.STATIC_DRAW)
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_SIZE) == 0


@pytest.mark.parametrize("call, error", [
    (lambda gl: gl.BindBuffer(gl.TEXTURE_2D, 0), "INVALID_ENUM"),
    (lambda gl: gl.GenBuffers(-1, None), "INVALID_VALUE"),
    (lambda gl: gl.DeleteBuffers(-1, None), "INVALID_VALUE"),
    (lambda gl: gl.BufferData(gl.TEXTURE_2D, 4, None, gl.STATIC_DRAW), "INVALID_ENUM"),
    (lambda gl: gl.BufferData(gl.ARRAY_BUFFER, 4, None, gl.ARRAY_BUFFER), "INVALID_ENUM"),
    (lambda gl: gl.BufferData(gl.ARRAY_BUFFER, -1, None, gl.STATIC_DRAW), "INVALID_VALUE"),
    (lambda gl: gl.BufferData(gl.COPY_READ_BUFFER, 4, None, gl.STATIC_DRAW), "INVALID_OPERATION"),
    (lambda gl: gl.BufferSubData(gl.ARRAY_BUFFER, 15, 2, b"ab"), "INVALID_VALUE"),
    (lambda gl: gl.BufferSubData(gl.ARRAY_BUFFER, -1, 2, b"ab"), "INVALID_VALUE"),
    (lambda gl: gl.BufferSubData(gl.ARRAY_BUFFER, 0, -2, b"ab"), "INVALID_VALUE"),
    (lambda gl: gl.BufferSubData(gl.COPY_READ_BUFFER, 0, 1, b"a"), "INVALID_OPERATION"),
    (lambda gl: gl.GetBufferSubData(gl.ARRAY_BUFFER, 8, 9, ctypes.create_string_buffer(9)), "INVALID_VALUE"),
    (lambda gl: gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, 4), "INVALID_OPERATION"),
    (lambda gl: gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.TEXTURE_2D, 0, 0, 4), "INVALID_ENUM"),
    (lambda gl: gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.ARRAY_BUFFER, 0, 2, 4), "INVALID_VALUE"),
    (lambda gl: gl.CopyBufferSubData(gl.ARRAY_BUFFER, gl.ARRAY_BUFFER, 0, 14, 4), "INVALID_VALUE"),
    (lambda gl: gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.ARRAY_BUFFER), "INVALID_ENUM"),
    (lambda gl: gl.GetBufferPointerv(gl.ARRAY_BUFFER, gl.BUFFER_SIZE, None), "INVALID_ENUM"),
    (lambda gl: gl.UnmapBuffer(gl.ARRAY_BUFFER), "INVALID_OPERATION"),
    (lambda gl: gl.FlushMappedBufferRange(gl.ARRAY_BUFFER, 0, 1), "INVALID_OPERATION"),
    (lambda gl: gl.MapBuffer(gl.ARRAY_BUFFER, gl.ARRAY_BUFFER), "INVALID_ENUM"),
    (lambda gl: gl.BindBufferBase(gl.ARRAY_BUFFER, 0, 0), "INVALID_ENUM"),
    (lambda gl: gl.BindBufferBase(gl.UNIFORM_BUFFER, 100000, 0), "INVALID_VALUE"),
])
def test_errors_that_the_client_raises(gl, buffer, call, error):
    call(gl)
    assert gl.error() == error
    assert contents(gl) == bytes(range(16))


@pytest.mark.parametrize("offset, length, bits, error", [
    (0, 17, "READ", "INVALID_VALUE"), (-1, 4, "READ", "INVALID_VALUE"), (0, -4, "READ", "INVALID_VALUE"),
    (0, 0, "READ", "INVALID_OPERATION"), (0, 4, "", "INVALID_OPERATION"),
    (0, 4, "READ INVALIDATE_RANGE", "INVALID_OPERATION"), (0, 4, "READ UNSYNCHRONIZED", "INVALID_OPERATION"),
    (0, 4, "READ FLUSH_EXPLICIT", "INVALID_OPERATION"), (0, 4, "WRITE PERSISTENT", "INVALID_OPERATION"),
])
def test_mappings_that_are_refused(gl, buffer, offset, length, bits, error):
    access = sum(getattr(gl, f"MAP_{bit}_BIT") for bit in bits.split())
    assert not gl.MapBufferRange(gl.ARRAY_BUFFER, offset, length, access)
    assert gl.error() == error


def test_a_mapping_is_the_buffer(gl, buffer):
    at = gl.MapBufferRange(gl.ARRAY_BUFFER, 4, 8, gl.MAP_READ_BIT | gl.MAP_WRITE_BIT)
    assert ctypes.string_at(at, 8) == bytes(range(4, 12))
    ctypes.memmove(at + 2, b"new", 3)
    gl.BufferSubData(gl.ARRAY_BUFFER, 3, 2, b"xy")
    assert gl.error() == "INVALID_OPERATION"
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_MAP_LENGTH) == 8
    assert not gl.MapBuffer(gl.ARRAY_BUFFER, gl.READ_ONLY)
    assert gl.error() == "INVALID_OPERATION"
    assert gl.UnmapBuffer(gl.ARRAY_BUFFER) == 1
    assert contents(gl) == bytes(range(6)) + b"new" + bytes(range(9, 16))
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_MAPPED) == 0


def test_explicit_flushes_stay_inside_the_mapping(gl, buffer):
    at = gl.MapBufferRange(gl.ARRAY_BUFFER, 4, 8, gl.MAP_WRITE_BIT | gl.MAP_FLUSH_EXPLICIT_BIT)
    ctypes.memmove(at, b"abcdefgh", 8)
    gl.FlushMappedBufferRange(gl.ARRAY_BUFFER, 4, 5)
    assert gl.error() == "INVALID_VALUE"
    gl.FlushMappedBufferRange(gl.ARRAY_BUFFER, 0, 8)
    assert gl.UnmapBuffer(gl.ARRAY_BUFFER) == 1


def test_new_storage_ends_a_mapping(gl, buffer):
    assert gl.MapBuffer(gl.ARRAY_BUFFER, gl.WRITE_ONLY)
    gl.BufferData(gl.ARRAY_BUFFER, 4, b"wxyz", gl.STATIC_DRAW)
    assert gl.get_int("GetBufferParameteriv", gl.ARRAY_BUFFER, gl.BUFFER_MAPPED) == 0
    assert contents(gl, 4) == b"wxyz"


def test_ranges_of_uniform_buffers_are_aligned(gl, buffer):
    alignment = gl.get_int("GetIntegerv", gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT)
    gl.BindBufferRange(gl.UNIFORM_BUFFER, 1, buffer, alignment, 16)
    assert gl.error() == "NO_ERROR"
    gl.BindBufferRange(gl.UNIFORM_BUFFER, 1, buffer, 0, 0)
    assert gl.error() == "INVALID_VALUE"
    gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 2, 4)
    assert gl.error() == "INVALID_VALUE"
    if alignment > 1:
        gl.BindBufferRange(gl.UNIFORM_BUFFER, 1, buffer, 1, 16)
        assert gl.error() == "INVALID_VALUE"


def test_a_deleted_buffer_leaves_every_binding_of_the_context(gl, buffer):
    for target in (gl.UNIFORM_BUFFER, gl.COPY_READ_BUFFER, gl.PIXEL_PACK_BUFFER, gl.TEXTURE_BUFFER):
        gl.BindBuffer(target, buffer)
    gl.BindBufferBase(gl.UNIFORM_BUFFER, 3, buffer)
    gl.delete("Buffers", buffer)
    for binding in (gl.UNIFORM_BUFFER_BINDING, gl.COPY_READ_BUFFER_BINDING, gl.PIXEL_PACK_BUFFER_BINDING):
        assert gl.get_int("GetIntegerv", binding) == 0
    assert gl.get_int("GetIntegeri_v", gl.UNIFORM_BUFFER_BINDING, 3) == 0


def test_nothing_is_sent_by_a_write(gl, buffer):
    before = gl.loader.stats()["records"]
    for i in range(100):
        gl.BufferSubData(gl.ARRAY_BUFFER, i % 16, 1, b"z")
        gl.BufferData(gl.ARRAY_BUFFER, 16, bytes(16), gl.STREAM_DRAW)
    assert gl.loader.stats()["records"] == before
