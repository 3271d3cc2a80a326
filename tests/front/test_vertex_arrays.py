"""Vertex arrays, current attributes and draws: state, and the errors of specification chapter 10."""

import ctypes
import struct

import pytest


@pytest.fixture
def array(gl, buffer):
    name = gl.gen("VertexArrays")
    gl.BindVertexArray(name)
    return name


def test_names_become_objects_when_first_bound(gl):
    name = gl.gen("VertexArrays")
    assert not gl.IsVertexArray(name)
    gl.BindVertexArray(name)
    assert gl.IsVertexArray(name)
    gl.delete("VertexArrays", name)
    assert gl.get_int("GetIntegerv", gl.VERTEX_ARRAY_BINDING) == 0
    gl.BindVertexArray(name)
    assert gl.error() == "INVALID_OPERATION"


def test_without_an_object_nothing_can_be_described(gl, buffer):
    for call in (lambda: gl.EnableVertexAttribArray(0), lambda: gl.VertexAttribDivisor(0, 1),
                 lambda: gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)):
        call()
        assert gl.error() == "INVALID_OPERATION"


@pytest.mark.parametrize("index, size, type_, normalized, stride, error", [
    (16, 4, "FLOAT", 0, 0, "INVALID_VALUE"), (0, 5, "FLOAT", 0, 0, "INVALID_VALUE"), (0, 0, "FLOAT", 0, 0, "INVALID_VALUE"),
    (0, 4, "RGBA", 0, 0, "INVALID_ENUM"), (0, 4, "FLOAT", 0, -1, "INVALID_VALUE"),
    (0, "BGRA", "FLOAT", 1, 0, "INVALID_OPERATION"), (0, "BGRA", "UNSIGNED_BYTE", 0, 0, "INVALID_OPERATION"),
    (0, 3, "INT_2_10_10_10_REV", 1, 0, "INVALID_OPERATION"),
])
def test_formats_that_are_refused(gl, array, index, size, type_, normalized, stride, error):
    size = gl.BGRA if size == "BGRA" else size
    gl.VertexAttribPointer(index, size, getattr(gl, type_), normalized, stride, None)
    assert gl.error() == error


def test_arrays_in_client_memory_are_refused(gl, array):
    gl.BindBuffer(gl.ARRAY_BUFFER, 0)
    gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 0, 16)
    assert gl.error() == "INVALID_OPERATION"
    gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    assert gl.error() == "NO_ERROR"


def test_integers_take_integer_types_only(gl, array):
    gl.VertexAttribIPointer(0, 4, gl.FLOAT, 0, None)
    assert gl.error() == "INVALID_ENUM"
    gl.VertexAttribIPointer(2, 2, gl.SHORT, 0, None)
    assert gl.get_int("GetVertexAttribiv", 2, gl.VERTEX_ATTRIB_ARRAY_INTEGER) == 1


def test_what_was_described_is_told(gl, array, buffer):
    gl.VertexAttribPointer(3, gl.BGRA, gl.UNSIGNED_BYTE, 1, 12, 8)
    gl.EnableVertexAttribArray(3)
    gl.VertexAttribDivisor(3, 2)
    told = {name: gl.get_int("GetVertexAttribiv", 3, getattr(gl, f"VERTEX_ATTRIB_ARRAY_{name}"))
            for name in ("SIZE", "TYPE", "NORMALIZED", "STRIDE", "ENABLED", "DIVISOR", "BUFFER_BINDING", "INTEGER")}
    assert told == {"SIZE": gl.BGRA, "TYPE": gl.UNSIGNED_BYTE, "NORMALIZED": 1, "STRIDE": 12, "ENABLED": 1, "DIVISOR": 2,
                    "BUFFER_BINDING": buffer, "INTEGER": 0}
    pointer = ctypes.c_void_p()
    gl.GetVertexAttribPointerv(3, gl.VERTEX_ATTRIB_ARRAY_POINTER, ctypes.addressof(pointer))
    assert pointer.value == 8


def test_a_buffer_outlives_its_name_in_another_vertex_array(gl, array, buffer):
    gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    gl.BindVertexArray(gl.gen("VertexArrays"))
    gl.delete("Buffers", buffer)
    gl.BindVertexArray(array)
    assert gl.get_int("GetVertexAttribiv", 0, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == buffer
    gl.delete("VertexArrays", array)


def test_a_buffer_leaves_the_bound_vertex_array_with_its_name(gl, array, buffer):
    gl.VertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer)
    gl.delete("Buffers", buffer)
    assert gl.get_int("GetVertexAttribiv", 0, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == 0
    assert gl.get_int("GetIntegerv", gl.ELEMENT_ARRAY_BUFFER_BINDING) == 0


def current(gl, index, kind="f"):
    values = ctypes.create_string_buffer(16)
    getattr(gl, {"f": "GetVertexAttribfv", "i": "GetVertexAttribIiv"}[kind])(index, gl.CURRENT_VERTEX_ATTRIB, values)
    return struct.unpack(f"=4{kind}", values.raw)


def test_current_attributes_convert_as_they_are_spelled(gl):
    assert current(gl, 5) == (0, 0, 0, 1)
    gl.VertexAttrib2f(5, 1.5, -2)
    assert current(gl, 5) == (1.5, -2, 0, 1)
    gl.VertexAttrib4Nub(5, 255, 0, 51, 255)
    assert current(gl, 5) == pytest.approx((1, 0, 0.2, 1))
    gl.VertexAttrib4Nbv(5, struct.pack("4b", 127, -127, -128, 0))
    assert current(gl, 5) == (1, -1, -1, 0)
    gl.VertexAttribI3i(5, -7, 8, 9)
    assert current(gl, 5, "i") == (-7, 8, 9, 1)
    gl.VertexAttribP4ui(5, gl.INT_2_10_10_10_REV, 0, 0b01 << 30 | 0x3FF << 20 | 5 << 10 | 1)
    assert current(gl, 5) == (1, 5, -1, 1)
    gl.VertexAttrib1f(16, 0)
    assert gl.error() == "INVALID_VALUE"
    gl.VertexAttribP1ui(5, gl.FLOAT, 0, 0)
    assert gl.error() == "INVALID_ENUM"


@pytest.mark.parametrize("draw, error", [
    (lambda gl: gl.DrawArrays(gl.QUADS, 0, 3), "INVALID_ENUM"),
    (lambda gl: gl.DrawArrays(gl.TRIANGLES, 0, -1), "INVALID_VALUE"),
    (lambda gl: gl.DrawArrays(gl.TRIANGLES, -1, 3), "INVALID_VALUE"),
    (lambda gl: gl.DrawArraysInstanced(gl.TRIANGLES, 0, 3, -1), "INVALID_VALUE"),
    (lambda gl: gl.DrawElements(gl.TRIANGLES, 3, gl.FLOAT, None), "INVALID_ENUM"),
    (lambda gl: gl.DrawElements(gl.TRIANGLES, -3, gl.UNSIGNED_INT, None), "INVALID_VALUE"),
    (lambda gl: gl.DrawRangeElements(gl.TRIANGLES, 5, 4, 3, gl.UNSIGNED_INT, None), "INVALID_VALUE"),
    (lambda gl: gl.MultiDrawArrays(gl.TRIANGLES, None, None, -1), "INVALID_VALUE"),
    (lambda gl: gl.MultiDrawArrays(gl.TRIANGLES, struct.pack("2i", 0, 0), struct.pack("2i", 3, -3), 2), "INVALID_VALUE"),
    (lambda gl: gl.MultiDrawArrays(gl.TRIANGLES, struct.pack("2i", 0, -1), struct.pack("2i", 3, 3), 2), "INVALID_VALUE"),
    (lambda gl: gl.MultiDrawElements(gl.TRIANGLES, struct.pack("2i", 3, -3), gl.UNSIGNED_INT, struct.pack("2Q", 0, 0), 2), "INVALID_VALUE"),
])
def test_draws_that_are_refused_for_their_arguments(gl, array, draw, error):
    draw(gl)
    assert gl.error() == error
