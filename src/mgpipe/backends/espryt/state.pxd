"""Render state, applied by difference."""

from mgpipe.backends.espryt.espryt cimport Context, Espryt
from pipe cimport BackEnd

cdef void install_state(BackEnd* table) noexcept nogil
# What the context's verbs want, where the driver has something else. False: a form this driver cannot do, named already.
cdef bint apply_state(Espryt* es, Context* ctx, const char* call) noexcept nogil
