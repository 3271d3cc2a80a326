"""What the driver can do, in the words of catalogue/limits.py."""

from mgpipe.backends.espryt.espryt cimport Espryt
from pipe cimport pipe_Caps

cdef void fill_caps(Espryt* es, pipe_Caps* caps) noexcept nogil
