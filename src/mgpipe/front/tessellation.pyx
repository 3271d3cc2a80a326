# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Vertices of a patch, and the levels of tessellation that hold where no control shader writes any."""

from libc.stdint cimport uint32_t

from glenum cimport (GL_INVALID_ENUM, GL_INVALID_VALUE, GL_PATCH_DEFAULT_INNER_LEVEL, GL_PATCH_DEFAULT_OUTER_LEVEL,
                     GL_PATCH_VERTICES)
from mgpipe.front.context cimport DIRTY_PATCHES, Context, GLenum, GLfloat, GLint, set_error


cdef void PatchParameteri(Context* ctx, GLenum pname, GLint value) noexcept nogil:
    if pname != GL_PATCH_VERTICES:
        set_error(ctx, GL_INVALID_ENUM)
    elif value <= 0 or value > ctx.session.caps.max_patch_vertices:
        set_error(ctx, GL_INVALID_VALUE)
    elif ctx.patches.vertices != <uint32_t>value:
        ctx.patches.vertices = <uint32_t>value
        ctx.dirty |= DIRTY_PATCHES


cdef void PatchParameterfv(Context* ctx, GLenum pname, const GLfloat* values) noexcept nogil:
    cdef uint32_t i
    if pname == GL_PATCH_DEFAULT_OUTER_LEVEL:
        for i in range(4):
            ctx.patches.outer[i] = values[i]
    elif pname == GL_PATCH_DEFAULT_INNER_LEVEL:
        for i in range(2):
            ctx.patches.inner[i] = values[i]
    else:
        set_error(ctx, GL_INVALID_ENUM)
        return
    ctx.dirty |= DIRTY_PATCHES
