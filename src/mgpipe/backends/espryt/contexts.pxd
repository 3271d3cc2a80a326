"""Native contexts, share groups, surfaces: who is current."""

from libc.stdint cimport uint64_t
from driver_gl cimport EGLContext, GLenum
from mgpipe.backends.espryt.espryt cimport Context, Espryt, ShareGroup, Surface
from pipe cimport pipe_create_surface

cdef int context_create(Espryt* es, Context* ctx, ShareGroup* group) noexcept nogil    # -1: the driver refused
cdef void context_destroy(Espryt* es, Context* ctx) noexcept nogil
cdef void context_bind(Espryt* es, Context* ctx, Surface* draw, Surface* read) noexcept nogil
cdef void surface_create(Espryt* es, Surface* surface, const pipe_create_surface* call) noexcept nogil
cdef void surface_resize(Espryt* es, Surface* surface, unsigned int width, unsigned int height) noexcept nogil
cdef GLenum surface_format(Espryt* es, Surface* surface) noexcept nogil      # of its colours, in the driver's words
cdef void surface_destroy(Espryt* es, Surface* surface) noexcept nogil
# For work that belongs to no context of the client's: some context is current in between.
cdef bint enter_any_context(Espryt* es) noexcept nogil
cdef void leave_any_context(Espryt* es, bint borrowed) noexcept nogil
# Defaults of a new native context that differ from what Espryt assumes of every context.
cdef void context_prepare(Espryt* es) noexcept nogil
# Another native context of the session, for work that none of the program's may notice; then the bound one again.
cdef void borrow_context(Espryt* es, EGLContext native) noexcept nogil
cdef void return_context(Espryt* es) noexcept nogil
cdef void context_forget(Context* ctx) noexcept nogil        # nothing is believed of the driver's state any more
