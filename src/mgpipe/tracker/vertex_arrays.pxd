"""Vertex arrays on the server: each is an object there, too, so that one already described takes a record of 16 bytes to bind."""

from mgpipe.front.context cimport Context, VertexArray

cdef void send_vertex_array(Context* ctx) noexcept nogil
cdef void track_delete_vertex_array(Context* ctx, VertexArray* array) noexcept nogil
