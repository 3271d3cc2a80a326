"""The resource rows: which of buffers.pyx and textures.pyx they mean."""

from pipe cimport BackEnd

cdef void install_resources(BackEnd* table) noexcept nogil
