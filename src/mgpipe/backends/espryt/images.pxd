"""Images by the slots of a program: the image units of the driver."""

from driver_gl cimport GLuint
from pipe cimport BackEnd
from mgpipe.backends.espryt.espryt cimport Context, Espryt, Resource

cdef void install_images(BackEnd* table) noexcept nogil
cdef void rebind_images(Espryt* es, Context* ctx) noexcept nogil
# OpenGL ES: a mutable texture's storage as an immutable one, with the same contents. False: it has none that is whole.
cdef bint make_immutable(Espryt* es, Resource* texture) noexcept nogil
# Of a texture that is bound: its own filters, so that a level of any format is complete for an image unit.
cdef void filter_nearest(Espryt* es, Resource* texture) noexcept nogil
# The driver's object of a texture is another one from now on: whoever holds the old one takes the new one.
cdef void rename_texture(Espryt* es, Resource* texture, GLuint name) noexcept nogil
