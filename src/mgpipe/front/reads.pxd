"""Texels on their way back to the program."""

from libc.stdint cimport uint32_t
from pipe cimport pipe_Box
from mgpipe.front.context cimport Context, GLenum, GLfloat, GLint, GLsizei, GLuint, Level, Texture
from mgpipe.front.pixels cimport UserImage

cdef GLint component_type(uint32_t kind) noexcept nogil            # of a FORMAT_KIND_…, as queries answer
# The level that a query names; NULL after setting the error. `proxies`: of a proxy target, too; then without texture.
cdef Level* level_of(Context* ctx, GLenum target, GLint level, Texture** texture, uint32_t* face,
                     bint proxies) noexcept nogil
# A box of a level into the program's memory. `limit`: bytes that may be written there, all ones for no limit.
cdef void read_level(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                     const UserImage* image, uint32_t layout, size_t limit, void* pixels) noexcept nogil
cdef GLenum image_read(Context* ctx, Texture* texture, uint32_t face, uint32_t level, const pipe_Box* box,
                       uint32_t dimensions, GLenum format, GLenum type, size_t limit, void* pixels) noexcept nogil
cdef void level_query(Context* ctx, Texture* texture, GLenum target, Level* store, GLenum pname,
                      GLint* params) noexcept nogil

cdef void ReadPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                     void* pixels) noexcept nogil
cdef void ReadnPixels(Context* ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                      GLsizei bufSize, void* data) noexcept nogil
cdef void GetnTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                       void* pixels) noexcept nogil
cdef void GetTexImage(Context* ctx, GLenum target, GLint level, GLenum format, GLenum type, void* pixels) noexcept nogil
cdef void GetMultisamplefv(Context* ctx, GLenum pname, GLuint index, GLfloat* val) noexcept nogil
cdef void GetTexLevelParameteriv(Context* ctx, GLenum target, GLint level, GLenum pname, GLint* params) noexcept nogil
cdef void GetTexLevelParameterfv(Context* ctx, GLenum target, GLint level, GLenum pname, GLfloat* params) noexcept nogil
