"""Transform feedback: what programs capture, captures, draws of what was captured."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from driver_gl cimport GLuint
from mgpipe.backends.espryt.espryt cimport Context, Espryt, Program
from pipe cimport BackEnd

cdef void install_feedback(BackEnd* table) noexcept nogil
# Keeps a program's list of names, once it is found sound.
cdef void feedback_set(Espryt* es, Program* program, uint32_t mode, const uint8_t* text, uint64_t size) noexcept nogil
# A query of the program's begins or ends to count primitives written: OpenGL ES has one of them at a time.
cdef void program_counts(Espryt* es, Context* ctx, bint begins) noexcept nogil
# Tells the driver before the program is linked. False: a form that this driver cannot do, named already.
cdef bint name_feedback(Espryt* es, Program* program, GLuint name, const uint32_t* widened) noexcept nogil
