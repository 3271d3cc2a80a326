# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Lines of the program: where a thread stands, found by looking at its frames and running nothing."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport malloc

import os

STANDARD_LIBRARY = os.path.dirname(os.__file__) + "/"

cdef extern from "trace_text.h" nogil:
    char* put_text(char* at, const char* text)
    char* put_number(char* at, uint64_t value)
    char* put_escaped(char* at, const char* text, size_t room)

cdef extern from "Python.h":
    int Py_IsInitialized() nogil
    void* PyGILState_GetThisThreadState() nogil
    void* PyEval_GetFrame()
    int PyGC_Disable()
    int PyGC_Enable()
    void PyErr_Fetch(void** type, void** value, void** traceback)
    void PyErr_Restore(void* type, void* value, void* traceback)

cdef enum:
    LINES = 4096
    LINE_BYTES = 1000

cdef char* _lines[LINES]
cdef uint32_t _line_count = 0
cdef dict _line_numbers = {}


cdef uint32_t line_now() noexcept nogil:
    if not Py_IsInitialized() or PyGILState_GetThisThreadState() == NULL:
        return 0
    return line_of_frame()


cdef const char* line_text(uint32_t number) noexcept nogil:
    return _lines[number]


cdef uint32_t line_of_frame() noexcept with gil:
    """In the middle of a wait: nothing here may run bytecode or collect garbage, whose finalisers could draw."""
    cdef bint collects = PyGC_Disable()
    cdef void* type = NULL
    cdef void* value = NULL
    cdef void* traceback = NULL
    cdef uint32_t number = 0
    PyErr_Fetch(&type, &value, &traceback)
    try:
        number = find_line()
    except Exception:
        number = 0
    PyErr_Restore(type, value, traceback)
    if collects:
        PyGC_Enable()
    return number


cdef bint is_library(str path):
    return "/site-packages/" in path or "/dist-packages/" in path or path.startswith("<frozen") or path.startswith(STANDARD_LIBRARY)


cdef uint32_t find_line() except? 0:
    """The innermost line that is the program's own; beside it where that led, if it is another's."""
    cdef void* at = PyEval_GetFrame()
    if at == NULL:
        return 0
    innermost = <object>at
    frame = innermost
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        frame = innermost
    key = (frame.f_code.co_filename, frame.f_lineno, innermost.f_code.co_filename, innermost.f_lineno)
    number = _line_numbers.get(key)
    if number is None:
        number = _line_numbers[key] = keep_line(frame, innermost)
    return number


cdef uint32_t keep_line(frame, innermost) except? 0:
    global _line_count
    cdef char* line
    cdef char* at
    if _line_count + 1 >= LINES:
        return 0
    line = <char*>malloc(LINE_BYTES)
    if line == NULL:
        return 0
    at = put_text(line, b',"line":"')
    at = put_place(at, frame)
    if frame is not innermost:
        at = put_text(at, b'","through":"')
        at = put_place(at, innermost)
    at = put_text(at, b'"')
    at[0] = 0
    _line_count += 1
    _lines[_line_count] = line
    return _line_count


cdef char* put_place(char* at, frame) except NULL:
    cdef bytes path = (<str>frame.f_code.co_filename).encode("utf-8", "replace")
    at = put_escaped(at, path, LINE_BYTES // 2 - 60)
    at = put_text(at, b":")
    return put_number(at, <uint64_t>frame.f_lineno)
