"""The real libEGL and what it hands out. One Driver a session; everything runs on the apply thread, without the GIL."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t
from driver_gl cimport EGL, EGLConfig, EGLContext, EGLDisplay, EGLint, GL

cdef enum Dialect:                  # numbered as in catalogue/limits.py
    DIALECT_GL = 1
    DIALECT_GLES = 2

cdef struct Driver:
    GL gl                           # first: the back ends' whole vocabulary
    EGL egl
    void* library
    EGLDisplay display
    EGLConfig config                # NULL: contexts without a config
    uint32_t dialect
    uint32_t version                # ten times: 45, 32
    uint32_t robust                 # contexts check what shaders read and write, and tell of resets
    uint32_t debug                  # MGPIPE_DRIVER_ERRORS is set: contexts report the driver's errors
    EGLContext context              # made by driver_open, current on its thread
    char path[512]
    char* extensions                # " GL_A GL_B ", for driver_has

# 0, or -1 with a sentence in `error`. Opens a display, makes a context of the dialect current and fills `driver.gl`.
cdef int driver_open(Driver* driver, uint32_t dialect, char* error, size_t error_size) noexcept nogil
cdef void driver_close(Driver* driver) noexcept nogil
# Another context sharing objects with `share`, of the same version. NULL: the driver refused.
cdef EGLContext driver_new_context(Driver* driver, EGLContext share) noexcept nogil
cdef bint driver_has(Driver* driver, const char* extension) noexcept nogil
