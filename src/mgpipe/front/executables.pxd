"""The executable of a program: SPIR-V, constants, uniforms, slots, blocks, as C structs made from a link's reflection."""

from mgpipe.front.context cimport Program

cdef bint fill_executable(Program* program, object linked) except? False        # of an empty one; False: out of memory
cdef void drop_executable(Program* program) noexcept nogil
