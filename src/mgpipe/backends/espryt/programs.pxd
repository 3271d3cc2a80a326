"""Programs: SPIR-V kept, built at first use, and the constants of their stages."""

from mgpipe.backends.espryt.espryt cimport Context, Espryt, Program
from pipe cimport BackEnd

cdef void install_programs(BackEnd* table) noexcept nogil
cdef bint apply_program(Espryt* es, Context* ctx) noexcept nogil        # False: refused, named already
cdef bint use_program(Espryt* es, Context* ctx, Program* program, const char* verb) noexcept nogil
